//! Sessions whose metadata is shared, and not their text.

use crate::decision::Sharing;
use crate::names::{Level, SegmentName, Table};
use crate::reading::{OwnerLayout, SessionRows};
use crate::rows::Rows;
use crate::segment::Format as _;
use crate::segment_file::ParquetFormat;
use crate::tests::machine::{Machine, WORK, library_of};
use library::Library;
use library::facts::CallFact;
use library::progress::NoProgress;
use redact::Redactor;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use testkit::{Line, Sandbox, call, chained, metadata, session_id, tool_error, tool_result, user};

const PROJECT: &str = "tides";

/// A call of the API that uses a tool.
fn using(message: &str, id: &str, tool: &str, input: &Value, time: &str) -> Line {
    let block = json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]);
    call(message, [100, 20, 3, 4]).message("content", block).at(time).with("gitBranch", "moonlight")
}

fn session_with_tools() -> Vec<Line> {
    let patch = json!({"type": "update", "structuredPatch": [{"lines": ["-was here", "+is here", "+and here"]}]});
    let created = json!({"type": "create", "structuredPatch": [{"lines": ["+a", "+b"]}]});
    let committed = json!({"stdout": "[moonlight 1a2b3c4] tides: say where they come from"});
    let file =
        |name: &str| json!({"file_path": format!("{WORK}/{name}"), "old_string": "was here"});
    chained([
        user("Where does the tide come from?").at("2026-11-01T10:00:00.000Z"),
        using("msg_1", "t1", "Read", &file("src/moon.rs"), "2026-11-01T10:00:01.000Z"),
        tool_result("t1", "fn moon() {}").at("2026-11-01T10:00:02.500Z"),
        using("msg_2", "t2", "Edit", &file("src/moon.rs"), "2026-11-01T10:00:03.000Z"),
        tool_result("t2", "done").with("toolUseResult", patch).at("2026-11-01T10:00:04.000Z"),
        user("And write it down").at("2026-11-01T10:01:00.000Z"),
        using("msg_3", "t3", "Write", &file("docs/tides.md"), "2026-11-01T10:01:01.000Z")
            .with("attributionSkill", "writer"),
        tool_result("t3", "ok").with("toolUseResult", created).at("2026-11-01T10:01:02.000Z"),
        using(
            "msg_4",
            "t4",
            "Bash",
            &json!({"command": "git commit -am x"}),
            "2026-11-01T10:01:03.000Z",
        ),
        tool_result("t4", "ok").with("toolUseResult", committed).at("2026-11-01T10:01:04.000Z"),
        using("msg_5", "t5", "mcp__sea__depth", &json!({}), "2026-11-01T10:01:05.000Z"),
        tool_error("t5", "no such sea").at("2026-11-01T10:01:06.000Z"),
        call("msg_6", [1, 2, 3, 4]).at("2026-11-01T10:01:07.000Z").with("gitBranch", "main"),
    ])
}

const TABLES: [Table; 8] = [
    Table::Calls,
    Table::Attributions,
    Table::Sessions,
    Table::ToolCalls,
    Table::Touches,
    Table::Commits,
    Table::PullRequests,
    Table::Lines,
];

/// The session as it is laid out where the lake is read.
fn laid_out(machine: &Machine, number: u32, folder: &Path) {
    let mut rows = SessionRows::default();
    for table in TABLES {
        machine.rows(table).into_iter().for_each(|(_, of_table)| rows.add(of_table));
    }
    let session = session_id(number).parse().unwrap();
    OwnerLayout::new(folder.to_owned()).lay_out(&session, None, &rows).unwrap();
}

type Fact = (Option<String>, String, String, Option<String>, Option<u64>, Option<String>);

fn fact(fact: &CallFact<'_>) -> Fact {
    let text = |text: Option<&str>| text.map(str::to_owned);
    let time = fact.time.map(|time| time.to_string());
    let status = fact.status.name().to_owned();
    (text(fact.agent_type), fact.tool.to_owned(), status, time, fact.milliseconds, text(fact.skill))
}

/// What `tools`, `files` and `usage` are made from.
fn facts(library: &Library) -> (Vec<Fact>, BTreeSet<String>, BTreeMap<String, u64>) {
    let list = library.catalog().all_sessions();
    let sessions: Vec<_> = list.sessions.iter().collect();
    let (calls, _) = library
        .facts()
        .call_facts(&sessions, &NoProgress, |_, facts| facts.iter().map(fact).collect());
    let calls: Vec<Vec<Fact>> = calls.into_iter().map(|(_, facts)| facts).collect();
    let mut reader = library.sessions().transcript_reader();
    let mut touched = BTreeSet::new();
    for session in &sessions {
        let (transcripts, _) = reader.read(session, |_, line, bytes| {
            bytes.extend_from_slice(line.bytes);
            true
        });
        let details = transcripts.details(false, |_| {});
        touched.insert(format!("{} prompts, {} agents", details.prompts, details.agents));
        for call in details.calls {
            if let Some(touch) = call.touch {
                let file = touch.path.rsplit_once(&format!("{PROJECT}/")).unwrap().1.to_owned();
                let operation = touch.operation.name();
                touched.insert(format!("{operation} {file} +{} -{}", touch.added, touch.removed));
            }
            for (hash, branch, _) in call.commits {
                touched.insert(format!("{hash} on {branch:?}"));
            }
        }
    }
    let usage = library.usage().read(true, &NoProgress);
    let mut sums = BTreeMap::new();
    for call in &usage.calls.calls {
        let names = &usage.calls.names;
        let tools: Vec<&str> = call.tools.iter().filter_map(|(name, _)| names.get(*name)).collect();
        let of = format!(
            "{:?} {:?} {:?} {tools:?}",
            names.get(call.attribution.branch),
            usage.agent_type(call),
            names.get(call.attribution.skill)
        );
        *sums.entry(of).or_default() += call.counters.total();
    }
    (calls.into_iter().flatten().collect(), touched, sums)
}

#[test]
fn tools_files_and_attributed_usage_are_the_same_here_and_in_the_lake() {
    let machine = Machine::new(Level::Metadata);
    machine.session(1, WORK, session_with_tools());
    machine.push();
    let there = Sandbox::new();
    laid_out(&machine, 1, there.path());
    let here = facts(&library_of(&[&machine.sandbox.config()]));
    assert_eq!(facts(&library_of(&[there.path()])), here);
    assert_eq!(here.0.len(), 5);
    assert_eq!(here.1.len(), 5, "{:?}", here.1);
    let sessions = library_of(&[there.path()]).catalog().all_sessions().sessions;
    let metadata = &sessions[0].metadata;
    assert_eq!(metadata.created, "2026-11-01T10:00:00Z".parse().ok());
    assert_eq!(sessions[0].project.as_deref(), Some("/tides"));
}

#[test]
fn level_metadata_sends_names_and_no_word_of_text() {
    let machine = Machine::new(Level::Metadata);
    let mut lines = session_with_tools();
    lines.push(metadata("custom-title", &[("customTitle", json!("The sea at night"))]));
    machine.session(1, WORK, lines);
    machine.push();
    assert!(machine.lines().is_empty() && machine.rows(Table::Blocks).is_empty());
    let sent = everything(&machine);
    for name in
        ["moonlight", "src/moon.rs", "docs/tides.md", "mcp__sea__depth", "writer", "1a2b3c4"]
    {
        assert!(sent.contains(name), "{name}");
    }
    let texts = [
        "tide come",
        "write it down",
        "fn moon",
        "was here",
        "no such sea",
        "at night",
        "say where",
        "commit -am",
    ];
    for text in texts {
        assert!(!sent.contains(text), "{text}");
    }
}

/// All rows of all tables, and all manifests.
fn everything(machine: &Machine) -> String {
    let mut all = String::new();
    for table in Table::ALL {
        for (_, rows) in machine.rows(table) {
            rows.to_json().iter().for_each(|row| all.push_str(&row.to_string()));
        }
    }
    for (name, bytes) in machine.objects.0.borrow().iter() {
        if name.contains("/m/") {
            all.push_str(&String::from_utf8_lossy(bytes));
        }
    }
    all
}

#[test]
fn level_usage_sends_no_text_title_prompt_file_command_or_name() {
    let machine = Machine::new(Level::Usage);
    let mut lines = session_with_tools();
    lines.push(metadata("custom-title", &[("customTitle", json!("The sea at night"))]));
    machine.session(1, WORK, lines);
    machine.push();
    let sent = everything(&machine);
    assert!(sent.contains("msg_1") && sent.contains("\"tides\""), "{sent}");
    let words = [
        "tide come",
        "write it down",
        "at night",
        "moon",
        "docs",
        "/home",
        "Read",
        "Edit",
        "Bash",
        "commit",
        "1a2b3c4",
        "depth",
        "writer",
        "sidechain",
        "main",
    ];
    for word in words {
        assert!(!sent.contains(word), "{word}: {sent}");
    }
    for table in Table::ALL.into_iter().filter(|table| table.level() > Level::Usage) {
        assert!(machine.rows(table).is_empty(), "{table:?}");
    }
}

#[test]
fn after_forgetting_no_object_says_anything_of_a_session() {
    let mut machine = Machine::new(Level::Text);
    machine.session(1, WORK, session_with_tools());
    let other = ["Another one", "Something else"].map(|text| user(text).at("2026-11-01T11:00:00Z"));
    machine.session(2, WORK, chained(other));
    machine.push();
    let words = ["msg_1", "tide come", "moonlight", "moon.rs", "1a2b3c4", "2026-11-01T10"];
    let sent = everything(&machine);
    assert!(words.iter().all(|word| sent.contains(word)), "{sent}");
    machine.decisions.decide(session_id(1).parse().unwrap(), Sharing::Forgotten);
    machine.push();
    let sent = everything(&machine);
    for word in words {
        assert!(!sent.contains(word), "{word}: {sent}");
    }
    assert!(sent.contains("Another one"), "{sent}");
    // Its id stays in one place: the decision, in the owner's private manifests.
    let id = session_id(1);
    for (name, bytes) in machine.objects.0.borrow().iter() {
        let has = bytes.windows(id.len()).any(|window| window == id.as_bytes());
        assert!(!has || name.starts_with("v1/private/ada/i1/m/"), "{name}");
        if let Some((_, segment)) = name.split_once("/d/") {
            let table = segment.parse::<SegmentName>().unwrap().table;
            let entries = ParquetFormat.entries(table, bytes).unwrap();
            assert!(entries.iter().all(|entry| entry.session.as_str() != id), "{name}");
        }
    }
}

#[test]
fn planted_secrets_are_in_no_object_at_any_level() {
    let redactor = Redactor::new(redact::Level::Strict, [1; 32]);
    let hits = redact::rules().flat_map(redact::Rule::hits);
    // Longer than names that the conversation has anyway.
    let hits: Vec<(String, String)> = hits
        .filter(|(text, secret)| {
            secret.len() >= 8 && !redactor.mask(text).contains(secret.as_str())
        })
        .collect();
    for level in [Level::Usage, Level::Metadata, Level::Text] {
        let machine = Machine::new(level);
        let mut planted = 0;
        let mut number = 0;
        for hits in hits.chunks(40) {
            number += 1;
            let mut lines = Vec::new();
            for (place, (text, secret)) in hits.iter().enumerate() {
                let id = format!("t{number}-{place}");
                // Some secrets are only seen on a separate line, or away from a path.
                let seen = |text: String| {
                    let is_seen = !redactor.mask(&text).contains(secret.as_str());
                    if is_seen { text } else { format!("{WORK}/src") }
                };
                let one_line = seen(text.replace('\n', " "));
                let file = seen(format!("{WORK}/{one_line}"));
                let input = json!({"command": text, "file_path": file});
                let tool =
                    using(&format!("msg_{id}"), &id, "Read", &input, "2026-11-01T10:00:01.000Z");
                lines.extend([
                    user(text).at("2026-11-01T10:00:00.000Z").with("gitBranch", one_line.as_str()),
                    tool.with("gitBranch", one_line.as_str())
                        .with("attributionSkill", text.as_str()),
                    tool_result(&id, text).at("2026-11-01T10:00:02.000Z"),
                    // What every level sends of a call, and what a transcript may say there.
                    call(&one_line, [1, 2, 3, 4])
                        .with("requestId", format!("req_{id}"))
                        .model(&one_line)
                        .usage("service_tier", one_line.as_str())
                        .with("version", one_line.as_str())
                        .with("entrypoint", one_line.as_str())
                        .with("effort", one_line.as_str())
                        .calls_tools(&[(&one_line, &one_line)])
                        .at("2026-11-01T10:00:03.000Z"),
                ]);
                planted += 14;
            }
            let mut lines = chained(lines);
            lines.push(metadata("custom-title", &[("customTitle", json!(hits[0].0))]));
            machine.session(number, WORK, lines);
        }
        assert!(planted >= 500, "{planted}");
        machine.push();
        let sent = everything(&machine);
        let found: Vec<&(String, String)> = hits
            .iter()
            .filter(|(_, secret)| {
                let quoted = serde_json::to_string(secret).unwrap();
                sent.contains(quoted.trim_matches('"'))
            })
            .collect();
        let around: Option<&str> = found.first().and_then(|(_, secret)| {
            let place = sent.find(secret.as_str())?;
            let start = sent.floor_char_boundary(place.saturating_sub(300));
            sent.get(start..sent.ceil_char_boundary(place + 100))
        });
        assert!(found.is_empty(), "at {level:?}: {} secrets, as in {around:?}", found.len());
    }
}

#[test]
fn blocks_have_the_words_that_a_search_here_finds() {
    let machine = Machine::new(Level::Text);
    machine.session(1, WORK, session_with_tools());
    machine.push();
    let blocks = machine.rows(Table::Blocks).into_iter().flat_map(|(_, rows)| match rows {
        Rows::Blocks(rows) => rows,
        other => panic!("{other:?} among blocks"),
    });
    let blocks: Vec<(String, String, u64, Option<String>, String)> =
        blocks.map(|row| (row.role, row.kind, row.prompt, row.tool, row.words)).collect();
    let block = |role: &str, kind: &str, prompt, tool: Option<&str>, words: &str| {
        (role.to_owned(), kind.to_owned(), prompt, tool.map(str::to_owned), words.to_owned())
    };
    assert_eq!(blocks[0], block("user", "prompt", 1, None, "where does the tide come from"));
    assert_eq!(blocks[2], block("tool_result", "result", 1, Some("Read"), "fn moon"));
    let commit = block("tool_use", "call", 2, Some("Bash"), "bash git commit am x");
    assert!(blocks.contains(&commit), "{blocks:?}");
    assert!(blocks.iter().any(|block| block.3.as_deref() == Some("mcp__sea__depth")));
}
