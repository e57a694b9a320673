//! Calls that only look for Claude's own transcripts: where they lie says
//! nothing about what was done.

use conversation::{Status, ToolCall};

/// Programs that only look.
const LOOKING: [&str; 18] = [
    "cat", "cd", "cut", "du", "echo", "find", "grep", "head", "jq", "ls", "pwd", "rg", "sort",
    "stat", "tail", "tr", "uniq", "wc",
];

/// What makes a program do more than look.
const DOING: [&str; 9] =
    ["-exec", "-ok", "-delete", "-fprint", "-fls", "xargs", "--output", "$(", "`"];

/// Whether a call went well and only looked where transcripts lie.
pub(super) fn is_discovery(call: &ToolCall<'_>) -> bool {
    let looks = match &*call.tool {
        "Bash" => call.argument("command").is_some_and(|command| only_looks(&command)),
        "Glob" | "Grep" | "LS" => {
            let of = |key| call.argument(key).is_some_and(|value| is_transcripts(&value));
            of("path") || call.tool == "Glob" && of("pattern")
        }
        "Read" => call
            .argument("file_path")
            .is_some_and(|path| is_transcripts(&path) && path.ends_with(".jsonl")),
        _ => false,
    };
    looks && call.status() == Status::Ok
}

/// Whether a text names the place of transcripts, and nothing of a person's own
/// that is kept there.
fn is_transcripts(text: &str) -> bool {
    text.contains(".claude/projects") && !text.contains("/memory") && !text.contains("tool-results")
}

fn only_looks(command: &str) -> bool {
    if !is_transcripts(command) || DOING.iter().any(|doing| command.contains(doing)) {
        return false;
    }
    let mut plain = command.to_owned();
    for harmless in ["2>/dev/null", "2> /dev/null", ">/dev/null", "2>&1"] {
        plain = plain.replace(harmless, "");
    }
    if plain.contains('>') {
        return false;
    }
    // What begins a pipe must look there; the rest reads what it is given.
    plain.split(['\n', ';', '&']).flat_map(|list| list.split("||")).all(|pipe| {
        pipe.split('|').enumerate().all(|(place, program)| {
            let Some(name) = program.split_whitespace().next() else { return true };
            let needs_no_place = place > 0 || matches!(name, "cd" | "echo" | "pwd");
            LOOKING.contains(&name) && (needs_no_place || is_transcripts(program))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_that_look_for_transcripts_are_discovery() {
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
            assert_eq!(only_looks(command), expected, "{command}");
        }
    }
}
