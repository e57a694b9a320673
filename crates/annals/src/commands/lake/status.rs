//! `annals lake status`: what is configured, what is in the lake, and who can read it.

use crate::context::Context;
use crate::lake_program;
use crate::output::Format;
use document::{
    LakeAction, LakeAnswer, LakePushMode, LakePushesDocument, LakeReceiptDocument,
    LakeStatusDocument,
};
use jiff::Timestamp;
use render::{Column, Style, Table};

/// Show what is configured, what is in the lake, and who can read it
///
/// Lists what you have in the lake by reader and installation, when this machine last pushed
/// and how many sessions wait, how far engines are, and whether what you took back is gone
/// everywhere: from all objects, and acknowledged by every loader. If the storage does not
/// answer, the rest is shown with the reason.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Of another owner, as far as the storage lets you read it
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let mut settings = super::settings(context)?;
    let is_configured = settings.owner.is_some() && settings.installation.is_some();
    let mut machine = None;
    if let Some(owner) = &args.owner {
        settings.owner = Some(owner.clone());
        settings.installation = None;
    } else if is_configured && settings.url.is_some() {
        machine = Some(super::machine(context)?);
    }
    // Before `init` there is nothing to ask, and no program is needed.
    let document = if settings.url.is_none() || settings.owner.is_none() {
        LakeStatusDocument::new(&settings)
    } else {
        match lake_program::ask(context, settings, LakeAction::Status { machine })? {
            Ok(LakeAnswer::Status(document)) => *document,
            Ok(_) => return Err(super::unexpected()),
            Err(failure) => return Err(super::explained(context, failure)),
        }
    };
    match context.output.format {
        Format::Json => context.output.json(&document),
        _ => context.output.text(&text(context, &document)),
    }
}

fn text(context: &Context, document: &LakeStatusDocument) -> String {
    let (Some(url), Some(owner)) = (&document.url, &document.owner) else {
        let managed = match &document.url {
            Some(url) => format!(" Your organisation suggests {url}."),
            None => String::new(),
        };
        return format!(
            "No lake is configured: nothing leaves this machine.{managed}\nConfigure one with: \
             annals lake init {}\n",
            document.url.as_deref().unwrap_or("URL")
        );
    };
    let safe = |text: &str| render::untrusted::line(text).into_owned();
    let mut text = String::new();
    let mut row = |name: &str, value: String| {
        let name = context.output.paint.paint(Style::Dim, &format!("{name:<13}"));
        text += &format!("{name} {value}\n");
    };
    row("lake", safe(url));
    row("owner", safe(owner));
    row("installation", safe(document.installation.as_deref().unwrap_or("none yet")));
    let limit = match document.max_level {
        Some(most) => format!(" (your organisation allows at most {})", most.name()),
        None => String::new(),
    };
    row("level", format!("{}{limit}", document.level.name()));
    let folders = |list: &[String]| match list {
        [] => "none".to_owned(),
        list => safe(&list.join(", ")),
    };
    row("folders", folders(&document.projects));
    if !document.allowed_projects.is_empty() {
        row("limited to", folders(&document.allowed_projects));
    }
    if !document.exclude.is_empty() {
        row("never", folders(&document.exclude));
    }
    for rule in &document.share {
        let rule = format!("{} of {} with {}", rule.level.name(), rule.project, rule.with);
        row("shares", safe(&rule));
    }
    let pushes = match document.push {
        LakePushMode::Manual => "only with annals lake push",
        LakePushMode::Auto => "after sessions end, at most every 15 minutes",
    };
    row("pushes", pushes.to_owned());
    if let Some(pushes) = &document.pushes {
        row("last push", last_push(context, pushes));
        if let Some(error) = &pushes.error {
            let reason = error.lines().next().unwrap_or_default();
            row("last error", format!("{}, {}", age(context, pushes.tried.as_ref()), safe(reason)));
        }
    }
    for loader in &document.loaders {
        let state = match loader.behind {
            0 => "has everything".to_owned(),
            behind => format!(
                "{} behind, {} of {} up to date",
                super::counted(behind, "manifest"),
                loader.current,
                super::counted(loader.chains, "chain")
            ),
        };
        row("engine", format!("{}: {state}", safe(&loader.name)));
        if let Some(until) = &loader.readable_until {
            let warning = "all its readers could read text of teams they are not in, until";
            row("", format!("{warning} {}", safe(until)));
        }
    }
    if let Some(receipt) = &document.receipt {
        row("taken back", taken_back(receipt));
        row("", super::take_back::gone(context, receipt).trim_end().to_owned());
    }
    match (&document.problem, document.chains.is_empty()) {
        (Some(problem), _) => row("storage", format!("no answer: {}", safe(problem))),
        (None, true) => row("in the lake", "nothing".to_owned()),
        (None, false) => text += &format!("\n{}", table(context, document)),
    }
    text
}

fn age(context: &Context, time: Option<&String>) -> String {
    let time: Option<Timestamp> = time.and_then(|time| time.parse().ok());
    time.map_or_else(
        || "never".to_owned(),
        |time| render::time::ago(time, context.settings.now, &context.settings.zone),
    )
}

fn last_push(context: &Context, pushes: &LakePushesDocument) -> String {
    let waiting = match pushes.waiting {
        None => String::new(),
        Some(0) => "; nothing waits".to_owned(),
        Some(1) => "; 1 session changed since and waits".to_owned(),
        Some(count) => format!("; {count} sessions changed since and wait"),
    };
    format!("{}{waiting}", age(context, pushes.succeeded.as_ref()))
}

/// What the owner took back, in words.
fn taken_back(receipt: &LakeReceiptDocument) -> String {
    let safe = |text: &str| render::untrusted::line(text).into_owned();
    let mut parts = Vec::new();
    if receipt.has_left {
        parts.push("everything".to_owned());
    }
    if receipt.forgotten > 0 {
        parts.push(super::counted(receipt.forgotten, "session"));
    }
    parts.extend(receipt.forgotten_projects.iter().map(|key| format!("project {}", safe(key))));
    for expired in &receipt.expired {
        let what = if &*expired.level == "usage" { "everything" } else { &*expired.level };
        parts.push(format!("{what} before {}", safe(&expired.before)));
    }
    if parts.is_empty() {
        "sessions from their earlier readers".to_owned()
    } else {
        parts.join(", ")
    }
}

fn table(context: &Context, document: &LakeStatusDocument) -> String {
    let mut table = Table::new(vec![
        Column::new("FOR"),
        Column::new("ROWS").right(),
        Column::new("SIZE").right(),
        Column::new("SEGMENTS").right().drop_order(2),
        Column::new("MANIFEST").right().style(Style::Dim).drop_order(1),
        Column::new("INSTALLATION").style(Style::Id).drop_order(3),
        Column::new("WHO CAN READ IT").shrinks_to(16),
    ]);
    for chain in &document.chains {
        let here = if chain.is_own { " (this one)" } else { "" };
        table.row([
            chain.audience.clone(),
            chain.rows.to_string(),
            render::bytes(chain.bytes),
            chain.segments.to_string(),
            chain.manifest.to_string(),
            format!("{}{here}", chain.installation),
            chain.readers.clone(),
        ]);
    }
    table.render(context.output.width(), context.output.paint)
}
