//! One number per turn: every command gives a message the same one, and a hit opens
//! where it is.

use crate::cli::commands::watch::Looking;
use crate::cli::support::mcp_client::Talk;
use crate::cli::support::run::{Answer, annals, command, demo, text};
use crate::cli::support::sample_session::{ID, story};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use testkit::{Sandbox, assistant, metadata, session_id, user};

/// The turn of each message by its agent (empty: the session) and its uuid.
type Numbers = BTreeMap<(String, String), Value>;

/// The numbers of a session's messages, as commands give them.
struct Surfaces<'r> {
    run: &'r dyn Fn(&[&str]) -> Answer,
    numbers: Numbers,
    /// The uuids by agent and line.
    lines: BTreeMap<(String, u64), String>,
    /// How many numbers each surface gave.
    counts: BTreeMap<String, usize>,
}

impl Surfaces<'_> {
    fn json(&self, arguments: &[&str]) -> Value {
        (self.run)(&[arguments, &["--json"]].concat()).json()
    }

    /// Compares a number with the one that other surfaces gave.
    fn add(&mut self, surface: &str, agent: &Value, uuid: &str, turn: &Value) {
        let place = (agent.as_str().unwrap_or_default().to_owned(), uuid.to_owned());
        let known = self.numbers.entry(place.clone()).or_insert_with(|| turn.clone());
        assert_eq!(known, turn, "{surface}: {place:?}");
        *self.counts.entry(surface.to_owned()).or_default() += 1;
    }

    fn add_messages(&mut self, surface: &str, document: &Value) {
        for message in document["messages"].as_array().unwrap() {
            let (agent, uuid) = (&message["agent_id"], text(&message["uuid"]));
            let line = message["meta"]["line"].as_u64().unwrap();
            let place = (agent.as_str().unwrap_or_default().to_owned(), line);
            self.lines.entry(place).or_insert_with(|| uuid.clone());
            self.add(surface, agent, &uuid, &message["turn"]);
        }
    }

    /// Adds the number of a line, if it is a message.
    fn add_line(&mut self, surface: &str, agent: &Value, place: &Value) {
        let line = place["line"].as_u64().unwrap();
        let key = (agent.as_str().unwrap_or_default().to_owned(), line);
        if let Some(uuid) = self.lines.get(&key).cloned() {
            self.add(surface, agent, &uuid, &place["turn"]);
        }
    }

    /// Asks every command about a session. `words` is a query that finds messages.
    fn ask(&mut self, id: &str, words: &str) {
        let export = (self.run)(&["export", id, "-o", "-", "--format", "json"]).json();
        self.add_messages("export", &export);
        self.add_messages("show", &self.json(&["show", id]));
        self.add_messages("show sdk", &self.json(&["show", id, "--view", "sdk"]));
        let tree = self.json(&["tree", id]);
        for (number, generation) in (1..).zip(tree["generations"].as_array().unwrap()) {
            let number: String = format!("{number}");
            self.add_messages("generation", &self.json(&["show", id, "--generation", &number]));
            for turn in generation["turns"].as_array().unwrap() {
                self.add("tree", &Value::Null, &text(&turn["uuid"]), &turn["number"]);
            }
        }
        for branch in tree["branches"].as_array().unwrap() {
            let number = branch["number"].to_string();
            self.add_messages("branch", &self.json(&["show", id, "--abandoned", &number]));
        }
        for prompt in self.json(&["prompts", id])["prompts"].as_array().unwrap() {
            if let Some(uuid) = prompt["uuid"].as_str() {
                self.add("prompts", &Value::Null, uuid, &prompt["turn"]);
            }
        }
        for call in self.json(&["context", id])["calls"].as_array().unwrap() {
            self.add_line("context", &Value::Null, call);
        }
        let session = &export["session"]["id"];
        let all = self.json(&["prompts", "--limit", "0"]);
        for prompt in all["prompts"].as_array().unwrap() {
            if let Some(uuid) = prompt["uuid"].as_str().filter(|_| prompt["session_id"] == *session)
            {
                self.add("all prompts", &Value::Null, uuid, &prompt["turn"]);
            }
        }
        let hits = self.json(&["search", words, "--limit", "0"]);
        for hit in hits["hits"].as_array().unwrap() {
            if let Some(uuid) = hit["uuid"].as_str().filter(|_| hit["session_id"] == *session) {
                self.add("search", &hit["agent_id"], uuid, &hit["turn"]);
            }
        }
        let hits = self.json(&["grep", ".", "--limit", "0"]);
        for hit in hits["hits"].as_array().unwrap() {
            // Outputs, plans and copies are other files.
            let name = text(&hit["path"]).rsplit('/').next().unwrap_or_default().to_owned();
            let is_own = name == format!("{}.jsonl", text(session)) || name.starts_with("agent-");
            if hit["session_id"] == *session && is_own {
                self.add_line("grep", &hit["agent_id"], hit);
            }
        }
    }

    /// Asks the commands that list calls and changes of files.
    fn ask_about_calls(&mut self, id: &str) {
        let session = self.json(&["show", id])["session"]["id"].clone();
        for call in self.json(&["tools", id])["calls"].as_array().unwrap() {
            self.add_line("tools", &call["agent_id"], call);
        }
        for call in self.json(&["tools", "--limit", "1000"])["calls"].as_array().unwrap() {
            if call["session_id"] == session {
                self.add_line("all tools", &call["agent_id"], call);
            }
        }
        for file in self.json(&["files", "--limit", "0"])["files"].as_array().unwrap() {
            // Files on which every call failed have no history.
            if file["reads"] == 0 && file["changes"] == 0 {
                continue;
            }
            let history = self.json(&["files", &text(&file["path"]), "--reads"]);
            for change in history["changes"].as_array().unwrap() {
                if change["session_id"] != session {
                    continue;
                }
                self.add_line("files", &change["agent_id"], change);
                let prompt = &change["prompt"];
                if let Some(uuid) = prompt["uuid"].as_str() {
                    self.add("files, prompts", &Value::Null, uuid, &prompt["turn"]);
                }
            }
        }
    }

    /// Adds the numbers of events.
    fn add_events(&mut self, events: &[Value]) {
        for event in events.iter().filter(|event| event["event"] != "call_ended") {
            if let Some(uuid) = event["uuid"].as_str() {
                let surface = format!("watch {}", text(&event["event"]));
                self.add(&surface, &event["agent_id"], uuid, &event["turn"]);
            }
        }
    }

    /// Marks every turn of the session, and lists the marks.
    fn mark(&mut self, id: &str) {
        let own = self.numbers.iter().filter(|((agent, _), _)| agent.is_empty());
        let mut turns: Vec<String> =
            own.map(|(_, turn)| turn.as_str().map_or(turn.to_string(), str::to_owned)).collect();
        turns.sort();
        turns.dedup();
        for turn in turns {
            let marked = self.json(&["mark", &format!("{id}:{turn}")]);
            let mark = &marked["marks"][0];
            self.add("mark", &Value::Null, &text(&mark["uuid"]), &mark["turn"]);
        }
        for mark in self.json(&["mark", "--limit", "0"])["marks"].as_array().unwrap() {
            self.add("marks", &Value::Null, &text(&mark["uuid"]), &mark["turn"]);
        }
    }
}

fn surfaces(run: &dyn Fn(&[&str]) -> Answer) -> Surfaces<'_> {
    Surfaces { run, numbers: Numbers::new(), lines: BTreeMap::new(), counts: BTreeMap::new() }
}

#[test]
fn every_command_gives_a_message_of_a_compacted_session_the_same_number() {
    let sandbox = story();
    let run = |arguments: &[&str]| annals(&sandbox, arguments);
    let mut surfaces = surfaces(&run);
    surfaces
        .ask(ID, "tides OR ebb OR mind OR thank OR gladly OR fixed OR stray OR survey OR crabs");
    surfaces.mark(ID);
    surfaces.ask_about_calls(ID);
    let mut watch = command(&sandbox, &["watch", ID, "--from-start", "--json"]);
    surfaces.add_events(&Looking::start(&mut watch).events_until("usage"));
    let named = |uuid: &str| surfaces.numbers.get(&(String::new(), uuid.to_owned())).cloned();
    let table = [
        ("u1", json!(1)),
        ("z2", json!(1)),
        ("v1", json!(2)),
        ("x1", json!("b1.1")),
        ("w1", json!(3)),
        ("w3", json!(3)),
        ("y1", json!("o1.1")),
    ];
    for (uuid, turn) in table {
        assert_eq!(named(uuid), Some(turn), "{uuid}");
    }
    let crabs = ("crabs".to_owned(), "b2".to_owned());
    assert_eq!(surfaces.numbers.get(&crabs), Some(&json!(1)), "an agent's own numbers");
    let asked = "all prompts|all tools|branch|context|export|files|files, prompts|generation|grep|mark|marks|prompts|search|show|show sdk|tools|tree|watch call_started|watch message";
    assert_eq!(surfaces.counts.keys().cloned().collect::<Vec<_>>().join("|"), asked);
}

#[test]
fn every_command_gives_a_message_of_the_demo_the_same_number() {
    let sessions = demo(&["ls", "--json", "--limit", "0"]).json();
    let run = |arguments: &[&str]| demo(arguments);
    let sessions = sessions["sessions"].as_array().unwrap().iter();
    let written = sessions.filter(|session| session["presence"] == "disk");
    // Those with branches, compactions and agents are among the largest.
    let mut written: Vec<&Value> = written.collect();
    written.sort_by_key(|session| std::cmp::Reverse(session["bytes"].as_u64()));
    for session in written.into_iter().take(3) {
        let mut surfaces = surfaces(&run);
        surfaces.ask(&text(&session["id"]), "the OR a OR test OR error");
        surfaces.ask_about_calls(&text(&session["id"]));
    }
}

#[test]
fn mcp_gives_a_message_the_number_of_show() {
    let sandbox = story();
    let mut talk = Talk::greeted(&mut command(&sandbox, &["mcp", "--scope", "all"]));
    let (read, _) = talk.call("read_session", &json!({"session": session_id(1)}));
    let (hits, _) = talk.call("search_sessions", &json!({"query": "gladly"}));
    let (message, _) = talk.call("get_message", &json!({"session": session_id(1), "id": "w3"}));
    for answer in [read, hits, message] {
        let heading = answer.lines().find(|line| line.contains("uuid=\"w3\""));
        let heading = heading.unwrap_or_else(|| panic!("w3 in {answer}"));
        assert!(heading.contains("turn=\"3\""), "{heading}");
    }
}

#[test]
fn turn_after_a_colon_is_shown_wherever_it_is() {
    let sandbox = story();
    let table = [
        ("1", "Look at the tides"),
        ("2", "Fix the ebb"),
        ("3", "Thank you"),
        ("b1.1", "Never mind"),
        ("o1.1", "A stray remark"),
    ];
    for (turn, prompt) in table {
        let shown = annals(&sandbox, &["show", &format!("{ID}:{turn}")]).done().out;
        let heading = shown.split(&format!("━━ {turn} ━━")).nth(1);
        let heading = heading.unwrap_or_else(|| panic!("{turn} in {shown}"));
        assert!(heading.contains(&format!("❯ {prompt}\n")), "{shown}");
        assert_eq!(shown.contains("❯ Thank you"), turn == "3", "{shown}");
    }
    let shown = annals(&sandbox, &["show", "shore:1"]).done().out;
    assert!(shown.contains("❯ Survey the shore"), "{shown}");
    // Numbers reach earlier generations.
    let shown = annals(&sandbox, &["show", ID, "--from", "1", "--to", "2"]).done().out;
    assert!(shown.contains("❯ Look at the tides") && shown.contains("❯ Fix the ebb"), "{shown}");
    assert!(!shown.contains("❯ Thank you"), "{shown}");
    // The same turns by the same numbers in one generation.
    let shown = annals(&sandbox, &["show", ID, "--generation", "2"]).done().out;
    assert!(shown.contains("━━ 1 (continued) ━━"), "{shown}");
    assert!(shown.contains("━━ 3 ━━"), "{shown}");
}

#[test]
fn turn_that_does_not_exist_is_not_found() {
    let sandbox = story();
    let table: [(&[&str], &str); 8] = [
        (&["--from", "99"], "no turn 99: the session has turns 1 to 3"),
        (&["--from", "b1.7"], "no turn b1.7: abandoned branch 1 has turns 1 to b1.1"),
        (&["--from", "b7.1"], "no branch 7: the session has 1 abandoned branch"),
        (&["--generation", "1", "--from", "3"], "no turn 3: generation 1 has only turn 1"),
        (&["--line", "0"], "has no turn at line 0"),
        (&["--line", "999"], "has no turn at line 999"),
        (&["--around", "nobody"], "has no message nobody"),
        (&["--abandoned", "1", "--from", "b1.4"], "no turn b1.4"),
    ];
    for (arguments, expected) in table {
        let answer = annals(&sandbox, &[&["show", ID], arguments].concat());
        let complaint = answer.complaint(1);
        assert!(complaint.contains(expected), "{arguments:?}: {complaint}");
    }
    let answer = annals(&sandbox, &["show", &format!("{ID}:12")]);
    assert!(answer.complaint(1).contains("no turn 12"), "{answer:?}");
    let answer = annals(&sandbox, &["mark", &format!("{ID}:12")]);
    assert!(answer.complaint(1).contains("no turn 12: the session has turns 1 to 3"), "{answer:?}");
    let answer = annals(&sandbox, &["show", ID, "--from", "x"]);
    assert!(answer.complaint(2).contains("use a number such as 12, or b1.2"), "{answer:?}");
    let answer = annals(&sandbox, &["show", &format!("{ID}:2"), "--last", "1"]);
    assert!(answer.complaint(2).contains("cannot be combined"), "{answer:?}");
}

#[test]
fn line_and_uuid_open_the_turn_they_are_in() {
    let sandbox = story();
    let prompts = |arguments: &[&str]| {
        let shown = annals(&sandbox, &[&["show", ID], arguments].concat()).done().out;
        // The orphaned segment stands before the first turn.
        let prompts = shown.lines().filter_map(|line| line.strip_prefix("❯ "));
        let prompts = prompts.filter(|prompt| *prompt != "A stray remark");
        prompts.map(str::to_owned).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(prompts(&["--line", "3"]), "Look at the tides");
    assert_eq!(prompts(&["--line", "18"]), "Never mind");
    assert_eq!(prompts(&["--around", "v5"]), "Look at the tides, Fix the ebb, Thank you");
    assert_eq!(prompts(&["--around", "w3"]), "Fix the ebb, Thank you");
}

#[test]
fn hits_print_the_command_that_shows_their_turn() {
    let sandbox = story();
    let opened = |command: &str| {
        let arguments: Vec<&str> = command.split(' ').skip(1).collect();
        annals(&sandbox, &[&arguments[..], &["--tools", "full", "--thinking"]].concat()).done().out
    };
    for (word, shown) in [
        ("gladly", "Gladly."),
        ("twice", "twice"),
        ("wish", "As you wish."),
        ("stray", "A stray remark"),
        ("crabs", "crabs"),
    ] {
        for found in [&["search", word][..], &["grep", "-i", word]] {
            let hits = annals(&sandbox, &[found, &["--json"]].concat()).done().json();
            let hit = &hits["hits"][0];
            assert!(!hit["turn"].is_null(), "{hit}");
            assert!(opened(&text(&hit["command"])).contains(shown), "{hit}");
            // For people it is the same command with the short id.
            let printed = annals(&sandbox, found).done().out;
            let command = text(&hit["command"]).replace(&session_id(1), ID);
            assert!(printed.contains(&command), "{command} in {printed}");
        }
    }
}

#[test]
fn secrets_print_the_command_that_shows_their_turn() {
    let sandbox = Sandbox::new();
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let lines = [
        user("Begin").link("a", None),
        assistant("Yes").link("b", Some("a")),
        user(&format!("Use {secret}")).link("c", Some("b")),
    ];
    sandbox.session("/home/ada/tidepool", &session_id(1), lines);
    let document = annals(&sandbox, &["doctor", "--secrets", "--json"]).json();
    let command = text(&document["secrets"][0]["command"]);
    assert_eq!(command, format!("annals show {} --line 3", session_id(1)));
    let arguments: Vec<&str> = command.split(' ').skip(1).collect();
    assert!(annals(&sandbox, &arguments).done().out.contains("━━ 2 ━━"));
    let printed = annals(&sandbox, &["doctor", "--secrets"]).out;
    assert!(printed.contains("annals show 00000001 --line 3"), "{printed}");
}

#[test]
fn mark_keeps_pointing_at_its_prompt_when_numbers_shift() {
    let sandbox = story();
    annals(&sandbox, &["mark", &format!("{ID}:3"), "the bow"]).done();
    let path = sandbox.projects().join(format!("-home-ada-tidepool/{}.jsonl", session_id(1)));
    // The person goes back to before it and says something else.
    let line = user("Something else").with("sessionId", session_id(1)).link("n1", Some("v8"));
    sandbox.append(&path, line.at("2026-01-20T10:06:00Z").to_string() + "\n");
    let marks = annals(&sandbox, &["mark", "--json"]).done().json();
    assert_eq!(marks["marks"][0]["turn"], "b2.1");
    let listed = annals(&sandbox, &["ls", "--marked", "--json"]).done().json();
    assert_eq!(listed["sessions"][0]["marks"][0]["turn"], "b2.1");
    let command = text(&marks["marks"][0]["command"]);
    let arguments: Vec<&str> = command.split(' ').skip(1).collect();
    assert!(annals(&sandbox, &arguments).done().out.contains("★ the bow\n━━ b2.1 ━━"));
    // Another prompt, which is marked too, has its old number now.
    annals(&sandbox, &["mark", &format!("{ID}:3"), "another"]).done();
    let marks = annals(&sandbox, &["mark", "--json"]).done().json();
    let marks = marks["marks"].as_array().unwrap().iter();
    let marks: Vec<Value> = marks.map(|mark| json!([mark["turn"], mark["note"]])).collect();
    assert_eq!(marks, [json!([3, "another"]), json!(["b2.1", "the bow"])]);
    annals(&sandbox, &["mark", "--remove", &format!("{ID}:b2.1")]).done();
    assert_eq!(annals(&sandbox, &["mark", "--json"]).done().json()["total"], 1);
}

#[test]
fn trailing_ellipsis_of_a_pasted_id_is_ignored() {
    let sandbox = story();
    let shown = annals(&sandbox, &["show", ID]).done().out;
    assert_eq!(annals(&sandbox, &["show", &format!("{ID}…")]).done().out, shown);
    let third = annals(&sandbox, &["show", &format!("{ID}…:3")]).done().out;
    assert!(third.contains("❯ Thank you"), "{third}");
    let answer = annals(&sandbox, &["show", "…"]);
    assert!(answer.complaint(2).contains("it is empty"), "{answer:?}");
}

#[test]
fn title_that_ends_like_a_turn_is_found_as_it_is() {
    let sandbox = Sandbox::new();
    let title = metadata("custom-title", &[("customTitle", "release:2".into())]);
    let lines = [user("Ship it").link("a", None), title];
    sandbox.session("/home/ada/tidepool", &session_id(1), lines);
    for name in ["release:2", "release:1", "release:2:1"] {
        let shown = annals(&sandbox, &["show", name]).done().out;
        assert!(shown.contains("❯ Ship it"), "{name}: {shown}");
    }
}
