//! The number of a turn is the same wherever its lines are read: in the whole
//! session, in one generation, on a branch, in another view.

use conversation::{Conversation, NodeId, StepKind, TurnNumber, Turns, View};
use proptest::prelude::*;
use serde_json::json;
use testkit::{Line, assistant, attachment, file, metadata, system, tool_result, tool_use, user};

fn prompt(uuid: &str, parent: Option<&str>) -> Line {
    user(uuid).link(uuid, parent)
}

fn reply(uuid: &str, parent: &str) -> Line {
    assistant(uuid).link(uuid, Some(parent)).message("id", format!("m-{uuid}"))
}

/// The turns of a conversation: their numbers and prompts.
fn prompts(turns: &Turns<'_>) -> Vec<String> {
    let text =
        |turn: &conversation::Turn<'_>| format!("{} {}", turn.number, turn.prompt().unwrap_or("-"));
    turns.turns.iter().map(text).collect()
}

/// Two generations, the second of which begins with preserved messages; a branch in
/// each; an orphaned segment.
fn session() -> Vec<u8> {
    let preserved = json!({"trigger": "auto", "preservedSegment":
        {"headUuid": "c", "anchorUuid": "s", "tailUuid": "d"}});
    let lines = [
        prompt("lost", Some("gone")).at("2026-01-01T00:00:00Z"),
        prompt("a", None),
        reply("b", "a"),
        prompt("x1", Some("b")),
        reply("x2", "x1"),
        prompt("x3", Some("x2")),
        prompt("c", Some("b")),
        reply("d", "c"),
        system("compact_boundary")
            .link("z", None)
            .with("logicalParentUuid", "d")
            .with("compactMetadata", preserved),
        prompt("s", Some("z")).with("isCompactSummary", true),
        prompt("e", Some("d")),
        reply("f", "e"),
        prompt("y", Some("f")),
        prompt("g", Some("f")),
    ];
    file(&lines)
}

#[test]
fn turns_are_counted_over_all_generations() {
    let bytes = session();
    let conversation = Conversation::read(&bytes, View::App);
    assert_eq!(prompts(&conversation.all_turns()), ["1 a", "2 c", "3 e", "4 g"]);
    let generation = |number| conversation.turns_of(conversation.generation(number).unwrap());
    assert_eq!(prompts(&generation(1)), ["1 a", "2 c"]);
    assert_eq!(prompts(&generation(2)), ["2 c", "3 e", "4 g"]);
    assert_eq!(prompts(&conversation.turns()), ["2 c", "3 e", "4 g"]);
}

#[test]
fn turns_of_branches_and_orphaned_segments_have_their_own_numbers() {
    let bytes = session();
    let conversation = Conversation::read(&bytes, View::App);
    let branch = |number: usize| {
        prompts(
            &conversation.turns_of(&conversation.chain_of_branch(&conversation.branches[number])),
        )
    };
    assert_eq!(branch(0), ["1 a", "b1.1 x1", "b1.2 x3"]);
    assert_eq!(branch(1).last().unwrap(), "b2.1 y");
    let segment = &conversation.orphaned_segments[0];
    assert_eq!(prompts(&conversation.turns_of(&segment.messages)), ["o1.1 lost"]);
}

#[test]
fn line_between_messages_belongs_to_the_turn_before_it() {
    let bytes = session();
    let conversation = Conversation::read(&bytes, View::App);
    let table = [("z", "2"), ("s", "2"), ("d", "2"), ("f", "3"), ("x2", "b1.1"), ("lost", "o1.1")];
    for (uuid, turn) in table {
        assert_eq!(
            conversation.turn_of_uuid(uuid).map(|turn| turn.to_string()).as_deref(),
            Some(turn)
        );
    }
    assert_eq!(conversation.turn_of_uuid("gone"), None);
    let at_line = [(1, "o1.1"), (2, "1"), (9, "2"), (14, "4"), (99, "4")];
    for (line, turn) in at_line {
        assert_eq!(conversation.turn_at_line(line).unwrap().to_string(), turn, "line {line}");
    }
}

#[test]
fn queued_prompt_that_the_model_received_is_a_turn() {
    let queued = |uuid: &str, parent: &str| {
        attachment(&json!({"type": "queued_command", "prompt": uuid, "commandMode": "prompt"}))
            .link(uuid, Some(parent))
    };
    let lines = [
        prompt("a", None),
        tool_use("t", "Bash", &json!({})).link("b", Some("a")).message("id", "m1"),
        tool_result("t", "done").link("c", Some("b")),
        queued("q", "c"),
        reply("d", "q"),
        prompt("e", Some("d")),
    ];
    let bytes = file(&lines);
    let conversation = Conversation::read(&bytes, View::App);
    assert_eq!(prompts(&conversation.turns()), ["1 a", "2 q", "3 e"]);
}

#[test]
fn agent_in_the_main_transcript_has_its_own_numbers() {
    let aside = |line: Line| line.with("isSidechain", true);
    let lines = [
        prompt("a", None),
        reply("b", "a"),
        prompt("c", Some("b")),
        aside(prompt("s1", None)),
        aside(reply("s2", "s1")),
        reply("d", "c"),
    ];
    let bytes = file(&lines);
    let conversation = Conversation::read(&bytes, View::App);
    let (_, lines) = &conversation.inline_agents()[0];
    assert_eq!(prompts(&conversation.inline_turns(lines)), ["1 s1"]);
    assert_eq!(conversation.turn_of_uuid("s1"), None);
    assert_eq!(conversation.turn_of_uuid("d"), Some(TurnNumber::Main(2)));
}

/// A line of a kind, with the number of its uuid and of its parent's.
fn generated_line(
    position: usize,
    kind: u8,
    own: usize,
    after: Option<usize>,
    other: usize,
) -> Line {
    let (uuid, parent) = (format!("u{own}"), after.map(|after| format!("u{after}")));
    let line = match kind {
        0..=3 => user(&format!("prompt {position}")),
        4..=6 => assistant(&format!("answer {position}")).message("id", format!("m{own}")),
        7 => tool_use(&format!("t{position}"), "Bash", &json!({})).message("id", format!("m{own}")),
        8 => tool_result(&format!("t{}", position.saturating_sub(1)), "done"),
        9 => attachment(&json!({"type": "queued_command", "prompt": format!("queued {position}")})),
        10 => user(&format!("aside {position}")).with("isSidechain", true),
        11 => user(&format!("summary {position}")).with("isCompactSummary", true),
        12 => user(&format!("note {position}")).with("isMeta", true),
        13 => {
            let line = metadata("last-prompt", &[]).with("leafUuid", parent);
            return line.with("explicit", other.is_multiple_of(2));
        }
        _ => {
            let line = system("compact_boundary").link(&uuid, None);
            let kept = json!({"headUuid": format!("u{other}"), "anchorUuid": uuid,
                "tailUuid": format!("u{other}")});
            let line = match other % 2 {
                0 => line.with("compactMetadata", json!({"trigger": "auto"})),
                _ => line.with("compactMetadata", json!({"preservedSegment": kept})),
            };
            return match parent {
                Some(parent) => line.with("logicalParentUuid", parent),
                None => line,
            };
        }
    };
    line.link(&uuid, parent.as_deref())
}

/// Checks that the prompts of these turns have the numbers of their lines.
fn check(conversation: &Conversation<'_>, turns: &Turns<'_>) -> Result<(), TestCaseError> {
    for turn in &turns.turns {
        for step in &turn.steps {
            // Whether the model received a queued prompt depends on the chain.
            if matches!(step.kind, StepKind::Prompt { is_queued: false, .. }) {
                prop_assert_eq!(Some(turn.number), conversation.turn_of(step.node));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_line_has_one_number_in_every_part_and_view(
        lines in prop::collection::vec((0_u8..16, 0_u8..8, 0_usize..16), 1..24),
        is_agent in any::<bool>(),
    ) {
        let mut last = None;
        let mut generated = Vec::new();
        for (position, (kind, odd, other)) in lines.into_iter().enumerate() {
            // A few have any earlier parent, or a missing one.
            let after = match odd {
                0 => Some(other.checked_rem(position).unwrap_or(99)),
                1 => Some(99),
                _ => last,
            };
            generated.push(generated_line(position, kind, position, after, other));
            if !matches!(kind, 10 | 13) {
                last = Some(position);
            }
        }
        let bytes = file(&generated);
        let read = if is_agent { Conversation::read_agent } else { Conversation::read };
        let conversation = read(&bytes, View::App);
        // Turns of the session are in order, and only these are counted.
        let whole = conversation.all_turns();
        check(&conversation, &whole)?;
        let numbers: Vec<TurnNumber> = whole.turns.iter().map(|turn| turn.number).collect();
        prop_assert!(numbers.is_sorted_by(|one, two| one < two), "{:?}", numbers);
        prop_assert!(numbers.iter().all(|number| matches!(number, TurnNumber::Main(_))));
        check(&conversation, &conversation.turns())?;
        for chain in conversation.generations() {
            check(&conversation, &conversation.turns_of(chain))?;
        }
        for (number, branch) in (1..).zip(&conversation.branches) {
            check(&conversation, &conversation.turns_of(&conversation.chain_of_branch(branch)))?;
            let is_own = |id: &NodeId| {
                let turn = conversation.turn_of(*id);
                matches!(turn, Some(TurnNumber::Branch { branch, .. }) if branch == number)
            };
            prop_assert!(branch.messages.iter().all(is_own));
        }
        for segment in &conversation.orphaned_segments {
            check(&conversation, &conversation.turns_of(&segment.messages))?;
        }
        // Every message of the session has a number.
        for id in conversation.graph.ids().filter(|id| conversation.state(*id).is_some()) {
            prop_assert!(conversation.turn_of(id).is_some(), "{}", conversation.graph.node(id).uuid);
        }
        let mut sdk = read(&bytes, View::Sdk);
        sdk.number_as(&conversation);
        for id in sdk.graph.ids() {
            let known = conversation.graph.find(&sdk.graph.node(id).uuid);
            if let Some(turn) = known.and_then(|id| conversation.turn_of(id)) {
                prop_assert_eq!(sdk.turn_of(id), Some(turn));
            }
        }
    }
}
