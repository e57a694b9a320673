//! The commands that `setup` writes into settings: quoted for a shell, and
//! parsed back.
//!
//! A command first checks that its program still exists, so that uninstalling annals never
//! breaks Claude Code: a hook then ends with success and in silence, and a status line that
//! was there before runs alone again.

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
            OwnCommand::Hook => format!("{IF_GONE}{program}{PASS}{program} hook"),
            OwnCommand::StatusLine(None) => format!("{IF_GONE}{program}{PASS}{program} statusline"),
            OwnCommand::StatusLine(Some(then)) => {
                let own = format!("{program} statusline --then {}", quoted(then));
                format!("{IF_THERE}{program}{REPLACE_SHELL}{own}; {then}")
            }
        }
    }

    /// The program and the command, if it is written exactly as above, as earlier versions
    /// wrote it (without the check), or as people write it: `annals hook`.
    pub(super) fn read(command: &str) -> Option<(String, OwnCommand)> {
        let (program, rest) = program_of(without_check(command))?;
        let own = match rest {
            " hook" => OwnCommand::Hook,
            " statusline" => OwnCommand::StatusLine(None),
            rest => {
                let (then, rest) = unquoted(rest.strip_prefix(" statusline --then ")?)?;
                let end = if is_checked(command) { format!("; {then}") } else { String::new() };
                (rest == end).then_some(OwnCommand::StatusLine(Some(then)))?
            }
        };
        let written = own.written(&program);
        let is_ours = !is_checked(command) || written == command;
        is_ours.then_some((program, own))
    }
}

// The parts of the checks, around the quoted program.
const IF_GONE: &str = "[ ! -x ";
const PASS: &str = " ] || ";
const IF_THERE: &str = "[ -x ";
const REPLACE_SHELL: &str = " ] && exec ";

/// Whether a command begins with a check.
fn is_checked(command: &str) -> bool {
    without_check(command).len() != command.len()
}

/// A command without the check at its beginning.
fn without_check(command: &str) -> &str {
    let behind = |start: &str, end: &str| {
        let (_, rest) = unquoted(command.strip_prefix(start)?)?;
        rest.strip_prefix(end)
    };
    behind(IF_GONE, PASS).or_else(|| behind(IF_THERE, REPLACE_SHELL)).unwrap_or(command)
}

/// Whether the command runs annals with this subcommand, whatever options
/// follow.
pub(super) fn calls(command: &str, own: &str) -> bool {
    called_program(command, own).is_some()
}

/// The annals program that the command runs with this subcommand, whatever options follow.
pub(super) fn called_program(command: &str, own: &str) -> Option<String> {
    let (program, rest) = program_of(without_check(command.trim_start()))?;
    let end = |it: char| it.is_whitespace() || matches!(it, ';' | '|' | '&' | '>' | '<');
    let is_called = is_annals(&program) && rest.trim_start().split(end).next() == Some(own);
    is_called.then_some(program)
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
            // As versions before the check wrote them.
            ("'/a b/annals' hook", "/a b/annals", OwnCommand::Hook),
            ("'/a/annals' statusline --then 'x'", "/a/annals", line(Some("x"))),
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
            ("[ ! -x '/a b/annals' ] || '/a b/annals' hook --recall", true),
            ("[ ! -x '/a b/annals' ] || echo hook", false),
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
        let words = without_check(&written).strip_suffix(&format!("; {then}")).expect("its end");
        let script = format!("for word in {words}; do printf '%s\\n' \"$word\"; done");
        let (words, _) = run(&script, "");
        assert_eq!(words, format!("/a 'b'/annals\nstatusline\n--then\n{then}\n"));
    }

    /// What a shell prints for a command with this input, and whether it succeeds.
    fn run(script: &str, input: &str) -> (String, bool) {
        use std::io::Write as _;
        use std::process::{Command, Stdio};
        let mut shell = Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("sh");
        let written = shell.stdin.take().expect("a pipe").write_all(input.as_bytes());
        // A command that does not read its input may end before it is written.
        drop(written);
        let output = shell.wait_with_output().expect("output");
        let (out, err) = (output.stdout, output.stderr);
        (String::from_utf8([out, err].concat()).expect("text"), output.status.success())
    }

    #[test]
    fn a_command_without_its_program_succeeds_in_silence_or_runs_the_former_one() {
        let gone = "/nowhere/it's gone/annals";
        for own in [OwnCommand::Hook, OwnCommand::StatusLine(None)] {
            assert_eq!(run(&own.written(gone), "{}"), (String::new(), true), "{own:?}");
        }
        let line = OwnCommand::StatusLine(Some("printf 'mine: '; cat".to_owned()));
        assert_eq!(run(&line.written(gone), "{}"), ("mine: {}".to_owned(), true));
    }

    #[test]
    fn a_command_with_its_program_runs_only_that() {
        let table = [
            (OwnCommand::Hook, "hook"),
            (OwnCommand::StatusLine(None), "statusline"),
            (OwnCommand::StatusLine(Some("echo no".to_owned())), "statusline --then echo no"),
        ];
        for (own, expected) in table {
            let printed = run(&own.written("/bin/echo"), "");
            assert_eq!(printed, (format!("{expected}\n"), true), "{own:?}");
        }
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
            "[ ! -x '/usr/bin/annals' ] || '/opt/annals' hook",
            "[ ! -x '/usr/bin/annals' ] || '/usr/bin/annals' hook; rm x",
            "[ -x '/usr/bin/annals' ] && exec '/usr/bin/annals' hook",
            "[ -x '/usr/bin/annals' ] && exec '/usr/bin/annals' statusline --then 'x'; y",
        ];
        for command in table {
            assert_eq!(OwnCommand::read(command), None, "{command}");
        }
    }
}
