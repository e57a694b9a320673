//! SQL queries: the content of the views, and that a query can read nothing else.

use index::{
    CallRow, Index, IndexError, IngestOptions, IngestProgress, ShownFile, Source, SourceKind,
    SqlRequest, SqlSink, SqlValue, VIEWS,
};
use redact::{Level, Redactor};
use serde_json::json;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use store::progress::CancellationToken;
use store::{FileStat, Files};
use testkit::{
    Line, Sandbox, answered, assistant, call, file, metadata, session_id, tool_error, tool_use,
    user,
};

struct Quiet;

impl IngestProgress for Quiet {
    fn start(&self, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// The result of a query.
#[derive(Default)]
struct Answer {
    columns: Vec<String>,
    rows: Vec<Vec<SqlValue>>,
    most: Option<usize>,
}

impl SqlSink for Answer {
    fn columns(&mut self, names: &[String]) {
        self.columns = names.to_vec();
    }

    fn row(&mut self, values: Vec<SqlValue>) -> bool {
        self.rows.push(values);
        self.most.is_none_or(|most| self.rows.len() < most)
    }
}

/// An index of a session, a copy of it, one of its agents, and another session.
struct Indexed {
    sandbox: Sandbox,
    index: Index,
    sources: Vec<Source>,
}

fn lines() -> Vec<Line> {
    let id = session_id(1);
    let edit = json!({"file_path": "/w/a.rs", "old_string": "a\n", "new_string": "b\nc\n"});
    let patch = json!({"filePath": "/w/a.rs", "originalFile": "a\n", "structuredPatch":
        [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 2, "lines": ["-a", "+b", "+c"]}]});
    let commit = json!({"command": "git commit -m 'Say hello'"});
    let committed = json!({"stdout": "[main 1a2b3c4] Say hello\n 1 file changed", "stderr": ""});
    let mut lines = vec![user("Change it").at("2026-01-02T03:04:05.678Z")];
    lines.extend(answered("t1", "Edit", &edit, "done", patch));
    lines.extend(answered("t2", "Bash", &commit, "[main 1a2b3c4] Say hello", committed));
    lines.push(tool_use("t3", "Bash", &json!({"command": "false"})).at("2026-01-02T03:05:00.000Z"));
    lines.push(tool_error("t3", "no").at("2026-01-02T03:05:02.500Z"));
    lines.push(tool_use("t4", "Bash", &json!({"command": "sleep 9"})));
    lines.push(assistant("Done."));
    lines.push(call("msg_1", [1, 2, 3, 4]));
    let link = [("prNumber", json!(7)), ("prUrl", json!("https://example.org/pull/7"))];
    lines.push(metadata("pr-link", &link).with("prRepository", "a/b"));
    lines.into_iter().map(|line| line.with("sessionId", id.clone()).cwd("/w")).collect()
}

impl Indexed {
    fn new() -> Indexed {
        let sandbox = Sandbox::new();
        let mut indexed =
            Indexed { index: Index::new(sandbox.annals_home()), sandbox, sources: Vec::new() };
        let bytes = file(&lines());
        indexed.add("one.jsonl", &bytes, SourceKind::Main, 1, None);
        indexed.add("copy.jsonl", &bytes, SourceKind::Copy, 1, None);
        let agent = file(&[user("Stamp"), tool_use("t9", "Read", &json!({"file_path": "/w/b"}))]);
        indexed.add("agent.jsonl", &agent, SourceKind::Agent, 1, Some("a9"));
        indexed.add("two.jsonl", &file(&[user("Two")]), SourceKind::Main, 2, None);
        indexed.refresh();
        indexed
    }

    fn add(
        &mut self,
        name: &str,
        bytes: &[u8],
        kind: SourceKind,
        session: u32,
        agent: Option<&str>,
    ) {
        let path = self.sandbox.write(name, bytes);
        let stamp = FileStat::of(&std::fs::metadata(&path).unwrap()).into();
        let session = Some(session_id(session));
        let agent = agent.map(str::to_owned);
        self.sources.push(Source { path, kind, session, agent, stamp, is_archive_only: false });
    }

    fn options(&self) -> IngestOptions<'static> {
        IngestOptions {
            sources: self.sources.clone(),
            files: Files::disk(),
            owns: &|_| true,
            redactor_of: &|_| Arc::new(Redactor::new(Level::Standard, [0; 32])),
            masked_with: &|_| std::collections::HashSet::new(),
            values: &Vec::new,
            memory: 64 << 20,
            is_part: false,
            listing: None,
            shows: &|_, _| true,
        }
    }

    fn refresh(&self) {
        let options = self.options();
        let report = self.index.ingest(64 << 20).unwrap().unwrap().run(&options, &Quiet).unwrap();
        assert_eq!(report.files, self.sources.len());
    }

    fn run_query(
        &self,
        text: &str,
        answer: &mut Answer,
        shows: &dyn Fn(&ShownFile<'_>) -> bool,
        seconds: u64,
    ) -> Result<bool, IndexError> {
        let calls = |files: Vec<index::FileCalls>| {
            let of = |file: &index::FileCalls| CallRow {
                id: file.path.file_name().unwrap().to_str().unwrap().to_owned(),
                session: file.session.clone(),
                cost: Some(0.5),
                ..CallRow::default()
            };
            files.iter().map(of).collect()
        };
        let timeout = Duration::from_secs(seconds);
        self.index.sql(
            &SqlRequest {
                text,
                timeout,
                token: CancellationToken::default(),
                shows,
                shown_path: &|_| None,
                calls: &calls,
            },
            answer,
        )
    }

    fn try_query(&self, text: &str) -> Result<Answer, IndexError> {
        let mut answer = Answer::default();
        assert!(self.run_query(text, &mut answer, &|_| true, 30)?);
        Ok(answer)
    }

    fn query(&self, text: &str) -> Answer {
        self.try_query(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// The rows as text.
    fn rows(&self, text: &str) -> Vec<String> {
        let value = |value: &SqlValue| match value {
            SqlValue::Null => "-".to_owned(),
            SqlValue::Integer(number) => number.to_string(),
            SqlValue::Real(number) => format!("{number:?}"),
            SqlValue::Text(text) => text.clone(),
            SqlValue::Blob(bytes) => format!("{bytes:?}"),
        };
        let rows = self.query(text).rows;
        rows.iter().map(|row| row.iter().map(value).collect::<Vec<_>>().join(" ")).collect()
    }

    fn refusal(&self, text: &str) -> String {
        match self.try_query(text) {
            Err(IndexError::Query(reason)) => reason,
            Err(other) => panic!("{text}: {other:?}"),
            Ok(answer) => panic!("{text}: {:?}", answer.rows),
        }
    }
}

#[test]
fn every_view_has_its_documented_columns() {
    let indexed = Indexed::new();
    for view in VIEWS {
        let answer = indexed.query(&format!("SELECT * FROM {}", view.name));
        let documented: Vec<&str> = view.columns.iter().map(|column| column.name).collect();
        assert_eq!(answer.columns, documented, "{}", view.name);
        assert!(!answer.rows.is_empty(), "{}", view.name);
        for column in view.columns {
            let text = format!("SELECT {0} FROM {1} ORDER BY {0}", column.name, view.name);
            assert_eq!(indexed.query(&text).rows.len(), answer.rows.len(), "{text}");
        }
    }
}

/// SQLite asks for permission differently if no column of a table is read.
#[test]
fn views_can_be_queried_in_any_form() {
    let indexed = Indexed::new();
    for view in VIEWS {
        let name = view.name;
        let column = view.columns[0].name;
        for text in [
            format!("SELECT count(*) FROM {name}"),
            format!("SELECT 1 FROM {name}"),
            format!("SELECT EXISTS (SELECT 1 FROM {name})"),
            format!("SELECT count(*) FROM {name} AS a, {name} AS b"),
            format!("SELECT count(*) FROM sessions LEFT JOIN {name} AS b ON b.{column} IS NULL"),
            format!("SELECT 1 FROM {name} UNION ALL SELECT 2 FROM {name}"),
            format!("SELECT 1 FROM (SELECT * FROM {name} LIMIT 5)"),
            format!("WITH x AS (SELECT * FROM {name}) SELECT count(*) FROM x, x AS y"),
            format!("WITH x AS MATERIALIZED (SELECT 1 FROM {name}) SELECT count(*) FROM x"),
            format!("SELECT (SELECT count(*) FROM {name}) FROM {name}"),
            format!("SELECT row_number() OVER (ORDER BY {column}) FROM {name}"),
            format!(
                "SELECT count(*) FROM {} WHERE {column} IN (SELECT {column} FROM {name})",
                name.to_uppercase()
            ),
        ] {
            assert!(!indexed.query(&text).rows.is_empty(), "{text}");
        }
    }
}

#[test]
fn views_show_the_content_of_transcripts() {
    let indexed = Indexed::new();
    let table = [
        (
            "SELECT first_prompt, cwd, prompts, first, is_archive_only FROM sessions WHERE cwd = '/w'",
            &["Change it /w 1 2026-01-02T03:04:05.678Z 0"][..],
        ),
        (
            "SELECT kind, agent_id FROM transcripts ORDER BY kind",
            &["agent a9", "copy -", "main -", "main -"],
        ),
        ("SELECT tool, is_error, seconds FROM tool_calls WHERE is_error", &["Bash 1 2.5"]),
        // Once, although the copy has them too.
        (
            "SELECT tool, count(*), count(answered) FROM tool_calls GROUP BY tool ORDER BY tool",
            &["Bash 3 2", "Edit 1 1", "Read 1 0"],
        ),
        ("SELECT file, operation, added, removed, prompt FROM touches", &["/w/a.rs change 2 1 1"]),
        ("SELECT hash, branch, subject FROM commits", &["1a2b3c4 main Say hello"]),
        ("SELECT number, url FROM pull_requests", &["7 https://example.org/pull/7"]),
        (
            "SELECT role, kind, is_agent, count(*) FROM blocks WHERE role = 'user' GROUP BY is_agent ORDER BY is_agent",
            &["user prompt 0 2", "user prompt 1 1"],
        ),
        ("SELECT DISTINCT is_error FROM blocks WHERE kind = 'result' ORDER BY 1", &["0", "1"]),
        (
            "SELECT id, project, cost_usd FROM calls WHERE session_id LIKE '00000001%' ORDER BY id",
            &["agent.jsonl /w 0.5", "copy.jsonl /w 0.5", "one.jsonl /w 0.5"],
        ),
    ];
    for (text, expected) in table {
        assert_eq!(indexed.rows(text), expected, "{text}");
    }
}

#[test]
fn calls_whose_results_stand_before_them_have_the_same_effects() {
    let touches = "SELECT file, operation, added, removed, time, prompt FROM touches ORDER BY file";
    let commits = "SELECT hash, time FROM commits";
    let tools = "SELECT tool, count(*) FROM blocks WHERE role = 'tool_result' GROUP BY 1";
    let mut indexed = Indexed::new();
    let ask = |indexed: &Indexed| [touches, commits, tools].map(|text| indexed.rows(text));
    let expected = ask(&indexed);
    assert_eq!((expected[0].len(), expected[1].len()), (1, 1));
    let mut turned = lines();
    // Each of the two calls with an effect, and its result.
    turned.swap(1, 2);
    turned.swap(3, 4);
    indexed.sources.clear();
    indexed.add("turned.jsonl", &file(&turned), SourceKind::Main, 1, None);
    indexed.refresh();
    assert_eq!(ask(&indexed), expected);
}

#[test]
fn values_that_are_too_long_are_null_and_the_row_remains() {
    let mut indexed = Indexed::new();
    let long = "x".repeat(3 << 20);
    let edit = json!({"file_path": long, "old_string": "a", "new_string": "b"});
    let patch = json!({"filePath": long, "structuredPatch": []});
    let mut lines = vec![user("Long").with("gitBranch", long.clone()).cwd(&long)];
    lines.extend(answered("t7", "Edit", &edit, "done", patch));
    lines.push(tool_use("t8", &long, &json!({})));
    let bytes = file(&lines);
    indexed.add("long.jsonl", &bytes, SourceKind::Main, 3, None);
    let options = indexed.options();
    indexed.index.ingest(64 << 20).unwrap().unwrap().run(&options, &Quiet).unwrap();
    for view in VIEWS {
        let rows = indexed
            .query(&format!("SELECT * FROM {} WHERE session_id LIKE '00000003%'", view.name));
        let is_filled = !matches!(view.name, "commits" | "pull_requests");
        assert_eq!(!rows.rows.is_empty(), is_filled, "{}", view.name);
        indexed.query(&format!("SELECT count(*) FROM {}", view.name));
    }
    let text = "SELECT count(*), count(file) FROM touches WHERE session_id LIKE '00000003%'";
    assert_eq!(indexed.rows(text), ["1 0"]);
}

#[test]
fn queries_see_only_visible_files() {
    let indexed = Indexed::new();
    let two: PathBuf = indexed.sources[3].path.clone();
    for view in ["sessions", "transcripts", "calls"] {
        let mut answer = Answer::default();
        let shows = |file: &ShownFile<'_>| file.path == two;
        let text = format!("SELECT DISTINCT session_id FROM {view}");
        indexed.run_query(&text, &mut answer, &shows, 30).unwrap();
        assert_eq!(answer.rows, [[SqlValue::Text(session_id(2))]], "{view}");
    }
    let mut answer = Answer::default();
    let shows = |file: &ShownFile<'_>| file.path.ends_with(Path::new("copy.jsonl"));
    indexed.run_query("SELECT 1 FROM commits", &mut answer, &shows, 30).unwrap();
    assert_eq!(answer.rows.len(), 1, "a copy without its transcript is not a duplicate");
}

// APFS refuses such names.
#[cfg(target_os = "linux")]
#[test]
#[expect(clippy::disallowed_methods, reason = "the sandbox writes only names that are text")]
fn file_whose_name_is_not_text_is_indexed_once_and_shown() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let mut indexed = Indexed::new();
    indexed.add("three.jsonl", &file(&lines()), SourceKind::Main, 3, None);
    let source = indexed.sources.last_mut().unwrap();
    let path = source.path.with_file_name(OsStr::from_bytes(b"\xff3.jsonl"));
    std::fs::rename(&source.path, &path).unwrap();
    source.stamp = FileStat::of(&std::fs::metadata(&path).unwrap()).into();
    source.path.clone_from(&path);
    for files in [1, 0] {
        let ingest = indexed.index.ingest(64 << 20).unwrap().unwrap();
        assert_eq!(ingest.run(&indexed.options(), &Quiet).unwrap().files, files);
    }
    let memo = indexed.index.memo(None).unwrap().unwrap();
    assert!(memo.files().iter().any(|file| file.path == path));
    let mut answer = Answer::default();
    let shows = |file: &ShownFile<'_>| file.path == path;
    indexed.run_query("SELECT path FROM transcripts", &mut answer, &shows, 30).unwrap();
    assert_eq!(answer.rows, [[SqlValue::Text(path.to_string_lossy().into_owned())]]);
}

#[test]
fn calls_are_collected_only_for_queries_that_read_them() {
    let indexed = Indexed::new();
    for (text, expected) in [
        ("SELECT * FROM sessions", false),
        ("SELECT 'calls'", false),
        ("WITH calls AS (SELECT 1) SELECT * FROM calls", false),
        ("SELECT count(*) FROM calls", true),
        ("SELECT 1 FROM sessions WHERE EXISTS (SELECT 1 FROM Calls)", true),
    ] {
        let is_collected = Cell::new(false);
        let calls = |_: Vec<index::FileCalls>| {
            is_collected.set(true);
            Vec::new()
        };
        let timeout = Duration::from_secs(30);
        let query = SqlRequest {
            text,
            timeout,
            token: CancellationToken::default(),
            shows: &|_| true,
            shown_path: &|_| None,
            calls: &calls,
        };
        indexed.index.sql(&query, &mut Answer::default()).unwrap();
        assert_eq!(is_collected.get(), expected, "{text}");
    }
}

#[test]
fn only_the_views_can_be_read() {
    let indexed = Indexed::new();
    let tables = "file block name text touch deed checkpoint setting word word_data word_idx \
        word_content word_docsize word_config sqlite_schema sqlite_master main.sqlite_master \
        temp.sqlite_schema sqlite_temp_master sqlite_temp_schema sqlite_stat1 dbstat \
        pragma_table_list pragma_module_list pragma_database_list main.file FILE \"file\" [block]";
    for table in tables.split_whitespace() {
        for text in [
            format!("SELECT * FROM {table}"),
            format!("SELECT count(*) FROM {table}"),
            format!("SELECT 1 FROM {table}"),
            format!("SELECT EXISTS (SELECT 1 FROM {table})"),
            format!("SELECT 1 FROM sessions, {table}"),
            format!("SELECT 1 FROM sessions LEFT JOIN {table} ON 1"),
            format!("SELECT 1 WHERE 1 IN (SELECT 1 FROM {table})"),
            // A common table expression with the name of a view.
            format!("WITH sessions AS (SELECT * FROM {table}) SELECT * FROM sessions"),
            format!("WITH sessions AS (SELECT 1 FROM {table}) SELECT count(*) FROM sessions"),
            format!(
                "WITH sessions AS MATERIALIZED (SELECT * FROM {table}) SELECT count(*) FROM sessions"
            ),
            format!("WITH hidden_file AS (SELECT * FROM {table}) SELECT * FROM hidden_file"),
        ] {
            indexed.refusal(&text);
        }
    }
    indexed.refusal("SELECT * FROM pragma_table_info('file')");
    indexed.refusal("SELECT * FROM sessions WHERE title MATCH 'x'");
    indexed.refusal("SELECT rowid FROM sessions");
}

#[test]
fn only_select_is_allowed() {
    let indexed = Indexed::new();
    let database = indexed.sandbox.annals_home().join("index.db");
    let before = std::fs::read(&database).unwrap();
    let outside = indexed.sandbox.path().join("outside.db");
    let outside = outside.display();
    for text in [
        format!("ATTACH '{outside}' AS x"),
        format!("VACUUM INTO '{outside}'"),
        "DETACH main".to_owned(),
        "VACUUM".to_owned(),
        "PRAGMA user_version".to_owned(),
        "PRAGMA user_version = 9".to_owned(),
        "PRAGMA writable_schema = ON".to_owned(),
        "PRAGMA hard_heap_limit = 0".to_owned(),
        "DELETE FROM file".to_owned(),
        "DELETE FROM sessions".to_owned(),
        "UPDATE file SET title = 'x'".to_owned(),
        "INSERT INTO setting VALUES ('a', 1)".to_owned(),
        "WITH x AS (SELECT 1) INSERT INTO setting SELECT 'a', 1 FROM x".to_owned(),
        "CREATE TABLE x (a)".to_owned(),
        "CREATE TEMP TABLE x (a)".to_owned(),
        "CREATE TEMP TABLE x AS SELECT * FROM sessions".to_owned(),
        "CREATE TEMP VIEW x AS SELECT 1".to_owned(),
        "CREATE VIRTUAL TABLE temp.x USING fts5vocab('main', 'word', 'row')".to_owned(),
        "CREATE TEMP TRIGGER x INSTEAD OF DELETE ON sessions BEGIN SELECT 1; END".to_owned(),
        "DROP TABLE file".to_owned(),
        "DROP VIEW sessions".to_owned(),
        "ALTER TABLE file RENAME TO x".to_owned(),
        "ANALYZE".to_owned(),
        "REINDEX".to_owned(),
        "BEGIN".to_owned(),
        "COMMIT".to_owned(),
        "ROLLBACK".to_owned(),
        "SAVEPOINT x".to_owned(),
        "EXPLAIN SELECT * FROM sessions".to_owned(),
        "EXPLAIN QUERY PLAN SELECT * FROM sessions".to_owned(),
        "SELECT 1; SELECT 2".to_owned(),
        "SELECT 1; DELETE FROM file".to_owned(),
        "SELECT 1;;; PRAGMA user_version".to_owned(),
        "SELECT 1 -- x\n; /* y */ DROP TABLE file".to_owned(),
        "SELECT load_extension('/tmp/x')".to_owned(),
        "SELECT fts5(x'00')".to_owned(),
        "SELECT readfile('/etc/hostname')".to_owned(),
        "SELECT writefile('/tmp/x', 'y')".to_owned(),
        "SELECT edit('x')".to_owned(),
        "SELECT fts3_tokenizer('x')".to_owned(),
        "SELECT sqlite_compileoption_get(1)".to_owned(),
    ] {
        indexed.refusal(&text);
    }
    assert!(std::fs::read(&database).unwrap() == before, "the file changed");
    assert!(!indexed.sandbox.path().join("outside.db").exists());
}

#[test]
fn invalid_sql_is_refused_with_a_reason() {
    let indexed = Indexed::new();
    let table = [
        ("", "no SELECT statement"),
        (" \n\t", "no SELECT statement"),
        (";", "no SELECT statement"),
        ("-- nothing", "no SELECT statement"),
        ("/* without an end", "no SELECT statement"),
        ("SELEC 1", "syntax error (at character 1)"),
        ("SELECT 'x", "unrecognized token"),
        ("SELECT \"x", "unrecognized token"),
        ("SELECT (1", "incomplete input"),
        ("SELECT 'é', absent FROM sessions", "no such column: absent (at character 13)"),
        ("SELECT * FROM nowhere", "no such table: nowhere"),
        ("SELECT ?", "parameters"),
        ("SELECT :a", "parameters"),
        ("SELECT 1\0; DROP TABLE file", "NUL character"),
        ("SELECT * FROM file", "a query can only read the public views"),
    ];
    for (text, expected) in table {
        let reason = indexed.refusal(text);
        assert!(reason.contains(expected), "{text}: {reason}");
    }
    let long = format!("SELECT '{}'", "x".repeat(200_000));
    assert!(indexed.refusal(&long).contains("longer than"));
    indexed.refusal(&format!("SELECT {}1{}", "(".repeat(40_000), ")".repeat(40_000)));
    indexed.refusal(&format!("SELECT {}1", "~".repeat(90_000)));
    assert_eq!(indexed.rows("SELECT 1;"), ["1"]);
    assert_eq!(indexed.rows(&format!("SELECT 1{}", ";".repeat(90_000))), ["1"]);
    assert_eq!(indexed.rows("/* a */ SELECT 1 -- b\n; -- c"), ["1"]);
}

#[test]
fn endless_query_times_out() {
    let indexed = Indexed::new();
    for text in [
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c",
        "SELECT count(*) FROM blocks a, blocks b, blocks c, blocks d, blocks e, blocks f, blocks g, blocks h, blocks i, blocks j",
    ] {
        let ended = indexed.run_query(text, &mut Answer::default(), &|_| true, 1);
        assert!(matches!(ended, Err(IndexError::TimedOut(1))), "{text}: {ended:?}");
    }
}

#[test]
fn huge_values_are_refused() {
    let indexed = Indexed::new();
    for text in [
        "SELECT randomblob(1000000000)",
        "SELECT zeroblob(1000000000)",
        "SELECT printf('%.*c', 1000000000, 'x')",
        "SELECT replace(hex(zeroblob(500000)), '0', hex(zeroblob(500000)))",
        "SELECT group_concat(hex(zeroblob(400000))) FROM blocks",
        "SELECT json_group_array(hex(zeroblob(400000))) FROM blocks",
    ] {
        assert!(indexed.refusal(text).contains("too big"), "{text}");
    }
}

#[test]
fn rows_are_streamed_until_the_sink_stops() {
    let indexed = Indexed::new();
    let mut answer = Answer { most: Some(3), ..Answer::default() };
    let text = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c";
    indexed.run_query(text, &mut answer, &|_| true, 30).unwrap();
    assert_eq!(answer.rows.len(), 3);
}

#[test]
fn missing_index_gives_no_answer() {
    let sandbox = Sandbox::new();
    let indexed =
        Indexed { index: Index::new(sandbox.annals_home()), sandbox, sources: Vec::new() };
    assert!(!indexed.run_query("SELECT 1", &mut Answer::default(), &|_| true, 1).unwrap());
}

#[test]
fn a_value_in_many_columns_does_not_pass_the_memory_limit() {
    // SQLite holds the value once.
    let columns = vec!["v"; 100].join(", ");
    let text =
        format!("WITH t(v) AS (SELECT printf('%.*c', 1000000, 'x')) SELECT {columns} FROM t");
    let refusal = Indexed::new().refusal(&text);
    assert!(refusal.contains("a row of the result is longer than 8 MB"), "{refusal}");
}
