//! Tool calls that run annals itself.
//!
//! Their results repeat text of other sessions. Readers leave them out, because
//! otherwise every search would find its own earlier answers.
//!
//! Deliberately not here: matching a call with its result, which the caller does.

use crate::call::command_of;
use crate::tool_kind::ToolKind;
use transcript::Json;

/// How the names of annals' MCP tools begin.
pub const OWN_TOOLS: &str = "mcp__annals__";

/// The MCP server's name, and how the addresses of its resources begin.
const OWN_SERVER: &str = "annals";
const OWN_ADDRESSES: &str = "annals://";

/// Whether a call runs annals: one of its MCP tools or resources, or its command
/// in a shell.
pub fn is_recall(tool: &str, input: Option<&Json<'_>>) -> bool {
    if tool.starts_with(OWN_TOOLS) {
        return true;
    }
    let Some(input) = input else { return false };
    match tool {
        // Of Claude Code's own shells, only Bash runs a POSIX command line.
        "BashOutput" | "PowerShell" => false,
        _ if ToolKind::of(tool) == ToolKind::Shell => {
            command_of(input).is_some_and(|command| runs_annals(&command))
        }
        "ReadMcpResourceTool" | "ListMcpResourcesTool" => {
            input.member_string("server").is_some_and(|server| server == OWN_SERVER)
                || input.member_string("uri").is_some_and(|uri| uri.starts_with(OWN_ADDRESSES))
        }
        _ => false,
    }
}

/// Words that may come before a program: shell keywords, and programs that run
/// another program.
const BEFORE_PROGRAMS: [&str; 24] = [
    "!", "{", "command", "do", "doas", "elif", "else", "env", "exec", "if", "ionice", "nice",
    "nohup", "setsid", "stdbuf", "sudo", "then", "time", "timeout", "unbuffer", "until", "watch",
    "while", "xargs",
];

/// Programs that run a command line given as an argument.
const SHELLS: [&str; 7] = ["bash", "dash", "eval", "fish", "ksh", "sh", "zsh"];

/// How many levels of command lines within command lines are searched.
const MOST_DEPTH: usize = 4;

/// Whether a command line runs annals, by its name or a path to it. When in doubt,
/// yes: a wrong yes leaves out one call, a wrong no repeats old text as new.
fn runs_annals(command: &str) -> bool {
    if !command.contains(OWN_SERVER) {
        return false;
    }
    let mut lines = vec![command.to_owned()];
    for _ in 0..MOST_DEPTH {
        let mut within = Vec::new();
        for line in &lines {
            // An unbalanced quote can hide a separator, so the line is also split
            // without regard to quotes.
            let blind = line.split(is_separator).flat_map(commands);
            for words in commands(line).into_iter().chain(blind) {
                if names_annals(&words) {
                    return true;
                }
                within.extend(lines_within(words));
            }
        }
        lines = within;
    }
    false
}

fn is_separator(character: char) -> bool {
    matches!(character, '\n' | ';' | '|' | '&' | '(' | '`')
}

/// The commands of a command line, as words without their quotes.
fn commands(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(characters.next()),
            (None, _) if character.is_whitespace() || is_separator(character) => {
                if let Some(last) = commands.last_mut() {
                    last.extend(word.take());
                }
                if is_separator(character) {
                    commands.push(Vec::new());
                }
            }
            _ => word.get_or_insert_default().push(character),
        }
    }
    if let Some(last) = commands.last_mut() {
        last.extend(word);
    }
    commands
}

/// Whether the program of a command is annals. Words before a program can have
/// options, and options can have values, so several words may be the program.
fn names_annals(words: &[String]) -> bool {
    let mut is_behind_option = false;
    for word in words {
        if name(word) == OWN_SERVER {
            return true;
        }
        let is_option = word.starts_with('-');
        let is_skipped = is_option
            || is_behind_option
            || is_assignment(word)
            || word.starts_with(|first: char| first.is_ascii_digit())
            || BEFORE_PROGRAMS.contains(&name(word));
        if !is_skipped {
            return false;
        }
        is_behind_option = is_option;
    }
    false
}

/// The command lines that a shell among these words is asked to run.
fn lines_within(words: Vec<String>) -> impl Iterator<Item = String> {
    let has_shell = words.iter().any(|word| SHELLS.contains(&name(word)));
    words.into_iter().filter(move |word| has_shell && word.contains(OWN_SERVER))
}

/// The name of a program, without its path.
fn name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_run_annals_differ_from_those_that_mention_it() {
        let table = [
            ("annals search x", true),
            ("/usr/local/bin/annals ls", true),
            ("cd x && ANNALS_HOME=/t annals grep y | head", true),
            ("echo $(annals ls)", true),
            ("env A=1 annals", true),
            ("'/a b/annals' search x", true),
            ("\"/a b; c/annals\" search x", true),
            ("/a\\ b/annals search x", true),
            ("bash -c \"annals ls\"", true),
            ("sh -lc 'cd x; annals ls'", true),
            ("/bin/sh -c 'bash -c \"annals ls\"'", true),
            ("eval 'annals ls'", true),
            ("timeout 5 annals ls", true),
            ("timeout -s KILL 5s /usr/bin/annals ls", true),
            ("nice -n 10 nohup annals ls", true),
            ("sudo -u ada annals ls", true),
            ("for x in 1 2; do annals show $x; done", true),
            ("if ! annals ls; then true; fi", true),
            ("bash annals/build.sh", false),
            ("timeout 5 grep annals README.md", false),
            ("git commit -m 'annals ls is quicker'", false),
            ("bash -c 'grep annals README.md'", false),
            ("cargo run -p annals", false),
            ("grep annals README.md", false),
            ("ls annals/", false),
        ];
        for (command, expected) in table {
            assert_eq!(runs_annals(command), expected, "{command}");
        }
    }

    #[test]
    fn resources_of_annals_are_recalls() {
        let table = [
            ("ReadMcpResourceTool", r#"{"server":"annals","uri":"annals://session/x"}"#, true),
            ("ReadMcpResourceTool", r#"{"server":"mine","uri":"annals://session/x"}"#, true),
            ("ListMcpResourcesTool", r#"{"server":"annals"}"#, true),
            ("ReadMcpResourceTool", r#"{"server":"other","uri":"file:///annals"}"#, false),
            ("Read", r#"{"server":"annals"}"#, false),
        ];
        for (tool, input, expected) in table {
            let line = format!(
                r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"t","name":"{tool}","input":{input}}}]}}}}"#
            );
            let entry = transcript::entries(line.as_bytes()).next().expect("a record");
            let block = entry.record.message().and_then(|message| message.blocks().first());
            let Some(transcript::Block::ToolUse(call)) = block else { panic!("no call: {line}") };
            assert_eq!(is_recall(tool, call.input.as_ref()), expected, "{line}");
        }
    }

    #[test]
    fn commands_of_other_apps_that_run_annals_are_recalls() {
        let table = [
            ("Bash", r#"{"command":"annals ls"}"#, true),
            ("PowerShell", r#"{"command":"annals ls"}"#, false),
            ("exec_command", r#"{"cmd":"annals search x"}"#, true),
            ("shell", r#"{"command":["bash","-lc","cd x && annals ls"]}"#, true),
            ("run_shell_command", r#"{"command":"annals ls"}"#, true),
            ("bash", r#"{"command":"grep annals README.md"}"#, false),
        ];
        for (tool, input, expected) in table {
            let line = format!(
                r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"t","name":"{tool}","input":{input}}}]}}}}"#
            );
            let entry = transcript::entries(line.as_bytes()).next().expect("a record");
            let block = entry.record.message().and_then(|message| message.blocks().first());
            let Some(transcript::Block::ToolUse(call)) = block else { panic!("no call: {line}") };
            assert_eq!(is_recall(tool, call.input.as_ref()), expected, "{line}");
        }
    }

    #[test]
    fn hostile_command_lines_are_read() {
        // Anything but one pass over them would not end.
        let long = "bash -c \"annals' ".repeat(20_000);
        runs_annals(&long);
        assert!(!runs_annals(&"annals_ ; '".repeat(50_000)));
    }
}
