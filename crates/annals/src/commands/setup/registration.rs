//! The MCP server among those that Claude Code knows: looked up in its state
//! file, which is only read, and changed through `claude mcp` alone.

use super::place::Place;
use super::started::Line;
use super::step::{Status, Step};
use crate::context::Context;
use amend::ObservedFile;
use std::path::Path;
use transcript::json;

/// The name it goes by.
const NAME: &str = "annals";

/// What Claude Code has under that name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Known {
    Nothing,
    /// annals, at this path.
    Annals(String),
    Other,
}

pub(super) struct Registration {
    lines: Vec<Line>,
}

impl Registration {
    /// What would be done. `former` is the program that was registered before.
    pub(super) fn propose(
        step: &mut Step,
        place: &Place,
        former: Option<&str>,
        is_removal: bool,
    ) -> Registration {
        let file = &place.state_file;
        step.add_path(file);
        let program = place.program.as_str();
        let known = match known(file, &[Some(program), former]) {
            Ok(known) => known,
            Err(reason) => {
                step.refuse(reason);
                return Registration { lines: vec![] };
            }
        };
        let add = ["claude", "mcp", "add", "--scope", "user", NAME, "--", program, "mcp"];
        let remove = ["claude", "mcp", "remove", "--scope", "user", NAME];
        let lines: &[&[&str]] = match (is_removal, &known) {
            (false, Known::Nothing) => &[&add],
            (false, Known::Annals(there)) if there == program => &[],
            (false, Known::Annals(_)) => &[&remove, &add],
            (false, Known::Other) => {
                let reason = format!("another MCP server goes by {NAME} in {}", file.display());
                step.refuse(reason);
                &[]
            }
            (true, Known::Annals(there)) if there == program || Some(there.as_str()) == former => {
                &[&remove]
            }
            (true, Known::Nothing) => &[],
            (true, Known::Annals(_) | Known::Other) => {
                step.detail = format!("the MCP server {NAME} is not ours, and stays");
                &[]
            }
        };
        let lines: Vec<Line> = lines
            .iter()
            .map(|words| Line { config: place.config_variable.clone(), ..Line::new(words) })
            .collect();
        if !lines.is_empty() {
            step.plan();
            step.commands = lines.iter().map(Line::shown).collect();
        }
        Registration { lines }
    }

    /// Whether `claude` is there to do it.
    pub(super) fn is_possible(&self, context: &Context) -> bool {
        self.lines.iter().all(|line| line.is_there(context))
    }

    pub(super) fn apply(&self, step: &mut Step, context: &Context) {
        for line in &self.lines {
            if let Err(reason) = line.run(context) {
                return step.fail(reason);
            }
        }
        step.status = Status::Done;
    }
}

/// What the state file has under our name, in text of any depth. Ours are these
/// programs, and any that is called annals.
fn known(file: &Path, programs: &[Option<&str>]) -> Result<Known, String> {
    let Some(bytes) = ObservedFile::read(file).map_err(|error| error.to_string())?.bytes else {
        return Ok(Known::Nothing);
    };
    let text = String::from_utf8_lossy(&bytes);
    let server = json::member(&text, "mcpServers").and_then(|all| json::member(all, NAME));
    let Some(server) = server else { return Ok(Known::Nothing) };
    let arguments: Vec<&str> =
        json::member(server, "args").into_iter().flat_map(json::elements).collect();
    let command = json::member(server, "command").and_then(json::decode_string);
    let Some(command) = command.filter(|_| arguments == [r#""mcp""#]) else {
        return Ok(Known::Other);
    };
    let command = command.text.into_owned();
    let is_ours = programs.contains(&Some(&command))
        || Path::new(&command).file_name().is_some_and(|name| name == NAME);
    Ok(if is_ours { Known::Annals(command) } else { Known::Other })
}
