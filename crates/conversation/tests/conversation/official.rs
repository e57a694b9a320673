//! Compares view `sdk` with the recorded output of the official reader on real
//! transcripts, if those are available. `cargo xtask oracle` runs the reader itself.

use conversation::{Conversation, View};
use std::fs;
use std::path::{Path, PathBuf};

/// The transcripts of the corpus: (session or session/agent, path).
fn transcripts() -> Vec<(String, PathBuf)> {
    let corpus =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude/projects");
    let mut found = Vec::new();
    for folder in fs::read_dir(&corpus).into_iter().flatten().flatten() {
        for entry in fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let path = entry.path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                for agent in fs::read_dir(path.join("subagents")).into_iter().flatten().flatten() {
                    let name = agent.file_name().to_string_lossy().into_owned();
                    let id =
                        name.strip_prefix("agent-").and_then(|name| name.strip_suffix(".jsonl"));
                    found.extend(id.map(|id| (format!("{stem}/{id}"), agent.path())));
                }
            } else {
                found.push((stem, path));
            }
        }
    }
    found
}

#[test]
fn view_sdk_equals_the_official_reader_on_real_transcripts() {
    let transcripts = transcripts();
    if transcripts.is_empty() {
        println!("SKIPPED: no real transcripts beside the repository");
        return;
    }
    let mut compared = 0;
    for line in include_str!("official.txt").lines().filter(|line| !line.starts_with('#')) {
        let (name, uuids) = line.split_once(':').expect("a name and uuids");
        let expected: Vec<&str> = uuids.split_whitespace().collect();
        let (_, path) = transcripts.iter().find(|(known, _)| known == name).expect(name);
        let bytes = fs::read(path).expect("a readable file");
        let messages = if name.contains('/') {
            Conversation::read_agent(&bytes, View::Sdk).messages
        } else {
            Conversation::read(&bytes, View::Sdk).messages
        };
        let found: Vec<&str> = messages.iter().map(|message| &message.uuid[..8]).collect();
        assert_eq!(found, expected, "{name}");
        compared += 1;
    }
    assert!(compared > 80);
}

#[test]
fn every_message_of_real_transcripts_is_accounted_for() {
    for (name, path) in transcripts() {
        let bytes = fs::read(&path).expect("a readable file");
        for view in [View::App, View::Sdk] {
            let conversation = Conversation::read(&bytes, view);
            for id in conversation.graph.ids() {
                let node = conversation.graph.node(id);
                if node.is_message() && !node.is_sidechain && !node.is_team {
                    assert!(conversation.state(id).is_some(), "{name} line {}", node.line);
                }
            }
        }
    }
}
