//! Titles: given by a person or by a model, in the transcript and in the small
//! file beside it; cleared, torn, glued, nested and at the edges of what is read.

use crate::oracle::line::{Line, ai_title, padding, title, user};
use crate::oracle::store::Store;

const SIDECAR: &str = "custom-title.json";

pub(super) fn add(store: &mut Store) {
    let base = user("hello");
    store.add("title on user line", &[&user("hello").with("customTitle", "T1")]);
    store.add(
        "title nested",
        &[&user("hello").with_json("toolUseResult", r#"{"customTitle":"T2"}"#)],
    );
    store.add("title type", &[&base, &title("T3").with("sessionId", "S")]);
    store.add(
        "title spaced both",
        &[&base, &r#"{"type":"custom-title","customTitle": "spaced"}"#, &title("tight")],
    );
    store.add(
        "title spaced only",
        &[&base, &r#"{"type": "custom-title", "customTitle": "spaced"}"#],
    );
    store.add("title empty last", &[&base, &title("A"), &title("")]);
    store.add("title white space", &[&base, &title("  ")]);
    store.add("title padded", &[&base, &title("  x ")]);
    store.add("title newline", &[&base, &title("a\nb")]);
    store.add("title bad escape", &[&base, &r#"{"type":"custom-title","customTitle":"a\qb"}"#]);
    store
        .add("title unterminated", &[&base, &r#"{"type":"custom-title","customTitle":"abc"#])
        .torn();
    store.add("ai title", &[&base, &ai_title("AI")]);
    store.add("ai title+custom earlier", &[&base, &title("C"), &ai_title("AI")]);
    store
        .add("sidecar vs tail", &[&base, &title("C")])
        .beside(SIDECAR, r#"{"customTitle":"SIDE"}"#);
    store
        .add("sidecar empty vs ai", &[&base, &ai_title("AI")])
        .beside(SIDECAR, r#"{"customTitle":""}"#);
    store.add("sidecar null", &[&base, &ai_title("AI")]).beside(SIDECAR, r#"{"customTitle":null}"#);
    store.add("sidecar bad json", &[&base]).beside(SIDECAR, r#"{"customTitle":"SIDE""#);
    store.add("only title", &[&title("SUM")]);
    store.add("title in middle", &[&base, &padding(70_000), &title("MID"), &padding(70_000)]);
    store.add("title in head", &[&base, &title("HEAD"), &padding(70_000)]);
    store
        .add("title in head and sidecar", &[&base, &title("HEAD"), &padding(70_000)])
        .beside(SIDECAR, r#"{"customTitle":"SIDE"}"#);
    store.add("ai head", &[&base, &ai_title("AIHEAD"), &padding(70_000)]);
    store.add(
        "title in cut tail",
        &[
            &base,
            &format!(
                r#"{{"type":"custom-title","x":"{}","customTitle":"cutT"}}"#,
                "y".repeat(70_000)
            ),
        ],
    );
    store.add("title number", &[&base, &r#"{"type":"custom-title","customTitle":5}"#]);
    store.add(
        "title duplicate key",
        &[&base, &r#"{"type":"custom-title","customTitle":"a","customTitle":"b"}"#],
    );
    store.add(
        "title sidechain line",
        &[&base, &r#"{"type":"custom-title","customTitle":"a","isSidechain":true}"#],
    );
    store.add("title malformed after", &[&base, &r#"{"type":"custom-title","customTitle":"a",,}"#]);
    store.add(
        "title other session",
        &[&base, &title("OS").with("sessionId", "ffffffff-0000-4000-8000-000000000009")],
    );
    store.add("garbage+title", &[&base, &format!("xxx{}", title("CT"))]);
    store.add("title+garbage", &[&base, &format!("{}xxx", title("CT"))]);
    store.add("title+title", &[&base, &format!("{}{}", title("CT"), title("CT2"))]);
    store.add("title key order", &[&base, &title("CT").reversed()]);
    store.add("glued order", &[&format!("{base}{}", title("CT").reversed())]);
    store
        .add("glued spaced", &[&format!(r#"{base}{{"type": "custom-title","customTitle":"CT"}}"#)]);
    store.add(
        "torn+title glued",
        &[&base, &format!(r#"{{"type":"user","message":{{"content":"abc{}"#, title("CT"))],
    );
    store.add("title inside torn string", &[&base, &r#"{"type":"user","message":{"content":"abc {"type":"custom-title","customTitle":"CT"} def"}}"#]);
    store.add(
        "title nested valid",
        &[&base, &Line::of("z").with_json("o", r#"{"type":"custom-title","customTitle":"CT"}"#)],
    );
    store.add(
        "title nested array",
        &[&base, &Line::of("z").with_json("o", r#"[{"type":"custom-title","customTitle":"CT"}]"#)],
    );
    store.add("ai glued", &[&format!("{base}{}", ai_title("AI"))]);
    store.add("indent title", &[&base, &format!("   {}", title("CT"))]);
    store.add("nul title", &[&base, &format!("\0\0{}", title("CT"))]);
    store.add("title carriage return", &[&base, &format!("{}\r", title("CT"))]);
    store
        .add("title cleared, sidecar set", &[&base, &title("A"), &title("")])
        .beside(SIDECAR, r#"{"customTitle":"SIDE"}"#);
    store.add(
        "title number after",
        &[&base, &title("CT"), &r#"{"type":"custom-title","customTitle":5}"#],
    );
    store.add("title missing after", &[&base, &title("CT"), &r#"{"type":"custom-title"}"#]);
    store.add("cleared + ai", &[&base, &title("CT"), &title(""), &ai_title("AI")]);
    store.add("ai then cleared", &[&base, &ai_title("AI"), &title("CT"), &title("")]);
    store.add("head title, tail cleared", &[&base, &title("CT"), &padding(70_000), &title("")]);
    store.add(
        "head cleared, tail none, ai tail",
        &[&base, &title("CT"), &title(""), &padding(70_000), &ai_title("AI")],
    );
    store.add(
        "ai cleared tail, head ai",
        &[&base, &ai_title("AI"), &padding(70_000), &ai_title("")],
    );
    store.add(
        "title two spaces",
        &[&base, &r#"{"type"  :  "custom-title","customTitle"  :  "TS2"}"#],
    );
    store.add("title over 200", &[&base, &title(&"T".repeat(500))]);
    store.add(
        "title line quoted in a prompt",
        &[&base, &user(r#"{"type":"custom-title","customTitle":"no"}"#)],
    );
    store
        .add("sidecar + cleared in head big", &[&base, &padding(70_000)])
        .beside(SIDECAR, r#"{"customTitle":"SIDE","x":1}"#);
    store.add("sidecar title number", &[&base]).beside(SIDECAR, r#"{"customTitle":7}"#);
    store.add("sidecar white space", &[&base]).beside(SIDECAR, r#"{"customTitle":"  pad "}"#);
    for key in ["customTitle", "title", "name", "custom_title", "value"] {
        let text = format!(r#"{{"{key}":"SIDE"}}"#);
        store.add(&format!("sidecar {key}"), &[&base]).beside(SIDECAR, &text);
    }
    store.add("title glued", &[&format!("{base}{}", title("GL"))]);
    store.add_bytes("title, CRLF", format!("{base}\r\n{}\r\n", title("CR")).as_bytes());
}
