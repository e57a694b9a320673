//! Sessions that OpenCode wrote, if they are available: the older tree, and exports as such a
//! tree.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use apps::opencode::{Reader, Row, StorageFile, Table, document_of_rows};
use apps::{EntryKind, JsonText, Session, read_whole};

fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/opencode");
    if path.is_dir() {
        return Some(path);
    }
    println!("SKIPPED: no sessions of OpenCode beside the repository");
    None
}

/// The sessions of an older tree, by id.
fn read_tree(root: &Path) -> BTreeMap<String, Session> {
    let mut rows: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    let mut folders = vec![root.join("storage")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a readable folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).ok().and_then(Path::to_str).unwrap_or_default();
            let Some(file) = StorageFile::parse(name) else { continue };
            let bytes = fs::read(&path).expect("a readable file");
            let text = String::from_utf8_lossy(&bytes);
            let of = JsonText::parse(&text).and_then(|object| object.string("sessionID"));
            let session = of.unwrap_or_else(|| file.id.to_owned());
            rows.entry(session).or_default().extend(Row::from_file(file, &bytes));
        }
    }
    let read = |rows| read_whole::<Reader>(&document_of_rows(rows));
    rows.into_iter().map(|(id, rows)| (id, read(rows))).collect()
}

/// An export as rows.
fn read_export(text: &str) -> Session {
    let export = JsonText::parse(text).expect("JSON");
    let mut rows = Vec::new();
    let mut add = |table, object: JsonText<'_>, parent: &str| {
        let id = object.string("id").expect("an id");
        let file = StorageFile { table, parent, id: &id };
        rows.extend(Row::from_file(file, object.text().as_bytes()));
        id
    };
    let info = export.get("info").expect("a session");
    let session = add(Table::Session, info, "project");
    for message in export.get("messages").into_iter().flat_map(JsonText::elements) {
        let id = add(Table::Message, message.get("info").expect("a message"), &session);
        for part in message.get("parts").into_iter().flat_map(JsonText::elements) {
            add(Table::Part, part, &id);
        }
    }
    read_whole::<Reader>(&document_of_rows(rows))
}

#[test]
fn the_older_tree_is_read() {
    let Some(root) = corpus() else { return };
    let sessions = read_tree(&root.join("old/opencode"));
    assert_eq!(sessions.len(), 3);
    let mut calls = BTreeMap::new();
    for (id, session) in &sessions {
        assert_eq!(&session.header.id, id);
        assert_eq!(session.unknown.iter().collect::<Vec<_>>(), []);
        assert!(session.problems.is_empty());
        for call in &session.api_calls {
            calls.insert(call.key.clone(), call.tokens.output);
        }
    }
    assert_eq!(calls.len(), 9);
    assert!(calls.values().all(|output| *output == 10), "reasoning is part of the output");
    let agents = sessions.values().filter(|session| !session.header.lineage.is_empty());
    assert_eq!(agents.count(), 1);
}

#[test]
fn real_exports_have_nothing_unknown() {
    let Some(root) = corpus() else { return };
    let (mut count, mut compactions, mut diffs) = (0, 0, 0);
    for file in fs::read_dir(root.join("exports")).unwrap().flatten() {
        let text = fs::read_to_string(file.path()).unwrap();
        let session = read_export(&text);
        let name = file.file_name();
        assert_eq!(session.unknown.iter().collect::<Vec<_>>(), [], "{}", name.display());
        assert!(session.problems.is_empty() && session.prompts().count() > 0);
        count += 1;
        for entry in &session.entries {
            compactions += usize::from(matches!(entry.kind, EntryKind::Compaction(_)));
            if let EntryKind::Result { changes, .. } = &entry.kind {
                diffs += changes.iter().filter(|change| change.diff.is_some()).count();
            }
        }
    }
    assert_eq!((count, compactions), (7, 1));
    assert!(diffs >= 20, "{diffs}");
}
