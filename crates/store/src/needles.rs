//! The texts that listing searches for, each with a searcher that is built
//! once.
//!
//! A store has thousands of transcripts, and listing searches both ends of
//! each: building a searcher for every line would cost more than searching.

use memchr::memmem::Finder;
use std::sync::LazyLock;

macro_rules! needles {
    ($($name:ident = $text:literal,)*) => {
        $(pub(crate) static $name: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new($text));)*
    };
}

needles! {
    AI_TITLE = "\"aiTitle\":",
    ANY_TITLE_KEY = "Title\":",
    ANY_TITLE_TYPE = "-title\"",
    DOCUMENT = "\"type\":\"document\"",
    DOCUMENT_SPACED = "\"type\": \"document\"",
    IMAGE = "\"type\":\"image\"",
    IMAGE_SPACED = "\"type\": \"image\"",
    CONTINUED_IN = "\"type\":\"continued-in\"",
    CUSTOM_TITLE = "\"customTitle\":",
    CWD = "\"cwd\":",
    ENTRYPOINT = "\"entrypoint\":",
    GIT_BRANCH = "\"gitBranch\":",
    IS_COMPACT_SUMMARY = "\"isCompactSummary\":true",
    IS_COMPACT_SUMMARY_SPACED = "\"isCompactSummary\": true",
    IS_META = "\"isMeta\":true",
    IS_META_SPACED = "\"isMeta\": true",
    IS_SIDECHAIN = "\"isSidechain\":true",
    IS_SIDECHAIN_SPACED = "\"isSidechain\": true",
    LAST_PROMPT = "\"lastPrompt\":",
    PARENT_UUID = "\"parentUuid\":",
    RELOCATED = "\"type\":\"relocated\"",
    SESSION_ID = "\"sessionId\":",
    SESSION_KIND = "\"sessionKind\":",
    SUMMARY = "\"summary\":",
    TAG = "\"tag\":",
    TIMESTAMP = "\"timestamp\":",
    TOOL_RESULT = "\"tool_result\"",
    USER = "\"type\":\"user\"",
    USER_SPACED = "\"type\": \"user\"",
    VERSION = "\"version\":",
}

/// Whether the bytes contain a text.
pub(crate) fn has(bytes: &[u8], needle: &Finder<'_>) -> bool {
    needle.find(bytes).is_some()
}

/// The lines of a chunk, without their newlines; the last may be incomplete.
pub(crate) fn lines(chunk: &[u8]) -> impl Iterator<Item = &[u8]> {
    transcript::lines(chunk).map(|line| line.bytes)
}

/// The lines of a chunk, last first.
pub(crate) fn lines_from_end(chunk: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(chunk);
    std::iter::from_fn(move || {
        let bytes = rest.take()?;
        let Some(at) = memchr::memrchr(b'\n', bytes) else { return Some(bytes) };
        rest = Some(&bytes[..at]);
        Some(&bytes[at + 1..])
    })
}
