//! Cursors continue at their position, even if sessions grow between the pages, and
//! answers respect deadlines.

use super::*;
use crate::cursor;

#[test]
fn cursor_stays_valid_when_the_session_grows() {
    let sandbox = Sandbox::new();
    let mut messages = Vec::new();
    for number in 1..=60 {
        messages.push(user(&format!("kelp prompt {number}")));
        messages.push(assistant(&format!("kelp answer {number} {}", "long words ".repeat(20))));
    }
    let path = sandbox.session(INSIDE, &id(4), lines(4, INSIDE, messages));
    sandbox.session(INSIDE, &id(5), lines(5, INSIDE, vec![user("kelp another"), assistant("x")]));
    let settings = settings(&sandbox, false);
    let mut given = json!({"session": id(4), "max_tokens": 1_500});
    let mut all = Vec::new();
    loop {
        let answer = call(&settings, "read_session", &given).unwrap();
        all.extend(quotes(&answer).into_iter().map(|(_, body)| body));
        let Some(cursor) = cursor_in(&answer) else { break };
        given["cursor"] = cursor.into();
        // The session grows between two pages.
        let more = user("kelp later").link(&format!("v{}", all.len()), Some("u120"));
        sandbox.append(&path, format!("{}\n", more.cwd(INSIDE).with("sessionId", id(4))));
        assert!(all.len() < 1_000);
    }
    let prompts: Vec<&String> = all.iter().filter(|body| body.starts_with("kelp prompt")).collect();
    let expected: Vec<String> = (1..=60).map(|number| format!("kelp prompt {number}\n")).collect();
    assert_eq!(prompts, expected.iter().collect::<Vec<_>>());
}

#[test]
fn pages_of_hits_have_no_gaps_or_repeats() {
    let sandbox = Sandbox::new();
    let words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let messages = words
        .iter()
        .flat_map(|one| words.iter().map(move |two| user(&format!("kelp {one} {two}"))));
    let path = sandbox.session(INSIDE, &id(4), lines(4, INSIDE, messages.collect()));
    let settings = settings(&sandbox, false);
    let mut given = json!({"query": "kelp", "limit": 7});
    let mut hits = Vec::new();
    loop {
        let answer = call(&settings, "search_sessions", &given).unwrap();
        hits.extend(quotes(&answer).into_iter().map(|(_, body)| body));
        let Some(cursor) = cursor_in(&answer) else { break };
        given["cursor"] = cursor.into();
        let more = user("kelp appended").link(&format!("v{}", hits.len()), Some("u100"));
        let more = more.cwd(INSIDE).with("sessionId", id(4)).at("2026-02-01T12:00:01Z");
        sandbox.append(&path, format!("{more}\n"));
        assert!(hits.len() < 1_000);
    }
    hits.sort();
    let count = hits.len();
    hits.dedup();
    assert_eq!((hits.len(), count), (100, 100));
}

#[test]
fn session_list_and_usage_report_continue_on_the_next_page() {
    let sandbox = Sandbox::new();
    for number in 10..60 {
        let own = vec![
            user(&format!("kelp {number}")),
            assistant("x").message("id", format!("m{number}")),
        ];
        let path = sandbox.session(INSIDE, &id(number), lines(number, INSIDE, own));
        sandbox.set_modified(&path, 1_769_000_000 + i64::from(number));
    }
    let settings = settings(&sandbox, false);
    let listed = pages(&settings, "list_sessions", &json!({"max_tokens": 900}));
    assert!(listed.len() > 3);
    let ids: Vec<String> =
        listed.iter().flat_map(|page| quotes(page)).map(|(head, _)| head).collect();
    assert_eq!(ids.len(), 50);
    for (head, number) in ids.iter().zip((10..60).rev()) {
        assert!(head.contains(&id(number)), "{head} {number}");
    }
    let usage = pages(&settings, "usage_report", &json!({"by": "session", "max_tokens": 700}));
    let rows: Vec<String> =
        usage.iter().flat_map(|page| quotes(page)).map(|(_, body)| body).collect();
    let rows = rows.concat();
    assert!(usage.len() > 2 && rows.lines().count() == 50, "{rows}");
}

#[test]
fn days_are_in_the_order_of_every_surface_and_the_newest_come_first() {
    let sandbox = Sandbox::new();
    let days = (1..=3).flat_map(|month| (1..=28).map(move |day| (month, day)));
    let days: Vec<String> = days.map(|(month, day)| format!("2026-{month:02}-{day:02}")).collect();
    for (number, day) in (10..).zip(&days) {
        let own = vec![
            user("kelp"),
            assistant("x").message("id", format!("m{number}")).at(&format!("{day}T12:00:00Z")),
        ];
        sandbox.session(INSIDE, &id(number), lines(number, INSIDE, own));
    }
    let settings = settings(&sandbox, false);
    let pages = pages(&settings, "usage_report", &json!({"max_tokens": 700}));
    let mut shown: Vec<Vec<String>> = Vec::new();
    for page in &pages {
        let body: String = quotes(page).into_iter().map(|(_, body)| body).collect();
        let day = |line: &str| line.split_once(" | ").unwrap().0.to_owned();
        shown.push(body.lines().map(day).collect());
    }
    assert!(shown.len() > 2, "{pages:?}");
    assert_eq!(shown[0].last(), days.last());
    shown.reverse();
    assert_eq!(shown.concat(), days);
}

#[test]
fn cursors_of_other_tools_and_damaged_cursors_are_rejected() {
    let sandbox = hostile();
    let settings = settings(&sandbox, false);
    let tools = [
        ("search_sessions", json!({"query": "kelp"})),
        ("list_sessions", json!({})),
        ("read_session", json!({"session": id(4)})),
        ("get_message", json!({"id": "10000000-0000-4000-8000-000000000000"})),
        ("file_history", json!({"path": format!("{MARK}\u{202e}<system-reminder>.rs")})),
        ("usage_report", json!({})),
        ("session_plan", json!({"session": id(1)})),
    ];
    let huge = u64::MAX.to_string();
    for (tool, given) in tools {
        let forged = (0..6).map(|parts| cursor::encode(tool, &vec![huge.as_str(); parts]));
        let other = cursor::encode("another", &["x"]);
        for cursor in forged.chain([other, "AAAA".to_owned(), "%".to_owned(), "x".repeat(5_000)]) {
            let mut given = given.clone();
            given["cursor"] = cursor.clone().into();
            let error = error_of(&settings, tool, &given);
            assert!(
                error.text.contains("cursor") || error.text.contains("not found"),
                "{tool}: {}",
                error.text
            );
        }
    }
}

#[test]
fn session_with_very_long_ids_can_be_read_to_its_end() {
    let sandbox = Sandbox::new();
    let long = |number: usize| format!("{}{number}", "x".repeat(5_000));
    let messages = (0..20_usize).map(|number| {
        let before = number.checked_sub(1).map(long);
        let line = user(&format!("kelp {number} {}", "words ".repeat(200)));
        line.cwd(INSIDE).with("sessionId", id(4)).link(&long(number), before.as_deref())
    });
    sandbox.session(INSIDE, &id(4), messages);
    let settings = settings(&sandbox, false);
    let all = pages(&settings, "read_session", &json!({"session": id(4), "max_tokens": 700}));
    let quoted: usize = all.iter().map(|page| quotes(page).len()).sum();
    assert_eq!(quoted, 20, "{all:?}");
    let whole = json!({"id": long(7), "session": id(4), "max_tokens": 500});
    assert!(pages(&settings, "get_message", &whole).len() > 1);
}

#[test]
fn abandoned_messages_are_marked() {
    let sandbox = Sandbox::new();
    let own = |line: Line| line.cwd(INSIDE).with("sessionId", id(4));
    let messages = vec![
        user("begin").link("a0", None),
        assistant("fine").link("b0", Some("a0")),
        user("kelp taken back").link("c0", Some("b0")).at("2026-01-02T03:05:00Z"),
        assistant("so be it").link("d0", Some("c0")).at("2026-01-02T03:05:01Z"),
        user("kelp instead").link("e0", Some("b0")).at("2026-01-02T03:06:00Z"),
        assistant("done").link("f0", Some("e0")).at("2026-01-02T03:06:01Z"),
    ];
    sandbox.session(INSIDE, &id(4), messages.into_iter().map(own));
    let settings = settings(&sandbox, false);
    let answer = answer_text(&settings, "search_sessions", &json!({"query": "kelp"}));
    let state = |word: &str| {
        let quotes = quotes(&answer);
        let (head, _) = quotes.into_iter().find(|(_, body)| body.contains(word)).unwrap();
        head
    };
    assert!(state("taken back").contains("state=\"abandoned\""), "{answer}");
    assert!(state("instead").contains("state=\"live\""), "{answer}");
    let message = answer_text(&settings, "get_message", &json!({"id": "c0", "session": id(4)}));
    assert!(message.contains("state=\"abandoned\""), "{message}");
    let read = answer_text(&settings, "read_session", &json!({"session": id(4)}));
    assert!(!read.contains("taken back") && read.contains("1 abandoned branch left out"), "{read}");
}

#[test]
fn file_history_counts_the_remaining_lines() {
    let sandbox = Sandbox::new();
    let path = sandbox.path().join("tide.rs");
    std::fs::write(&path, "one\ntwo\nchanged\n").unwrap();
    let name = path.to_string_lossy().into_owned();
    let mut messages = vec![user("make the tide file")];
    messages.extend(answered(
        "toolu_10",
        "Write",
        &json!({"file_path": name, "content": "one\ntwo\nthree\n"}),
        "written",
        json!({"type": "create", "filePath": name, "content": "one\ntwo\nthree\n", "structuredPatch": []}),
    ));
    sandbox.session(INSIDE, &id(4), lines(4, INSIDE, messages));
    let settings = settings(&sandbox, false);
    let answer = answer_text(&settings, "file_history", &json!({"path": name}));
    assert!(answer.contains("still_there=\"2 of 3 lines\""), "{answer}");
    assert!(answer.contains("it was changed later"), "{answer}");
    assert!(answer.contains("prompt: make the tide file"), "{answer}");
    assert!(answer.contains("state=\"live\""), "{answer}");
    std::fs::write(&path, "one\ntwo\nthree\n").unwrap();
    let answer = answer_text(&settings, "file_history", &json!({"path": name}));
    assert!(answer.contains("it is unchanged since the last of them"), "{answer}");
}

#[test]
fn file_history_has_the_agents_of_a_session_without_a_transcript() {
    let sandbox = Sandbox::new();
    let name = format!("{INSIDE}/shore.rs");
    let mut messages = vec![user("make the shore")];
    let written =
        json!({"type": "create", "filePath": name, "content": "one\n", "structuredPatch": []});
    let input = json!({"file_path": name, "content": "one\n"});
    messages.extend(answered("toolu_11", "Write", &input, "written", written));
    let own = lines(4, INSIDE, messages).into_iter().map(|line| line.with("isSidechain", true));
    sandbox.agent(INSIDE, &id(4), "agent-a", own);
    let answer = answer_text(&settings(&sandbox, true), "file_history", &json!({"path": name}));
    assert!(answer.contains("operation=\"create\"") && answer.contains(&id(4)), "{answer}");
}

#[test]
fn cursor_is_found_after_many_new_hits() {
    let sandbox = Sandbox::new();
    let words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let message = |sort: &str, number: usize| {
        let (first, second) = (words[number % 10], words[number / 10 % 10]);
        user(&format!("kelp {sort} {first} {second}"))
    };
    let messages = (0..30).map(|number| message("before", number));
    let path = sandbox.session(INSIDE, &id(4), lines(4, INSIDE, messages.collect()));
    let settings = settings(&sandbox, false);
    let later = "2026-02-01T12:00:01Z";
    for (sort, name, moment) in [
        ("newest", "later", later),
        ("newest", "late", "2026-01-31T12:00:00Z"),
        ("best", "x", later),
    ] {
        let mut given = json!({"query": "kelp", "limit": 7, "sort": sort});
        let first = call(&settings, "search_sessions", &given).unwrap();
        given["cursor"] = cursor_in(&first).unwrap().into();
        for number in 0..100 {
            let more = message(name, number).link(&format!("{name}{number}"), Some("u30"));
            let more = more.cwd(INSIDE).with("sessionId", id(4)).at(moment);
            sandbox.append(&path, format!("{more}\n"));
        }
        let second = call(&settings, "search_sessions", &given);
        let second = second.unwrap_or_else(|error| panic!("{name}: {}", error.text));
        let before = quotes(&first);
        let after = quotes(&second);
        assert!(after.len() == 7 && after.iter().all(|hit| !before.contains(hit)), "{second}");
    }
}

#[test]
fn row_longer_than_a_page_is_still_shown() {
    let sandbox = Sandbox::new();
    let long = |word: &str| word.repeat(400);
    let cwd = format!("{INSIDE}/{}", "日本語".repeat(20));
    for number in 10..13 {
        let branch = long("木");
        let messages =
            [user(&long("日本語 ")), assistant("x"), user(&long("木曜日 ")), assistant("x")];
        let messages = messages.map(|line| line.with("gitBranch", branch.as_str()));
        let mut messages = lines(number, &cwd, messages.to_vec());
        let title = [("customTitle", json!(long("金曜日"))), ("sessionId", json!(id(number)))];
        messages.push(metadata("custom-title", &title));
        sandbox.session(&cwd, &id(number), messages);
    }
    let settings = settings(&sandbox, false);
    let listed = pages(&settings, "list_sessions", &json!({"max_tokens": 500}));
    let rows: usize = listed.iter().map(|page| quotes(page).len()).sum();
    assert_eq!(rows, 3, "{listed:?}");
    assert!(listed.iter().all(|page| render::tokens(page) <= 500), "{listed:?}");
}

#[test]
fn call_that_takes_too_long_fails_without_an_answer() {
    let sandbox = hostile();
    let settings = settings(&sandbox, false);
    let mut context = ToolContext::new(&settings, now(), CancellationToken::default());
    context.answer_by = std::time::Instant::now();
    for (tool, given) in [
        ("get_message", json!({"id": "10000000-0000-4000-8000-000000000000"})),
        ("file_history", json!({"path": "shared.rs"})),
        ("usage_report", json!({"by": "day"})),
        ("usage_report", json!({"by": "agent"})),
    ] {
        let error = call_in(&context, tool, &given).unwrap_err();
        assert!(error.text.contains("longer than 30 seconds\nhint: "), "{tool}: {}", error.text);
    }
}

#[test]
fn answer_from_a_part_of_the_transcripts_says_so() {
    let sandbox = hostile();
    let settings = settings(&sandbox, false);
    let mut context = ToolContext::new(&settings, now(), CancellationToken::default());
    context.most_bytes = 0;
    let given = json!({"id": "10000000-0000-4000-8000-000000000000"});
    let error = call_in(&context, "get_message", &given).unwrap_err();
    assert!(
        error.text.starts_with("not found: 2 sessions (the oldest or largest) were not searched"),
        "{}",
        error.text
    );
    let answer = call_in(&context, "file_history", &json!({"path": "shared.rs"})).unwrap();
    assert!(answer.contains("2 sessions (the oldest or largest) not read"), "{answer}");
    for by in ["day", "agent"] {
        let answer = call_in(&context, "usage_report", &json!({"by": by})).unwrap();
        assert!(answer.starts_with("Total: 0 calls"), "{answer}");
        assert!(answer.contains("Not everything was read"), "{answer}");
    }
}

#[test]
fn cancelled_call_reads_no_session() {
    let sandbox = hostile();
    let settings = settings(&sandbox, false);
    let token = CancellationToken::default();
    let context = ToolContext::new(&settings, now(), token.clone());
    let given = json!({"path": "shared.rs"});
    let answer = call_in(&context, "file_history", &given).unwrap();
    assert!(!answer.contains("not read"), "{answer}");
    token.cancel();
    assert!(call_in(&context, "file_history", &given).is_err());
}
