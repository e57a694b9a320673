//! Changes of files that the result of a call records, where the call itself names no file.
//!
//! A patch of another app changes several files, which its result lists as `changes`: objects
//! with the members that Claude Code records for one file. A file that was moved has the path
//! `movedTo` beside its own: both files changed, and the changed lines are in the new one.

use crate::call::ToolCall;
use crate::diff::Diff;
use crate::tool::Summary;
use crate::tool_kind::ToolKind;
use std::borrow::Cow;
use transcript::json;

/// A change of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedChange<'c> {
    /// The file.
    pub path: Cow<'c, str>,
    /// Whether it is new.
    pub is_new: bool,
    /// The change.
    pub diff: Diff,
    /// The JSON object that records it; empty if only the arguments of the call tell it.
    pub record: &'c str,
}

impl ToolCall<'_> {
    /// The changes that its result records, each with its file. Empty if the result names no
    /// file.
    pub fn recorded_changes(&self) -> Vec<RecordedChange<'_>> {
        let records = self.change_records().into_iter();
        records.flat_map(|record| paths_of(record).map(|path| path.change(record))).collect()
    }

    /// The files of the changes that its result records.
    pub(crate) fn recorded_paths(&self) -> Vec<Cow<'_, str>> {
        self.change_records().into_iter().flat_map(paths_of).map(|path| path.path).collect()
    }

    /// The JSON objects that record changes.
    fn change_records(&self) -> Vec<&str> {
        let Some(answer) = &self.answer else { return Vec::new() };
        match answer.member("changes") {
            Some(changes) => json::elements(changes).collect(),
            None => answer.structured.iter().map(transcript::Json::as_str).collect(),
        }
    }

    /// What it changes, with one change per file, in order. A patch of several files says in
    /// its result what it did to each.
    pub fn file_changes(&self) -> Vec<RecordedChange<'_>> {
        let has = |key| self.answer.as_ref().is_some_and(|answer| answer.member(key).is_some());
        // A call that names its file changes no other.
        let has_several = self.kind() == ToolKind::Change
            && self.files().len() > 1
            && (has("changes") || has("movedTo"));
        if !has_several {
            return match self.summary() {
                Summary::Change { path, is_new, diff } => {
                    vec![RecordedChange { path, is_new, diff, record: "" }]
                }
                _ => Vec::new(),
            };
        }
        let mut files: Vec<RecordedChange<'_>> = Vec::new();
        for change in self.recorded_changes() {
            match files.iter_mut().find(|known| known.path == change.path) {
                Some(known) => known.diff.append(&change.diff),
                None => files.push(change),
            }
        }
        files
    }

    /// Adds the changes that only the result records, because the call itself names no file.
    /// If there are several, each has its heading.
    pub(crate) fn add_other_changes(&self, diff: &mut Diff) {
        let names_file =
            ["file_path", "notebook_path"].iter().any(|key| self.argument(key).is_some());
        if names_file || !diff.is_empty() {
            return;
        }
        for (number, change) in self.recorded_changes().into_iter().enumerate() {
            if number == 0 {
                *diff = change.diff;
            } else {
                diff.append(&change.diff);
            }
        }
    }
}

/// A file that an object names.
struct RecordedPath<'c> {
    path: Cow<'c, str>,
    /// Whether it was moved away from here: then the changed lines are elsewhere.
    is_left: bool,
}

/// The files that an object names: one, or two if a file was moved.
fn paths_of(record: &str) -> impl Iterator<Item = RecordedPath<'_>> {
    let text = |key| json::member(record, key).and_then(json::decode_string).map(|it| it.text);
    let path = text("filePath");
    let moved_to = path.as_ref().and_then(|_| text("movedTo"));
    let is_left = moved_to.is_some();
    let before = path.map(|path| RecordedPath { path, is_left });
    before.into_iter().chain(moved_to.map(|path| RecordedPath { path, is_left: false }))
}

impl<'c> RecordedPath<'c> {
    /// The change of this file.
    fn change(self, record: &'c str) -> RecordedChange<'c> {
        let RecordedPath { path, is_left } = self;
        if is_left {
            let diff = Diff::of_file(&path, false);
            return RecordedChange { path, is_new: false, diff, record };
        }
        let text = |key| json::member(record, key).and_then(json::decode_string);
        let is_new = text("type").is_some_and(|kind| kind.text == "create");
        let mut diff = Diff::of_file(&path, is_new);
        let hunks = json::member(record, "structuredPatch").unwrap_or_default();
        if json::elements(hunks).next().is_some() {
            diff.add_patch(hunks);
        } else if let Some(content) = text("content") {
            diff.add_texts("", &content.text);
        }
        RecordedChange { path, is_new, diff, record }
    }
}

#[cfg(test)]
mod tests {
    use crate::call::{Calls, Status};
    use crate::tool::Summary;

    fn calls(tool: &str, input: &str, result: &str) -> Calls<'static> {
        let call = format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"t","name":"{tool}","input":{input}}}]}}}}"#
        );
        let answer = format!(
            r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t","content":"done"}}]}},"toolUseResult":{result}}}"#
        );
        let mut calls = Calls::default();
        for line in [call, answer] {
            let bytes: &'static [u8] = line.leak().as_bytes();
            for entry in transcript::entries(bytes) {
                calls.note(entry.line, entry.record);
            }
        }
        calls
    }

    #[test]
    fn a_patch_of_several_files_has_the_changes_of_each() {
        let result = concat!(
            r#"{"changes":[{"type":"create","filePath":"/a","content":"x\ny\n"},"#,
            r#"{"type":"update","filePath":"/b","structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-p","+q"]}]}]}"#,
        );
        let calls = calls("apply_patch", r#"{"input":"*** Begin Patch"}"#, result);
        let call = &calls.all()[0];
        assert_eq!((call.files(), call.status()), (vec!["/a".into(), "/b".into()], Status::Ok));
        let changes: Vec<_> = call
            .recorded_changes()
            .into_iter()
            .map(|change| (change.path, change.is_new, change.diff.added, change.diff.removed))
            .collect();
        assert_eq!(changes, [("/a".into(), true, 2, 0), ("/b".into(), false, 1, 1)]);
        let Summary::Change { diff, .. } = call.summary() else { panic!("a change") };
        assert_eq!((diff.added, diff.removed), (3, 1));
        assert!(diff.text.contains("--- /b\n+++ /b\n@@ -1,1 +1,1 @@\n-p\n+q\n"), "{}", diff.text);
    }

    #[test]
    fn file_that_a_patch_names_twice_has_one_change() {
        let result = concat!(
            r#"{"changes":[{"type":"delete","filePath":"/a"},{"type":"create","filePath":"/b","content":"p\n"},"#,
            r#"{"type":"create","filePath":"/a","content":"x\ny\n"}]}"#,
        );
        let calls = calls("apply_patch", r#"{"input":"*** Begin Patch"}"#, result);
        let changes: Vec<_> = calls.all()[0]
            .file_changes()
            .into_iter()
            .map(|change| (change.path, change.diff.added))
            .collect();
        assert_eq!(changes, [("/a".into(), 2), ("/b".into(), 1)]);
    }

    #[test]
    fn moved_file_has_a_change_at_both_places() {
        let moved = |more: &str| {
            format!(
                r#"{{"type":"move","filePath":"/a","movedTo":"/b","structuredPatch":[{{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-p","+q"]}}]}}{more}"#
            )
        };
        let one = moved("");
        let several = moved(r#",{"type":"create","filePath":"/c","content":"x\n"}"#);
        let table = [
            (one, [("/a", 0, 0), ("/b", 1, 1)].as_slice()),
            (format!(r#"{{"changes":[{several}]}}"#), &[("/a", 0, 0), ("/b", 1, 1), ("/c", 1, 0)]),
        ];
        for (result, expected) in table {
            let calls = calls("apply_patch", r#"{"input":"*** Begin Patch"}"#, &result);
            let call = &calls.all()[0];
            let changes = call.file_changes();
            let found: Vec<_> = changes
                .iter()
                .map(|change| (&*change.path, change.diff.added, change.diff.removed))
                .collect();
            assert_eq!(found, expected, "{result}");
            assert_eq!(call.files().len(), expected.len());
        }
    }

    #[test]
    fn a_file_that_was_written_without_a_change_has_no_diff() {
        let result = r#"{"type":"update","filePath":"/a","content":"x","originalFile":"x","structuredPatch":[]}"#;
        let calls = calls("Write", r#"{"file_path":"/a","content":"x"}"#, result);
        let Summary::Change { diff, .. } = calls.all()[0].summary() else { panic!("a change") };
        assert!(diff.is_empty());
    }

    #[test]
    fn commands_are_texts_or_lists_of_words() {
        let table = [
            ("exec_command", r#"{"cmd":"ls -l"}"#, "ls -l"),
            ("shell", r#"{"command":["bash","-lc","ls | wc"]}"#, "ls | wc"),
            ("shell", r#"{"command":["ls","-l"]}"#, "ls -l"),
            ("run_shell_command", r#"{"command":"ls"}"#, "ls"),
            ("shell", r#"{"command":[1]}"#, ""),
        ];
        for (tool, input, expected) in table {
            let calls = calls(tool, input, "{}");
            let Summary::Shell { command, .. } = calls.all()[0].summary() else { panic!("{tool}") };
            assert_eq!(command, expected, "{input}");
        }
    }
}
