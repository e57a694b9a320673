//! Signatures that grant access: of signed links to storage, and of signed
//! requests. A signature of a commit, a message or a thinking block is none of
//! these; it is not in a query.

use std::ops::Range;

use memchr::memmem;

use crate::check::{all, entropy, is_mixed, is_placeholder};
use crate::pattern::{ANY_HEX, QUERY64, WORD};

const LONGEST: usize = 2048;

/// `?X-Goog-Signature=…`, `&Signature=…`, `~hmac=…`, and `Signature=…` in a signed
/// header. The keyword ends with the separator.
pub(crate) fn query_signature(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let is_name = |byte: &&u8| WORD.contains(**byte) || **byte == b'-';
    let name = bytes[..keyword.start].iter().rev().take(24).take_while(is_name).count();
    let before = &bytes[..keyword.start - name];
    let is_in_query = matches!(before.last(), Some(b'?' | b'&' | b';' | b'~'));
    let floor = before.len().saturating_sub(300);
    let is_in_header = || {
        memmem::rfind(&before[floor..], b"-HMAC-").is_some()
            || bytes[..keyword.start].ends_with(b"oauth_")
    };
    if !is_in_query && !is_in_header() {
        return None;
    }
    let is_quote = |byte: &&u8| matches!(**byte, b'"' | b'\\');
    let start = keyword.end + bytes[keyword.end..].iter().take(4).take_while(is_quote).count();
    let is_part = |byte: &&u8| QUERY64.contains(**byte) || **byte == b'~';
    let length = bytes[start..].iter().take(LONGEST).take_while(is_part).count();
    let value = text.get(start..start + length)?;
    let is_hex = length >= 32 && all(ANY_HEX, value);
    let good = length >= 24
        && (is_hex || is_mixed(value))
        && entropy(value.as_bytes()) >= 3.0
        && !is_placeholder(value);
    good.then(|| start..start + length)
}
