//! The shells that people paste commands into.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// A shell, and how it runs a text without the settings of the person.
#[derive(Clone, Copy, Debug)]
pub struct Shell {
    name: &'static str,
    arguments: &'static [&'static str],
}

/// zsh is there twice: `rcquotes` changes what a quote next to a quote is.
const SHELLS: [Shell; 5] = [
    Shell { name: "sh", arguments: &["-c"] },
    Shell { name: "bash", arguments: &["--norc", "--noprofile", "-c"] },
    Shell { name: "zsh", arguments: &["-f", "-c"] },
    Shell { name: "zsh", arguments: &["-f", "-o", "rcquotes", "-o", "extendedglob", "-c"] },
    Shell { name: "fish", arguments: &["--no-config", "-c"] },
];

/// Texts that one shell or another reads as more than a word, or as another word.
pub const HOSTILE_WORDS: [&str; 40] = [
    " ",
    "it's",
    "'",
    "''",
    "'''",
    "\\",
    "\\\\",
    "\\'",
    "'\\",
    "\\'; touch x; #",
    "'; touch x; '",
    "\"; touch x; \"",
    "\\\"; touch x; \\\"",
    "$(touch x)",
    "`touch x`",
    "(touch x)",
    "<(touch x)",
    "a;touch x",
    "a&touch x",
    "a|touch x",
    "a\ntouch x\n",
    ">x",
    "$HOME ${HOME} $0",
    "!!",
    "!touch ^a^b",
    "~",
    "~root",
    "-rf",
    "--help",
    "=ls",
    "%1",
    "#x",
    "*",
    "[a-z]?",
    "{a,b}",
    "\\n\\t\\x41\\u0041\\",
    "a\tb\u{b}\u{7f}",
    "tide\u{a0}pöl 🌊 日本 ‘x’ “y”",
    "\u{fdd0}\u{fdef}\u{fffe}\u{feff}\u{e000}",
    "a\u{202e}b\u{2028}c",
];

impl Shell {
    /// The shells that are installed; says on standard error which are not.
    pub fn installed() -> Vec<Shell> {
        #[expect(clippy::disallowed_methods, reason = "looks for programs as a shell does")]
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let is_installed = |shell: &Shell| {
            std::env::split_paths(&folders).any(|folder| folder.join(shell.name).is_file())
        };
        let (installed, missing): (Vec<_>, Vec<_>) = SHELLS.into_iter().partition(is_installed);
        for shell in missing {
            let _ = writeln!(std::io::stderr(), "SKIPPED: {} is not installed", shell.name);
        }
        assert!(installed.iter().any(|shell| shell.name == "sh"), "every system has sh");
        installed
    }

    /// What it prints for a text, in an empty folder that has to stay empty. Programs of
    /// `home`'s folder `bin` come first.
    pub fn run(self, text: &str, home: &Path) -> String {
        let folder = tempfile::tempdir().expect("a temporary folder");
        #[expect(clippy::disallowed_methods, reason = "a shell needs the programs of the system")]
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(home.join("bin")).chain(std::env::split_paths(&path));
        let path = std::env::join_paths(path).expect("a search path");
        let mut command = Command::new(self.name);
        command.args(self.arguments).arg(text).current_dir(folder.path()).stdin(Stdio::null());
        // fish decodes what it reads, and keeps its history below the home.
        command.env_clear().env("PATH", path).env("HOME", home).env("LC_ALL", "C.UTF-8");
        let output = command.output().expect("a shell");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{self:?} {text}: {errors}");
        let made = fs::read_dir(folder.path()).expect("the folder").count();
        assert_eq!(made, 0, "{self:?} {text}");
        String::from_utf8(output.stdout).expect("text")
    }
}

/// Makes a program in `home`'s folder `bin` that prints its folder and its words, each ended by
/// NUL.
pub fn printing_program(home: &Path, name: &str) {
    let program = home.join("bin").join(name);
    fs::create_dir_all(home.join("bin")).expect("a folder");
    // The dot keeps line breaks at the end of the folder's name.
    let script = "#!/bin/sh\nprintf '%s\\0' \"$(pwd; printf .)\" \"$@\"\n";
    fs::write(&program, script).expect("a script");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a program");
}

/// What [`printing_program`] prints in a folder for these words.
pub fn printed(folder: &str, words: &[&str]) -> String {
    let words = words.iter().fold(String::new(), |all, word| all + word + "\0");
    format!("{folder}\n.\0{words}")
}
