//! `annals show`: a session for reading, or its records.

mod conversation;
mod records;
mod scene;

pub(crate) use conversation::inline_agent_lines;

use crate::commands::pick::{LineArgs, TurnArgs};
use crate::context::Context;
use crate::failure::Ending;
use clap::ValueEnum;
use library::Found;
use render::Detail;
use std::path::Path;

/// Show what was said and done in a session
///
/// The conversation as the app would show it, turn by turn: prompts, answers,
/// tools with what they changed, sub-agents where they were started. What was
/// undone, compacted or came loose is named where it belongs. A sub-agent is
/// shown by its id. With --view all every record in the order of the file, with
/// --raw the transcript's own bytes.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session, or a sub-agent
    #[arg(default_value = "@")]
    session: String,
    /// What to show of it; default: app
    #[arg(long, value_enum)]
    view: Option<View>,
    #[command(flatten)]
    line: LineArgs,
    /// Sub-agents: their conversations in place, a line each, not at all, or
    /// everything in one line of time
    #[arg(long, value_enum, help_heading = "Conversation")]
    agents: Option<Agents>,
    /// Show what the model thought
    #[arg(long, help_heading = "Conversation")]
    thinking: bool,
    /// How much of what tools did; default: brief
    #[arg(long, value_enum, help_heading = "Conversation")]
    tools: Option<Tools>,
    #[command(flatten)]
    turns: TurnArgs,
    /// The bytes of the transcript as they are
    #[arg(long, help_heading = "Records", conflicts_with_all = ["json", "jsonl", "csv"])]
    raw: bool,
    /// Only records of this type; repeatable
    #[arg(long = "type", value_name = "TYPE", help_heading = "Records")]
    types: Vec<String>,
    /// Not before this moment, by the record's own time
    #[arg(long, value_name = "WHEN", help_heading = "Records")]
    since: Option<String>,
    /// Not after this moment
    #[arg(long, value_name = "WHEN", help_heading = "Records")]
    until: Option<String>,
    /// At most so many records; 0 for all
    #[arg(long, value_name = "N", help_heading = "Records")]
    limit: Option<usize>,
}

/// What to show of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// The conversation as the app shows it when the session is resumed.
    App,
    /// The conversation as the official reader returns it.
    Sdk,
    /// Every record in the order of the file.
    All,
}

/// How sub-agents are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Agents {
    /// Their conversations, where they were started.
    Inline,
    /// A line each, where they were started.
    Fold,
    /// Not at all.
    None,
    /// The session and its agents in one line of time.
    Flat,
}

/// How much of what tools did is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tools {
    /// Everything they were asked and answered.
    Full,
    /// A line each, short changes, and the beginnings of what failed.
    Brief,
    /// Nothing.
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
}

impl Args {
    /// What was asked for that only records have.
    fn asks_for_records(&self) -> bool {
        self.raw
            || !self.types.is_empty()
            || self.since.is_some()
            || self.until.is_some()
            || self.limit.is_some()
    }

    /// What was asked for that only a conversation has.
    fn asks_for_conversation(&self) -> bool {
        self.line.is_given()
            || self.agents.is_some()
            || self.thinking
            || self.tools.is_some()
            || self.turns.is_given()
            || self.turns.last.is_some()
    }

    fn view(&self) -> anyhow::Result<View> {
        let records = self.asks_for_records();
        let view = self.view.unwrap_or(if records { View::All } else { View::App });
        if view != View::All && records {
            let message = "--raw, --type, --since, --until and --limit go with --view all";
            return Err(Ending::Misuse(message.to_owned()).into());
        }
        if view == View::All && self.asks_for_conversation() {
            let message = "--alt, --generation, --agents, --thinking, --tools, --from, --to, --last and --find go with --view app or sdk";
            return Err(Ending::Misuse(message.to_owned()).into());
        }
        Ok(view)
    }
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let view = args.view()?;
    let found = context.find(&args.session)?;
    match view {
        View::All => records::run(context, &found, args),
        View::App => conversation::run(context, &found, ::conversation::View::App, args),
        View::Sdk => conversation::run(context, &found, ::conversation::View::Sdk, args),
    }
}

/// The transcript of what was found.
pub(crate) fn transcript(found: &Found) -> Result<&Path, Ending> {
    let id = &found.session.id;
    found.path().ok_or_else(|| {
        // A session of which something else is left had agents.
        let left = match found.session.agents {
            0 => format!("only its prompts are left: annals prompts {id}"),
            _ => format!("only its agents are left: annals agents {id}"),
        };
        Ending::NotFound(format!("the transcript of {id} is gone; {left}"))
    })
}

fn no_spreadsheet() -> anyhow::Error {
    Ending::Misuse("annals show has no rows for a spreadsheet: use --json".to_owned()).into()
}
