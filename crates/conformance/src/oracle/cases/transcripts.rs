//! Conversations in damaged and in large files. Uuids with halves of surrogate
//! pairs are left out, and so is what makes the official reader fail: times that
//! are numbers, lists of kept messages that are none.

use crate::oracle::line::{Line, follower};
use crate::oracle::store::Store;

pub(super) fn add(store: &mut Store) {
    add_damaged(store);
    add_large(store);
}

fn add_damaged(store: &mut Store) {
    let [a, b, c] = exchange().map(|line| line.to_string());
    let torn = &b[..b.len() - 1];
    for (name, text) in [
        ("empty", String::new()),
        ("one newline", "\n".to_owned()),
        ("last line without its end", format!("{a}\n{b}\n{c}")),
        ("torn last line", format!("{a}\n{b}\n{}", &c[..c.len() - 1])),
        ("CRLF", format!("{a}\r\n{b}\r\n{c}\r\n")),
        ("CR alone", format!("{a}\r{b}\r{c}\r")),
        ("blank lines", format!("\n{a}\n\n  \n{b}\n\t\n{c}\n\n")),
        ("NUL bytes before the first line", format!("\0\0\0{a}\n{b}\n{c}\n")),
        ("NUL bytes before a line", format!("{a}\n\0\0\0{b}\n{c}\n")),
        ("NUL bytes as a line", format!("{a}\n{b}\n\0\0\0\n{c}\n")),
        ("NUL bytes behind a line", format!("{a}\n{b}\n{c}\0\0\n")),
        ("vertical tab before a line", format!("{a}\n\u{b}{b}\n{c}\n")),
        ("escape before a line", format!("{a}\n\u{1b}{b}\n{c}\n")),
        ("delete before a line", format!("{a}\n\u{7f}{b}\n{c}\n")),
        ("no-break space before a line", format!("{a}\n\u{a0}{b}\n{c}\n")),
        ("byte order mark at the start", format!("\u{feff}{a}\n{b}\n{c}\n")),
        ("byte order mark before a line", format!("{a}\n\u{feff}{b}\n{c}\n")),
        ("glued", format!("{a}\n{b}{c}\n")),
        ("glued with a space", format!("{a}\n{b} {c}\n")),
        ("glued behind something torn", format!("{a}\n{torn}{b}\n{c}\n")),
        ("a list", format!("[{a}]\n{b}\n{c}\n")),
        ("not JSON", format!("{a}\nnot json\n{b}\n{{\n{c}\n")),
        ("a raw tab in a text", format!("{a}\n{}\n{c}\n", b.replace("\"b\"", "\"b\t\""))),
        ("a key twice", format!("{a}\n{}\n{c}\n", b.replacen('{', "{\"uuid\":5,", 1))),
        ("an escaped uuid", format!("{a}\n{}\n{c}\n", b.replace("\"b\"", "\"\\u0062\""))),
        ("spaces", format!("{a}\n{}\n{c}\n", b.replace("\":", "\" : "))),
        ("deep", format!("{a}\n{}\n{c}\n", b.replacen('{', &deep(5_000), 1))),
    ] {
        store.add_bytes(name, text.as_bytes());
    }
    let bytes = [a.as_bytes(), b"\n", &b.replace("\"b\"", "\"?\"").into_bytes()].concat();
    let bytes = bytes.iter().map(|byte| if *byte == b'?' { 0xff } else { *byte });
    store.add_bytes("bytes that are not UTF-8", &bytes.collect::<Vec<u8>>());
}

/// The beginning of an object that holds lists in lists.
fn deep(levels: usize) -> String {
    format!("{{\"x\":{}{},", "[".repeat(levels), "]".repeat(levels))
}

const MEBIBYTE: usize = 1024 * 1024;

/// Beyond 5 MiB the official reader passes over what was compacted away. It
/// looks at a mebibyte at a time.
fn add_large(store: &mut Store) {
    let plain = || boundary("z", Some("b"));
    let kept = |json: &str| plain().with_json("compactMetadata", json);
    let segment = r#"{"headUuid":"b","anchorUuid":"z","tailUuid":"b"}"#;
    let text = plain().to_string();
    let middle = MEBIBYTE / 2;
    for (name, boundary, offset) in [
        ("large, compacted", text.clone(), middle),
        ("large, a space first", format!(" {text}"), middle),
        ("large, a NUL first", format!("\0{text}"), middle),
        ("large, no uuid", plain().without("uuid").to_string(), middle),
        ("large, of an agent", plain().with("isSidechain", true).to_string(), middle),
        ("large, no system line", plain().with("type", "user").to_string(), middle),
        ("large, name escaped", text.replace("t_b", "t\\u005fb"), middle),
        ("large, name late", padded(&text, 300), middle),
        ("large, name in time", padded(&text, 100), middle),
        ("large, nothing kept", kept(r#"{"preservedSegment":null}"#).to_string(), middle),
        ("large, a list kept", kept(r#"{"preservedSegment":[]}"#).to_string(), middle),
        (
            "large, a segment kept",
            kept(&format!(r#"{{"preservedSegment":{segment}}}"#)).to_string(),
            middle,
        ),
        (
            "large, messages kept",
            kept(r#"{"preservedMessages":{"anchorUuid":"z","uuids":["b"]}}"#).to_string(),
            middle,
        ),
        ("large, 29 bytes before the edge", text.clone(), 2 * MEBIBYTE - 29),
        ("large, 30 bytes before the edge", text.clone(), 2 * MEBIBYTE - 30),
        ("large, the line before the edge", text.clone(), 2 * MEBIBYTE - text.len()),
        ("large, its end before the edge", text.clone(), 2 * MEBIBYTE - text.len() - 1),
        (
            "large, 30 bytes before the edge, type first",
            text.replacen('{', "{\"type\":\"system\",", 1),
            2 * MEBIBYTE - 30,
        ),
    ] {
        store.add_bytes(name, large(&boundary, offset, 5 * MEBIBYTE).as_bytes());
    }
    let whole = large(&text, middle, 0).len();
    for (name, size) in [("5 MiB", 5 * MEBIBYTE), ("5 MiB and a byte", 5 * MEBIBYTE + 1)] {
        store.add_bytes(name, large(&text, middle, size - whole).as_bytes());
    }
    let torn = large("{}", middle, 5 * MEBIBYTE) + &text;
    store.add_bytes("large, the boundary torn", torn.as_bytes());
    let again = boundary("y", Some("d")).to_string();
    let end = follower("user", "e", Some("y"));
    let twice = large(&text, middle, 5 * MEBIBYTE) + &format!("{again}\n{end}\n");
    store.add_bytes("large, compacted twice", twice.as_bytes());
}

fn exchange() -> [Line; 3] {
    [
        follower("user", "a", None),
        follower("assistant", "b", Some("a")),
        follower("user", "c", Some("b")),
    ]
}

fn boundary(uuid: &str, parent: Option<&str>) -> Line {
    follower("system", uuid, parent).with("subtype", "compact_boundary")
}

/// The object with this many bytes before its first key.
fn padded(object: &str, bytes: usize) -> String {
    object.replacen('{', &format!("{{\"x\":\"{}\",", "y".repeat(bytes)), 1)
}

/// A transcript in which a line starts at `offset` and this many bytes of padding
/// stand behind it.
fn large(line: &str, offset: usize, behind: usize) -> String {
    let [a, b, _] = exchange();
    let before = format!("{a}\n{b}\n");
    let progress = |uuid: &str, bytes: usize| {
        follower("progress", uuid, None).with("data", "y".repeat(bytes)).to_string() + "\n"
    };
    let padding = progress("p", offset - before.len() - progress("p", 0).len());
    let end = follower("user", "d", Some("z"));
    format!("{before}{padding}{line}\n{end}\n{}", progress("q", behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_large_file_stands_where_it_should() {
        let text = large("HERE", 1_000, 10);
        assert_eq!(text.find("HERE"), Some(1_000));
        assert_eq!(large("HERE", 1_000, 20).len() - text.len(), 10);
    }
}
