//! `annals statusline`: one line for the foot of Claude Code's window.
//!
//! Claude Code waits for it after every message, so it takes what it is told, what
//! the index has committed and the end of one transcript. Whatever is missing is
//! left out of the line, and there always is one.

mod line;
mod pass_on;
mod told;
mod values;

use crate::cli::{Color, GlobalArgs, Redact};
use crate::context::{Context, store_around};
use crate::environment::Environment;
use crate::failure::say;
use crate::told_input;
use archive::Ledger;
use line::Template;
use pass_on::PassedOn;
use render::Paint;
use std::io::Write as _;
use std::time::{Duration, Instant};
use told::Told;
use values::Values;

/// Claude Code has written it all long before this.
const PATIENCE: Duration = Duration::from_millis(300);

/// Show model, context, cost, limits and branch in Claude Code's status line
///
/// Reads what Claude Code tells its status line command on its standard input, and
/// answers with one line. What is not known is left out. How full the limits are is
/// noted in the ledger, for `annals usage limits` and the blocks of `annals usage`.
/// The costs are those at the API's prices, of all sessions as the index last saw
/// them, and of this one as it is now.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A template is parts between |, each shown if one of its names has a value:\n  {model} {model_id} {context} {context_bar} {context_percent} {context_tokens} {context_size}\n  {cost} {today} {block} {block_percent} {block_cost} {block_burn} {block_reset}\n  {week} {week_percent} {week_reset} {branch} {folder} {session} {version}"
)]
pub(crate) struct Args {
    /// Run this command of a shell too, with the same input, and show what it
    /// writes above the line
    #[arg(long, value_name = "CMD")]
    then: Option<String>,
    /// What the line is made of
    #[arg(long)]
    template: Option<String>,
    /// What stands between its parts
    #[arg(long)]
    separator: Option<String>,
}

/// Prints the line. There is no way for it to fail.
pub(crate) fn run(args: &Args, global: &GlobalArgs, environment: Environment) {
    let bytes = told_input::read(Instant::now() + PATIENCE);
    let passed_on = args.then.as_deref().map(|command| PassedOn::start(command, bytes.clone()));
    let told = Told::read(&bytes);
    let no_color = environment.no_color;
    let global = GlobalArgs { redact: Some(Redact::Off), ..global.clone() };
    let context = Context::resolve(&global, None, environment);
    let context = context.map_err(|error| say(&format!("annals: {error:#}"))).ok();
    let settings = context.as_ref().map(|context| context.statusline.clone()).unwrap_or_default();
    let template = args.template.clone().or(settings.template);
    let template = Template::parse(template.as_deref().unwrap_or(line::DEFAULT));
    for problem in &template.problems {
        say(&format!("annals: {problem}"));
    }
    let separator = args.separator.clone().or(settings.separator);
    let color = global.color.or(context.as_ref().and_then(|context| context.color));
    // It is no terminal, and shown on one.
    let enabled = match color.unwrap_or_default() {
        Color::Auto => !no_color,
        Color::Always => true,
        Color::Never => false,
    };
    let values = Values::of(&told, context.as_ref());
    let shown = template.line(&values, separator.as_deref(), Paint { enabled });
    let mut answer = passed_on.map(PassedOn::finish).unwrap_or_default();
    if answer.last().is_some_and(|last| *last != b'\n') {
        answer.push(b'\n');
    }
    answer.extend(shown.into_bytes());
    answer.push(b'\n');
    let mut out = std::io::stdout().lock();
    // Nobody may be listening any more.
    let _ = out.write_all(&answer).and_then(|()| out.flush());
    if let Some(context) = &context {
        note_limits(&told, context);
    }
}

/// Notes how full the limits are, after the line is out.
fn note_limits(told: &Told, context: &Context) {
    let limits = told.limits(context.now);
    let Ok(home) = context.data_home() else { return };
    if limits.is_empty() || store_around(home, &context.library).is_some() {
        return;
    }
    // What could not be noted now is noted the next time.
    let _ = Ledger::note_rate_limits(&home.join("ledger"), &limits);
}
