//! Secrets in names: branches, working directories, paths and tools.

use index::{
    Index, IngestOptions, IngestProgress, Source, SourceKind, SqlRequest, SqlSink, SqlValue, VIEWS,
};
use redact::{Level, Redactor};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use store::progress::CancellationToken;
use store::{FileStat, Files};
use testkit::{Sandbox, answered, file, session_id, user};

struct Quiet;

impl IngestProgress for Quiet {
    fn start(&self, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// Every text of an answer.
#[derive(Default)]
struct Texts(Vec<String>);

impl SqlSink for Texts {
    fn columns(&mut self, _: &[String]) {}

    fn row(&mut self, values: Vec<SqlValue>) -> bool {
        self.0.extend(values.into_iter().filter_map(|value| match value {
            SqlValue::Text(text) => Some(text),
            _ => None,
        }));
        true
    }
}

#[test]
fn no_view_shows_a_secret_in_the_name_of_a_branch_a_folder_a_path_or_a_tool() {
    let secret = format!("gh{}", "p_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6");
    let read = json!({ "file_path": format!("/w/{secret}/a.rs") });
    let result = json!({"type": "text", "file": {"filePath": format!("/w/{secret}/a.rs")}});
    let mut lines = vec![user("Read it")];
    lines.extend(answered("t1", "Read", &read, "done", result));
    lines.extend(answered("t2", &format!("mcp__{secret}"), &json!({}), "done", json!({})));
    let lines: Vec<_> = lines
        .into_iter()
        .map(|line| {
            line.with("sessionId", session_id(1))
                .with("gitBranch", format!("fix/{secret}"))
                .cwd(&format!("/w/{secret}"))
        })
        .collect();
    let sandbox = Sandbox::new();
    let path = sandbox.write("one.jsonl", file(&lines));
    let stamp = FileStat::of(&std::fs::metadata(&path).unwrap()).into();
    let session = Some(session_id(1));
    let source = Source {
        path,
        kind: SourceKind::Main,
        session,
        agent: None,
        stamp,
        is_archive_only: false,
    };
    let index = Index::new(sandbox.annals_home());
    let options = IngestOptions {
        sources: vec![source],
        files: Files::disk(),
        owns: &|_| true,
        redactor_of: &|_| Arc::new(Redactor::new(Level::Standard, [0; 32])),
        masked_with: &|_| std::collections::HashSet::new(),
        values: &Vec::new,
        memory: 64 << 20,
        is_part: false,
        listing: None,
        shows: &|_, _| true,
    };
    index.ingest(64 << 20).unwrap().unwrap().run(&options, &Quiet).unwrap();
    let mut number = 0;
    for view in VIEWS {
        let mut texts = Texts::default();
        let text = &format!("SELECT * FROM {}", view.name);
        let timeout = Duration::from_secs(30);
        let question = SqlRequest {
            text,
            timeout,
            token: CancellationToken::default(),
            shows: &|_| true,
            shown_path: &|_| None,
            calls: &|_| Vec::new(),
        };
        assert!(index.sql(&question, &mut texts).unwrap());
        number += texts.0.len();
        let shown: Vec<_> = texts.0.iter().filter(|text| text.contains(&secret[4..])).collect();
        assert!(shown.is_empty(), "{}: {shown:?}", view.name);
    }
    assert!(number > 10, "{number} texts");
}
