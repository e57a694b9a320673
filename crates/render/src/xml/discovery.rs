//! Calls that only look for Claude Code's own transcripts. They say nothing about the
//! work.

use conversation::{Status, ToolCall, ToolKind};

/// Programs that only read.
const READ_ONLY_PROGRAMS: [&str; 18] = [
    "cat", "cd", "cut", "du", "echo", "find", "grep", "head", "jq", "ls", "pwd", "rg", "sort",
    "stat", "tail", "tr", "uniq", "wc",
];

/// Arguments that make a program do more than read.
const ACTIONS: [&str; 9] =
    ["-exec", "-ok", "-delete", "-fprint", "-fls", "xargs", "--output", "$(", "`"];

/// Whether a call succeeded and only read the folders of transcripts.
pub(super) fn is_discovery(call: &ToolCall<'_>) -> bool {
    let only_reads = match call.kind() {
        // Of Claude Code's own shells, only Bash runs a POSIX command line.
        _ if matches!(&*call.tool, "BashOutput" | "PowerShell" | "NotebookRead") => false,
        ToolKind::Shell => call.command().is_some_and(|command| only_reads(&command)),
        ToolKind::Search => {
            let of = |key| call.argument(key).is_some_and(|value| is_transcripts(&value));
            of("path") || matches!(&*call.tool, "Glob" | "glob" | "find") && of("pattern")
        }
        ToolKind::Read => {
            call.files().iter().any(|path| is_transcripts(path) && path.ends_with(".jsonl"))
        }
        _ => false,
    };
    only_reads && call.status() == Status::Ok
}

/// Whether a text names the folder of transcripts, and not the user's own files in it.
fn is_transcripts(text: &str) -> bool {
    text.contains(".claude/projects") && !text.contains("/memory") && !text.contains("tool-results")
}

fn only_reads(command: &str) -> bool {
    if !is_transcripts(command) || ACTIONS.iter().any(|action| command.contains(action)) {
        return false;
    }
    let mut plain = command.to_owned();
    for harmless in ["2>/dev/null", "2> /dev/null", ">/dev/null", "2>&1"] {
        plain = plain.replace(harmless, "");
    }
    if plain.contains('>') {
        return false;
    }
    // The first program of a pipe must read there; the others read its output.
    plain.split(['\n', ';', '&']).flat_map(|list| list.split("||")).all(|pipe| {
        pipe.split('|').enumerate().all(|(position, program)| {
            let Some(name) = program.split_whitespace().next() else { return true };
            let needs_no_path = position > 0 || matches!(name, "cd" | "echo" | "pwd");
            READ_ONLY_PROGRAMS.contains(&name) && (needs_no_path || is_transcripts(program))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_that_read_transcript_folders_are_discovery() {
        let table = [
            ("ls -lt ~/.claude/projects/-home-ada/*.jsonl | head -20", true),
            ("cd /tmp && ls ~/.claude/projects 2>/dev/null || echo none", true),
            ("tail -5 ~/.claude/projects/-x/a.jsonl | jq .type | sort | uniq -c", true),
            ("ls ~/.claude/projects; ls src", false),
            ("rm -r ~/.claude/projects/-x", false),
            ("ls ~/.claude/projects > list.txt", false),
            ("find ~/.claude/projects -name x -delete", false),
            ("cat ~/.claude/projects/-x/memory/MEMORY.md", false),
            ("cat ~/.claude/projects/-x/s/tool-results/b.txt", false),
            ("cat $(ls ~/.claude/projects)", false),
            ("ls src", false),
            ("", false),
        ];
        for (command, expected) in table {
            assert_eq!(only_reads(command), expected, "{command}");
        }
    }
}
