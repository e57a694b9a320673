//! Lists answer from stored facts with the same bytes as without an index: on generated
//! stores, on the made-up store, and on real transcripts.

use crate::cli::support::corpus::corpus;
use crate::cli::support::run::{annals, command, run};
use serde_json::{Value, json};
use testkit::{
    Line, Sandbox, chained, metadata, session_id, tool_error, tool_result, tool_use, user,
};

const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

/// Everything that answers from facts.
const QUERIES: [&[&str]; 17] = [
    &["tools"],
    &["tools", "--json"],
    &["tools", "--csv", "--limit", "7", "--offset", "3"],
    &["tools", "--json", "--limit", "0"],
    &["tools", "--errors", "--json", "--limit", "5"],
    &["tools", "--agent", "plore", "--json"],
    &["tools", "--tool", "Read", "--model", "sonnet", "--json", "--limit", "4"],
    &["tools", "--since", "2026-01-03", "--status", "missing", "--json"],
    &["tools", "--stats"],
    &["tools", "--stats", "--json", "--until", "2026-01-04"],
    &["files"],
    &["files", "--json", "--tool", "Edit"],
    &["prompts"],
    &["prompts", "--json", "--limit", "3"],
    &["prompts", "--json", "--agent", "explore"],
    &["ls", "--agent", "explore"],
    &["ls", "--agent", "plan", "--hidden", "--json"],
];

/// What is masked or left out changes facts and answers alike.
const WITH_OPTIONS: [&[&str]; 6] = [
    &["tools", "--json", "--redact"],
    &["tools", "--stats", "--json", "--redact=strict"],
    &["files", "--json", "--redact=strict"],
    &["prompts", "--json", "--redact"],
    &["tools", "--json", "--exclude", "**/notes"],
    &["prompts", "--json", "--exclude", "**/notes"],
];

/// Asks everything without an index and with it. The facts of the first answers are
/// derived, those of later ones stored.
fn compare(sandbox: &Sandbox, root: &[&str]) {
    for query in QUERIES.iter().chain(&WITH_OPTIONS) {
        let ask = |more: &[&str]| {
            let answer = annals(sandbox, &[root, query, more].concat());
            // Only an index tells what sessions cost.
            let is_list = query[0] == "ls";
            let out = if is_list { of_list(&answer.out) } else { answer.out };
            (answer.code, out, answer.err)
        };
        assert_eq!(ask(&[]), ask(&["--no-index"]), "{query:?}");
    }
}

/// The sessions in a list, without what only an index knows of them.
fn of_list(out: &str) -> String {
    let Ok(mut document) = serde_json::from_str::<Value>(out) else { return out.to_owned() };
    for session in document["sessions"].as_array_mut().into_iter().flatten() {
        for field in ["messages", "turns", "models", "cost_usd"] {
            session[field] = Value::Null;
        }
    }
    document.to_string()
}

/// Numbers that look random and are always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % end
    }
}

fn lines(numbers: &mut Numbers, session: u32) -> Vec<Line> {
    let mut lines = vec![user(&format!("prompt {}", numbers.below(5)))];
    for _ in 0..numbers.below(9) {
        let seed = numbers.below(1000);
        let id = format!("t{seed}-{session}");
        let file = json!({"file_path": format!("/home/ada/{}.rs", seed % 4)});
        match seed % 8 {
            0 => lines.push(user(&format!("prompt {}", seed % 5))),
            1 => lines.extend([tool_use(&id, "Read", &file), tool_result(&id, "text")]),
            2 => lines.extend([tool_use(&id, "Bash", &json!({})), tool_error(&id, "no")]),
            3 => lines.push(tool_use(&id, &format!("mcp__{}__get", &SECRET[..20]), &json!({}))),
            4 => {
                let task = json!({"subagent_type": "Explore", "prompt": "look"});
                lines.extend([tool_use(&id, "Task", &task), tool_result(&id, "agentId: a1")]);
            }
            5 => lines.push(metadata(
                "queue-operation",
                &[("operation", "enqueue".into()), ("content", format!("queued {seed}").into())],
            )),
            6 => lines.push(tool_use(&id, SECRET, &json!({}))),
            _ => lines.push(tool_use(&id, "Edit", &file)),
        }
    }
    let lines = chained(lines).into_iter().map(|line| {
        let (day, second) = (2 + numbers.below(4), numbers.below(60));
        line.at(&format!("2026-01-0{day}T03:04:{second:02}Z"))
    });
    lines.collect()
}

fn write(sandbox: &Sandbox, numbers: &mut Numbers) {
    for session in 1..6 {
        let cwd = ["/home/ada/tidepool", "/home/ada/notes"][session as usize % 2];
        let id = session_id(session);
        let own: Vec<Line> = lines(numbers, session);
        let fork = own.iter().map(|line| line.clone().forked_into(&session_id(session + 10)));
        sandbox.session(cwd, &session_id(session + 10), fork);
        sandbox.session(cwd, &id, own.into_iter().map(|line| line.cwd(cwd)));
        let agent = lines(numbers, session).into_iter().map(|line| line.of_agent("a1"));
        sandbox.agent(cwd, &id, "agent-a1", agent);
        let kind = ["Explore", "Plan"][usize::try_from(numbers.below(2)).unwrap()];
        let folder = cwd.replace('/', "-");
        let meta = format!("projects/{folder}/{id}/subagents/agent-a1.meta.json");
        sandbox.write(&meta, json!({"agentType": kind}).to_string());
    }
}

#[test]
fn lists_of_a_generated_store_are_the_same_with_and_without_an_index() {
    let (sandbox, mut numbers) = (Sandbox::new(), Numbers(11));
    write(&sandbox, &mut numbers);
    annals(&sandbox, &["archive", "sync"]);
    annals(&sandbox, &["search", "--wait", "prompt"]);
    compare(&sandbox, &[]);
    compare(&sandbox, &[]);
    // Sessions are written anew, and one is left in the archive alone.
    write(&sandbox, &mut numbers);
    let folder = sandbox.projects().join("-home-ada-tidepool");
    sandbox.remove(&folder.join(session_id(2) + ".jsonl"));
    compare(&sandbox, &[]);
}

#[test]
fn lists_of_real_transcripts_are_the_same_with_and_without_an_index() {
    let Some(corpus) = corpus() else { return };
    let sandbox = Sandbox::new();
    let root = corpus.display().to_string();
    run(&mut command(&sandbox, &["--root", &root, "search", "--wait", "checkpoint"]));
    compare(&sandbox, &["--root", &root]);
}
