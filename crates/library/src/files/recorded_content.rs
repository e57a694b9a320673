//! What a call recorded of the content of a file: before it, after it, or only
//! the replaced and new text.
//!
//! For most edits the app records the whole file before the edit, and a patch.
//! In patches, each leading tab of a line is written as two spaces; so texts
//! are preferred, and patches are compared through [`flat`]. Line ends are
//! newlines here, whatever they are in the file: that is what the app records.

use conversation::ToolCall;
use std::borrow::Cow;
use transcript::json;

/// What a change recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Recorded {
    /// The whole content.
    Whole {
        /// The content before, if it is recorded.
        before: Option<String>,
        /// The content after.
        after: String,
        /// The patch that the app recorded.
        hunks: Vec<Hunk>,
    },
    /// Replacements of text.
    Edits {
        /// The content before, if it is recorded.
        before: Option<String>,
        /// The replacements, in order.
        edits: Vec<Edit>,
        /// The patch that the app recorded.
        hunks: Vec<Hunk>,
    },
    /// A patch of another app.
    Patch {
        /// The content after, if it is recorded.
        after: Option<String>,
        /// The patch, in the order of the file. Hunks may have no place: then they begin at
        /// line 0.
        hunks: Vec<Hunk>,
    },
    /// Something else: the content is unknown from here on.
    Unknown,
}

/// A replacement of one text by another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) everywhere: bool,
}

/// A hunk of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    /// The line of the new content it begins at, from 1; 0 if it is not known.
    pub(super) new_start: usize,
    /// Its lines with their `+`, `-` and space markers.
    pub(super) lines: Vec<String>,
}

impl Hunk {
    /// The lines, each with its marker.
    pub(super) fn marked(&self) -> impl Iterator<Item = (char, &str)> {
        self.lines.iter().filter_map(|line| {
            let mark = line.chars().next()?;
            let rest = line.get(mark.len_utf8()..)?;
            matches!(mark, '+' | ' ' | '-').then_some((mark, rest))
        })
    }

    /// The lines before the change.
    pub(super) fn before(&self) -> impl Iterator<Item = &str> {
        self.marked().filter(|(mark, _)| *mark != '+').map(|(_, line)| line)
    }

    /// The lines after the change, each with whether it is new.
    pub(super) fn after(&self) -> impl Iterator<Item = (bool, &str)> {
        self.marked().filter(|(mark, _)| *mark != '-').map(|(mark, line)| (mark == '+', line))
    }
}

/// A text with newlines as line ends, and without a byte order mark.
pub(super) fn plain(text: &str) -> String {
    text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n")
}

/// Text as the app writes it into patches: two spaces for each leading tab of a
/// line.
pub(super) fn flat(text: &str) -> Cow<'_, str> {
    if !text.contains('\t') {
        return Cow::Borrowed(text);
    }
    let lines = text.split('\n').map(|line| {
        let rest = line.trim_start_matches('\t');
        "  ".repeat(line.len() - rest.len()) + rest
    });
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

impl Recorded {
    /// What a successful call recorded of a file.
    pub(super) fn of(call: &ToolCall<'_>, path: &str) -> Recorded {
        let answer = call.answer.as_ref();
        let recorded = |key| answer?.member_string(key).map(|text| plain(&text));
        let given = |key| call.argument(key).map(|text| plain(&text));
        let hunks = hunks(answer.and_then(|answer| answer.member("structuredPatch")));
        let before = recorded("originalFile").or_else(|| recorded("originalFileContents"));
        match &*call.tool {
            "Write" => {
                let is_new = recorded("type").as_deref() == Some("create");
                let before = before.or_else(|| is_new.then(String::new));
                // The user may have changed the content before it was written.
                match recorded("content").or_else(|| given("content")) {
                    Some(after) => Recorded::Whole { before, after, hunks },
                    None => Recorded::Unknown,
                }
            }
            "NotebookEdit" => match recorded("updated_file") {
                Some(after) => Recorded::Whole { before: recorded("original_file"), after, hunks },
                None => Recorded::Unknown,
            },
            "MultiEdit" => {
                let own = call.input.as_ref().and_then(|input| input.member("edits"));
                let list = answer.and_then(|answer| answer.member("edits")).or(own);
                let edits = json::elements(list.unwrap_or_default()).map(edit_of);
                match edits.collect::<Option<Vec<Edit>>>() {
                    Some(edits) => edited(before, edits, hunks),
                    None => Recorded::Unknown,
                }
            }
            "Edit" => {
                let old = recorded("oldString").or_else(|| given("old_string"));
                let new = recorded("newString").or_else(|| given("new_string"));
                let everywhere = answer.and_then(|answer| answer.member("replaceAll"));
                let own = call.input.as_ref().and_then(|input| input.member("replace_all"));
                let everywhere = everywhere.or(own) == Some("true");
                match old.zip(new) {
                    Some((old, new)) => edited(before, vec![Edit { old, new, everywhere }], hunks),
                    None => Recorded::Unknown,
                }
            }
            _ => Recorded::of_other_app(call, path),
        }
    }

    /// What a call of another app recorded: in its result, else in its arguments.
    fn of_other_app(call: &ToolCall<'_>, path: &str) -> Recorded {
        let changes = call.recorded_changes();
        // A call on one file may name it in another way than its result.
        let is_only = changes.len() == 1;
        let mut own = changes.iter().filter(|change| is_only || change.path == path);
        let record = match (own.next(), own.next()) {
            (Some(change), None) => change.record,
            (None, _) if changes.is_empty() => return Recorded::of_arguments(call),
            _ => return Recorded::Unknown,
        };
        let text = |key| json::member(record, key).and_then(json::decode_string);
        let content = text("content").map(|content| plain(&content.text));
        let hunks = hunks(json::member(record, "structuredPatch"));
        let kind = text("type").map(|kind| kind.text).unwrap_or_default();
        let moved_to = text("movedTo").map(|to| to.text);
        // Nothing is left where a file was moved from.
        let is_gone = kind == "delete" || moved_to.as_ref().is_some_and(|to| *to != path);
        match (&*kind, content) {
            _ if is_gone => {
                Recorded::Whole { before: None, after: String::new(), hunks: Vec::new() }
            }
            ("move", _) if moved_to.is_none() => Recorded::Unknown,
            ("create", Some(after)) => {
                Recorded::Whole { before: Some(String::new()), after, hunks }
            }
            (_, Some(after)) if call.is_whole_write() => {
                Recorded::Whole { before: None, after, hunks }
            }
            (_, None) if hunks.is_empty() => Recorded::of_arguments(call),
            (_, after) => Recorded::Patch { after, hunks },
        }
    }

    /// What the arguments of a call of another app tell.
    fn of_arguments(call: &ToolCall<'_>) -> Recorded {
        let given = |keys: &[&str]| keys.iter().find_map(|key| call.argument(key));
        if call.is_whole_write() {
            return match given(&["content", "file_text"]) {
                Some(after) => {
                    Recorded::Whole { before: None, after: plain(&after), hunks: Vec::new() }
                }
                None => Recorded::Unknown,
            };
        }
        let list = call.input.as_ref().and_then(|input| input.member("edits"));
        let edits: Option<Vec<Edit>> = match list {
            Some(list) => json::elements(list)
                .map(|edit| {
                    edit_with(|key| Some(json::decode_string(json::member(edit, key)?)?.text))
                })
                .collect(),
            None => edit_with(|key| call.argument(key)).map(|edit| vec![edit]),
        };
        match edits {
            Some(edits) if !edits.iter().any(|edit| edit.old.is_empty()) => {
                Recorded::Edits { before: None, edits, hunks: Vec::new() }
            }
            _ => Recorded::Unknown,
        }
    }
}

/// An edit by the names that other apps give to its texts.
fn edit_with<'t>(text: impl Fn(&str) -> Option<Cow<'t, str>>) -> Option<Edit> {
    let any = |keys: [&str; 4]| keys.into_iter().find_map(&text);
    Some(Edit {
        old: plain(&any(["old_string", "oldString", "oldText", "old_str"])?),
        new: plain(&any(["new_string", "newString", "newText", "new_str"])?),
        everywhere: false,
    })
}

/// Edits; one that replaces nothing creates the file.
fn edited(before: Option<String>, mut edits: Vec<Edit>, hunks: Vec<Hunk>) -> Recorded {
    if edits.first().is_some_and(|edit| edit.old.is_empty()) {
        let first = edits.remove(0);
        let whole = apply(first.new, &edits);
        let before = Some(before.unwrap_or_default());
        return match whole {
            Some(after) => Recorded::Whole { before, after, hunks },
            None => Recorded::Unknown,
        };
    }
    Recorded::Edits { before, edits, hunks }
}

fn edit_of(edit: &str) -> Option<Edit> {
    let text = |key| json::member(edit, key).and_then(json::decode_string);
    Some(Edit {
        old: plain(&text("old_string")?.text),
        new: plain(&text("new_string")?.text),
        everywhere: json::member(edit, "replace_all") == Some("true"),
    })
}

fn hunks(patch: Option<&str>) -> Vec<Hunk> {
    let hunks = json::elements(patch.unwrap_or_default()).map(|hunk| {
        let start = json::member(hunk, "newStart").and_then(|start| start.parse().ok());
        let lines = json::elements(json::member(hunk, "lines").unwrap_or_default());
        let lines = lines.filter_map(json::decode_string).map(|line| line.text.into_owned());
        Hunk { new_start: start.unwrap_or_default(), lines: lines.collect() }
    });
    hunks.collect()
}

/// Applies edits to a text, if each fits as the app requires: the old text
/// occurs, and only once unless all occurrences are replaced.
pub(super) fn apply(mut text: String, edits: &[Edit]) -> Option<String> {
    for edit in edits {
        if edit.old.is_empty() {
            return None;
        }
        // When a text is deleted, so is the end of its line.
        let with_end = format!("{}\n", edit.old);
        let takes_end =
            edit.new.is_empty() && !edit.old.ends_with('\n') && text.contains(&with_end);
        let old = if takes_end { &with_end } else { &edit.old };
        let times = text.matches(edit.old.as_str()).take(2).count();
        if times == 0 || (times > 1 && !edit.everywhere) {
            return None;
        }
        text = text.replace(old, &edit.new);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(old: &str, new: &str, everywhere: bool) -> Edit {
        Edit { old: old.to_owned(), new: new.to_owned(), everywhere }
    }

    #[test]
    fn edits_are_applied_as_the_app_applies_them() {
        let table = [
            ("a b a", edit("b", "c", false), Some("a c a")),
            ("a b a", edit("a", "c", false), None),
            ("a b a", edit("a", "c", true), Some("c b c")),
            ("a b a", edit("x", "c", true), None),
            ("one\ntwo\n", edit("one", "", false), Some("two\n")),
            ("one\ntwo", edit("two", "", false), Some("one\n")),
            ("one\n", edit("", "x", false), None),
        ];
        for (text, edit, expected) in table {
            assert_eq!(
                apply(text.to_owned(), std::slice::from_ref(&edit)).as_deref(),
                expected,
                "{edit:?}"
            );
        }
    }

    #[test]
    fn only_leading_tabs_become_spaces_in_patches() {
        assert_eq!(flat("\t\ta\tb\n\tc\nd"), "    a\tb\n  c\nd");
        assert_eq!(flat("plain"), "plain");
    }
}
