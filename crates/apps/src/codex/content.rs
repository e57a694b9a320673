//! The content of messages: text, images, and what the program itself puts into messages of
//! the user.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::codex::text::Text;

/// One part of a message. Other kinds of parts have neither text nor an image.
#[derive(Deserialize)]
pub(crate) struct Part<'a> {
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Text<'a>,
    #[serde(borrow)]
    pub(crate) text: Option<Text<'a>>,
    #[serde(borrow)]
    image_url: Option<&'a RawValue>,
    #[serde(borrow)]
    audio_url: Option<&'a RawValue>,
    #[serde(borrow)]
    path: Option<Text<'a>>,
}

impl Part<'_> {
    /// Media type or kind, and the number of bytes as stored, of a part that is not text.
    pub(crate) fn attachment(&self) -> Option<(String, u64)> {
        let stored = self.image_url.or(self.audio_url).map(RawValue::get);
        if let Some(url) = stored.filter(|url| *url != "null") {
            let media_type = url
                .strip_prefix("\"data:")
                .and_then(|rest| rest.split_once([';', ',']))
                .map_or(&*self.kind, |(media_type, _)| media_type);
            return Some((media_type.chars().take(100).collect(), url.len() as u64));
        }
        self.path.as_ref().map(|path| (path.to_string(), 0))
    }
}

/// The parts of a message. A plain string is one part.
pub(crate) fn parts(content: &RawValue) -> Vec<Part<'_>> {
    let json = content.get();
    if json.starts_with('"') {
        let text = serde_json::from_str::<Text<'_>>(json).ok();
        let kind = Text("input_text".into());
        return vec![Part { kind, text, image_url: None, audio_url: None, path: None }];
    }
    serde_json::from_str(json).unwrap_or_default()
}

/// All text of a message or of an output.
pub(crate) fn text_of(content: &RawValue) -> String {
    let mut text = String::new();
    for part in parts(content) {
        if let Some(part) = part.text {
            if text.is_empty() {
                text = part.into_string();
            } else {
                text.push_str(&part);
            }
        }
    }
    text
}

/// Elements that the program, and no person, puts into messages of the user.
const CONTEXT_ELEMENTS: [&str; 17] = [
    "apps_instructions",
    "codex_internal_context",
    "environment_context",
    "environments_instructions",
    "goal_context",
    "hook_context",
    "model_switch",
    "multi_agent_mode",
    "permissions",
    "plugins_instructions",
    "recommended_plugins",
    "skill",
    "skills_instructions",
    "subagent_notification",
    "turn_aborted",
    "user_action",
    "user_instructions",
];

/// What the program put into a message of the user, if the text is that: its kind.
pub(crate) fn context_kind(text: &str) -> Option<&'static str> {
    let text = text.trim_start();
    if text.starts_with("# AGENTS.md instructions") {
        return Some("user_instructions");
    }
    let name = text.strip_prefix('<')?;
    let end = name.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?;
    let (name, rest) = name.split_at_checked(end)?;
    let is_element = rest.starts_with(['>', ' ']);
    CONTEXT_ELEMENTS.into_iter().find(|element| is_element && *element == name)
}

/// Whether the text only marks where an image begins or ends.
pub(crate) fn is_image_mark(text: &str) -> bool {
    text.trim() == "</image>" || (text.starts_with("<image") && text.trim_end().ends_with('>'))
}

/// What the person typed, without what an editor put before it.
pub(crate) fn request_of(prompt: &str) -> &str {
    match prompt.split_once("## My request for Codex:") {
        Some((_, request)) if !request.trim().is_empty() => request.trim(),
        _ => prompt,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_program_puts_into_messages_is_recognised() {
        assert_eq!(
            context_kind("<environment_context>\n</environment_context>"),
            Some("environment_context")
        );
        assert_eq!(context_kind("# AGENTS.md instructions for /x"), Some("user_instructions"));
        assert_eq!(context_kind("<permissions instructions>x"), Some("permissions"));
        for typed in ["<div>", "a <turn_aborted>", "<environment_context2>", "<", "# Agents"] {
            assert_eq!(context_kind(typed), None, "{typed}");
        }
    }

    #[test]
    fn images_are_attachments_with_their_media_type() {
        let raw = r#"[{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]"#;
        let raw = RawValue::from_string(raw.to_owned()).unwrap();
        assert_eq!(parts(&raw)[0].attachment(), Some(("image/png".to_owned(), 28)));
        let raw = RawValue::from_string(r#"[{"type":"input_image","image_url":null}]"#.to_owned())
            .unwrap();
        assert_eq!(parts(&raw)[0].attachment(), None);
    }

    #[test]
    fn an_editors_context_is_not_the_request() {
        assert_eq!(
            request_of("# Context from my IDE\n\n## My request for Codex:\nFix it\n"),
            "Fix it"
        );
        assert_eq!(request_of("Fix it"), "Fix it");
    }
}
