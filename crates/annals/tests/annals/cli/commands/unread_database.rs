//! Databases, folders and files of apps that cannot be read: every answer says it, and nobody calls
//! their sessions deleted.

use crate::cli::commands::apps::{THREAD, codex_lines, corpus};
use crate::cli::support::run::{Answer, annals, command, run, session};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use testkit::{Sandbox, call, chained, session_id, tool_use, user};

/// A session of OpenCode.
const OWN: &str = "ses_0a1b2c3d4e5fKelpKelpKelpKe";

/// A thread, or a session of an app with ids of the same form.
const OTHER: &str = "0198f2a0-0000-7000-8000-000000000009";

fn folder(sandbox: &Sandbox) -> PathBuf {
    sandbox.home().join(".local/share/opencode")
}

/// Writes a database that SQLite cannot read.
fn damage(sandbox: &Sandbox) -> PathBuf {
    let path = folder(sandbox).join("opencode.db");
    fs::create_dir_all(folder(sandbox)).unwrap();
    fs::write(&path, "no database ".repeat(1000)).unwrap();
    path
}

/// A session in the files of an older OpenCode.
fn older_tree(sandbox: &Sandbox) {
    let write = |below: String, text: Value| {
        let path = folder(sandbox).join("storage").join(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.to_string()).unwrap();
    };
    let times = json!({"created": 1_768_000_000_000_u64, "updated": 1_768_000_000_000_u64});
    write(
        format!("session/proj/{OWN}.json"),
        json!({"id": OWN, "version": "1.1", "projectID": "proj", "directory": "/kelp", "title": "Fish", "time": times}),
    );
    write(
        format!("message/{OWN}/msg_1.json"),
        json!({"id": "msg_1", "sessionID": OWN, "role": "user", "time": times}),
    );
    write(
        "part/msg_1/prt_1.json".to_owned(),
        json!({"id": "prt_1", "sessionID": OWN, "messageID": "msg_1", "type": "text", "text": "Count the fish"}),
    );
}

fn warning(path: &Path) -> String {
    missing(path, "not a SQLite database")
}

fn missing(path: &Path, reason: &str) -> String {
    format!("sessions of OpenCode may be missing: cannot read {}: {reason}", path.display())
}

/// The warnings in the list of sessions, which the errors say too.
fn warnings(sandbox: &Sandbox) -> Vec<(String, String)> {
    let listed = annals(sandbox, &["ls", "--hidden", "--json"]);
    let said = said(&listed);
    let warnings = listed.json()["warnings"].as_array().cloned().unwrap_or_default();
    let text = |warning: &Value, name: &str| warning[name].as_str().unwrap().to_owned();
    let warnings = warnings.iter().map(|it| (text(it, "kind"), text(it, "message")));
    let warnings: Vec<_> = warnings.collect();
    let lacks_all = listed.ids().is_empty() && !warnings.is_empty();
    assert_eq!(listed.code, if lacks_all { 2 } else { 0 }, "{listed:?}");
    for (_, message) in &warnings {
        assert!(said.contains(&format!("annals: warning: {message}")), "{said}");
    }
    warnings
}

fn not_read(message: String) -> Vec<(String, String)> {
    vec![("app_not_read".to_owned(), message)]
}

/// Where a session is, as the list of the archive says.
fn archived_presence(sandbox: &Sandbox, id: &str) -> Option<String> {
    let listed = annals(sandbox, &["archive", "ls", "--json"]).json();
    let sessions = listed["sessions"].as_array().unwrap().clone();
    let own = sessions.into_iter().find(|row| row["id"] == id);
    own.map(|row| row["presence"].as_str().unwrap().to_owned())
}

/// The errors on one line.
fn said(answer: &Answer) -> String {
    answer.err.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_answer_says_that_a_database_cannot_be_read() {
    let sandbox = Sandbox::new();
    let (id, pool) = (session_id(1), "/home/ada/pool");
    let read = tool_use("t1", "Read", &json!({"file_path": "/home/ada/pool/a.rs"}));
    let lines = [user("kelp in the pool"), read, call("msg_1", [1, 2, 3, 4])];
    let own = lines.map(|line| line.cwd(pool).with("sessionId", id.as_str()));
    sandbox.session(pool, &id, chained(own));
    let path = damage(&sandbox);
    let commands: &[&[&str]] = &[
        &[],
        &["ls"],
        &["projects"],
        &["prompts"],
        &["info", &id],
        &["show", &id],
        &["show", &id, "--view", "all"],
        &["tree", &id],
        &["agents", &id],
        &["context", &id],
        &["search", "kelp"],
        &["sql", "SELECT count(*) FROM sessions"],
        &["grep", "kelp"],
        &["files"],
        &["tools"],
        &["usage"],
        &["mark"],
        &["doctor"],
        &["archive", "sync"],
        &["archive", "ls"],
    ];
    for arguments in commands {
        let shown = annals(&sandbox, arguments);
        assert_eq!(shown.code, 0, "{arguments:?}: {}", shown.err);
        let expected = format!("annals: warning: {}", warning(&path));
        assert!(said(&shown).starts_with(&expected), "{arguments:?}: {}", shown.err);
        let document = annals(&sandbox, &[*arguments, &["--json"]].concat()).json();
        let expected = json!([{
            "kind": "app_not_read",
            "app": "opencode",
            "path": path.to_str().unwrap(),
            "message": warning(&path),
        }]);
        assert_eq!(document["warnings"], expected, "{arguments:?}");
        let without = annals(&sandbox, &[&["--app", "claude"], *arguments, &["--json"]].concat());
        let without = without.done().json();
        assert_eq!(without.get("warnings"), None, "{arguments:?}");
    }
}

#[test]
fn nothing_found_beside_an_unread_database_is_a_failure_with_its_reason() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/pool", "kelp in the pool");
    annals(&sandbox, &["search", "kelp"]).done();
    assert_eq!(annals(&sandbox, &["search", "volcano"]).code, 1);
    let path = damage(&sandbox);
    let nothing = annals(&sandbox, &["search", "volcano"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (2, "No hits in what the index has.\n"));
    let reason = format!("not everything could be searched: {}", warning(&path));
    assert!(said(&nothing).ends_with(&reason), "{}", nothing.err);
    for arguments in
        [&["grep", "volcano"][..], &["grep", "-l", "volcano"], &["grep", "-c", "volcano"]]
    {
        let nothing = annals(&sandbox, arguments);
        assert_eq!(nothing.code, 2, "{arguments:?}");
        assert!(said(&nothing).ends_with(&reason), "{}", nothing.err);
    }
    for word in ["search", "grep"] {
        let without = annals(&sandbox, &[word, "volcano", "--app", "claude"]);
        assert_eq!((without.code, without.err.as_str()), (1, ""));
    }
}

#[test]
fn empty_list_beside_an_unread_database_is_a_failure_with_its_reason() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/pool", "kelp in the pool");
    annals(&sandbox, &["archive", "sync"]).done();
    let path = damage(&sandbox);
    let lists: [&[&str]; 10] = [
        &["ls", "--tag", "none"],
        &["ls", "--deleted"],
        &["ls", "--live"],
        &["projects", "--since", "2026-01-31T12:00:00Z", "--until", "2026-01-31T12:00:00Z"],
        &["prompts", "--until", "2001-01-01"],
        &["files"],
        &["tools"],
        &["usage", "--until", "2001-01-01"],
        &["usage", "limits"],
        &["archive", "ls", "--deleted"],
    ];
    for arguments in lists {
        for format in [&[][..], &["--json"], &["--csv"]] {
            let call = [arguments, format].concat();
            let nothing = annals(&sandbox, &call);
            assert_eq!(nothing.code, 2, "{call:?}: {nothing:?}");
            let reason = format!("not everything could be searched: {}", warning(&path));
            assert!(said(&nothing).ends_with(&reason), "{call:?}: {}", nothing.err);
            let whole = annals(&sandbox, &[&["--app", "claude"], &*call].concat());
            assert_eq!(whole.code, 0, "{call:?}: {whole:?}");
        }
    }
    // What was found by its name is not in another app.
    for arguments in [&["tools", "00000001"][..], &["agents", "00000001"], &["archive", "ls"]] {
        assert_eq!(annals(&sandbox, arguments).code, 0, "{arguments:?}");
    }
}

#[test]
fn empty_list_beside_a_skipped_store_is_a_failure_with_its_reason() {
    let sandbox = Sandbox::new();
    let root = sandbox.config();
    let root = root.to_str().unwrap();
    let whole = annals(&sandbox, &["ls", "--root", root]);
    assert_eq!((whole.code, whole.out.as_str()), (0, "No sessions.\n"), "{}", whole.err);
    let nothing = annals(&sandbox, &["ls", "--root", root, "--root", "/nowhere"]);
    assert_eq!(nothing.code, 2, "{nothing:?}");
    assert!(said(&nothing).contains("searched: cannot read /nowhere"), "{}", nothing.err);
}

#[test]
fn sessions_behind_an_unread_database_are_not_called_deleted() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/pool", "kelp in the pool");
    older_tree(&sandbox);
    annals(&sandbox, &["archive", "sync"]).done();
    let id = format!("opencode:{OWN}");
    let of = |arguments: &[&str]| {
        let listed = annals(&sandbox, &[arguments, &["--json"]].concat()).json();
        let sessions = listed["sessions"].as_array().unwrap().clone();
        let own = sessions.into_iter().find(|row| row["id"] == id.as_str());
        (own.map(|row| row["presence"].clone()), listed["archive"].clone())
    };
    assert_eq!(of(&["archive", "ls"]).0, Some(json!("disk")));
    // OpenCode has moved its sessions into a database that annals cannot read.
    fs::remove_dir_all(folder(&sandbox).join("storage")).unwrap();
    let path = damage(&sandbox);
    let (presence, archive) = of(&["archive", "ls"]);
    assert_eq!(presence, Some(json!("unknown")));
    assert_eq!(
        (&archive["deleted_from_disk"], &archive["unknown_on_disk"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(of(&["archive", "ls", "--deleted"]).0, None);
    assert_eq!(of(&["ls", "--deleted"]).0, None);
    let text = annals(&sandbox, &["archive", "ls"]).out;
    assert!(text.contains("unknown") && !text.contains("deleted  "), "{text}");
    assert!(text.contains("0 sessions deleted from disk, 1 may be on disk"), "{text}");
    let files = annals(&sandbox, &["archive", "ls", &id]).out;
    assert!(files.contains("unknown") && !files.contains("deleted"), "{files}");
    let info = annals(&sandbox, &["info", &id]).out;
    assert!(info.contains("unknown whether it is on disk") && !info.contains("deleted"), "{info}");
    let home = annals(&sandbox, &["--json"]).json();
    assert_eq!(home["archive_only"], 0, "{home}");
    let mut forget = command(&sandbox, &["archive", "forget", &id]);
    let question = run(&mut forget);
    assert!(said(&question).contains("OpenCode may still have its transcript"), "{}", question.err);
    // Without the database they are deleted.
    fs::remove_file(path).unwrap();
    assert_eq!(of(&["archive", "ls"]).0, Some(json!("archive")));
    assert_eq!(of(&["ls", "--deleted"]).0, Some(json!("archive")));
}

#[test]
fn database_that_is_a_link_or_a_folder_is_reported_and_its_sessions_are_unknown() {
    let sandbox = Sandbox::new();
    older_tree(&sandbox);
    annals(&sandbox, &["archive", "sync"]).done();
    fs::remove_dir_all(folder(&sandbox).join("storage")).unwrap();
    let id = format!("opencode:{OWN}");
    assert_eq!(archived_presence(&sandbox, &id).as_deref(), Some("archive"));
    let path = folder(&sandbox).join("opencode.db");
    let elsewhere = sandbox.home().join("elsewhere.db");
    fs::write(&elsewhere, "x").unwrap();
    for (target, reason) in [
        (Some(&elsewhere), "a symbolic link, not followed"),
        (Some(&sandbox.home().join("nowhere")), "a symbolic link, not followed"),
        (None, "not a regular file"),
    ] {
        match target {
            Some(target) => symlink(target, &path).unwrap(),
            None => fs::create_dir(&path).unwrap(),
        }
        assert_eq!(warnings(&sandbox), not_read(missing(&path, reason)));
        assert_eq!(archived_presence(&sandbox, &id).as_deref(), Some("unknown"), "{reason}");
        let home = annals(&sandbox, &["--json"]).json();
        assert_eq!(home["archive_only"], 0, "{home}");
        match target {
            Some(_) => fs::remove_file(&path).unwrap(),
            None => fs::remove_dir(&path).unwrap(),
        }
    }
    assert_eq!(warnings(&sandbox), []);
}

#[test]
fn database_that_the_environment_names_and_that_is_missing_is_reported() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/pool", "kelp in the pool");
    let path = sandbox.home().join("nowhere/tide.db");
    let listed = run(command(&sandbox, &["ls", "--json"]).env("OPENCODE_DB", &path));
    let expected = missing(&path, "No such file or directory (os error 2)");
    assert_eq!(listed.json()["warnings"][0]["message"], expected);
    assert!(said(&listed).contains(&expected), "{}", listed.err);
    let without = run(command(&sandbox, &["ls", "--json"]).env("OPENCODE_DB", ":memory:"));
    assert_eq!(without.done().json().get("warnings"), None);
}

#[test]
fn folder_that_cannot_be_listed_is_reported_and_its_sessions_are_unknown() {
    let sandbox = Sandbox::new();
    let home = sandbox.home().join(".codex");
    let name = format!("sessions/2026/01/31/rollout-2026-01-31T12-00-00-{THREAD}.jsonl");
    let lines: String = codex_lines(THREAD).iter().map(|line| line.to_string() + "\n").collect();
    sandbox.write(&home.join(name).to_string_lossy(), lines);
    annals(&sandbox, &["archive", "sync"]).done();
    let id = format!("codex:{THREAD}");
    assert_eq!(archived_presence(&sandbox, &id).as_deref(), Some("disk"));
    // Permissions do not stop root, so something else has the place of the folder.
    let put_file: fn(&Path) = |path| fs::write(path, "x").unwrap();
    let put_link: fn(&Path) = |path| symlink("/nowhere/at/all", path).unwrap();
    let folders = [home.join("sessions"), home.clone()];
    for (folder, put) in folders.iter().flat_map(|it| [(it, put_file), (it, put_link)]) {
        let aside = sandbox.home().join("aside");
        fs::rename(folder, &aside).unwrap();
        put(folder);
        let warnings = warnings(&sandbox);
        let begin = format!("sessions of Codex may be missing: cannot read {}", folder.display());
        assert!(!warnings.is_empty(), "{folder:?}");
        assert!(warnings.iter().all(|(_, text)| text.starts_with(&begin)), "{warnings:?}");
        assert_eq!(archived_presence(&sandbox, &id).as_deref(), Some("unknown"));
        fs::remove_file(folder).unwrap();
        fs::rename(&aside, folder).unwrap();
    }
    assert_eq!(archived_presence(&sandbox, &id).as_deref(), Some("disk"));
}

#[test]
fn unknown_type_of_a_part_in_a_database_is_said_in_every_answer() {
    let Some(written) = corpus("opencode/imported/opencode") else { return };
    let sandbox = Sandbox::new();
    let path = folder(&sandbox).join("opencode.db");
    fs::create_dir_all(folder(&sandbox)).unwrap();
    let mut bytes = fs::read(written.join("opencode.db")).unwrap();
    fs::write(&path, &bytes).unwrap();
    assert_eq!(warnings(&sandbox), []);
    let known = br#"{"type":"compaction""#;
    let at = bytes.windows(known.len()).position(|part| part == known).unwrap();
    bytes[at..at + known.len()].copy_from_slice(br#"{"type":"hologramme""#);
    fs::write(&path, &bytes).unwrap();
    let message = format!(
        "sessions of OpenCode may be incomplete: {}: unknown types of parts: `hologramme` (1)",
        path.display()
    );
    let expected = vec![("app_not_understood".to_owned(), message)];
    assert_eq!(warnings(&sandbox), expected);
    annals(&sandbox, &["search", "file"]);
    assert_eq!(warnings(&sandbox), expected, "from the index");
}

/// Two sessions of an app, with its name and title: the file and the id of each.
type AppFiles = (&'static str, &'static str, [(PathBuf, String); 2]);

/// Writes two sessions of each app.
fn sessions_of_all_apps(sandbox: &Sandbox) -> Vec<AppFiles> {
    older_tree(sandbox);
    let time = "2026-01-02T03:04:05.678Z";
    let ids = [THREAD, OTHER];
    let write = |below: String, lines: &[Value]| {
        let path = sandbox.home().join(below);
        let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
        sandbox.write(&path.to_string_lossy(), text);
        path
    };
    let both =
        |app: &str, file: &dyn Fn(&str) -> PathBuf| ids.map(|id| (file(id), format!("{app}:{id}")));
    let codex = both("codex", &|id| {
        let name = format!("sessions/2026/01/31/rollout-2026-01-31T12-00-00-{id}.jsonl");
        write(format!(".codex/{name}"), &codex_lines(id))
    });
    let copilot = both("copilot", &|id| {
        write(
            format!(".copilot/session-state/{id}/events.jsonl"),
            &[
                json!({"type": "session.start", "id": "a", "timestamp": time,
                    "data": {"sessionId": id}}),
                json!({"type": "user.message", "id": "b", "parentId": "a", "timestamp": time,
                    "data": {"content": "Raise the tide"}}),
            ],
        )
    });
    let gemini = both("gemini", &|id| {
        write(
            format!(".gemini/tmp/kelp/chats/session-2026-01-02T03-04-{}.jsonl", &id[28..]),
            &[
                json!({"sessionId": id, "projectHash": "0", "startTime": time,
                    "lastUpdated": time, "kind": "main"}),
                json!({"id": "a", "timestamp": time, "type": "user",
                    "content": [{"text": "Raise the tide"}]}),
            ],
        )
    });
    let pi = both("pi", &|id| {
        write(
            format!(".pi/agent/sessions/--kelp--/2026-01-02T03-04-05-678Z_{id}.jsonl"),
            &[
                json!({"type": "session", "version": 3, "id": id, "timestamp": time, "cwd": "/kelp"}),
                json!({"type": "message", "id": "a", "parentId": null, "timestamp": time,
                    "message": {"role": "user", "content": "Raise the tide"}}),
            ],
        )
    });
    let tree = folder(sandbox).join("storage/session/proj");
    let other = OWN.replace("Kelp", "Reef");
    let own = fs::read_to_string(tree.join(format!("{OWN}.json"))).unwrap();
    fs::write(tree.join(format!("{other}.json")), own.replace(OWN, &other)).unwrap();
    let opencode =
        [OWN, &other].map(|id| (tree.join(format!("{id}.json")), format!("opencode:{id}")));
    vec![
        ("codex", "Codex", codex),
        ("opencode", "OpenCode", opencode),
        ("copilot", "Copilot CLI", copilot),
        ("gemini", "Gemini CLI", gemini),
        ("pi", "pi", pi),
    ]
}

/// Puts something in place of the first session of each app, and looks at what answers say.
fn replace_sessions(reason: &dyn Fn(&str) -> String, put: &dyn Fn(&Path)) {
    let sandbox = Sandbox::new();
    let apps = sessions_of_all_apps(&sandbox);
    annals(&sandbox, &["archive", "sync"]).done();
    assert_eq!(warnings(&sandbox), []);
    for (_, _, [(path, _), _]) in &apps {
        fs::remove_file(path).unwrap();
        put(path);
    }
    let expected = apps.iter().flat_map(|(_, title, [(path, _), _])| {
        let path = path.display();
        let reason = reason(title);
        not_read(format!("sessions of {title} may be missing: cannot read {path}: {reason}"))
    });
    let expected: Vec<_> = expected.collect();
    assert_eq!(warnings(&sandbox), expected);
    let listed = annals(&sandbox, &["ls", "--hidden", "--json"]).json();
    let ids: Vec<&str> = listed["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["presence"] == "disk")
        .map(|row| row["id"].as_str().unwrap())
        .collect();
    for (name, _, [(_, own), (other_path, other)]) in &apps {
        assert!(ids.contains(&&**other) && !ids.contains(&&**own), "{ids:?}");
        let nothing = annals(&sandbox, &["search", "volcano", "--app", name]);
        assert_eq!(nothing.code, 2, "{nothing:?}");
        fs::remove_file(other_path).unwrap();
        for (id, presence) in [(own, "unknown"), (other, "archive")] {
            assert_eq!(archived_presence(&sandbox, id).as_deref(), Some(presence), "{id}");
        }
    }
}

#[test]
fn garbage_in_place_of_a_session_is_reported_and_hides_only_its_own_session() {
    let not_a_session = |title: &str| format!("it is not a session of {title}");
    for garbage in ["garbage", "{\"x\": 1}", "\0\0\0\0", "[1, 2]\n", ""] {
        replace_sessions(&not_a_session, &|path| fs::write(path, garbage).unwrap());
    }
}

#[test]
fn folder_in_place_of_a_session_is_reported_and_hides_only_its_own_session() {
    let is_folder = |_: &str| "it is a folder".to_owned();
    replace_sessions(&is_folder, &|path| fs::create_dir(path).unwrap());
}

#[test]
fn rollout_without_its_metadata_is_reported() {
    let sandbox = Sandbox::new();
    let [(path, _), _] = &sessions_of_all_apps(&sandbox)[0].2;
    let lines = fs::read_to_string(path).unwrap();
    let without = |meta: &str| lines.replacen("session_meta", meta, 1);
    let message = format!(
        "sessions of Codex may be missing: cannot read {}: it is not a session of Codex",
        path.display()
    );
    for text in [without("meta"), lines.replacen("\"id\":", "\"name\":", 1)] {
        fs::write(path, text).unwrap();
        assert_eq!(warnings(&sandbox), not_read(message.clone()));
    }
    fs::write(path, "garbage\n".to_owned() + &lines).unwrap();
    assert_eq!(warnings(&sandbox), [], "the metadata may come after a damaged line");
}

#[test]
fn damaged_message_is_a_problem_of_its_session() {
    let sandbox = Sandbox::new();
    older_tree(&sandbox);
    fs::write(folder(&sandbox).join("storage/part/msg_1/prt_1.json"), "garbage").unwrap();
    assert_eq!(warnings(&sandbox), []);
    let info = annals(&sandbox, &["info", &format!("opencode:{OWN}")]).done().out;
    assert!(info.contains("1 problem"), "{info}");
}

#[test]
fn database_under_another_name_or_in_another_folder_is_reported() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/pool", "kelp in the pool");
    let folder = folder(&sandbox);
    fs::create_dir_all(folder.join("db/deep")).unwrap();
    let database = "SQLite format 3\0 and its pages";
    // Neither has the beginning of a database, or is near enough.
    fs::write(folder.join("notes.db"), "no database").unwrap();
    fs::write(folder.join("db/short.db"), &database[..15]).unwrap();
    fs::write(folder.join("db/deep/opencode.db"), database).unwrap();
    fs::write(folder.join("opencode.db-wal"), database).unwrap();
    assert_eq!(warnings(&sandbox), []);
    let reason = "a SQLite database that this version of annals does not know";
    for name in ["opencode2.db", "db/opencode.db"] {
        let path = folder.join(name);
        fs::write(&path, database).unwrap();
        assert_eq!(warnings(&sandbox), not_read(missing(&path, reason)), "{name}");
        fs::remove_file(&path).unwrap();
    }
    let elsewhere = sandbox.home().join("elsewhere.db");
    fs::write(&elsewhere, database).unwrap();
    symlink(elsewhere, folder.join("link.db")).unwrap();
    assert_eq!(warnings(&sandbox), [], "a link is not followed");
    // Beside a database under a known name, others are somebody's copies.
    fs::write(folder.join("copy.db"), database).unwrap();
    let path = damage(&sandbox);
    assert_eq!(warnings(&sandbox), not_read(warning(&path)));
}

#[test]
fn unknown_session_is_called_unknown_in_a_search_and_no_restore_is_offered() {
    let sandbox = Sandbox::new();
    older_tree(&sandbox);
    annals(&sandbox, &["archive", "sync"]).done();
    let tree = folder(&sandbox).join("storage");
    fs::rename(&tree, sandbox.home().join("aside")).unwrap();
    let presence = |expected: &str| {
        let found = annals(&sandbox, &["search", "fish", "--json"]).json();
        assert_eq!(found["hits"][0]["presence"], expected, "{found}");
        let text = annals(&sandbox, &["search", "fish"]).out;
        assert!(text.contains(expected) && !text.contains("archive restore"), "{text}");
    };
    presence("archive");
    damage(&sandbox);
    presence("unknown");
    let id = format!("opencode:{OWN}");
    let document = annals(&sandbox, &["info", &id, "--json"]).json();
    assert_eq!(document["session"]["presence"], "unknown", "{document}");
    let watched = annals(&sandbox, &["ls", "--deleted", "--json"]);
    assert_eq!(watched.json()["sessions"], json!([]));
}
