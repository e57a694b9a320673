//! What a call recorded of the content of a file: before it, after it, or only
//! what it put in the place of what.
//!
//! The app notes the whole file before most edits, and a patch. In patches the
//! tabs that lines begin with are two spaces each; so texts are preferred, and
//! patches compared through [`flat`]. Line ends are newlines here, whatever
//! they are in the file: that is what the app records.

use conversation::ToolCall;
use std::borrow::Cow;
use transcript::json;

/// What a change recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Recorded {
    /// The whole content.
    Whole {
        /// What was there before, where that is recorded.
        before: Option<String>,
        /// What is there now.
        after: String,
        /// What differs, as the app notes it.
        hunks: Vec<Hunk>,
    },
    /// Texts put in the place of others.
    Edits {
        /// What was there before, where that is recorded.
        before: Option<String>,
        /// What was put in the place of what, one after the other.
        edits: Vec<Edit>,
        /// What differs, as the app notes it.
        hunks: Vec<Hunk>,
    },
    /// Something else: what the file holds is not known any more.
    Unknown,
}

/// A text in the place of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) everywhere: bool,
}

/// A piece of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    /// The line of the new content it begins at, from 1.
    pub(super) new_start: usize,
    /// Its lines with their marks.
    pub(super) lines: Vec<String>,
}

impl Hunk {
    /// The lines that are there afterwards, with whether they are new.
    pub(super) fn after(&self) -> impl Iterator<Item = (bool, &str)> {
        self.lines.iter().filter_map(|line| {
            let mark = line.chars().next()?;
            let rest = line.get(mark.len_utf8()..)?;
            matches!(mark, '+' | ' ').then_some((mark == '+', rest))
        })
    }
}

/// A text with newlines as line ends, and without a byte order mark.
pub(super) fn plain(text: &str) -> String {
    text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n")
}

/// Text as the app writes it into patches: two spaces for each tab that a line
/// begins with.
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
    /// What a call that went well recorded.
    pub(super) fn of(call: &ToolCall<'_>) -> Recorded {
        let answer = call.answer.as_ref();
        let told = |key| answer?.member_string(key).map(|text| plain(&text));
        let given = |key| call.argument(key).map(|text| plain(&text));
        let hunks = hunks(answer.and_then(|answer| answer.member("structuredPatch")));
        let before = told("originalFile").or_else(|| told("originalFileContents"));
        match &*call.tool {
            "Write" => {
                let is_new = told("type").as_deref() == Some("create");
                let before = before.or_else(|| is_new.then(String::new));
                // The person may have changed what was to be written.
                match told("content").or_else(|| given("content")) {
                    Some(after) => Recorded::Whole { before, after, hunks },
                    None => Recorded::Unknown,
                }
            }
            "NotebookEdit" => match told("updated_file") {
                Some(after) => Recorded::Whole { before: told("original_file"), after, hunks },
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
                let old = told("oldString").or_else(|| given("old_string"));
                let new = told("newString").or_else(|| given("new_string"));
                let everywhere = answer.and_then(|answer| answer.member("replaceAll"));
                let own = call.input.as_ref().and_then(|input| input.member("replace_all"));
                let everywhere = everywhere.or(own) == Some("true");
                match old.zip(new) {
                    Some((old, new)) => edited(before, vec![Edit { old, new, everywhere }], hunks),
                    None => Recorded::Unknown,
                }
            }
            _ => Recorded::Unknown,
        }
    }
}

/// Edits; one that puts a text in the place of nothing makes the file.
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

/// A text with edits made, if each fits as the app demands: what is replaced
/// occurs, and once unless all of it is meant.
pub(super) fn apply(mut text: String, edits: &[Edit]) -> Option<String> {
    for edit in edits {
        if edit.old.is_empty() {
            return None;
        }
        // Where a text is taken away, so is the end of its line.
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
    fn edits_are_made_as_the_app_makes_them() {
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
    fn only_tabs_at_the_beginning_of_lines_are_spaces_in_patches() {
        assert_eq!(flat("\t\ta\tb\n\tc\nd"), "    a\tb\n  c\nd");
        assert_eq!(flat("plain"), "plain");
    }
}
