//! `annals mcp` from outside: the protocol, and what must not disturb it.

use crate::cli::support::full_store;
use crate::cli::support::mcp_client::Talk;
use crate::cli::support::run::{annals, command};
use serde_json::{Value, json};
use std::process::Command;
use testkit::{Sandbox, assistant, chained, fingerprint, session_id, user};

/// The conversation of the official client, as it was (`cargo xtask client --record`).
const CONVERSATION: &str = include_str!("mcp_conversation.txt");

fn demo(sandbox: &Sandbox) -> Command {
    command(sandbox, &["--demo", "--timezone", "UTC", "mcp"])
}

/// A line without what differs each time: delimiters, the made-up store's folder, and
/// the version of annals.
fn settled(line: &str) -> String {
    let mut text = line.to_owned();
    for (mark, length) in
        [("quote-", 16), ("/annals-demo-", 6), ("\"title\":\"annals\",\"version\":\"", 5)]
    {
        let mut listed = String::new();
        let mut rest = text.as_str();
        while let Some((before, behind)) = rest.split_once(mark) {
            listed += &format!("{before}{mark}*");
            rest = behind.get(length..).unwrap_or_default();
        }
        text = listed + rest;
    }
    // Folders for what is temporary differ between machines.
    match (text.find("path=\\\"/"), text.find("/annals-demo-")) {
        (Some(from), Some(to)) if from < to => format!("{}{}", &text[..from], &text[to..]),
        _ => text,
    }
}

#[test]
fn recorded_official_client_gets_the_same_answers() {
    let sandbox = Sandbox::new();
    let mut talk = Talk::start(&mut demo(&sandbox));
    let mut heard = 0;
    for line in CONVERSATION.lines() {
        match line.split_at(2) {
            ("> ", sent) => talk.say(sent),
            ("< ", answer) => {
                assert_eq!(settled(&talk.hear_line()), settled(answer));
                heard += 1;
            }
            _ => panic!("{line}"),
        }
    }
    assert!(heard > 15, "{heard}");
    assert_eq!(talk.end(), (Vec::new(), String::new(), 0));
}

#[test]
fn protocol_version_is_negotiated() {
    let table = [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
        ("nonsense", "2025-11-25"),
    ];
    for (asked, expected) in table {
        let sandbox = Sandbox::new();
        let mut talk = Talk::start(&mut demo(&sandbox));
        let answer = talk.greet(asked);
        assert_eq!(answer["result"]["protocolVersion"], expected, "{asked}: {answer}");
        assert_eq!(talk.end().2, 0);
    }
}

#[test]
fn initialize_is_answered_and_nothing_more_is_sent() {
    let sandbox = Sandbox::new();
    let talk = Talk::greeted(&mut demo(&sandbox));
    assert_eq!(talk.end(), (Vec::new(), String::new(), 0));
}

#[test]
fn end_of_input_ends_the_server() {
    let sandbox = Sandbox::new();
    assert_eq!(Talk::start(&mut demo(&sandbox)).end(), (Vec::new(), String::new(), 0));
}

#[test]
fn tools_are_read_only_and_describe_their_arguments() {
    let sandbox = Sandbox::new();
    let mut talk = Talk::greeted(&mut demo(&sandbox));
    let answer = talk.ask("tools/list", &json!({}));
    let mut listed = String::new();
    for tool in answer["result"]["tools"].as_array().unwrap() {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        assert_eq!(tool["annotations"]["openWorldHint"], false, "{tool}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{tool}");
        let properties = tool["inputSchema"]["properties"].as_object().unwrap();
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        listed += &format!("{}: {}\n", tool["name"].as_str().unwrap(), names.join(" "));
    }
    insta::assert_snapshot!(listed, @r"
    search_sessions: branch cursor include_current_session include_thinking include_tool_results limit max_tokens project query since sort until
    list_sessions: branch cursor include_current_session max_tokens project since until
    read_session: cursor detail from_turn include_current_session include_recalls include_thinking include_tool_results max_tokens session
    get_message: cursor id include_current_session include_recalls include_thinking include_tool_results max_tokens session
    file_history: cursor include_current_session include_reads include_tool_results max_tokens path since until
    usage_report: branch by cursor max_tokens model since until
    session_plan: cursor include_current_session max_tokens number session
    ");
}

#[test]
fn lines_that_are_not_requests_are_harmless() {
    let sandbox = Sandbox::new();
    let mut talk = Talk::start(&mut demo(&sandbox));
    // Before the greeting, too.
    talk.notify("notifications/initialized", &json!({}));
    talk.say("not json");
    talk.greet("2025-06-18");
    let deep = "[".repeat(100_000);
    let long = format!("{{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"{}\"}}", "x".repeat(3 << 20));
    for line in ["", "{", "\u{0}\u{1}", "nothing", "\"text\"", &deep, &long] {
        talk.say(line);
        // Some are answered with an error, none with silence for ever.
        talk.notify("notifications/unheard_of", &json!({"x": 1}));
        talk.notify("notifications/cancelled", &json!({"requestId": 4_711}));
        let id = talk.begin("ping", &json!({}));
        let answer = loop {
            let answer = talk.hear();
            if answer["id"] == id {
                break answer;
            }
            assert!(answer["error"]["code"].is_i64(), "{answer}");
        };
        assert_eq!(answer["result"], json!({}), "{}", line.chars().take(60).collect::<String>());
    }
    assert_eq!(talk.end().2, 0);
}

#[test]
fn a_request_that_is_too_long_gets_an_error_with_its_id() {
    let sandbox = Sandbox::new();
    let mut talk = Talk::greeted(&mut demo(&sandbox));
    let query = "x".repeat(2 << 20);
    for id in [json!(4711), json!("last")] {
        let arguments = json!({"name": "search_sessions", "arguments": {"query": query, "id": 1}});
        let request =
            json!({"id": id, "jsonrpc": "2.0", "method": "tools/call", "params": arguments});
        talk.say(&request.to_string());
        let answer = talk.hear();
        assert_eq!(answer["id"], id, "{answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains("longer than 1 MiB"), "{message}");
    }
    assert_eq!(talk.ask("ping", &json!({}))["result"], json!({}));
}

#[test]
fn malformed_requests_give_errors_and_wrong_calls_give_results() {
    let sandbox = Sandbox::new();
    let mut talk = Talk::greeted(&mut demo(&sandbox));
    let unknown = talk.ask("no/such/method", &json!({}));
    assert_eq!(unknown["error"]["code"], -32_601, "{unknown}");
    for batch in
        ["[]", r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, r#"{"jsonrpc":"2.0","id":{}}"#]
    {
        talk.say(batch);
        let answer = talk.hear();
        assert!(answer["error"]["code"].is_i64(), "{batch}: {answer}");
    }
    let missing = talk.ask("resources/read", &json!({"uri": "annals://session/../../etc/passwd"}));
    assert_eq!(missing["error"]["code"], -32_002, "{missing}");
    let calls = [
        ("no_such_tool", json!({})),
        ("search_sessions", json!({})),
        ("search_sessions", json!({"query": "x", "unknown": 1})),
        ("search_sessions", json!({"query": "\"\""})),
        ("search_sessions", json!({"query": "x", "since": "whenever"})),
        ("read_session", json!({"session": "ffffffff"})),
        ("read_session", json!({"session": "3f9c1d7e", "from_turn": "99"})),
        ("read_session", json!({"session": "3f9c1d7e", "cursor": "AAAA"})),
        ("get_message", json!({"id": "nothing"})),
        ("session_plan", json!({"session": "3f9c1d7e"})),
        ("usage_report", json!({"by": "moon"})),
        ("file_history", json!({"path": "a\u{0}b"})),
    ];
    for (tool, arguments) in calls {
        let (text, is_complaint) = talk.call(tool, &arguments);
        assert!(is_complaint && !text.is_empty(), "{tool} {arguments}: {text}");
    }
}

#[test]
fn cancelled_call_gets_no_answer_and_others_do() {
    let sandbox = Sandbox::new();
    let sent = (0..3_000).map(|number| user(&format!("kelp {number} {}", "words ".repeat(40))));
    sandbox.session("/home/ada/tidepool", &session_id(1), chained(sent));
    let mut talk = Talk::greeted(&mut command(&sandbox, &["mcp", "--scope", "all"]));
    let call = json!({"name": "search_sessions", "arguments": {"query": "kelp"}});
    let cancelled = talk.begin("tools/call", &call);
    talk.notify("notifications/cancelled", &json!({"requestId": cancelled, "reason": "enough"}));
    // Heard while the other is worked on.
    let id = talk.begin("ping", &json!({}));
    let answer = talk.hear();
    assert_eq!(answer["id"], id, "{answer}");
    let (text, is_complaint) = talk.call("search_sessions", &json!({"query": "kelp"}));
    assert!(!is_complaint && text.contains("hits (index_complete:"), "{text}");
    assert_eq!(talk.end().0, Vec::<String>::new());
}

#[test]
fn a_thousand_requests_take_no_more_memory_than_a_hundred() {
    let sandbox = Sandbox::new();
    let mut talk = Talk::greeted(&mut demo(&sandbox));
    let calls = [
        ("search_sessions", json!({"query": "tide"})),
        ("list_sessions", json!({})),
        ("read_session", json!({"session": "3f9c1d7e"})),
        ("get_message", json!({"id": "toolu_01qBrHcAfFiimWi99MNMxxpM", "session": "3f9c1d7e"})),
        ("file_history", json!({"path": "tests/login.rs"})),
        ("usage_report", json!({"by": "model"})),
        ("session_plan", json!({"session": "c52b8f06"})),
        ("read_session", json!({"session": "nothing"})),
    ];
    let mut ask = |count: usize| {
        for (tool, arguments) in calls.iter().cycle().take(count) {
            talk.call(tool, arguments);
        }
        talk.memory()
    };
    let (before, after) = (ask(100), ask(900));
    // Only Linux tells.
    assert_eq!(before.is_some(), cfg!(target_os = "linux"));
    let (Some(before), Some(after)) = (before, after) else { return };
    assert!(after < before + before / 4 + 4_096, "{before} kB, then {after} kB");
}

#[test]
fn the_scope_is_the_project_of_the_working_directory() {
    let sandbox = Sandbox::new();
    let here = sandbox.home().join("tidepool");
    std::fs::create_dir_all(&here).unwrap();
    let here = here.canonicalize().unwrap();
    let sent = |cwd: &str, number: u32| {
        let lines =
            chained([user(&format!("kelp {}", "x".repeat(number as usize))), assistant("fine")]);
        let id = session_id(number);
        let lines = lines.into_iter().map(|line| line.cwd(cwd).with("sessionId", id.as_str()));
        sandbox.session(cwd, &id, lines);
    };
    sent(&here.to_string_lossy(), 1);
    sent(&here.join("src").to_string_lossy(), 2);
    sent("/home/ada/other", 3);
    let table: [(&[&str], &[u32]); 2] =
        [(&["mcp"], &[1, 2]), (&["mcp", "--scope", "all"], &[1, 2, 3])];
    for (arguments, seen) in table {
        let mut talk = Talk::greeted(command(&sandbox, arguments).current_dir(&here));
        for tool in ["list_sessions", "search_sessions"] {
            let given = if tool == "list_sessions" { json!({}) } else { json!({"query": "kelp"}) };
            let (text, _) = talk.call(tool, &given);
            let listed: Vec<u32> =
                (1..=3).filter(|number| text.contains(&session_id(*number))).collect();
            assert_eq!(listed, seen, "{arguments:?} {tool}: {text}");
        }
    }
}

#[test]
fn search_knows_what_is_marked() {
    let sandbox = Sandbox::new();
    for number in [1, 2] {
        let id = session_id(number);
        let lines = chained([user(&format!("kelp {number}")), assistant("fine")]).into_iter();
        let lines = lines.map(|line| line.with("sessionId", id.as_str()));
        sandbox.session("/home/ada/tidepool", &id, lines);
    }
    annals(&sandbox, &["mark", &session_id(2)]).done();
    let mut talk = Talk::greeted(&mut command(&sandbox, &["mcp", "--scope", "all"]));
    for (query, expected) in [("kelp is:marked", [false, true]), ("kelp -is:marked", [true, false])]
    {
        let (text, _) = talk.call("search_sessions", &json!({"query": query}));
        assert_eq!([1, 2].map(|number| text.contains(&session_id(number))), expected, "{text}");
    }
}

#[test]
fn imported_sessions_are_not_served_and_archived_ones_are() {
    let (own, other) = (Sandbox::new(), Sandbox::new());
    let sent = |sandbox: &Sandbox, number: u32, word: &str| {
        let lines = chained([user(&format!("kelp {word}")), assistant("fine")]);
        let id = session_id(number);
        let lines = lines.into_iter().map(|line| line.with("sessionId", id.as_str()));
        sandbox.session("/home/ada/tidepool", &id, lines)
    };
    sent(&other, 9, "foreign");
    let gone = sent(&own, 1, "kept");
    for sandbox in [&own, &other] {
        annals(sandbox, &["archive", "sync"]).done();
    }
    own.remove(&gone);
    let archive = other.annals_home().join("archive");
    annals(&own, &["archive", "import", &archive.to_string_lossy()]).done();
    // It is there for the person, and in the index.
    let found = annals(&own, &["search", "kelp", "--json"]);
    assert!(found.out.contains(&session_id(9)) && found.out.contains(&session_id(1)), "{found:?}");
    let mut talk = Talk::greeted(&mut command(&own, &["mcp", "--scope", "all"]));
    let calls = [
        ("search_sessions", json!({"query": "kelp"})),
        ("search_sessions", json!({"query": "foreign"})),
        ("list_sessions", json!({})),
        ("read_session", json!({"session": session_id(9)})),
        ("get_message", json!({"id": "u1"})),
        ("usage_report", json!({"by": "session"})),
        ("session_plan", json!({"session": session_id(9)})),
    ];
    for (tool, arguments) in calls {
        let (text, is_complaint) = talk.call(tool, &arguments);
        let echoed = is_complaint && arguments.to_string().contains(&session_id(9));
        let is_seen = text.contains("kelp foreign") || (text.contains(&session_id(9)) && !echoed);
        assert!(!is_seen, "{tool} {arguments}: {text}");
        let is_own = arguments.to_string().contains("foreign") || echoed;
        assert!(is_own || text.contains(&session_id(1)), "{tool} {arguments}: {text}");
    }
    let (text, _) = talk.call("list_sessions", &json!({}));
    assert!(text.contains("presence=\"archive\""), "{text}");
}

#[test]
fn server_writes_nothing_below_the_store() {
    let sandbox = Sandbox::new();
    full_store::build(&sandbox);
    let before = fingerprint(&sandbox.config());
    let mut talk = Talk::greeted(&mut command(&sandbox, &["mcp", "--scope", "all"]));
    let one = session_id(1);
    for (tool, arguments) in [
        ("search_sessions", json!({"query": "tide"})),
        ("list_sessions", json!({})),
        ("read_session", json!({"session": one, "include_tool_results": true})),
        ("get_message", json!({"id": "t3", "session": one})),
        ("file_history", json!({"path": "main.rs"})),
        ("usage_report", json!({})),
        ("session_plan", json!({"session": one})),
    ] {
        talk.call(tool, &arguments);
    }
    talk.ask("resources/list", &json!({}));
    talk.end();
    assert_eq!(fingerprint(&sandbox.config()), before);
}

#[test]
fn calling_session_is_known_from_the_environment() {
    let sandbox = Sandbox::new();
    let lines = chained([user("kelp"), assistant("fine")]);
    sandbox.session("/home/ada/tidepool", &session_id(1), lines);
    let mut started = command(&sandbox, &["mcp", "--scope", "all"]);
    started.env("CLAUDE_CODE_SESSION_ID", session_id(1)).env("CLAUDECODE", "1");
    let mut talk = Talk::greeted(&mut started);
    assert_eq!(talk.call("list_sessions", &json!({})).0, "No sessions.");
    let asked = json!({"include_current_session": true});
    assert!(talk.call("list_sessions", &asked).0.contains(&session_id(1)));
}

#[test]
fn calling_session_is_the_one_the_client_is_writing() {
    let sandbox = Sandbox::new();
    for number in [1, 2] {
        let lines = chained([user("kelp"), assistant("fine")]);
        sandbox.session("/home/ada/tidepool", &session_id(number), lines);
    }
    let registry = sandbox.config().join("sessions");
    std::fs::create_dir_all(&registry).unwrap();
    let own = std::process::id();
    let write = |number| {
        let listed =
            json!({"pid": own, "sessionId": session_id(number), "cwd": "/home/ada/tidepool"});
        std::fs::write(registry.join(format!("{own}.json")), listed.to_string()).unwrap();
    };
    let mut started = command(&sandbox, &["mcp", "--scope", "all"]);
    started.env("CLAUDE_CODE_SESSION_ID", session_id(2)).env("CLAUDECODE", "1");
    let mut talk = Talk::greeted(&mut started);
    let mut listed = || {
        let (text, _) = talk.call("list_sessions", &json!({}));
        [1, 2].map(|number| text.contains(&session_id(number)))
    };
    assert_eq!(listed(), [true, false]);
    write(1);
    assert_eq!(listed(), [false, true]);
    write(2);
    assert_eq!(listed(), [true, false]);
    // A caller who names a session gets that session.
    let id = &session_id(2);
    let earlier = format!("--session={id}");
    let named: [&[&str]; 4] = [
        &["--current-session", id, "mcp", "--scope", "all"],
        // The earlier spelling is in settings that stay.
        &["--session", id, "mcp", "--scope", "all"],
        &[&earlier, "mcp", "--scope", "all"],
        &["mcp", "--scope", "all", "--session", id],
    ];
    for arguments in named {
        write(1);
        let mut talk = Talk::greeted(&mut command(&sandbox, arguments));
        let (text, _) = talk.call("list_sessions", &json!({}));
        assert!(text.contains(&session_id(1)) && !text.contains(id), "{arguments:?}: {text}");
    }
}

#[test]
fn secrets_are_always_masked() {
    let sandbox = Sandbox::new();
    let answer = annals(&sandbox, &["--redact=off", "mcp"]);
    assert!(answer.complaint(2).contains("masks secrets"));
}

#[test]
fn concurrent_servers_all_answer() {
    let sandbox = Sandbox::new();
    let sent = (0..200).map(|number| user(&format!("kelp {number}")));
    sandbox.session("/home/ada/tidepool", &session_id(1), chained(sent));
    let answers: Vec<Value> = std::thread::scope(|scope| {
        let ask = || {
            let mut talk = Talk::greeted(&mut command(&sandbox, &["mcp", "--scope", "all"]));
            let mut texts = Vec::new();
            for _ in 0..5 {
                let (text, is_complaint) = talk.call("search_sessions", &json!({"query": "kelp"}));
                assert!(!is_complaint, "{text}");
                texts.push(text);
            }
            json!(texts.last().unwrap().contains("index_complete: true"))
        };
        let all: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(answers, [json!(true), json!(true), json!(true), json!(true)]);
}
