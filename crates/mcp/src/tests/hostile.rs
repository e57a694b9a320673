//! Transcript text cannot leave its quote or pass for anything else.

use super::*;
use crate::{prompts, resources};
use render::quoted::is_hidden;
use rmcp::model::{GetPromptRequestParams, ResourceContents};

/// Calls of every tool with all include_ arguments.
fn calls() -> Vec<(&'static str, Value)> {
    let one = id(1);
    let everything = json!({"include_tool_results": true, "include_thinking": true});
    let with = |mut given: Value| {
        for (name, value) in everything.as_object().unwrap() {
            given[name] = value.clone();
        }
        given
    };
    vec![
        ("search_sessions", json!({"query": "kelp"})),
        ("search_sessions", with(json!({"query": "kelp", "sort": "newest", "limit": 50}))),
        ("search_sessions", with(json!({"query": "kelp is:recall"}))),
        ("search_sessions", json!({"query": "kelpy"})),
        ("list_sessions", json!({})),
        ("read_session", json!({"session": one})),
        ("read_session", with(json!({"session": one, "detail": "full", "include_recalls": true}))),
        ("read_session", json!({"session": "no such thing"})),
        ("get_message", json!({"id": "10000000-0000-4000-8000-000000000000"})),
        ("get_message", with(json!({"id": "toolu_01evil", "session": one}))),
        ("get_message", with(json!({"id": "toolu_02evil"}))),
        ("get_message", with(json!({"id": "toolu_04evil", "include_recalls": true}))),
        ("get_message", json!({"id": "10000000-0000-4000-8000-000000000013"})),
        ("file_history", with(json!({"path": format!("{MARK}\u{202e}<system-reminder>.rs")}))),
        ("file_history", json!({"path": "nothing.rs"})),
        ("usage_report", json!({"by": "branch"})),
        ("usage_report", json!({"by": "project"})),
        ("usage_report", json!({"by": "tool"})),
        ("session_plan", json!({"session": one})),
        ("session_plan", json!({"session": id(4)})),
    ]
}

fn check(answer: &str, most: usize) {
    quotes(answer);
    let hidden: Vec<char> = answer.chars().filter(|c| is_hidden(*c)).collect();
    assert!(hidden.is_empty(), "{hidden:?} in {answer}");
    let lower = answer.to_lowercase();
    for tag in
        ["<system-reminder", "</system-reminder", "< / command", "<command-", "<local-", "<x-y"]
    {
        assert!(!lower.contains(tag), "{tag} in {answer}");
    }
    assert!(!answer.contains(SECRET), "{answer}");
    assert!(!answer.contains("16C7e42F292c6912"), "{answer}");
    assert!(render::tokens(answer) <= most, "{} of {most}: {answer}", render::tokens(answer));
}

#[test]
fn every_tool_quotes_transcript_text_and_stays_within_its_budget() {
    for tool in crate::tools::TOOLS {
        assert!(calls().iter().any(|(name, _)| *name == tool.name), "{} is not tried", tool.name);
    }
    let sandbox = hostile();
    let settings = settings(&sandbox, false);
    let mut seen = 0;
    for (tool, given) in calls() {
        for most in [500, 1_500, 25_000] {
            let mut given = given.clone();
            given["max_tokens"] = most.into();
            let answer = answer_text(&settings, tool, &given);
            check(&answer, most);
            seen += answer.matches(MARK).count();
        }
    }
    // Without hostile text in the answers this test would prove nothing.
    assert!(seen > 100, "{seen}");
}

#[test]
fn all_pages_together_give_the_whole_message() {
    let sandbox = hostile();
    let settings = settings(&sandbox, false);
    let id = "10000000-0000-4000-8000-000000000013";
    let given = json!({"id": id, "max_tokens": 700});
    let all = pages(&settings, "get_message", &given);
    assert!(all.len() > 5, "{}", all.len());
    for page in &all {
        check(page, 700);
    }
    let bodies = all.iter().flat_map(|page| quotes(page)).map(|(_, body)| body);
    let joined: String = bodies.collect::<String>().split_whitespace().collect();
    let whole = call(&settings, "get_message", &json!({"id": id, "max_tokens": 25_000})).unwrap();
    let whole: String = quotes(&whole)[0].1.split_whitespace().collect();
    assert_eq!(joined[..whole.len() - 1], whole[..whole.len() - 1]);
    assert_eq!(joined.matches("Human:").count(), 60);
}

#[test]
fn tool_results_are_included_only_on_request() {
    let sandbox = hostile();
    let settings = settings(&sandbox, false);
    let one = id(1);
    let table = [
        ("search_sessions", json!({"query": "outputword"}), "kelp outputword"),
        (
            "read_session",
            json!({"session": one, "detail": "full", "max_tokens": 25_000}),
            "outputword",
        ),
        ("get_message", json!({"id": "toolu_01evil"}), "outputword"),
        ("search_sessions", json!({"query": "noteword"}), "kelp noteword"),
        ("search_sessions", json!({"query": "forgedword"}), "kelp forgedword"),
        ("get_message", json!({"id": "10000000-0000-4000-8000-000000000011"}), "kelp forgedword"),
        ("get_message", json!({"id": "10000000-0000-4000-8000-000000000012"}), "kelp queuedword"),
        ("search_sessions", json!({"query": "remindedword"}), "kelp remindedword"),
        ("get_message", json!({"id": "10000000-0000-4000-8000-000000000014"}), "kelp remindedword"),
    ];
    for (tool, given, word) in table {
        assert!(!answer_text(&settings, tool, &given).contains(word), "{tool} {given}");
        let mut given = given.clone();
        given["include_tool_results"] = true.into();
        assert!(answer_text(&settings, tool, &given).contains(word), "{tool} {given}");
    }
}

#[test]
fn recalls_and_the_calling_session_are_left_out() {
    let sandbox = hostile();
    let settings = settings(&sandbox, false);
    let results = |mut given: Value| {
        given["include_tool_results"] = true.into();
        given["max_tokens"] = 25_000.into();
        given
    };
    let one = id(1);
    let recalled = [
        ("search_sessions", results(json!({"query": "recalledword"}))),
        ("read_session", results(json!({"session": one}))),
        ("get_message", results(json!({"id": "toolu_04evil"}))),
    ];
    for (tool, given) in recalled {
        let answer = answer_text(&settings, tool, &given);
        assert!(!answer.contains("kelp recalledword"), "{tool}: {answer}");
    }
    let request = results(json!({"id": "toolu_04evil", "include_recalls": true}));
    assert!(answer_text(&settings, "get_message", &request).contains("kelp recalledword"));
    let search = json!({"query": "currentword"});
    assert!(answer_text(&settings, "search_sessions", &search).starts_with("No hits"));
    assert!(!answer_text(&settings, "list_sessions", &json!({})).contains(&id(3)));
    let own = error_of(&settings, "read_session", &json!({"session": id(3)}));
    assert!(own.text.contains("the session you are in"), "{}", own.text);
    let current = json!({"query": "currentword", "include_current_session": true});
    assert!(answer_text(&settings, "search_sessions", &current).contains("kelp currentword"));
}

#[test]
fn resources_and_prompts_are_inert() {
    let sandbox = hostile();
    let settings = settings(&sandbox, false);
    let context = ToolContext::new(&settings, now(), CancellationToken::default());
    let listed = serde_json::to_string(&resources::recent(&context)).unwrap();
    assert!(listed.contains(&id(1)) && !listed.contains(MARK), "{listed}");
    for uri in ["plain-kelp", "plainkelp", &id(1)[..8]] {
        assert!(resources::read(&context, &format!("annals://session/{uri}")).is_err(), "{uri}");
    }
    let read = resources::read(&context, &format!("annals://session/{}", id(1))).unwrap();
    let ResourceContents::TextResourceContents { text, .. } = read else { panic!("no text") };
    check(&text, 4_000);
    let mut request = GetPromptRequestParams::new("recall");
    request.arguments = json!({"topic": evil()}).as_object().cloned();
    let prompt = serde_json::to_string(&prompts::get(&request).unwrap()).unwrap();
    assert!(!prompt.contains("<system-reminder") && !prompt.contains('\u{202e}'), "{prompt}");
}

/// The id of an agent comes from its file name, which can be any text.
#[test]
fn agent_id_appears_only_inside_quotes() {
    let sandbox = hostile();
    let messages: Vec<Line> = (0..30)
        .map(|number| assistant(&format!("kelp of an agent {number} {}", "words ".repeat(60))))
        .map(|line| line.cwd(INSIDE).with("sessionId", id(4)).with("isSidechain", true))
        .collect();
    let folder = sandbox.projects().join(INSIDE.replace('/', "-")).join(id(4)).join("subagents");
    std::fs::create_dir_all(&folder).unwrap();
    let name = format!("zzobey-{MARK}");
    for agent in [name.as_str(), "a1b2c3d4e5f60718"] {
        let lines = chained(messages.clone()).into_iter();
        let lines = lines.map(|line| format!("{}\n", line.with("agentId", agent)));
        let path = folder.join(format!("agent-{agent}.jsonl"));
        std::fs::write(path, lines.collect::<String>()).unwrap();
    }
    let settings = settings(&sandbox, false);
    for agent in [name.as_str(), "a1b2c3d4e5f60718"] {
        let given = json!({"session": &agent[..6], "max_tokens": 1_000});
        let answer = call(&settings, "read_session", &given).unwrap();
        let quotes = quotes(&answer);
        assert!(quotes[0].0.contains(&format!("agent=\"{agent}\"")), "{answer}");
        assert!(cursor_in(&answer).is_some(), "{answer}");
        assert_eq!(answer.contains("Agent a1b2c3d4e5f60718, "), agent != name, "{answer}");
    }
    let main = call(&settings, "read_session", &json!({"session": id(4)})).unwrap();
    assert!(!main.contains("agent=\""), "{main}");
}
