//! Broken input, and input made to hang the reader: both give an answer.
//!
//! Nothing measures time here, which says more about the machine than about the code: the
//! inputs are so large that anything but a linear walk would not end.

use conversation::{Conversation, View};
use std::fmt::Write as _;

/// Enough lines that anything but a linear walk would not end.
const MANY: usize = 20_000;

/// The depth of chain that must be supported.
const DEEP: usize = 100_000;

/// Reads and builds turns in every way; returns the number of messages, branches and
/// orphaned segments in the app's view.
fn answer(what: &str, bytes: &[u8]) -> (usize, usize, usize) {
    Conversation::read(bytes, View::Sdk);
    Conversation::read_agent(bytes, View::Sdk);
    Conversation::read_agent(bytes, View::App).turns();
    let conversation = Conversation::read(bytes, View::App);
    let turns = conversation.turns();
    assert!(turns.turns.len() <= conversation.chain.len(), "{what}");
    for id in conversation.graph.ids().filter(|id| conversation.graph.node(*id).is_message()) {
        assert!(conversation.state(id).is_some(), "{what}: nothing is unreachable");
    }
    if let Some(branch) = conversation.branches.last() {
        conversation.turns_of(&conversation.chain_of_branch(branch));
    }
    (conversation.messages.len(), conversation.branches.len(), conversation.orphaned_segments.len())
}

/// A line of any kind, with numbers as uuids, and more members.
fn line(text: &mut String, kind: &str, uuid: usize, parent: Option<usize>, more: &str) {
    let parent = parent.map_or("null".to_owned(), |parent| format!("\"{parent}\""));
    let message = match kind {
        "user" => r#""message":{"role":"user","content":"x"}"#.to_owned(),
        "assistant" => format!(
            r#""message":{{"id":"m{uuid}","role":"assistant","content":[{{"type":"text","text":"x"}}]}}"#
        ),
        _ => r#""data":{}"#.to_owned(),
    };
    let _ = writeln!(
        text,
        r#"{{"parentUuid":{parent},"type":"{kind}",{message},"uuid":"{uuid}"{more}}}"#
    );
}

/// A file of `count` lines.
fn lines(count: usize, mut each: impl FnMut(&mut String, usize)) -> Vec<u8> {
    let mut text = String::new();
    for number in 0..count {
        each(&mut text, number);
    }
    text.into_bytes()
}

#[test]
fn input_without_messages_is_an_empty_conversation() {
    let torn = br#"{"parentUuid":null,"type":"user","uuid":"a","message":{"role":"us"#;
    let nested = "[".repeat(DEEP);
    let table: [(&str, &[u8]); 10] = [
        ("nothing", b""),
        ("ends of lines", b"\n\n\r\n\n"),
        ("words", b"once upon a time\nthere was\n"),
        ("noise", b"\xff\xfe\0\0\x1b[2J\xc3\x28"),
        ("zeros", &[0; 4096]),
        ("other JSON", b"[1]\n7\nnull\n\"text\"\ntrue\n"),
        ("empty objects", b"{}\n{}\n{\"type\":\"user\"}\n{\"uuid\":\"a\"}\n"),
        ("a torn line", torn),
        ("depth", nested.as_bytes()),
        ("wrong types", b"{\"type\":\"user\",\"uuid\":7,\"parentUuid\":[],\"message\":3}\n"),
    ];
    for (what, bytes) in table {
        assert_eq!(answer(what, bytes), (0, 0, 0), "{what}");
    }
}

#[test]
fn cycles_end() {
    let mut own = String::new();
    line(&mut own, "user", 1, Some(1), "");
    assert_eq!(answer("its own parent", own.as_bytes()), (0, 1, 0));
    let ring =
        |count: usize| lines(count, |text, n| line(text, "user", n, Some((n + 1) % count), ""));
    assert_eq!(answer("two that follow each other", &ring(2)), (0, 1, 0));
    assert_eq!(answer("a ring", &ring(MANY)), (0, 1, 0));
    // A cycle that a live line leads into.
    let mut lasso = ring(1_000);
    lasso.extend(lines(2, |text, n| {
        line(text, ["user", "assistant"][n], 2_000 + n, [Some(5), Some(2_000)][n], "");
    }));
    assert_eq!(answer("a lasso", &lasso).0, 1_002);
}

#[test]
fn long_chains_are_walked() {
    let speaker = |n: usize| if n.is_multiple_of(2) { "user" } else { "assistant" };
    let chain = lines(DEEP, |text, n| line(text, speaker(n), n, n.checked_sub(1), ""));
    assert_eq!(answer("a chain", &chain), (DEEP, 0, 0));
    let backwards = lines(MANY, |text, n| {
        let uuid = MANY - 1 - n;
        line(text, speaker(uuid), uuid, uuid.checked_sub(1), "");
    });
    assert_eq!(answer("children before parents", &backwards), (MANY, 0, 0));
    let undone = lines(MANY, |text, n| line(text, speaker(n), n, n.checked_sub(1), ""));
    let end = b"{\"type\":\"last-prompt\",\"leafUuid\":\"1\",\"explicit\":true}\n";
    let undone = [undone, end.to_vec()].concat();
    assert_eq!(answer("a chain undone", &undone), (2, 1, 0));
}

#[test]
fn many_branches_and_many_segments_are_listed() {
    let versions = lines(MANY, |text, n| line(text, "user", n, (n > 0).then_some(0), ""));
    assert_eq!(answer("versions of one prompt", &versions), (2, MANY - 2, 0));
    let roots = lines(MANY, |text, n| line(text, "user", n, None, ""));
    assert_eq!(answer("roots", &roots), (1, MANY - 1, 0));
    let islands = lines(MANY, |text, n| line(text, "user", n, Some(n + MANY), ""));
    assert_eq!(answer("islands", &islands), (1, 0, MANY - 1));
    // Each branch forks off the one before it.
    let comb = lines(MANY, |text, n| {
        line(text, "user", n, Some(n / 2 * 2).filter(|up| *up < n).or(n.checked_sub(2)), "");
    });
    let (messages, branches, orphaned) = answer("a comb", &comb);
    assert_eq!((messages + branches, orphaned), (MANY, 0));
}

#[test]
fn a_repeated_line_is_one_line() {
    let same = lines(MANY, |text, _| line(text, "user", 1, None, ""));
    assert_eq!(answer("one uuid", &same), (1, 0, 0));
}

#[test]
fn many_compactions_are_many_generations() {
    let boundaries = lines(MANY, |text, n| {
        let more = format!(
            ",\"subtype\":\"compact_boundary\",\"logicalParentUuid\":\"{}\"",
            n.wrapping_sub(1)
        );
        if n.is_multiple_of(2) {
            line(text, "system", n, None, &more);
        } else {
            line(text, "user", n, Some(n - 1), "");
        }
    });
    assert_eq!(answer("compactions", &boundaries), (1, 0, 0));
    let conversation = Conversation::read(&boundaries, View::App);
    assert_eq!(
        (conversation.compactions.len(), conversation.generations().count()),
        (MANY / 2, MANY / 2)
    );
}

#[test]
fn many_models_and_open_calls_are_listed() {
    let models = lines(DEEP, |text, n| {
        let parent = n.checked_sub(1).map_or("null".to_owned(), |parent| format!("\"{parent}\""));
        let _ = writeln!(
            text,
            r#"{{"parentUuid":{parent},"type":"assistant","uuid":"{n}","message":{{"id":"m{n}","role":"assistant","model":"model {n}","content":[]}}}}"#
        );
    });
    assert_eq!(answer("models", &models).0, DEEP);
    let plain = lines(DEEP, |text, n| {
        let _ = match n % 2 {
            0 => writeln!(text, r#"{{"type":"tool_use","tool_name":"{n}","tool_input":{{}}}}"#),
            _ => writeln!(text, r#"{{"type":"tool_result","tool_name":"x","tool_output":"x"}}"#),
        };
    });
    let mut calls = conversation::Calls::default();
    for entry in transcript::entries(&plain) {
        calls.note(entry.line, entry.record);
    }
    assert!(calls.all().iter().all(|call| call.answer.is_none()));
    assert_eq!(calls.all().len(), DEEP / 2);
}
