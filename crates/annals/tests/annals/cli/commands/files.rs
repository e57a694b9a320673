//! `annals files`: files, their histories, the authors of their lines, and what
//! is behind commits.

use crate::cli::support::hostile_text::is_forbidden;
use crate::cli::support::run::{Answer, annals, assert_members, command, filtered, run};
use serde_json::json;
use std::fs;
use testkit::{Line, Sandbox, answered, chained, session_id, tool_error, tool_use, user};

fn files(sandbox: &Sandbox, arguments: &[&str]) -> Answer {
    annals(sandbox, &[&["files"], arguments].concat())
}

fn write(id: &str, path: &str, content: &str) -> [Line; 2] {
    let structured = json!({"type": "create", "filePath": path, "content": content, "structuredPatch": [], "originalFile": null});
    answered(id, "Write", &json!({"file_path": path, "content": content}), "ok", structured)
}

fn edit(id: &str, path: &str, [old, new]: [&str; 2], before: &str) -> [Line; 2] {
    let input = json!({"file_path": path, "old_string": old, "new_string": new});
    let hunks = json!([{"oldStart": 2, "oldLines": 1, "newStart": 2, "newLines": 2, "lines": ["-low", "+ebb", "+neap"]}]);
    let structured = json!({"filePath": path, "oldString": old, "newString": new, "originalFile": before, "structuredPatch": hunks, "replaceAll": false});
    answered(id, "Edit", &input, "ok", structured)
}

fn commit(id: &str, output: &str) -> [Line; 2] {
    let input = json!({"command": "git commit -am work"});
    answered(
        id,
        "Bash",
        &input,
        output,
        json!({"stdout": output, "stderr": "", "interrupted": false}),
    )
}

fn session(sandbox: &Sandbox, number: u32, cwd: &str, lines: Vec<Line>) {
    let lines = chained(lines).into_iter().enumerate().map(|(minute, line)| {
        let time = format!("2026-01-0{number}T03:{minute:02}:00.000Z");
        line.at(&time).cwd(cwd).with("sessionId", session_id(number))
    });
    sandbox.session(cwd, &session_id(number), lines.collect::<Vec<_>>());
}

/// A project in the home folder, and its file as sessions changed it.
fn store() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    let cwd = sandbox.home().join("tidepool").display().to_string();
    let tide = format!("{cwd}/src/tide.rs");
    let mut one = vec![user("Make the tide\nand be quick")];
    one.extend(write("t1", &tide, "high\nlow\n"));
    one.extend(commit("c1", "[main abc1234] Add the tide"));
    one.extend(answered("t2", "Read", &json!({"file_path": tide}), "high", json!({})));
    session(&sandbox, 1, &cwd, one);
    let mut two = vec![user("Turn the tide")];
    two.extend(edit("t3", &tide, ["low", "ebb\nneap"], "high\nlow\n"));
    let missing = json!({"file_path": tide, "old_string": "x", "new_string": "y"});
    two.extend([tool_use("t4", "Edit", &missing), tool_error("t4", "String not found")]);
    two.extend(write("t5", "/home/bob/src/tide.rs", "other\n"));
    session(&sandbox, 2, &cwd, two);
    fs::create_dir_all(format!("{cwd}/src")).unwrap();
    fs::write(&tide, "high\nebb\nneap\nspring\n").unwrap();
    (sandbox, tide)
}

#[test]
fn files_are_listed_with_their_changes() {
    let (sandbox, _) = store();
    let answer = files(&sandbox, &[]).done();
    insta::assert_snapshot!(answer.out, @"
    FILE                    READS  CHANGES  LINES  SESSIONS  LAST
    /home/bob/src/tide.rs                1  +1 −0         1  2026-01-02
    ~/tidepool/src/tide.rs      1        2  +4 −1         2  2026-01-02
    ");
    let document = files(&sandbox, &["--json", "--limit", "1"]).done().json();
    assert_members(&document, "schema total next files");
    assert_eq!(document["schema"], "annals/files/1");
    assert_eq!((&document["total"], &document["next"]), (&json!(2), &json!(1)));
    assert_members(
        &document["files"][0],
        "path recorded_paths reads changes failed added removed sessions first_at last_at changed_at",
    );
    let rest = files(&sandbox, &["--json", "--offset", "1"]).done().json();
    assert_eq!((rest["files"].as_array().unwrap().len(), &rest["next"]), (1, &json!(null)));
    assert_eq!(rest["files"][0]["failed"], 1);
    let answer = files(&sandbox, &["--csv"]).done();
    assert_eq!(answer.out.lines().count(), 3);
    let none = files(&sandbox, &["--tool", "NotebookEdit"]);
    assert_eq!((none.code, none.out.as_str()), (0, "No files.\n"));
}

#[test]
fn file_whose_calls_all_failed_is_marked() {
    let sandbox = Sandbox::new();
    let input = json!({"file_path": "/home/ada/gone.rs", "old_string": "x", "new_string": "y"});
    let lines = [
        user("Fix it"),
        tool_use("t1", "Edit", &input),
        tool_error("t1", "File does not exist"),
        tool_use("t2", "Edit", &input),
        tool_error("t2", "File does not exist"),
    ];
    session(&sandbox, 1, "/home/ada", lines.to_vec());
    let text = files(&sandbox, &[]).done().out;
    assert!(text.contains("gone.rs") && text.contains("2 failed"), "{text}");
    let document = files(&sandbox, &["--json"]).done().json();
    let file = &document["files"][0];
    assert_eq!(
        (&file["failed"], &file["reads"], &file["changes"]),
        (&json!(2), &json!(0), &json!(0))
    );
}

#[test]
fn file_history_is_in_order() {
    let (sandbox, tide) = store();
    let answer = files(&sandbox, &[&tide]).done();
    insta::assert_snapshot!(filtered(&sandbox, &answer.out), @"
    ~/tidepool/src/tide.rs
      2 changes, +4 −1, 1 read, 2 sessions

    2026-01-01 03:02:00  00000001:1  Write  +2 −0
      › Make the tide and be quick
      @@ -1,0 +1,2 @@
      +high
      +low

    2026-01-02 03:02:00  00000002:1  Edit  +2 −1
      › Turn the tide
      @@ -2,1 +2,2 @@
      -low
      +ebb
      +neap
    ");
    let answer = files(&sandbox, &["src/tide.rs", "--no-diff", "--reads"]).done();
    insta::assert_snapshot!(filtered(&sandbox, &answer.out), @"
    2 files match:
    /home/bob/src/tide.rs
      1 change, +1 −0, 1 session
    ~/tidepool/src/tide.rs
      2 changes, +4 −1, 1 read, 2 sessions

    2026-01-01 03:02:00  00000001:1  Write  +2 −0  ~/tidepool/src/tide.rs
      › Make the tide and be quick

    2026-01-01 03:06:00  00000001:1  Read  ~/tidepool/src/tide.rs
      › Make the tide and be quick

    2026-01-02 03:02:00  00000002:1  Edit  +2 −1  ~/tidepool/src/tide.rs
      › Turn the tide

    2026-01-02 03:06:00  00000002:1  Write  +1 −0  /home/bob/src/tide.rs
      › Turn the tide
    ");
    let document = files(&sandbox, &[&tide, "--json", "--reads"]).done().json();
    assert_members(&document, "schema files total next changes");
    assert_eq!(document["schema"], "annals/file-history/1");
    let change = &document["changes"][2];
    assert_members(
        change,
        "path recorded_path cwd operation tool timestamp session_id agent_id agent_type model tool_use_id line added removed prompt diff",
    );
    assert_eq!(
        (&change["operation"], &change["prompt"]["text"]),
        (&json!("edit"), &json!("Turn the tide"))
    );
    assert!(change["diff"].as_str().unwrap().ends_with("-low\n+ebb\n+neap\n"));
    let first = files(&sandbox, &[&tide, "--json", "--limit", "1"]).done().json();
    assert_eq!((&first["total"], &first["next"]), (&json!(2), &json!(1)));
}

#[test]
fn blame_names_the_author_of_each_line() {
    let (sandbox, tide) = store();
    let answer = files(&sandbox, &["--blame", "tidepool/src/tide.rs"]).done();
    insta::assert_snapshot!(answer.out, @"
    00000001  2026-01-01  Make the tide and be quick        1  high
    00000002  2026-01-02  Turn the tide                     2  ebb
    00000002  2026-01-02  Turn the tide                     3  neap
                          unknown                           4  spring
    3 of 4 lines attributed to 2 recorded changes; 1 changed outside recorded sessions
    ");
    let document = files(&sandbox, &["--blame", &tide, "--json"]).done().json();
    assert_members(
        &document,
        "schema path changes total explained before_records not_recorded lines",
    );
    assert_eq!(document["schema"], "annals/blame/1");
    let lines = document["lines"].as_array().unwrap();
    assert_members(
        &lines[0],
        "number text explained reason session_id agent_id tool tool_use_id timestamp prompt",
    );
    assert_eq!(
        (&lines[3]["explained"], &lines[3]["reason"]),
        (&json!(false), &json!("not_recorded"))
    );
    assert_eq!(lines[3]["session_id"], json!(null));
    // Each line is one however it ends.
    fs::write(&tide, "\u{feff}high\r\nebb\r\nneap").unwrap();
    let document = files(&sandbox, &["--blame", &tide, "--json"]).done().json();
    assert_eq!((&document["total"], &document["explained"]), (&json!(3), &json!(3)));
}

#[test]
fn moved_file_keeps_its_history_with_map() {
    let (sandbox, tide) = store();
    let moved = sandbox.home().join("moved.rs");
    fs::rename(&tide, &moved).unwrap();
    let moved = moved.display().to_string();
    let unknown = files(&sandbox, &["--blame", &moved]);
    assert_eq!(
        filtered(&sandbox, unknown.complaint(1)),
        "annals: no session changed [ROOT]/home/moved.rs\n"
    );
    let map = format!("{tide}={moved}");
    let document = files(&sandbox, &["--blame", &moved, "--map", &map, "--json"]).done().json();
    assert_eq!(document["explained"], 3);
    let history = files(&sandbox, &["moved.rs", "--map", &map]).done().out;
    assert!(history.contains("recorded as ~/tidepool/src/tide.rs"), "{history}");
}

#[test]
fn worktrees_of_the_current_repository_share_file_history() {
    let (sandbox, tide) = store();
    let main = sandbox.home().join("tidepool");
    let tree = sandbox.home().join("tree");
    let own = main.join(".git/worktrees/tree");
    fs::create_dir_all(&own).unwrap();
    fs::create_dir_all(tree.join("src")).unwrap();
    fs::write(own.join("gitdir"), format!("{}/.git\n", tree.display())).unwrap();
    fs::write(own.join("commondir"), "../..\n").unwrap();
    fs::write(tree.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
    fs::copy(&tide, tree.join("src/tide.rs")).unwrap();
    let mut command = command(&sandbox, &["files", "--blame", "src/tide.rs", "--json"]);
    let document = run(command.current_dir(&tree)).done().json();
    assert_eq!(document["explained"], 3);
}

#[test]
fn commit_shows_the_prompts_that_led_to_it() {
    let (sandbox, _) = store();
    let answer = files(&sandbox, &["--commit", "abc1"]).done();
    insta::assert_snapshot!(answer.out, @"
    abc1234 Add the tide
    when      2026-01-01 03:04:00
    branch    main
    session   00000001-0000-4000-8000-000000000001  Make the tide and be quick
    folder    ~/tidepool

    PROMPTS
      › Make the tide and be quick

    CHANGED FILES
      ~/tidepool/src/tide.rs  +2 −0
    ");
    let document = files(&sandbox, &["--commit", "ABC1234f", "--json"]).done().json();
    assert_eq!(document["schema"], "annals/commit/1");
    assert_members(
        &document["commits"][0],
        "hash branch subject timestamp session_id title agent_id cwd line previous prompts files",
    );
    assert_eq!(document["commits"][0]["files"][0]["added"], 2);
}

#[test]
fn wrong_use_is_refused_with_a_reason() {
    let (sandbox, tide) = store();
    let home = sandbox.home();
    fs::write(home.join("binary"), b"\x7fELF\0\0").unwrap();
    fs::File::create(home.join("huge")).unwrap().set_len(17 << 20).unwrap();
    sandbox.pipe("pipe");
    let pipe = sandbox.config().join("pipe").display().to_string();
    let table: [(&[&str], i32, &str); 13] = [
        (
            &["/x/tide.rs"],
            1,
            "no session read or changed /x/tide.rs\nhint: files with the same name (if one of them is it, pass --map OLD=NEW):\n  /home/bob/src/tide.rs\n  ~/tidepool/src/tide.rs\n",
        ),
        (&["/x/nowhere.rs"], 1, "no session read or changed /x/nowhere.rs\n"),
        (&["--blame", "nowhere"], 1, "[ROOT]/home/nowhere does not exist\n"),
        (&["--blame", "tidepool"], 2, "is a folder, not a file\n"),
        (&["--blame", "binary"], 2, "is not a text file\n"),
        (&["--blame", "huge"], 2, "is too large for --blame ("),
        (&["--blame", &pipe], 2, "is not a regular file\n"),
        (&["--commit", "abc"], 2, "at least 4 hexadecimal digits"),
        (&["--commit", "xyz12"], 2, "at least 4 hexadecimal digits"),
        (&["--commit", "fade"], 1, "no recorded session made commit fade\n"),
        (&[&tide, "--map", "nonsense"], 2, "invalid --map \"nonsense\": use OLD=NEW"),
        (&["--blame", "a", "--commit", "abcd"], 2, "cannot be used with"),
        (&["--reads"], 2, "required"),
    ];
    for (arguments, code, words) in table {
        let answer = files(&sandbox, arguments);
        let error = filtered(&sandbox, answer.complaint(code));
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
}

#[test]
fn names_lines_and_prompts_are_escaped() {
    const EVIL: &str = "\u{1b}]0;owned\u{7}\u{202e}\u{9b}2J";
    let sandbox = Sandbox::new();
    let cwd = sandbox.home().display().to_string();
    let path = format!("{cwd}/{EVIL}/a.rs");
    let content = format!("{EVIL}\n\t{EVIL}\n");
    let mut lines = vec![user(&format!("Say {EVIL}"))];
    lines.extend(write("t1", &path, &content));
    lines.extend(commit("c1", &format!("[main abc1234] {EVIL}")));
    session(&sandbox, 1, &cwd, lines);
    fs::create_dir_all(format!("{cwd}/{EVIL}")).unwrap();
    fs::write(&path, content + EVIL).unwrap();
    let shown: [&[&str]; 6] = [
        &[],
        &["a.rs"],
        &["a.rs", "--reads", "--no-diff"],
        &["--blame", &path],
        &["--commit", "abc1234"],
        &["/elsewhere/a.rs"],
    ];
    for arguments in shown {
        let answer = files(&sandbox, arguments);
        let all = answer.out + &answer.err;
        assert!(all.contains(r"\u{1b}]0;owned"), "{arguments:?}: {all}");
        assert_eq!(all.find(is_forbidden), None, "{arguments:?}: {all}");
    }
}
