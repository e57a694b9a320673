//! Queries of the index.

use crate::cli::support::corpus::corpus;
use crate::cli::support::run::{Answer, annals, command, demo, run, session, text};
use serde_json::json;
use std::io::Write as _;
use std::process::Stdio;
use testkit::{Sandbox, session_id};

/// Two sessions, one of a folder that a spreadsheet would run.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Say \u{1b}[31mhello\u{202e}");
    session(&sandbox, 2, "=cmd()", "Two");
    sandbox
}

fn refusal(answer: &Answer) -> String {
    let complaint = answer.complaint(2).to_owned();
    assert!(complaint.starts_with("annals: "), "{complaint}");
    complaint
}

const QUERY: &str =
    "SELECT project, prompts, NULL AS empty, x'00ff' AS bytes FROM sessions ORDER BY project";

#[test]
fn result_is_a_table() {
    let sandbox = store();
    insta::assert_snapshot!(annals(&sandbox, &["sql", QUERY]).done().out, @"
    project             prompts  empty  bytes
    /home/ada/tidepool        1   NULL  00ff
    =cmd()                    1   NULL  00ff
    ");
    assert_eq!(annals(&sandbox, &["sql", "SELECT 1 WHERE 0"]).done().out, "No rows.\n");
    let cut = annals(&sandbox, &["sql", QUERY, "--limit", "1"]).done().out;
    assert!(cut.ends_with("Showing the first 1 rows (--limit 0 shows all)\n"), "{cut}");
}

#[test]
fn result_is_json_or_csv() {
    let sandbox = store();
    let document = annals(&sandbox, &["sql", QUERY, "--json"]).done().json();
    assert_eq!(
        document,
        json!({"schema": "annals/sql/1", "fresh": true, "index_complete": true, "covered_since": null, "columns": ["project", "prompts", "empty", "bytes"], "rows": [
            {"project": "/home/ada/tidepool", "prompts": 1, "empty": null, "bytes": "00ff"},
            {"project": "=cmd()", "prompts": 1, "empty": null, "bytes": "00ff"},
        ]})
    );
    let rows = annals(&sandbox, &["sql", "SELECT 1, 2 AS n, 2.5 AS n", "--jsonl"]).done().out;
    assert_eq!(rows, "{\"1\":1,\"n\":2,\"n_2\":2.5}\n");
    let rows = annals(&sandbox, &["sql", QUERY, "--csv"]).done().out;
    assert_eq!(rows, "project,prompts,empty,bytes\n/home/ada/tidepool,1,,00ff\n'=cmd(),1,,00ff\n");
}

#[test]
fn a_query_is_read_from_standard_input() {
    let sandbox = store();
    let mut child = command(&sandbox, &["sql", "-", "--csv"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"-- how many\nSELECT count(*) AS n FROM sessions;\n")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "n\n2\n");
}

#[test]
fn refused_query_is_exit_2_with_a_reason() {
    let sandbox = store();
    insta::assert_snapshot!(refusal(&annals(&sandbox, &["sql", "SELECT title FROM session"])), @"
    annals: the query failed: no such table: session
    hint: annals sql --schema lists views and columns
    ");
    let endless =
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT max(n) FROM c";
    insta::assert_snapshot!(refusal(&annals(&sandbox, &["sql", endless, "--timeout", "1"])), @"
    annals: the query took longer than 1 s
    hint: use --timeout SECONDS to allow more time
    ");
    for format in ["--json", "--jsonl", "--csv"] {
        for query in ["DELETE FROM file", "SELECT * FROM word", "SELECT 'x", ""] {
            refusal(&annals(&sandbox, &["sql", query, format]));
        }
    }
    let large = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 100) \
        SELECT zeroblob(1000000) FROM c";
    assert!(refusal(&annals(&sandbox, &["sql", large, "--json"])).contains("larger than 32 MB"));
    for arguments in
        [&["sql"][..], &["sql", "SELECT 1", "--timeout", "0"], &["sql", "x", "--schema"]]
    {
        assert_eq!(annals(&sandbox, arguments).code, 2, "{arguments:?}");
    }
}

#[test]
fn transcript_text_is_escaped_in_tables() {
    let sandbox = store();
    let query = "SELECT first_prompt AS '\u{1b}[2J' FROM sessions";
    let out = annals(&sandbox, &["sql", query]).done().out;
    assert!(
        out.contains("hello") && !out.contains(crate::cli::support::hostile_text::is_forbidden),
        "{out:?}"
    );
}

#[test]
fn secrets_are_not_in_the_index_and_masked_on_request() {
    let sandbox = Sandbox::new();
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    session(&sandbox, 1, "/home/ada/tidepool", &format!("Use {secret}"));
    let query = "SELECT first_prompt FROM sessions";
    // It is not even in the index; what a query makes up is masked on its way out.
    let out = annals(&sandbox, &["sql", query]).done().out;
    assert!(out.contains("Use") && !out.contains(&secret), "{out}");
    let query = format!("SELECT '{secret}' AS made_up");
    assert!(annals(&sandbox, &["sql", &query]).done().out.contains(&secret));
    for format in [&[][..], &["--json"], &["--jsonl"], &["--csv"]] {
        let out = annals(&sandbox, &[&["sql", &query, "--redact=on"], format].concat()).done().out;
        assert!(out.contains("redacted") && !out.contains(&secret), "{format:?}: {out}");
    }
}

#[test]
fn only_the_selected_stores_are_queried() {
    let (one, two) = (store(), Sandbox::new());
    session(&two, 3, "/elsewhere", "Three");
    let other = two.config().display().to_string();
    let ask = |arguments: &[&str]| {
        let answer = annals(&one, &[arguments, &["--csv"]].concat()).done().out;
        answer.lines().nth(1).unwrap().to_owned()
    };
    for view in ["sessions", "transcripts"] {
        let query = format!("SELECT count(*) AS n FROM {view}");
        assert_eq!(ask(&["sql", &query]), "2");
        assert_eq!(ask(&["sql", &query, "--root", &other]), "1");
        assert_eq!(ask(&["sql", &query]), "2");
    }
    let transcript = two.projects().join("-elsewhere").join(format!("{}.jsonl", session_id(3)));
    let only = transcript.display().to_string();
    assert_eq!(ask(&["sql", "SELECT session_id FROM sessions", "--root", &only]), session_id(3));
}

#[test]
fn schema_lists_the_views() {
    let schema = demo(&["sql", "--schema"]).done().out;
    let start: Vec<&str> = schema.lines().take(17).collect();
    insta::assert_snapshot!(start.join("\n"), @"
    Views version 1. Times are RFC 3339 in UTC; booleans are 1 and 0.

    sessions: A session's transcript
      session_id       The session's id
      path             Path of the file; it may no longer exist
      title            Title, or the summary if there is no title
      first_prompt     The first prompt
      project          The folder the session was started in, as recorded
      cwd              The working directory, as recorded
      branch           The git branch
      tag              Tag
      created          When the session was started
      first            Earliest timestamp in the transcript
      last             Latest timestamp in the transcript
      prompts          Number of prompts, each once, whether it was sent at once or queued
      bytes            File size in bytes
      is_archive_only  1 if the file is only in the archive, no longer on disk
    ");
    let document = demo(&["sql", "--schema", "--json"]).done().json();
    assert_eq!(
        (&document["schema"], &document["version"]),
        (&json!("annals/sql-schema/1"), &json!(1))
    );
    // Names that queries may rely on; a changed one is another version.
    let views: Vec<String> = document["views"]
        .as_array()
        .unwrap()
        .iter()
        .map(|view| {
            let columns = view["columns"].as_array().unwrap().iter();
            let columns: Vec<_> = columns.map(|column| text(&column["name"])).collect();
            format!("{}: {}", text(&view["name"]), columns.join(" "))
        })
        .collect();
    insta::assert_snapshot!(views.join("\n"), @"
    sessions: session_id path title first_prompt project cwd branch tag created first last prompts bytes is_archive_only
    transcripts: path kind session_id agent_id bytes modified is_archive_only
    blocks: session_id agent_id path line time role kind tool model branch is_error is_agent prompt
    tool_calls: session_id agent_id tool time answered seconds is_error path line prompt
    touches: session_id agent_id file operation added removed time prompt
    commits: session_id hash branch subject time prompt
    pull_requests: session_id number url time prompt
    calls: id session_id project cwd branch model agent_id agent_type time input_tokens output_tokens thinking_tokens cache_write_5m cache_write_1h cache_read web_searches cost_usd is_sidechain
    ");
}

#[test]
fn examples_of_the_reference_run() {
    let sandbox = store();
    let reference = annals(&sandbox, &["reference", "--sql"]).done().out;
    let queries: Vec<&str> =
        reference.split("```sql\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(queries.len() >= 3);
    for query in queries {
        annals(&sandbox, &["sql", query]).done();
    }
}

/// The sum of the view is that of the report, exactly as far as a float goes.
fn assert_same_sums(ask: impl Fn(&[&str]) -> Answer) {
    let total = ask(&["usage", "--json"]).json()["total"].clone();
    let sums = "SELECT count(*) AS calls, sum(input_tokens) AS input_tokens, \
        sum(output_tokens) AS output_tokens, sum(thinking_tokens) AS thinking_tokens, \
        sum(cache_write_5m) AS cache_write_5m_tokens, sum(cache_write_1h) AS cache_write_1h_tokens, \
        sum(cache_read) AS cache_read_tokens, sum(web_searches) AS web_searches, \
        sum(cost_usd) AS cost_usd FROM calls";
    let sums_row = ask(&["sql", sums, "--json"]).json()["rows"][0].clone();
    for (name, value) in sums_row.as_object().unwrap() {
        if name == "cost_usd" {
            let expected: f64 = text(&total[name]).parse().unwrap();
            assert!((value.as_f64().unwrap() - expected).abs() < 1e-6, "{value} {expected}");
        } else {
            assert_eq!(value, &total[name], "{name}");
        }
    }
    assert!(sums_row["calls"].as_u64() > Some(0));
}

#[test]
fn sum_of_calls_equals_usage() {
    // With calls of transcripts that are gone.
    assert_same_sums(|arguments| demo(arguments).done());
}

#[test]
fn sum_of_calls_of_real_transcripts_equals_usage() {
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    assert_same_sums(|arguments| {
        run(command(&sandbox, arguments).env("CLAUDE_CONFIG_DIR", &corpus)).done()
    });
}
