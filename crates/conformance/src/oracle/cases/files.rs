//! Whole files: which are sessions at all, copies of a session, links, and sizes
//! at the edge of what is read. First lines that begin with NUL bytes or a byte
//! order mark are left out, and so are halves of surrogate pairs.

use std::time::Duration;

use crate::oracle::line::{Line, padding, summary, title, user};
use crate::oracle::store::{CHANGED, Store};

pub(super) fn add(store: &mut Store) {
    let base = user("hello");
    store.add("plain", &[&base]);
    store.add("only summary", &[&summary("SUM").with("leafUuid", "x")]);
    store.add("only meta", &[&Line::of("mode").with("mode", "x")]);
    store.add("sidechain tight first", &[&user("hello").with("isSidechain", true), &base]);
    store.add("sidechain second", &[&base, &user("hello").with("isSidechain", true)]);
    store.add("sidechain spaced", &[&r#"{"type": "user","isSidechain": true}"#, &base]);
    store.add("sidechain blank first", &[&"", &user("hello").with("isSidechain", true), &base]);
    store.add(
        "sidechain nested",
        &[&Line::of("user").with_json("x", r#"{"isSidechain":true}"#), &base],
    );
    store.add(
        "sidechain meta first",
        &[&Line::of("mode"), &user("hello").with("isSidechain", true)],
    );
    store.add("team", &[&user("hello").with("teamName", "t")]);
    store.add("background", &[&user("hello").with("sessionKind", "bg")]);
    store.add("daemon", &[&user("hello").with("sessionKind", "daemon")]);
    store.add("daemon-worker", &[&user("hello").with("sessionKind", "daemon-worker")]);
    store.add("sdk-cli", &[&user("hello").with("entrypoint", "sdk-cli")]);
    store.add("sdk-ts", &[&user("hello").with("entrypoint", "sdk-ts")]);
    store.add("one no newline", &[&base]).torn();
    store.add("uppercase", &[&base]).with_id("AAAAAAAA-0000-4000-8000-00000000000A");
    store.add("non v4", &[&base]).with_id("aaaaaaaa-0000-0000-0000-000000000000");
    store.add("empty lines between", &[&"", &"", &base]);
    store.add_bytes("blank only", b"\n\n");
    store.add_bytes("CRLF", format!("{base}\r\n").as_bytes());
    let text = base.to_string();
    let (before, after) = text.split_once("hello").unwrap_or_default();
    let bytes = [before.as_bytes(), b"he\x80llo", after.as_bytes()].concat();
    store.add_bytes("bytes that are not UTF-8", &[&bytes[..], b"\n"].concat());
    // Readers take 65,536 bytes from either end.
    let (first, heading, empty) = (size(&base), size(&title("CT")), size(&padding(0)));
    store.add("65,536 bytes", &[&base, &padding(65_536 - first - empty)]);
    let rest = padding(65_537 - heading - first - empty);
    store.add("65,537 bytes, the title first", &[&title("CT"), &base, &rest]);
    add_copies(store);
    add_places(store, &base);
}

/// How many bytes the line takes with its end.
fn size(line: &Line) -> usize {
    line.to_string().len() + 1
}

/// The same session in two folders. Never with the same time: which of them the
/// official reader takes then depends on the file system.
fn add_copies(store: &mut Store) {
    let (older, newer) = (CHANGED + Duration::from_secs(100), CHANGED + Duration::from_secs(200));
    let id = "bbbbbbbb-0000-4000-8000-000000000001";
    store.add("older copy", &[&user("older")]).with_id(id).in_folder("-a").changed(older);
    store.add("newer copy", &[&user("newer")]).with_id(id).in_folder("-b").changed(newer);
    let id = "bbbbbbbb-0000-4000-8000-000000000002";
    let hidden = Line::of("mode");
    store.add("newer copy, hidden", &[&hidden]).with_id(id).in_folder("-b").changed(newer);
    store.add("older copy, shown", &[&user("older")]).with_id(id).in_folder("-a").changed(older);
}

/// Links and a folder where a transcript or a project is expected.
fn add_places(store: &mut Store, base: &Line) {
    let target = store.add("target of a link", &[base]).id();
    store.link("-p-q/cccccccc-0000-4000-8000-000000000001.jsonl", &format!("{target}.jsonl"));
    store.empty_folder("-p-q/cccccccc-0000-4000-8000-000000000002.jsonl");
    store
        .add("in a project that is a link", &[base])
        .with_id("cccccccc-0000-4000-8000-000000000003")
        .in_folder("../linked");
    store.link("-linked", "../linked");
}
