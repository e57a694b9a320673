//! Images of transcripts, each in a separate answer.
//!
//! What an image is, its first bytes say, not the transcript: only four formats that
//! browsers show without running anything. SVG is none of them. The answer's policy is a
//! sandbox, in case a browser disagrees.

use crate::answer::{Answer, FILE_POLICY};
use crate::failure::Failure;
use crate::request::Call;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use transcript::{Block, Content, Message, Source, ToolResult, lines, parse_line};

/// The largest image, encoded.
const LARGEST: usize = 32 << 20;

/// An image of a record, or of the result of a call in it.
pub(super) fn image(call: &Call<'_>) -> Result<Answer, Failure> {
    let session = call.session()?;
    let found = match call.text("agent") {
        None => session,
        Some(agent) => call.agent_of(&session, agent)?,
    };
    let number: usize = call
        .part("number")
        .parse()
        .map_err(|_| Failure::not_found("the number of the image is not a number"))?;
    let open = call.open(&found)?;
    let data = find(open.bytes(), call.part("uuid"), call.text("call"), number);
    let data = data.ok_or_else(|| Failure::not_found("there is no such image"))?;
    let bytes = STANDARD.decode(data).map_err(|_| Failure::not_found("the image is damaged"))?;
    let content_type =
        media_type(&bytes).ok_or_else(|| Failure::not_found("the image has an unknown format"))?;
    Ok(Answer { policy: FILE_POLICY, ..Answer::bytes(content_type, bytes) })
}

/// The encoded bytes of an image of a record: the one with this number among the record's
/// own, or among those of a call's result.
fn find(transcript: &[u8], uuid: &str, call: Option<&str>, number: usize) -> Option<String> {
    if uuid.is_empty() {
        return None;
    }
    for line in lines(transcript) {
        // Few lines have the uuid, and parsing is the expensive part.
        if !std::str::from_utf8(line.bytes).is_ok_and(|text| text.contains(uuid)) {
            continue;
        }
        for entry in parse_line(line) {
            let record = &entry.record;
            if record.envelope.uuid.as_ref().is_none_or(|own| own.as_str() != uuid) {
                continue;
            }
            let blocks = record.message().map(Message::blocks).unwrap_or_default();
            let images: Vec<&Source<'_>> = match call {
                None => blocks.iter().filter_map(of_block).collect(),
                Some(call) => blocks.iter().flat_map(|block| of_result(block, call)).collect(),
            };
            let data = images.get(number).and_then(|source| source.data.as_deref());
            if let Some(data) = data.filter(|data| data.len() <= LARGEST) {
                return Some(data.to_owned());
            }
        }
    }
    None
}

fn of_block<'b, 'a>(block: &'b Block<'a>) -> Option<&'b Source<'a>> {
    match block {
        Block::Image(source) => Some(source),
        _ => None,
    }
}

/// The images in the result of a call.
fn of_result<'b, 'a>(block: &'b Block<'a>, call: &str) -> Vec<&'b Source<'a>> {
    let result: &ToolResult<'_> = match block {
        Block::ToolResult(result) | Block::ServerToolResult { result, .. } => result,
        _ => return Vec::new(),
    };
    let is_wanted = result.tool_use_id.as_ref().is_some_and(|id| id.as_str() == call);
    let content = result.content.as_ref().filter(|_| is_wanted);
    let blocks = content.map(Content::blocks).unwrap_or_default();
    blocks.iter().filter_map(of_block).collect()
}

/// What an image is, by its first bytes.
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use testkit::{tool_result, user};

    fn image(data: &str) -> Value {
        json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}})
    }

    #[test]
    fn an_image_is_found_by_its_record_call_and_number() {
        let prompt = user("").link("u1", None);
        let prompt = prompt.message(
            "content",
            json!([image("AAAA"), {"type": "text", "text": "u2"}, image("BBBB")]),
        );
        let result = tool_result("toolu_1", "").link("u2", Some("u1")).message(
            "content",
            json!([{"type": "tool_result", "tool_use_id": "toolu_1", "content": [image("CCCC")]}]),
        );
        let file = format!("{prompt}\nnot json u1\n{result}\n");
        let find = |uuid, call, number| find(file.as_bytes(), uuid, call, number);
        assert_eq!(find("u1", None, 0).as_deref(), Some("AAAA"));
        assert_eq!(find("u1", None, 1).as_deref(), Some("BBBB"));
        assert_eq!(find("u2", Some("toolu_1"), 0).as_deref(), Some("CCCC"));
        for (uuid, call, number) in
            [("u1", None, 2), ("u2", None, 0), ("u2", Some("toolu_2"), 0), ("", None, 0)]
        {
            assert_eq!(find(uuid, call, number), None, "{uuid} {call:?} {number}");
        }
    }

    #[test]
    fn the_first_bytes_decide_what_an_image_is() {
        assert_eq!(media_type(b"\x89PNG\r\n\x1a\n..."), Some("image/png"));
        assert_eq!(media_type(b"\xff\xd8\xff\xe0"), Some("image/jpeg"));
        assert_eq!(media_type(b"GIF89a"), Some("image/gif"));
        assert_eq!(media_type(b"RIFF\0\0\0\0WEBPVP8 "), Some("image/webp"));
        for other in
            [&b"<svg onload=alert(1)>"[..], b"<html>", b"", b"\x89PNG", b"RIFF\0\0\0\0WAVE"]
        {
            assert_eq!(media_type(other), None);
        }
    }
}
