//! The binary: arguments → settings → command → output → exit code.
//!
//! Only this crate reads the environment, knows the home, prints and exits.

mod allocator;
mod apps;
mod browser;
mod cli;
mod commands;
mod completion_values;
mod configuration;
mod context;
mod data_home;
mod demo_cleanup;
mod environment;
mod failure;
mod help_pages;
mod incomplete;
mod lake_program;
mod lake_section;
mod lake_settings;
mod lake_view;
mod marks;
mod not_found;
mod output;
mod progress;
mod redaction;
mod settings;
mod shared_options;
mod standard_input;
mod streamed;
mod tui_host;
mod tui_options;
mod whole_file;
mod zone;

use clap::error::ErrorKind;
use std::process::ExitCode;

/// The allocator of the static programs: musl's own is slower.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    completion_values::answer();
    let environment = environment::Environment::read();
    let arguments = cli::arguments(std::env::args_os());
    let result = match cli::parse(&arguments) {
        Ok((cli, refused)) => commands::run(cli, refused, environment),
        Err(error) if error.kind() == ErrorKind::DisplayHelp => {
            return failure::report_usage(&help_pages::page(&arguments, environment.columns));
        }
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            return failure::report_usage(&help_pages::page(&arguments, environment.columns));
        }
        Err(mut error) => {
            cli::suggest_searching_for_options(&arguments, &mut error);
            let code = failure::report_usage(&error);
            return if cli::is_for_the_app(&arguments) { ExitCode::SUCCESS } else { code };
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}
