//! Exports have the whole session in every format, or the piece that was asked for.

use crate::cli::commands::export_files::{out, outside};
use crate::cli::support::corpus::corpus;
use crate::cli::support::run::{annals, command, run, text};
use crate::cli::support::sample_session::{ID, story};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use testkit::Sandbox;

/// What an export of the story on standard output looks like.
fn export_text(arguments: &[&str]) -> String {
    let sandbox = story();
    let arguments = [&["export", ID, "-o", "-"], arguments].concat();
    let answer = annals(&sandbox, &arguments);
    assert_eq!(answer.code, 0, "{}", answer.err);
    answer.out
}

#[test]
fn markdown_contains_the_whole_conversation() {
    insta::assert_snapshot!(export_text(&["--format", "md"]), @r#"
    # Tides

    Session `00000001-0000-4000-8000-000000000001` · `/home/ada/tidepool` · branch `main`

    2026-01-20 08:00:00 · 3 turns · 45 tokens out · $0.0005 · agents $0.0003 · claude-sonnet-5 · UTC

    <details><summary>╌ Orphaned segment: 1 message, the records before are missing</summary>

    #### o1.1. A stray remark

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

    <details><summary>Summary of the conversation so far</summary>

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

    *Error output:*

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

    <details><summary>⎇ Abandoned branch 1: “Never mind” (2 messages)</summary>

    #### b1.1. Never mind

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

    ## Agents not linked to a call

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
fn plain_text_contains_the_whole_conversation() {
    insta::assert_snapshot!(export_text(&["--format", "txt", "--agents", "fold", "--no-thinking"]), @"
    Tides
    00000001-0000-4000-8000-000000000001 · /home/ada/tidepool · main · 2026-01-20 08:00:00 · 3 turns · 45 tokens out · $0.0005 · UTC · left out: thinking

    ╌ Orphaned segment: 1 message, the records before are missing
      │ ━━ o1.1 ━━ 2026-01-20 08:00:00
      │ ❯ A stray remark

    ━━ 1 ━━ 2026-01-20 09:00:00 · 6.0s (model 5.0s, tools 1.0s) · 15 tokens out
    ❯ Look at the tides

    ⏺ Read src/tide.rs (1 line)  09:00:03 · 1.0s

    They come **twice** a day.

    ── compacted (auto): 150k to 9.0k tokens ──
    Summary of the conversation so far:
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
        … 56 lines (441 B) left out, --tools full shows them …
        wave 59
        wave 60
    ⏺ Task Explore: survey  10:00:20 · 1m
      ⤷ shore · Explore · done · 2 calls · 59s · 15 tokens out · generation 2: survey

    Fixed.

    changed src/tide.rs +1 −0 · 1 error

    ⎇ Abandoned branch 1: “Never mind” (2 messages)
      │ ━━ b1.1 ━━ 2026-01-20 10:02:00 · 5.0s · 5 tokens out
      │ ❯ Never mind
      │ 
      │ As you wish.

    ━━ 3 ━━ 2026-01-20 10:05:00 · 6.0s · 10 tokens out
    ❯ Thank you

    ? Skill bow  no answer · 10:05:04

    Gladly.


    ━━ Agents not linked to a call ━━
      ⤷ warm · unfinished · 0.0s
      ⤷ flow · done · 9.0s · 5 tokens out · generation 2
    ");
}

#[test]
fn selected_turns_are_exported_and_omissions_noted() {
    let page = export_text(&["--format", "md", "--last", "1", "--agents", "none"]);
    assert!(page.contains("left out: 2 turns of 3"), "{page}");
    assert!(page.contains("Thank you") && !page.contains("Fix the ebb"), "{page}");
    for format in ["md", "txt", "html", "xml", "json"] {
        let page = export_text(&["--format", format, "--last", "1"]);
        assert!(page.contains("Thank you"), "{format}: {page}");
        assert!(
            !page.contains("Count crabs") && !page.contains("Weigh the water"),
            "{format}: {page}"
        );
        let page = export_text(&["--format", format, "--from", "2", "--to", "2"]);
        assert!(
            page.contains("Count crabs"),
            "{format}: the agents of its calls are exported: {page}"
        );
    }
    let page = export_text(&["--format", "md", "--find", "ebb"]);
    assert!(page.contains("Fix the ebb") && !page.contains("Thank you"), "{page}");
    let page = export_text(&["--format", "md", "--generation", "1"]);
    assert!(page.contains("Look at the tides") && !page.contains("Fix the ebb"), "{page}");
    let page = export_text(&["--format", "md", "--abandoned", "1"]);
    assert!(page.contains("As you wish.") && !page.contains("Gladly."), "{page}");
}

#[test]
fn export_json_equals_show_json() {
    let sandbox = story();
    let exported: Value =
        serde_json::from_str(&export_text(&["--format", "json", "--agents", "none"])).unwrap();
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
    for (list, state) in [("branches", "abandoned"), ("orphaned_segments", "orphaned")] {
        for named in exported[list].as_array().unwrap() {
            for uuid in named["messages"].as_array().unwrap() {
                let message = messages.iter().find(|message| message["uuid"] == *uuid);
                assert_eq!(message.map(|it| &it["state"]), Some(&state.into()), "{uuid}");
            }
        }
    }
    let with_agents: Value = serde_json::from_str(&export_text(&["--format", "json"])).unwrap();
    let of_agents = with_agents["messages"].as_array().unwrap().iter();
    assert!(of_agents.clone().any(|message| message["agent_id"] == "shore"));
}

#[test]
fn every_real_transcript_is_exported_faithfully() {
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

/// The types of all blocks in an exported document.
fn block_types(document: &Value) -> BTreeSet<String> {
    let messages = document["messages"].as_array().unwrap();
    let blocks = messages.iter().flat_map(|message| message["blocks"].as_array().unwrap());
    blocks.map(|block| block["type"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn json_leaves_out_what_other_formats_leave_out() {
    let types = |arguments: &[&str]| {
        let text = export_text(&[&["--format", "json"], arguments].concat());
        let document = serde_json::from_str(&text).unwrap();
        block_types(&document).into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(types(&[]), "text thinking tool_result tool_use");
    assert_eq!(types(&["--tools", "full"]), "text thinking tool_result tool_use");
    assert_eq!(types(&["--tools", "none"]), "text thinking");
    assert_eq!(types(&["--no-thinking"]), "text tool_result tool_use");
    assert_eq!(types(&["--tools", "none", "--no-thinking", "--agents", "none"]), "text");
    let agents = |arguments: &[&str]| {
        let text = export_text(&[&["--format", "json"], arguments].concat());
        let document: Value = serde_json::from_str(&text).unwrap();
        let messages = document["messages"].as_array().unwrap();
        messages.iter().filter(|message| !message["agent_id"].is_null()).count()
    };
    assert!(agents(&[]) > 0);
    assert_eq!(agents(&["--agents", "none"]), 0);
    let sandbox = story();
    let shown = annals(&sandbox, &["show", ID, "--json", "--tools", "none"]).done().json();
    assert!(!block_types(&shown).contains("tool_use"), "{shown}");
    for command in [&["show", ID, "--json"][..], &["export", ID, "-o", "-", "--format", "json"]] {
        let brief = annals(&sandbox, &[command, &["--tools", "brief"]].concat());
        let complaint = brief.complaint(2);
        assert!(complaint.contains("JSON has whole calls\nhint: "), "{complaint}");
    }
}

#[test]
fn session_that_a_filter_names_goes_where_a_named_one_goes() {
    let sandbox = story();
    let named = annals(&sandbox, &["export", ID, "-o", "-"]).done().out;
    let filtered = annals(&sandbox, &["export", "--session", ID, "-o", "-"]).done().out;
    assert_eq!(filtered, named);
    let several = annals(&sandbox, &["export", "--since", "2020-01-01", "-o", "-"]);
    assert!(several.complaint(2).contains("several sessions"), "{}", several.err);
}
