//! A search names every session that has the text, whatever was folded.

use library::catalog::Filter;
use library::progress::NoProgress;
use library::search::{IndexOptions, IndexWait, Order, Query, SearchOptions};
use library::{Library, Options};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet};
use store::RootOrigin;
use testkit::{Line, Sandbox, assistant, session_id, tool_result, tool_use, user};

/// The words that texts are made of. Few, so that texts repeat.
const WORDS: [&str; 6] = ["tide", "harbour", "lantern", "salt", "gull", "anchor"];

/// Where a text is.
#[derive(Clone, Copy, Debug)]
enum Place {
    Prompt,
    Answer,
    Call,
    Result,
    Agent,
    FlatAgent,
    /// A line of an agent that a progress record repeats.
    Progress,
    /// The same, of an agent that has a file too.
    ProgressAndFile,
    Copy,
    Output,
}

const PLACES: [Place; 10] = [
    Place::Prompt,
    Place::Answer,
    Place::Call,
    Place::Result,
    Place::Agent,
    Place::FlatAgent,
    Place::Progress,
    Place::ProgressAndFile,
    Place::Copy,
    Place::Output,
];

/// A text: its words, its session, and where it is.
#[derive(Clone, Debug)]
struct Text {
    words: Vec<usize>,
    session: u32,
    place: Place,
    /// Makes texts that are nearly the same: numbers are ignored when they are folded.
    number: u32,
}

impl Text {
    fn text(&self) -> String {
        let words: Vec<&str> = self.words.iter().map(|word| WORDS[*word]).collect();
        format!("{} {}", words.join(" "), self.number)
    }

    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|own| WORDS[*own] == word)
    }
}

fn texts() -> impl Strategy<Value = Vec<Text>> {
    let words = prop::collection::vec(0..WORDS.len(), 1..4);
    let text = (words, 1_u32..6, prop::sample::select(PLACES.as_slice()), 0_u32..3);
    let text =
        text.prop_map(|(words, session, place, number)| Text { words, session, place, number });
    prop::collection::vec(text, 1..40)
}

/// Writes the texts into the files of their sessions.
fn write(sandbox: &Sandbox, texts: &[Text]) {
    for session in 1..6 {
        let id = session_id(session);
        let folder = "projects/-p";
        let own = |line: Line| format!("{}\n", line.with("sessionId", id.clone()));
        // Every session has a transcript, so that files beside it have an owner.
        let mut main = own(user(&format!("x{session}")).link("u0", None));
        let mut copy = String::new();
        for (number, text) in texts.iter().filter(|text| text.session == session).enumerate() {
            let (uuid, call) = (format!("u{}", number + 1), format!("t{number}"));
            let parent = format!("u{number}");
            let linked = |line: Line| own(line.link(&uuid, Some(&parent)));
            let words = text.text();
            match text.place {
                Place::Prompt => main += &linked(user(&words)),
                Place::Answer => main += &linked(assistant(&words)),
                Place::Call => {
                    let input = serde_json::json!({"command": words});
                    main += &linked(tool_use(&call, "Bash", &input));
                }
                Place::Result => main += &linked(tool_result(&call, &words)),
                Place::Agent => {
                    let line = own(user(&words).of_agent("x"));
                    sandbox.write(&format!("{folder}/{id}/subagents/agent-a{number}.jsonl"), line);
                }
                Place::FlatAgent => {
                    let line = own(user(&words).of_agent("x"));
                    sandbox.write(&format!("{folder}/agent-f{session}{number}.jsonl"), line);
                }
                Place::Progress => main += &linked(progress(&words, "p1", number)),
                Place::ProgressAndFile => {
                    main += &linked(progress(&words, &format!("a{number}"), number));
                    let line = own(user(&words).of_agent("x"));
                    sandbox.write(&format!("{folder}/{id}/subagents/agent-a{number}.jsonl"), line);
                }
                Place::Copy => copy += &linked(user(&words)),
                Place::Output => {
                    sandbox.write(&format!("{folder}/{id}/tool-results/{call}.txt"), words);
                }
            }
        }
        sandbox.write(&format!("{folder}/{id}.jsonl"), main);
        if !copy.is_empty() {
            let name = format!("pre-compact-session-histories/{id}-20260101-000000.jsonl");
            sandbox.write(&name, copy);
        }
    }
}

/// A progress record that repeats a line of an agent.
fn progress(words: &str, agent: &str, number: usize) -> Line {
    let line = user(words).link(&format!("a{number}"), None).as_progress();
    let message = serde_json::json!({"type": "user", "uuid": format!("a{number}"),
        "message": {"role": "user", "content": words}});
    let data = serde_json::json!({"type": "agent_progress", "agentId": agent, "message": message});
    line.with("data", data)
}

/// The sessions that the hits of a word name.
fn found(library: &Library, word: &str) -> BTreeSet<String> {
    let query = Query::parse(word).unwrap();
    let (filter, marked) = (Filter::default(), HashSet::new());
    let options = SearchOptions {
        query: &query,
        filter: &filter,
        marked: &marked,
        order: Order::Score,
        offset: 0,
        limit: usize::MAX,
        around: 0,
        now: "2026-02-01T12:00:00Z".parse().unwrap(),
    };
    let index = IndexOptions { memory: 16 << 20, wait: IndexWait::UntilWhole };
    let mut sessions = BTreeSet::new();
    let each = |answer: library::search::SearchAnswer, _: &library::search::Freshness| {
        for hit in answer.hits {
            sessions.extend(hit.session_id);
            sessions.extend(hit.duplicates_in);
        }
    };
    library.search().query(index, &options, &NoProgress, each).unwrap();
    sessions
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn search_names_every_session_that_has_a_word(texts in texts()) {
        let sandbox = Sandbox::new();
        write(&sandbox, &texts);
        let roots = vec![(sandbox.config(), RootOrigin::Flag)];
        let home = Some(sandbox.annals_home());
        let library = Library::open(Options { roots, home, ..Options::default() });
        for word in WORDS {
            let expected: BTreeSet<String> = texts
                .iter()
                .filter(|text| text.has(word))
                .map(|text| session_id(text.session))
                .collect();
            prop_assert_eq!(found(&library, word), expected, "{}", word);
        }
    }
}
