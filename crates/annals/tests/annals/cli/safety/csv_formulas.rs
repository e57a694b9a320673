//! A spreadsheet runs no formula from CSV output.

use crate::cli::support::exercises::{Formats, calls_with_formats};
use crate::cli::support::run::annals;
use serde_json::json;
use testkit::{Sandbox, call, metadata, session_id, user};

/// The rows of a spreadsheet, read as a spreadsheet reads them.
fn rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => cell.extend(characters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    assert!(row.is_empty() && cell.is_empty() && !quoted, "a row without an end");
    rows
}

const FORMULAS: [&str; 9] = [
    "=cmd()",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\tx",
    "=a,\"b\"\nc",
    "＝cmd()",
    "\u{feff}=cmd()",
    "\u{200b}＋1",
];

/// A store whose every text is a formula.
fn store(formula: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let line = user(formula)
        .with("sessionId", session_id(1))
        .cwd(formula)
        .with("gitBranch", formula)
        .with("version", formula);
    let tag = metadata("tag", &[("tag", formula.into())]);
    let title = metadata("custom-title", &[("customTitle", formula.into())]);
    let answer = call("m", [1, 2, 3, 4])
        .model(formula)
        .with("gitBranch", formula)
        .calls_tools(&[("t", formula)])
        .usage("cache_creation_input_tokens", 9000);
    sandbox.session("/p", &session_id(1), [line.clone(), tag, title, answer]);
    let agents = format!("projects/-p/{}/subagents", session_id(1));
    sandbox.write(&format!("{agents}/agent-=1+1.jsonl"), line.to_string() + "\n");
    let meta = json!({"agentType": formula, "description": formula, "model": formula});
    sandbox.write(&format!("{agents}/agent-=1+1.meta.json"), meta.to_string());
    let history = json!({"display": formula, "timestamp": 1_767_225_600_000_u64, "project": formula, "sessionId": session_id(9)});
    sandbox.write("history.jsonl", history.to_string() + "\n");
    sandbox
}

/// Asserts that all rows have the same cells, and that a spreadsheet runs none of them.
fn assert_harmless(arguments: &[&str], text: &str) {
    let rows = rows(text);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{arguments:?}: {text}");
    for cell in rows.iter().flatten() {
        let visible = cell.trim_start_matches(['\u{feff}', '\u{200b}']);
        let is_formula = visible.starts_with(['=', '+', '-', '@', '＝', '＋', '\t', '\r']);
        assert!(!is_formula, "{arguments:?}: {cell:?}");
    }
}

#[test]
fn no_cell_begins_like_a_formula() {
    for formula in FORMULAS {
        let sandbox = store(formula);
        for arguments in [
            &["ls"][..],
            &["ls", "--deleted"],
            &["projects"],
            &["prompts"],
            &["prompts", "00000001"],
            &["agents", "00000001"],
            &["usage"],
            &["usage", "model"],
            &["usage", "--by", "branch,tool"],
        ] {
            let answer = annals(&sandbox, &[arguments, &["--csv"]].concat()).done();
            assert!(rows(&answer.out).len() > 1, "{arguments:?}");
            assert_harmless(arguments, &answer.out);
        }
        for call in calls_with_formats(Formats::Rows, "00000001") {
            let answer = annals(&sandbox, &[&call[..], &["--csv"]].concat());
            assert_harmless(&call, &answer.out);
        }
    }
}

#[test]
fn formulas_are_quoted() {
    let answer = annals(&store("=cmd()"), &["ls", "--csv"]).done();
    let rows = rows(&answer.out);
    let column = rows[0].iter().position(|name| name == "title").unwrap();
    assert_eq!(rows[1][column], "'=cmd()");
    let answer = annals(&store("say \"a, b\""), &["ls", "--csv"]).done();
    assert!(answer.out.contains("\"say \"\"a, b\"\"\""), "{}", answer.out);
}

#[test]
fn first_row_names_the_columns() {
    let sandbox = store("plain");
    let heads =
        [&["ls"][..], &["projects"], &["prompts"], &["agents", "00000001"]].map(|arguments| {
            annals(&sandbox, &[arguments, &["--csv"]].concat())
                .done()
                .out
                .lines()
                .next()
                .unwrap()
                .to_owned()
        });
    insta::assert_snapshot!(heads.join("\n"), @"
    id,modified_at,created_at,project,branch,title,summary,first_prompt,tag,bytes,agents,version,presence,path,messages,turns,models,cost_usd
    project,sessions,agents,bytes,modified_at,latest_session
    timestamp,session_id,cwd,source,turn,uuid,text
    id,parent_id,type,description,model,bytes,path,started_at,duration_ms,output_tokens,tool_calls,errors,outcome
    ");
}
