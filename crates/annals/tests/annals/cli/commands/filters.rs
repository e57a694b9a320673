//! Filters: by branch, model, agent, tool, tag, number, and what is left out.

use crate::cli::support::run::{annals, exchange, session};
use serde_json::json;
use testkit::{Line, Sandbox, metadata, session_id, tool_use, user};

const CWD: &str = "/home/ada/tidepool";

fn listed(sandbox: &Sandbox, arguments: &[&str]) -> Vec<u32> {
    let ids = annals(sandbox, &[&["ls", "--json"], arguments].concat()).done().ids();
    (0..100).filter(|number| ids.contains(&session_id(*number))).collect()
}

/// A session whose first line is changed and which has more lines.
fn with(sandbox: &Sandbox, number: u32, change: impl Fn(Line) -> Line, more: Vec<Line>) {
    let lines = exchange(number, CWD, "Hello").into_iter().map(change);
    let more = more.into_iter().map(|line| line.with("sessionId", session_id(number)));
    sandbox.session(CWD, &session_id(number), lines.chain(more));
}

#[test]
fn branches_are_whole_names_or_patterns() {
    let sandbox = Sandbox::new();
    for (number, branch) in
        [(1, "main"), (2, "feature/tides"), (3, "feature/moon"), (4, "mainline"), (5, "")]
    {
        with(&sandbox, number, |line| line.with("gitBranch", branch), Vec::new());
    }
    let table: [(&str, &[u32]); 6] = [
        ("main", &[1]),
        ("main*", &[1, 4]),
        ("feature/*", &[2, 3]),
        ("*oo*", &[3]),
        ("*/tides", &[2]),
        ("none", &[]),
    ];
    for (pattern, expected) in table {
        assert_eq!(listed(&sandbox, &["--git-branch", pattern]), expected, "{pattern}");
    }
}

#[test]
fn model_tool_and_agent_filters_search_sessions_and_their_agents() {
    let sandbox = Sandbox::new();
    let grep = || tool_use("t1", "Grep", &json!({"pattern": "x"}));
    let task = || tool_use("t2", "Task", &json!({"subagent_type": "Explore", "prompt": "Look"}));
    let opus = || {
        let message = json!({"model": "claude-opus-5-5", "role": "assistant", "content": [{"type": "text", "text": "Hi"}]});
        testkit::assistant("").with("message", message)
    };
    with(&sandbox, 1, |line| line, vec![grep()]);
    with(&sandbox, 2, |line| line, vec![task()]);
    with(&sandbox, 3, |line| line, vec![opus()]);
    with(&sandbox, 4, |line| line, Vec::new());
    let agents = format!("projects/-home-ada-tidepool/{}/subagents", session_id(4));
    sandbox.write(&format!("{agents}/agent-a1.jsonl"), format!("{}\n{}\n", grep(), opus()));
    sandbox.write(&format!("{agents}/agent-a1.meta.json"), r#"{"agentType": "code-reviewer"}"#);
    let table: [(&[&str], &[u32]); 10] = [
        (&["--tool", "Grep"], &[1, 4]),
        (&["--tool", "G*"], &[1, 4]),
        (&["--tool", "Gre"], &[]),
        (&["--model", "opus"], &[3, 4]),
        (&["--model", "Sonnet"], &[1, 2, 3, 4]),
        (&["--model", "gpt"], &[]),
        (&["--agent", "explore"], &[2]),
        (&["--agent", "code-reviewer"], &[4]),
        (&["--tool", "Grep", "--model", "opus"], &[4]),
        (&["--tool", "Grep", "--agent", "Explore"], &[]),
    ];
    for (arguments, expected) in table {
        assert_eq!(listed(&sandbox, arguments), expected, "{arguments:?}");
    }
    let projects = annals(&sandbox, &["projects", "--json", "--tool", "Grep"]).done().json();
    assert_eq!(projects["projects"][0]["sessions"], 2);
}

#[test]
fn mentioned_tool_does_not_count_as_called() {
    let sandbox = Sandbox::new();
    with(
        &sandbox,
        1,
        |line| line,
        vec![user("Use {\"type\":\"tool_use\",\"name\":\"Grep\"} on the \"assistant\"")],
    );
    assert!(listed(&sandbox, &["--tool", "Grep"]).is_empty());
}

#[test]
fn tag_filter_matches_the_whole_last_tag() {
    let sandbox = Sandbox::new();
    let tag = |tag: &str| metadata("tag", &[("tag", tag.into())]);
    with(&sandbox, 1, |line| line, vec![tag("tides"), tag("moon")]);
    with(&sandbox, 2, |line| line, vec![tag("tides")]);
    with(&sandbox, 3, |line| line, vec![tag("tides"), tag("")]);
    assert_eq!(listed(&sandbox, &["--tag", "tides"]), [2]);
    assert_eq!(listed(&sandbox, &["--tag", "moon"]), [1]);
    assert!(listed(&sandbox, &["--tag", "tide"]).is_empty());
}

#[test]
fn limit_cuts_rows_and_prints_a_note() {
    let sandbox = Sandbox::new();
    for number in 1..=12 {
        session(&sandbox, number, &format!("/home/ada/p{number}"), &format!("Prompt {number}"));
    }
    for command in ["ls", "projects", "prompts"] {
        let rows = |arguments: &[&str]| {
            annals(&sandbox, &[&[command], arguments].concat()).done().out.lines().count()
        };
        assert_eq!(rows(&[]), 13, "{command}");
        assert_eq!(rows(&["--limit", "0"]), 13, "{command}");
        assert_eq!(rows(&["--limit", "5"]), 7, "{command}");
        assert_eq!(rows(&["--limit", "5", "--jsonl"]), 5, "{command}");
        let text = annals(&sandbox, &[command, "--limit", "5"]).done().out;
        assert!(text.contains("5 of 12 ") && text.contains("--limit 0 shows all"), "{text}");
        let document = annals(&sandbox, &[command, "--limit", "5", "--json"]).done().json();
        assert_eq!(document["total"], 12);
    }
}

#[test]
fn excluded_globs_match_folders_and_transcripts() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    session(&sandbox, 2, "/home/ada/private", "Hello");
    session(&sandbox, 3, "/home/ada/private/diary", "Hello");
    assert_eq!(listed(&sandbox, &["--exclude", "/home/ada/private"]), [1, 3]);
    assert_eq!(
        listed(&sandbox, &["--exclude", "/home/ada/private", "--exclude", "/home/ada/private/**"]),
        [1]
    );
    assert_eq!(listed(&sandbox, &["--exclude", "**/*diary*/**"]), [1, 2]);
    assert_eq!(listed(&sandbox, &["--exclude", &format!("**/{}.jsonl", session_id(1))]), [2, 3]);
}

#[test]
fn programmatic_sessions_can_be_excluded() {
    let sandbox = Sandbox::new();
    with(&sandbox, 1, |line| line.with("entrypoint", "cli"), Vec::new());
    with(&sandbox, 2, |line| line.with("entrypoint", "sdk-py"), Vec::new());
    assert_eq!(listed(&sandbox, &[]), [1, 2]);
    assert_eq!(listed(&sandbox, &["--no-programmatic"]), [1]);
}

#[test]
fn answers_to_an_agent_are_short_and_uncoloured() {
    let sandbox = Sandbox::new();
    for number in 1..=12 {
        session(&sandbox, number, &format!("/home/ada/p{number}"), &format!("Prompt {number}"));
    }
    for variable in ["CLAUDECODE", "ANNALS_AGENT"] {
        for name in ["ls", "projects", "prompts"] {
            let ask = |arguments: &[&str]| {
                crate::cli::support::run::run(
                    crate::cli::support::run::command(&sandbox, &[&[name], arguments].concat())
                        .env(variable, "1"),
                )
                .done()
            };
            let answer = ask(&[]);
            assert_eq!(
                answer.out.lines().count(),
                12,
                "a head, ten rows and a note: {}",
                answer.out
            );
            assert!(answer.out.contains("10 of 12") && !answer.out.contains('\u{1b}'));
            assert_eq!(ask(&["--limit", "0"]).out.lines().count(), 13);
            assert_eq!(ask(&["--jsonl"]).out.lines().count(), 12);
        }
    }
}

#[test]
fn filters_search_agents_beside_the_transcript() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "Hello");
    let call = tool_use("t1", "WebFetch", &json!({"url": "x"}))
        .with("sessionId", session_id(1))
        .with("isSidechain", true);
    sandbox.write(
        "projects/-home-ada-tidepool/agent-a1.jsonl",
        format!("{}\n{call}\n", user("Look").with("sessionId", session_id(1))),
    );
    let answer = annals(&sandbox, &["ls", "--json", "--tool", "WebFetch"]).done();
    assert_eq!(answer.ids(), [session_id(1)]);
}

#[test]
fn project_is_a_name_or_a_part_of_one_or_a_path() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    session(&sandbox, 2, "/home/ada/tidepool-worktrees/login", "Hello");
    session(&sandbox, 3, "/home/ada/Notes", "Hello");
    let table: [(&[&str], &[u32]); 7] = [
        (&["tidepool"], &[1, 2]),
        (&["TIDE"], &[1, 2]),
        (&["notes"], &[3]),
        (&["login"], &[2]),
        (&["tidepool", "--exact"], &[1]),
        (&["/home/ada/tidepool"], &[1]),
        (&["/home/ada"], &[1, 2, 3]),
    ];
    for (arguments, expected) in table {
        let arguments = [&["--project"], arguments].concat();
        assert_eq!(listed(&sandbox, &arguments), expected, "{arguments:?}");
    }
    for name in ["kites", "/home/ada/kites"] {
        let answer = annals(&sandbox, &["ls", "--project", name]);
        let expected = format!(
            "annals: no project matches {name:?}\nhint: annals projects lists the projects\n"
        );
        assert_eq!(answer.complaint(1), expected);
    }
    // Every command with the filter.
    for command in ["prompts", "usage", "tools"] {
        let answer = annals(&sandbox, &[command, "--project", "kites"]);
        assert!(answer.complaint(1).contains("no project matches"), "{answer:?}");
    }
}
