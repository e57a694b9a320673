//! Files that sessions read and changed: which calls count, once, and for which
//! file.

use library::catalog::Filter;
use library::files::{Author, Blame, CommitOrigin, FileHistory, FileLocations, FileSummary};
use library::progress::NoProgress;
use library::session::Session;
use library::{Library, Options};
use serde_json::{Value, json};
use std::path::Path;
use store::RootOrigin;
use testkit::{Line, Sandbox, answered, chained, metadata, session_id, tool_error, tool_use, user};

const CWD: &str = "/home/ada/tidepool";
const FILE: &str = "/home/ada/tidepool/src/tide.rs";

fn library(sandbox: &Sandbox) -> Library {
    let roots = vec![(sandbox.config(), RootOrigin::Flag)];
    let aliases = vec![("/old/tidepool".to_owned(), CWD.to_owned())];
    Library::open(Options { roots, aliases, ..Options::default() })
}

/// Lines of one session in a row, a minute apart.
fn timed(number: u32, hour: u32, cwd: &str, lines: impl IntoIterator<Item = Line>) -> Vec<Line> {
    let lines = chained(lines).into_iter().enumerate().map(|(minute, line)| {
        let time = format!("2026-01-02T{hour:02}:{minute:02}:00.000Z");
        line.at(&time).cwd(cwd).with("sessionId", session_id(number))
    });
    lines.collect()
}

fn write(id: &str, path: &str, content: &str) -> [Line; 2] {
    let structured = json!({"type": "create", "filePath": path, "content": content, "structuredPatch": [], "originalFile": null});
    answered(id, "Write", &json!({"file_path": path, "content": content}), "ok", structured)
}

fn edit(id: &str, path: &str, [old, new]: [&str; 2], before: Option<&str>) -> [Line; 2] {
    let input = json!({"file_path": path, "old_string": old, "new_string": new});
    let structured = json!({"filePath": path, "oldString": old, "newString": new, "originalFile": before, "structuredPatch": [], "userModified": false, "replaceAll": false});
    answered(id, "Edit", &input, "ok", structured)
}

fn read(id: &str, path: &str) -> [Line; 2] {
    answered(id, "Read", &json!({"file_path": path}), "1: a", json!({"type": "text"}))
}

fn failed(id: &str, path: &str) -> [Line; 2] {
    let input = json!({"file_path": path, "old_string": "tide", "new_string": "no"});
    [tool_use(id, "Edit", &input), tool_error(id, "String to replace not found in file.")]
}

fn commit(id: &str, hash: &str) -> [Line; 2] {
    let output = format!("[main {hash}] work {id}\n 1 file changed");
    let input = json!({"command": "git commit -am work"});
    answered(
        id,
        "Bash",
        &input,
        &output,
        json!({"stdout": output, "stderr": "", "interrupted": false}),
    )
}

/// A file that is created, edited in another session, and edited once without
/// success.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut one = vec![user("Make the tide")];
    one.extend(write("t1", FILE, "high\nlow\n"));
    one.extend(read("t2", FILE));
    sandbox.session(CWD, &session_id(1), timed(1, 1, CWD, one));
    let mut two = vec![user("Turn the tide")];
    two.extend(edit("t3", FILE, ["low", "ebb\nneap"], Some("high\nlow\n")));
    two.extend(failed("t4", FILE));
    sandbox.session(CWD, &session_id(2), timed(2, 2, CWD, two));
    sandbox
}

fn sessions(library: &Library) -> Vec<Session> {
    library.catalog().all_sessions().sessions
}

fn files(sandbox: &Sandbox, filter: &Filter) -> Vec<FileSummary> {
    let library = library(sandbox);
    let sessions = sessions(&library);
    let sessions: Vec<&Session> = sessions.iter().collect();
    let places = library.files().locations(&[], &[]);
    let (files, read_errors) = library.files().touched(&sessions, filter, &places, &NoProgress);
    assert_eq!(read_errors, []);
    files
}

fn ask<T>(
    sandbox: &Sandbox,
    moved: &[(&str, &str)],
    ask: impl FnOnce(&Library, &[&Session], &FileLocations) -> T,
) -> T {
    let library = library(sandbox);
    let sessions = sessions(&library);
    let sessions: Vec<&Session> = sessions.iter().collect();
    let moved: Vec<_> =
        moved.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect();
    ask(&library, &sessions, &library.files().locations(&moved, &[]))
}

fn history(sandbox: &Sandbox, path: &str, moved: &[(&str, &str)]) -> FileHistory {
    ask(sandbox, moved, |library, sessions, places| {
        let wanted = places.pattern(path, Path::new(CWD));
        library.files().history(sessions, &Filter::default(), places, &wanted, &NoProgress).0
    })
}

/// The changes as `session tool prompt +added -removed`.
fn change_rows(history: &FileHistory) -> Vec<String> {
    let changes = history.changes.iter().map(|change| {
        let touch = &change.touch;
        let prompt = touch.prompt.as_ref().map_or("(none)", |prompt| prompt.text.as_str());
        let number = touch.session_id.trim_start_matches('0').chars().next().unwrap();
        format!("{number} {} {prompt} +{} -{}", touch.tool, touch.added, touch.removed)
    });
    changes.collect()
}

fn blame(sandbox: &Sandbox, today: &str) -> Blame {
    ask(sandbox, &[], |library, sessions, places| {
        let wanted = places.pattern(FILE, Path::new("/"));
        library.files().blame(sessions, places, &wanted, today, &NoProgress).0
    })
}

/// Each line with the prompt that wrote it.
fn written(blame: &Blame) -> Vec<String> {
    let lines = blame.lines.iter().map(|(line, author)| match author {
        Author::Change(number) => {
            format!("{line}: {}", blame.changes[*number].prompt.as_ref().unwrap().text)
        }
        other => format!("{line}: {other:?}"),
    });
    lines.collect()
}

fn commits(sandbox: &Sandbox, hash: &str) -> Vec<CommitOrigin> {
    ask(sandbox, &[], |library, sessions, places| {
        library.files().commits(sessions, places, hash, &NoProgress).0
    })
}

#[test]
fn failed_calls_are_not_changes() {
    let files = files(&store(), &Filter::default());
    let [file] = files.as_slice() else { panic!("{files:?}") };
    assert_eq!((file.path.as_str(), file.reads, file.changes, file.failed), (FILE, 1, 2, 1));
    assert_eq!((file.added, file.removed, file.sessions.len()), (4, 1, 2));
    assert_eq!(file.last_change, Some("2026-01-02T02:02:00Z".parse().unwrap()));
    assert_eq!(file.first, Some("2026-01-02T01:02:00Z".parse().unwrap()));
}

#[test]
fn file_with_only_failed_calls_is_listed_and_marked() {
    let sandbox = Sandbox::new();
    let lines = [vec![user("Fix it")], failed("t1", FILE).to_vec()].concat();
    sandbox.session(CWD, &session_id(1), timed(1, 1, CWD, lines));
    let files = files(&sandbox, &Filter::default());
    let [file] = files.as_slice() else { panic!("{files:?}") };
    assert!(file.is_only_failed());
    assert_eq!((file.path.as_str(), file.failed, file.sessions.len()), (FILE, 1, 1));
    assert_eq!((file.last.is_some(), file.last_change), (true, None));
}

#[test]
fn filters_select_single_touches_as_well_as_sessions() {
    let tool = |tool: &str| Filter { tool: Some(tool.to_owned()), ..Filter::default() };
    let sandbox = store();
    assert_eq!(files(&sandbox, &tool("Read"))[0].changes, 0);
    assert_eq!(files(&sandbox, &tool("E*"))[0].reads, 0);
    let late = Filter { since: Some("2026-01-02T02:00:00Z".parse().unwrap()), ..Filter::default() };
    assert_eq!(files(&sandbox, &late)[0].changes, 1);
    let agent = Filter { agent: Some("Explore".to_owned()), ..Filter::default() };
    assert_eq!(files(&sandbox, &agent), []);
}

#[test]
fn changes_are_in_order_with_their_prompts() {
    let sandbox = store();
    let origin =
        ["1 Write Make the tide +2 -0", "1 Read Make the tide +0 -0", "2 Edit Turn the tide +2 -1"];
    for path in [FILE, "src/tide.rs", "tide.rs"] {
        assert_eq!(change_rows(&history(&sandbox, path, &[])), origin, "{path}");
    }
    let missing = history(&sandbox, "/elsewhere/tide.rs", &[]);
    assert_eq!((missing.changes.len(), missing.others), (0, vec![FILE.to_owned()]));
    assert_eq!(history(&sandbox, "ide.rs", &[]), FileHistory::default());
}

#[test]
fn lines_belong_to_the_prompt_that_wrote_them() {
    let blame = blame(&store(), "high\nebb\nspring\n");
    assert_eq!(written(&blame), ["high: Make the tide", "ebb: Turn the tide", "spring: Elsewhere"]);
}

#[test]
fn every_edit_of_a_multi_edit_counts() {
    let sandbox = store();
    let edits = json!([{"old_string": "high", "new_string": "flood", "replace_all": false}, {"old_string": "neap", "new_string": "spring", "replace_all": true}]);
    let structured = json!({"filePath": FILE, "edits": edits, "originalFileContents": "high\nebb\nneap\nneap\n", "structuredPatch": []});
    let input = json!({"file_path": FILE, "edits": edits});
    let mut lines = vec![user("All of it")];
    lines.extend(answered("t9", "MultiEdit", &input, "ok", structured));
    sandbox.session(CWD, &session_id(3), timed(3, 3, CWD, lines));
    let blame = blame(&sandbox, "flood\nebb\nspring\nspring\n");
    let all = "All of it";
    let expected = [("flood", all), ("ebb", "Turn the tide"), ("spring", all), ("spring", all)];
    assert_eq!(written(&blame), expected.map(|(line, prompt)| format!("{line}: {prompt}")));
}

#[test]
fn calls_repeated_by_a_fork_count_once() {
    let sandbox = store();
    let mut lines = vec![user("Make the tide")];
    lines.extend(write("t1", FILE, "high\nlow\n"));
    let forked = timed(1, 1, CWD, lines).into_iter().map(|line| line.forked_into(&session_id(3)));
    let path = sandbox.session(CWD, &session_id(3), forked);
    // Whatever the age of its file.
    sandbox.set_modified(&path, 1);
    let history = history(&sandbox, FILE, &[]);
    assert_eq!(change_rows(&history).len(), 3);
    assert_eq!(history.changes[0].touch.session_id, session_id(1));
}

#[test]
fn file_is_the_same_in_moved_projects_and_worktrees() {
    // (the recorded path, the recorded folder)
    let table = [
        ("/old/tidepool/src/tide.rs", "/old/tidepool"),
        ("src/tide.rs", "/old/tidepool"),
        ("/home/ada/tidepool/.claude/worktrees/w/src/tide.rs", CWD),
        ("/trees/w/src/tide.rs", "/trees/w"),
        ("/home/ada/puddle/src/tide.rs", "/home/ada/puddle"),
    ];
    for (path, cwd) in table {
        let sandbox = store();
        let state = json!({"originalCwd": CWD, "worktreePath": "/trees/w"});
        let mut lines = timed(
            3,
            3,
            cwd,
            [vec![user("Elsewhere")], edit("t9", path, ["ebb", "x"], None).to_vec()].concat(),
        );
        lines.push(metadata("worktree-state", &[("worktreeSession", state)]));
        sandbox.session(cwd, &session_id(3), lines);
        let moved = [("/home/ada/puddle", CWD)];
        let history = history(&sandbox, FILE, &moved);
        assert_eq!(change_rows(&history).last().unwrap(), "3 Edit Elsewhere +1 -1", "{path}");
        assert_eq!(history.files[0].recorded_paths.iter().collect::<Vec<_>>(), [path]);
    }
}

#[test]
fn changes_by_a_sub_agent_belong_to_the_user_prompt() {
    let sandbox = store();
    let input = json!({"description": "d", "prompt": "Do it", "subagent_type": "Builder"});
    let mut lines = vec![user("Let others do it")];
    lines.extend(answered("spawn", "Task", &input, "done", json!({"agentId": "a1"})));
    lines.push(user("Something else"));
    sandbox.session(CWD, &session_id(3), timed(3, 3, CWD, lines));
    let mut lines = vec![user("Do it")];
    lines.extend(edit("t9", FILE, ["ebb", "x"], None));
    let lines = timed(3, 4, CWD, lines).into_iter().map(|line| line.of_agent("a1"));
    sandbox.agent(CWD, &session_id(3), "agent-a1", lines);
    let history = history(&sandbox, FILE, &[]);
    assert_eq!(change_rows(&history).last().unwrap(), "3 Edit Let others do it +1 -1");
    let touch = &history.changes.last().unwrap().touch;
    assert_eq!(
        (touch.agent_id.as_deref(), touch.agent_type.as_deref()),
        (Some("a1"), Some("Builder"))
    );
}

#[test]
fn prompt_on_another_branch_is_not_the_cause() {
    let sandbox = Sandbox::new();
    let mut lines = vec![user("First"), user("Undone")];
    lines.extend(write("t1", FILE, "a\n"));
    let mut lines = timed(1, 1, CWD, lines);
    // The call follows the first prompt; the second was abandoned.
    lines[2] = lines[2].clone().with("parentUuid", "u1");
    sandbox.session(CWD, &session_id(1), lines);
    assert_eq!(change_rows(&history(&sandbox, FILE, &[])), ["1 Write First +1 -0"]);
}

#[test]
fn commit_covers_prompts_since_the_previous_commit() {
    let sandbox = Sandbox::new();
    let other = "/home/ada/tidepool/b.rs";
    let mut lines = vec![user("One")];
    lines.extend(write("t1", FILE, "a\n"));
    lines.extend(commit("c1", "aaaa111"));
    lines.extend(write("t2", other, "b\n"));
    lines.push(user("Two"));
    lines.push(user("Three"));
    lines.extend(commit("c2", "bbbb222"));
    lines.push(user("Four"));
    sandbox.session(CWD, &session_id(1), timed(1, 1, CWD, lines));
    let commit_rows = |hash: &str| {
        let origins = commits(&sandbox, hash).into_iter().map(|origin| {
            let prompts: Vec<_> = origin.prompts.iter().map(|prompt| prompt.text.clone()).collect();
            let files: Vec<_> = origin.changes.iter().map(|touch| touch.path.clone()).collect();
            json!([origin.commit.hash, origin.previous, prompts, files])
        });
        origins.collect::<Vec<Value>>()
    };
    assert_eq!(commit_rows("AAAA"), [json!(["aaaa111", null, ["One"], [FILE]])]);
    // The first prompt led to the change after the first commit.
    let second = json!(["bbbb222", "aaaa111", ["One", "Two", "Three"], [other]]);
    for hash in ["bbbb222", "bbbb222f00d"] {
        assert_eq!(commit_rows(hash), std::slice::from_ref(&second));
    }
    assert_eq!(commit_rows("cccc"), [] as [Value; 0]);
    let subject = commits(&sandbox, "aaaa")[0].commit.subject.clone();
    assert_eq!(subject.as_deref(), Some("work c1"));
}

#[test]
fn file_is_found_under_every_spelling_of_its_path() {
    let path = "/home/ada/tidepool/\"é\"/Gezeiten ü.rs";
    let mut lines = vec![user("Schreib")];
    lines.extend(write("t1", path, "a\n"));
    let lines = timed(1, 1, CWD, lines).into_iter().map(|line| line.to_string());
    for (plain, escaped) in [("ü", "ü"), ("ü", "\\u00fc"), ("G", "\\u0047"), ("/", "\\/")] {
        let sandbox = Sandbox::new();
        let lines = lines.clone().map(|line| line.replace(plain, escaped));
        sandbox.session(CWD, &session_id(1), lines);
        for asked in [path, "Gezeiten ü.rs"] {
            assert_eq!(
                change_rows(&history(&sandbox, asked, &[])),
                ["1 Write Schreib +1 -0"],
                "{escaped}"
            );
        }
    }
}

#[test]
fn changes_by_a_background_agent_count_at_their_time() {
    let sandbox = Sandbox::new();
    let input = json!({"description": "d", "prompt": "Do it", "subagent_type": "Builder"});
    let mut lines = vec![user("Let others do it")];
    lines.extend(answered("spawn", "Task", &input, "started", json!({"agentId": "a1"})));
    lines.extend(commit("c1", "aaaa111"));
    lines.push(user("Wait for it"));
    let mut lines = timed(1, 1, CWD, lines);
    // After the agent, which worked an hour later.
    lines.extend(timed(1, 3, CWD, commit("c2", "bbbb222")));
    sandbox.session(CWD, &session_id(1), lines);
    let lines = [vec![user("Do it")], write("t9", FILE, "a\n").to_vec()].concat();
    let lines = timed(1, 2, CWD, lines).into_iter().map(|line| line.of_agent("a1"));
    sandbox.agent(CWD, &session_id(1), "agent-a1", lines);
    let changed = |hash: &str| commits(&sandbox, hash)[0].changes.len();
    assert_eq!((changed("aaaa"), changed("bbbb")), (0, 1));
    let prompts = commits(&sandbox, "bbbb")[0].prompts.clone();
    let prompts: Vec<&str> = prompts.iter().map(|prompt| prompt.text.as_str()).collect();
    assert_eq!(prompts, ["Let others do it", "Wait for it"]);
}

#[test]
fn secrets_are_masked_in_diffs_prompts_and_lines() {
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let sandbox = Sandbox::new();
    let mut lines = vec![user(&format!("Use {secret}"))];
    lines.extend(write("t1", FILE, &format!("token = {secret}\nplain\n")));
    sandbox.session(CWD, &session_id(1), timed(1, 1, CWD, lines));
    let library = library(&sandbox)
        .masking(std::sync::Arc::new(redact::Redactor::new(redact::Level::Standard, [7; 32])));
    let sessions = sessions(&library);
    let sessions: Vec<&Session> = sessions.iter().collect();
    let places = library.files().locations(&[], &[]);
    let wanted = places.pattern(FILE, Path::new("/"));
    let (history, _) =
        library.files().history(&sessions, &Filter::default(), &places, &wanted, &NoProgress);
    let today = format!("token = {secret}\nplain\n");
    let (blame, _) = library.files().blame(&sessions, &places, &wanted, &today, &NoProgress);
    assert!(!format!("{history:?}{blame:?}").contains(secret));
    // The same secret has the same mask.
    assert_eq!(blame.lines.iter().map(|line| line.1).collect::<Vec<_>>(), [Author::Change(0); 2]);
}
