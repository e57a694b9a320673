//! Secrets in names: of project folders, working directories, branches, files and tools. With
//! masking on, no command prints one, in no format and in no error, and the index has none.

use crate::cli::support::exercises::{
    home_writing_calls, reading_calls, refused_calls, with_folder,
};
use crate::cli::support::run::{annals, command, run};
use serde_json::json;
use std::fs;
use testkit::{Sandbox, answered, call, session_id, user};

const ID: &str = "00000007";

/// A made-up token with this prefix; each number gives another one.
fn token(prefix: &str, length: usize, number: usize) -> String {
    const LETTERS: &[u8; 62] = b"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6kLrRtUxXzYqVwSuPoGiDcAfMn4";
    let letter = |at: usize| char::from(LETTERS[(at * 17 + number * 29 + at * at * 5) % 62]);
    let body: String = (0..length).map(letter).collect();
    format!("{prefix}{body}")
}

/// Where each secret is, and the secret. That of the project folder is also in the paths of
/// the transcripts, which the index has to open.
struct Secrets {
    folder: String,
    branch: String,
    read: String,
    edited: String,
    tool: String,
}

impl Secrets {
    fn new() -> Secrets {
        let github = |number| token("ghp_", 36, number);
        Secrets {
            folder: token("glpat-", 20, 1),
            branch: github(2),
            read: github(3),
            edited: github(4),
            tool: github(5),
        }
    }

    fn all(&self) -> [(&'static str, &str); 5] {
        [
            ("folder", &self.folder),
            ("branch", &self.branch),
            ("file that was read", &self.read),
            ("file that was edited", &self.edited),
            ("tool", &self.tool),
        ]
    }
}

fn store(secrets: &Secrets) -> Sandbox {
    let Secrets { folder, branch, read, edited, tool } = secrets;
    let cwd = format!("/w/{folder}");
    let path = format!("{cwd}/{read}.rs");
    let edit = json!({"file_path": format!("{cwd}/src/{edited}.rs"), "old_string": "a", "new_string": "b"});
    let edit_result = json!({"filePath": format!("{cwd}/src/{edited}.rs"), "oldString": "a",
        "newString": "b", "structuredPatch": [{"oldStart": 1, "oldLines": 1, "newStart": 1,
        "newLines": 1, "lines": ["-a", "+b"]}]});
    let mut lines = vec![user("Where is the kelp?")];
    let file = json!({"type": "text", "file": {"filePath": path, "content": "a"}});
    lines.extend(answered("t1", "Read", &json!({ "file_path": path }), "a", file));
    lines.extend(answered("t2", "Edit", &edit, "done", edit_result));
    lines.extend(answered("t3", &format!("mcp__{tool}__get"), &json!({"x": 1}), "no", json!({})));
    lines.push(call("msg_1", [1, 2, 3, 4]));
    lines.push(user("Thank you"));
    let lines: Vec<_> = lines
        .into_iter()
        .map(|line| {
            line.with("sessionId", session_id(7))
                .with("gitBranch", format!("fix/{branch}"))
                .cwd(&cwd)
        })
        .collect();
    let sandbox = Sandbox::new();
    sandbox.session(&cwd, &session_id(7), &lines);
    sandbox.session(&cwd, &session_id(8), [user("kelp").cwd(&cwd).session(&session_id(8))]);
    sandbox
}

/// Parts of a secret that would reveal it, in small letters.
fn pieces(secret: &str) -> impl Iterator<Item = String> {
    let secret = secret.to_lowercase();
    let starts = (6..secret.len() - 8).step_by(3);
    starts.map(move |start| secret[start..start + 8].to_owned()).collect::<Vec<_>>().into_iter()
}

fn assert_none(secrets: &Secrets, shown: &str, what: &str) {
    let small = shown.to_lowercase();
    for (place, secret) in secrets.all() {
        for piece in pieces(secret) {
            assert!(!small.contains(&piece), "{what} shows the secret of the {place}:\n{shown}");
        }
    }
}

#[test]
fn no_command_shows_a_secret_in_a_name() {
    let secrets = Secrets::new();
    let sandbox = store(&secrets);
    let folder = sandbox.home().join("folder").display().to_string();
    let open = annals(&sandbox, &["ls", "--json"]).done().out;
    assert!(open.contains(&secrets.folder), "a person is shown what is there: {open}");
    run(command(&sandbox, &["search", "kelp"]).env("CLAUDECODE", "1")).done();
    let mut number = 0;
    for call in [reading_calls(ID), refused_calls(ID), home_writing_calls(ID)].concat() {
        let arguments = &with_folder(&call, &folder)[..];
        // A person asked for this one, and it says so.
        if arguments.contains(&"off") {
            continue;
        }
        let what = arguments.join(" ");
        let answer = run(command(&sandbox, arguments).env("CLAUDECODE", "1"));
        assert_none(&secrets, &answer.out, &format!("{what} for an agent"));
        assert_none(&secrets, &answer.err, &format!("{what} for an agent, on stderr,"));
        let asked = annals(&sandbox, &[arguments, &["--redact"]].concat());
        assert_none(&secrets, &asked.out, &format!("{what} --redact"));
        assert_none(&secrets, &asked.err, &format!("{what} --redact, on stderr,"));
        number += usize::from(answer.code == 0);
    }
    assert!(number > 80, "only {number} calls succeeded");
}

#[test]
fn index_has_no_secret_in_a_name_but_the_paths_of_transcripts() {
    let secrets = Secrets::new();
    let sandbox = store(&secrets);
    for arguments in [&["search", "kelp"][..], &["usage"], &["ls"], &["tools"], &["files"]] {
        annals(&sandbox, arguments).done();
    }
    let bytes = fs::read(sandbox.annals_home().join("index.db")).unwrap();
    let bytes = String::from_utf8_lossy(&bytes).to_lowercase();
    for (place, secret) in secrets.all() {
        for piece in pieces(secret).filter(|_| place != "folder") {
            assert!(!bytes.contains(&piece), "the file has the secret of the {place}");
        }
        let (own, _) = secret.split_at(secret.len() / 2);
        let found = annals(&sandbox, &["search", &format!("{own}*"), "--json"]);
        assert!(!found.out.contains("\"hits\":[{"), "{place}: {}", found.out);
    }
    for view in index::VIEWS {
        let query = format!("SELECT * FROM {}", view.name);
        let answer = annals(&sandbox, &["sql", &query, "--json", "--limit", "0"]).done();
        assert_none(&secrets, &answer.out, &query);
    }
}

#[test]
fn usage_with_a_secret_in_a_name_is_the_same_with_and_without_the_index() {
    let sandbox = store(&Secrets::new());
    annals(&sandbox, &["search", "kelp"]).done();
    for arguments in
        [&["usage", "project", "--json"][..], &["usage", "branch", "--json", "--redact"]]
    {
        let with = annals(&sandbox, arguments).done().out;
        let without = annals(&sandbox, &[arguments, &["--no-index"]].concat()).done().out;
        assert_eq!(with, without, "{arguments:?}");
    }
}
