//! Cursors go on where they say, whatever was appended meanwhile, and nowhere else.

use super::*;
use crate::cursor;

#[test]
fn a_cursor_survives_what_is_appended() {
    let sandbox = Sandbox::new();
    let mut said = Vec::new();
    for number in 1..=60 {
        said.push(user(&format!("kelp prompt {number}")));
        said.push(assistant(&format!("kelp answer {number} {}", "long words ".repeat(20))));
    }
    let path = sandbox.session(INSIDE, &id(4), lines(4, INSIDE, said));
    sandbox.session(INSIDE, &id(5), lines(5, INSIDE, vec![user("kelp another"), assistant("x")]));
    let settings = settings(&sandbox, false);
    let mut given = json!({"session": id(4), "max_tokens": 1_500});
    let mut all = Vec::new();
    loop {
        let answer = ask(&settings, "read_session", &given).unwrap();
        all.extend(quotes(&answer).into_iter().map(|(_, body)| body));
        let Some(cursor) = cursor_in(&answer) else { break };
        given["cursor"] = cursor.into();
        // Somebody goes on with the session.
        let more = user("kelp later").link(&format!("v{}", all.len()), Some("u120"));
        sandbox.append(&path, format!("{}\n", more.cwd(INSIDE).with("sessionId", id(4))));
        assert!(all.len() < 1_000);
    }
    let prompts: Vec<&String> = all.iter().filter(|body| body.starts_with("kelp prompt")).collect();
    let expected: Vec<String> = (1..=60).map(|number| format!("kelp prompt {number}\n")).collect();
    assert_eq!(prompts, expected.iter().collect::<Vec<_>>());
}

#[test]
fn pages_of_hits_follow_each_other() {
    let sandbox = Sandbox::new();
    let words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let said = words
        .iter()
        .flat_map(|one| words.iter().map(move |two| user(&format!("kelp {one} {two}"))));
    let path = sandbox.session(INSIDE, &id(4), lines(4, INSIDE, said.collect()));
    let settings = settings(&sandbox, false);
    let mut given = json!({"query": "kelp", "limit": 7});
    let mut hits = Vec::new();
    loop {
        let answer = ask(&settings, "search_sessions", &given).unwrap();
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
fn lists_of_sessions_and_usage_go_on() {
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
fn cursors_of_other_tools_and_damaged_ones_are_refused() {
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
        let forged = (0..6).map(|parts| cursor::seal(tool, &vec![huge.as_str(); parts]));
        let other = cursor::seal("another", &["x"]);
        for cursor in forged.chain([other, "AAAA".to_owned(), "%".to_owned(), "x".repeat(5_000)]) {
            let mut given = given.clone();
            given["cursor"] = cursor.clone().into();
            let complaint = refusal(&settings, tool, &given);
            assert!(
                complaint.text.contains("cursor") || complaint.text.contains("not found"),
                "{tool}: {}",
                complaint.text
            );
        }
    }
}

#[test]
fn ids_of_any_length_do_not_stop_anybody_from_reading_on() {
    let sandbox = Sandbox::new();
    let long = |number: usize| format!("{}{number}", "x".repeat(5_000));
    let said = (0..20_usize).map(|number| {
        let before = number.checked_sub(1).map(long);
        let line = user(&format!("kelp {number} {}", "words ".repeat(200)));
        line.cwd(INSIDE).with("sessionId", id(4)).link(&long(number), before.as_deref())
    });
    sandbox.session(INSIDE, &id(4), said);
    let settings = settings(&sandbox, false);
    let all = pages(&settings, "read_session", &json!({"session": id(4), "max_tokens": 700}));
    let told: usize = all.iter().map(|page| quotes(page).len()).sum();
    assert_eq!(told, 20, "{all:?}");
    let whole = json!({"id": long(7), "session": id(4), "max_tokens": 500});
    assert!(pages(&settings, "get_message", &whole).len() > 1);
}

#[test]
fn undone_messages_are_told_so() {
    let sandbox = Sandbox::new();
    let own = |line: Line| line.cwd(INSIDE).with("sessionId", id(4));
    let said = vec![
        user("begin").link("a0", None),
        assistant("fine").link("b0", Some("a0")),
        user("kelp taken back").link("c0", Some("b0")).at("2026-01-02T03:05:00Z"),
        assistant("so be it").link("d0", Some("c0")).at("2026-01-02T03:05:01Z"),
        user("kelp instead").link("e0", Some("b0")).at("2026-01-02T03:06:00Z"),
        assistant("done").link("f0", Some("e0")).at("2026-01-02T03:06:01Z"),
    ];
    sandbox.session(INSIDE, &id(4), said.into_iter().map(own));
    let settings = settings(&sandbox, false);
    let answer = told(&settings, "search_sessions", &json!({"query": "kelp"}));
    let state = |word: &str| {
        let quotes = quotes(&answer);
        let (head, _) = quotes.into_iter().find(|(_, body)| body.contains(word)).unwrap();
        head
    };
    assert!(state("taken back").contains("state=\"undone\""), "{answer}");
    assert!(state("instead").contains("state=\"live\""), "{answer}");
    let message = told(&settings, "get_message", &json!({"id": "c0", "session": id(4)}));
    assert!(message.contains("state=\"undone\""), "{message}");
    let read = told(&settings, "read_session", &json!({"session": id(4)}));
    assert!(!read.contains("taken back") && read.contains("1 undone"), "{read}");
}

#[test]
fn a_file_is_told_with_what_still_stands() {
    let sandbox = Sandbox::new();
    let path = sandbox.path().join("tide.rs");
    std::fs::write(&path, "one\ntwo\nchanged\n").unwrap();
    let name = path.to_string_lossy().into_owned();
    let mut said = vec![user("make the tide file")];
    said.extend(answered(
        "toolu_10",
        "Write",
        &json!({"file_path": name, "content": "one\ntwo\nthree\n"}),
        "written",
        json!({"type": "create", "filePath": name, "content": "one\ntwo\nthree\n", "structuredPatch": []}),
    ));
    sandbox.session(INSIDE, &id(4), lines(4, INSIDE, said));
    let settings = settings(&sandbox, false);
    let answer = told(&settings, "file_history", &json!({"path": name}));
    assert!(answer.contains("still_there=\"2 of 3 lines\""), "{answer}");
    assert!(answer.contains("it was changed since"), "{answer}");
    assert!(answer.contains("prompt: make the tide file"), "{answer}");
    assert!(answer.contains("state=\"live\""), "{answer}");
    std::fs::write(&path, "one\ntwo\nthree\n").unwrap();
    let answer = told(&settings, "file_history", &json!({"path": name}));
    assert!(answer.contains("it matches what the sessions left"), "{answer}");
}

#[test]
fn a_cursor_is_found_behind_any_number_of_new_hits() {
    let sandbox = Sandbox::new();
    let words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let told = |sort: &str, number: usize| {
        let (first, second) = (words[number % 10], words[number / 10 % 10]);
        user(&format!("kelp {sort} {first} {second}"))
    };
    let said = (0..30).map(|number| told("before", number));
    let path = sandbox.session(INSIDE, &id(4), lines(4, INSIDE, said.collect()));
    let settings = settings(&sandbox, false);
    let later = "2026-02-01T12:00:01Z";
    for (sort, name, moment) in [
        ("newest", "later", later),
        ("newest", "late", "2026-01-31T12:00:00Z"),
        ("best", "x", later),
    ] {
        let mut given = json!({"query": "kelp", "limit": 7, "sort": sort});
        let first = ask(&settings, "search_sessions", &given).unwrap();
        given["cursor"] = cursor_in(&first).unwrap().into();
        for number in 0..100 {
            let more = told(name, number).link(&format!("{name}{number}"), Some("u30"));
            let more = more.cwd(INSIDE).with("sessionId", id(4)).at(moment);
            sandbox.append(&path, format!("{more}\n"));
        }
        let second = ask(&settings, "search_sessions", &given);
        let second = second.unwrap_or_else(|complaint| panic!("{name}: {}", complaint.text));
        let before = quotes(&first);
        let after = quotes(&second);
        assert!(after.len() == 7 && after.iter().all(|hit| !before.contains(hit)), "{second}");
    }
}

#[test]
fn a_row_that_is_too_long_for_a_page_is_told_all_the_same() {
    let sandbox = Sandbox::new();
    let long = |word: &str| word.repeat(400);
    let cwd = format!("{INSIDE}/{}", "日本語".repeat(20));
    for number in 10..13 {
        let branch = long("木");
        let said = [user(&long("日本語 ")), assistant("x"), user(&long("木曜日 ")), assistant("x")];
        let said = said.map(|line| line.with("gitBranch", branch.as_str()));
        let mut said = lines(number, &cwd, said.to_vec());
        let title = [("customTitle", json!(long("金曜日"))), ("sessionId", json!(id(number)))];
        said.push(metadata("custom-title", &title));
        sandbox.session(&cwd, &id(number), said);
    }
    let settings = settings(&sandbox, false);
    let listed = pages(&settings, "list_sessions", &json!({"max_tokens": 500}));
    let rows: usize = listed.iter().map(|page| quotes(page).len()).sum();
    assert_eq!(rows, 3, "{listed:?}");
    assert!(listed.iter().all(|page| render::tokens(page) <= 500), "{listed:?}");
}

#[test]
fn when_time_is_up_the_answer_is_what_is_ready_and_says_so() {
    let sandbox = hostile();
    let settings = settings(&sandbox, false);
    let mut desk = Desk::new(&settings, now());
    desk.deadline = std::time::Instant::now();
    let given = json!({"id": "10000000-0000-4000-8000-000000000000"});
    let complaint = ask_at(&desk, "get_message", &given).unwrap_err();
    assert!(complaint.text.starts_with("not found in time: 2 sessions"), "{}", complaint.text);
    let answer = ask_at(&desk, "file_history", &json!({"path": "shared.rs"})).unwrap();
    assert!(answer.contains("2 sessions, the oldest, could not be read in time"), "{answer}");
    for by in ["day", "agent"] {
        let answer = ask_at(&desk, "usage_report", &json!({"by": by})).unwrap();
        assert!(answer.starts_with("Total: 0 calls"), "{answer}");
        assert!(answer.contains("Not everything could be read in time"), "{answer}");
    }
}
