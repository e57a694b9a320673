//! Calls of annals itself: what they answer was said before.

use crate::value::Json;

/// What annals is called as an MCP server's tools.
pub const OWN_TOOLS: &str = "mcp__annals__";

/// Whether a call asks annals itself: what it answers was said before.
pub fn is_recall(tool: &str, input: Option<&Json<'_>>) -> bool {
    if tool.starts_with(OWN_TOOLS) {
        return true;
    }
    let command = match (tool, input) {
        ("Bash", Some(input)) => input.member_string("command"),
        _ => None,
    };
    command.is_some_and(|command| runs_annals(&command))
}

/// Whether a command line runs annals, by its name or a path to it.
fn runs_annals(command: &str) -> bool {
    if !command.contains("annals") {
        return false;
    }
    command.split(['\n', ';', '|', '&', '(', '`']).any(|part| {
        let mut words = part.split_whitespace();
        let program = words.find(|word| {
            let is_setting = word.split_once('=').is_some_and(|(name, _)| {
                !name.is_empty()
                    && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            });
            !is_setting && !matches!(*word, "env" | "command" | "exec" | "time" | "sudo" | "{")
        });
        program.is_some_and(|program| program.rsplit('/').next() == Some("annals"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_annals_is_told_from_what_speaks_of_it() {
        let table = [
            ("annals search x", true),
            ("/usr/local/bin/annals ls", true),
            ("cd x && ANNALS_HOME=/t annals grep y | head", true),
            ("echo $(annals ls)", true),
            ("env A=1 annals", true),
            ("cargo run -p annals", false),
            ("grep annals README.md", false),
            ("ls annals/", false),
        ];
        for (command, expected) in table {
            assert_eq!(runs_annals(command), expected, "{command}");
        }
    }
}
