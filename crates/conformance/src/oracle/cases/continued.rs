//! Sessions that are continued in another: which are hidden for it, and what
//! brings them back.

use std::fmt::Display;

use crate::oracle::line::{
    Line, assistant, continued_in, last_prompt, padding, summary, title, user, user_blocks,
};
use crate::oracle::store::Store;

const NOWHERE: &str = "ffffffff-0000-4000-8000-000000000001";

const MUTUAL: (&str, &str) =
    ("dddddddd-0000-4000-8000-000000000001", "dddddddd-0000-4000-8000-000000000002");

pub(super) fn add(store: &mut Store) {
    let base = user("hello");
    let live = store.add("live target", &[&base]).id();
    let continued = continued_in(&live);
    store.add("continued live", &[&base, &continued_in(&live)]);
    store.add("continued dead", &[&base, &continued_in(NOWHERE)]);
    store.add("continued no uuid", &[&base, &continued_in("xyz")]);
    let elsewhere = store.add("other folder target", &[&base]).in_folder("-other").id();
    store.add("continued other folder", &[&base, &continued_in(&elsewhere)]);
    store.add("continued then prompt", &[&base, &continued_in(&live), &user("more")]);
    store.add(
        "continued another type",
        &[&base, &Line::of("z").with("continuedInSessionId", live.as_str())],
    );
    let empty = store.add_bytes("empty target", b"").id();
    store.add("continued to empty", &[&base, &continued_in(&empty)]);
    store.add("continued then meta", &[&base, &continued, &Line::of("mode").with("mode", "x")]);
    store.add("continued then assistant", &[&base, &continued, &assistant("y")]);
    store.add("continued then meta user", &[&base, &continued, &user("y").with("isMeta", true)]);
    store.add(
        "continued then tool result",
        &[
            &base,
            &continued,
            &user_blocks(r#"[{"type":"tool_result","tool_use_id":"x","content":"y"}]"#),
        ],
    );
    store.add("continued then title", &[&base, &continued, &title("CT")]);
    store.add("continued head only", &[&base, &continued, &padding(70_000)]);
    store.add("continued glued", &[&format!("{base}{continued}")]);
    store.add("continued twice live dead", &[&base, &continued, &continued_in(NOWHERE)]);
    store.add("continued twice dead live", &[&base, &continued_in(NOWHERE), &continued]);
    let hidden = store.add("hidden target", &[&Line::of("mode")]).id();
    store.add("continued hidden", &[&base, &continued_in(&hidden)]);
    let last = store.add("chain C", &[&base]).id();
    let middle = store.add("chain B", &[&base, &continued_in(&last)]).id();
    store.add("chain A", &[&base, &continued_in(&middle)]);
    let (one, other) = MUTUAL;
    store.add("mutual 1", &[&base, &continued_in(other)]).with_id(one);
    store.add("mutual 2", &[&base, &continued_in(one)]).with_id(other);
    store.add(
        "continued then <command>",
        &[&base, &continued, &user("<command-name>/x</command-name>")],
    );
    store.add("continued then <tag>", &[&base, &continued, &user("<foo>/x</foo>")]);
    store.add(
        "continued then interrupted",
        &[&base, &continued, &user("[Request interrupted by user]")],
    );
    store.add(
        "continued then sidechain",
        &[&base, &continued, &user("x").with("isSidechain", true)],
    );
    store.add(
        "continued then compact",
        &[&base, &continued, &user("x").with("isCompactSummary", true)],
    );
    store.add("continued then image", &[&base, &continued, &user_blocks(r#"[{"type":"image"}]"#)]);
    store.add("continued then bash", &[&base, &continued, &user("<bash-input>x</bash-input>")]);
    store.add("continued then empty", &[&base, &continued, &user("")]);
    store.add(
        "continued then queued",
        &[
            &base,
            &continued,
            &Line::of("queue-operation").with("operation", "enqueue").with("content", "q"),
        ],
    );
    store.add("continued then last prompt", &[&base, &continued, &last_prompt("q")]);
    store.add("continued key order", &[&base, &continued_in(&last).reversed()]);
    store.add("continued indent", &[&base, &format!(" {continued}")]);
    store.add("continued garbage", &[&base, &format!("x{continued}")]);
    store.add(
        "continued + session",
        &[
            &base,
            &Line::of("continued-in")
                .with("sessionId", "zz")
                .with("continuedInSessionId", last.as_str())
                .with("timestamp", "2026-01-01T00:00:00Z"),
        ],
    );
    store.add(
        "continued then spaced prompt",
        &[&base, &continued, &user("x").to_string().replace(r#"":""#, r#"": ""#)],
    );
    store.add("continued then glued prompt", &[&base, &continued, &format!("{{}}{}", user("x"))]);
    store.add(
        "continued then tool use result prompt",
        &[&base, &continued, &user("x").with_json("toolUseResult", r#"{"a":1}"#)],
    );
    store.add(
        "continued then origin task",
        &[&base, &continued, &user("x").with_json("origin", r#"{"kind":"task-notification"}"#)],
    );
    store.add(
        "continued then visible only",
        &[&base, &continued, &user("x").with("isVisibleInTranscriptOnly", true)],
    );
    store.add(
        "continued then image+text",
        &[&base, &continued, &user_blocks(r#"[{"type":"image"},{"type":"text","text":"see"}]"#)],
    );
    store.add("continued then cut", &[&base, &continued, &user(&"x".repeat(66_000))]);
    let next = store.next_id();
    store.add("continued in itself", &[&base, &continued_in(&next)]);
    let spaced = format!(r#"{{"type": "continued-in", "continuedInSessionId": "{live}"}}"#);
    store.add("continued spaced", &[&base, &spaced]);
    store.add("continued, the id in capitals", &[&base, &continued_in(&last.to_uppercase())]);
    add_targets(store, &base);
}

/// What a session must hold for another to be hidden in its favour.
fn add_targets(store: &mut Store, base: &Line) {
    pair(store, "title only", &[&title("T")]);
    pair(store, "summary only", &[&summary("S")]);
    pair(store, "last prompt only", &[&last_prompt("S")]);
    pair(store, "assistant only", &[&assistant("x")]);
    pair(store, "assistant+title", &[&assistant("x"), &title("T")]);
    pair(store, "meta user+title", &[&user("x").with("isMeta", true), &title("T")]);
    pair(store, "command", &[&user("<command-name>/x</command-name>")]);
    pair(store, "image", &[&user_blocks(r#"[{"type":"image"}]"#)]);
    pair(
        store,
        "tool result+title",
        &[&user_blocks(r#"[{"type":"tool_result","tool_use_id":"x","content":"y"}]"#), &title("T")],
    );
    pair(
        store,
        "system+title",
        &[
            &Line::of("system")
                .with("subtype", "x")
                .with("content", "y")
                .with("uuid", "q")
                .with_json("parentUuid", "null")
                .with("timestamp", "2026-01-02T03:04:05.678Z"),
            &title("T"),
        ],
    );
    pair(
        store,
        "timestamp only+title",
        &[&Line::of("mode").with("timestamp", "2026-01-02T03:04:05.678Z"), &title("T")],
    );
    pair(store, "cwd only+title", &[&Line::of("mode").with("cwd", "/x"), &title("T")]);
    pair(store, "tagged user+title", &[&user("<foo>x"), &title("T")]);
    pair(store, "sidechain first", &[&user("x").with("isSidechain", true)]);
    let torn: String = base.to_string().chars().take(100).collect();
    pair(store, "user torn+title", &[&torn, &title("T")]);
    pair(store, "user beyond head+title", &[&padding(70_000), base, &title("T")]);
    for (name, bytes) in
        [("blank lines", "\n\n"), ("one line end", "\n"), ("nothing", ""), ("junk", "xx")]
    {
        let session = store.add_bytes(&format!("target: {name} and a sidecar"), bytes.as_bytes());
        let target = session.beside("custom-title.json", r#"{"customTitle":"SIDE"}"#).id();
        let name = format!("continued to {name} and a sidecar");
        store.add(&name, &[base, &continued_in(&target)]);
    }
}

/// A session of these lines, and one that is continued in it.
fn pair(store: &mut Store, name: &str, lines: &[&dyn Display]) {
    let target = store.add(&format!("target: {name}"), lines).id();
    store.add(&format!("continued to {name}"), &[&user("hello"), &continued_in(&target)]);
}
