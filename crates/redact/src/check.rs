//! Decides whether a candidate is a secret: entropy, checksums, and the
//! placeholders that people write instead of one.

use crate::pattern::{ANY_HEX, Set};

/// Bits per byte, by the frequencies in the text itself.
pub(crate) fn entropy(text: &[u8]) -> f32 {
    let mut counts = [0_u32; 256];
    for byte in text {
        counts[usize::from(*byte)] += 1;
    }
    #[expect(clippy::cast_precision_loss, reason = "a measure, compared with a threshold")]
    let total = text.len().max(1) as f32;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            #[expect(clippy::cast_precision_loss, reason = "a measure, compared with a threshold")]
            let share = *count as f32 / total;
            -share * share.log2()
        })
        .sum()
}

/// Whether upper case, lower case and digits alternate as they do by chance,
/// and hardly ever in names.
pub(crate) fn is_jumbled(text: &str) -> bool {
    let kinds = text.bytes().filter_map(|byte| match byte {
        b'0'..=b'9' => Some('0'),
        b'a'..=b'z' => Some('a'),
        b'A'..=b'Z' => Some('A'),
        _ => None,
    });
    let (mut count, mut changes, mut has_digit, mut last) = (0, 0, false, None);
    for kind in kinds {
        count += 1;
        changes += usize::from(last.is_some_and(|last| last != kind));
        has_digit |= kind == '0';
        last = Some(kind);
    }
    has_digit && changes * 8 >= count
}

/// The same, for texts with letters of both cases. Hashes and lower-case names
/// with a hash in them have only one.
pub(crate) fn is_mixed(text: &str) -> bool {
    is_jumbled(text)
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
        && text.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Whether the last six characters are the CRC-32 of the others in base 62, as
/// in GitHub's and npm's tokens.
pub(crate) fn has_checksum(body: &[u8]) -> bool {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let Some((random, checksum)) = body.split_last_chunk::<6>() else { return false };
    let mut rest = crc32(random);
    checksum.iter().rev().all(|digit| {
        let expected = DIGITS[(rest % 62) as usize];
        rest /= 62;
        *digit == expected
    })
}

/// Bit by bit: it processes thirty bytes at a time, and rarely.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

/// The start of decoded base64, in either alphabet; empty if it is invalid.
pub(crate) fn decode_base64(text: &[u8], most: usize) -> Vec<u8> {
    let (mut bits, mut held) = (0_u32, 0);
    let mut decoded = Vec::new();
    for byte in text.iter().take_while(|byte| **byte != b'=') {
        if decoded.len() >= most {
            break;
        }
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return Vec::new(),
        };
        bits = (bits << 6 | u32::from(value)) & 0xF_FFFF;
        held += 6;
        if held >= 8 {
            held -= 8;
            decoded.push((bits >> held & 0xFF) as u8);
        }
    }
    decoded
}

/// Words that people write instead of a secret.
const PLACEHOLDERS: &[&str] = &[
    "xxxx",
    "****",
    "....",
    "----",
    "____",
    "0000000",
    "1111111",
    "1234567890123456",
    "•••",
    "…",
    "example",
    "placeholder",
    "1password",
    "redacted",
    "changeme",
    "change_me",
    "change-me",
    "change_this",
    "change-this",
    "dummy",
    "your_",
    "your-",
    "yourkey",
    "yoursecret",
    "yourtoken",
    "yourpass",
    "yourapi",
    "my_secret",
    "my-secret",
    "insert_",
    "insert-",
    "replace_",
    "replace-",
    "replaceme",
    "notasecret",
    "not-a-secret",
    "not_a_secret",
    "not my real",
    "fake-",
    "fake_",
    "-here",
    "_here",
    "goes here",
    "process.env",
    "os.environ",
    "import.meta",
    "getenv",
    "undefined",
];

/// Whether the text contains such a word.
pub(crate) fn is_placeholder(text: &str) -> bool {
    PLACEHOLDERS.iter().any(|word| contains_any_case(text, word))
}

/// Whether this is base64 of a password, maybe after its user, that has such a word: the
/// sample of a manual. Longer texts are files, where the word may stand beside a secret.
pub(crate) fn is_encoded_placeholder(text: &str) -> bool {
    if !(16..=120).contains(&text.len()) || text.len() % 4 == 1 {
        return false;
    }
    let decoded = decode_base64(text.as_bytes(), 90);
    let is_password = |byte: &u8| (b' '..0x7F).contains(byte) && !b"{=,;\"".contains(byte);
    let password = decoded.rsplit(|byte| *byte == b':').next().unwrap_or_default();
    decoded.iter().all(is_password)
        && memchr::memchr_iter(b':', &decoded).count() <= 1
        && str::from_utf8(password).is_ok_and(is_placeholder)
}

/// The words of [`is_placeholder`], in lower case.
pub(crate) fn placeholders() -> impl Iterator<Item = &'static str> {
    PLACEHOLDERS.iter().copied()
}

/// Words of names that stand for a secret in tests and documentation.
const SAMPLES: &[&str] = &[
    "a",
    "abc",
    "abcd",
    "abcdef",
    "access",
    "account",
    "admin",
    "api",
    "app",
    "auth",
    "authorization",
    "bad",
    "bar",
    "bearer",
    "client",
    "credential",
    "credentials",
    "def",
    "demo",
    "dev",
    "expired",
    "fake",
    "foo",
    "good",
    "here",
    "id",
    "invalid",
    "jwt",
    "key",
    "local",
    "mock",
    "my",
    "new",
    "oauth",
    "old",
    "pass",
    "password",
    "pwd",
    "refresh",
    "sample",
    "scheme",
    "secret",
    "service",
    "session",
    "some",
    "stub",
    "super",
    "test",
    "testing",
    "the",
    "token",
    "user",
    "valid",
    "value",
    "wrong",
    "xyz",
    "your",
];

/// Whether the text is such a name: words, one of them from the list, and numbers.
pub(crate) fn is_sample(text: &str) -> bool {
    let is_wordy = text.split(|c: char| !c.is_ascii_alphanumeric()).all(|piece| {
        let tail = piece.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        tail.bytes().all(|byte| byte.is_ascii_digit())
    });
    let is_word = |word: &str| SAMPLES.iter().any(|sample| word.eq_ignore_ascii_case(sample));
    is_wordy && text.split(|c: char| !c.is_ascii_alphabetic()).any(is_word)
}

/// `word` is in lower case.
pub(crate) fn contains_any_case(text: &str, word: &str) -> bool {
    let word = word.as_bytes();
    let Some(first) = word.first() else { return true };
    // Nearly all windows begin with another letter.
    text.as_bytes()
        .windows(word.len())
        .any(|window| window[0] | 0x20 == first | 0x20 && window.eq_ignore_ascii_case(word))
}

/// `8-4-4-4-12` hex digits.
pub(crate) fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    groups.len() == 5
        && groups.iter().zip([8, 4, 4, 4, 12]).all(|(group, length)| {
            group.len() == length && group.bytes().all(|byte| ANY_HEX.contains(byte))
        })
}

/// Whether every byte is of the set.
pub(crate) fn all(set: Set, text: &str) -> bool {
    text.bytes().all(|byte| set.contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn githubs_own_example_has_a_valid_checksum() {
        // From GitHub's article on the format, in two pieces.
        let body = format!("zQWBuTSOoRi4A9spHcVY{}", "5ncnsDkxkJ0mLq17");
        assert!(has_checksum(body.as_bytes()));
        assert!(!has_checksum(body.replace('z', "y").as_bytes()));
        assert!(!has_checksum(b"0mLq1"));
    }

    #[test]
    fn random_text_is_distinguished_from_names() {
        for (text, jumbled, mixed) in [
            ("16C7e42F292c6912E7710c838347Ae178B4a", true, true),
            ("c831e864ec8b45d48730d21e9e233c90cb4f2004", true, false),
            ("QYLPMN5HHHFPZAM2", true, false),
            ("NATIONALTHEATRES", false, false),
            ("some-long-name-of-a-project-number-2", false, false),
            ("ofTheNorthAtlanticTideGaugesWithNames", false, false),
            ("", false, false),
        ] {
            assert_eq!((is_jumbled(text), is_mixed(text)), (jumbled, mixed), "{text}");
        }
    }

    #[test]
    fn the_checksum_is_the_one_of_zip() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn sample_password_in_base64_is_a_placeholder_and_a_file_is_none() {
        for (text, placeholder) in [
            ("bm90IG15IHJlYWwgcGFzc3dvcmQ=", true),
            ("aXNhYWNzOm5vdCBteSByZWFsIHBhc3N3b3Jk", true),
            // `ann@example.org:hV8nq2LxTa`, `{"a":"hV8nq2LxTa","b":"example"}`
            ("YW5uQGV4YW1wbGUub3JnOmhWOG5xMkx4VGE=", false),
            ("eyJhIjoiaFY4bnEyTHhUYSIsImIiOiJleGFtcGxlIn0=", false),
            ("aB3dE6gH9jK2mN5pQ8sT", false),
        ] {
            assert_eq!(is_encoded_placeholder(text), placeholder, "{text}");
        }
    }

    #[test]
    fn entropy_is_bits_per_byte() {
        for (text, bits) in [("", 0.0), ("aaaa", 0.0), ("abab", 1.0), ("abcdefgh", 3.0)] {
            assert!((entropy(text.as_bytes()) - bits).abs() < 0.001, "{text}");
        }
    }

    #[test]
    fn base64_is_decoded_in_both_alphabets_up_to_the_limit() {
        assert_eq!(decode_base64(b"eyJhbGciOiJI", 5), b"{\"alg");
        assert_eq!(decode_base64(b"_-8=", 9), b"\xff\xef");
        assert_eq!(decode_base64(b"/+8=", 9), b"\xff\xef");
        assert_eq!(decode_base64(b"a b", 9), b"");
    }
}
