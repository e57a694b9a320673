//! Grep beyond transcripts: outputs and plans in separate files, copies, and the
//! tools that answers are of.

use crate::cli::support::run::{annals, command, filtered, run, session, text};
use serde_json::{Value, json};
use testkit::{Sandbox, assistant, chained, session_id, tool_result, tool_use, user};

fn hits(sandbox: &Sandbox, arguments: &[&str]) -> Vec<Value> {
    let answer = annals(sandbox, &[&["grep", "--json"], arguments].concat());
    assert!(matches!(answer.code, 0 | 1) && answer.err.is_empty(), "{arguments:?}: {answer:?}");
    let document = answer.json();
    let hits = document["hits"].as_array().unwrap().clone();
    if !arguments.contains(&"--limit") {
        assert_eq!(document["total"], hits.len(), "{arguments:?}");
    }
    hits
}

/// Hits in short: session, agent, role, tool, file, line, text.
fn hit_rows(hits: &[Value]) -> String {
    let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let lines = hits.iter().map(|hit| {
        let session = word(&hit["session_id"]);
        let path = text(&hit["path"]);
        let file = path.rsplit('/').next().unwrap();
        format!(
            "{} {} {} {} {file}:{} {}",
            session.trim_start_matches('0').get(..1).unwrap_or("-"),
            word(&hit["agent_id"]),
            word(&hit["role"]),
            word(&hit["tool"]),
            hit["line"],
            hit["text"]
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Where the files of the first session lie.
fn own(name: &str) -> String {
    format!("projects/-p/{}/{name}", session_id(1))
}

/// A session with outputs, a plan and a copy, one without, and a plan of nobody.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let noted = json!({"persistedOutputPath": "/elsewhere/tool-results/b1.txt"});
    let marker =
        "<persisted-output>\nOutput too large. Full output saved to: C:\\x\\tool-results\\c1.txt\n";
    let lines = chained([
        user("Look around").with("slug", "calm-tide"),
        tool_use("t1", "Bash", &json!({"command": "ls"})),
        tool_result("t1", "much").with("toolUseResult", noted),
        tool_use("t2", "Read", &json!({"path": "x"})),
        tool_result("t2", marker),
        tool_use("t3", "Glob", &json!({"pattern": "x"})),
        tool_result("t3", "kelp.txt"),
        assistant("Done, with kelp."),
    ]);
    let lines: Vec<_> =
        lines.into_iter().map(|line| line.with("sessionId", session_id(1)).cwd("/p")).collect();
    let copied = [
        lines[7].to_string(),
        user("Only here: kelp")
            .link("e1", None)
            .with("sessionId", session_id(1))
            .cwd("/p")
            .to_string(),
        json!({"type": "summary", "summary": "Short kelp", "leafUuid": "e2"}).to_string(),
    ];
    sandbox.session("/p", &session_id(1), lines);
    sandbox.agent(
        "/p",
        &session_id(1),
        "agent-a1",
        [tool_use("t9", "WebFetch", &json!({"url": "x"})).cwd("/p")],
    );
    sandbox.write(&own("tool-results/b1.txt"), "one\ntwo kelp\nthree kelp\n");
    sandbox.write(&own("tool-results/c1.txt"), b"kelp \xff\n");
    sandbox.write(&own("tool-results/t9.json"), "[\"kelp\"]");
    sandbox.write(&own("tool-results/unknown"), "kelp");
    for (copy, modified) in [("20260119-100000", 1_768_816_800), ("20260119-110000", 1_768_820_400)]
    {
        let path = format!("pre-compact-session-histories/{}-{copy}.jsonl", session_id(1));
        sandbox.set_modified(&sandbox.write(&path, copied.join("\n") + "\n"), modified);
    }
    sandbox.write("plans/calm-tide.md", "# Plan\n\nGrow kelp\n");
    sandbox.write("plans/calm-tide-agent-a1.md", "More kelp\n");
    sandbox.write("plans/lost-tide.md", "Lost kelp\n");
    sandbox.write("plans/notes.txt", "kelp");
    session(&sandbox, 2, "/q", "The file calm-tide");
    sandbox
}

#[test]
fn outputs_plans_and_copies_are_found_once() {
    let sandbox = store();
    insta::assert_snapshot!(hit_rows(&hits(&sandbox, &["kelp"])), @r#"
    1 - tool_result Glob 00000001-0000-4000-8000-000000000001.jsonl:7 "kelp.txt"
    1 - assistant - 00000001-0000-4000-8000-000000000001.jsonl:8 "Done, with kelp."
    1 - user - 00000001-0000-4000-8000-000000000001-20260119-110000.jsonl:2 "Only here: kelp"
    1 - summary - 00000001-0000-4000-8000-000000000001-20260119-110000.jsonl:3 "Short kelp"
    1 - tool_result Bash b1.txt:2 "two kelp\nthree kelp"
    1 - tool_result Read c1.txt:1 "kelp �"
    1 a1 tool_result WebFetch t9.json:1 "[\"kelp\"]"
    1 - tool_result - unknown:1 "kelp"
    1 a1 plan - calm-tide-agent-a1.md:1 "More kelp"
    1 - plan - calm-tide.md:3 "Grow kelp"
    - - plan - lost-tide.md:1 "Lost kelp"
    "#);
    let counted = annals(&sandbox, &["grep", "-c", "kelp", "--json"]).done().json();
    assert_eq!(counted["total"], 11, "{counted}");
    assert_eq!(counted["sessions"][1]["title"], "lost-tide.md");
    assert_eq!(annals(&sandbox, &["grep", "-l", "kelp", "--json"]).done().ids(), [session_id(1)]);
    assert_eq!(annals(&sandbox, &["grep", "-l", "Lost kelp", "--json"]).code, 1, "no session");
}

#[test]
fn archived_outputs_plans_and_copies_are_found() {
    let sandbox = store();
    let before = hit_rows(&hits(&sandbox, &["kelp"]));
    annals(&sandbox, &["archive", "sync"]).done();
    for folder in ["projects", "plans", "pre-compact-session-histories"] {
        sandbox.remove_folder(&sandbox.config().join(folder));
    }
    assert_eq!(hit_rows(&hits(&sandbox, &["kelp"])), before);
}

#[test]
fn filters_apply_to_outputs_and_plans() {
    let sandbox = store();
    for name in ["plans/calm-tide.md", "plans/calm-tide-agent-a1.md", "plans/lost-tide.md"] {
        sandbox.set_modified(&sandbox.config().join(name), 1_800_000_000);
    }
    for name in ["b1.txt", "c1.txt", "t9.json", "unknown"] {
        let path = sandbox.config().join(own(&format!("tool-results/{name}")));
        sandbox.set_modified(&path, 1_700_000_000);
    }
    let table: [(&[&str], usize); 12] = [
        (&[], 11),
        (&["--project", "/p"], 10),
        (&["--project", "/q"], 0),
        (&["--exclude", "/nowhere/**"], 10),
        (&["--exclude", "/p"], 0),
        (&["--role", "plan"], 3),
        (&["--role", "tool_result"], 5),
        (&["--role", "plan", "--role", "user"], 4),
        (&["--since", "2027-01-01"], 3),
        (&["--until", "2025-01-01"], 4),
        (&["--tool", "Bash", "--role", "tool_result"], 1),
        (&["--tool", "W*", "--role", "tool_result"], 1),
    ];
    for (arguments, expected) in table {
        let found = hits(&sandbox, &[&["kelp"], arguments].concat());
        assert_eq!(found.len(), expected, "{arguments:?}\n{}", hit_rows(&found));
    }
}

#[test]
fn plan_without_a_session_is_listed_by_its_name() {
    let sandbox = store();
    sandbox.set_modified(&sandbox.config().join("plans/lost-tide.md"), 1_800_000_000);
    let answer = annals(&sandbox, &["grep", "Lost kelp", "--timezone", "UTC"]).done();
    insta::assert_snapshot!(filtered(&sandbox, &answer.out), @"
    lost-tide.md
      plan  2027-01-15 08:00:00  [ROOT]/claude/plans/lost-tide.md:1
        Lost kelp
    ");
}

#[test]
fn links_among_outputs_and_plans_are_not_followed() {
    let sandbox = store();
    let outside = sandbox.folder("outside");
    std::fs::write(outside.join("secret.txt"), "kelp outside").unwrap();
    std::fs::write(outside.join("secret.md"), "kelp outside").unwrap();
    sandbox.link(&own("tool-results/link.txt"), &outside.join("secret.txt"));
    sandbox.link("plans/link.md", &outside.join("secret.md"));
    sandbox.folder(&format!("projects/-q/{}", session_id(2)));
    sandbox.link(&format!("projects/-q/{}/tool-results", session_id(2)), &outside);
    assert_eq!(hits(&sandbox, &["kelp"]).len(), 11);
    assert_eq!(hits(&sandbox, &["kelp outside"]).len(), 0);
}

#[test]
fn agent_cannot_search_for_secrets_in_outputs_and_plans() {
    let sandbox = store();
    let rule = redact::rules().find(|rule| rule.name() == "github-token").unwrap();
    let secret = rule.hits().next().unwrap().1;
    sandbox.write(&own("tool-results/b2.txt"), format!("a token {secret} here"));
    sandbox.write("plans/calm-tide.md", format!("a token {secret} here"));
    let piece: String = secret.chars().skip(6).take(12).collect();
    assert_eq!(hits(&sandbox, &["-F", &piece]).len(), 2);
    assert_eq!(hits(&sandbox, &["--redact", "-F", &piece]).len(), 0);
    for hit in hits(&sandbox, &["--redact", "a token"]) {
        assert!(text(&hit["text"]).contains("[redacted:github-token:"), "{hit}");
    }
}

#[test]
fn results_name_their_tool_wherever_the_call_is() {
    let sandbox = Sandbox::new();
    // The call is far before its answer and does not match itself.
    let mut lines = vec![tool_use("t1", "Bash", &json!({"command": "make"}))];
    lines.extend((0..200).map(|number| assistant(&"x".repeat(4000 + number))));
    lines.push(tool_result("t1", "kelp"));
    lines.push(tool_result("t2", "kelp of nobody"));
    let lines = chained(lines).into_iter().map(|line| line.with("sessionId", session_id(1)));
    sandbox.session("/p", &session_id(1), lines.map(|line| line.cwd("/p")));
    for pattern in ["kelp", "k.?elp|[^x]lp"] {
        let found = hits(&sandbox, &[pattern]);
        let tools: Vec<&Value> = found.iter().map(|hit| &hit["tool"]).collect();
        assert_eq!(tools, [&json!("Bash"), &Value::Null], "{pattern}");
        assert_eq!(hits(&sandbox, &["--tool", "Bash", pattern]).len(), 1, "{pattern}");
    }
}

#[test]
fn every_format_is_well_formed_for_any_hit() {
    let sandbox = Sandbox::new();
    for number in 1..=30 {
        let words = "kelp\n".repeat(1000);
        session(&sandbox, number, "/p", &format!("{words}{number}"));
    }
    let all = annals(&sandbox, &["grep", "kelp", "--json"]).done().json();
    let ids: Vec<String> =
        all["hits"].as_array().unwrap().iter().map(|hit| text(&hit["session_id"])).collect();
    let listed = annals(&sandbox, &["ls", "--json"]).done().json();
    let listed: Vec<String> =
        listed["sessions"].as_array().unwrap().iter().map(|one| text(&one["id"])).collect();
    assert_eq!((ids, &all["total"]), (listed, &json!(30)), "in the order of the list");
    let some = annals(&sandbox, &["grep", "kelp", "--json", "--limit", "7"]).done().json();
    assert_eq!((some["hits"].as_array().unwrap().len(), &some["total"]), (7, &json!(30)));
    assert_eq!(some["hits"].as_array().unwrap()[..], all["hits"].as_array().unwrap()[..7]);
    let none = annals(&sandbox, &["grep", "kale", "--json"]);
    assert_eq!(
        none.out,
        "{\n  \"schema\": \"annals/grep/1\",\n  \"pattern\": \"kale\",\n  \"hits\": [],\n  \"total\": 0\n}\n"
    );
    let text = run(command(&sandbox, &["grep", "kelp", "--limit", "2"]).env("COLUMNS", "60"));
    assert!(text.done().out.ends_with("Showing 2 of 30 hits (--limit 0 shows all)\n"));
    let lines = annals(&sandbox, &["grep", "kelp", "--jsonl"]).done();
    assert_eq!(lines.out.lines().count(), 30);
    assert_eq!(annals(&sandbox, &["grep", "kale", "--csv"]).out.lines().count(), 1, "the columns");
}
