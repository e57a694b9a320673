//! Session metadata from head, tail and sidecars, by the official list's rules.

use serde_json::{Value, json};
use store::{HeadAndTail, HiddenReason, SessionFolder, SessionKind, SessionMetadata};
use testkit::{Line, Sandbox, assistant, metadata, session_id, tool_result, user};

/// These files are all on disk.
static DISK: store::Files = store::Files::disk();

const CWD: &str = "/home/ada/tidepool";
const CHUNK: usize = 64 * 1024;

/// Files of the session's own folder: name and content.
type Sidecars<'a> = &'a [(&'a str, &'a str)];

fn metadata_with_sidecars(lines: &[String], sidecars: Sidecars<'_>) -> SessionMetadata {
    let sandbox = Sandbox::new();
    let path = sandbox.session(CWD, &session_id(1), lines);
    for (name, content) in sidecars {
        sandbox.write(&format!("projects/-home-ada-tidepool/{}/{name}", session_id(1)), content);
    }
    let folder = SessionFolder::find(&DISK, path.with_extension(""));
    SessionMetadata::read(&DISK, &path, folder.as_ref(), &mut HeadAndTail::default()).unwrap()
}

fn metadata_of(lines: &[Line]) -> SessionMetadata {
    metadata_with_sidecars(&lines.iter().map(ToString::to_string).collect::<Vec<_>>(), &[])
}

fn title(text: &str) -> String {
    metadata("custom-title", &[("customTitle", json!(text))]).to_string()
}

fn ai_title(text: &str) -> String {
    metadata("ai-title", &[("aiTitle", json!(text))]).to_string()
}

/// Filler lines of `bytes` bytes including their newlines.
fn filler(bytes: usize) -> Vec<String> {
    let line = metadata("mode", &[("mode", json!("x".repeat(1024 - 26)))]).to_string();
    assert_eq!(line.len(), 1023);
    assert_eq!(bytes % 1024, 0);
    vec![line; bytes / 1024]
}

fn far_apart(head: &[String], tail: &[String]) -> Vec<String> {
    [head, &filler(4 * CHUNK), tail].concat()
}

#[test]
fn titles_count_in_this_order() {
    let prompt = user("hello").to_string();
    let side: Sidecars<'_> = &[("custom-title.json", r#"{"customTitle":"side"}"#)];
    let head = [prompt.clone(), title("head"), ai_title("ai head")];
    let table: [(Vec<String>, Sidecars<'_>, Option<&str>); 10] = [
        (far_apart(&head, &[title("old"), title("tail"), ai_title("ai tail")]), side, Some("tail")),
        (far_apart(&head, &[ai_title("ai tail")]), side, Some("side")),
        (far_apart(&head, &[ai_title("ai tail")]), &[], Some("head")),
        (
            far_apart(&[prompt.clone(), ai_title("ai head")], &[ai_title("ai tail")]),
            &[],
            Some("ai tail"),
        ),
        (far_apart(&[prompt.clone(), ai_title("ai head")], &[]), &[], Some("ai head")),
        (far_apart(std::slice::from_ref(&prompt), &[]), &[], None),
        (vec![prompt.clone(), title("own")], side, Some("own")),
        (vec![prompt.clone(), ai_title("ai")], side, Some("side")),
        (vec![prompt.clone(), ai_title("first"), ai_title("second")], &[], Some("second")),
        (vec![prompt.clone(), title("own"), title("")], side, None),
    ];
    for (number, (lines, sidecars, expected)) in table.iter().enumerate() {
        assert_eq!(
            metadata_with_sidecars(lines, sidecars).title.as_deref(),
            *expected,
            "case {number}"
        );
    }
}

#[test]
fn the_summary_is_the_best_available_text() {
    let prompt = user("the prompt").to_string();
    let last = metadata("last-prompt", &[("lastPrompt", json!("the last"))]).to_string();
    let summary =
        metadata("summary", &[("summary", json!("the summary")), ("leafUuid", json!("x"))])
            .to_string();
    let picture =
        r#"{"type":"user","message":{"content":[{"type":"image","source":{}}]}}"#.to_owned();
    let document =
        r#"{"type":"user","message":{"content":[{"type":"document","source":{}}]}}"#.to_owned();
    let all = [prompt, last, summary, title("the title")];
    let table = [
        (all.to_vec(), Some("the title")),
        (all[..3].to_vec(), Some("the last")),
        (vec![all[0].clone(), all[2].clone()], Some("the summary")),
        (all[..1].to_vec(), Some("the prompt")),
        (vec![picture], Some("Image")),
        (vec![document], Some("Document")),
    ];
    for (lines, expected) in table {
        let found = metadata_with_sidecars(&lines, &[]);
        assert_eq!((found.summary.as_deref(), found.hidden), (expected, None), "{lines:?}");
    }
}

#[test]
fn the_middle_of_a_large_file_is_not_read() {
    let prompt = user("hello").to_string();
    // How many bytes before the end of the file the title's line ends.
    for (behind, expected) in
        [(0, Some("T")), (CHUNK - 1024, Some("T")), (CHUNK, None), (2 * CHUNK, None)]
    {
        let lines =
            [vec![prompt.clone()], filler(2 * CHUNK), vec![title("T")], filler(behind)].concat();
        assert_eq!(
            metadata_with_sidecars(&lines, &[]).title.as_deref(),
            expected,
            "{behind} bytes before the end"
        );
    }
    for (before, expected) in [(CHUNK - 1024, Some("T")), (CHUNK, None)] {
        let lines =
            [filler(before), vec![title("T")], filler(2 * CHUNK), vec![prompt.clone()]].concat();
        assert_eq!(
            metadata_with_sidecars(&lines, &[]).title.as_deref(),
            expected,
            "{before} bytes after the start"
        );
    }
}

#[test]
fn a_line_cut_by_the_start_of_the_tail_is_ignored() {
    let long =
        metadata("custom-title", &[("customTitle", json!("T".repeat(CHUNK + 100)))]).to_string();
    let lines = [vec![user("hello").to_string()], filler(CHUNK), vec![long]].concat();
    let found = metadata_with_sidecars(&lines, &[]);
    assert_eq!((found.title, found.summary.as_deref()), (None, Some("hello")));
}

#[test]
fn a_first_line_that_does_not_fit_the_head_is_not_read() {
    // Its newline may be beyond the head; its text may not.
    for (size, fits) in [(CHUNK - 1, true), (CHUNK, true), (CHUNK + 1, true), (CHUNK + 2, false)] {
        let text = "x".repeat(size - user("").to_string().len() - 1);
        let found = metadata_with_sidecars(&[user(&text).to_string()], &[]);
        assert_eq!(found.bytes, size as u64);
        assert_eq!(found.first_prompt.is_some(), fits, "{size} bytes");
    }
}

#[test]
fn archiving_is_undone_by_a_later_prompt_only() {
    let archived = r#"{"archived":true,"at":"2026-01-03T00:00:00Z","by":"user"}"#;
    let (before, after) = ("2026-01-02T00:00:00Z", "2026-01-04T00:00:00Z");
    let queued = |at: &str| {
        metadata(
            "attachment",
            &[
                ("attachment", json!({"type": "queued_command", "prompt": "x"})),
                ("timestamp", json!(at)),
            ],
        )
    };
    let table = [
        ("an earlier prompt", archived, user("more").at(before), Some(true)),
        ("a later prompt", archived, user("more").at(after), Some(false)),
        ("a later queued prompt", archived, queued(after), Some(false)),
        ("a later answer", archived, assistant("more").at(after), Some(true)),
        ("a later tool result", archived, tool_result("t", "x").at(after), Some(true)),
        ("a later meta line", archived, user("more").at(after).with("isMeta", true), Some(true)),
        (
            "a later command",
            archived,
            user("<command-name>/exit</command-name>").at(after),
            Some(true),
        ),
        (
            "a later line of an agent",
            archived,
            user("more").at(after).with("isSidechain", true),
            Some(true),
        ),
        (
            "taken back",
            r#"{"archived":false,"at":"2026-01-03T00:00:00Z"}"#,
            user("x").at(before),
            Some(false),
        ),
    ];
    for (what, sidecar, line, expected) in table {
        let lines = [user("hello").at(before).to_string(), line.to_string()];
        assert_eq!(
            metadata_with_sidecars(&lines, &[("archived.json", sidecar)]).archived,
            expected,
            "{what}"
        );
    }
    assert_eq!(metadata_of(&[user("hello")]).archived, None);
}

#[test]
fn hidden_sessions_have_a_reason() {
    let table: [(&str, Vec<String>, Option<HiddenReason>); 7] = [
        ("no bytes", vec![], Some(HiddenReason::Empty)),
        ("nothing said", vec![metadata("mode", &[]).to_string()], Some(HiddenReason::Empty)),
        ("only meta", vec![user("x").with("isMeta", true).to_string()], Some(HiddenReason::Empty)),
        ("only answers", vec![assistant("x").to_string()], Some(HiddenReason::Empty)),
        (
            "an agent's first",
            vec![user("x").with("isSidechain", true).to_string(), user("y").to_string()],
            Some(HiddenReason::Sidechain),
        ),
        (
            "an agent's second",
            vec![user("y").to_string(), user("x").with("isSidechain", true).to_string()],
            None,
        ),
        ("only a title", vec![title("T")], None),
    ];
    for (what, lines, expected) in table {
        assert_eq!(metadata_with_sidecars(&lines, &[]).hidden, expected, "{what}");
    }
}

#[test]
fn a_session_is_continued_elsewhere_until_the_next_prompt() {
    let next = session_id(2);
    let continued = metadata("continued-in", &[("continuedInSessionId", json!(next))]);
    assert_eq!(metadata_of(&[user("a"), continued.clone()]).continued_in, Some(next.clone()));
    assert_eq!(
        metadata_of(&[user("a"), continued.clone(), tool_result("t", "x")]).continued_in,
        Some(next)
    );
    assert_eq!(metadata_of(&[user("a"), continued, user("b")]).continued_in, None);
}

#[test]
fn pull_requests_are_listed_once_in_order() {
    let link = |number: Value| {
        metadata(
            "pr-link",
            &[
                ("prNumber", number),
                ("prUrl", json!("https://x/1")),
                ("prRepository", json!("ada/tidepool")),
            ],
        )
    };
    let found = metadata_of(&[
        user("a"),
        link(json!(7)),
        link(json!(9)),
        link(json!(7)),
        link(json!("seven")),
    ]);
    assert_eq!(
        found.pull_requests.iter().map(|link| link.number).collect::<Vec<_>>(),
        [Some(7), Some(9), None]
    );
    assert_eq!(found.pull_requests[0].url.as_deref(), Some("https://x/1"));
    assert_eq!(found.pull_requests[0].repository.as_deref(), Some("ada/tidepool"));
}

#[test]
fn the_cwd_is_the_last_move_else_the_first_recorded() {
    let moved = |to: &str| metadata("relocated", &[("relocatedCwd", json!(to))]);
    let state = |session: Value| metadata("worktree-state", &[("worktreeSession", session)]);
    let first = metadata_of(&[metadata("mode", &[]), user("a").cwd("/one"), user("b").cwd("/two")]);
    assert_eq!((first.cwd.as_deref(), first.original_cwd), (Some("/one"), None));
    let relocated = metadata_of(&[
        user("a").cwd("/one"),
        moved("/three"),
        moved("/four"),
        user("b").cwd("/one"),
    ]);
    assert_eq!(relocated.cwd.as_deref(), Some("/four"));
    let inside = json!({"originalCwd": "/repo", "worktreePath": "/repo/.claude/worktrees/x"});
    let worktree =
        metadata_of(&[user("a").cwd("/repo/.claude/worktrees/x"), state(inside.clone())]);
    assert_eq!(worktree.original_cwd.as_deref(), Some("/repo"));
    assert_eq!(
        metadata_of(&[user("a"), state(inside), state(Value::Null)]).original_cwd,
        None,
        "it left the worktree again"
    );
}

#[test]
fn the_kind_of_a_session_comes_from_its_first_lines() {
    let table = [
        (user("hello"), SessionKind::Interactive),
        (user("hello").with("entrypoint", "cli"), SessionKind::Interactive),
        (user("hello").with("entrypoint", "claude-vscode"), SessionKind::Interactive),
        (user("hello").with("entrypoint", "sdk-ts"), SessionKind::Programmatic),
        (user("hello").with("entrypoint", "sdk-py"), SessionKind::Programmatic),
        (user("hello").with("entrypoint", "sdk-cli"), SessionKind::Programmatic),
        (user("hello").with("sessionKind", "bg"), SessionKind::Interactive),
        (user("hello").with("sessionKind", "daemon"), SessionKind::Programmatic),
        (user("hello").with("sessionKind", "daemon-worker"), SessionKind::Programmatic),
        (user("Warmup"), SessionKind::Warmup),
        (user("Warmup please"), SessionKind::Interactive),
    ];
    for (line, expected) in table {
        assert_eq!(metadata_of(std::slice::from_ref(&line)).kind, expected, "{line}");
    }
}

#[test]
fn branch_version_and_tag_are_the_last_and_created_is_the_first() {
    let found = metadata_of(&[
        user("one").at("2026-01-02T00:00:00Z").with("gitBranch", "main").with("version", "2.1.1"),
        metadata("tag", &[("tag", json!("red"))]),
        metadata("tag", &[("tag", json!("blue"))]),
        user("two").at("2026-01-01T00:00:00Z").with("gitBranch", "dev").with("version", "2.1.2"),
    ]);
    assert_eq!((found.branch.as_deref(), found.version.as_deref()), (Some("dev"), Some("2.1.2")));
    assert_eq!(
        found.created.unwrap().to_string(),
        "2026-01-02T00:00:00Z",
        "file order is the order"
    );
    assert_eq!(
        (found.first_prompt.as_deref(), found.last_prompt.as_deref()),
        (Some("one"), Some("two"))
    );
    assert_eq!(found.tag.as_deref(), Some("blue"));
    let cleared = [
        user("x").to_string(),
        metadata("tag", &[("tag", json!("red"))]).to_string(),
        metadata("tag", &[("tag", json!(""))]).to_string(),
    ];
    assert_eq!(metadata_with_sidecars(&cleared, &[]).tag, None, "an empty tag clears it");
}
