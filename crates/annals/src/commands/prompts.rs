//! `annals prompts`: only what the user typed.

use crate::cli::{FilterArgs, LimitArgs};
use crate::context::Context;
use crate::failure::report_read_errors;
use crate::output::Format;
use document::{PromptDocument, PromptsDocument};
use library::prompts::{Prompt, PromptPage, PromptPageOptions};
use library::search::PromptSource;
use render::{Column, Style, Table};

/// Show only what you typed
///
/// Lists prompts, commands, and prompts queued while the model worked: of one
/// session in order, with the numbers of their turns, or of all projects, newest
/// first. Includes prompts known only
/// from the prompt history.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session [default: all]
    session: Option<String>,
    #[command(flatten)]
    filters: FilterArgs,
    #[command(flatten)]
    limit: LimitArgs,
}

impl Args {
    /// Whether it is about one session.
    pub(crate) fn names_session(&self) -> bool {
        self.session_name().is_some()
    }

    fn session_name(&self) -> Option<&String> {
        self.session.as_ref().or(self.filters.session.as_ref())
    }
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let named = args.session_name();
    let filter = context.filter(&FilterArgs { session: None, ..args.filters.clone() })?;
    let page = if let Some(name) = named {
        let (mut prompts, read_errors) = context.library.prompts().prompts_of(&context.find(name)?);
        prompts.retain(|prompt| filter.admits_time(prompt.time));
        let total = prompts.len();
        prompts.truncate(args.limit.limit.filter(|limit| *limit > 0).unwrap_or(usize::MAX));
        PromptPage { prompts, total, read_errors }
    } else {
        let options = PromptPageOptions {
            limit: context.output.limit(args.limit.limit),
            // The table does not show them.
            turns: context.output.format != Format::Text,
        };
        let progress = context.progress("reading");
        context.library.prompts().newest_prompts(&filter, options, &progress)
    };
    report_read_errors(&page.read_errors);
    show(context, &page.prompts, page.total, named.is_some())
}

fn show(context: &Context, prompts: &[Prompt], total: usize, of_one: bool) -> anyhow::Result<()> {
    context.output.rows(
        prompts.iter().map(PromptDocument::from).collect(),
        |prompts| PromptsDocument::new(total, prompts),
        || match (prompts.is_empty(), of_one) {
            (true, _) => "No prompts.\n".to_owned(),
            (false, true) => blocks(context, prompts),
            (false, false) => table(context, prompts, total),
        },
    )
}

/// The complete prompts of one session.
fn blocks(context: &Context, prompts: &[Prompt]) -> String {
    let paint = context.output.paint;
    let zone = render::time::zone_name(&context.settings.zone);
    let mut text = paint.paint(Style::Dim, &format!("times in {zone}")) + "\n\n";
    for (number, prompt) in prompts.iter().enumerate() {
        let time = prompt
            .time
            .map(|time| render::time::moment(time, &context.settings.zone))
            .unwrap_or_default();
        let source = match prompt.source {
            PromptSource::Typed => String::new(),
            other => format!(" ({})", other.name()),
        };
        // Prompts that never became messages have no turn.
        let turn = prompt.turn.map(|turn| format!("{turn}. ")).unwrap_or_default();
        let gap = if number == 0 { "" } else { "\n" };
        text += &format!("{gap}{}\n", paint.paint(Style::Dim, &format!("{turn}{time}{source}")));
        let prompt = render::untrusted::text(prompt.text.trim());
        text += &format!("{}\n", context.output.hanging(&prompt, 0));
    }
    text
}

fn table(context: &Context, prompts: &[Prompt], total: usize) -> String {
    let mut table = Table::new(vec![
        Column::new("WHEN"),
        Column::new("SESSION").style(Style::Id).drop_order(1),
        Column::new("PROJECT").shrinks_to(12).keeps_end().drop_order(2),
        Column::new("").style(Style::Dim),
        Column::new("PROMPT").shrinks_to(20).wide(),
    ]);
    for prompt in prompts {
        table.row([
            prompt
                .time
                .map(|time| render::time::ago(time, context.settings.now, &context.settings.zone))
                .unwrap_or_default(),
            document::short_id(prompt.session_id.as_deref().unwrap_or_default()).to_owned(),
            prompt.cwd.as_deref().map(|cwd| context.short_path(cwd)).unwrap_or_default(),
            if prompt.source == PromptSource::Typed {
                String::new()
            } else {
                prompt.source.name().to_owned()
            },
            prompt.text.clone(),
        ]);
    }
    let table = table.render(context.output.width(), context.output.paint);
    table + &context.output.cut_note(prompts.len(), total, "prompts")
}
