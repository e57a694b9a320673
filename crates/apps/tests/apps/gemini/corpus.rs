//! Sessions that Gemini CLI wrote, if they are available.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use apps::gemini::{FileForm, Reader, SessionFile, is_listed, parse_projects, read_document};
use apps::{EntryState, Session, read_whole};

fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/gemini/.gemini");
    if path.is_dir() {
        return Some(path);
    }
    println!("SKIPPED: no sessions of Gemini CLI beside the repository");
    None
}

/// Every session, with its path below `tmp`.
fn sessions(root: &Path) -> Vec<(String, Session)> {
    let tmp = root.join("tmp");
    let mut found = Vec::new();
    let mut folders = vec![tmp.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a readable folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&tmp).ok().and_then(Path::to_str);
            let name = name.expect("a name in UTF-8").to_owned();
            let Some(file) = SessionFile::parse(&name) else { continue };
            let bytes = fs::read(&path).expect("a readable file");
            let session = match file.form {
                FileForm::Log => read_whole::<Reader>(&bytes),
                FileForm::Document => read_document(&bytes),
            };
            assert!(session.header.id.starts_with(file.id), "{name}");
            for entry in &session.entries {
                assert!(entry.place.offset + entry.place.bytes <= bytes.len() as u64, "{name}");
            }
            found.push((name, session));
        }
    }
    found
}

#[test]
fn nothing_of_real_sessions_is_unknown() {
    let Some(root) = corpus() else { return };
    let sessions = sessions(&root);
    assert_eq!(sessions.len(), 10);
    for (name, session) in &sessions {
        assert_eq!(session.unknown.iter().collect::<Vec<_>>(), [], "{name}");
        assert!(session.problems.is_empty(), "{name}");
    }
}

/// The sessions that `gemini --list-sessions` of 0.61.0 lists for the folders of the corpus.
#[test]
fn the_sessions_that_the_program_lists_are_listed() {
    let Some(root) = corpus() else { return };
    let mut listed: Vec<String> = sessions(&root)
        .into_iter()
        .filter(|(name, session)| {
            let file = SessionFile::parse(name);
            file.is_some_and(|file| file.parent.is_none()) && is_listed(session)
        })
        .map(|(_, session)| session.header.id.chars().take(8).collect())
        .collect();
    listed.sort();
    let expected = [
        "3f1601f1", "4e151b0b", "914f3c63", "970c70a7", "ef4ee013", "f7633853", "faff42ab",
        "gemini_s",
    ];
    assert_eq!(listed, expected);
}

#[test]
fn every_generated_call_is_counted_once() {
    let Some(root) = corpus() else { return };
    let mut calls = BTreeMap::new();
    for (name, session) in sessions(&root) {
        if name.starts_with("demo/") {
            for call in session.api_calls {
                assert!(calls.insert(call.key, call.tokens.total()).is_none(), "{name}");
            }
        }
    }
    assert_eq!((calls.len(), calls.values().sum::<u64>()), (14, 14_737));
}

#[test]
fn an_undone_turn_is_shown_as_undone_and_a_resume_doubles_nothing() {
    let Some(root) = corpus() else { return };
    let sessions = sessions(&root);
    let find = |id: &str| &sessions.iter().find(|(name, _)| name.contains(id)).unwrap().1;
    let rewound = find("3f1601f1");
    assert_eq!(rewound.prompts().count(), 3);
    let undone = rewound.entries.iter().filter(|entry| entry.state == EntryState::Undone);
    assert_eq!(undone.count(), 2);
    assert_eq!(find("4e151b0b").prompts().count(), 2);
    assert_eq!(find("4e151b0b").header.directory.as_deref(), Some("/home/dev/demo"));
    let projects = parse_projects(&fs::read(root.join("projects.json")).unwrap());
    assert_eq!(projects, [("/home/dev/demo".to_owned(), "demo".to_owned())]);
}
