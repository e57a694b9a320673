//! The commands that `setup` writes into settings: quoted for a shell, and
//! parsed back.

use std::path::Path;

/// An annals command in settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OwnCommand {
    /// `annals hook`
    Hook,
    /// `annals statusline`, and the command it passes its input on to.
    StatusLine(Option<String>),
}

impl OwnCommand {
    /// The command as shell text.
    pub(super) fn written(&self, program: &str) -> String {
        let program = quoted(program);
        match self {
            OwnCommand::Hook => format!("{program} hook"),
            OwnCommand::StatusLine(None) => format!("{program} statusline"),
            OwnCommand::StatusLine(Some(then)) => {
                format!("{program} statusline --then {}", quoted(then))
            }
        }
    }

    /// The program and the command, if it is written exactly as above, or as
    /// people write it: `annals hook`.
    pub(super) fn read(command: &str) -> Option<(String, OwnCommand)> {
        let (program, rest) = program_of(command)?;
        let own = match rest {
            " hook" => OwnCommand::Hook,
            " statusline" => OwnCommand::StatusLine(None),
            rest => {
                let (then, rest) = unquoted(rest.strip_prefix(" statusline --then ")?)?;
                rest.is_empty().then_some(OwnCommand::StatusLine(Some(then)))?
            }
        };
        Some((program, own))
    }
}

/// Whether the command runs annals with this subcommand, whatever options
/// follow.
pub(super) fn calls(command: &str, own: &str) -> bool {
    program_of(command.trim_start()).is_some_and(|(program, rest)| {
        let end = |it: char| it.is_whitespace() || matches!(it, ';' | '|' | '&' | '>' | '<');
        is_annals(&program) && rest.trim_start().split(end).next() == Some(own)
    })
}

/// The program at the beginning, quoted or plain, and the rest. Of plain
/// programs, only one named annals is recognized.
fn program_of(command: &str) -> Option<(String, &str)> {
    unquoted(command).or_else(|| {
        let (word, _) = command.split_once(' ')?;
        let is_plain = |it: char| it.is_alphanumeric() || "/._-+@~".contains(it);
        let is_known = word.chars().all(is_plain) && is_annals(word);
        is_known.then(|| (word.to_owned(), &command[word.len()..]))
    })
}

/// Whether a program is named annals, in any folder.
pub(super) fn is_annals(program: &str) -> bool {
    Path::new(program).file_name().is_some_and(|name| name == "annals")
}

/// Always quoted, so that it can be parsed back.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The quoted word at the beginning, and the rest.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut rest = text.strip_prefix('\'')?;
    loop {
        let (part, after) = rest.split_once('\'')?;
        word += part;
        match after.strip_prefix(r"\''") {
            Some(next) => {
                word.push('\'');
                rest = next;
            }
            None => return Some((word, after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_round_trip() {
        for program in ["/usr/bin/annals", "/a b/it's/annals", "/$HOME/`x`/annals"] {
            let thens = [None, Some("~/line.sh"), Some("echo 'a' \"$(b)\" \\"), Some("''")];
            let lines = thens.map(|then| OwnCommand::StatusLine(then.map(str::to_owned)));
            for own in lines.into_iter().chain([OwnCommand::Hook]) {
                let written = own.written(program);
                assert_eq!(OwnCommand::read(&written), Some((program.to_owned(), own)));
            }
        }
    }

    #[test]
    fn commands_written_by_hand_are_recognized() {
        let line = |then: Option<&str>| OwnCommand::StatusLine(then.map(str::to_owned));
        let table = [
            ("annals hook", "annals", OwnCommand::Hook),
            ("/usr/local/bin/annals hook", "/usr/local/bin/annals", OwnCommand::Hook),
            ("~/.cargo/bin/annals statusline", "~/.cargo/bin/annals", line(None)),
            ("annals statusline --then 'x y'", "annals", line(Some("x y"))),
        ];
        for (command, program, own) in table {
            assert_eq!(OwnCommand::read(command), Some((program.to_owned(), own)), "{command}");
        }
    }

    #[test]
    fn a_call_is_recognized_whatever_its_options() {
        let table = [
            ("annals hook", true),
            ("annals hook --recall", true),
            ("'/a b/annals' hook --recall", true),
            (" /opt/annals  hook; rm x", true),
            ("annals hook|cat", true),
            ("annals hooks", false),
            ("annals statusline", false),
            ("other hook", false),
            ("annals", false),
            ("", false),
        ];
        for (command, expected) in table {
            assert_eq!(calls(command, "hook"), expected, "{command}");
        }
    }

    #[test]
    fn a_shell_parses_the_quoted_words() {
        let then = "printf 'it'\\''s' \"$HOME\"";
        let written = OwnCommand::StatusLine(Some(then.to_owned())).written("/a 'b'/annals");
        let script = format!("for word in {written}; do printf '%s\\n' \"$word\"; done");
        let shell = std::process::Command::new("sh").args(["-c", &script]).output().expect("sh");
        let words = String::from_utf8(shell.stdout).expect("text");
        assert_eq!(words, format!("/a 'b'/annals\nstatusline\n--then\n{then}\n"));
    }

    #[test]
    fn commands_with_other_options_are_not_ours() {
        let table = [
            "",
            "hook",
            "annals",
            "annals hooks",
            "annals hook --recall",
            "annals hook; rm x",
            "other hook",
            "/usr/bin/other hook",
            "$HOME/annals hook",
            "annals statusline --template x",
            "'/usr/bin/annals'",
            "'/usr/bin/annals' hook ",
            "'/usr/bin/annals' hook; rm x",
            "'/usr/bin/annals",
            "'/usr/bin/annals' statusline --then x",
            "'/usr/bin/annals' statusline --then 'x' y",
        ];
        for command in table {
            assert_eq!(OwnCommand::read(command), None, "{command}");
        }
    }
}
