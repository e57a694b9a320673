//! A large home of Codex, grown from the corpus: copies of its threads with new ids and times.
//!
//! Every copy has other ids of threads, turns and responses, a third of other words, and is some
//! days older. All of them keep their lengths, so that the offsets at which forks end stay true.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use jiff::civil::DateTime;
use jiff::{Span, ToSpan as _};

use super::files_below;
use super::vocabulary::{Vocabulary, change_words};

/// The time between two copies.
const DAYS: i64 = 3;

/// Writes copies of the rollout files of a home into another until it has this many bytes.
pub(super) fn grow(corpus: &Path, home: &Path, bytes: u64) -> Result<()> {
    if home.exists() {
        bail!("{} exists: name a new folder", home.display());
    }
    let files: Vec<(String, Vec<u8>)> = files_below(corpus)?
        .into_iter()
        // Compressed files would have to be packed again.
        .filter(|(name, path)| {
            name.contains("rollout-") && path.extension().is_some_and(|end| end == "jsonl")
        })
        .map(|(name, path)| Ok((name, fs::read(path)?)))
        .collect::<Result<_>>()?;
    if files.is_empty() {
        bail!("{} has no rollout files", corpus.display());
    }
    let vocabulary = Vocabulary::of(files.iter().map(|(_, content)| &content[..]));
    let mut written = 0;
    for copy in 0.. {
        let changes = vocabulary.changes(copy);
        for (name, content) in &files {
            if written >= bytes {
                return Ok(());
            }
            let name = String::from_utf8(renewed(name.as_bytes(), copy))?;
            let path = home.join(moved_to_day(&name));
            let folder = path.parent().context("a file without a folder")?;
            fs::create_dir_all(folder)?;
            let mut new = renewed(content, copy);
            change_words(&mut new, &changes);
            fs::write(&path, new).with_context(|| format!("cannot write {}", path.display()))?;
            written += content.len() as u64;
        }
    }
    Ok(())
}

/// The folder of a file's day, which is in its name.
fn moved_to_day(name: &str) -> String {
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    match file.get("rollout-".len().."rollout-2026-01-31".len()) {
        Some(day) if folder.starts_with("sessions") => {
            format!("sessions/{}/{file}", day.replace('-', "/"))
        }
        _ => name.to_owned(),
    }
}

/// The text with new ids and times.
fn renewed(text: &[u8], copy: u32) -> Vec<u8> {
    let mut new = text.to_vec();
    let mut at = 0;
    while at < new.len() {
        let rest = &mut new[at..];
        if let Some(id) = rest.first_chunk_mut::<36>().filter(|id| is_uuid(&id[..])) {
            renew_uuid(id, copy);
            at += 36;
        } else if let Some(time) = rest.first_chunk_mut::<19>().filter(|time| is_time(&time[..])) {
            renew_time(time, copy);
            at += 19;
        } else {
            at += 1;
        }
    }
    renew_responses(&mut new, copy);
    new
}

fn is_uuid(text: &[u8]) -> bool {
    text[8] == b'-'
        && text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// `2026-01-31T12:00:00`, or with hyphens in the names of files.
fn is_time(text: &[u8]) -> bool {
    text[10] == b'T'
        && text.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            10 => true,
            13 | 16 => matches!(byte, b':' | b'-'),
            _ => byte.is_ascii_digit(),
        })
}

/// Moves the time at the start of an id, and makes its end another.
fn renew_uuid(id: &mut [u8; 36], copy: u32) {
    let digits: Vec<u8> = id.iter().copied().filter(|byte| *byte != b'-').collect();
    let Some(value) =
        std::str::from_utf8(&digits).ok().and_then(|d| u128::from_str_radix(d, 16).ok())
    else {
        return;
    };
    let older = u128::from(copy) * 86_400_000 * u128::from(DAYS.unsigned_abs());
    // The same for all ids of a copy, and within their last digits.
    let other = u128::from(copy).wrapping_mul(0x9e37_79b9) % (1 << 40);
    let value = value.wrapping_sub(older << 80) ^ other;
    let mut digits = format!("{value:032x}").into_bytes().into_iter();
    for byte in id.iter_mut().filter(|byte| **byte != b'-') {
        *byte = digits.next().unwrap_or(b'0');
    }
}

fn renew_time(time: &mut [u8; 19], copy: u32) {
    let text = String::from_utf8_lossy(&time[..]).into_owned();
    let separator = if time[13] == b':' { "%Y-%m-%dT%H:%M:%S" } else { "%Y-%m-%dT%H-%M-%S" };
    let days: Span = (DAYS * i64::from(copy)).days();
    let moved = DateTime::strptime(separator, &text).and_then(|time| time.checked_sub(days));
    if let Ok(moved) = moved {
        time.copy_from_slice(&moved.strftime(separator).to_string().into_bytes()[..19]);
    }
}

/// Makes the ids of responses others. They have no common form, so their last letters change.
fn renew_responses(text: &mut [u8], copy: u32) {
    const FIELD: &[u8] = br#""response_id":""#;
    let mut at = 0;
    while let Some(found) = text[at..].windows(FIELD.len()).position(|part| part == FIELD) {
        at += found + FIELD.len();
        let length = text[at..].iter().take_while(|byte| **byte != b'"').count();
        let id = &mut text[at..at + length];
        let mut number = copy;
        for byte in id.iter_mut().take(3) {
            *byte = b'a' + u8::try_from(number % 26).unwrap_or_default();
            number /= 26;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_have_other_ids_and_times_of_the_same_length() {
        let line = br#"{"timestamp":"2026-01-31T12:00:00.000Z","id":"0198f2a0-0000-7000-8000-000000000001","response_id":"resp_1"}"#;
        let copies: Vec<_> = (0..3).map(|copy| renewed(line, copy)).collect();
        assert!(copies.iter().all(|copy| copy.len() == line.len()));
        assert!(copies[0] != copies[1] && copies[1] != copies[2]);
        let text = String::from_utf8(copies[1].clone()).expect("text");
        assert!(text.contains("2026-01-28T12:00:00.000Z"), "{text}");
        assert!(!text.contains("000000000001") && text.contains("-7000-8000-"), "{text}");
    }

    #[test]
    fn files_move_to_the_folder_of_their_day() {
        assert_eq!(
            moved_to_day("sessions/2026/01/31/rollout-2026-01-28T12-00-00-a.jsonl"),
            "sessions/2026/01/28/rollout-2026-01-28T12-00-00-a.jsonl"
        );
    }
}
