//! Which annals programs are installed in Claude Code and in the timer, and whether they are the
//! running one.
//!
//! After an update by another way, hooks may still run the old program, or none. Nothing is
//! started to find that out.

use super::part::SetupPart;
use super::target::SetupTarget;
use super::timer::Timer;
use super::{SetupContext, mcp_registration};
use amend::ObservedFile;
use amend::settings::{Part, named_programs};
use std::path::{Path, PathBuf};
use store::real_path;

/// A program that is installed as a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledProgram {
    /// The part.
    pub part: SetupPart,
    /// The program, as it is written there.
    pub program: String,
    /// How it compares with the running one.
    pub state: ProgramState,
}

/// How an installed program compares with the running one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramState {
    /// It is the running program.
    Same,
    /// It is another file.
    Other,
    /// It does not exist.
    Missing,
}

impl ProgramState {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            ProgramState::Same => "same",
            ProgramState::Other => "other",
            ProgramState::Missing => "missing",
        }
    }
}

/// The programs that hooks, status line, MCP server and timer run.
pub fn installed_programs(input: &SetupContext<'_>) -> Vec<InstalledProgram> {
    let Ok(target) = SetupTarget::find(input, String::new()) else { return Vec::new() };
    let settings = ObservedFile::read(&target.settings()).ok().and_then(|seen| seen.bytes);
    let settings = String::from_utf8_lossy(&settings.unwrap_or_default()).into_owned();
    let mut programs: Vec<(SetupPart, String)> = named_programs(&settings)
        .into_iter()
        .map(|(part, program)| match part {
            Part::StatusLine => (SetupPart::Statusline, program),
            Part::Hooks | Part::Cleanup(_) => (SetupPart::Hooks, program),
        })
        .collect();
    let mcp = mcp_registration::registered_program(&target.state_file);
    programs.extend(mcp.map(|program| (SetupPart::Mcp, program)));
    let timer = Timer::new(input, &target).ok().and_then(|timer| timer.installed_program());
    programs.extend(timer.map(|program| (SetupPart::Timer, program)));
    let state = |program: &str| compare(&resolve(input, program), input.executable);
    programs
        .into_iter()
        .map(|(part, program)| InstalledProgram { part, state: state(&program), program })
        .collect()
}

/// The file that a shell would start.
fn resolve(input: &SetupContext<'_>, program: &str) -> PathBuf {
    if let Some(below) = program.strip_prefix("~/") {
        return input.home.unwrap_or(Path::new("/")).join(below);
    }
    let found = if program.contains('/') { None } else { input.search_path.find_program(program) };
    found.unwrap_or_else(|| PathBuf::from(program))
}

fn compare(program: &Path, running: Option<&Path>) -> ProgramState {
    if !program.is_file() {
        return ProgramState::Missing;
    }
    match running {
        Some(running) if real_path(running) != real_path(program) => ProgramState::Other,
        // If the running program is not known, nothing contradicts.
        _ => ProgramState::Same,
    }
}
