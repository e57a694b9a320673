//! The binary: arguments → settings → command → output → exit code.
//!
//! Only this crate reads the environment, knows the home, prints and exits.

mod cli;
mod commands;
mod configuration;
mod context;
mod demo;
mod environment;
mod failure;
mod marks;
mod moments;
mod output;
mod progress;
mod redaction;
mod streamed;
mod whole_file;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let environment = environment::Environment::read();
    let result = match cli::Cli::try_parse_from(cli::arguments(std::env::args_os())) {
        Ok(cli) => commands::run(cli, environment),
        Err(error) => return failure::report_usage(&error),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}
