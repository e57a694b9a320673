//! The list of measurements, in the order of the table.
//!
//! Each row of annals comes with reference programs that do the minimum the job needs, so
//! that figures are meaningful on any machine. Deliberately not here: how a row is run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::measurement::{Measured, Measurement, Target, Work};
use super::survey::Survey;
use crate::workspace::Workspace;

/// How much of the store the slow Python reference reads.
const PYTHON_BYTES: u64 = 50_000_000;

const PYTHON_SCRIPT: &str = "\
import json, os, sys
left = int(sys.argv[2])
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        if name.endswith('.jsonl') and left > 0:
            for line in open(os.path.join(folder, name), 'rb'):
                left -= len(line)
                if left <= 0: break
                try: json.loads(line)
                except ValueError: pass
";

pub(super) fn list(workspace: &Workspace, store: &Path, survey: &Survey) -> Vec<Measurement> {
    let example = |name: &str| {
        let program = workspace.target.join("release/examples").join(name);
        Work::Command(vec![program.into(), store.join("projects").into()].into())
    };
    let list = List { annals: workspace.target.join("release/annals"), store };
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

    /// Only listing: the same condition as in `find`, without a shell.
    fn find(&self) -> Measurement {
        let mut command: Vec<OsString> = vec!["find".into(), self.store.into()];
        command.extend(["-type", "f", "-name", "*.jsonl", "-size", "+0"].map(OsString::from));
        reference("ls/find", &find("").replace("\"$0\"", "STORE"), command, None)
    }

    /// A reference that needs a pipe: `sh` with the store as `$0`.
    fn shell(&self, name: &'static str, script: &str, bytes: Option<u64>) -> Measurement {
        let command: [OsString; 4] = ["sh".into(), "-c".into(), script.into(), self.store.into()];
        reference(name, &script.replace("\"$0\"", "STORE"), command, bytes)
    }

    /// Other counters of usage, where they are installed.
    fn peers(&self, bytes: Option<u64>) -> Vec<Measurement> {
        // Both write files or use the network, so they get a separate folder and store.
        const CCOST: &str = "cd \"$(mktemp -d)\" && ccost --claude-dir \"$0\" --per model --cost decimal --output json --filename o.json";
        const CCUSAGE: &str = "CLAUDE_CONFIG_DIR=\"$0\" ccusage claude daily --offline --json";
        let peers = [("usage/ccost", "ccost", CCOST), ("usage/ccusage", "ccusage", CCUSAGE)];
        let installed = peers.into_iter().filter(|(_, program, _)| is_installed(program));
        installed.map(|(name, _, script)| self.shell(name, script, bytes)).collect()
    }

    /// Patterns in every text: one that matches nothing, with and without case; one that
    /// requires no character, so that everything is decoded; one that matches everywhere.
    /// For comparison, a tool that only searches bytes, if it is installed.
    fn grep(&self, bytes: Option<u64>) -> Vec<Measurement> {
        const RARE: &str = "quokka zither";
        const SHAPE: &str = "[A-Z]{5}[0-9]{7}";
        let or_nothing = |row| Measurement { bytes, ..or_nothing(row) };
        let rg = |name, arguments: &[&str]| {
            let files = ["--no-ignore", "--hidden", "-g", "*.jsonl"];
            let mut command: Vec<OsString> = vec!["rg".into()];
            command.extend(files.iter().chain(arguments).map(OsString::from));
            command.push(self.store.into());
            let shown = format!("rg --no-ignore --hidden {} STORE", arguments.join(" "));
            or_nothing(reference(name, &shown, command, bytes))
        };
        let own = |name, arguments: &[&str]| {
            or_nothing(self.annals(name, &[&["grep"], arguments].concat(), 2.5))
        };
        let mut rows = vec![
            own("grep/rare", &["-F", RARE]),
            own("grep/rare-any-case", &["-F", "-i", RARE]),
            own("grep/shape", &[SHAPE]),
            own("grep/common", &["-c", "the"]),
            Measurement {
                target: Target::Parse { megabytes_per_second: 50.0, memory_below: 100_000_000 },
                ..own("grep/everything", &["e", "--json"])
            },
        ];
        if is_installed("rg") {
            rows.extend([
                rg("grep/rg-rare", &["-c", "-F", RARE]),
                rg("grep/rg-rare-any-case", &["-c", "-F", "-i", RARE]),
                rg("grep/rg-shape", &["-c", SHAPE]),
                rg("grep/rg-common", &["-c", "the"]),
            ]);
        }
        rows
    }

    /// The index: built for the first time, its size, and searched. The warm-up run builds
    /// the index that is searched.
    fn index(&self, indexed: &Path, bytes: Option<u64>) -> Vec<Measurement> {
        let ask = |name, arguments: &[&str], seconds| {
            at_home(indexed, or_nothing(self.annals(name, arguments, seconds)))
        };
        let build = Target::Parse { megabytes_per_second: 90.0, memory_below: 256 << 20 };
        vec![
            Measurement {
                target: build,
                bytes,
                ..or_nothing(self.annals("index/build", &["search", "--wait", "quokka"], 0.0))
            },
            ask("index/rare", &["search", "zither"], 0.020),
            ask("index/common", &["search", "the"], 0.040),
            ask("index/phrase", &["search", "\"the file\""], 0.050),
            ask("index/fields", &["search", "error", "tool:Bash", "role:tool_result"], 0.050),
            ask("index/usage", &["usage", "--json"], 0.060),
            ask("index/ls", &["ls", "--hidden", "--json", "--limit", "0"], 0.2),
            Measurement {
                name: "index/size",
                shown: "index.db".to_owned(),
                work: Work::FileSize(indexed.join("index.db")),
                target: Target::SizeBelow { bytes: bytes.unwrap_or_default() * 15 / 100 },
                bytes: None,
            },
        ]
    }

    /// Archiving the store: for the first time, and again without changes.
    fn archive(&self, archived: &Path, bytes: Option<u64>) -> Vec<Measurement> {
        let sync = |name| Measurement { bytes, ..self.annals(name, &["archive", "sync"], 0.03) };
        // The warm-up run is the first sync of this folder.
        let again =
            |name, arguments: &[&str]| at_home(archived, self.annals(name, arguments, 0.03));
        let target = Target::Parse { megabytes_per_second: 80.0, memory_below: 128_000_000 };
        let mut rows = vec![
            Measurement { target, ..sync("archive/first") },
            again("archive/again", &["archive", "sync"]),
            Measurement {
                target: Target::None,
                bytes,
                ..again("archive/verify", &["archive", "verify", "--deep"])
            },
        ];
        if is_installed("zstd") {
            let script = find(" -print0 | xargs -0 cat | zstd -3 -T1 -c > /dev/null");
            rows.push(self.shell("archive/zstd", &script, bytes));
        }
        rows
    }

    /// The programs that Claude Code runs: the status line and a hook of the largest
    /// session, and the MCP server up to its first answer.
    fn inside(&self, indexed: &Path, archived: &Path, survey: &Survey) -> Vec<Measurement> {
        let Some(path) = &survey.largest_path else { return Vec::new() };
        let input = json!({
            "session_id": path.file_stem().map(|stem| stem.to_string_lossy()),
            "transcript_path": path,
            "cwd": "/",
            "hook_event_name": "SessionEnd",
            "model": {"id": "claude-opus-5-5", "display_name": "Opus 5.5"},
        });
        let greeting = json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "bench", "version": "1"},
            },
        });
        let row = |name, word| self.annals(name, &[word], 0.0);
        let below = |seconds, row| Measurement { target: Target::CpuBelow { seconds }, ..row };
        vec![
            below(
                0.015,
                at_home(
                    indexed,
                    reading(input.to_string(), row("inside/statusline", "statusline")),
                ),
            ),
            below(0.050, at_home(archived, reading(input.to_string(), row("inside/hook", "hook")))),
            below(0.030, reading(format!("{greeting}\n"), row("inside/mcp", "mcp"))),
        ]
    }

    /// Exports: the largest session as a page, all sessions as Markdown, and a search for
    /// secrets in all sessions.
    fn exports(&self, folder: &Path, survey: &Survey) -> Vec<Measurement> {
        let folder = folder.to_string_lossy();
        let every = ["export", "--every", "--force", "--format", "md", "--output", &*folder];
        let mut rows = vec![
            Measurement {
                shown: "annals --root STORE export --every --format md".to_owned(),
                bytes: Some(survey.transcript_bytes),
                ..self.annals("export/markdown", &every, 10.0)
            },
            Measurement {
                target: Target::Parse { megabytes_per_second: 300.0, memory_below: 128_000_000 },
                bytes: Some(survey.transcript_bytes),
                ..self.annals("export/secrets", &["doctor", "--secrets", "--json"], 0.0)
            },
        ];
        if let Some((id, bytes)) = &survey.largest_session {
            #[expect(clippy::cast_precision_loss, reason = "megabytes")]
            let seconds = 0.3 * (*bytes as f64 / 5e6).max(1.0);
            for (name, format) in [("export/html", "html"), ("export/xml", "xml")] {
                let arguments = ["export", id, "--format", format, "--output", "-"];
                rows.push(Measurement {
                    shown: format!("annals --root STORE export LARGEST --format {format}"),
                    bytes: Some(*bytes),
                    ..self.annals(name, &arguments, seconds)
                });
            }
        }
        rows
    }

    /// The official reader's list of the same store.
    fn official(&self, script: &Path) -> Measurement {
        let command: [OsString; 4] =
            ["node".into(), script.into(), self.store.into(), "--no-messages".into()];
        reference("ls/official", "listSessions of the official SDK", command, None)
    }

    fn python(&self, python: PathBuf, transcript_bytes: u64) -> Measurement {
        let command: [OsString; 5] = [
            python.into(),
            "-c".into(),
            PYTHON_SCRIPT.into(),
            self.store.into(),
            PYTHON_BYTES.to_string().into(),
        ];
        reference(
            "parse/python",
            &format!("python3 json.loads of {} MB", PYTHON_BYTES / 1_000_000),
            command,
            Some(transcript_bytes.min(PYTHON_BYTES)),
        )
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
