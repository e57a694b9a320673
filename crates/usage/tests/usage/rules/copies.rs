//! Calls that are in several files (forks, replays, copies, progress), and the file
//! that each belongs to.

use super::fixture::{at, calls, summaries};
use testkit::{Line, call};
use usage::{Calls, Duplicates};

const ORIGINAL: &str = "00000001-0000-4000-8000-000000000001";
const OTHER: &str = "00000002-0000-4000-8000-000000000002";

/// The file of the only call, and the session it is attributed to.
fn owner(calls: &Calls) -> (u32, &str) {
    assert_eq!(calls.calls.len(), 1);
    let call = &calls.calls[0];
    (call.file, calls.names.get(call.attribution.session).unwrap())
}

/// Checks both orders of the paths.
fn both_ways(one: &[Line], two: &[Line], check: impl Fn(&Calls, u32)) {
    check(&calls(&[one, two]), 0);
    check(&calls(&[two, one]), 1);
}

// Rules 1 and 2: `/branch` keeps uuids and ids and sets forkedFrom. The call is
// counted once, and belongs to the file whose lines lack forkedFrom, even if the
// line of the fork is earlier or has higher counts.
#[test]
fn a_forked_call_belongs_to_the_original() {
    let line = call("m", [1000, 100, 0, 0]).at(&at("03:00:00"));
    let forked = line.clone().forked_into(OTHER).at(&at("02:00:00")).usage("output_tokens", 200);
    both_ways(std::slice::from_ref(&line), std::slice::from_ref(&forked), |calls, original| {
        assert_eq!(owner(calls), (original, ORIGINAL));
        assert_eq!(calls.duplicates, Duplicates { fork: 1, ..Duplicates::default() });
        assert_eq!(calls.calls[0].counters.output, 200, "the line that says most speaks");
        assert_eq!(calls.calls[0].time.unwrap().to_string(), "2026-01-02T02:00:00Z");
    });
    let alone = calls(&[&[forked]]);
    assert_eq!(owner(&alone), (0, OTHER), "a fork whose original is gone is the call");
    assert_eq!(alone.duplicates, Duplicates::default());
}

// The same for lines replayed by a background session.
#[test]
fn a_call_replayed_in_the_background_belongs_to_the_original() {
    let line = call("m", [1000, 100, 0, 0]).at(&at("03:00:00"));
    let replayed = line.clone().replayed_in(OTHER).at(&at("02:00:00"));
    both_ways(std::slice::from_ref(&line), std::slice::from_ref(&replayed), |calls, original| {
        assert_eq!(owner(calls), (original, ORIGINAL));
        assert_eq!(calls.duplicates, Duplicates { replay: 1, ..Duplicates::default() });
    });
    let daemon = line.clone().with("sessionKind", "daemon").session(OTHER).at(&at("02:00:00"));
    both_ways(&[daemon], &[line], |calls, daemon| assert_eq!(owner(calls), (daemon, OTHER)));
}

#[test]
fn a_fork_is_recognized_by_any_mark() {
    let line = call("m", [1, 1, 0, 0]).at(&at("03:00:00"));
    let early = line.clone().session(OTHER).at(&at("02:00:00"));
    for (from, is_fork) in [
        (serde_json::json!({"sessionId": ORIGINAL}), true),
        (serde_json::json!(ORIGINAL), true),
        (serde_json::json!({}), true),
        (serde_json::Value::Null, false),
    ] {
        let copy = early.clone().with("forkedFrom", from.clone());
        let found = calls(&[&[copy], std::slice::from_ref(&line)]);
        assert_eq!(owner(&found).1, if is_fork { ORIGINAL } else { OTHER }, "{from}");
    }
}

// Rule 2. … then the earliest timestamp in the group, then the smallest path.
#[test]
fn a_copied_call_belongs_to_the_earliest_then_to_the_smallest_path() {
    let line = call("m", [1000, 100, 0, 0]).at(&at("03:00:00"));
    let resumed = line.clone().session(OTHER);
    let later = resumed.clone().at(&at("03:00:01"));
    let timeless = resumed.clone().without("timestamp");
    both_ways(std::slice::from_ref(&line), &[later], |calls, original| {
        assert_eq!(owner(calls), (original, ORIGINAL));
        assert_eq!(calls.duplicates, Duplicates { resume_copy: 1, ..Duplicates::default() });
    });
    both_ways(std::slice::from_ref(&line), &[timeless], |calls, original| {
        assert_eq!(owner(calls), (original, ORIGINAL));
    });
    assert_eq!(
        owner(&calls(&[std::slice::from_ref(&line), std::slice::from_ref(&resumed)])),
        (0, ORIGINAL)
    );
    assert_eq!(owner(&calls(&[&[resumed], &[line]])), (0, OTHER));
}

#[test]
fn the_attribution_of_a_call_comes_from_one_line() {
    let line = call("m", [1, 1, 0, 0])
        .at(&at("03:00:00"))
        .with("gitBranch", "tides")
        .with("attributionAgent", "Explore")
        .without("version");
    let forked = line.clone().forked_into(OTHER).with("gitBranch", "fork").with("version", "9.9");
    let found = calls(&[&[forked], &[line]]);
    let attribution = found.calls[0].attribution;
    let name = |name| found.names.get(name);
    assert_eq!(
        (name(attribution.branch), name(attribution.agent), name(attribution.version)),
        (Some("tides"), Some("Explore"), None)
    );
}

// Rule 3. The same message.id with a different requestId, one of them
// isSidechain: a replay; the non-sidechain copy is the call.
#[test]
fn a_sidechain_under_another_request_is_a_replay() {
    let line = call("m", [1000, 100, 0, 0]);
    let replayed = call("m", [9000, 900, 0, 0]).of_agent("a1").with("requestId", "other");
    both_ways(std::slice::from_ref(&line), &[replayed.clone(), replayed.clone()], |calls, own| {
        assert_eq!((calls.calls.len(), calls.calls[0].file), (1, own));
        assert_eq!(calls.calls[0].counters.output, 100, "the call's, whatever the replay says");
        assert_eq!(calls.duplicates, Duplicates { replay: 2, ..Duplicates::default() });
    });
    assert_eq!(
        summaries(&[std::slice::from_ref(&line), std::slice::from_ref(&replayed)]),
        ["m sonnet-5: 1000 in, 100 out = 0.003"]
    );
    // With two sidechains, neither is known to be the replay.
    let agent = line.of_agent("a2");
    assert_eq!(calls(&[&[agent], &[replayed]]).calls.len(), 2);
}

// Rule 4. progress lines with data.message.message.usage repeat a sub-agent's
// call: same key, so counted once. The call is the agent's, in its own file.
#[test]
fn progress_repeats_an_agents_call() {
    let line = call("m", [1000, 100, 0, 0]).of_agent("a1").at(&at("03:00:01"));
    let progress = line.clone().as_progress().at(&at("03:00:00"));
    let expected = ["m sonnet-5: 1000 in, 100 out = 0.003"];
    both_ways(std::slice::from_ref(&line), &[progress.clone(), progress.clone()], |calls, own| {
        assert_eq!((calls.calls.len(), calls.calls[0].file), (1, own));
        assert!(calls.calls[0].is_sidechain);
        assert_eq!(calls.duplicates, Duplicates { progress: 2, ..Duplicates::default() });
    });
    assert_eq!(summaries(&[&[line], std::slice::from_ref(&progress)]), expected);
    let alone = calls(&[&[progress.clone(), progress.clone()]]);
    assert_eq!(
        summaries(&[&[progress.clone(), progress]]),
        expected,
        "the agent's own file is gone"
    );
    assert_eq!(alone.duplicates, Duplicates { progress: 1, ..Duplicates::default() });
    assert!(alone.calls[0].is_sidechain, "it is still the agent's");
}

#[test]
fn progress_has_the_ids_of_the_line_it_repeats() {
    let line = call("m", [1000, 100, 0, 0]).of_agent("a1");
    let nameless = line.clone().message("id", serde_json::Value::Null).without("requestId");
    for line in
        [line.clone().without("requestId"), line.message("id", serde_json::Value::Null), nameless]
    {
        let progress = line.clone().as_progress();
        assert_eq!(calls(&[std::slice::from_ref(&line), &[progress]]).calls.len(), 1, "{line}");
    }
}

#[test]
fn only_progress_lines_repeat_the_message_in_data() {
    let inner = call("n", [5, 5, 0, 0]);
    let data =
        serde_json::json!({"message": {"message": {"id": "x", "usage": {"output_tokens": 9}}}});
    let line = call("m", [1000, 100, 0, 0]).with("data", data);
    assert_eq!(summaries(&[&[line]]), ["m sonnet-5: 1000 in, 100 out = 0.003"]);
    assert_eq!(summaries(&[&[inner.clone().as_progress().with("type", "system")]]), [""; 0]);
    let user = inner.as_progress().with("data", serde_json::json!({"message": {"type": "user",
        "message": {"role": "user", "content": "usage"}, "toolUseResult": {"usage": {"output_tokens": 7}}}}));
    assert_eq!(summaries(&[&[user]]), [""; 0]);
}

// All together, as in a store: one call, counted once, every line accounted for.
#[test]
fn a_call_repeated_in_every_way_counts_once() {
    let line = call("m", [1000, 100, 0, 0]).at(&at("03:00:00"));
    let found = calls(&[
        &[line.clone(), line.clone().usage("output_tokens", 50)],
        &[line.clone().forked_into(OTHER), line.clone().forked_into(OTHER)],
        &[line.clone().replayed_in(OTHER)],
        &[line.clone().session(OTHER)],
        &[line.clone().of_agent("a1").with("requestId", "z")],
        &[line.as_progress()],
    ]);
    let expected = Duplicates { streaming: 1, fork: 2, resume_copy: 1, replay: 2, progress: 1 };
    assert_eq!((found.calls.len(), found.duplicates), (1, expected));
    assert_eq!((found.tally.lines, found.tally.naive.output), (8, 750));
    assert_eq!(found.calls[0].lines, 7, "a replayed line does not count");
}
