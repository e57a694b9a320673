//! What a call did, in the structured form that the engine reads.
//!
//! The members are those of Claude Code's own tools: `agentId`, `exitCode`, and those of a change.

use crate::transcript_writer::json_text::{push_member, push_string};
use crate::transcript_writer::patch::{creates_file, push_patch};
use crate::{App, ChangeKind, FileChange};
use std::io::Write as _;

/// Writes the structured result of a call: the sub-agent that it started, the exit code of the
/// command that it ran, and the files that it changed. One change is written as Claude Code writes it, several as the list `changes` of
/// such objects. Nothing is written if there is nothing to say.
pub(crate) fn push_result(
    bytes: &mut Vec<u8>,
    app: App,
    agent: Option<&str>,
    exit_code: Option<i64>,
    changes: &[FileChange],
) {
    if agent.is_none() && exit_code.is_none() && changes.is_empty() {
        return;
    }
    bytes.extend_from_slice(b",\"toolUseResult\":{");
    let start = bytes.len();
    let separate = |bytes: &mut Vec<u8>| {
        if bytes.len() > start {
            bytes.push(b',');
        }
    };
    if let Some(agent) = agent {
        bytes.extend_from_slice(b"\"agentId\":");
        push_string(bytes, agent);
    }
    if let Some(code) = exit_code {
        separate(bytes);
        // Writing into a Vec cannot fail.
        let _ = write!(bytes, "\"exitCode\":{code}");
    }
    match changes {
        [] => {}
        [change] => {
            separate(bytes);
            push_change(bytes, app, change);
        }
        changes => {
            separate(bytes);
            bytes.extend_from_slice(b"\"changes\":[");
            for (number, change) in changes.iter().enumerate() {
                bytes.extend_from_slice(if number == 0 { b"{" } else { b",{" });
                push_change(bytes, app, change);
                bytes.push(b'}');
            }
            bytes.push(b']');
        }
    }
    bytes.push(b'}');
}

/// Writes the members of a change.
fn push_change(bytes: &mut Vec<u8>, app: App, change: &FileChange) {
    let diff = change.diff.as_deref().filter(|diff| !diff.is_empty());
    let kind = match change.kind {
        ChangeKind::Delete => "delete",
        ChangeKind::Move => "move",
        // Codex writes a whole file only to create it; the others also to replace it.
        ChangeKind::Write if diff.map_or(app == App::Codex, creates_file) => "create",
        ChangeKind::Write | ChangeKind::Edit => "update",
    };
    bytes.extend_from_slice(b"\"type\":\"");
    bytes.extend_from_slice(kind.as_bytes());
    bytes.push(b'"');
    push_member(bytes, "filePath", Some(&change.path));
    push_member(bytes, "movedTo", change.moved_to.as_deref());
    push_member(bytes, "content", change.content.as_deref());
    if let Some(diff) = diff {
        let start = bytes.len();
        bytes.extend_from_slice(b",\"structuredPatch\":");
        if !push_patch(bytes, diff) {
            bytes.truncate(start);
            push_member(bytes, "diff", Some(diff));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(path: &str, kind: ChangeKind) -> FileChange {
        FileChange { path: path.to_owned(), kind, moved_to: None, diff: None, content: None }
    }

    fn result(agent: Option<&str>, changes: &[FileChange]) -> String {
        let mut bytes = Vec::new();
        push_result(&mut bytes, App::Pi, agent, None, changes);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn one_change_is_written_as_claude_code_writes_it() {
        let new = FileChange {
            diff: Some("@@ -0,0 +1 @@\n+a".to_owned()),
            content: Some("a\n".to_owned()),
            ..change("f", ChangeKind::Write)
        };
        assert_eq!(
            result(None, &[new]),
            concat!(
                r#","toolUseResult":{"type":"create","filePath":"f","content":"a\n","#,
                r#""structuredPatch":[{"oldStart":0,"newStart":1,"lines":["+a"],"oldLines":0,"newLines":1}]}"#,
            )
        );
    }

    #[test]
    fn an_exit_code_stands_before_the_changes() {
        let mut bytes = Vec::new();
        push_result(&mut bytes, App::Pi, None, Some(-1), &[change("h", ChangeKind::Delete)]);
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text, r#","toolUseResult":{"exitCode":-1,"type":"delete","filePath":"h"}"#);
    }

    #[test]
    fn several_changes_are_a_list() {
        let moved = FileChange {
            moved_to: Some("g".to_owned()),
            diff: Some("not a diff".to_owned()),
            ..change("f", ChangeKind::Move)
        };
        assert_eq!(
            result(Some("x"), &[moved, change("h", ChangeKind::Delete)]),
            concat!(
                r#","toolUseResult":{"agentId":"x","changes":["#,
                r#"{"type":"move","filePath":"f","movedTo":"g","diff":"not a diff"},"#,
                r#"{"type":"delete","filePath":"h"}]}"#,
            )
        );
        assert_eq!(result(Some("x"), &[]), r#","toolUseResult":{"agentId":"x"}"#);
        assert_eq!(result(None, &[]), "");
    }
}
