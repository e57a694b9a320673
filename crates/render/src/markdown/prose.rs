//! A fast path for text without Markdown, which is most of what people type.
//!
//! Its output is the same as the parser's, several times as fast. Text that may contain
//! Markdown goes to the parser; a wrong guess in that direction only costs time.

use super::inline::Inline;
use super::page::Page;

/// Bytes that may be Markdown anywhere in a line.
const MARKUP_BYTES: [bool; 256] = {
    let mut speaking = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        speaking[byte] = true;
        byte += 1;
    }
    let mut at = 0;
    let bytes = b"\\`*_~[<&|\x7f";
    while at < bytes.len() {
        speaking[bytes[at] as usize] = true;
        at += 1;
    }
    speaking
};

/// Whether a text consists of plain paragraphs only.
pub(super) fn is_plain(text: &str) -> bool {
    text.split('\n').all(|line| {
        let words = line.trim_start_matches(' ');
        let begins = match words.as_bytes().first() {
            Some(b'-' | b'+' | b'=' | b'#' | b'>' | b':' | b'0'..=b'9') => false,
            Some(_) => line.len() - words.len() < 4 && !line.ends_with("  "),
            None => true,
        };
        begins && !line.bytes().fold(false, |so_far, byte| so_far | MARKUP_BYTES[byte as usize])
    })
}

/// Writes a text of plain paragraphs.
pub(super) fn write(text: &str, page: &mut Page) {
    let mut paragraph = Inline::new(page.paint());
    for line in text.split('\n') {
        let line = line.trim_matches(' ');
        if line.is_empty() {
            end_paragraph(&mut paragraph, page);
            continue;
        }
        if !paragraph.text().is_empty() {
            paragraph.push_own("\n");
        }
        paragraph.push(line);
    }
    end_paragraph(&mut paragraph, page);
}

fn end_paragraph(paragraph: &mut Inline, page: &mut Page) {
    if !paragraph.text().is_empty() {
        page.prose(paragraph);
        page.gap = true;
        paragraph.clear();
    }
}
