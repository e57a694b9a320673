//! Short labels for items in the context.

use transcript::{Attachment, Json, json};

/// The most characters in a label.
const LONGEST: usize = 120;

/// The tool arguments that make a good label, best first.
const LABEL_KEYS: [&str; 12] = [
    "file_path",
    "notebook_path",
    "command",
    "pattern",
    "path",
    "url",
    "query",
    "skill",
    "description",
    "subject",
    "name",
    "prompt",
];

/// The label of a call.
pub(super) fn of_input(input: &Json<'_>) -> String {
    if let Some(text) = LABEL_KEYS.iter().find_map(|key| input.member_string(key)) {
        return of_text(&text);
    }
    let mut first = None;
    json::string_values(input.as_str(), |text| {
        if first.is_none() {
            first = Some(of_text(&text));
        }
    });
    first.unwrap_or_default()
}

/// The label of an attachment.
pub(super) fn of_attachment(attachment: &Attachment<'_>) -> String {
    let names = [
        &attachment.filename,
        &attachment.path,
        &attachment.display_path,
        &attachment.hook_name,
        &attachment.text,
        &attachment.snippet,
    ];
    names.into_iter().flatten().next().map(|text| of_text(text)).unwrap_or_default()
}

/// The first line of a text, shortened.
pub(super) fn of_text(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default().trim_end();
    let mut label: String = line.chars().take(LONGEST).collect();
    if label.len() < line.len() {
        label.push('…');
    }
    label
}
