//! Changes a third of the words of grown threads, so that copies are not found again by their
//! texts: an index of equal copies would be much smaller and faster than one of real threads.
//!
//! A word is changed everywhere in a copy, to another of the same length, so that what a thread
//! says twice stays equal and offsets stay true. Only words between blanks in the values of JSON
//! strings are changed, and only if they occur nowhere else: names of members, types, tools and
//! files stay.

use std::collections::{BTreeSet, HashMap, HashSet};

/// Shorter words are mostly those of a language; longer ones, of a subject.
const SHORTEST: usize = 6;

/// The words that may be changed, by their length.
#[derive(Debug, Default)]
pub(super) struct Vocabulary(HashMap<usize, Vec<Vec<u8>>>);

impl Vocabulary {
    /// The words of some files.
    pub(super) fn of<'f>(files: impl Iterator<Item = &'f [u8]>) -> Vocabulary {
        let (mut free, mut fixed) = (BTreeSet::new(), HashSet::new());
        for text in files {
            each_word(text, |range, is_free| {
                let word = &text[range];
                if is_free {
                    free.insert(word);
                } else {
                    fixed.insert(word);
                }
            });
        }
        let mut by_length: HashMap<usize, Vec<Vec<u8>>> = HashMap::new();
        for word in free.into_iter().filter(|word| !fixed.contains(word)) {
            by_length.entry(word.len()).or_default().push(word.to_vec());
        }
        Vocabulary(by_length)
    }

    /// The words that a copy has in place of others.
    pub(super) fn changes(&self, copy: u32) -> HashMap<&[u8], &[u8]> {
        let mut changes = HashMap::new();
        // The first copy is the original.
        for words in self.0.values().filter(|_| copy > 0) {
            let step = 1 + copy as usize * 7;
            for (number, word) in words.iter().enumerate() {
                if (number + copy as usize).is_multiple_of(3) {
                    changes.insert(&word[..], &words[(number + step) % words.len()][..]);
                }
            }
        }
        changes
    }
}

/// Changes the words of a text.
pub(super) fn change_words(text: &mut [u8], changes: &HashMap<&[u8], &[u8]>) {
    let mut found = Vec::new();
    each_word(text, |range, is_free| {
        let new = changes.get(&text[range.clone()]).filter(|_| is_free);
        found.extend(new.map(|new| (range.start, *new)));
    });
    for (start, new) in found {
        text[start..start + new.len()].copy_from_slice(new);
    }
}

/// Finds the words of JSON Lines, and whether each may be changed.
fn each_word(text: &[u8], mut found: impl FnMut(std::ops::Range<usize>, bool)) {
    let mut at = 0;
    let mut is_after_blank = false;
    while at < text.len() {
        let length = text[at..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        if length >= SHORTEST {
            let is_before_blank = text.get(at + length) == Some(&b' ');
            found(at..at + length, is_after_blank && is_before_blank);
        }
        at += length;
        let Some(byte) = text.get(at) else { return };
        is_after_blank = *byte == b' ';
        // The letter of an escape is not part of a word.
        at += if *byte == b'\\' { 2 } else { 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_blanks_change_everywhere_and_others_stay() {
        let text = br#"{"message":"the kitten chased a ribbon and message chased\nsilver","file":"kitten.rs"}"#;
        let vocabulary = Vocabulary::of([&text[..]].into_iter());
        let copies: Vec<String> = (0..4)
            .map(|copy| {
                let mut text = text.to_vec();
                change_words(&mut text, &vocabulary.changes(copy));
                String::from_utf8(text).expect("text")
            })
            .collect();
        assert_eq!(copies[0].as_bytes(), text);
        assert!(copies.iter().all(|copy| copy.len() == text.len()));
        assert!(copies.iter().all(|copy| copy.starts_with(r#"{"message":"the kitten "#)));
        assert!(copies.iter().all(|copy| copy.ends_with(r#"silver","file":"kitten.rs"}"#)));
        let vocabulary = Vocabulary::of([&b" kitten ribbon silver golden velvet "[..]].into_iter());
        let mut text = b" ribbon or ribbon ".to_vec();
        let changes = vocabulary.changes(2);
        assert_eq!(changes.len(), 2);
        change_words(&mut text, &HashMap::from([(&b"ribbon"[..], &b"velvet"[..])]));
        assert_eq!(text, b" velvet or velvet ");
    }
}
