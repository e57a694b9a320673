//! How large answers are, on a store with long sessions and many of them.

use super::*;
use crate::routes::{ROUTES, Run};
use serde_json::json;
use testkit::tool_use;

/// The most bytes of a list or aggregate, and of a fragment or the page of a session.
const DOCUMENT: usize = 100_000;
const FRAGMENT: usize = 150_000;

/// The turns of the long session, the calls of the long turn, and the other sessions.
const TURNS: u32 = 900;
const CALLS: u32 = 3_000;
const OTHERS: u32 = 400;

const CWD: &str = "/home/ada/tidepool";

/// A session of many turns, one with a turn of many calls, and many small ones.
fn large() -> Sandbox {
    let sandbox = Sandbox::new();
    let time = |second: u32| {
        let start: Timestamp = "2026-11-01T00:00:00Z".parse().unwrap();
        (start + Duration::from_secs(u64::from(second) * 60)).to_string()
    };
    let mut turns = Vec::new();
    for turn in 0..TURNS {
        let id = format!("toolu_{turn}");
        let path = format!("/home/ada/tidepool/a/rather/long/folder/file_{turn}.rs");
        let input = json!({"file_path": path, "old_string": "ebb", "new_string": "flood"});
        turns.push(user(&format!("Prompt {turn}: {}", "measure the sea ".repeat(12))));
        turns.push(tool_use(&id, "Edit", &input));
        turns.push(testkit::tool_result(&id, "done"));
        let used = json!({"input_tokens": 10, "output_tokens": 20});
        let answer = assistant("The sea is deep.").message("usage", used);
        turns.push(
            answer.message("id", format!("msg_{turn}")).with("requestId", format!("r{turn}")),
        );
    }
    let turns = turns.into_iter().enumerate();
    let turns = turns.map(|(at, line)| line.at(&time(u32::try_from(at).unwrap())));
    sandbox.session(CWD, &id(), lines(1, CWD, turns.collect()));
    let mut calls = vec![user("Read everything about the sea")];
    for call in 0..CALLS {
        let id = format!("toolu_{call}");
        calls.push(tool_use(&id, "Read", &json!({"file_path": format!("/home/ada/{call}.rs")})));
        calls.push(testkit::tool_result(&id, &format!("line of file {call}\n").repeat(20)));
    }
    calls.push(assistant("Read."));
    sandbox.session(CWD, &session_id(2), lines(2, CWD, calls));
    for number in 0..OTHERS {
        let (cwd, own) = (format!("/home/ada/gulls_{}", number % 40), 3 + number);
        let pair = vec![
            user(&format!("Count the gulls at the sea {}", "again and again ".repeat(8))),
            assistant("Seven.")
                .message("usage", json!({"input_tokens": 10, "output_tokens": 20}))
                .message("id", format!("msg_g{number}"))
                .at(&time(number * 40)),
        ];
        sandbox.session(&cwd, &session_id(own), lines(own, &cwd, pair));
    }
    sandbox
}

/// A document put together from its pieces, and how many there were.
fn whole(server: &TestServer, call: &str) -> (Value, usize) {
    let mut response = server.get(call);
    let (mut whole, mut pieces) = (response.json(), 1);
    while let Some(next) = response.headers.get("x-next-piece").cloned() {
        let separator = if call.contains('?') { '&' } else { '?' };
        response = server.get(&format!("{call}{separator}piece={next}"));
        assert_eq!(response.status, 200, "{call}: {response:?}");
        assert!(response.body.len() <= DOCUMENT, "{call}: {} bytes", response.body.len());
        for (name, value) in response.json().as_object().unwrap() {
            if let (Some(all), Some(more)) = (whole[name].as_array_mut(), value.as_array()) {
                all.extend(more.iter().cloned());
            }
        }
        pieces += 1;
    }
    (whole, pieces)
}

#[test]
fn no_list_and_no_aggregate_is_larger_than_100_kb() {
    let sandbox = large();
    let server = TestServer::ordinary(&sandbox);
    let id = id();
    let mut calls: Vec<String> = Vec::new();
    for route in ROUTES {
        // Raw records are as large as they are, and these two are for large results.
        let is_exempt = ["doctor", "sql"].iter().any(|name| route.path.contains(name));
        if matches!(route.run, Run::Read(..)) && route.path.starts_with("api/") && !is_exempt {
            let call = server.call(route.call);
            let separator = if call.contains('?') { '&' } else { '?' };
            if route.takes("limit") {
                calls.push(format!("{call}{separator}limit=1000"));
            }
            calls.push(call);
        }
    }
    let groupings = ["session", "day,model", "day,project", "block", "session,turn", "project,day"];
    calls.extend(groupings.map(|by| format!("api/1/usage?by={by}&models=1")));
    calls.push(format!("api/1/sessions/{id}/lanes?width=8000"));
    calls.push(format!("api/1/sessions/{id}/context?points=10000"));
    calls.push(format!("api/1/sessions/{}/lanes", session_id(2)));
    calls.push(format!("api/1/sessions/{}/tools?limit=1000", session_id(2)));
    for call in calls {
        let response = server.get(&call);
        assert!(response.body.len() <= DOCUMENT, "{call}: {} bytes", response.body.len());
    }
}

#[test]
fn the_pieces_of_an_outline_are_all_of_it_and_do_not_mix_states() {
    let sandbox = large();
    let server = TestServer::ordinary(&sandbox);
    let call = format!("api/1/sessions/{}/outline", id());
    let (outline, pieces) = whole(&server, &call);
    assert!(pieces > 2, "{pieces}");
    let turns = outline["turns"].as_array().unwrap();
    let numbers: Vec<String> =
        turns.iter().map(|turn| turn["turn"].as_str().unwrap().to_owned()).collect();
    let expected: Vec<String> = (1..=TURNS).map(|turn| turn.to_string()).collect();
    assert_eq!(numbers, expected);
    assert_eq!(outline["totals"]["turns"], TURNS);
    let first = server.get(&call);
    let (tag, next) = (&first.headers["etag"], &first.headers["x-next-piece"]);
    let bearer = format!("Bearer {}", server.bearer.expose());
    let known = [("Authorization", bearer.as_str()), ("If-None-Match", tag)];
    let path = format!("{}{call}", server.base);
    assert_eq!(server.request("GET", &path, &known, "").status, 304, "the tag is of the whole");
    // The end of the document changes, which is in the last piece.
    let transcript = sandbox.projects().join(format!("-home-ada-tidepool/{}.jsonl", id()));
    let line = user("One more").cwd(CWD).with("sessionId", id()).link("last", None);
    sandbox.append(&transcript, format!("{line}\n"));
    let changed = server.request("GET", &path, &known, "");
    assert_eq!(changed.status, 200);
    assert_ne!(changed.headers["etag"], *tag);
    assert_ne!(changed.headers.get("x-next-piece"), Some(next));
    let stale = next.replace(next.split('.').next().unwrap(), "00112233445566778899aabb");
    assert_eq!(server.get(&format!("{call}?piece={stale}")).status, 409);
    for invalid in ["7", "x.7", "%00", "00.99999999999999999999999"] {
        assert_eq!(server.get(&format!("{call}?piece={invalid}")).status, 400, "{invalid}");
    }
    let beyond = format!("{}.999999", next.split('.').next().unwrap());
    assert!([404, 409].contains(&server.get(&format!("{call}?piece={beyond}")).status));
}

#[test]
fn csv_has_all_rows_at_once() {
    let sandbox = large();
    let server = TestServer::ordinary(&sandbox);
    let csv = server.get("api/1/sessions?limit=1000&format=csv");
    let rows = usize::try_from(OTHERS).unwrap() + 2;
    assert_eq!(csv.text().lines().count(), rows + 1, "a heading and the rows");
    let (json, pieces) = whole(&server, "api/1/sessions?limit=1000");
    assert_eq!(json["sessions"].as_array().map(Vec::len), Some(rows));
    assert!(pieces > 1);
}

#[test]
fn no_fragment_and_no_page_of_a_session_is_larger_than_150_kb() {
    let sandbox = large();
    let server = TestServer::ordinary(&sandbox);
    for session in [id(), session_id(2)] {
        let page = server.get(&format!("s/{session}"));
        assert!(page.body.len() <= FRAGMENT, "the page: {} bytes", page.body.len());
        for detail in ["tools=brief&agents=fold&thinking=1", "tools=full&agents=inline&thinking=1"]
        {
            let (mut place, mut fragments) = ("from=1".to_owned(), 0);
            loop {
                let call = format!("fragment/sessions/{session}/turns?{place}&{detail}");
                let fragment = server.get(&call);
                assert_eq!(fragment.status, 200, "{call}");
                assert!(fragment.body.len() <= FRAGMENT, "{call}: {}", fragment.body.len());
                fragments += 1;
                let Some(turn) = fragment.headers.get("x-next-turn") else { break };
                let step = fragment.headers.get("x-next-step").map_or("0", String::as_str);
                let next = format!("from={turn}&step={step}");
                assert_ne!(next, place, "it goes on");
                place = next;
            }
            assert!(fragments > 2, "{fragments}");
        }
    }
}
