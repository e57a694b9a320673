//! Exports: what is written, where, under which name, and what is refused.

use crate::corpus::corpus;
use crate::run::{annals, assert_members, command, run, text};
use crate::story::{ID, story};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use testkit::{Sandbox, assistant, fingerprint, session_id, user};

/// The files in a folder, by name.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A folder outside the store.
pub(crate) fn outside(sandbox: &Sandbox, name: &str) -> PathBuf {
    let folder = sandbox.path().join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Where exports go.
fn out(sandbox: &Sandbox) -> PathBuf {
    outside(sandbox, "out")
}

/// What an export of the story on standard output looks like.
fn told(arguments: &[&str]) -> String {
    let sandbox = story();
    let arguments = [&["export", ID, "-o", "-"], arguments].concat();
    let answer = annals(&sandbox, &arguments);
    assert_eq!(answer.code, 0, "{}", answer.err);
    answer.out
}

#[test]
fn markdown_tells_the_whole_story() {
    insta::assert_snapshot!(told(&["--format", "md"]), @r#"
    # Tides

    Session `00000001-0000-4000-8000-000000000001` · `/home/ada/tidepool` · branch `main`

    2026-01-20 08:00:00 · 3 turns · 45 tokens out · $0.0005 · agents $0.0003 · claude-sonnet-5 · UTC

    <details><summary>╌ Gap: what came before 1 message is missing</summary>

    #### 1. A stray remark

    *2026-01-20 08:00:00*

    > A stray remark

    </details>

    ## 1. Look at the tides

    *2026-01-20 09:00:00 · 6.0s · 15 tokens out · $0.0002*

    > Look at the tides

    <details><summary>Thinking</summary>

    The moon pulls.

    </details>

    <details><summary>Read src/tide.rs (1 line)</summary>

    ```
    fn tide() {}
    ```

    </details>

    They come **twice** a day.

    ---

    *compacted (auto): 150k to 9.0k tokens*

    <details><summary>What came before, summed up</summary>

    We spoke of tides.

    </details>

    ## 2. Fix the ebb

    *2026-01-20 10:00:00 · 1m 22s · 20 tokens out · $0.0002*

    > Fix the ebb

    <details><summary>Edit src/tide.rs +1 −0</summary>

    ```diff
    @@ -7,1 +7,2 @@
     ebb
    +flow
    ```

    </details>

    <details><summary>✗ Bash cargo test</summary>

    ```bash
    cargo test
    ```

    ```
    Exit code 101
    wave 1
    wave 2
    wave 3
    wave 4
    wave 5
    wave 6
    wave 7
    wave 8
    wave 9
    wave 10
    wave 11
    wave 12
    wave 13
    wave 14
    wave 15
    wave 16
    wave 17
    wave 18
    wave 19
    wave 20
    wave 21
    wave 22
    wave 23
    … 29 lines (232 B) left out …
    wave 53
    wave 54
    wave 55
    wave 56
    wave 57
    wave 58
    wave 59
    wave 60
    ```

    </details>

    <details><summary>Task Explore: survey</summary>

    ```json
    {
      "description": "survey",
      "prompt": "Survey the shore",
      "subagent_type": "Explore"
    }
    ```

    ```
    Sandy.
    ```

    </details>

    <details><summary>⤷ shore · Explore · done · 2 calls · 59s · 15 tokens out · generation 2: survey</summary>

    #### 1. Survey the shore

    *2026-01-20 10:00:20 · 58s · 15 tokens out · $0.0002*

    > Survey the shore

    <details><summary>⊘ denied: Grep sand</summary>

    ```json
    {
      "pattern": "sand"
    }
    ```

    *It failed, or complained:*

    ```
    This command requires approval
    ```

    </details>

    <details><summary>Agent Count</summary>

    ```json
    {
      "prompt": "Count crabs",
      "subagent_type": "Count"
    }
    ```

    ```
    Seven.
    ```

    </details>

    <details><summary>⤷ crabs · Count · done · 8.0s · 5 tokens out · generation 2</summary>

    #### 1. Count crabs

    *2026-01-20 10:00:41 · 8.0s · 5 tokens out · $0.0001*

    > Count crabs

    Seven.

    </details>

    Sandy.

    </details>

    Fixed.

    <details><summary>⎇ Undone 1: “Never mind” (2 messages)</summary>

    #### 1. Never mind

    *2026-01-20 10:02:00 · 5.0s · 5 tokens out · $0.0001*

    > Never mind

    As you wish.

    </details>

    ## 3. Thank you

    *2026-01-20 10:05:00 · 6.0s · 10 tokens out · $0.0001*

    > Thank you

    <details><summary>? no answer: Skill bow</summary>

    ```json
    {
      "skill": "bow"
    }
    ```

    </details>

    Gladly.

    ## Agents whose calls are not here

    ⤷ warm · unfinished · 0.0s

    <details><summary>⤷ flow · done · 9.0s · 5 tokens out · generation 2</summary>

    #### 1. Weigh the water

    *2026-01-20 10:03:00 · 9.0s · 5 tokens out · $0.0001*

    > Weigh the water

    Heavy.

    </details>
    "#);
}

#[test]
fn plain_text_tells_the_whole_story() {
    insta::assert_snapshot!(told(&["--format", "txt", "--agents", "fold", "--no-thinking"]), @"
    Tides
    00000001-0000-4000-8000-000000000001 · /home/ada/tidepool · main · 2026-01-20 08:00:00 · 3 turns · 45 tokens out · $0.0005 · UTC · left out: thinking

    ╌ Gap: what came before 1 message is missing
      │ ━━ 1 ━━ 2026-01-20 08:00:00
      │ ❯ A stray remark

    ━━ 1 ━━ 2026-01-20 09:00:00 · 6.0s (model 5.0s, tools 1.0s) · 15 tokens out
    ❯ Look at the tides

    ⏺ Read src/tide.rs (1 line)  09:00:03 · 1.0s

    They come **twice** a day.

    ── compacted (auto): 150k to 9.0k tokens ──
    What came before, summed up:
        We spoke of tides.


    ━━ 2 ━━ 2026-01-20 10:00:00 · 1m 22s (model 11s, tools 1m 11s) · 20 tokens out
    ❯ Fix the ebb

    ⏺ Edit src/tide.rs +1 −0  10:00:05 · 1.0s
        @@ -7,1 +7,2 @@
         ebb
        +flow
    ✗ Bash cargo test  exit 101 · 10:00:08 · 10s
        Exit code 101
        wave 1
        wave 2
        … 56 lines (441 B) left out …
        wave 59
        wave 60
    ⏺ Task Explore: survey  10:00:20 · 1m
      ⤷ shore · Explore · done · 2 calls · 59s · 15 tokens out · generation 2: survey

    Fixed.

    changed src/tide.rs +1 −0 · 1 error

    ⎇ Undone 1: “Never mind” (2 messages)
      │ ━━ 1 ━━ 2026-01-20 10:02:00 · 5.0s · 5 tokens out
      │ ❯ Never mind
      │ 
      │ As you wish.

    ━━ 3 ━━ 2026-01-20 10:05:00 · 6.0s · 10 tokens out
    ❯ Thank you

    ? Skill bow  no answer · 10:05:04

    Gladly.


    ━━ Agents whose calls are not here ━━
      ⤷ warm · unfinished · 0.0s
      ⤷ flow · done · 9.0s · 5 tokens out · generation 2
    ");
}

#[test]
fn a_piece_is_told_and_what_is_missing_is_said() {
    let page = told(&["--format", "md", "--last", "1", "--agents", "none"]);
    assert!(page.contains("left out: 2 turns of 3"), "{page}");
    assert!(page.contains("Thank you") && !page.contains("Fix the ebb"), "{page}");
    for format in ["md", "txt", "html", "xml", "json"] {
        let page = told(&["--format", format, "--last", "1"]);
        assert!(page.contains("Thank you"), "{format}: {page}");
        assert!(
            !page.contains("Count crabs") && !page.contains("Weigh the water"),
            "{format}: {page}"
        );
        let page = told(&["--format", format, "--from", "2", "--to", "2"]);
        assert!(page.contains("Count crabs"), "{format}: agents of its calls are told: {page}");
    }
    let page = told(&["--format", "md", "--find", "ebb"]);
    assert!(page.contains("Fix the ebb") && !page.contains("Thank you"), "{page}");
    let page = told(&["--format", "md", "--generation", "1"]);
    assert!(page.contains("Look at the tides") && !page.contains("Fix the ebb"), "{page}");
    let page = told(&["--format", "md", "--alt", "1"]);
    assert!(page.contains("As you wish.") && !page.contains("Gladly."), "{page}");
}

#[test]
fn json_is_the_conversation_that_show_answers_with() {
    let sandbox = story();
    let exported: Value =
        serde_json::from_str(&told(&["--format", "json", "--agents", "none"])).unwrap();
    let shown = annals(&sandbox, &["show", ID, "--json"]).done().json();
    assert_eq!(exported["schema"], "annals/conversation/1");
    // An export goes back behind the compaction; what stands is the same.
    let messages = exported["messages"].as_array().unwrap();
    for message in shown["messages"].as_array().unwrap() {
        let same = messages.iter().find(|other| other["uuid"] == message["uuid"]);
        let same = same.unwrap_or_else(|| panic!("{message} is missing"));
        assert_eq!((&same["blocks"], &same["meta"]), (&message["blocks"], &message["meta"]));
    }
    assert!(messages.iter().any(|message| message["uuid"] == "u1"));
    // Whatever the document names it holds, with what became of it.
    for (list, state) in [("branches", "undone"), ("lost", "lost")] {
        for named in exported[list].as_array().unwrap() {
            for uuid in named["messages"].as_array().unwrap() {
                let message = messages.iter().find(|message| message["uuid"] == *uuid);
                assert_eq!(message.map(|it| &it["state"]), Some(&state.into()), "{uuid}");
            }
        }
    }
    let with_agents: Value = serde_json::from_str(&told(&["--format", "json"])).unwrap();
    let of_agents = with_agents["messages"].as_array().unwrap().iter();
    assert!(of_agents.clone().any(|message| message["agent_id"] == "shore"));
}

#[test]
fn files_are_named_after_day_title_and_id_and_are_private() {
    let sandbox = story();
    let folder = out(&sandbox);
    let shown = folder.to_str().unwrap();
    let answer = annals(&sandbox, &["export", ID, "-o", shown, "--format", "md"]).done();
    assert_eq!(names(&folder), ["2026-01-20-tides-00000001.md"]);
    let file = folder.join("2026-01-20-tides-00000001.md");
    assert!(answer.out.starts_with(file.to_str().unwrap()), "{}", answer.out);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let before = fs::read(&file).unwrap();
    let again = annals(&sandbox, &["export", ID, "-o", shown, "--format", "md"]);
    assert!(again.complaint(2).contains("is there already; --force writes over it"));
    assert_eq!(fs::read(&file).unwrap(), before);
    annals(&sandbox, &["export", ID, "-o", shown, "--force", "--last", "1"]).done();
    assert_ne!(fs::read(&file).unwrap(), before);
    assert_eq!(names(&folder).len(), 1, "nothing is left beside it");
}

#[test]
fn the_name_of_a_file_says_its_format() {
    let sandbox = story();
    let folder = out(&sandbox);
    for (name, beginning) in [
        ("a.md", "# Tides"),
        ("a.htm", "<!doctype html>"),
        ("a.TXT", "Tides\n"),
        ("a.json", "{\n"),
        ("a.jsonl", "{\""),
        ("a", "# Tides"),
    ] {
        let path = folder.join(name);
        annals(&sandbox, &["export", ID, "-o", path.to_str().unwrap()]).done();
        let written = fs::read_to_string(&path).unwrap();
        assert!(written.starts_with(beginning), "{name}: {written}");
    }
}

#[test]
fn several_sessions_have_an_index() {
    let sandbox = story();
    for number in [2, 3] {
        let lines = [user(&format!("Task {number} <b>&")), assistant("Done.")];
        sandbox.session("-home-ada-other", &session_id(number), &lines);
    }
    let folder = sandbox.path().join("new/out");
    let shown = folder.to_str().unwrap();
    let answer = annals(&sandbox, &["export", "--every", "-o", shown, "--json"]).done().json();
    assert_eq!(answer["schema"], "annals/export/1");
    let files = answer["files"].as_array().unwrap();
    assert_members(&files[0], "path session_id agent_id bytes masked");
    assert_eq!(files.len(), 4);
    let index = fs::read_to_string(folder.join("index.md")).unwrap();
    assert!(index.contains("[Tides](2026-01-20-tides-00000001.md)"), "{index}");
    assert!(index.contains("Task 2 &lt;b>&amp;"), "{index}");
    assert!(
        annals(&sandbox, &["export", "--every", "-o", shown])
            .complaint(2)
            .contains("3 more are there already")
    );
    for format in ["txt", "json", "jsonl"] {
        annals(&sandbox, &["export", "--every", "-o", shown, "--format", format, "--force"]).done();
    }
    let index: Value =
        serde_json::from_slice(&fs::read(folder.join("index.json")).unwrap()).unwrap();
    assert_eq!(index["schema"], "annals/export-index/1");
    assert_members(
        &index["sessions"][0],
        "file session_id agent_id title project branch started_at ended_at turns output_tokens cost_usd agents_cost_usd",
    );
}

#[test]
fn what_cannot_be_written_is_said_and_leaves_nothing() {
    let sandbox = story();
    let before = fingerprint(&sandbox.config());
    let inside = sandbox.projects();
    let file = sandbox.path().join("file");
    fs::write(&file, "x").unwrap();
    let around = format!("{}/new/../claude/projects/out/", sandbox.path().display());
    let table: [(&[&str], &str); 14] = [
        (&["-o", inside.to_str().unwrap()], "where annals writes nothing"),
        (&["-o", &around], "where annals writes nothing"),
        (&["--csv", "-o", "-"], "has no rows"),
        (&["-o", "/proc/annals-export"], "cannot "),
        (&["-o", &format!("{}/below/", file.display())], "cannot make the folder"),
        (&["--every", "-o", "-"], "several sessions go into a folder"),
        (&["--format", "jsonl", "--last", "1", "-o", "-"], "jsonl is the transcript as it is"),
        (&["--format", "jsonl", "--tools", "none", "-o", "-"], "jsonl is the transcript as it is"),
        (&["--from", "900", "-o", "-"], "the last has the number 3"),
        (&["-o", "a.pdf"], "there is no format \"pdf\""),
        (&["-o", "/dev/null", "--force"], "-o - writes to standard output"),
        (&["--from", "3", "--to", "1", "-o", "-"], "--from 3 comes after --to 1"),
        (&["--alt", "9", "-o", "-"], "there is no branch 9"),
        (&["--here", "-o", "-"], "filters choose among all sessions"),
    ];
    for (arguments, expected) in table {
        let every = arguments.first() == Some(&"--every");
        let name: &[&str] = if every { &[] } else { &[ID] };
        let answer = annals(&sandbox, &[&["export"], name, arguments].concat());
        assert_ne!(answer.code, 0, "{arguments:?}");
        assert!(answer.err.contains(expected), "{arguments:?}: {}", answer.err);
        assert_eq!(answer.out, "", "{arguments:?}");
    }
    assert_eq!(fingerprint(&sandbox.config()), before);
    assert!(annals(&sandbox, &["export", "nobody"]).complaint(1).contains("nobody"));
}

#[test]
fn a_full_disk_is_said_and_leaves_no_half_file() {
    let sandbox = story();
    let small = testkit::session_id(2);
    let text = "x".repeat(400_000);
    sandbox.session("-home-ada-big", &small, &[user("Long"), assistant(&text)]);
    let folder = out(&sandbox);
    // A limit on the size of files stands for a disk that is full.
    let script = "ulimit -f 64; exec \"$0\" \"$@\"";
    let path = folder.join("a.md");
    let mut limited = sandbox.command("bash");
    limited.args(["-c", script, env!("CARGO_BIN_EXE_annals"), "export", &small]);
    let answer = run(limited.args(["-o", path.to_str().unwrap()]));
    assert_eq!(answer.code, 2, "{}", answer.err);
    assert!(answer.err.contains("cannot write"), "{}", answer.err);
    assert!(names(&folder).is_empty(), "{:?}", names(&folder));
}

#[test]
fn every_real_transcript_goes_out_as_it_is() {
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    let ask = |arguments: &[&str]| {
        run(command(&sandbox, arguments).env("CLAUDE_CONFIG_DIR", &corpus)).done()
    };
    let folder = out(&sandbox);
    let shown = folder.to_str().unwrap();
    let every = ["export", "--every", "--json", "-o", shown, "--format"];
    let plain = ask(&[&every[..], &["jsonl", "--redact", "off"]].concat()).json();
    let files = plain["files"].as_array().unwrap();
    assert!(files.len() > 50);
    let sessions = ask(&["ls", "--json"]).json();
    let sessions = sessions["sessions"].as_array().unwrap();
    let masked_folder = outside(&sandbox, "masked");
    ask(&[
        "export",
        "--every",
        "--json",
        "-o",
        masked_folder.to_str().unwrap(),
        "--format",
        "jsonl",
    ]);
    for file in files.iter().filter(|file| file["session_id"].is_string()) {
        let session = sessions.iter().find(|session| session["id"] == file["session_id"]).unwrap();
        let written = PathBuf::from(text(&file["path"]));
        let source = fs::read(text(&session["path"])).unwrap();
        assert!(fs::read(&written).unwrap() == source, "{} differs", session["id"]);
        let masked = fs::read(masked_folder.join(written.file_name().unwrap())).unwrap();
        assert_linked(&source, &masked);
    }
    // The conversation is the same read back from the file that was exported.
    for session in sessions.iter().take(12) {
        let id = text(&session["id"]);
        let shown = ask(&["show", &id, "--json"]).json();
        let exported = files.iter().find(|file| file["session_id"] == session["id"]).unwrap();
        let again = ask(&["show", &text(&exported["path"]), "--json"]).json();
        assert_eq!(again["messages"], shown["messages"], "{id}");
    }
}

/// The same lines, each still what it was, with the same links.
fn assert_linked(source: &[u8], masked: &[u8]) {
    let lines =
        |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (source, masked) = (lines(source), lines(masked));
    assert_eq!(source.len(), masked.len());
    for (one, two) in source.iter().zip(&masked) {
        let (Ok(one), two) =
            (serde_json::from_slice::<Value>(one), serde_json::from_slice::<Value>(two))
        else {
            continue;
        };
        let two = two.expect("a masked line is JSON as before");
        for key in ["uuid", "parentUuid", "sessionId", "type", "timestamp", "requestId"] {
            assert_eq!(one[key], two[key]);
        }
        assert_eq!(one["message"]["id"], two["message"]["id"]);
    }
}

#[test]
fn an_empty_transcript_is_nothing_to_export() {
    let sandbox = Sandbox::new();
    let path = sandbox.session("-home-ada", &session_id(3), &[user("x")]);
    fs::write(&path, "").unwrap();
    let answer = annals(&sandbox, &["export", &session_id(3), "-o", "-"]);
    assert!(answer.complaint(1).contains("is empty"));
}

#[test]
fn what_was_not_written_is_counted_where_a_disk_is_full() {
    let sandbox = story();
    let text = "x".repeat(400_000);
    sandbox.session("-home-ada-big", &session_id(2), &[user("Long"), assistant(&text)]);
    let folder = out(&sandbox);
    let mut limited = sandbox.command("bash");
    let script = "ulimit -f 64; exec \"$0\" \"$@\"";
    limited.args(["-c", script, env!("CARGO_BIN_EXE_annals"), "export", "--every", "-o"]);
    let answer = run(limited.arg(&folder));
    assert_eq!(answer.code, 2, "{}", answer.err);
    assert!(answer.err.contains("1 of 2 sessions are not exported"), "{}", answer.err);
    assert!(answer.out.contains("-tides-00000001.md"), "{}", answer.out);
    assert_eq!(names(&folder), ["2026-01-20-tides-00000001.md", "index.md"]);
}

#[test]
fn a_session_that_is_being_written_goes_out_in_whole_lines() {
    let sandbox = story();
    let path = sandbox.session("-home-ada-live", &session_id(5), &[user("Go on")]);
    let is_done = std::sync::atomic::AtomicBool::new(false);
    let exported: Vec<Vec<u8>> = std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0.. {
                // A line comes in two halves, as it may.
                let line = assistant(&format!("Step {number}")).to_string();
                let (one, two) = line.split_at(line.len() / 2);
                sandbox.append(&path, one);
                std::thread::sleep(std::time::Duration::from_millis(2));
                sandbox.append(&path, format!("{two}\n"));
                if is_done.load(std::sync::atomic::Ordering::Relaxed) {
                    break;
                }
            }
        });
        let export = ["export", "00000005", "--format", "jsonl", "-o", "-", "--redact", "off"];
        let exported = (0..8).map(|_| annals(&sandbox, &export).done().bytes).collect();
        is_done.store(true, std::sync::atomic::Ordering::Relaxed);
        exported
    });
    let all = fs::read(&path).unwrap();
    for bytes in exported {
        assert!(all.starts_with(&bytes) && !bytes.is_empty());
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let torn = lines.filter(|line| serde_json::from_slice::<Value>(line).is_err()).count();
        // What rested for a moment is the transcript as it was, its torn end included.
        assert!(torn <= 1, "{}", String::from_utf8_lossy(&bytes));
    }
}
