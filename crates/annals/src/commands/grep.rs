//! `annals grep`: a pattern in all text of all sessions.
//!
//! Hits are written as they are found, so that memory holds the hits of one session
//! at most; totals come at the end. Rendering is in `grep/shown.rs`.

mod shown;

use crate::cli::{FilterArgs, LimitArgs};
use crate::commands::ls;
use crate::context::Context;
use crate::failure::{CliError, report_read_errors};
use crate::incomplete::{Listed, end_of_nothing, reason};
use crate::output::Format;
use crate::streamed::Streamed;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use document::{
    Document as _, GrepCountDocument, GrepCountsDocument, GrepDocument, GrepHitDocument, short_id,
};
use library::facts::LineTurnsReader;
use library::pattern::{Pattern, PatternOptions};
use library::progress::{NoProgress, Progress};
use library::search::{ContextLines, GrepDemand, GrepOptions, Hit, HitOwner, Hits, SourceKind};
use library::session::Session;
use library::sessions::Role;
use render::{Column, Style, Table};
use std::borrow::Cow;
use std::io::Write;

/// Search all text for a pattern, without an index
///
/// Matches a regular expression, or plain text with -F, in every block of every
/// session and sub-agent: prompts, answers, thinking, tool arguments and results,
/// summaries; and in tool output stored in files (the first 16 MB of each), plans,
/// and lines that only older copies of a session have. A newline in the pattern
/// matches a newline in the text. Exits with 1 if nothing matches, and with 2 if
/// nothing matches and an app's sessions cannot be read.
///
/// Filters select sessions. --since and --until also select text within them, by
/// the time of its line or, for stored output and plans, of its file; --tool also
/// selects calls and results of that tool. Plans that belong to no known session
/// are searched only if no session filter is given.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The pattern
    #[arg(required_unless_present = "patterns")]
    pattern: Option<String>,
    /// Another pattern: text that matches any of them is a hit. Repeatable; for a
    /// pattern that begins with -
    #[arg(short = 'e', long = "regexp", value_name = "PATTERN", allow_hyphen_values = true)]
    patterns: Vec<String>,
    /// Ignore case
    #[arg(short, long)]
    ignore_case: bool,
    /// Treat the pattern as plain text, not as a regular expression
    #[arg(short = 'F', long)]
    fixed_strings: bool,
    /// Match whole words only
    #[arg(short, long)]
    word_regexp: bool,
    /// Show the lines that do not match
    #[arg(short = 'v', long, conflicts_with = "only_matching")]
    invert_match: bool,
    /// Show only the matching parts, one a line
    #[arg(short, long, conflicts_with_all = ["context", "before_context", "after_context"])]
    only_matching: bool,
    /// Show N lines of context around each match
    #[arg(short = 'C', long, value_name = "N", default_value_t = 0)]
    context: usize,
    /// Show N lines before each match [default: those of -C]
    #[arg(short = 'B', long, value_name = "N")]
    before_context: Option<usize>,
    /// Show N lines after each match [default: those of -C]
    #[arg(short = 'A', long, value_name = "N")]
    after_context: Option<usize>,
    /// Search only text of this role. Repeatable
    #[arg(long, value_enum, value_name = "ROLE")]
    role: Vec<RoleName>,
    /// List matching sessions only; in a pipe, one id a line
    #[arg(short = 'l', long, conflicts_with = "count")]
    sessions: bool,
    /// Count the hits per session only
    #[arg(short, long)]
    count: bool,
    #[command(flatten)]
    filters: FilterArgs,
    #[command(flatten)]
    limit: LimitArgs,
}

impl Args {
    fn surroundings(&self) -> ContextLines {
        if self.only_matching {
            return ContextLines::Nothing;
        }
        ContextLines::Lines {
            before: self.before_context.unwrap_or(self.context),
            after: self.after_context.unwrap_or(self.context),
        }
    }
}

/// A role, by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RoleName(Role);

impl ValueEnum for RoleName {
    fn value_variants<'a>() -> &'a [Self] {
        const VARIANTS: [RoleName; Role::ALL.len()] = {
            let mut variants = [RoleName(Role::User); Role::ALL.len()];
            let mut place = 0;
            while place < Role::ALL.len() {
                variants[place] = RoleName(Role::ALL[place]);
                place += 1;
            }
            variants
        };
        &VARIANTS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.meaning()))
    }
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let options = PatternOptions {
        ignore_case: args.ignore_case,
        fixed: args.fixed_strings,
        whole_words: args.word_regexp,
        inverted: args.invert_match,
    };
    let texts: Vec<&str> = args.pattern.iter().chain(&args.patterns).map(String::as_str).collect();
    let pattern = Pattern::any(&texts, options).map_err(|error| {
        CliError::Misuse(format!(
            "invalid pattern: {error}\nhint: pass -F to search for it literally"
        ))
    })?;
    let shown_pattern = texts.join("|");
    let filter = context.filter(&args.filters)?;
    let limit = context.output.limit(args.limit.limit).unwrap_or(usize::MAX);
    let most = if args.sessions || args.count { 0 } else { limit };
    let roles: Vec<Role> = args.role.iter().map(|role| role.0).collect();
    let search = GrepOptions {
        pattern: &pattern,
        roles: &roles,
        filter: &filter,
        around: args.surroundings(),
        most,
    };
    let (sessions, read_errors) =
        context.library.search().sessions_to_grep(&search, &context.progress("reading"));
    report_read_errors(&read_errors);
    let total = if args.sessions || args.count {
        let found = count(context, &sessions, &search);
        if args.sessions {
            let found = found.into_iter().filter_map(|(of, _)| match of {
                Whose::Session(session) => Some(session.clone()),
                Whose::Plan(_) => None,
            });
            let mut found: Vec<Session> = found.collect();
            let all = found.len();
            found.truncate(limit);
            if context.output.format == Format::Text && !context.output.is_terminal {
                // For xargs and the like.
                let ids: Vec<&str> = found.iter().map(|session| session.id.as_str()).collect();
                let ids = if ids.is_empty() { String::new() } else { ids.join("\n") + "\n" };
                context.output.text(&render::untrusted::text(&ids))?;
                return if all == 0 { Err(nothing_found(context)) } else { Ok(()) };
            }
            ls::show(context, &found, all, None)?;
            all
        } else {
            show_counts(context, &shown_pattern, &found, limit)?
        }
    } else {
        show_hits(context, &shown_pattern, &sessions, &search)?
    };
    if total == 0 { Err(nothing_found(context)) } else { Ok(()) }
}

fn nothing_found(context: &Context) -> anyhow::Error {
    end_of_nothing(reason(context, Listed::OfAllSessions))
}

/// The owner of hits.
#[derive(Clone)]
enum Whose<'a> {
    Session(&'a Session),
    /// A plan that belongs to no session, by its file name.
    Plan(String),
}

impl Whose<'_> {
    fn session_id(&self) -> Option<&str> {
        match self {
            Whose::Session(session) => Some(&session.id),
            Whose::Plan(_) => None,
        }
    }

    fn title(&self) -> Option<&str> {
        match self {
            Whose::Session(session) => session.heading(),
            Whose::Plan(name) => Some(name),
        }
    }

    fn project(&self) -> Option<&str> {
        match self {
            Whose::Session(session) => session.project.as_deref(),
            Whose::Plan(_) => None,
        }
    }
}

/// Searches, and passes on the hits with their owner and whether they are the first
/// of that owner.
fn find<'s>(
    context: &Context,
    sessions: &'s [Session],
    search: &GrepOptions<'_>,
    progress: &dyn Progress,
    mut each: impl FnMut(bool, Whose<'s>, Hits) -> GrepDemand,
) {
    let wanted: Vec<&Session> = sessions.iter().collect();
    let mut read_errors = Vec::new();
    // The session of the last hits, and whether its content matches the filter.
    let (mut last, mut fits) = (None, true);
    let unread = context.library.search().grep(&wanted, search, progress, |of, hits| {
        let (whose, this) = match of {
            HitOwner::Session(number) => (Whose::Session(&sessions[number]), Ok(number)),
            HitOwner::Plan(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                (Whose::Plan(name), Err(path.to_owned()))
            }
        };
        let is_first = last.as_ref() != Some(&this);
        if is_first {
            last = Some(this);
            // Most sessions have no hits; more is read only of those that have.
            fits = match &whose {
                Whose::Session(session) if search.filter.needs_content() => {
                    let mut fitting = vec![(*session).clone()];
                    read_errors.extend(context.library.prompts().retain_by_content(
                        &mut fitting,
                        search.filter,
                        &NoProgress,
                    ));
                    !fitting.is_empty()
                }
                _ => true,
            };
        }
        if fits { each(is_first, whose, hits) } else { GrepDemand::Hits }
    });
    read_errors.extend(unread);
    report_read_errors(&read_errors);
}

/// How many hits each session has.
fn count<'s>(
    context: &Context,
    sessions: &'s [Session],
    search: &GrepOptions<'_>,
) -> Vec<(Whose<'s>, usize)> {
    let mut found: Vec<(Whose<'s>, usize)> = Vec::new();
    find(context, sessions, search, &context.progress("reading"), |is_first, whose, hits| {
        match found.last_mut().filter(|_| !is_first) {
            Some((_, count)) => *count += hits.count,
            None => found.push((whose, hits.count)),
        }
        GrepDemand::Counts
    });
    found
}

fn show_counts(
    context: &Context,
    pattern: &str,
    found: &[(Whose<'_>, usize)],
    limit: usize,
) -> anyhow::Result<usize> {
    let total = found.iter().map(|(_, hits)| hits).sum();
    let shown = &found[..found.len().min(limit)];
    let rows = shown.iter().map(|(whose, hits)| GrepCountDocument {
        session_id: whose.session_id().map(Cow::from),
        project: whose.project().map(Cow::from),
        title: whose.title().map(Cow::from),
        hits: *hits,
    });
    context.output.rows(
        rows.collect(),
        |sessions| GrepCountsDocument::new(pattern, total, sessions),
        || {
            if shown.is_empty() {
                return NOTHING.to_owned();
            }
            let mut table = Table::new(vec![
                Column::new("SESSION").style(Style::Id),
                Column::new("HITS").right(),
                Column::new("PROJECT").shrinks_to(12).keeps_end().drop_order(1),
                Column::new("TITLE").shrinks_to(16).wide(),
            ]);
            for (whose, hits) in shown {
                table.row([
                    short_id(whose.session_id().unwrap_or("plan")).to_owned(),
                    hits.to_string(),
                    whose.project().map(|path| context.short_path(path)).unwrap_or_default(),
                    whose.title().unwrap_or_default().to_owned(),
                ]);
            }
            let table = table.render(context.output.width(), context.output.paint);
            table + &context.output.cut_note(shown.len(), found.len(), "sessions")
        },
    )?;
    Ok(total)
}

/// Whether a hit is in a transcript, whose lines belong to turns.
fn has_turns(hit: &Hit) -> bool {
    matches!(hit.source, SourceKind::Main | SourceKind::Agent | SourceKind::Foreign)
}

const NOTHING: &str = "No hits.\n";

/// Shows hits as they are found. Returns how many there are.
fn show_hits(
    context: &Context,
    pattern: &str,
    sessions: &[Session],
    search: &GrepOptions<'_>,
) -> anyhow::Result<usize> {
    let output = &context.output;
    let bar = context.progress("reading");
    if search.most < usize::MAX {
        // A few rows are rendered at once, so the pager need not wait for the rest.
        let mut text = Vec::new();
        let total = write_hits(context, pattern, sessions, search, &bar, &mut text)?;
        output.bytes(&text)?;
        return Ok(total);
    }
    // On a terminal, the hits themselves show the progress.
    let progress: &dyn Progress = if output.is_terminal { &NoProgress } else { &bar };
    let mut total = 0;
    output.write(|out| {
        total = write_hits(context, pattern, sessions, search, progress, out)?;
        Ok(())
    })?;
    Ok(total)
}

fn write_hits(
    context: &Context,
    pattern: &str,
    sessions: &[Session],
    search: &GrepOptions<'_>,
    progress: &dyn Progress,
    out: &mut dyn Write,
) -> anyhow::Result<usize> {
    let limit = search.most;
    let mut rows = Streamed::<GrepDocument<'_>>::new(&context.output, out);
    rows.begin(&[("schema", GrepDocument::SCHEMA), ("pattern", pattern)])?;
    let (mut total, mut shown, mut failed) = (0, 0, None);
    // Whether the heading of the last hits has been printed.
    let mut has_heading = false;
    let mut turns = LineTurnsReader::new(context.library.facts());
    find(context, sessions, search, progress, |is_first, whose, hits| {
        total += hits.count;
        has_heading &= !is_first;
        for hit in hits.hits.into_iter().take(limit - shown) {
            let is_agent = hit.source == SourceKind::Agent;
            let turn = has_turns(&hit).then(|| turns.at_line(&hit.path, is_agent, hit.line));
            let turn = turn.flatten();
            // Of another app's session, the app's own file is shown.
            let of_app = context.library.catalog().apps().file(&hit.path).map(|file| file.path);
            let hit = Hit { path: of_app.unwrap_or(hit.path), ..hit };
            let row = GrepHitDocument::new(whose.session_id(), &hit, turn);
            let written = rows.row(&row, || {
                let heading = if has_heading {
                    String::new()
                } else {
                    let gap = if shown > 0 { "\n" } else { "" };
                    gap.to_owned() + &shown::heading(context, &whose)
                };
                let short = whose.session_id().map(short_id);
                let command = short.map(|id| document::grep_command(id, &hit, turn));
                heading
                    + &shown::hit(context, &hit, command.as_deref(), search.pattern.is_inverted())
            });
            if let Err(error) = written {
                failed = Some(error);
                return GrepDemand::Nothing;
            }
            has_heading = true;
            shown += 1;
        }
        if shown < limit { GrepDemand::Hits } else { GrepDemand::Counts }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    turns.store();
    rows.end(&[("total", total)], || {
        if total == 0 { NOTHING.to_owned() } else { context.output.cut_note(shown, total, "hits") }
    })?;
    Ok(total)
}
