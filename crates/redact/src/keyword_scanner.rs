//! Finds the keywords of all rules in one pass over the text.
//!
//! Every three bytes are hashed, without their case, into a bit set that fits in
//! the L1 cache; six places are looked up before anything is decided, because a
//! wrong guess of the processor costs more than a look-up. Where a bit is set, the
//! byte after them is hashed as well into a second set, and keywords are compared
//! only where that bit is set too: three letters of a keyword are common in any
//! text, four are not. Keywords of three bytes are in a set that keeps their case.
//! A keyword has at least three bytes, and its rarest three are the ones searched
//! for. Several rules may share a keyword: it is compared once for all of them.
//! An automaton would look at each byte as often, but jump through memory.

use std::collections::{BTreeMap, HashMap};

/// log2 of the number of bits in the set for three bytes.
const BITS: u32 = 17;
/// The same in the set for four: it is looked at rarely, and must not displace
/// the other.
const LONGER_BITS: u32 = 18;
const SHORT_BITS: u32 = 15;
/// How many bits of a hash are looked up in a table before needles are compared.
const START_BITS: u32 = 13;

/// How often letters occur in English, per mille, from `a` to `z`.
const LETTERS: [u32; 26] = [
    82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24, 2,
    20, 1,
];

/// A keyword, which is compared once for all of its owners.
#[derive(Debug, Clone)]
struct Needle {
    text: &'static [u8],
    any_case: bool,
    /// The offset of the bytes that are searched for.
    offset: usize,
    owners: Vec<u16>,
}

/// All keywords.
pub(crate) struct KeywordScanner {
    /// Which hashes of three bytes belong to a keyword.
    set: BitSet<{ 1 << (BITS - 6) }>,
    /// Which of them belong to a keyword of three bytes.
    short: BitSet<{ 1 << (SHORT_BITS - 6) }>,
    /// Which hashes of these three and the byte after them belong to a keyword.
    longer: BitSet<{ 1 << (LONGER_BITS - 6) }>,
    /// By the hash of three bytes, sorted.
    needles: Vec<(u32, Needle)>,
    /// Where the needles start whose hashes begin with these bits.
    starts: Box<[u16; 1 << START_BITS]>,
}

/// A set of hashes.
struct BitSet<const WORDS: usize>(Box<[u64; WORDS]>);

impl<const WORDS: usize> BitSet<WORDS> {
    fn new() -> Self {
        Self(Box::new([0; WORDS]))
    }

    fn insert(&mut self, hash: u32) {
        self.0[(hash >> 6) as usize % WORDS] |= 1 << (hash & 63);
    }

    fn contains(&self, hash: u32) -> bool {
        self.0[(hash >> 6) as usize % WORDS] >> (hash & 63) & 1 != 0
    }
}

impl KeywordScanner {
    /// Keywords, whether they match in any case, and their owners.
    pub(crate) fn new(keywords: impl Iterator<Item = (&'static str, bool, u16)>) -> Self {
        let (mut set, mut short, mut longer) = (BitSet::new(), BitSet::new(), BitSet::new());
        let mut owners: BTreeMap<(&[u8], bool), Vec<u16>> = BTreeMap::new();
        for (keyword, any_case, owner) in keywords {
            let owners = owners.entry((keyword.as_bytes(), any_case)).or_default();
            if !owners.contains(&owner) {
                owners.push(owner);
            }
        }
        let mut needles = Vec::new();
        let common = COMMON.lines().flat_map(|line| line.as_bytes().chunks_exact(3));
        let ranks: HashMap<&[u8], usize> = common.rev().zip(1..).collect();
        for ((text, any_case), owners) in owners {
            let threes = text.windows(3).enumerate();
            let Some((offset, _)) = threes.min_by_key(|(_, three)| commonness(&ranks, three))
            else {
                continue;
            };
            let window = &text[offset..text.len().min(offset + 4)];
            for spelled in spellings(window, any_case) {
                let hash = hash(spelled | FOLD);
                set.insert(hash);
                if window.len() == 3 {
                    short.insert(hash_short(spelled));
                } else {
                    longer.insert(hash_four(spelled | FOLD));
                }
                needles.push((hash, Needle { text, any_case, offset, owners: owners.clone() }));
            }
        }
        // Two spellings of a keyword can have the same hash.
        needles.sort_by_key(|(hash, needle): &(u32, Needle)| (*hash, needle.text, needle.any_case));
        needles.dedup_by_key(|(hash, needle)| (*hash, needle.text, needle.any_case));
        let mut starts = Box::new([0; 1 << START_BITS]);
        for (index, (_, start)) in (0_u32..).zip(starts.iter_mut().enumerate()) {
            let first = needles.partition_point(|(hash, _)| hash >> (BITS - START_BITS) < index);
            *start = u16::try_from(first).unwrap_or(u16::MAX);
        }
        Self { set, short, longer, needles, starts }
    }

    /// Calls `found` with the owners, the position and the length of every
    /// keyword.
    pub(crate) fn scan(&self, text: &[u8], mut found: impl FnMut(&[u16], usize, usize)) {
        let mut at = 0;
        while let Some(eight) = text.get(at..).and_then(<[u8]>::first_chunk::<8>) {
            let folded = u64::from_le_bytes(*eight) | (u64::from(FOLD) << 32 | u64::from(FOLD));
            let mut hits = 0;
            for place in 0..AT_ONCE {
                hits |= u32::from(self.set.contains(hash(low(folded >> (8 * place))))) << place;
            }
            if hits != 0 {
                self.check(text, at, hits, &mut found);
            }
            at += AT_ONCE;
        }
        for at in at..text.len().saturating_sub(2) {
            if self.set.contains(hash(read(text, at) | FOLD)) {
                self.check(text, at, 1, &mut found);
            }
        }
    }

    /// Whether the text contains a keyword.
    pub(crate) fn has_keyword(&self, text: &[u8]) -> bool {
        let mut found = false;
        self.scan(text, |_, _, _| found = true);
        found
    }

    /// Looks at the places whose bits are set, counted from `at`.
    #[inline(never)]
    fn check(
        &self,
        text: &[u8],
        at: usize,
        mut hits: u32,
        found: &mut impl FnMut(&[u16], usize, usize),
    ) {
        while hits != 0 {
            let at = at + hits.trailing_zeros() as usize;
            hits &= hits - 1;
            let four = read(text, at);
            if self.longer.contains(hash_four(four | FOLD)) || self.short.contains(hash_short(four))
            {
                self.compare(text, at, hash(four | FOLD), found);
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn compare(
        &self,
        text: &[u8],
        at: usize,
        hash: u32,
        found: &mut impl FnMut(&[u16], usize, usize),
    ) {
        let first = usize::from(self.starts[(hash >> (BITS - START_BITS)) as usize]);
        let same = self.needles[first..]
            .iter()
            .skip_while(|(other, _)| *other < hash)
            .take_while(|(other, _)| *other == hash);
        for (_, needle) in same {
            let Some(at) = at.checked_sub(needle.offset) else { continue };
            let Some(there) = text.get(at..at + needle.text.len()) else { continue };
            // The ends tell nearly all keywords apart that have these bytes in common.
            let ends = |text: &[u8]| (text[0] | 0x20, text[text.len() - 1] | 0x20);
            if ends(there) != ends(needle.text) {
                continue;
            }
            let same = if needle.any_case {
                there.eq_ignore_ascii_case(needle.text)
            } else {
                there == needle.text
            };
            if same {
                found(&needle.owners, at, needle.text.len());
            }
        }
    }
}

/// The most common triples of characters in published code and its
/// documentation, in lower case, the most common first; thirty a line.
const COMMON: &str = include_str!("common_triples.txt");

/// How common these bytes are in prose and code, in any case: first by the list,
/// then by their letters.
fn commonness(ranks: &HashMap<&[u8], usize>, three: &[u8]) -> (usize, u64) {
    let rarer = ranks.get(three.to_ascii_lowercase().as_slice()).copied().unwrap_or(0);
    let letters = three
        .iter()
        .map(|byte| match byte {
            b'a'..=b'z' => u64::from(LETTERS[usize::from(byte - b'a')]),
            b'A'..=b'Z' => u64::from(LETTERS[usize::from(byte - b'A')]),
            b'0'..=b'9' => 5,
            b' ' => 150,
            b'.' | b'/' => 20,
            _ => 10,
        })
        .product();
    (rarer, letters)
}

/// Makes capitals small; other bytes that it makes equal are rarely beside the
/// same letters.
const FOLD: u32 = 0x2020_2020;

/// How many places are looked up at once: eight bytes have six with three bytes.
const AT_ONCE: usize = 6;

#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is asked for")]
fn low(eight: u64) -> u32 {
    eight as u32
}

/// The four bytes at a place, or three and a zero at the end.
fn read(text: &[u8], at: usize) -> u32 {
    match text[at..] {
        [a, b, c, d, ..] => u32::from_le_bytes([a, b, c, d]),
        [a, b, c] => u32::from_le_bytes([a, b, c, 0]),
        _ => 0,
    }
}

/// Of the lower three bytes.
fn hash(three: u32) -> u32 {
    /// Any odd number works. With this one, of some hundred that were tried,
    /// the fewest common byte triples of transcripts and code hit a set bit.
    const SPREAD: u32 = 0x8DC8_1C85;
    (three << 8).wrapping_mul(SPREAD) >> (32 - BITS)
}

/// The same with case, for keywords of three bytes.
fn hash_short(three: u32) -> u32 {
    hash(three) >> (BITS - SHORT_BITS)
}

/// The same for four bytes.
fn hash_four(four: u32) -> u32 {
    const SPREAD: u32 = 0x9E37_79B1;
    four.wrapping_mul(SPREAD) >> (32 - LONGER_BITS)
}

/// Three or four bytes in all spellings, or only as they are.
fn spellings(bytes: &[u8], any_case: bool) -> Vec<u32> {
    let mut spelled: Vec<u32> = (0..16_usize)
        .map(|upper| {
            bytes.iter().enumerate().fold(0, |number, (index, byte)| {
                let byte = match any_case {
                    true if upper >> index & 1 == 1 => byte.to_ascii_uppercase(),
                    true => byte.to_ascii_lowercase(),
                    false => *byte,
                };
                number | u32::from(byte) << (8 * index)
            })
        })
        .collect();
    spelled.sort_unstable();
    spelled.dedup();
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_found_at_its_position_and_in_its_case() {
        let keywords =
            [("://", false, 1), ("Key-", false, 2), ("token", true, 3), ("tok", false, 4)];
        let scanner = KeywordScanner::new(keywords.into_iter());
        let mut found = Vec::new();
        scanner.scan("a://b key- Key- TOKEN tokén ToKeN://".as_bytes(), |owners, at, length| {
            found.extend(owners.iter().map(|owner| (*owner, at, length)));
        });
        found.sort_unstable();
        let expected = [(1, 1, 3), (1, 34, 3), (2, 11, 4), (3, 16, 5), (3, 29, 5), (4, 22, 3)];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_keyword_is_found_wherever_it_starts_and_ends() {
        let keywords = [("abc", false, 0), ("XyZw", true, 1), ("PQR", false, 2)];
        let scanner = KeywordScanner::new(keywords.into_iter());
        for (before, after) in (0..20).flat_map(|before| (0..9).map(move |after| (before, after))) {
            for (keyword, owner) in [("abc", 0), ("xYzW", 1), ("PQR", 2)] {
                let text = format!("{}{keyword}{}", "-".repeat(before), "_".repeat(after));
                let mut found = Vec::new();
                scanner.scan(text.as_bytes(), |owners, at, _| found.push((owners.to_vec(), at)));
                assert_eq!(found, [(vec![owner], before)], "{text}");
                assert!(scanner.has_keyword(text.as_bytes()));
            }
            let text = format!("{}pqr ABC{}", "-".repeat(before), "_".repeat(after));
            assert!(!scanner.has_keyword(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn keyword_of_several_owners_is_found_once_with_all_of_them() {
        let keywords =
            [("token", true, 2), ("key", true, 0), ("token", true, 1), ("token", true, 1)];
        let scanner = KeywordScanner::new(keywords.into_iter());
        let mut found = Vec::new();
        scanner.scan(b"the Token of it", |owners, at, _| found.push((owners.to_vec(), at)));
        assert_eq!(found, [(vec![2, 1], 4)]);
    }

    #[test]
    fn a_text_shorter_than_a_keyword_contains_none() {
        let scanner = KeywordScanner::new([("abcd", false, 0)].into_iter());
        for text in ["", "a", "ab", "abc"] {
            scanner.scan(text.as_bytes(), |_, _, _| panic!("{text}"));
        }
    }
}
