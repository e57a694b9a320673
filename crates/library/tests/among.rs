//! Sessions among which alone a name may lead, and messages in them.

use library::{FindError, Library, Options, Role, Session};
use serde_json::json;
use store::RootOrigin;
use testkit::{
    Sandbox, answered, assistant, chained, metadata, session_id, tool_result, tool_use, user,
};

fn library(sandbox: &Sandbox) -> Library {
    let roots = vec![(sandbox.config(), RootOrigin::Flag)];
    Library::open(Options { roots, ..Options::default() })
}

fn titled(sandbox: &Sandbox, number: u32, title: &str) {
    let id = session_id(number);
    let title =
        metadata("custom-title", &[("customTitle", json!(title)), ("sessionId", json!(id))]);
    let mut lines = chained([user("Hello"), assistant("Hi")]);
    lines.push(title);
    let path = sandbox.session("/p", &id, lines);
    sandbox.set_modified(&path, 1_769_000_000 + i64::from(number));
}

#[test]
fn a_name_leads_only_to_those_it_is_looked_for_among() {
    let sandbox = Sandbox::new();
    titled(&sandbox, 0x1000_0001, "Fix the login");
    titled(&sandbox, 0x1000_0002, "Fix the logout");
    titled(&sandbox, 0x2000_0003, "Plan the login");
    let agent = user("Look").with("isSidechain", true).with("agentId", "abcdef12");
    sandbox.agent("/p", &session_id(0x2000_0003), "agent-abcdef12", [agent]);
    let library = library(&sandbox);
    let list = library.sessions();
    let among = |numbers: &[u32]| -> Vec<&Session> {
        let is_one = |session: &&Session| numbers.iter().any(|it| session_id(*it) == session.id);
        list.sessions.iter().filter(is_one).collect()
    };
    let (one, two, three) = (0x1000_0001, 0x1000_0002, 0x2000_0003);
    let all = [one, two, three];
    let table: [(&str, &[u32], Option<u32>); 12] = [
        (&session_id(one), &all, Some(one)),
        (&session_id(one), &[two, three], None),
        ("1000", &[one, three], Some(one)),
        ("1000", &all, None),
        ("login", &[one, two], Some(one)),
        ("login", &all, None),
        ("@", &all, Some(three)),
        ("@", &[one, two], Some(two)),
        ("@9", &all, None),
        ("abcdef12", &all, Some(three)),
        ("abcdef12", &[one, two], None),
        ("/p/../x.jsonl", &all, None),
    ];
    for (name, numbers, expected) in table {
        let found = library.find_among(name, &among(numbers)).ok().map(|found| found.session.id);
        assert_eq!(found, expected.map(session_id), "{name} among {numbers:x?}");
    }
    let Err(FindError::NotFound { nearest, .. }) = library.find_among("2000", &among(&[one]))
    else {
        panic!("found")
    };
    assert_eq!(nearest.len(), 1);
    assert!(matches!(library.find_among("1000", &among(&all)), Err(FindError::Ambiguous { .. })));
    assert!(matches!(library.find_among(" ", &among(&all)), Err(FindError::NotAName { .. })));
}

#[test]
fn a_message_is_told_whole_with_what_was_called_and_answered() {
    let sandbox = Sandbox::new();
    let mut lines = vec![user("Run it")];
    lines.extend(answered(
        "t1",
        "Bash",
        &json!({"command": "ls"}),
        "out",
        json!({"stdout": "out"}),
    ));
    lines.push(tool_use("t2", "Bash", &json!({"command": "annals ls"})));
    lines.push(tool_result("t2", "recalled"));
    sandbox.session("/p", &session_id(1), chained(lines));
    let library = library(&sandbox);
    let list = library.sessions();
    let all: Vec<&Session> = list.sessions.iter().collect();
    let told = |id: &str| {
        let (found, troubles) = library.message(&all, id);
        assert!(troubles.is_empty());
        let parts = found.map(|found| found.parts).unwrap_or_default().into_iter();
        let parts = parts.map(|it| (it.role, it.tool, it.text, it.is_own_words, it.is_recall));
        parts.collect::<Vec<_>>()
    };
    let bash = || Some("Bash".to_owned());
    let call = (Role::ToolUse, bash(), r#"{"command":"ls"}"#.to_owned(), true, false);
    let answer = (Role::ToolResult, bash(), "out".to_owned(), false, false);
    assert_eq!(told("u1"), [(Role::User, None, "Run it".to_owned(), true, false)]);
    assert_eq!(told("u2"), std::slice::from_ref(&call));
    assert_eq!(told("u3"), std::slice::from_ref(&answer));
    assert_eq!(told("t1"), [call, answer]);
    assert!(told("t2").iter().all(|(.., is_recall)| *is_recall));
    assert!(told("t9").is_empty() && told("").is_empty());
    assert!(library.message(&[], "u1").0.is_none());
}
