//! One request from standard input, answers to standard output.

mod catalog;
mod environment;
mod idle;
mod init;
mod lake_access;
mod load;
mod policy;
mod progress;
mod push;
mod push_record;
mod push_state;
mod read;
mod readers;
mod receipt;
mod status;
mod take_back;
mod verify;

use document::{LakeAction, LakeAnswer, LakeFailure, LakeRequest};
use std::fmt::Display;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

/// The version, which is that of `annals`.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The largest request.
const MAX_REQUEST: u64 = 16 << 20;

/// People start `annals lake`.
pub(crate) fn refuse_arguments() -> ExitCode {
    let text = format!(
        "annals-lake {VERSION} is a part of annals and takes no arguments\nhint: run annals lake\n"
    );
    let _ = io::stderr().write_all(text.as_bytes());
    ExitCode::from(2)
}

/// Reads objects of other people for another process of this program, and ends with the one
/// it cannot read.
pub(crate) fn check_objects() -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    match lake::answer_object_checks(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Answers one request.
pub(crate) fn run() -> ExitCode {
    // Objects of others are hostile: one that makes the reader of Parquet files panic ends this
    // program once, and is refused when annals asks again.
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !lake::refuse_segment_being_read() {
            report(panic);
        }
    }));
    let hello = LakeAnswer::Hello { version: VERSION.to_owned() };
    if print(&hello).is_err() {
        return ExitCode::FAILURE;
    }
    let answer = read().and_then(answer).unwrap_or_else(LakeAnswer::Failure);
    let has_failed = matches!(answer, LakeAnswer::Failure(_));
    if print(&answer).is_err() || has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn read() -> Result<LakeRequest, LakeFailure> {
    let mut bytes = Vec::new();
    let read = io::stdin().take(MAX_REQUEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| failure(format!("cannot read the request: {error}")))?;
    if bytes.len() as u64 > MAX_REQUEST {
        return Err(failure("the request is too large"));
    }
    let request: LakeRequest = serde_json::from_slice(&bytes)
        .map_err(|error| failure(format!("cannot read the request: {error}")))?;
    if request.version != VERSION {
        let asking = &request.version;
        return Err(failure(format!("annals is {asking}, but annals-lake is {VERSION}")));
    }
    Ok(request)
}

fn answer(request: LakeRequest) -> Result<LakeAnswer, LakeFailure> {
    let settings = &request.settings;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| failure(format!("cannot start: {error}")))?;
    match request.action {
        LakeAction::Init => runtime.block_on(init::run(settings)).map(LakeAnswer::Init),
        LakeAction::Status { machine } => runtime
            .block_on(status::run(settings, machine.as_ref()))
            .map(Box::new)
            .map(LakeAnswer::Status),
        LakeAction::TakeBack { owner, what } => {
            let taken = take_back::run(settings, owner.as_deref(), &what);
            runtime.block_on(taken).map(LakeAnswer::TakeBack)
        }
        LakeAction::Leave { machine, waits } => {
            let left = take_back::leave(settings, &machine, waits);
            runtime.block_on(left).map(LakeAnswer::TakeBack)
        }
        LakeAction::Join { machine } => runtime.block_on(take_back::join(settings, &machine)),
        LakeAction::Verify { machine, everyone } => {
            let verified = verify::run(settings, machine.as_ref(), everyone);
            runtime.block_on(verified).map(LakeAnswer::Verify)
        }
        LakeAction::Push { machine, is_dry_run, with_rows } => {
            let asked = push::PushRequest { is_dry_run, with_rows };
            runtime.block_on(push::run(settings, &machine, asked)).map(LakeAnswer::Push)
        }
        LakeAction::Decide { machine, session, audience, only_if_shared } => {
            let asked = push::DecisionRequest { session, audience, only_if_shared };
            let decided = push::decide(settings, &machine, &asked);
            runtime.block_on(decided).map(LakeAnswer::Push)
        }
        LakeAction::Read { data_home, question, scope } => {
            let asked = read::ReadRequest { data_home, question, scope };
            runtime.block_on(read::run(settings, asked)).map(LakeAnswer::Read)
        }
        LakeAction::Catalog { engine, scope, location } => {
            let asked = catalog::CatalogRequest { engine, scope, location };
            runtime.block_on(catalog::run(settings, &asked)).map(LakeAnswer::Catalog)
        }
        LakeAction::Load { servers, loader } => {
            runtime.block_on(load::run(settings, &servers, &loader)).map(LakeAnswer::Load)
        }
        LakeAction::EnginePolicy { form, server, readers, finance } => {
            let asked = load::PolicyRequest { form, server, readers, finance };
            load::policy(&asked).map(LakeAnswer::Policy)
        }
        LakeAction::Policy { vendor, teams } => {
            policy::run(settings, &vendor, &teams).map(LakeAnswer::Policy)
        }
    }
}

fn print(answer: &LakeAnswer) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

/// This program, which starts itself to read objects of other people.
fn own_program() -> Result<PathBuf, LakeFailure> {
    std::env::current_exe().map_err(|error| failure(format!("cannot find annals-lake: {error}")))
}

fn failure(message: impl Display) -> LakeFailure {
    LakeFailure { message: message.to_string(), setting: None }
}

/// A setting with a wrong value.
fn wrong(setting: &str, message: impl Display) -> LakeFailure {
    LakeFailure { message: message.to_string(), setting: Some(setting.to_owned()) }
}
