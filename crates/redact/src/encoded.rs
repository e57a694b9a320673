//! Secrets in base64: keys in their binary form, and text that contains a
//! secret, such as a private key, a service account or an `.env` file.
//!
//! Long runs of base64 are found by skipping: only every fortieth byte of other
//! text is looked at. The start of a run is decoded; it is a secret only if that
//! start is text with a secret or the header of a private key. The lines of a
//! key without its first and last are found as well: nothing else is wrapped at
//! 64 or 70 characters and looks random.

use std::ops::Range;

use crate::check::{decode_base64, entropy};
use crate::keys::skip_gap;
use crate::pattern::{ANY64, BASE32, BASE64, PADDING};

const SHORTEST: usize = 40;
const LONGEST: usize = 256 * 1024;
/// How lines of PEM are wrapped, by OpenSSL and by OpenSSH.
const WIDTHS: [usize; 2] = [64, 70];
const LEAST_LINES: usize = 3;

/// The secrets among the runs of base64 in a text. `has_secret` searches decoded
/// text.
pub(crate) fn find(text: &str, has_secret: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(run) = next_run(bytes, at) {
        at = run.end;
        let secret = if is_secret(&bytes[run.clone()], &has_secret) {
            let end = run.end + PADDING.run(&bytes[run.end..], 2);
            Some(run.start..find_last_line(bytes, run.clone()).max(end))
        } else {
            find_lines(bytes, run)
        };
        if let Some(secret) = secret.filter(|secret| text.get(secret.clone()).is_some()) {
            at = secret.end;
            found.push(secret);
        }
    }
    found
}

/// The next run of base64 from `from` on, without its padding.
fn next_run(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let mut start = from;
    loop {
        let window = bytes.get(start..start + SHORTEST)?;
        let Some(other) = window.iter().rposition(|byte| !BASE64.contains(*byte)) else {
            return Some(start..start + BASE64.run(&bytes[start..], LONGEST));
        };
        start += other + 1;
    }
}

fn is_secret(run: &[u8], has_secret: &impl Fn(&str) -> bool) -> bool {
    if is_stellar_seed(run) {
        return true;
    }
    let head = decode_base64(&run[..run.len().min(64)], 48);
    if is_private_key(&head) {
        return true;
    }
    if !is_text(&head) {
        return false;
    }
    let whole = decode_base64(run, LONGEST);
    let text = whole.iter().take_while(|byte| is_text(&[**byte])).count();
    str::from_utf8(&whole[..text]).is_ok_and(has_secret)
}

/// Whether this is a secret seed of Stellar: base32 that starts with its type.
fn is_stellar_seed(run: &[u8]) -> bool {
    const LENGTH: usize = 56;
    run.len() == LENGTH
        && run[0] == b'S'
        && run.iter().all(|byte| BASE32.contains(*byte))
        && run.iter().filter(|byte| byte.is_ascii_digit()).count() >= 4
        && entropy(run) >= 3.8
}

/// Whether the bytes are ASCII text.
fn is_text(bytes: &[u8]) -> bool {
    !bytes.is_empty()
        && bytes
            .iter()
            .all(|byte| (b' '..0x7F).contains(byte) || matches!(byte, b'\n' | b'\r' | b'\t'))
}

/// The first bytes of stores of keys: of Java, of Java with another cipher, of
/// `KeePass`.
const STORES: &[&[u8]] =
    &[b"\xFE\xED\xFE\xED\0\0\0", b"\xCE\xCE\xCE\xCE\0\0\0", b"\x03\xD9\xA2\x9A\x67\xFB\x4B\xB5"];

/// The content of a PKCS #12 store, and the ciphers of an encrypted key, as they
/// are named in DER.
const CONTENT: &[u8] = b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07";
const CIPHERS: &[&[u8]] =
    &[b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x05", b"\x06\x0A\x2A\x86\x48\x86\xF7\x0D\x01\x0C\x01"];

/// Whether this is the start of a private key in DER, a sequence whose first
/// member is a version, or in the format of OpenSSH, or of a store of keys. In
/// certificates and public keys, the first member is another sequence or a large
/// number.
fn is_private_key(head: &[u8]) -> bool {
    let Some(body) = skip_sequence(head) else {
        return head.starts_with(b"openssh-key-v1\0")
            || STORES.iter().any(|store| head.starts_with(store));
    };
    // The version is followed by the algorithm, the modulus or the secret.
    match body {
        [0x02, 0x01, 0x00 | 0x01, 0x30 | 0x02 | 0x04, ..] => true,
        [0x02, 0x01, 0x03, store @ ..] => {
            skip_sequence(store).is_some_and(|store| store.starts_with(CONTENT))
        }
        // An encrypted key has the cipher first.
        _ => skip_sequence(body)
            .is_some_and(|cipher| CIPHERS.iter().any(|name| cipher.starts_with(name))),
    }
}

/// What is in a sequence of DER.
fn skip_sequence(bytes: &[u8]) -> Option<&[u8]> {
    match bytes {
        [0x30, length, rest @ ..] if *length <= 0x80 => Some(rest),
        [0x30, 0x81, _, rest @ ..] | [0x30, 0x82, _, _, rest @ ..] => Some(rest),
        _ => None,
    }
}

/// The end of the last line of base64 that continues the run.
fn find_last_line(bytes: &[u8], run: Range<usize>) -> usize {
    let width = run.len();
    let mut end = run.end;
    while let Some(start) = skip_gap(bytes, end) {
        let length = ANY64.run(&bytes[start..], width + 1);
        if length > width || (length < SHORTEST && !ends_block(bytes, start + length, length)) {
            break;
        }
        end = start + length;
        if length < width {
            break;
        }
    }
    end
}

/// Whether a short last line ends with padding.
fn ends_block(bytes: &[u8], end: usize, length: usize) -> bool {
    length > 0 && bytes[..end].ends_with(b"=")
}

/// The lines of a key from its middle.
fn find_lines(bytes: &[u8], first: Range<usize>) -> Option<Range<usize>> {
    if !WIDTHS.contains(&first.len()) {
        return None;
    }
    let width = first.len();
    let mut lines = 1;
    let mut end = first.end;
    if !is_random(&bytes[first.clone()]) {
        return None;
    }
    while let Some(start) = skip_gap(bytes, end) {
        let length = BASE64.run(&bytes[start..], width + 1);
        if length != width || !is_random(&bytes[start..start + length]) {
            break;
        }
        lines += 1;
        end = start + length;
    }
    let lines_end = end;
    end = find_last_line(bytes, end - width..end);
    (lines >= LEAST_LINES && !is_public(bytes, first.start, end.max(lines_end)))
        .then_some(first.start..end)
}

/// Whether a line looks random and has characters of every kind.
fn is_random(line: &[u8]) -> bool {
    line.iter().any(u8::is_ascii_digit)
        && line.iter().any(u8::is_ascii_uppercase)
        && line.iter().any(u8::is_ascii_lowercase)
        && entropy(line) >= 4.6
}

/// Whether the lines are those of a certificate, a public key or a message.
fn is_public(bytes: &[u8], start: usize, end: usize) -> bool {
    const BEGIN: &[u8] = b"-----BEGIN ";
    const END: &[u8] = b"-----END ";
    let is_other =
        |label: &[u8]| memchr::memmem::find(&label[..label.len().min(40)], b"PRIVATE").is_none();
    let before = &bytes[start.saturating_sub(400)..start];
    let after = &bytes[end..bytes.len().min(end + 200)];
    let opened = memchr::memmem::rfind(before, BEGIN)
        .is_some_and(|at| is_other(&before[at + BEGIN.len()..]));
    let closed =
        memchr::memmem::find(after, END).is_some_and(|at| is_other(&after[at + END.len()..]));
    // `---- BEGIN SSH2 PUBLIC KEY ----`
    opened || closed || bytes[start..].starts_with(b"AAAAB3NzaC1") || ends_public(after)
}

fn ends_public(after: &[u8]) -> bool {
    memchr::memmem::find(after, b"---- END SSH2 PUBLIC").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Base64 of the bytes, without padding.
    fn encode(bytes: &[u8]) -> String {
        const SET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let digit = |bits: u32, at: u32| char::from(SET[(bits >> (18 - 6 * at)) as usize & 63]);
        bytes
            .chunks_exact(3)
            .map(|three| u32::from_be_bytes([0, three[0], three[1], three[2]]))
            .flat_map(|bits| (0..4).map(move |at| digit(bits, at)))
            .collect()
    }

    #[test]
    fn stores_of_keys_are_secrets_and_certificates_are_not() {
        let pkcs12 = [b"\x30\x82\x09\x10\x02\x01\x03\x30\x82\x08\xD6".as_slice(), CONTENT].concat();
        let encrypted = [b"\x30\x82\x05\x0E\x30\x40".as_slice(), CIPHERS[0]].concat();
        let certificate = b"\x30\x82\x03\x10\x30\x82\x02\xF8\xA0\x03\x02\x01\x02".to_vec();
        let message = [b"\x30\x82\x09\x10".as_slice(), CONTENT].concat();
        let is_found = |head: &[u8]| {
            let noise = (0_u32..90).map(|at| u8::try_from(at * 181 % 251).unwrap_or(0));
            let store: Vec<u8> = head.iter().copied().chain(noise).collect();
            let text = format!("KEYSTORE={}", encode(&store));
            find(&text, |_| false).first() == Some(&(9..text.len()))
        };
        assert!(is_found(&pkcs12) && is_found(&encrypted));
        assert!(STORES.iter().all(|store| is_found(store)));
        assert!(!is_found(&certificate) && !is_found(&message));
    }
}
