//! Tests of complete pages.

use super::*;
use crate::export_document::{AbandonedBranch, Chapter, Heading, OrphanSegment};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use conversation::{Conversation, View};
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;

/// A record of a transcript.
fn line(kind: &str, uuid: &str, parent: Option<&str>, content: &Value) -> Value {
    let time = "2026-01-02T03:04:05.000Z";
    json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "timestamp": time,
        "message": {"role": kind, "id": uuid, "model": "claude-sonnet-5", "content": content}})
}

fn transcript() -> String {
    let call = json!([
        {"type": "thinking", "thinking": "Hm <b>."},
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "echo \"a\" # <i>"}},
    ]);
    let answer = json!([{"type": "tool_result", "tool_use_id": "t1", "content": "a\u{1b}[31m&\n"}]);
    let image = json!([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}]);
    let mut orphan = line("user", "u9", Some("gone"), &json!("Orphan."));
    orphan["timestamp"] = json!("2020-01-01T00:00:00Z");
    let lines = [
        orphan,
        line("user", "u1", None, &json!("Say *it*.")),
        line("assistant", "u2", Some("u1"), &call),
        line("user", "u3", Some("u2"), &answer),
        line("assistant", "u4", Some("u3"), &json!([{"type": "text", "text": "<done>"}])),
        line("user", "u5", Some("u4"), &json!("No.")),
        line("user", "u6", Some("u4"), &image),
        line("assistant", "u7", Some("u6"), &json!([{"type": "text", "text": "Seen."}])),
    ];
    lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n")
}

/// The conversation part of a page.
fn body(page: &str) -> &str {
    let (_, rest) = page.split_once("<main id=main>\n").unwrap();
    rest.split_once("</main>").unwrap().0
}

fn with_export<T>(transcript: &str, each: impl FnOnce(ExportDocument<'_>) -> T) -> T {
    let conversation = Conversation::read(transcript.as_bytes(), View::App);
    let turns = conversation.all_turns();
    let branch_turns: Vec<_> = conversation
        .branches
        .iter()
        .map(|branch| conversation.turns_of(&branch.messages))
        .collect();
    let orphan_turns: Vec<_> = conversation
        .orphaned_segments
        .iter()
        .map(|segment| conversation.turns_of(&segment.messages))
        .collect();
    let chapter = |turns| {
        let turns: &conversation::Turns<'_> = turns;
        Chapter {
            conversation: &conversation,
            chain: Vec::new(),
            all_turns: turns,
            turns: turns.turns.iter().collect(),
            costs: HashMap::new(),
        }
    };
    let heading = Heading {
        title: "A <title>".to_owned(),
        session_id: "s".to_owned(),
        project: Some("~/tide & pool".to_owned()),
        ..Heading::default()
    };
    let zone = TimeZone::UTC;
    let persisted = |_: &str| None;
    let mut export = ExportDocument::new(heading, &zone, chapter(&turns), &persisted);
    export.branches = (1..)
        .zip(&conversation.branches)
        .zip(&branch_turns)
        .map(|((number, branch), turns)| AbandonedBranch {
            number,
            branch,
            before: conversation.graph.find("u6"),
            chapter: chapter(turns),
        })
        .collect();
    export.orphans = conversation
        .orphaned_segments
        .iter()
        .zip(&orphan_turns)
        .map(|(segment, turns)| OrphanSegment { segment, before: None, chapter: chapter(turns) })
        .collect();
    each(export)
}

#[test]
fn session_becomes_sections_with_messages_and_folds() {
    let page = with_export(&transcript(), |export| html_page(&export));
    insta::assert_snapshot!(body(&page).replace("</details>", "</details>\n").replace("</div>", "</div>\n"), @r##"
    <section id=t1><h2><a href="#t1">Turn 1</a><span>2026-01-02 03:04:05</span></h2><div class="m p" id=m-u1><p>Say <em>it</em>.</p></div>
    <details class="m k" id=m-u2><summary>Thinking</summary><div><p>Hm &lt;b&gt;.</p></div>
    </details>
    <details class="m c"><summary><b>Bash</b> echo "a" # &lt;i&gt;</summary><pre><b>echo</b> <u>"a"</u> <i># &lt;i&gt;</i></pre><pre class="o">a&amp;</pre></details>
    <div class=m id=m-u4><pre class=h>&lt;done&gt;</pre></div>
    </section>
    <div class=w><details class=b><summary>⎇ Abandoned branch 1: “No.” (1 message)</summary><section><h3 class=t><b>Turn b1.1</b><span>2026-01-02 03:04:05</span></h3><div class="m p" id=m-u5><p>No.</p></div>
    </section>
    </details>
    </div>
    <section id=t2><h2><a href="#t2">Turn 2</a><span>2026-01-02 03:04:05</span></h2><div class="m p" id=m-u6><p>[image]</p></div>
    <div class=m><p><img loading=lazy src="data:image/png;base64,iVBORw0KGgo=" alt="[image image/png, 9 B]"></p></div>
    <div class=m id=m-u7><p>Seen.</p></div>
    </section>
    <details class=g><summary>╌ Orphaned segment: 1 message, the records before are missing</summary><section><h3 class=t><b>Turn o1.1</b><span>2020-01-01 00:00:00</span></h3><div class="m p" id=m-u9><p>Orphan.</p></div>
    </section>
    </details>
    "##);
}

#[test]
fn policy_allows_only_the_own_style_and_script() {
    let page = with_export(&transcript(), |export| html_page(&export));
    let index = html_index(&[], &TimeZone::UTC);
    for page in [page, index] {
        for name in ["style", "script"] {
            let opening = format!("<{name}>");
            let mut pieces = page.split(&opening);
            let (_, rest) = (pieces.next(), pieces.next().unwrap());
            assert_eq!(pieces.next(), None, "one {name}");
            let (content, _) = rest.split_once(&format!("</{name}>")).unwrap();
            let source = format!("sha256-{}", STANDARD.encode(Sha256::digest(content)));
            let message = "page.css or page.js changed: run cargo xtask generate";
            assert!(page.contains(&format!("{name}-src '{source}'")), "{name}: {message}");
        }
        assert!(!page.contains("unsafe") && !page.contains(" style="));
    }
}

#[test]
fn headings_are_escaped() {
    let page = with_export(&transcript(), |mut export| {
        export.masked = Some(2);
        export.left_out.push("turns 1 to <4>".to_owned());
        html_page(&export)
    });
    for words in [
        "<title>A &lt;title&gt;</title>",
        "<h1>A &lt;title&gt;</h1>",
        "<dt>Project</dt><dd>~/tide &amp; pool</dd>",
        "<dt>Masked</dt><dd>2 secrets</dd>",
        "<dt>Left out</dt><dd>turns 1 to &lt;4&gt;</dd>",
        "<a href=\"#t2\"><i>2</i><span>[image]</span></a>",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn ids_are_plain_and_unique() {
    let uuids = ["a b", "ab", "ab-2", "\"><b>ab", "é"];
    let mut parent: Option<&str> = None;
    let mut text = String::new();
    for uuid in uuids {
        text += &format!("{}\n", line("user", uuid, parent, &json!("x")));
        parent = Some(uuid);
    }
    let page = with_export(&text, |export| html_page(&export));
    let ids: Vec<&str> =
        body(&page).split(" id=m-").skip(1).map(|rest| rest.split('>').next().unwrap()).collect();
    assert_eq!(ids, ["ab", "ab-2", "ab-2-2", "bab", ""]);
}

#[test]
fn only_valid_images_are_embedded() {
    let table = [
        ("image/png", "AAAA", true),
        ("image/webp", "AA==", true),
        ("image/svg+xml", "AAAA", false),
        ("text/html", "AAAA", false),
        ("IMAGE/PNG", "AAAA", false),
        ("image/png", "AA\"A", false),
        ("image/png", "AAA", false),
        ("image/png", "A===", false),
        ("image/png", "====", false),
        ("image/png", "", false),
    ];
    for (kind, data, expected) in table {
        let source = json!({"type": "base64", "media_type": kind, "data": data});
        let text = line("user", "u", None, &json!([{"type": "image", "source": source}]));
        let page = with_export(&format!("{text}\n"), |export| html_page(&export));
        assert_eq!(body(&page).contains("<img "), expected, "{kind} {data}");
    }
}

#[test]
fn index_lists_sessions_with_links_and_facts() {
    let entry = crate::IndexEntry {
        file: "2026-01-02-x-0000\"0001.html".to_owned(),
        title: "<b>".to_owned(),
        project: Some("~/a&b".to_owned()),
        started: "2026-01-02T03:04:05Z".parse().ok(),
        turns: 3,
        output_tokens: 1_234,
        agents_cost: Some(usage::PicoUsd(500_000_000_000)),
        ..crate::IndexEntry::default()
    };
    let page = html_index(&[&entry], &TimeZone::UTC);
    let (_, rows) = page.split_once("<tbody>\n").unwrap();
    let (row, _) = rows.split_once("\n</tbody>").unwrap();
    assert_eq!(
        row,
        "<tr><td><a href=\"./2026-01-02-x-0000&quot;0001.html\">&lt;b&gt;</a></td><td>~/a&amp;b</td><td>2026-01-02 03:04:05</td><td></td><td class=r>3</td><td class=r>1.2k</td><td class=r></td><td class=r>$0.5000</td></tr>"
    );
}

#[test]
fn diffs_are_open_and_other_calls_are_folded() {
    let edit = json!([{"type": "tool_use", "id": "t1", "name": "Edit",
        "input": {"file_path": "/a.rs", "old_string": "low", "new_string": "high"}}]);
    let answer = |id: &str| json!([{"type": "tool_result", "tool_use_id": id, "content": "done"}]);
    let bash =
        json!([{"type": "tool_use", "id": "t2", "name": "Bash", "input": {"command": "ls"}}]);
    let mut edited = line("user", "u3", Some("u2"), &answer("t1"));
    edited["toolUseResult"] = json!({"filePath": "/a.rs", "structuredPatch": [{"oldStart": 1,
        "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-low", "+high"]}]});
    let lines = [
        line("user", "u1", None, &json!("Raise it.")),
        line("assistant", "u2", Some("u1"), &edit),
        edited,
        line("assistant", "u4", Some("u3"), &bash),
        line("user", "u5", Some("u4"), &answer("t2")),
    ];
    let text = lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n");
    let page = with_export(&text, |export| html_page(&export));
    let folds: Vec<&str> =
        body(&page).split("<details").skip(1).map(|rest| rest.split('>').next().unwrap()).collect();
    assert_eq!(folds, [" open class=\"m c\" id=m-u2", " class=\"m c\" id=m-u4"]);
}

#[test]
fn chart_names_its_lanes_and_is_not_an_image() {
    let mut text = String::new();
    let mut parent: Option<String> = None;
    for (at, kind) in ["user", "assistant", "user", "assistant"].into_iter().enumerate() {
        let uuid = format!("u{at}");
        let mut own = line(kind, &uuid, parent.as_deref(), &json!([{"type": "text", "text": "x"}]));
        if kind == "assistant" {
            own["message"]["usage"] = json!({"input_tokens": 1, "output_tokens": 1_000 * at});
        }
        text += &format!("{own}\n");
        parent = Some(uuid);
    }
    let page = with_export(&text, |export| html_page(&export));
    let (_, chart) = page.split_once("<div class=tl>").unwrap();
    let (chart, _) = chart.split_once("</div>").unwrap();
    assert!(chart.contains("<li>Tokens out <b>4.0k</b>, highest 3.0k</li>"), "{chart}");
    assert!(chart.contains("<li>Cost not recorded</li>"), "{chart}");
    assert!(chart.ends_with("<p><span>turn 1</span><span>turn 2</span></p>"), "{chart}");
    // A reader that treats it as an image would hide its links.
    assert!(chart.contains("<a href=\"#t2\"") && !page.contains("role=img"), "{chart}");
}

#[test]
fn page_has_the_command_that_resumes_its_session() {
    let page = with_export(&transcript(), |export| html_page(&export));
    assert!(page.contains("<dt>Resume</dt><dd class=id><code>claude --resume s</code></dd>"));
    let page = with_export(&transcript(), |mut export| {
        export.heading.agent_id = Some("a1".to_owned());
        html_page(&export)
    });
    assert!(!page.contains("<dt>Resume</dt>"), "an agent cannot be resumed");
}
