//! Resume anywhere: whatever a file contained before, and wherever reading stopped, the
//! index equals one built from the current file in one read.

use index::{Index, IngestOptions, IngestProgress, Source, SourceKind, Stamp};
use proptest::prelude::*;
use redact::{Level, Redactor};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{FileStat, Files};
use testkit::{
    Line, assistant, attachment, call, metadata, session_id, tool_error, tool_result, tool_use,
    user,
};

struct Silent;

impl IngestProgress for Silent {
    fn start(&self, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// A folder with a transcript and the indexes built from it.
struct TestFolder {
    folder: tempfile::TempDir,
    kind: SourceKind,
}

impl TestFolder {
    fn new(kind: SourceKind) -> TestFolder {
        TestFolder { folder: tempfile::tempdir().unwrap(), kind }
    }

    fn transcript(&self) -> PathBuf {
        self.folder.path().join(format!("{}.jsonl", session_id(1)))
    }

    fn refresh(&self, index: &str) {
        let path = self.transcript();
        let stamp = Stamp::from(FileStat::of(&fs::metadata(&path).unwrap()));
        let source = Source {
            path,
            kind: self.kind,
            session: Some(session_id(1)),
            agent: (self.kind == SourceKind::Agent).then(|| "a1".to_owned()),
            stamp,
            is_archive_only: false,
        };
        let options = IngestOptions {
            sources: vec![source],
            files: Files::disk(),
            owns: &|_: &Path| true,
            redactor_of: &|_| Arc::new(Redactor::new(Level::Standard, [0; 32])),
            masked_with: &|_| std::collections::HashSet::new(),
            values: &Vec::new,
            memory: 32 << 20,
            is_part: false,
            listing: None,
            shows: &|_, _| true,
        };
        let ingest = self.index(index).ingest(options.memory).unwrap().unwrap();
        let report = ingest.run(&options, &Silent).unwrap();
        assert!(report.unread.is_empty(), "{:?}", report.unread);
    }

    fn index(&self, name: &str) -> Index {
        Index::new(self.folder.path().join(name))
    }

    /// Writes and indexes contents one after the other, and compares the index with a new
    /// one built from the last content.
    fn check(&self, contents: &[&[u8]]) {
        for bytes in contents {
            fs::write(self.transcript(), bytes).unwrap();
            self.refresh("grown");
        }
        self.refresh("fresh");
        let (grown, fresh) = (self.index("grown").dump(), self.index("fresh").dump());
        let (grown, fresh) = (grown.unwrap(), fresh.unwrap());
        assert!(!fresh.is_empty());
        let difference = |these: &[String], those: &[String]| {
            these.iter().filter(|line| !those.contains(line)).cloned().collect::<Vec<_>>()
        };
        let (more, less) = (difference(&grown, &fresh), difference(&fresh, &grown));
        assert!(grown == fresh, "too much:\n{}\nmissing:\n{}", more.join("\n"), less.join("\n"));
    }
}

/// A line of any kind. There are few call ids, so that some calls have two results, some
/// none, and some a result before the call.
fn line() -> impl Strategy<Value = String> {
    let kinds = (0..22usize, 0..4usize, 0..5usize, 0..60u32);
    kinds.prop_map(|(kind, id, word, minute)| {
        let id = format!("t{id}");
        let word = ["kelp", "foo_bar", "Straße", "東京", "sk-ant-api03-notAWord"][word];
        let line = plain_line(kind, &id, word);
        if kind == 13 {
            return "not JSON at all".to_owned();
        }
        if kind == 14 {
            return String::new();
        }
        line.at(&format!("2026-01-02T03:{minute:02}:05.678Z")).to_string()
    })
}

fn plain_line(kind: usize, id: &str, word: &str) -> Line {
    let bash = |tool: &str, command: &str| tool_use(id, tool, &json!({"command": command}));
    match kind {
        0 => user(&format!("Where is the {word}?")),
        1 => assistant(&format!("The {word} is there.")),
        2 => tool_use(id, "Read", &json!({"file_path": format!("/p/{word}.rs")})),
        3 => tool_use(
            id,
            "Edit",
            &json!({"file_path": "/p/a.rs", "old_string": "a", "new_string": format!("{word}\nb")}),
        ),
        4 => bash("Bash", &format!("git commit -m {word}")),
        5 => bash("Bash", "annals search kelp"),
        6 => tool_result(id, &format!("[main abc1234] {word}\n 1 file changed")),
        7 => tool_error(id, "it failed"),
        8 => call(&format!("msg_{id}"), [10, 20, 30, 40]),
        9 => metadata("custom-title", &[("customTitle", word.into())]),
        10 => user(word).with("slug", format!("plan-{id}")),
        11 => attachment(&json!({"type": "queued_command", "prompt": word})),
        12 => metadata("pr-link", &[("prNumber", 7.into()), ("prUrl", "https://x/pull/7".into())]),
        15 => user("").message("content", json!([{"type": "image", "source": {}}])),
        16 => bash("PowerShell", &format!("git commit -m {word}")),
        17 => bash("BashOutput", "git push"),
        18 => tool_use("t1", "Write", &json!({"file_path": "/p/n.rs", "content": word})).message(
            "content",
            json!([
                {"type": "tool_use", "id": "t1", "name": "Write", "input": {"file_path": "/p/n.rs", "content": word}},
                {"type": "tool_use", "id": "t2", "name": "Read", "input": {"file_path": "/p/m.rs"}},
            ]),
        ),
        19 => user(word).with("isSidechain", true).with("agentId", "a9"),
        20 => user("").message(
            "content",
            json!([
                {"type": "tool_result", "tool_use_id": "t1", "content": word},
                {"type": "tool_result", "tool_use_id": "t2", "content": word},
            ]),
        ),
        _ => user(word).with("isCompactSummary", true),
    }
}

fn content() -> impl Strategy<Value = String> {
    (prop::collection::vec(line(), 0..14), any::<bool>()).prop_map(|(lines, is_ended)| {
        let text = lines.join("\n");
        let end = if is_ended { "\n" } else { "" };
        text + end
    })
}

fn kind() -> impl Strategy<Value = SourceKind> {
    prop::sample::select(vec![SourceKind::Main, SourceKind::Agent, SourceKind::Copy])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn reading_a_file_in_two_pieces_gives_the_same_index(
        text in content(),
        at in any::<prop::sample::Index>(),
        kind in kind(),
    ) {
        let bytes = text.as_bytes();
        let cut = at.index(bytes.len() + 1);
        TestFolder::new(kind).check(&[&bytes[..cut], bytes]);
    }

    #[test]
    fn replaced_file_gives_the_index_of_its_new_content(
        (one, two) in (content(), content()),
        cuts in any::<[prop::sample::Index; 2]>(),
        kind in kind(),
    ) {
        let (one, two) = (one.as_bytes(), two.as_bytes());
        // A shared beginning with another end, then truncated, then the final content.
        let shared = cuts[0].index(two.len() + 1);
        let before = [&two[..shared], one].concat();
        let shrunk = cuts[1].index(before.len() + 1);
        TestFolder::new(kind).check(&[&before, &before[..shrunk], two]);
    }
}

#[test]
fn large_last_line_without_newline_is_indexed() {
    let folder = TestFolder::new(SourceKind::Main);
    let text = user(&"kelp and more ".repeat(400_000)).to_string();
    folder.check(&[text.as_bytes()]);
    let whole = format!("{}\n{text}\n{}\n", user("before"), user("behind"));
    folder.check(&[&whole.as_bytes()[..whole.len() / 2], whole.as_bytes()]);
}

#[test]
fn large_files_in_pieces_give_the_same_index() {
    // Several checkpoints and several parts.
    let folder = TestFolder::new(SourceKind::Main);
    let lines = (0..3_000).map(|number| {
        let text = format!("{} number{number}", "words of a long text ".repeat(150));
        let line =
            if number % 2 == 0 { user(&text) } else { call(&format!("m{number}"), [1, 2, 3, 4]) };
        line.to_string() + "\n"
    });
    let bytes = lines.collect::<String>().into_bytes();
    let cut = bytes.len() / 3;
    folder.check(&[&bytes[..cut], &bytes]);
    // Changed in place near the beginning, and truncated.
    let mut other = bytes[..2 * cut].to_vec();
    let at = other.windows(7).position(|text| text == b"number4").unwrap();
    other[at..at + 7].copy_from_slice(b"another");
    folder.check(&[&other]);
}
