//! `annals export --format xml`: the document, its rules and its parts.

use crate::cli::support::run::{Answer, annals};
use crate::cli::support::sample_session::{FILE, ID, story};
use std::path::{Path, PathBuf};
use testkit::Sandbox;

fn export(sandbox: &Sandbox, options: &[&str]) -> Answer {
    annals(sandbox, &[&["export", ID, "--format", "xml"], options].concat())
}

/// The document on standard output.
fn document(sandbox: &Sandbox, options: &[&str]) -> String {
    let answer = export(sandbox, &[options, &["-o", "-"]].concat());
    assert_eq!(answer.code, 0, "{}", answer.err);
    assert!(answer.err.contains(" % of the full size ("), "{}", answer.err);
    answer.out
}

/// Names of the files in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn folder(sandbox: &Sandbox) -> (PathBuf, String) {
    let folder = sandbox.path().join("out");
    std::fs::create_dir_all(&folder).unwrap();
    let name = folder.to_str().unwrap().to_owned();
    (folder, name)
}

#[test]
fn session_is_one_xml_document() {
    let sandbox = story();
    let text = document(&sandbox, &[]);
    let source = text.find("source=\"").map(|at| at + 8).unwrap();
    let end = source + text[source..].find('"').unwrap();
    let text = format!("{}[SOURCE]{}", &text[..source], &text[end..]);
    let is_wave = |line: &&str| line.starts_with("wave ") && !line.contains('<');
    let text: Vec<&str> = text.lines().filter(|line| !is_wave(line)).collect();
    let text = text.join("\n");
    insta::assert_snapshot!(text, @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <session format="annals/xml/1">
    <meta session="00000001-0000-4000-8000-000000000001" title="Tides" source="[SOURCE]" project="/home/ada/tidepool" branch="main" model="claude-sonnet-5" version="2.1.80" started="2026-01-20T08:00:00Z" ended="2026-01-20T10:05:06Z" rules="bookkeeping agents discovery docs reads parameters results echo"/>
    <gap missing="gone" place="before" messages="1">
    <user turn="o1.1" time="2026-01-20T08:00:00Z">A stray remark</user>
    </gap>
    <user turn="1" time="2026-01-20T09:00:00Z">Look at the tides</user>
    <thinking>The moon pulls.</thinking>
    <usage model="claude-sonnet-5" input="3" output="5" cache_read="0" cache_write="0"/>
    <tool_use name="Read" id="t1"><param name="file_path">/home/ada/tidepool/src/tide.rs</param></tool_use>
    <tool_result tool="Read" id="t1">fn tide() {}</tool_result>
    <usage input="3" output="5" cache_read="0" cache_write="0"/>
    <assistant>They come **twice** a day.</assistant>
    <usage input="3" output="5" cache_read="0" cache_write="0"/>
    <compaction trigger="auto" before="150000" after="9000"/>
    <summary>We spoke of tides.</summary>
    <user turn="2" time="2026-01-20T10:00:00Z">Fix the ebb</user>
    <tool_use name="Edit" id="t2"><param name="file_path">/home/ada/tidepool/src/tide.rs</param><param name="new_string">ebb
    flow</param><param name="old_string">ebb</param></tool_use>
    <tool_result tool="Edit" id="t2">Edited.</tool_result>
    <usage input="3" output="5" cache_read="0" cache_write="0"/>
    <tool_use name="Bash" id="t3"><param name="command">cargo test</param></tool_use>
    <tool_result tool="Bash" id="t3" status="error">Exit code 101
    wave 60</tool_result>
    <usage input="3" output="5" cache_read="0" cache_write="0"/>
    <tool_use name="Task" id="t4"><param name="description">survey</param><param name="prompt">Survey the shore</param><param name="subagent_type">Explore</param></tool_use>
    <agent id="shore" type="Explore" description="survey" call="t4" model="claude-sonnet-5" outcome="done">
    <user turn="1" time="2026-01-20T10:00:20Z">Survey the shore</user>
    <tool_use name="Grep" id="g1"><param name="pattern">sand</param></tool_use>
    <tool_result tool="Grep" id="g1" status="denied">This command requires approval</tool_result>
    <usage input="3" output="5" cache_read="0" cache_write="0"/>
    <tool_use name="Agent" id="g2"><param name="prompt">Count crabs</param><param name="subagent_type">Count</param></tool_use>
    <agent id="crabs" type="Count" call="g2" model="claude-sonnet-5" outcome="done">
    <user turn="1" time="2026-01-20T10:00:41Z">Count crabs</user>
    <assistant>Seven.</assistant>
    <usage input="3" output="5" cache_read="0" cache_write="0"/>
    </agent>
    <tool_result tool="Agent" id="g2">Seven.</tool_result>
    <usage input="3" output="5" cache_read="0" cache_write="0"/>
    <assistant>Sandy.</assistant>
    <usage input="3" output="5" cache_read="0" cache_write="0"/>
    </agent>
    <tool_result tool="Task" id="t4">Sandy.</tool_result>
    <usage input="3" output="5" cache_read="0" cache_write="0"/>
    <assistant>Fixed.</assistant>
    <usage input="3" output="5" cache_read="0" cache_write="0"/>
    <branch abandoned="edit" number="1" messages="2">
    <user turn="b1.1" time="2026-01-20T10:02:00Z">Never mind</user>
    <assistant>As you wish.</assistant>
    <usage input="3" output="5" cache_read="0" cache_write="0"/>
    </branch>
    <user turn="3" time="2026-01-20T10:05:00Z">Thank you</user>
    <tool_use name="Skill" id="t5"><param name="skill">bow</param></tool_use>
    <tool_result tool="Skill" id="t5" status="missing"/>
    <usage input="3" output="5" cache_read="0" cache_write="0"/>
    <assistant>Gladly.</assistant>
    <usage input="3" output="5" cache_read="0" cache_write="0"/>
    <omitted rule="bookkeeping" lines="1" bytes="54"/>
    <omitted rule="agents" agent="warm" warmup="true" empty="true" bytes="283"/>
    <agent id="flow" model="claude-sonnet-5" outcome="done" workflow="wf_1">
    <user turn="1" time="2026-01-20T10:03:00Z">Weigh the water</user>
    <assistant>Heavy.</assistant>
    <usage input="3" output="5" cache_read="0" cache_write="0"/>
    </agent>
    </session>
    "#);
}

#[test]
fn keep_switches_off_reduction_rules_singly_and_all_at_once() {
    let sandbox = story();
    let omission = "<omitted rule=\"agents\" agent=\"warm\"";
    assert!(document(&sandbox, &[]).contains(omission));
    assert!(document(&sandbox, &["--keep", "reads"]).contains(omission));
    for options in [&["--keep", "echo", "--keep", "agents"][..], &["--keep", "all"]] {
        let text = document(&sandbox, options);
        assert!(text.contains("<agent id=\"warm\"") && !text.contains(omission), "{text}");
    }
    let all = document(&sandbox, &["--keep", "all"]);
    assert!(!all.contains("omitted") && all.contains("<record kind=\"custom-title\""), "{all}");
    assert!(export(&sandbox, &["--keep", "tides", "-o", "-"]).complaint(2).contains("bookkeeping"));
}

#[test]
fn deselected_parts_are_left_out() {
    let sandbox = story();
    let text = document(&sandbox, &["--agents", "none", "--no-thinking", "--tools", "none"]);
    for name in ["<agent", "<thinking", "<tool_use", "<tool_result"] {
        assert!(!text.contains(name), "{name} in {text}");
    }
    let text = document(&sandbox, &["--from", "3", "--agents", "none"]);
    assert!(text.contains("Thank you") && !text.contains("Fix the ebb"), "{text}");
    assert_eq!(text.matches("<usage").count(), 2, "{text}");
    assert!(text.contains("without=\"2 turns of 3, agents\""), "{text}");
}

#[test]
fn reduction_is_reported() {
    let sandbox = story();
    let (folder, name) = folder(&sandbox);
    let file = folder.join("a.xml");
    let file = file.to_str().unwrap();
    let answer = annals(&sandbox, &["export", ID, "-o", file]).done();
    assert!(
        answer.out.contains(" % of the full size (") && answer.out.contains(" tokens)\n"),
        "{}",
        answer.out
    );
    let answer = export(&sandbox, &["-o", &name, "--json"]).done().json();
    let one = &answer["files"][0];
    assert_eq!(one["bytes"], one["reduction"]["after_bytes"]);
    let all = export(&sandbox, &["-o", &name, "--json", "--keep", "all", "--force"]).done().json();
    let all = &all["files"][0];
    assert_eq!(all["reduction"]["before_bytes"], all["bytes"]);
    assert_eq!(one["reduction"]["before_bytes"], all["bytes"]);
}

#[test]
fn parts_are_numbered_files_and_written_all_or_none() {
    let sandbox = story();
    let (folder, name) = folder(&sandbox);
    let answer = export(&sandbox, &["-o", &name, "--max-tokens", "300", "--json"]).done().json();
    let files = answer["files"].as_array().unwrap();
    let count = files.len();
    assert!(count > 3, "{answer}");
    assert_eq!(names(&folder).len(), count);
    let mut whole = String::new();
    for (number, file) in (1..).zip(files) {
        let path = file["path"].as_str().unwrap();
        assert!(path.ends_with(&format!("-part{number}.xml")), "{path}");
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.len() <= 1200, "{path} has {} bytes", text.len());
        let parsed = roxmltree::Document::parse(&text).unwrap();
        let root = parsed.root_element();
        assert_eq!(root.attribute("part"), Some(number.to_string().as_str()));
        assert_eq!(root.attribute("parts"), Some(count.to_string().as_str()));
        whole += &text;
    }
    assert!(whole.contains("continued=\"true\"") && whole.contains(FILE), "{whole}");

    // Again: nothing is written over, nor beside.
    std::fs::remove_file(files[0]["path"].as_str().unwrap()).unwrap();
    let before = names(&folder);
    let answer = export(&sandbox, &["-o", &name, "--max-tokens", "300"]);
    assert!(answer.complaint(2).contains("--force"), "{}", answer.err);
    assert_eq!(names(&folder), before);
    export(&sandbox, &["-o", &name, "--max-tokens", "300", "--force"]).done();
    assert_eq!(names(&folder).len(), count);
}

#[test]
fn oversized_entry_gets_its_part_and_a_note() {
    let sandbox = story();
    let (folder, name) = folder(&sandbox);
    let answer = export(&sandbox, &["-o", &name, "--max-tokens", "1"]);
    assert_eq!(answer.code, 0);
    assert!(answer.err.contains("exceed --max-tokens"), "{}", answer.err);
    assert!(names(&folder).len() > 20);
    for name in names(&folder) {
        let text = std::fs::read_to_string(folder.join(&name)).unwrap();
        let parsed = roxmltree::Document::parse(&text).unwrap();
        assert_eq!(parsed.root_element().attribute("oversize"), Some("true"), "{name}");
    }
}

#[test]
fn contradictory_options_are_refused_with_a_reason() {
    let sandbox = story();
    let answer = export(&sandbox, &["-o", "-", "--max-tokens", "300"]);
    assert!(answer.complaint(2).contains("-o DIR"), "{}", answer.err);
    for options in [&["--keep", "all"][..], &["--max-tokens", "9"]] {
        let answer = annals(&sandbox, &[&["export", ID, "-o", "-"], options].concat());
        assert!(answer.complaint(2).contains("--format xml"), "{}", answer.err);
    }
    assert!(
        export(&sandbox, &["--max-tokens", "0", "-o", "-"]).complaint(2).contains("--max-tokens")
    );
    // A document of one part is not refused.
    assert_eq!(export(&sandbox, &["-o", "-", "--max-tokens", "100000"]).code, 0);
}
