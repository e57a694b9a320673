//! `annals show`: a session as a conversation, or its records.

mod conversation;
mod records;

use crate::cli::GlobalArgs;
use crate::commands::pick::PickArgs;
use crate::commands::selection_args::{LineArgs, TurnArgs, find_turn, split_turn};
use crate::context::Context;
use crate::failure::CliError;
use crate::lake_view::LakeArgs;
use ::document::{AgentDetail, KeptBlocks, LakeQuestion};
use clap::ValueEnum;
use library::catalog::FoundSession;
use library::sessions::OpenSession;
use render::Detail;
use std::path::Path;

/// Show a session as a conversation
///
/// Shows the conversation as Claude Code would show it, turn by turn: prompts,
/// answers, tool calls with their changes, and sub-agents where they were started.
/// Abandoned branches, compactions and orphaned segments are marked where they
/// belong. Name a sub-agent by its id, and a turn after a colon: `annals show
/// 1a2b3c4d:12`. Turns are numbered over the whole session; b1.2 is turn 2 of
/// abandoned branch 1. --view all shows every record in file order,
/// --raw the bytes of the transcript.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session or a sub-agent, and optionally one of its turns
    #[arg(default_value = "@", value_name = "SESSION[:TURN]")]
    session: String,
    #[command(flatten)]
    choice: PickArgs,
    /// What to show [default: app]
    #[arg(long, value_enum)]
    view: Option<View>,
    #[command(flatten)]
    line: LineArgs,
    /// How to show sub-agents [default: fold]
    #[arg(long, value_enum, help_heading = "Conversation")]
    agents: Option<Agents>,
    /// Show thinking
    #[arg(long, help_heading = "Conversation")]
    thinking: bool,
    /// How much of the tool calls to show [default: brief]
    #[arg(long, value_enum, help_heading = "Conversation")]
    tools: Option<Tools>,
    #[command(flatten)]
    turns: TurnArgs,
    /// Show the turn that has line N of the transcript
    #[arg(long = "line", value_name = "N", help_heading = "Conversation")]
    #[arg(conflicts_with_all = ["abandoned", "generation", "from", "to", "last", "find", "around"])]
    at_line: Option<u64>,
    /// Show the turn of the message with this uuid, and the turns before and after it
    #[arg(long, value_name = "UUID", help_heading = "Conversation")]
    #[arg(conflicts_with_all = ["abandoned", "generation", "from", "to", "last", "find"])]
    around: Option<String>,
    /// Print the unchanged bytes of the transcript, also of lines that are too large to be read
    #[arg(long, help_heading = "Records", conflicts_with_all = ["json", "jsonl", "csv"])]
    raw: bool,
    /// Only records of this type. Repeatable
    #[arg(long = "type", value_name = "TYPE", help_heading = "Records")]
    types: Vec<String>,
    /// Only from this time on, by the record's own time
    #[arg(long, value_name = "WHEN", help_heading = "Records")]
    since: Option<String>,
    /// Only up to this time
    #[arg(long, value_name = "WHEN", help_heading = "Records")]
    until: Option<String>,
    /// Show at most N records (0 = all)
    #[arg(long, value_name = "N", help_heading = "Records", value_parser = crate::cli::parse_limit)]
    limit: Option<usize>,
    #[command(flatten)]
    pub(crate) lake: LakeArgs,
}

/// The view of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// The conversation as Claude Code shows it on resume
    App,
    /// The conversation as the official SDK returns it
    Sdk,
    /// Every record in file order
    All,
}

/// How sub-agents are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Agents {
    /// Whole conversations, at the calls that started them
    Inline,
    /// One line each, at the calls that started them
    Fold,
    /// Hidden
    None,
    /// The session and its sub-agents merged by time
    Flat,
}

impl Agents {
    /// How much of sub-agents is shown among the turns.
    fn detail(self) -> AgentDetail {
        match self {
            Agents::Inline => AgentDetail::Inline,
            Agents::Fold | Agents::Flat => AgentDetail::Fold,
            Agents::None => AgentDetail::None,
        }
    }
}

/// How much of tool calls is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tools {
    /// Complete arguments and results
    Full,
    /// One line each, short diffs, and the beginning of errors
    Brief,
    /// Hidden
    None,
}

impl Tools {
    pub(crate) fn detail(self) -> Detail {
        match self {
            Tools::Full => Detail::Full,
            Tools::Brief => Detail::Brief,
            Tools::None => Detail::None,
        }
    }

    /// The blocks that a document of a conversation keeps, which shortens no call.
    pub(crate) fn in_document(
        tools: Option<Tools>,
        thinking: bool,
    ) -> Result<KeptBlocks, CliError> {
        if tools == Some(Tools::Brief) {
            let message = "--tools brief shortens text, but JSON has whole calls\nhint: pass --tools full or --tools none";
            return Err(CliError::Misuse(message.to_owned()));
        }
        Ok(KeptBlocks { tools: tools != Some(Tools::None), thinking })
    }
}

impl Args {
    /// What it needs of the lake.
    pub(crate) fn lake_question(&self) -> LakeQuestion {
        let (name, _) = split_turn(&self.session);
        LakeQuestion::Session { name: name.to_owned() }
    }

    /// Whether options are given that require the view of records.
    fn asks_for_records(&self) -> bool {
        self.raw
            || !self.types.is_empty()
            || self.since.is_some()
            || self.until.is_some()
            || self.limit.is_some()
    }

    /// Whether options are given that require the view of a conversation.
    fn asks_for_conversation(&self) -> bool {
        self.line.is_given()
            || self.agents.is_some()
            || self.thinking
            || self.tools.is_some()
            || self.turns.is_given()
            || self.turns.last.is_some()
            || self.at_line.is_some()
            || self.around.is_some()
    }

    fn view(&self) -> anyhow::Result<View> {
        let records = self.asks_for_records();
        let view = self.view.unwrap_or(if records { View::All } else { View::App });
        if view != View::All && records {
            let message = "--raw, --type, --since, --until and --limit require --view all";
            return Err(CliError::Misuse(message.to_owned()).into());
        }
        if view == View::All && self.asks_for_conversation() {
            let message = "--abandoned, --generation, --agents, --thinking, --tools, --from, --to, --last, --find, --line and --around require --view app or sdk";
            return Err(CliError::Misuse(message.to_owned()).into());
        }
        Ok(view)
    }
}

pub(crate) fn run(context: &Context, global: &GlobalArgs, args: Args) -> anyhow::Result<()> {
    let view = args.view()?;
    let session = args.choice.name(context, global, &args.session)?;
    let args = &Args { session, ..args };
    if args.raw
        && view == View::All
        && let Some(path) = context.library.catalog().find_transcript(&args.session)
    {
        return records::raw(context, &path, args);
    }
    let (found, turn) = find_turn(context, &args.session)?;
    let view = match view {
        View::All if turn.is_some() => {
            let message = "a turn requires --view app or sdk";
            return Err(CliError::Misuse(message.to_owned()).into());
        }
        View::All => return records::run(context, &found, args),
        View::App => ::conversation::View::App,
        View::Sdk => {
            check_sdk_view(&found)?;
            ::conversation::View::Sdk
        }
    };
    conversation::run(context, &found, turn, view, args)
}

/// Refuses the official reader's view of a session that it cannot read.
pub(crate) fn check_sdk_view(found: &FoundSession) -> Result<(), CliError> {
    match found.refusal_of_sdk_view("--view sdk") {
        Some(refusal) => Err(CliError::Misuse(refusal)),
        None => Ok(()),
    }
}

/// The transcript of a session or sub-agent.
pub(crate) fn transcript(found: &FoundSession) -> Result<&Path, CliError> {
    let id = &found.session.id;
    found.path().ok_or_else(|| {
        // Of a session with agents, their transcripts still exist.
        let hint = match found.session.agents {
            0 => format!("annals prompts {id} shows its prompts"),
            _ => format!("annals agents {id} shows its agents"),
        };
        CliError::NotFound(format!("the transcript of {id} has been deleted\nhint: {hint}"))
    })
}

/// Opens a session or sub-agent.
pub(crate) fn open(context: &Context, found: &FoundSession) -> anyhow::Result<OpenSession> {
    transcript(found)?;
    Ok(context.library.sessions().open_session(found)?)
}

fn no_spreadsheet() -> anyhow::Error {
    CliError::Misuse("this view does not support --csv\nhint: use --json".to_owned()).into()
}
