//! The commands that settings get: quoted for a shell, and read back.

use std::path::Path;

/// A command of annals in settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OwnCommand {
    /// `annals hook`
    Hook,
    /// `annals statusline`, and the command it hands on to.
    StatusLine(Option<String>),
}

impl OwnCommand {
    /// The command as a shell takes it.
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

    /// The program and the command, if it is written exactly as above.
    pub(super) fn read(command: &str) -> Option<(String, OwnCommand)> {
        let (program, rest) = unquoted(command)?;
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

/// Whether a program is annals by its name, wherever it lies.
pub(super) fn is_annals(program: &str) -> bool {
    Path::new(program).file_name().is_some_and(|name| name == "annals")
}

/// Always in quotes, so that it can be read back.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The word that stands in quotes at the beginning, and what follows it.
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
    fn what_is_written_is_read_back() {
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
    fn a_shell_reads_the_words_that_were_meant() {
        let then = "printf 'it'\\''s' \"$HOME\"";
        let written = OwnCommand::StatusLine(Some(then.to_owned())).written("/a 'b'/annals");
        let script = format!("for word in {written}; do printf '%s\\n' \"$word\"; done");
        let shell = std::process::Command::new("sh").args(["-c", &script]).output().expect("sh");
        let words = String::from_utf8(shell.stdout).expect("text");
        assert_eq!(words, format!("/a 'b'/annals\nstatusline\n--then\n{then}\n"));
    }

    #[test]
    fn what_somebody_else_wrote_is_not_ours() {
        let table = [
            "",
            "annals hook",
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
