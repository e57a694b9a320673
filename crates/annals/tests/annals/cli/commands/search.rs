//! Search: what is asked is what is found, and how it looks.

use crate::cli::support::hostile_text::{EVIL, is_forbidden};
use crate::cli::support::run::{Answer, annals, command, filtered, modified, run, session, text};
use serde_json::{Value, json};
use testkit::{
    Line, Sandbox, answered, assistant, attachment, chained, metadata, session_id, tool_error,
    tool_result, tool_use, user,
};

/// Lines of a session, in its folder and with its id.
fn of_session(number: u32, cwd: &str, lines: impl IntoIterator<Item = Line>) -> Vec<Line> {
    let lines = chained(lines).into_iter();
    lines.map(|line| line.session(&session_id(number)).cwd(cwd)).collect()
}

/// A session in which each kind of text says `kelp` once, one more that does, and
/// one that does not.
pub(crate) fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let thinking = json!([{"type": "thinking", "thinking": "kelp or fooBar?", "signature": "s"}]);
    let read = json!({"file_path": "/p/src/tide.rs"});
    let [asks, answers] = answered("t1", "Read", &read, "the kelp of tide.rs", json!({}));
    let commit = json!({"command": "git commit -m kelp"});
    let first = of_session(
        1,
        "/home/ada/tidepool",
        [
            user("Where is the kelp?\nSecond line").at("2026-01-02T03:00:00.000Z"),
            assistant("").message("content", thinking),
            asks,
            answers,
            tool_use("t2", "Bash", &commit).with("gitBranch", "reef/kelp"),
            tool_result("t2", "[reef abc1234] kelp\n 1 file changed, 1 insertion(+)"),
            tool_use("t3", "Bash", &json!({"command": "annals search kelp"})),
            tool_result("t3", "an older kelp"),
            tool_use("t4", "Grep", &json!({"pattern": "E0502"})),
            tool_error("t4", "no kelp there"),
            assistant("The kelp is in src/tide.rs:42.").at("2026-01-20T03:00:00.000Z"),
            user("This was about kelp.").with("isCompactSummary", true),
            attachment(&json!({"type": "queued_command", "prompt": "more kelp"})),
            metadata("custom-title", &[("customTitle", "Kelp in the tide".into())]),
            metadata("pr-link", &[("prNumber", 7.into()), ("prUrl", "https://x/pull/7".into())]),
        ],
    );
    let path = sandbox.session("/home/ada/tidepool", &session_id(1), first);
    modified(&sandbox, &path, "2026-01-20T03:00:00Z");
    let agent = of_session(1, "/home/ada/tidepool", [user("Count the kelp").of_agent("a1")]);
    let agent = sandbox.agent("/home/ada/tidepool", &session_id(1), "agent-a1", agent);
    sandbox.write(
        agent.with_extension("meta.json").strip_prefix(sandbox.config()).unwrap().to_str().unwrap(),
        json!({"agentType": "Explore"}).to_string(),
    );
    session(&sandbox, 2, "/home/ada/reef", "Another kelp, and dulse");
    session(&sandbox, 3, "/home/ada/lagoon", "Nothing but dulse");
    sandbox
}

/// The hits of a search, with its totals checked against them.
fn hits(sandbox: &Sandbox, arguments: &[&str]) -> Vec<Value> {
    let answer = annals(sandbox, &[&["search", "--json", "--limit", "0"], arguments].concat());
    assert!(matches!(answer.code, 0 | 1) && answer.err.is_empty(), "{arguments:?}: {answer:?}");
    let document = answer.json();
    assert_eq!(document["schema"], "annals/hits/1");
    let hits = document["hits"].as_array().unwrap().clone();
    let copies: u64 = hits.iter().map(|hit| 1 + hit["duplicates"].as_u64().unwrap()).sum();
    assert_eq!(document["total"], copies, "{arguments:?}: {document}");
    assert_eq!(answer.code, i32::from(hits.is_empty()), "{arguments:?}");
    hits
}

/// A hit in a few words: its session, what it is and the line.
fn hit_labels(hits: &[Value]) -> Vec<String> {
    let mut hit_labels: Vec<String> = hits
        .iter()
        .map(|hit| {
            let id = hit["session_id"].as_str().map_or("-", |id| &id[7..8]).to_owned();
            let agent = hit["agent_id"].as_str().unwrap_or("");
            format!("{id}{agent} {} {}", text(&hit["kind"]), hit["line"])
        })
        .collect();
    hit_labels.sort();
    hit_labels
}

#[test]
fn each_kind_of_text_is_found_once() {
    insta::assert_snapshot!(hit_labels(&hits(&store(), &["kelp"])).join("\n"), @"
    1 answer 11
    1 call 5
    1 prompt 1
    1 prompt 13
    1 result 10
    1 result 4
    1 result 6
    1 summary 12
    1 thinking 2
    1 title 14
    1a1 note 1
    2 prompt 1
    ");
}

#[test]
fn queries_match_as_documented() {
    let sandbox = store();
    let table: [(&str, &[&str]); 30] = [
        // Words, beginnings, phrases, names however they are spelled.
        ("dulse", &["2 prompt 1", "3 prompt 1"]),
        ("dulse kelp", &["2 prompt 1"]),
        ("dulse -kelp", &["3 prompt 1"]),
        ("dulse NOT kelp", &["3 prompt 1"]),
        ("kelp -\"the kelp\" dulse", &["2 prompt 1"]),
        ("foobar", &["1 thinking 2"]),
        ("foo_bar", &["1 thinking 2"]),
        ("fooB*", &["1 thinking 2"]),
        ("src/tide.rs:42", &["1 answer 11"]),
        ("E0502", &["1 call 9"]),
        ("e0502 OR dulse", &["1 call 9", "2 prompt 1", "3 prompt 1"]),
        ("\"second LINE\"", &["1 prompt 1"]),
        ("\"line second\"", &[]),
        // Fields.
        ("kelp session:00000002", &["2 prompt 1"]),
        ("kelp project:reef", &["2 prompt 1"]),
        ("kelp branch:reef/*", &["1 call 5"]),
        ("is:prompt model:claude", &[]),
        ("kelp model:sonnet", &["1 answer 11", "1 call 5", "1 thinking 2"]),
        ("kelp tool:read", &["1 result 4"]),
        ("kelp role:assistant", &["1 answer 11"]),
        ("agent:explore", &["1a1 note 1"]),
        ("is:prompt kelp file:tide.rs -is:agent", &["1 prompt 1", "1 prompt 13"]),
        ("title:\"in the tide\" role:thinking", &["1 thinking 2"]),
        ("second pr:7", &["1 prompt 1"]),
        ("second commit:ABC12", &["1 prompt 1"]),
        ("second commit:abc9", &[]),
        ("kelp since:2026-01-19 until:2026-01-21", &["1 answer 11"]),
        ("is:error", &["1 result 10"]),
        ("is:recall", &["1 recall 7", "1 recall 8"]),
        ("kelp -tool:bash -tool:read is:agent", &["1a1 note 1"]),
    ];
    for (query, expected) in table {
        assert_eq!(hit_labels(&hits(&sandbox, &[query])), expected, "{query}");
    }
    // Every field that is documented is held here.
    for (field, _) in library::search::FIELDS {
        let names = format!("{field}:");
        let is_tried = |query: &str| query.split(' ').any(|word| word.starts_with(&names));
        assert!(table.iter().any(|(query, _)| is_tried(query)), "{field}: is not tried");
    }
    // Words may be given one by one.
    assert_eq!(hit_labels(&hits(&sandbox, &["dulse", "kelp"])), ["2 prompt 1"]);
    assert_eq!(hit_labels(&hits(&sandbox, &["--", "dulse", "-kelp"])), ["3 prompt 1"]);
    annals(&sandbox, &["mark", &session_id(2)]).done();
    assert_eq!(hit_labels(&hits(&sandbox, &["kelp is:marked"])), ["2 prompt 1"]);
    assert!(!hit_labels(&hits(&sandbox, &["kelp -is:marked"])).contains(&"2 prompt 1".to_owned()));
}

#[test]
fn any_query_is_answered_or_refused_with_a_reason() {
    let sandbox = store();
    let long = "kelp".repeat(2_500);
    let many = "kelp ".repeat(2_000);
    let path = "a/b.".repeat(2_500);
    let table: [(&str, i32); 24] = [
        ("\"kelp", 0),
        ("kelp\"", 0),
        ("\"\"\"kelp", 0),
        ("kelp AND (", 0),
        ("kelp) OR (dulse", 0),
        ("NEAR(kelp dulse, 3)", 1),
        ("words:kelp", 1),
        ("kelp*", 0),
        ("*kelp", 0),
        ("^kelp", 0),
        ("{words wholes}: kelp", 1),
        ("kelp + dulse", 0),
        ("kelp;DROP TABLE block", 1),
        ("' OR 1=1 --", 1),
        ("🚀", 1),
        ("👩‍👩‍👧 kelp", 1),
        ("\u{202e}kelp", 0),
        (&long, 1),
        (&path, 1),
        (&many, 2),
        ("", 2),
        ("-kelp", 2),
        ("…", 2),
        ("is:odd", 2),
    ];
    for (query, code) in table {
        let answer = annals(&sandbox, &["search", "--", query]);
        let short: String = query.chars().take(40).collect();
        assert_eq!(answer.code, code, "{short}: {} {}", answer.out, answer.err);
        assert!(!answer.out.contains(is_forbidden) && !answer.err.contains(is_forbidden));
        if code == 2 {
            assert!(answer.complaint(2).starts_with("annals: "), "{short}: {}", answer.err);
        }
    }
    for query in ["since:someday kelp", "role:boss", "kelp -\"", "NOT"] {
        let answer = annals(&sandbox, &["search", query]);
        assert!(matches!(answer.code, 0..=2) && !answer.err.contains("panicked"), "{answer:?}");
    }
}

/// What is shown, without what differs from run to run.
fn shown(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let Answer { out, err, .. } = annals(sandbox, &[&["search"], arguments].concat());
    assert_eq!(err, "", "{arguments:?}");
    filtered(sandbox, &out)
}

#[test]
fn hits_are_grouped_by_session_best_first() {
    let sandbox = store();
    insta::assert_snapshot!(shown(&sandbox, &["kelp role:user OR dulse"]), @"
    00000002  /home/ada/reef  Another kelp, and dulse
      prompt  2026-01-02  annals show 00000002:1
        Another kelp, and dulse
      annals show 00000002   annals resume 00000002

    00000003  /home/ada/lagoon  Nothing but dulse
      prompt  2026-01-02  annals show 00000003:1
        Nothing but dulse
      annals show 00000003   annals resume 00000003

    00000001  /home/ada/tidepool  Kelp in the tide
      prompt  2026-01-02  annals show 00000001:1
        Where is the kelp? Second line
      note  agent a1  2026-01-02  annals show a1:1
        Count the kelp
      annals show 00000001   annals resume 00000001

    4 of 4 hits
    ");
    insta::assert_snapshot!(shown(&sandbox, &["kelp is:prompt", "--hits"]), @"
    00000001  prompt  2026-01-02  annals show 00000001:2
      more kelp
    00000002  prompt  2026-01-02  annals show 00000002:1
      Another kelp, and dulse
    00000001  prompt  2026-01-02  annals show 00000001:1
      Where is the kelp? Second line
    3 of 3 hits
    ");
    insta::assert_snapshot!(shown(&sandbox, &["thinking_less OR foobar", "--context", "1"]), @"
    00000001  /home/ada/tidepool  Kelp in the tide
      thinking  2026-01-02  annals show 00000001:1
        user: Where is the kelp? Second line
        kelp or fooBar?
        tool_use: Read /p/src/tide.rs
      annals show 00000001   annals resume 00000001

    1 of 1 hit
    ");
    let painted = annals(&sandbox, &["search", "Second", "--color", "always"]).done();
    assert!(painted.out.contains("\u{1b}[31mSecond\u{1b}[0m line"), "{}", painted.out);
}

#[test]
fn word_without_hits_suggests_similar_words() {
    let sandbox = store();
    insta::assert_snapshot!(shown(&sandbox, &["kelb"]), @"
    No hits.
    kelb: did you mean kelp?
    ");
    insta::assert_snapshot!(shown(&sandbox, &["zzz"]), @"No hits.");
    // `fooBar` occurs once, in thinking: it is never suggested.
    assert_eq!(shown(&sandbox, &["foubar"]), "No hits.\n");
    let answer = annals(&sandbox, &["search", "kelb", "--json"]);
    assert_eq!(answer.code, 1);
    assert_eq!(answer.json()["similar_words"], json!([{"word": "kelb", "similar": ["kelp"]}]));
}

#[test]
fn small_store_suggests_words_that_one_session_repeats() {
    let sandbox = Sandbox::new();
    let lines = [
        user("Where do mussels and limpets live?"),
        assistant("Mussels live on rocks. The door is b4rnacle."),
        user("And the b4rnacle?"),
    ];
    sandbox.session("/home/ada/reef", &session_id(1), of_session(1, "/home/ada/reef", lines));
    assert_eq!(shown(&sandbox, &["musels"]), "No hits.\nmusels: did you mean mussels?\n");
    // Said once, perhaps by mistake; and not a word.
    assert_eq!(shown(&sandbox, &["limpetz"]), "No hits.\n");
    assert_eq!(shown(&sandbox, &["b4rnacl"]), "No hits.\n");
}

#[test]
fn json_and_csv_hold_the_same_hits() {
    let sandbox = store();
    let mut document = annals(&sandbox, &["search", "--json", "foobar"]).done().json();
    document["took_ms"] = json!(0);
    insta::assert_snapshot!(filtered(&sandbox, &serde_json::to_string_pretty(&document).unwrap()), @r#"
    {
      "covered_since": null,
      "fresh": true,
      "hits": [
        {
          "agent_id": null,
          "branch": "main",
          "command": "annals show 00000001-0000-4000-8000-000000000001:1",
          "cwd": "/home/ada/tidepool",
          "duplicate_sessions": 0,
          "duplicates": 0,
          "duplicates_in": [],
          "highlights": [
            [
              8,
              14
            ]
          ],
          "kind": "thinking",
          "line": 2,
          "path": "[ROOT]/claude/projects/-home-ada-tidepool/00000001-0000-4000-8000-000000000001.jsonl",
          "presence": "disk",
          "project": "/home/ada/tidepool",
          "role": "thinking",
          "score": 2.193,
          "session_id": "00000001-0000-4000-8000-000000000001",
          "snippet": "kelp or fooBar?",
          "state": "live",
          "timestamp": "2026-01-02T03:04:05.678Z",
          "title": "Kelp in the tide",
          "tool": null,
          "turn": 1,
          "uuid": "u2"
        }
      ],
      "index_complete": true,
      "next": null,
      "query": "foobar",
      "schema": "annals/hits/1",
      "similar_words": [],
      "took_ms": 0,
      "total": 1
    }
    "#);
    insta::assert_snapshot!(shown(&sandbox, &["foobar OR e0502", "--csv"]), @"
    timestamp,session_id,agent_id,project,branch,title,role,kind,tool,state,turn,presence,score,snippet,path,line,duplicates_in,command
    2026-01-02T03:04:05.678Z,00000001-0000-4000-8000-000000000001,,/home/ada/tidepool,main,Kelp in the tide,thinking,thinking,,live,1,disk,2.193,kelp or fooBar?,[ROOT]/claude/projects/-home-ada-tidepool/00000001-0000-4000-8000-000000000001.jsonl,2,,annals show 00000001-0000-4000-8000-000000000001:1
    2026-01-02T03:04:05.678Z,00000001-0000-4000-8000-000000000001,,/home/ada/tidepool,main,Kelp in the tide,tool_use,call,Grep,live,1,disk,1.828,Grep E0502,[ROOT]/claude/projects/-home-ada-tidepool/00000001-0000-4000-8000-000000000001.jsonl,9,,annals show 00000001-0000-4000-8000-000000000001:1
    ");
    let rows = annals(&sandbox, &["search", "kelp", "--jsonl"]).done().out;
    assert_eq!(rows.lines().count(), hits(&sandbox, &["kelp"]).len());
}

#[test]
fn pages_continue_without_gaps() {
    let sandbox = store();
    let all = hits(&sandbox, &["kelp", "--sort", "time"]);
    let mut paged = Vec::new();
    let mut offset = 0;
    loop {
        let at = offset.to_string();
        let arguments = ["search", "kelp", "--json", "--sort", "time", "--limit", "3", "--offset"];
        let page = annals(&sandbox, &[&arguments[..], &[at.as_str()]].concat()).json();
        paged.extend(page["hits"].as_array().unwrap().clone());
        let Some(next) = page["next"].as_u64() else { break };
        assert_eq!(next, offset + 3);
        offset = next;
    }
    assert_eq!(hit_labels(&paged), hit_labels(&all));
    let times: Vec<&Value> = all.iter().map(|hit| &hit["timestamp"]).collect();
    let mut sorted = times.clone();
    sorted.sort_by_key(|time| std::cmp::Reverse(time.as_str()));
    assert_eq!(times, sorted);
    assert_eq!(shown(&sandbox, &["kelp", "--offset", "99"]), "No more hits.\n");
}

#[test]
fn hits_on_abandoned_branches_are_marked_and_rank_lower() {
    let sandbox = Sandbox::new();
    let line = |line: Line, uuid: &str, parent: Option<&str>| {
        line.link(uuid, parent).session(&session_id(1)).cwd("/p")
    };
    sandbox.session(
        "/p",
        &session_id(1),
        [
            line(user("Begin"), "u1", None),
            line(assistant("Certainly."), "u2", Some("u1")),
            line(user("Take the kelp"), "u3", Some("u2")),
            line(assistant("Taken."), "u4", Some("u3")),
            // Rewound to before it, with another prompt.
            line(user("Leave the kelp"), "u5", Some("u2")),
            line(assistant("Left."), "u6", Some("u5")),
        ],
    );
    let hits = hits(&sandbox, &["kelp"]);
    let states: Vec<(String, String)> =
        hits.iter().map(|hit| (text(&hit["state"]), text(&hit["snippet"]))).collect();
    assert_eq!(
        states,
        [
            ("live".to_owned(), "Leave the kelp".to_owned()),
            ("abandoned".to_owned(), "Take the kelp".to_owned())
        ]
    );
    assert!(shown(&sandbox, &["kelp"]).contains(" abandoned "), "{}", shown(&sandbox, &["kelp"]));
}

#[test]
fn archived_sessions_are_found_and_labelled() {
    let sandbox = store();
    let before = hit_labels(&hits(&sandbox, &["kelp"]));
    annals(&sandbox, &["archive", "sync"]).done();
    sandbox.remove_folder(&sandbox.projects().join("-home-ada-tidepool"));
    let after = hits(&sandbox, &["kelp"]);
    assert_eq!(hit_labels(&after), before);
    for hit in &after {
        let is_gone = hit["session_id"] == session_id(1);
        assert_eq!(hit["presence"], if is_gone { "archive" } else { "disk" }, "{hit}");
    }
    let shown = shown(&sandbox, &["foobar"]);
    assert!(shown.contains("archive") && shown.contains("annals archive restore "), "{shown}");
    // What is forgotten is not found any more, nor is anything of it left.
    annals(&sandbox, &["archive", "forget", &session_id(1), "--yes"]);
    assert_eq!(hit_labels(&hits(&sandbox, &["kelp"])), ["2 prompt 1"]);
}

#[test]
fn hostile_text_is_escaped_in_hits() {
    let sandbox = Sandbox::new();
    let cwd = format!("/home/{EVIL}");
    let lines = chained([
        user(&format!("before {EVIL} kelp {EVIL}")).with("gitBranch", EVIL),
        tool_use("t", EVIL, &json!({"kelp": format!("kelp {EVIL}")})),
        metadata("custom-title", &[("customTitle", EVIL.into())]),
    ]);
    let lines = lines.into_iter().map(|line| line.session(&session_id(1)).cwd(&cwd));
    sandbox.session("/p", &session_id(1), lines);
    for arguments in [
        &["kelp"][..],
        &["kelp", "--hits"],
        &["kelp", "-C", "2", "--color", "never"],
        &[EVIL],
        &["owned"],
    ] {
        let answer = annals(&sandbox, &[&["search"], arguments].concat());
        assert!(!answer.out.is_empty(), "{arguments:?}");
        assert!(!answer.out.contains(is_forbidden), "{arguments:?}: {:?}", answer.out);
        assert!(!answer.err.contains(is_forbidden), "{arguments:?}: {:?}", answer.err);
    }
}

#[test]
fn secrets_are_not_indexed_and_masked_for_agents() {
    let sandbox = Sandbox::new();
    let rule = redact::rules().find(|rule| rule.name() == "github-token").unwrap();
    let token = rule.hits().next().unwrap().1;
    session(&sandbox, 1, "/p", &format!("the kelp {token} behind"));
    assert_eq!(annals(&sandbox, &["search", &token]).code, 1);
    let person = annals(&sandbox, &["search", "kelp behind"]).done();
    assert!(person.out.contains(&token), "{}", person.out);
    for format in ["--json", "--csv", "--hits", "--jsonl", "--context=1"] {
        let mut agent = command(&sandbox, &["search", "kelp behind", format]);
        let agent = run(agent.env("CLAUDECODE", "1"));
        assert_eq!(agent.code, 0, "{}", agent.err);
        assert!(!agent.out.contains(&token[..12]), "{format}: {}", agent.out);
        assert!(agent.out.contains("kelp") && agent.out.contains("behind"), "{}", agent.out);
    }
}

#[test]
fn hit_names_the_other_sessions_that_have_its_text() {
    let sandbox = Sandbox::new();
    for number in 1..=30 {
        session(&sandbox, number, "/p", "The wreck lies at 12 fathoms");
    }
    let ids: std::collections::BTreeSet<String> = (1..=30).map(session_id).collect();
    let named = |arguments: &[&str]| {
        let hits = annals(&sandbox, &[&["search", "wreck", "--json"], arguments].concat());
        let hits = hits.done().json()["hits"].as_array().unwrap().clone();
        let [hit] = &hits[..] else { panic!("{hits:?}") };
        assert_eq!(hit["duplicate_sessions"], 29);
        let others = hit["duplicates_in"].as_array().unwrap().iter().map(text);
        others.chain([text(&hit["session_id"])]).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(named(&["--limit", "0"]), ids);
    assert_eq!(named(&[]).len(), 21, "bounded, with the number of all");
    let shown = annals(&sandbox, &["search", "wreck"]).done().out;
    assert!(shown.contains("The same text is in 29 other sessions: 000000"), "{shown}");
    assert!(shown.contains(" and 23 more (--limit 0 names all)"), "{shown}");
    let shown = annals(&sandbox, &["search", "wreck", "--limit", "0"]).done().out;
    assert!(ids.iter().all(|id| shown.contains(&id[..8])), "{shown}");
}
