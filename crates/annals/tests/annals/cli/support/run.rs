//! Runs the binary in a sandbox, and reads its output.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use testkit::{Line, Sandbox, assistant, session_id, user};

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) bytes: Vec<u8>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Answer {
    fn of(output: Output) -> Answer {
        Answer {
            code: output.status.code().expect("an exit, not a signal"),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            bytes: output.stdout,
        }
    }

    /// The JSON document it printed.
    pub(crate) fn json(&self) -> Value {
        crate::cli::commands::documents::assert_reads_back(&self.out);
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// The output of a run that must succeed without errors or warnings.
    pub(crate) fn done(self) -> Self {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self
    }

    /// The error of a run that must end with this exit code and no output.
    pub(crate) fn complaint(&self, code: i32) -> &str {
        assert_eq!((self.code, self.out.as_str()), (code, ""), "{}", self.err);
        assert!(!self.err.is_empty(), "an exit of {code} says why");
        &self.err
    }

    /// The ids of the sessions it lists, sorted.
    pub(crate) fn ids(&self) -> Vec<String> {
        let document = self.json();
        let sessions = document["sessions"].as_array().expect("a list of sessions");
        let mut ids: Vec<_> = sessions.iter().map(|session| text(&session["id"])).collect();
        ids.sort();
        ids
    }
}

/// Runs a command.
pub(crate) fn run(command: &mut Command) -> Answer {
    Answer::of(command.output().unwrap())
}

/// Runs a command with this standard input, which is then closed.
pub(crate) fn fed(command: &mut Command, input: &[u8]) -> Answer {
    use std::io::Write as _;
    let piped = || Stdio::piped();
    let mut child = command.stdin(piped()).stdout(piped()).stderr(piped()).spawn().unwrap();
    // A command that has read enough closes it.
    let _ = child.stdin.take().unwrap().write_all(input);
    Answer::of(child.wait_with_output().unwrap())
}

/// The binary with arguments, in a sandbox.
pub(crate) fn command(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = sandbox.command(testkit::program!("annals"));
    command.args(arguments);
    command
}

/// The result of the binary in a sandbox.
pub(crate) fn annals(sandbox: &Sandbox, arguments: &[&str]) -> Answer {
    run(&mut command(sandbox, arguments))
}

/// The result on the demo store, with the store's path replaced by `[ROOT]`. The store is
/// removed afterwards.
pub(crate) fn demo(arguments: &[&str]) -> Answer {
    let sandbox = Sandbox::new();
    let folder = sandbox.path().join("temporary");
    std::fs::create_dir(&folder).unwrap();
    let mut answer = run(command(&sandbox, &["--demo"]).args(arguments).env("TMPDIR", &folder));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "the made-up store stayed behind");
    let prefix = format!("{}/annals-demo-", folder.display());
    let start = answer.out.find(&prefix).map(|at| answer.out[at..at + prefix.len() + 6].to_owned());
    if let Some(start) = start {
        answer.out = answer.out.replace(&start, "[ROOT]");
        answer.bytes = answer.out.clone().into_bytes();
    }
    answer
}

/// Text with a sandbox's path replaced by `[ROOT]`.
pub(crate) fn filtered(sandbox: &Sandbox, text: &str) -> String {
    text.replace(&sandbox.path().display().to_string(), "[ROOT]")
}

/// A JSON string.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string")).to_owned()
}

/// Asserts that an object has all these members.
pub(crate) fn assert_members(object: &Value, names: &str) {
    let object = object.as_object().expect("an object");
    for name in names.split_whitespace() {
        assert!(object.contains_key(name), "{name} is missing from {object:?}");
    }
}

/// A prompt and its answer, in a folder.
pub(crate) fn exchange(number: u32, cwd: &str, prompt: &str) -> Vec<Line> {
    let id = session_id(number);
    let uuid = |half: u32| format!("{number:08x}-aaaa-4000-8000-{half:012x}");
    vec![
        user(prompt).with("sessionId", id.clone()).cwd(cwd).link(&uuid(1), None),
        assistant("Certainly.").with("sessionId", id).cwd(cwd).link(&uuid(2), Some(&uuid(1))),
    ]
}

/// Writes a session of one exchange.
pub(crate) fn session(
    sandbox: &Sandbox,
    number: u32,
    cwd: &str,
    prompt: &str,
) -> std::path::PathBuf {
    sandbox.session(cwd, &session_id(number), exchange(number, cwd, prompt))
}

/// Sets a file's modification time.
pub(crate) fn modified(sandbox: &Sandbox, path: &Path, moment: &str) {
    let moment: jiff::Timestamp = moment.parse().unwrap();
    sandbox.set_modified(path, moment.as_second());
}

/// A prompt history: text, second and session of each prompt.
pub(crate) fn history(entries: &[(&str, i64, u32)]) -> String {
    let lines = entries.iter().map(|(display, seconds, number)| {
        serde_json::json!({"display": display, "timestamp": seconds * 1000, "project": "/home/ada/tidepool", "sessionId": session_id(*number)}).to_string() + "\n"
    });
    lines.collect()
}
