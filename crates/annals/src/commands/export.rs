//! `annals export`: sessions as files to read elsewhere.

mod gather;
mod index;
mod json;
mod open;
mod report;
mod target;
mod xml;

use crate::cli::{FilterArgs, GlobalArgs};
use crate::commands::pick;
use crate::commands::selection_args::{LineArgs, TurnArgs, selection_error};
use crate::commands::show::{Tools, check_sdk_view};
use crate::context::Context;
use crate::failure::{CliError, notice, report_read_errors};
use clap::{ArgMatches, ValueEnum};
use document::pages::MaskedSecret;
use library::catalog::FoundSession;
use library::progress::Progress as _;
use library::sessions::OpenSession;
use render::Detail;
use std::path::{Path, PathBuf};
use target::Target;

/// Export sessions as HTML, Markdown, XML, JSON or text
///
/// Masks secrets unless you pass --redact off. Several sessions, or all that
/// --all and the filters select, go into a folder with an index. Never overwrites
/// a file without --force.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The sessions or sub-agents [default: the latest one here]
    sessions: Vec<String>,
    /// Choose the sessions from a list
    #[arg(long, conflicts_with_all = ["sessions", "every"])]
    pick: bool,
    /// The format [default: by the file name, otherwise md]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The target file or folder, or - for standard output [default: the current
    /// folder]
    #[arg(long, short, value_name = "FILE|DIR|-")]
    output: Option<PathBuf>,
    /// Export every session that matches the filters
    #[arg(long = "all", alias = "every", conflicts_with = "sessions")]
    every: bool,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    /// Open the result in the browser (as HTML, unless another format is chosen)
    #[arg(long)]
    open: bool,
    /// Which conversation to export
    #[arg(long, value_enum, default_value = "app", help_heading = "Conversation")]
    view: View,
    /// How to show sub-agents [default: inline]
    #[arg(long, value_enum, help_heading = "Conversation")]
    agents: Option<Agents>,
    /// How much of the tool calls to include [default: brief in md and txt,
    /// otherwise full (html: the first 12 and the last 4 kB of each output)]
    #[arg(long, value_enum, help_heading = "Conversation")]
    tools: Option<Tools>,
    /// Omit thinking
    #[arg(long, help_heading = "Conversation")]
    no_thinking: bool,
    #[command(flatten)]
    xml: xml::XmlArgs,
    #[command(flatten)]
    line: LineArgs,
    #[command(flatten)]
    turns: TurnArgs,
    #[command(flatten)]
    filters: FilterArgs,
}

/// The export format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Markdown, for an issue or a wiki.
    Md,
    /// One HTML file, for a browser.
    Html,
    /// The conversation as a JSON document.
    Json,
    /// The transcript's own lines.
    Jsonl,
    /// Plain text.
    Txt,
    /// Compact XML, for another model to read.
    Xml,
}

/// Whose rules determine the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum View {
    /// As Claude Code shows it, with all generations
    App,
    /// As the official SDK returns it
    Sdk,
}

/// How sub-agents are exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Agents {
    /// Whole conversations, at the calls that started them
    Inline,
    /// One line each
    Fold,
    /// Hidden
    None,
}

impl Format {
    /// The extension of its files.
    fn ending(self) -> &'static str {
        match self {
            Format::Md => "md",
            Format::Html => "html",
            Format::Json => "json",
            Format::Jsonl => "jsonl",
            Format::Txt => "txt",
            Format::Xml => "xml",
        }
    }

    /// The extension of the index page.
    fn index_ending(self) -> &'static str {
        match self {
            Format::Jsonl | Format::Xml => Format::Json.ending(),
            _ => self.ending(),
        }
    }

    /// The format for the extension of a file name.
    fn of_name(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        let ending = match ending.as_str() {
            "htm" => "html",
            "markdown" => "md",
            "text" => "txt",
            other => other,
        };
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
    /// How much of tool calls is exported.
    fn detail(&self) -> Detail {
        match self.tools {
            Some(tools) => tools.detail(),
            None if matches!(self.format(), Format::Md | Format::Txt) => Detail::Brief,
            None => Detail::Full,
        }
    }

    /// Whether only a part of the conversation is requested.
    fn is_piece(&self) -> bool {
        self.line.is_given() || self.turns.is_given() || self.turns.last.is_some()
    }

    /// Refuses a file name with the extension of an unknown format.
    fn check_name(&self) -> Result<(), CliError> {
        let name = self.output.as_deref().filter(|path| self.format.is_none() && !path.is_dir());
        let ending = name.and_then(Path::extension);
        match (ending, name.and_then(Format::of_name)) {
            (Some(ending), None) => Err(CliError::Misuse(format!(
                "unknown export format {:?}\nhint: pass --format",
                ending.to_string_lossy()
            ))),
            _ => Ok(()),
        }
    }

    fn format(&self) -> Format {
        let named = || self.output.as_deref().and_then(Format::of_name);
        let usual = if self.open { Format::Html } else { Format::Md };
        self.format.or_else(named).unwrap_or(usual)
    }

    /// Whether filters select the sessions, not names.
    fn chooses(&self) -> bool {
        self.every || (self.sessions.is_empty() && self.filters.is_given())
    }

    /// The requested sessions.
    fn found(&self, context: &Context) -> anyhow::Result<Vec<FoundSession>> {
        let filter = context.filter(&self.filters)?;
        if !self.chooses() {
            let latest = ["@".to_owned()];
            let names = if self.sessions.is_empty() { &latest[..] } else { &self.sessions };
            let mut all: Vec<FoundSession> = Vec::new();
            for name in names {
                let found = context.find(name)?;
                if !all.iter().any(|known| known.id() == found.id()) {
                    all.push(found);
                }
            }
            return Ok(all);
        }
        let list = context.library.catalog().all_sessions();
        report_read_errors(&list.read_errors);
        let mut sessions = list.sessions;
        sessions.retain(|session| {
            session.unlisted.is_none() && session.path.is_some() && filter.admits(session)
        });
        let progress = context.progress("reading");
        let read_errors =
            context.library.prompts().retain_by_content(&mut sessions, &filter, &progress);
        report_read_errors(&read_errors);
        if sessions.is_empty() {
            return Err(CliError::NotFound("no session matches the filters".to_owned()).into());
        }
        let found = |session| FoundSession { session, agent: None, inline_agent: None };
        Ok(sessions.into_iter().map(found).collect())
    }
}

pub(crate) fn run(context: &Context, global: &GlobalArgs, mut args: Args) -> anyhow::Result<()> {
    if args.pick {
        args.sessions = pick::choose_several(context, global)?;
    }
    let args = &args;
    args.check_name()?;
    let format = args.format();
    args.xml.check(format)?;
    let has_rendering_options =
        args.tools.is_some() || args.agents.is_some() || args.no_thinking || args.view != View::App;
    if format == Format::Jsonl && (args.is_piece() || has_rendering_options) {
        let message = "--format jsonl copies the transcript unchanged: it cannot be combined with turns, branches, views, --agents, --tools or --no-thinking";
        return Err(CliError::Misuse(message.to_owned()).into());
    }
    if format == Format::Json {
        Tools::in_document(args.tools, !args.no_thinking)?;
    }
    let found = args.found(context)?;
    if args.view == View::Sdk {
        found.iter().try_for_each(check_sdk_view)?;
    }
    // --session admits one session, which goes where a named one goes.
    let is_choice = args.chooses() && args.filters.session.is_none();
    let is_several = is_choice || found.len() > 1;
    let target = Target::new(context, args, format, &found, is_several)?;
    if let Target::Output = target {
        if args.open {
            let message = "cannot open what goes to standard output\nhint: pass -o FILE";
            return Err(CliError::Misuse(message.to_owned()).into());
        }
        return to_output(context, args, format, found);
    }
    let progress = context.progress("exporting");
    progress.start(found.iter().map(|found| found.session.metadata.bytes).sum());
    let named = found.into_iter().zip(target.paths()).collect();
    let written = library::par_map(named, |(found, path)| {
        let (id, bytes) = (found.id().to_owned(), found.session.metadata.bytes);
        let written = write(context, args, format, &found, &path);
        progress.advance(bytes);
        (id, written)
    });
    progress.finish();
    let mut exported = Vec::new();
    let mut failed = Vec::new();
    for (id, written) in written {
        match written {
            Ok(files) => exported.extend(files),
            Err(error) => failed.push((id, error)),
        }
    }
    let missing = failed.len();
    if let Some(path) = target.index(format).filter(|_| !exported.is_empty()) {
        match index::write(context, &path, format, &exported, args.force) {
            Ok(()) => exported.push(Exported { path, ..Exported::default() }),
            Err(error) => failed.push(("the index page".to_owned(), error)),
        }
    }
    if exported.is_empty() && failed.len() == 1 {
        return Err(failed.remove(0).1);
    }
    report::print(context, &exported)?;
    // The index is last; without one, the first of several parts is where to begin.
    let shown = exported.last().filter(|last| last.session_id.is_none());
    if let Some(shown) = shown.or(exported.first()).filter(|_| args.open) {
        open::open(context, &shown.path)?;
    }
    if failed.is_empty() {
        return Ok(());
    }
    for (id, error) in &failed {
        notice(&format!("annals: {id}: {error:#}"));
    }
    let all = missing + exported.iter().filter(|one| one.session_id.is_some()).count();
    notice(&format!("annals: {missing} of {all} sessions could not be exported"));
    Err(CliError::Failed.into())
}

/// Whether the export is written to standard output.
pub(crate) fn goes_to_output(matches: &ArgMatches) -> bool {
    matches.get_one::<PathBuf>("output").is_some_and(|path| path == Path::new("-"))
}

/// An exported session, or the index.
#[derive(Clone, Debug, Default)]
struct Exported {
    path: PathBuf,
    /// `None` for the index.
    session_id: Option<String>,
    agent_id: Option<String>,
    bytes: u64,
    entry: render::IndexEntry,
    /// If there are several parts, set on the last one.
    masked: Vec<MaskedSecret>,
    /// How much the XML rules saved, for all parts together.
    reduction: Option<document::ReductionDocument>,
}

fn to_output(
    context: &Context,
    args: &Args,
    format: Format,
    found: Vec<FoundSession>,
) -> anyhow::Result<()> {
    for found in found {
        let session = gather::open(context, &found, args)?;
        let made = Made::new(context, args, format, &session)?;
        let page = made.single()?;
        if context.output.is_terminal {
            // An export can contain control characters, which a terminal would obey.
            let page = String::from_utf8_lossy(page);
            context.output.text(&render::untrusted::text(&page))?;
        } else {
            context.output.bytes(page)?;
        }
        for line in report::masked_lines(&made.masked) {
            notice(&format!("annals: masked {line}"));
        }
        if let Some(reduction) = made.reduction {
            notice(&format!("annals: {}", xml::reduction_line(reduction)));
        }
    }
    Ok(())
}

/// Writes a session: one file, or all of its parts or none of them.
fn write(
    context: &Context,
    args: &Args,
    format: Format,
    found: &FoundSession,
    path: &Path,
) -> anyhow::Result<Vec<Exported>> {
    let opened = gather::open(context, found, args)?;
    let made = Made::new(context, args, format, &opened)?;
    let paths: Vec<PathBuf> = match made.pages.len() {
        1 => vec![path.to_owned()],
        count => (1..=count).map(|number| target::part_path(path, number, count)).collect(),
    };
    let pages = made.pages.iter().map(Vec::as_slice);
    let files: Vec<(&Path, &[u8])> = paths.iter().map(PathBuf::as_path).zip(pages).collect();
    crate::whole_file::write_all(&files, args.force)?;
    let session = &found.session;
    let agent_id = Some(found.id()).filter(|id| *id != session.id);
    let mut exported: Vec<Exported> = files
        .iter()
        .map(|(path, page)| {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Exported {
                path: path.to_path_buf(),
                session_id: Some(session.id.clone()),
                agent_id: agent_id.map(str::to_owned),
                bytes: page.len() as u64,
                entry: render::IndexEntry { file, ..made.entry.clone() },
                ..Exported::default()
            }
        })
        .collect();
    if let Some(last) = exported.last_mut() {
        last.reduction = made.reduction;
        last.masked = made.masked;
    }
    Ok(exported)
}

/// A rendered session: one page, or several parts.
struct Made {
    pages: Vec<Vec<u8>>,
    entry: render::IndexEntry,
    reduction: Option<document::ReductionDocument>,
    masked: Vec<MaskedSecret>,
}

impl Made {
    fn new(
        context: &Context,
        args: &Args,
        format: Format,
        session: &OpenSession,
    ) -> anyhow::Result<Self> {
        gather::build(context, args, session, |export, masked| {
            let mut reduction = None;
            let pages = match format {
                Format::Md => vec![render::markdown_page(export).into_bytes()],
                Format::Html => vec![render::html_page(export).into_bytes()],
                Format::Txt => vec![render::plain_page(export).into_bytes()],
                Format::Json => vec![json::json(context, args, session)?.into_bytes()],
                Format::Jsonl => {
                    vec![session.own_lines().map_err(|error| selection_error(&error))?]
                }
                Format::Xml => {
                    let (parts, saved) = args.xml.pages(export);
                    reduction = Some(saved);
                    parts
                }
            };
            Ok(Made { pages, entry: render::IndexEntry::of(export), reduction, masked })
        })
    }

    /// The one page that goes to standard output.
    fn single(&self) -> Result<&[u8], CliError> {
        match self.pages.as_slice() {
            [page] => Ok(page),
            pages => Err(CliError::Misuse(format!(
                "the export has {} parts, which cannot go to standard output\nhint: pass -o DIR to write a file for each part",
                pages.len()
            ))),
        }
    }
}
