//! The registration of annals' MCP server: looked up in Claude Code's state file,
//! which is only read, and changed through `claude mcp` alone.

use super::external_command::ExternalCommand;
use super::step::{Step, StepStatus};
use super::target::SetupTarget;
use crate::SearchPath;
use amend::ObservedFile;
use std::path::Path;
use transcript::json;

/// The name of the server.
const NAME: &str = "annals";

/// The server that is registered under that name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum RegisteredServer {
    Nothing,
    /// annals, at this path.
    Annals(String),
    Other,
}

/// The commands that register annals, or remove it.
#[derive(Debug)]
pub(super) struct McpRegistration {
    commands: Vec<ExternalCommand>,
}

impl McpRegistration {
    /// Proposes to register or remove it. `former` is the program that was
    /// registered before.
    pub(super) fn propose(
        step: &mut Step,
        target: &SetupTarget,
        former: Option<&str>,
        is_removal: bool,
    ) -> McpRegistration {
        let file = &target.state_file;
        step.add_path(file);
        let program = target.program.as_str();
        let registered = match registered_server(file, &[Some(program), former]) {
            Ok(registered) => registered,
            Err(reason) => {
                step.refuse(reason);
                return McpRegistration { commands: vec![] };
            }
        };
        let add = ["claude", "mcp", "add", "--scope", "user", NAME, "--", program, "mcp"];
        let remove = ["claude", "mcp", "remove", "--scope", "user", NAME];
        let lines: &[&[&str]] = match (is_removal, &registered) {
            (false, RegisteredServer::Nothing) => &[&add],
            (false, RegisteredServer::Annals(there)) if there == program => &[],
            (false, RegisteredServer::Annals(_)) => &[&remove, &add],
            (false, RegisteredServer::Other) => {
                let reason = format!("another MCP server is named {NAME} in {}", file.display());
                step.refuse(reason);
                &[]
            }
            (true, RegisteredServer::Annals(there))
                if there == program || Some(there.as_str()) == former =>
            {
                &[&remove]
            }
            (true, RegisteredServer::Nothing) => &[],
            (true, RegisteredServer::Annals(_) | RegisteredServer::Other) => {
                step.detail = format!("the MCP server {NAME} is a different program: not removed");
                &[]
            }
        };
        let commands: Vec<ExternalCommand> = lines
            .iter()
            .map(|words| ExternalCommand {
                config: target.config_variable.clone(),
                ..ExternalCommand::new(words)
            })
            .collect();
        if !commands.is_empty() {
            step.plan();
            step.commands = commands.iter().map(ExternalCommand::shown).collect();
        }
        McpRegistration { commands }
    }

    /// Whether `claude` is installed, which runs the commands.
    pub(super) fn is_possible(&self, search_path: &SearchPath) -> bool {
        self.commands.iter().all(|command| command.is_installed(search_path))
    }

    pub(super) fn apply(&self, step: &mut Step, search_path: &SearchPath) {
        for command in &self.commands {
            if let Err(reason) = command.run(search_path) {
                return step.fail(reason);
            }
        }
        step.status = StepStatus::Done;
    }
}

/// The annals program that is registered.
pub(super) fn registered_program(file: &Path) -> Option<String> {
    match registered_server(file, &[]) {
        Ok(RegisteredServer::Annals(program)) => Some(program),
        Ok(RegisteredServer::Nothing | RegisteredServer::Other) | Err(_) => None,
    }
}

/// The server with our name in the state file. It is ours if it runs one of these
/// programs, or any program named annals.
fn registered_server(file: &Path, programs: &[Option<&str>]) -> Result<RegisteredServer, String> {
    let Some(bytes) = ObservedFile::read(file).map_err(|error| error.to_string())?.bytes else {
        return Ok(RegisteredServer::Nothing);
    };
    let text = String::from_utf8_lossy(&bytes);
    let server = json::member(&text, "mcpServers").and_then(|all| json::member(all, NAME));
    let Some(server) = server else { return Ok(RegisteredServer::Nothing) };
    let arguments: Vec<&str> =
        json::member(server, "args").into_iter().flat_map(json::elements).collect();
    let command = json::member(server, "command").and_then(json::decode_string);
    let Some(command) = command.filter(|_| arguments == [r#""mcp""#]) else {
        return Ok(RegisteredServer::Other);
    };
    let command = command.text.into_owned();
    let is_ours = programs.contains(&Some(&command))
        || Path::new(&command).file_name().is_some_and(|name| name == NAME);
    Ok(if is_ours { RegisteredServer::Annals(command) } else { RegisteredServer::Other })
}
