//! The report of `annals doctor` for people.

use crate::context::Context;
use document::{
    AppReportDocument, DoctorArchiveDocument, DoctorDocument, DoctorProblemDocument,
    InstalledProgramDocument, Moment, RetentionDocument, retention_advice,
};
use render::{Column, Style, Table, counted};

/// The report for people.
pub(super) struct Report<'a> {
    pub(super) context: &'a Context,
    pub(super) all: bool,
}

/// How many items of a list are shown by default.
const SOME: usize = 10;

impl Report<'_> {
    pub(super) fn text(&self, document: &DoctorDocument) -> String {
        let mut text = self.heading("Stores");
        for root in &document.roots {
            let line = match (&root.error, root.kind.as_deref(), root.found_by.as_deref()) {
                (Some(error), _, _) => self.paint(Style::Bad, &format!("{}: {error}", root.path)),
                (None, kind, found_by) => format!(
                    "{} ({}, found by {}): {}",
                    safe(&root.path),
                    kind.unwrap_or_default(),
                    found_by.unwrap_or_default(),
                    counted(root.sessions, "session")
                ),
            };
            text += &format!("  {line}\n");
        }
        let counts = &document.counts;
        text += &format!(
            "  {}, {} hidden, {}; {} in {}, {}\n",
            counted(counts.sessions, "session"),
            counts.hidden,
            counted(counts.agents, "sub-agent"),
            counted(usize::try_from(counts.lines).unwrap_or(usize::MAX), "line"),
            counted(counts.files, "file"),
            render::bytes(counts.bytes)
        );
        text += &self.retention(&document.retention);
        text += &self.archive(&document.archive);
        text += &self.damage(document);
        text +=
            &self.list("Unknown record types and fields", &document.drift, "nothing", |drift| {
                let version = drift
                    .first_version
                    .as_ref()
                    .map(|version| format!(", since {version}"))
                    .unwrap_or_default();
                format!(
                    "{} {} ×{}{version}: {}",
                    drift.kind, drift.name, drift.count, drift.example
                )
            });
        text += &self.list("Sessions with several copies", &document.copies, "", |copies| {
            let paths = copies.copies.iter().map(|path| self.place(document, path));
            format!("{}: {}", copies.id, paths.collect::<Vec<_>>().join(", "))
        });
        text += &self.list(
            "Project folders shared by several paths",
            &document.collisions,
            "",
            |collision| {
                let folder = self.place(document, &collision.folder);
                format!("{folder}: {}", collision.cwds.join(", "))
            },
        );
        text += &self.list("Files that are not sessions", &document.strays, "", |stray| {
            format!("{}: {}", self.place(document, &stray.path), stray.reason)
        });
        text += &self.list(
            "Outdated Claude Code caches (annals does not use them)",
            &document.caches,
            "",
            |cache| format!("{}: {}", self.place(document, &cache.path), cache.disagrees),
        );
        text += &self.apps(&document.apps);
        text += &self.programs(&document.programs);
        self.context.output.hanging(&text, 2)
    }

    /// Other apps, and what annals does not understand of their sessions.
    fn apps(&self, apps: &[AppReportDocument]) -> String {
        if apps.is_empty() {
            return String::new();
        }
        let mut text = self.heading("Other apps");
        for app in apps {
            let sessions = counted(app.sessions, "session");
            let place = safe(&self.context.short_path(&app.path));
            text += &format!("  {} ({place}): {sessions}\n", &*app.app);
            for (what, counts) in [("problem", &app.problems), ("unknown", &app.unknown)] {
                for (name, count) in counts {
                    text += &format!("    {}\n", safe(&format!("{what}: {name} ×{count}")));
                }
            }
            for file in &app.unreadable {
                let line = format!("{}: {}", file.path, file.reason);
                text += &format!("    {}\n", self.paint(Style::Bad, &safe(&line)));
            }
        }
        text
    }

    /// The programs that are not the running one.
    fn programs(&self, programs: &[InstalledProgramDocument]) -> String {
        let others: Vec<_> = programs.iter().filter(|program| &*program.state != "same").collect();
        if others.is_empty() {
            return String::new();
        }
        let mut text = self.heading("Installation");
        for InstalledProgramDocument { part, program, state } in others {
            let program = self.context.short_path(program);
            let reason = if &**state == "missing" {
                "which does not exist"
            } else {
                "which is not this program"
            };
            let line = format!("{}: calls {}, {reason}", &**part, safe(&program));
            text += &format!("  {}\n", self.paint(Style::Bad, &line));
        }
        text + "  hint: annals setup installs this program instead\n"
    }

    /// Damage, and what could not be read.
    fn damage(&self, document: &DoctorDocument) -> String {
        let (damage, not_read): (Vec<_>, Vec<_>) =
            document.problems.iter().partition(|problem| problem.is_damage());
        let mut text = self.problems(document, "Damage", &damage);
        if !not_read.is_empty() {
            text += &self.problems(document, "Not read", &not_read);
        }
        text
    }

    /// Problems by file, below a heading with their number.
    fn problems(
        &self,
        document: &DoctorDocument,
        name: &str,
        problems: &[&DoctorProblemDocument],
    ) -> String {
        if problems.is_empty() {
            return self.heading(name) + "  none\n";
        }
        let mut text = self.heading(&format!("{name} ({})", problems.len()));
        let most = if self.all { usize::MAX } else { SOME };
        let mut file = None;
        for problem in problems.iter().take(most) {
            if file != Some(&problem.path) {
                file = Some(&problem.path);
                text += &format!("  {}\n", safe(&self.place(document, &problem.path)));
            }
            let line = problem.line.map(|line| format!("line {line}"));
            let offset = problem.offset.map(|offset| format!("at byte {offset}"));
            let place = line.into_iter().chain(offset).collect::<Vec<_>>().join(" ");
            let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
            text += &format!("    {}\n", safe(&format!("{place}{}", problem.reason)));
        }
        text + &self.more(problems.len())
    }

    /// A path within the only store, otherwise the whole path.
    fn place(&self, document: &DoctorDocument, path: &str) -> String {
        if let [root] = document.roots.as_slice()
            && let Some(below) = path.strip_prefix(&root.path).and_then(|it| it.strip_prefix('/'))
        {
            return below.to_owned();
        }
        self.context.short_path(path)
    }

    fn retention(&self, retention: &RetentionDocument) -> String {
        let Some(days) = retention.days else { return String::new() };
        let mut text = self.heading("Cleanup");
        let source = retention.source.as_deref().unwrap_or_default();
        text += &self.rule(days, source, None, retention.problem.as_deref());
        for other in &retention.others {
            text += &self.rule(
                other.days,
                &other.source,
                Some(&other.settings),
                other.problem.as_deref(),
            );
        }
        if retention.expiring.is_empty() {
            return text
                + &format!(
                    "  {}\n",
                    self.paint(Style::Good, "Claude Code will delete no session within 7 days.")
                );
        }
        let mut settings: Vec<String> = retention
            .expiring
            .iter()
            .map(|expiring| self.context.short_path(&expiring.settings))
            .collect();
        settings.sort();
        settings.dedup();
        let count = retention.expiring.len();
        let lost = retention.expiring.iter().filter(|expiring| !expiring.is_archived).count();
        let warning =
            format!("Claude Code will delete {} within 7 days", render::counted(count, "session"));
        if lost == 0 {
            text += &format!("  {warning}; all are in the archive.\n");
        } else {
            let warning = format!("{warning}; {lost} not in the archive.");
            text += &format!(
                "  {}\n  hint: annals archive sync backs them up; to make Claude Code keep them longer, add {} to {}\n",
                self.paint(Style::Warning, &warning),
                retention_advice(),
                safe(&settings.join(" and "))
            );
        }
        let mut table = Table::new(vec![
            Column::new("  SESSION").style(Style::Id),
            Column::new("DELETED").style(Style::Warning),
            Column::new("ARCHIVED"),
            Column::new("TITLE").shrinks_to(16).wide(),
        ]);
        let most = if self.all { usize::MAX } else { SOME };
        for expiring in retention.expiring.iter().take(most) {
            table.row([
                format!("\u{a0}\u{a0}{}", document::short_id(&expiring.id)),
                render::time::until(expiring.deleted_at.0, self.context.settings.now),
                if expiring.is_archived { "yes" } else { "no" }.to_owned(),
                expiring.title.clone().unwrap_or_default(),
            ]);
        }
        text += &table.render(self.context.output.width(), self.context.output.paint);
        text + &self.more(retention.expiring.len())
    }

    /// The state of the archive: archived sessions, changes since, last verification.
    fn archive(&self, archive: &DoctorArchiveDocument) -> String {
        let mut text = self.heading("Archive");
        if let Some(error) = &archive.error {
            text += &format!("  {}\n", self.paint(Style::Bad, error));
            return text;
        }
        if !archive.exists {
            let none = "No archive yet: sessions that Claude Code deletes are lost.";
            let none = self.paint(Style::Warning, none);
            return text
                + &format!("  {none}\n  hint: annals archive sync backs up all sessions\n");
        }
        let ago = |time: Moment| {
            render::time::ago(time.0, self.context.settings.now, &self.context.settings.zone)
        };
        text += &format!(
            "  {} archived: {} stored in {}. Last sync: {}.\n",
            render::counted(archive.sessions, "session"),
            render::bytes(archive.bytes),
            render::bytes(archive.stored_bytes),
            archive.synced_at.map_or("never".to_owned(), ago),
        );
        text += &match (archive.verified_at, archive.was_intact) {
            (Some(at), Some(true)) => format!("  Last verified: {}, no damage found.\n", ago(at)),
            (Some(at), _) => {
                let damaged =
                    format!("Found damaged {}: annals archive verify shows the damage.", ago(at));
                format!("  {}\n", self.paint(Style::Bad, &damaged))
            }
            (None, _) => "  Never verified: annals archive verify checks every byte.\n".to_owned(),
        };
        if archive.not_archived_files > 0 {
            let warning = format!(
                "{} of {} ({}) changed since the last sync.",
                render::counted(archive.not_archived_files, "file"),
                render::counted(archive.not_archived_sessions, "session"),
                render::bytes(archive.not_archived_bytes),
            );
            text += &format!(
                "  {}\n  hint: annals archive sync backs them up\n",
                self.paint(Style::Warning, &warning)
            );
        }
        if archive.damaged_ledger_lines > 0 {
            let lines = render::counted(archive.damaged_ledger_lines, "line");
            let damaged = format!("{lines} of the ledger cannot be read.");
            text += &format!("  {}\n", self.paint(Style::Bad, &damaged));
        }
        text
    }

    /// The retention of one store, which is named unless it is the first.
    fn rule(
        &self,
        days: u64,
        source: &str,
        settings: Option<&str>,
        problem: Option<&str>,
    ) -> String {
        let source = if source == "settings" { "from settings" } else { "default" };
        let store = settings.map(|path| format!(" of {}", safe(&self.context.short_path(path))));
        let mut text = format!(
            "  Claude Code deletes transcripts {days} days after their last change ({source}{}), without notice.\n",
            store.unwrap_or_default()
        );
        if let Some(problem) = problem {
            text += &format!("  {}\n", self.paint(Style::Bad, problem));
        }
        text
    }

    fn list<T>(
        &self,
        heading: &str,
        items: &[T],
        none: &str,
        line: impl Fn(&T) -> String,
    ) -> String {
        if items.is_empty() {
            return if none.is_empty() {
                String::new()
            } else {
                self.heading(heading) + &format!("  {none}\n")
            };
        }
        let mut text = self.heading(&format!("{heading} ({})", items.len()));
        let most = if self.all { usize::MAX } else { SOME };
        for item in items.iter().take(most) {
            text += &format!("  {}\n", safe(&line(item)));
        }
        text + &self.more(items.len())
    }

    fn more(&self, count: usize) -> String {
        if self.all || count <= SOME {
            return String::new();
        }
        let note = format!("  and {} more (--all shows them)", count - SOME);
        self.paint(Style::Dim, &note) + "\n"
    }

    fn heading(&self, text: &str) -> String {
        format!("{}\n", self.paint(Style::Heading, text))
    }

    fn paint(&self, style: Style, text: &str) -> String {
        self.context.output.paint.paint(style, &render::untrusted::text(text))
    }
}

fn safe(text: &str) -> String {
    render::untrusted::line(text).into_owned()
}
