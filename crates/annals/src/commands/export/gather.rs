//! Opens the sessions to export, and resolves which parts of them are requested.

use super::{Agents, Args, Format};
use crate::context::Context;
use crate::failure::{CliError, report_read_errors};
use document::AgentDetail;
use document::pages::{BuildError, MaskedSecret, PageOptions};
use library::catalog::FoundSession;
use library::sessions::{OpenSession, Part, Selection};
use render::ExportDocument;

impl Args {
    /// The requested turns; all turns unless a part is requested.
    pub(super) fn selection(&self) -> Selection {
        Selection {
            view: self.view.of(),
            part: self.line.part_or(Part::Whole),
            range: self.turns.range(),
        }
    }

    /// How much of sub-agents is requested.
    pub(super) fn agent_detail(&self) -> AgentDetail {
        match self.agents {
            _ if self.format() == Format::Jsonl => AgentDetail::None,
            None | Some(Agents::Inline) => AgentDetail::Inline,
            Some(Agents::Fold) => AgentDetail::Fold,
            Some(Agents::None) => AgentDetail::None,
        }
    }
}

/// Opens a session, and reports which of its agents cannot be read.
pub(super) fn open(
    context: &Context,
    found: &FoundSession,
    args: &Args,
) -> anyhow::Result<OpenSession> {
    let session = crate::commands::show::open(context, found)?;
    if session.bytes().is_empty() {
        let message = format!("the transcript of {} is empty", found.id());
        return Err(CliError::NotFound(message).into());
    }
    if args.agent_detail() != AgentDetail::None && found.inline_agent.is_none() {
        report_read_errors(&session.agents().read_errors);
    }
    Ok(session)
}

/// Calls back with the session as an export document, and the places masked in it.
pub(super) fn build<T>(
    context: &Context,
    args: &Args,
    session: &OpenSession,
    each: impl FnOnce(&ExportDocument<'_>, Vec<MaskedSecret>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mask = |text: &str| context.output.masked_text(text).into_owned();
    let format = args.format();
    let options = PageOptions {
        selection: args.selection(),
        agents: args.agent_detail(),
        thinking: !args.no_thinking,
        tools: args.detail(),
        // JSON and JSONL contain the text of the transcript.
        reads_outputs: !matches!(format, Format::Json | Format::Jsonl),
        lists_unlinked: format == Format::Xml,
        is_masked: context.redactor.is_some(),
        zone: &context.settings.zone,
        short_path: &|path| mask(&context.short_path(path)),
        mask: &mask,
    };
    document::pages::build(session, &options, each).map_err(|error| match error {
        BuildError::Selection(error) => crate::commands::selection_args::selection_error(&error),
        BuildError::NoTurns { .. } => CliError::NotFound(error.to_string()),
    })?
}
