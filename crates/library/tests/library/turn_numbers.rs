//! Every surface of the library gives a message the same turn: the open session in
//! all its parts and views, prompts, lines, marks, hits of the index.

use jiff::Timestamp;
use library::catalog::Filter;
use library::progress::NoProgress;
use library::search::{IndexOptions, IndexWait, Order, Query, SearchOptions};
use library::sessions::{AgentConversation, OpenSession, Part, Selection, TurnNumber, View};
use library::{Library, Options};
use proptest::prelude::*;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use store::RootOrigin;
use testkit::{
    Line, Sandbox, assistant, attachment, metadata, session_id, system, tool_result, tool_use, user,
};

const CWD: &str = "/home/ada/tidepool";

/// A line of a session: its kind, whether it has another parent than the line before
/// it, and a number that decides the rest.
type Choice = (u8, u8, usize);

/// A line at a position. Its text has a unique word, which a search finds.
fn generated_line(position: usize, (kind, odd, other): Choice, last: Option<usize>) -> Line {
    let (uuid, word) = (format!("u{position}"), format!("kelp wave{position}"));
    let earlier = (position > 0).then(|| format!("u{}", other % position.max(1)));
    let parent = match odd {
        0 => earlier.clone(),
        1 => Some("gone".to_owned()),
        _ => last.map(|last| format!("u{last}")),
    };
    let line = match kind {
        0..=3 => user(&word),
        4..=6 => assistant(&word).message("id", format!("m{position}")),
        7 => tool_use(&format!("t{position}"), "Bash", &json!({"command": word}))
            .message("id", format!("m{position}")),
        8 => tool_result(&format!("t{}", position.saturating_sub(1)), &word),
        9 => attachment(&json!({"type": "queued_command", "prompt": word})),
        10 => user(&word).with("isSidechain", true),
        11 => metadata("last-prompt", &[]).with("leafUuid", parent.clone()),
        _ => {
            let kept = json!({"headUuid": earlier, "anchorUuid": uuid, "tailUuid": earlier});
            let details = match other % 2 {
                0 => json!({"trigger": "auto"}),
                _ => json!({"trigger": "auto", "preservedSegment": kept}),
            };
            let line = system("compact_boundary").link(&uuid, None);
            return line.with("compactMetadata", details).with("logicalParentUuid", parent);
        }
    };
    let time = format!("2026-01-02T03:{:02}:00Z", position % 60);
    line.link(&uuid, parent.as_deref()).at(&time).cwd(CWD).with("sessionId", session_id(1))
}

fn lines(choices: &[Choice]) -> Vec<Line> {
    let mut last = None;
    let mut lines = Vec::new();
    for (position, choice) in choices.iter().enumerate() {
        lines.push(generated_line(position, *choice, last));
        if !matches!(choice.0, 10 | 11) {
            last = Some(position);
        }
    }
    lines
}

/// The turns that surfaces gave, by agent and uuid.
#[derive(Default)]
struct Numbers(HashMap<(String, String), TurnNumber>);

impl Numbers {
    fn add(
        &mut self,
        surface: &str,
        agent: &str,
        uuid: &str,
        turn: Option<TurnNumber>,
    ) -> Result<(), TestCaseError> {
        let Some(turn) = turn else { return Ok(()) };
        let known = *self.0.entry((agent.to_owned(), uuid.to_owned())).or_insert(turn);
        prop_assert_eq!(known, turn, "{}: {} {}", surface, agent, uuid);
        Ok(())
    }

    fn add_parts(&mut self, session: &OpenSession, view: View) -> Result<(), TestCaseError> {
        let conversation = session.conversation(view);
        let mut parts = vec![Part::Present, Part::Whole];
        parts.extend((1..=conversation.past_generations.len() + 1).map(Part::Generation));
        parts.extend((1..=conversation.branches.len()).map(Part::AbandonedBranch));
        parts.extend((1..=conversation.orphaned_segments.len()).map(Part::OrphanedSegment));
        for part in parts {
            let name = format!("{part:?} {view:?}");
            let selected = session.turns(&Selection { view, ..Selection::of(part) });
            let selected = selected.map_err(|error| TestCaseError::fail(error.to_string()))?;
            let numbers = selected.numbers();
            for message in selected.messages() {
                self.add(&name, "", &message.uuid, numbers.of(message.node))?;
            }
            for turn in selected.turns.turns.iter().filter(|turn| turn.prompt().is_some()) {
                let uuid = selected.record_of(turn).unwrap_or_default();
                self.add(&name, "", uuid, Some(turn.number))?;
            }
        }
        Ok(())
    }

    fn add_agents(&mut self, session: &OpenSession) -> Result<(), TestCaseError> {
        for agent in &session.agents().agents {
            let Ok(own) = session.agent_conversation(agent, View::App) else { continue };
            let is_inline = matches!(own, AgentConversation::Lines { .. });
            let name = if is_inline { "" } else { agent.id.as_str() };
            let numbers = own.turn_numbers();
            for message in own.whole_messages() {
                self.add("agent", name, &message.uuid, numbers.of(message.node))?;
            }
        }
        Ok(())
    }
}

fn check(main: &[Choice], agent: &[Choice]) -> Result<(), TestCaseError> {
    let sandbox = Sandbox::new();
    sandbox.session(CWD, &session_id(1), lines(main));
    let folder = format!("projects/-home-ada-tidepool/{}/subagents", session_id(1));
    let agent_lines = lines(agent).into_iter().map(|line| line.with("isSidechain", true));
    let agent_lines: Vec<_> = agent_lines.collect();
    sandbox.write(&format!("{folder}/agent-shore.jsonl"), testkit::file(&agent_lines));
    let library = Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Flag)],
        home: Some(sandbox.annals_home()),
        ..Options::default()
    });
    let Ok(found) = library.catalog().find(&session_id(1), None) else { return Ok(()) };
    let session = library.sessions().open_session(&found).unwrap();
    let mut numbers = Numbers::default();
    numbers.add_parts(&session, View::App)?;
    numbers.add_parts(&session, View::Sdk)?;
    numbers.add_agents(&session)?;
    for (prompt, surface) in library.prompts().prompts_of(&found).0.into_iter().zip(0..) {
        let uuid = prompt.uuid.unwrap_or_default();
        numbers.add(&format!("prompt {surface}"), "", &uuid, prompt.turn)?;
    }
    let known: Vec<((String, String), TurnNumber)> = numbers.0.clone().into_iter().collect();
    for ((agent, uuid), turn) in known.iter().filter(|((agent, _), _)| agent.is_empty()) {
        numbers.add("uuid", agent, uuid, session.turn_of_uuid(uuid).map(|(_, turn)| turn))?;
        prop_assert!(session.turn_of_uuid(uuid).is_some(), "{} {}", uuid, turn);
    }
    let query = Query::parse("kelp").unwrap();
    let (filter, marked) = (Filter::default(), HashSet::new());
    let options = SearchOptions {
        query: &query,
        filter: &filter,
        marked: &marked,
        order: Order::Score,
        offset: 0,
        limit: 1000,
        around: 0,
        now: Timestamp::UNIX_EPOCH,
    };
    let index = IndexOptions { memory: 32 << 20, wait: IndexWait::UntilWhole };
    let answer =
        library.search().query(index, &options, &NoProgress, |answer, _| answer.hits).unwrap();
    for hit in answer {
        let agent = hit.agent_id.unwrap_or_default();
        numbers.add("search", &agent, &hit.uuid.unwrap_or_default(), hit.turn)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_surface_gives_a_message_the_same_turn(
        main in prop::collection::vec((0_u8..14, 0_u8..12, 0_usize..24), 1..24),
        agent in prop::collection::vec((0_u8..9, 0_u8..12, 0_usize..24), 1..8),
    ) {
        check(&main, &agent)?;
    }
}
