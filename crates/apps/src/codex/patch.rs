//! Changes of files: patches in the language of `apply_patch`, and the changes that Codex
//! recorded when it applied one.

use std::collections::BTreeMap;

use crate::{ChangeKind, FileChange};
use serde::Deserialize;

use crate::codex::text::Text;

/// A change as `patch_apply_end` and `FileChange` items record it.
#[derive(Deserialize)]
pub(crate) struct RecordedChange<'a> {
    #[serde(borrow, rename = "type")]
    kind: Text<'a>,
    #[serde(borrow)]
    content: Option<Text<'a>>,
    #[serde(borrow)]
    unified_diff: Option<Text<'a>>,
    #[serde(borrow)]
    move_path: Option<Text<'a>>,
}

/// The changes of one application, by path.
pub(crate) fn recorded_changes(changes: BTreeMap<Text<'_>, RecordedChange<'_>>) -> Vec<FileChange> {
    changes
        .into_iter()
        .map(|(path, change)| {
            let moved_to = change.move_path.map(Text::into_string);
            let kind = match &*change.kind {
                "add" => ChangeKind::Write,
                "delete" => ChangeKind::Delete,
                _ if moved_to.is_some() => ChangeKind::Move,
                _ => ChangeKind::Edit,
            };
            FileChange {
                path: path.into_string(),
                kind,
                moved_to,
                diff: change.unified_diff.map(Text::into_string),
                // The content of a deleted file is what it was before.
                content: change
                    .content
                    .filter(|_| kind == ChangeKind::Write)
                    .map(Text::into_string),
            }
        })
        .collect()
}

/// The changes that a patch asks for. Its hunks become the diff; they have no line numbers,
/// because the language has none.
pub(crate) fn parse_patch(text: &str) -> Vec<FileChange> {
    let Some((_, body)) = text.split_once("*** Begin Patch") else { return Vec::new() };
    let mut changes: Vec<FileChange> = Vec::new();
    for line in body.lines() {
        if let Some(heading) = line.strip_prefix("*** ") {
            let mut start = |path: &str, kind| {
                changes.push(FileChange {
                    path: path.trim().to_owned(),
                    kind,
                    moved_to: None,
                    diff: (kind == ChangeKind::Edit).then(String::new),
                    content: (kind == ChangeKind::Write).then(String::new),
                });
            };
            if let Some(path) = heading.strip_prefix("Add File:") {
                start(path, ChangeKind::Write);
            } else if let Some(path) = heading.strip_prefix("Update File:") {
                start(path, ChangeKind::Edit);
            } else if let Some(path) = heading.strip_prefix("Delete File:") {
                start(path, ChangeKind::Delete);
            } else if let Some(path) = heading.strip_prefix("Move to:") {
                if let Some(change) = changes.last_mut() {
                    change.kind = ChangeKind::Move;
                    change.moved_to = Some(path.trim().to_owned());
                }
            } else if heading.starts_with("End Patch") {
                break;
            }
            continue;
        }
        let Some(change) = changes.last_mut() else { continue };
        if let Some(content) = &mut change.content {
            if let Some(added) = line.strip_prefix('+') {
                content.push_str(added);
                content.push('\n');
            }
        } else if let Some(diff) = &mut change.diff {
            diff.push_str(line);
            diff.push('\n');
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_names_every_file_it_changes() {
        let changes = parse_patch(
            "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: new.txt\n+one\n+two\n\
             *** Update File: old.txt\n*** Move to: moved.txt\n@@\n-a\n+b\n \
             c\n*** Delete File: gone.txt\n*** End Patch\nEOF\n",
        );
        let rows: Vec<_> =
            changes.iter().map(|change| (change.path.as_str(), change.kind)).collect();
        assert_eq!(
            rows,
            [
                ("new.txt", ChangeKind::Write),
                ("old.txt", ChangeKind::Move),
                ("gone.txt", ChangeKind::Delete)
            ]
        );
        assert_eq!(changes[0].content.as_deref(), Some("one\ntwo\n"));
        assert_eq!(changes[1].moved_to.as_deref(), Some("moved.txt"));
        assert_eq!(changes[1].diff.as_deref(), Some("@@\n-a\n+b\n c\n"));
        assert_eq!((&changes[2].diff, &changes[2].content), (&None, &None));
    }

    #[test]
    fn text_without_a_patch_changes_nothing() {
        assert_eq!(parse_patch("ls -la"), []);
        assert_eq!(parse_patch("*** Begin Patch\n*** End Patch"), []);
    }
}
