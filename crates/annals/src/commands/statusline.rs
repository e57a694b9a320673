//! `annals statusline`: arguments, standard input and output. The line itself is
//! `integration::statusline`'s.

use crate::cli::{Color, GlobalArgs, Redact};
use crate::context::{Context, store_around};
use crate::environment::Environment;
use crate::failure::notice;
use crate::standard_input::{self, Received};
use integration::statusline::{
    self, ChainedCommand, StatusContext, StatusInput, StatusValues, Template,
};
use jiff::Timestamp;
use render::Paint;
use serde::de::IgnoredAny;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// How long Claude Code may take to write the input.
const INPUT_LIMIT: Duration = Duration::from_millis(300);

/// Shown in place of values that would be those of nothing.
const CUT: &str = "annals: no input for the status line within 0.3 s";

/// Show model, context, cost, limits and branch in Claude Code's status line
///
/// Reads the status line input of Claude Code from standard input and prints one
/// line. Unknown values are omitted. Records rate limits in the ledger, for `annals
/// usage limits` and the blocks of `annals usage`. Costs are at API prices: for
/// other sessions as of the last index update, for this session up to now.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A template is a list of parts separated by |. A part is shown if one of its fields has a value:\n  {model} {model_id}                            the model, by name or id\n  {context} {context_bar} {context_percent}     how full the context is\n  {context_tokens} {context_size}               tokens in it, and how many fit\n  {cost} {today}                                cost of this session, and of today\n  {block} {block_percent} {block_cost}          the five-hour block: summary, use, cost,\n  {block_burn} {block_reset}                    cost per hour, time until the reset\n  {week} {week_percent} {week_reset}            the weekly limit\n  {budget} {budget_day} {budget_week}           how much of each budget is used\n  {budget_month}\n  {branch} {folder} {session} {version}         git branch, folder, session id, version\nannals --demo statusline shows an example."
)]
pub(crate) struct Args {
    /// Also run this shell command with the same input, and show its output above
    /// the line
    #[arg(long, value_name = "CMD")]
    then: Option<String>,
    /// Template of the line
    #[arg(long)]
    template: Option<String>,
    /// Text between the parts
    #[arg(long)]
    separator: Option<String>,
}

/// Prints the line. It cannot fail.
pub(crate) fn run(args: &Args, global: &GlobalArgs, environment: Environment) {
    let Received { bytes, is_cut } = standard_input::read(Instant::now() + INPUT_LIMIT);
    // An object is whole also if nobody closes the pipe behind it.
    let is_cut = is_cut && serde_json::from_slice::<IgnoredAny>(&bytes).is_err();
    let chained = args.then.as_deref().map(|command| ChainedCommand::start(command, bytes.clone()));
    let input = StatusInput::parse(&bytes);
    let no_color = environment.no_color;
    let global = GlobalArgs { redact: Some(Redact::Off), ..global.clone() };
    let context = Context::resolve(&global, None, environment);
    let context = context.map_err(|error| notice(&format!("annals: {error:#}"))).ok();
    let demo_input = context.as_ref().and_then(Context::demo_status_input);
    let input = match demo_input {
        Some(example) if bytes.trim_ascii().is_empty() => StatusInput::parse(example.as_bytes()),
        _ => input,
    };
    let settings = context
        .as_ref()
        .map(|context| context.settings.configuration.statusline.clone())
        .unwrap_or_default();
    let template = args.template.clone().or(settings.template);
    let template = Template::parse(template.as_deref().unwrap_or(statusline::DEFAULT_TEMPLATE));
    for problem in &template.problems {
        notice(&format!("annals: {problem}"));
    }
    let separator = args.separator.clone().or(settings.separator);
    let color =
        global.color.or(context.as_ref().and_then(|context| context.settings.configuration.color));
    // Standard output is a pipe, but Claude Code shows it on a terminal.
    let enabled = match color.unwrap_or_default() {
        Color::Auto => !no_color,
        Color::Always => true,
        Color::Never => false,
    };
    let now = context.as_ref().map_or_else(Timestamp::now, |context| context.settings.now);
    let values = StatusValues::gather(&input, now, context.as_ref().map(status_context));
    let line = if is_cut {
        CUT.to_owned()
    } else {
        template.line(&values, separator.as_deref(), Paint { enabled })
    };
    let mut answer = chained.map(ChainedCommand::finish).unwrap_or_default();
    if answer.last().is_some_and(|last| *last != b'\n') {
        answer.push(b'\n');
    }
    answer.extend(line.into_bytes());
    answer.push(b'\n');
    let mut out = std::io::stdout().lock();
    // The reader may be gone.
    let _ = out.write_all(&answer).and_then(|()| out.flush());
    // After the line, because Claude Code waits for that.
    if let Some(context) = &context
        && !is_cut
        && let Ok(home) = context.data_home()
        && store_around(home, &context.library).is_none()
    {
        statusline::record_rate_limits(&input, home, now);
    }
}

fn status_context(context: &Context) -> StatusContext<'_> {
    let data_home = context.data_home().ok();
    StatusContext {
        library: &context.library,
        data_home,
        zone: &context.settings.zone,
        budget: context.settings.budget(),
    }
}
