//! Forks, resumed threads and turns that were undone.

use super::*;

#[test]
fn a_legacy_fork_repeats_its_parent_until_its_own_turn() {
    let lines = [
        meta(THREAD, &format!(r#","forked_from_id":"{PARENT}""#)),
        meta(PARENT, ""),
        turn(OLD_TURN),
        event("user_message", r#""message":"Of the parent""#),
        turn(TURN),
        event("user_message", r#""message":"Of the fork""#),
    ];
    let session = read(&lines);
    let repeated = session.entries.iter().map(|entry| entry.state == EntryState::Replayed);
    assert_eq!(repeated.collect::<Vec<_>>(), [false, true, true, true, false, false]);
    assert_eq!(session.header.id, THREAD);
    assert_eq!(session.header.first_prompt.as_deref(), Some("Of the parent"));
    assert_eq!(session.prompts().collect::<Vec<_>>(), ["Of the fork"]);
}

#[test]
fn an_agents_first_prompt_is_its_own() {
    let lines = [
        meta(THREAD, &format!(r#","forked_from_id":"{PARENT}","parent_thread_id":"{PARENT}""#)),
        turn(OLD_TURN),
        event("user_message", r#""message":"Of the parent""#),
        turn(TURN),
        event("user_message", r#""message":"For the agent""#),
    ];
    assert_eq!(read(&lines).header.first_prompt.as_deref(), Some("For the agent"));
}

#[test]
fn a_migrated_fork_is_recognised_by_its_turns() {
    let lines = [
        meta(THREAD, &format!(r#","forked_from_id":"{PARENT}","history_mode":"paginated""#)),
        turn(OLD_TURN),
        message("assistant", "Of the parent"),
        turn(TURN),
        message("assistant", "Of the fork"),
    ];
    let live: Vec<_> = read(&lines).live().map(|entry| entry.kind.clone()).collect();
    assert!(live.contains(&text("Of the fork")));
    assert!(!live.contains(&text("Of the parent")));
}

#[test]
fn without_ids_of_turns_a_pause_ends_the_repetition() {
    let at =
        |second: u32, line: &str| line.replace("12:00:00.000Z", &format!("12:00:{second:02}.000Z"));
    let lines = [
        meta(THREAD, &format!(r#","forked_from_id":"{PARENT}""#)),
        meta(PARENT, ""),
        event("user_message", r#""message":"Of the parent""#),
        at(5, &event("user_message", r#""message":"Of the fork""#)),
    ];
    assert_eq!(read(&lines).prompts().collect::<Vec<_>>(), ["Of the fork"]);
}

#[test]
fn a_migrated_fork_without_ids_of_turns_repeats_until_a_pause() {
    let later = |line: String| line.replace("12:00:00.000Z", "12:00:05.000Z");
    let lines = [
        meta(THREAD, &format!(r#","forked_from_id":"{PARENT}","history_mode":"paginated""#)),
        message("user", "Of the parent"),
        turn("rollout-1"),
        completed("UserMessage", r#""content":[{"type":"text","text":"Of the parent"}]"#),
        later(message("user", "Of the fork")),
        later(turn("rollout-9")),
    ];
    let session = read(&lines);
    assert_eq!(session.prompts().collect::<Vec<_>>(), ["Of the fork"]);
    assert_eq!(session.entries[0].state, EntryState::Live);
}

#[test]
fn a_resumed_thread_repeats_nothing() {
    let lines = [
        meta(THREAD, ""),
        event("user_message", r#""message":"One""#),
        meta(THREAD, ""),
        event("user_message", r#""message":"Two""#),
    ];
    assert_eq!(read(&lines).prompts().collect::<Vec<_>>(), ["One", "Two"]);
}

#[test]
fn rolled_back_turns_are_undone() {
    let ask = |text: &str| event("user_message", &format!(r#""message":"{text}""#));
    let lines = [
        turn(OLD_TURN),
        ask("One"),
        turn(TURN),
        ask("Two"),
        turn(NEXT_TURN),
        ask("Three"),
        event("thread_rolled_back", r#""num_turns":2"#),
        ask("Four"),
    ];
    assert_eq!(read(&lines).prompts().collect::<Vec<_>>(), ["One", "Four"]);
    // Older versions do not say where turns begin.
    let lines = [ask("One"), ask("Two"), event("thread_rolled_back", r#""num_turns":1"#)];
    assert_eq!(read(&lines).prompts().collect::<Vec<_>>(), ["One"]);
    let lines = [ask("One"), event("thread_rolled_back", r#""num_turns":9"#)];
    assert_eq!(read(&lines).prompts().count(), 0);
}
