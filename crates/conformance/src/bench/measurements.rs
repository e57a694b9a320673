//! The list of measurements, in the order of the table.
//!
//! Each row of annals comes with reference programs that do the minimum the job needs, so
//! that figures are meaningful on any machine. Rows of one subject are in the files below.
//!
//! Deliberately not here: how a row is run.

mod read;
mod references;
mod stored;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::workspace::Workspace;

use super::survey::Survey;

#[derive(Debug)]
pub(super) struct Measurement {
    /// The name for `--only`; rows of one group share the part before the slash.
    pub(super) name: &'static str,
    /// The command as the table shows it.
    pub(super) shown: String,
    pub(super) work: Work,
    pub(super) target: Target,
    /// The number of bytes the command reads, if a rate makes sense for it.
    pub(super) bytes: Option<u64>,
}

#[derive(Debug)]
pub(super) enum Work {
    Command(Measured),
    FileSize(PathBuf),
    /// The store lacks something that this measurement needs.
    Impossible(String),
}

/// A command, and how its runs are measured.
#[derive(Debug, Clone, Default)]
pub(super) struct Measured {
    pub(super) words: Vec<OsString>,
    /// The annals home that all runs share; `None` gives each run a new one.
    pub(super) home: Option<PathBuf>,
    /// Whether exit code 1 (nothing found) counts as success.
    pub(super) may_find_nothing: bool,
    /// Its standard input.
    pub(super) input: String,
}

impl Measured {
    /// The same command with another annals binary, which has its own homes: an index of
    /// one version may not be one of the other. `None` for a reference program.
    pub(super) fn with_binary(&self, own: &Path, other: &Path) -> Option<Measured> {
        let [program, arguments @ ..] = &self.words[..] else { return None };
        let mut words = vec![other.into()];
        words.extend_from_slice(arguments);
        let home = self.home.as_ref().map(|home| {
            let mut home = home.clone().into_os_string();
            home.push("-beside");
            home.into()
        });
        (Path::new(program) == own).then(|| Measured { words, home, ..self.clone() })
    }
}

impl From<Vec<OsString>> for Measured {
    fn from(words: Vec<OsString>) -> Self {
        Measured { words, ..Measured::default() }
    }
}

/// The target on the store of 500 MB.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Target {
    None,
    /// No target; measured only for comparison.
    Reference,
    CpuBelow {
        seconds: f64,
    },
    Parse {
        megabytes_per_second: f64,
        memory_below: u64,
    },
    SizeBelow {
        bytes: u64,
    },
}

pub(super) fn list(
    workspace: &Workspace,
    annals: PathBuf,
    store: &Path,
    survey: &Survey,
) -> Vec<Measurement> {
    let example = |name: &str| {
        let program = workspace.target.join("dist/examples").join(name);
        if !program.exists() {
            return Work::Impossible(format!("the example {name} is not built"));
        }
        Work::Command(vec![program.into(), store.join("projects").into()].into())
    };
    let list = List { annals, store };
    let all = Some(survey.transcript_bytes);
    let parse = Target::Parse {
        megabytes_per_second: 250.0,
        memory_below: 64_000_000 + survey.longest_line,
    };
    let largest_bytes = survey.largest_session.as_ref().map_or(0, |(_, bytes)| *bytes);
    let mut rows = vec![
        list.start(),
        reference("start/true", "true", ["true".into()], None),
        list.annals("ls/json", &["ls", "--hidden", "--json", "--limit", "0"], 0.1),
        list.annals("ls/table", &["ls", "--hidden", "--limit", "0"], 0.1),
        list.find(),
        list.shell(
            "ls/head-tail",
            &format!(
                "{}; {}",
                find(" -print0 | xargs -0 head -q -c 65536"),
                find(" -print0 | xargs -0 tail -q -c 65536")
            ),
            None,
        ),
        list.session("session/show", survey.smallest_session.as_deref(), "SESSION", |id| {
            vec!["show", id, "--raw", "--limit", "1"]
        }),
        list.session("session/where", survey.working_directory.as_deref(), "PATH", |path| {
            vec!["where", path]
        }),
        Measurement {
            name: "parse/full",
            shown: "parse STORE/projects".to_owned(),
            work: example("parse"),
            target: parse,
            bytes: all,
        },
        list.conversation(survey),
        Measurement {
            name: "conversation/build",
            shown: "conversations STORE/projects".to_owned(),
            work: example("conversations"),
            target: Target::Parse {
                megabytes_per_second: 150.0,
                // One session per thread, with at least two threads.
                memory_below: 16_000_000 + 2 * 4 * largest_bytes,
            },
            bytes: all,
        },
        Measurement {
            target: Target::Parse {
                // Half the time of the fastest peer on an idle machine.
                megabytes_per_second: 840.0,
                memory_below: 64_000_000,
            },
            bytes: all,
            ..list.annals("usage/daily", &["usage", "daily", "--json", "--no-index"], 0.0)
        },
        Measurement {
            target: Target::None,
            bytes: all,
            ..list.annals("usage/session", &["usage", "session", "--json"], 0.0)
        },
        list.shell("parse/wc", &find(" -print0 | xargs -0 wc -l"), all),
        list.shell("parse/cat", &find(" -print0 | xargs -0 cat"), all),
    ];
    // Present once `cargo xtask oracle` has downloaded it.
    let official = workspace.target.join("oracle/oracle.mjs");
    if official.is_file() {
        rows.insert(6, list.official(&official));
    }
    rows.extend(list.peers(all));
    rows.extend(find_python().map(|python| list.python(python, survey.transcript_bytes)));
    rows.push(Measurement {
        target: Target::None,
        ..list.annals("doctor", &["doctor", "--json"], 0.0)
    });
    rows.extend(list.grep(all));
    let (indexed, archived) =
        (workspace.target.join("bench/indexed"), workspace.target.join("bench/kept"));
    rows.extend(list.index(&indexed, all));
    rows.extend(list.archive(&archived, all));
    rows.extend(list.inside(&indexed, &archived, survey));
    rows.extend(list.exports(&workspace.target.join("bench/exported"), survey));
    rows.push(Measurement {
        name: "size",
        shown: "annals".to_owned(),
        work: Work::FileSize(list.annals.clone()),
        // 8 MB for the reading commands; the archive with zstd, redaction, exported pages,
        // SQLite and the MCP server were added later.
        target: Target::SizeBelow { bytes: 18_000_000 },
        bytes: None,
    });
    rows
}

/// Every transcript that is not empty; `$0` is the store.
fn find(rest: &str) -> String {
    format!("find \"$0\" -type f -name '*.jsonl' -size +0{rest}")
}

/// The path of the interpreter itself: the `python3` on PATH may be a wrapper script, which
/// would be measured too.
pub(super) fn find_python() -> Option<PathBuf> {
    let mut command = Command::new("python3");
    let output = command.args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !path.trim().is_empty()).then(|| path.trim().into())
}

/// A command for which exit code 1 (nothing found) counts as success.
fn or_nothing(row: Measurement) -> Measurement {
    let Work::Command(command) = row.work else { return row };
    Measurement { work: Work::Command(Measured { may_find_nothing: true, ..command }), ..row }
}

/// A command whose runs share an annals home.
fn at_home(home: &Path, row: Measurement) -> Measurement {
    let Work::Command(command) = row.work else { return row };
    let home = Some(home.to_owned());
    Measurement { work: Work::Command(Measured { home, ..command }), ..row }
}

/// A command that reads this input.
fn reading(input: String, row: Measurement) -> Measurement {
    let Work::Command(command) = row.work else { return row };
    Measurement { work: Work::Command(Measured { input, ..command }), ..row }
}

struct List<'a> {
    annals: PathBuf,
    store: &'a Path,
}

impl List<'_> {
    fn start(&self) -> Measurement {
        Measurement {
            name: "start/version",
            shown: "annals --version".to_owned(),
            work: Work::Command(vec![self.annals.clone().into(), "--version".into()].into()),
            target: Target::CpuBelow { seconds: 0.003 },
            bytes: None,
        }
    }

    fn annals(&self, name: &'static str, arguments: &[&str], seconds: f64) -> Measurement {
        let mut command: Vec<OsString> =
            vec![self.annals.clone().into(), "--root".into(), self.store.into()];
        command.extend(arguments.iter().map(OsString::from));
        Measurement {
            name,
            shown: format!("annals --root STORE {}", arguments.join(" ")),
            work: Work::Command(command.into()),
            target: Target::CpuBelow { seconds },
            bytes: None,
        }
    }

    /// A command with a value from the store. The table is published, so the value does not
    /// appear in it.
    fn session<'a>(
        &self,
        name: &'static str,
        found: Option<&'a str>,
        placeholder: &'a str,
        arguments: fn(&'a str) -> Vec<&'a str>,
    ) -> Measurement {
        let shown = self.annals(name, &arguments(placeholder), 0.005);
        match found {
            Some(found) => {
                Measurement { shown: shown.shown, ..self.annals(name, &arguments(found), 0.005) }
            }
            None => Measurement {
                work: Work::Impossible("the store has no session this can be tried on".to_owned()),
                ..shown
            },
        }
    }

    /// The largest session for reading: 60 ms for 5 MB.
    fn conversation(&self, survey: &Survey) -> Measurement {
        #[expect(clippy::cast_precision_loss, reason = "megabytes")]
        let target = |bytes: u64| 0.060 * (bytes as f64 / 5e6).max(1.0);
        match &survey.largest_session {
            Some((id, bytes)) => Measurement {
                shown: "annals --root STORE show LARGEST".to_owned(),
                bytes: Some(*bytes),
                ..self.annals("conversation/show", &["show", id], target(*bytes))
            },
            None => Measurement {
                work: Work::Impossible("the store has no session this can be tried on".to_owned()),
                ..self.annals("conversation/show", &["show", "LARGEST"], target(0))
            },
        }
    }
}

/// Whether a program is on the path.
fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn reference(
    name: &'static str,
    shown: &str,
    command: impl Into<Vec<OsString>>,
    bytes: Option<u64>,
) -> Measurement {
    Measurement {
        name,
        shown: shown.to_owned(),
        work: Work::Command(command.into().into()),
        target: Target::Reference,
        bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_binary_runs_the_same_command_in_its_own_home() {
        let (own, other) = (Path::new("/new/annals"), Path::new("/old/annals"));
        let command = Measured {
            words: vec![own.into(), "ls".into()],
            home: Some("/homes/indexed".into()),
            ..Measured::default()
        };
        let beside = command.with_binary(own, other).expect("a command of annals");
        assert_eq!(beside.words, [OsString::from("/old/annals"), "ls".into()]);
        assert_eq!(beside.home, Some("/homes/indexed-beside".into()));
        let reference = Measured::from(vec!["true".into()]);
        assert!(reference.with_binary(own, other).is_none());
    }
}
