//! `annals export`: sessions to be read elsewhere.

mod gather;
mod index;
mod target;

use crate::cli::FilterArgs;
use crate::commands::pick::{LineArgs, TurnArgs};
use crate::commands::show::Tools;
use crate::context::Context;
use crate::failure::{Ending, say, say_troubles};
use clap::ValueEnum;
use gather::Gathered;
use library::{Found, Masked, Progress as _};
use render::Detail;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use target::Target;

/// Write sessions to files, to be read or handed on elsewhere
///
/// Secrets are masked unless --redact off says otherwise. Several sessions, or
/// all that --every and the filters admit, go into a folder with an index.
/// Nothing is written over without --force.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The sessions, or sub-agents; default: the latest here
    sessions: Vec<String>,
    /// Default: as the name of the file says, else md
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The file, the folder, or - for standard output; default: the current
    /// folder
    #[arg(long, short, value_name = "FILE|DIR|-")]
    output: Option<PathBuf>,
    /// Every session that the filters admit
    #[arg(long, conflicts_with = "sessions")]
    every: bool,
    /// Write over what is there
    #[arg(long)]
    force: bool,
    /// Whose rules find the conversation
    #[arg(long, value_enum, default_value = "app", help_heading = "Conversation")]
    view: View,
    /// Sub-agents: their conversations in place, a line each, or not at all
    #[arg(long, value_enum, default_value = "inline", help_heading = "Conversation")]
    agents: Agents,
    /// How much of what tools did; default: brief in md and txt, full elsewhere
    #[arg(long, value_enum, help_heading = "Conversation")]
    tools: Option<Tools>,
    /// Leave out what the model thought
    #[arg(long, help_heading = "Conversation")]
    no_thinking: bool,
    #[command(flatten)]
    line: LineArgs,
    #[command(flatten)]
    turns: TurnArgs,
    #[command(flatten)]
    filters: FilterArgs,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Markdown, for an issue or a wiki.
    Md,
    /// The conversation as a JSON document.
    Json,
    /// The transcript's own lines.
    Jsonl,
    /// Plain text.
    Txt,
}

/// Whose rules find the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum View {
    /// The app's, all generations.
    App,
    /// The official reader's.
    Sdk,
}

/// How sub-agents are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Agents {
    /// Their conversations, where they were started.
    Inline,
    /// A line each.
    Fold,
    /// Not at all.
    None,
}

/// Why an agent's conversation is not told where only lines are asked for.
const FOLDED: &str = "";

impl Format {
    /// The ending of its files.
    fn ending(self) -> &'static str {
        match self {
            Format::Md => "md",
            Format::Json => "json",
            Format::Jsonl => "jsonl",
            Format::Txt => "txt",
        }
    }

    /// The ending of the page that lists them.
    fn index_ending(self) -> &'static str {
        if self == Format::Jsonl { Format::Json.ending() } else { self.ending() }
    }

    /// The format whose files have a name's ending.
    fn of_name(path: &std::path::Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Format::value_variants().iter().copied().find(|format| format.ending() == ending)
    }
}

impl View {
    fn of(self) -> conversation::View {
        match self {
            View::App => conversation::View::App,
            View::Sdk => conversation::View::Sdk,
        }
    }
}

impl Args {
    /// How much of what tools did is told.
    fn detail(&self) -> Detail {
        match self.tools {
            Some(tools) => tools.detail(),
            None if matches!(self.format(), Format::Md | Format::Txt) => Detail::Brief,
            None => Detail::Full,
        }
    }

    /// Whether only a piece of the conversation is asked for.
    fn is_piece(&self) -> bool {
        self.line.is_given() || self.turns.is_given() || self.turns.last.is_some()
    }

    fn format(&self) -> Format {
        let named = || self.output.as_deref().and_then(Format::of_name);
        self.format.or_else(named).unwrap_or(Format::Md)
    }

    /// Whether the filters choose, and not names.
    fn chooses(&self) -> bool {
        self.every || (self.sessions.is_empty() && self.filters.is_given())
    }

    /// The sessions that are asked for.
    fn found(&self, context: &Context) -> anyhow::Result<Vec<Found>> {
        let filter = context.filter(&self.filters)?;
        if !self.chooses() {
            if self.filters.is_given() {
                let message = "filters choose among all sessions: name none, or leave them out";
                return Err(Ending::Misuse(message.to_owned()).into());
            }
            let latest = ["@".to_owned()];
            let names = if self.sessions.is_empty() { &latest[..] } else { &self.sessions };
            let mut all: Vec<Found> = Vec::new();
            for name in names {
                let found = context.find(name)?;
                if !all.iter().any(|known| known.id() == found.id()) {
                    all.push(found);
                }
            }
            return Ok(all);
        }
        let list = context.library.all_sessions();
        say_troubles(&list.troubles);
        let mut sessions = list.sessions;
        sessions.retain(|session| {
            session.unlisted.is_none() && session.path.is_some() && filter.admits(session)
        });
        let progress = context.progress("reading");
        let troubles = context.library.retain_by_content(&mut sessions, &filter, &progress);
        say_troubles(&troubles);
        if sessions.is_empty() {
            return Err(Ending::NotFound("no session fits".to_owned()).into());
        }
        let found = |session| Found { session, agent: None, inline_agent: None };
        Ok(sessions.into_iter().map(found).collect())
    }
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let found = args.found(context)?;
    let format = args.format();
    let is_several = args.chooses() || found.len() > 1;
    let target = Target::new(context, args, format, &found, is_several)?;
    if let Target::Output = target {
        return to_output(context, args, format, found);
    }
    let progress = context.progress("exporting");
    progress.start(found.iter().map(|found| found.session.facts.bytes).sum());
    let written = context.library.side_by_side(
        found.into_iter().zip(target.paths()).collect(),
        |(found, path)| {
            let (id, bytes) = (found.id().to_owned(), found.session.facts.bytes);
            let written = write(context, args, format, found, &path);
            progress.advance(bytes);
            (id, written)
        },
    );
    progress.finish();
    let mut exported = Vec::new();
    let mut failed = Vec::new();
    for (id, written) in written {
        match written {
            Ok(one) => exported.push(one),
            Err(error) => failed.push((id, error)),
        }
    }
    if let Some(path) = target.index(format) {
        index::write(context, &path, format, &exported, args.force)?;
        exported.push(Exported { path: Some(path), ..Exported::default() });
    }
    tell(context, &exported)?;
    match failed.len() {
        0 => Ok(()),
        1 if exported.is_empty() => Err(failed.remove(0).1),
        count => {
            for (id, error) in &failed {
                say(&format!("annals: {id}: {error:#}"));
            }
            say(&format!("annals: {} not exported", render::counted(count, "session")));
            Err(Ending::Failed.into())
        }
    }
}

/// What became of a session.
#[derive(Clone, Debug, Default)]
struct Exported {
    /// Where it is; none on standard output, and of the index no session.
    path: Option<PathBuf>,
    session_id: String,
    agent_id: Option<String>,
    bytes: u64,
    entry: render::IndexEntry,
    /// Each with the agent it stands in.
    masked: Vec<(Option<String>, Masked)>,
}

fn to_output(
    context: &Context,
    args: &Args,
    format: Format,
    found: Vec<Found>,
) -> anyhow::Result<()> {
    for found in found {
        let gathered = Gathered::read(context, found, args)?;
        let (page, _) = make_page(context, args, format, &gathered)?;
        if context.output.is_terminal {
            // Whatever was exported, a terminal must not obey it.
            let page = String::from_utf8_lossy(&page);
            context.output.text(&render::untrusted::text(&page))?;
        } else {
            context.output.bytes(&page)?;
        }
        for line in masked_lines(&gathered.masked) {
            say(&format!("annals: masked {line}"));
        }
    }
    Ok(())
}

fn write(
    context: &Context,
    args: &Args,
    format: Format,
    found: Found,
    path: &std::path::Path,
) -> anyhow::Result<Exported> {
    let gathered = Gathered::read(context, found, args)?;
    let (page, mut entry) = make_page(context, args, format, &gathered)?;
    crate::whole_file::write(path, &page, args.force)?;
    entry.file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Exported {
        path: Some(path.to_owned()),
        session_id: gathered.found.session.id.clone(),
        agent_id: (gathered.found.id() != gathered.found.session.id)
            .then(|| gathered.found.id().to_owned()),
        bytes: page.len() as u64,
        entry,
        masked: gathered.masked,
    })
}

/// A session in a format, and what an index says of it.
fn make_page(
    context: &Context,
    args: &Args,
    format: Format,
    gathered: &Gathered,
) -> anyhow::Result<(Vec<u8>, render::IndexEntry)> {
    if format == Format::Jsonl && args.is_piece() {
        let message = "jsonl is the transcript as it is: --from, --to, --last, --find, --alt and --generation go with other formats";
        return Err(Ending::Misuse(message.to_owned()).into());
    }
    gathered.bind(context, args, |volume| {
        let entry = render::IndexEntry::of(volume);
        let page = match format {
            Format::Md => render::markdown_page(volume).into_bytes(),
            Format::Txt => render::plain_page(volume).into_bytes(),
            Format::Json => gathered.json(context, args)?.into_bytes(),
            Format::Jsonl => gathered.bytes.clone(),
        };
        Ok((page, entry))
    })
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    files: Vec<FileDocument>,
}

#[derive(Serialize)]
struct FileDocument {
    path: String,
    session_id: Option<String>,
    agent_id: Option<String>,
    bytes: u64,
    masked: Vec<MaskedDocument>,
}

/// Secrets that were masked on one line.
#[derive(Serialize)]
struct MaskedDocument {
    rule: &'static str,
    agent_id: Option<String>,
    line: u64,
    count: u64,
}

/// Says what was written, and what was masked in it.
fn tell(context: &Context, exported: &[Exported]) -> anyhow::Result<()> {
    if context.output.format != crate::output::Format::Text {
        context.no_rows("export")?;
        let files = exported.iter().map(|one| FileDocument {
            path: one
                .path
                .as_deref()
                .map(|path| path.to_string_lossy().into_owned())
                .unwrap_or_default(),
            session_id: Some(one.session_id.clone()).filter(|id| !id.is_empty()),
            agent_id: one.agent_id.clone(),
            bytes: one.bytes,
            masked: one
                .masked
                .iter()
                .map(|(agent_id, masked)| MaskedDocument {
                    rule: masked.rule,
                    agent_id: agent_id.clone(),
                    line: masked.line,
                    count: masked.count,
                })
                .collect(),
        });
        let document = Document { schema: "annals/export/1", files: files.collect() };
        return context.output.json(&document);
    }
    let mut text = String::new();
    for one in exported {
        let path = one.path.as_deref().map(|path| path.to_string_lossy()).unwrap_or_default();
        let path = render::untrusted::line(&path).into_owned();
        let size =
            if one.bytes > 0 { format!("  {}", render::bytes(one.bytes)) } else { String::new() };
        text += &format!("{path}{size}\n");
        for line in masked_lines(&one.masked) {
            text += &format!("  masked {line}\n");
        }
    }
    context.output.text(&text)
}

/// Places named of one kind of secret.
const MOST_PLACES: usize = 8;

/// What was masked where, a line for each kind.
fn masked_lines(masked: &[(Option<String>, Masked)]) -> Vec<String> {
    let mut by_rule: BTreeMap<&str, (u64, Vec<String>)> = BTreeMap::new();
    for (agent, masked) in masked {
        let (count, places) = by_rule.entry(masked.rule).or_default();
        *count += masked.count;
        let of = agent.as_ref().map(|agent| format!(" of {agent}")).unwrap_or_default();
        places.push(format!("line {}{of}", masked.line));
    }
    let line = |(rule, (count, places)): (&str, (u64, Vec<String>))| {
        let more = places.len().saturating_sub(MOST_PLACES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let shown = places.iter().take(MOST_PLACES).cloned().collect::<Vec<_>>().join(", ");
        render::untrusted::line(&format!("{count} × {rule}: {shown}{more}")).into_owned()
    };
    by_rule.into_iter().map(line).collect()
}
