//! Finds the keywords of all rules in one pass over the text.
//!
//! Every three bytes are hashed into a bit set that fits in the L1 cache;
//! keywords are compared only where the bit is set. A keyword thus has at least
//! three bytes, and its rarest three are the ones searched for. An automaton
//! would look at each byte as often, but jump through memory.

/// log2 of the number of bits.
const BITS: u32 = 17;
const WORDS: usize = 1 << (BITS - 6);

/// How often letters occur in English, per mille, from `a` to `z`.
const LETTERS: [u32; 26] = [
    82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24, 2,
    20, 1,
];

/// A keyword and its owner.
#[derive(Debug, Clone, Copy)]
struct Needle {
    text: &'static [u8],
    any_case: bool,
    owner: u16,
    /// The offset of the three bytes that are searched for.
    offset: usize,
}

/// All keywords.
pub(crate) struct KeywordScanner {
    /// Which hashes of three bytes belong to a keyword.
    set: Box<[u64; WORDS]>,
    /// By hash, sorted.
    needles: Vec<(u32, Needle)>,
}

impl KeywordScanner {
    /// Keywords, whether they match in any case, and their owners.
    pub(crate) fn new(keywords: impl Iterator<Item = (&'static str, bool, u16)>) -> Self {
        let mut set = Box::new([0_u64; WORDS]);
        let mut needles = Vec::new();
        for (keyword, any_case, owner) in keywords {
            let text = keyword.as_bytes();
            let threes = text.windows(3).enumerate();
            let Some((offset, three)) = threes.min_by_key(|(_, three)| commonness(three, any_case))
            else {
                continue;
            };
            for hash in spellings([three[0], three[1], three[2]], any_case) {
                set[(hash >> 6) as usize] |= 1 << (hash & 63);
                needles.push((hash, Needle { text, any_case, owner, offset }));
            }
        }
        needles.sort_by_key(|(hash, _)| *hash);
        Self { set, needles }
    }

    /// Calls `found` with the owner, the position and the length of every
    /// keyword.
    pub(crate) fn scan(&self, text: &[u8], mut found: impl FnMut(u16, usize, usize)) {
        let mut three = 0_u32;
        for (index, byte) in text.iter().enumerate() {
            three = three >> 8 | u32::from(*byte) << 16;
            let hash = hash(three);
            if self.set[(hash >> 6) as usize] >> (hash & 63) & 1 != 0 && index >= 2 {
                self.compare(text, index - 2, hash, &mut found);
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
        found: &mut impl FnMut(u16, usize, usize),
    ) {
        let first = self.needles.partition_point(|(other, _)| *other < hash);
        for (_, needle) in self.needles[first..].iter().take_while(|(other, _)| *other == hash) {
            let Some(at) = at.checked_sub(needle.offset) else { continue };
            let Some(there) = text.get(at..at + needle.text.len()) else { continue };
            let same = if needle.any_case {
                there.eq_ignore_ascii_case(needle.text)
            } else {
                there == needle.text
            };
            if same {
                found(needle.owner, at, needle.text.len());
            }
        }
    }
}

/// How common these bytes are in prose and code.
fn commonness(three: &[u8], any_case: bool) -> u32 {
    three
        .iter()
        .map(|byte| match byte {
            b'a'..=b'z' => LETTERS[usize::from(byte - b'a')],
            b'A'..=b'Z' if any_case => LETTERS[usize::from(byte - b'A')],
            b'A'..=b'Z' | b'0'..=b'9' => 5,
            b' ' => 150,
            b'.' | b'/' => 20,
            _ => 10,
        })
        .product()
}

fn hash(three: u32) -> u32 {
    /// Any odd number works. With this one, of some hundred that were tried,
    /// the fewest common byte triples of transcripts and code hit a set bit.
    const SPREAD: u32 = 0x8DC8_1C85;
    three.wrapping_mul(SPREAD) >> (32 - BITS)
}

/// The hashes of three bytes in all spellings, or only as they are.
fn spellings(bytes: [u8; 3], any_case: bool) -> Vec<u32> {
    let mut hashes: Vec<u32> = (0..8_usize)
        .map(|upper| {
            let mut spelled = bytes;
            for (index, byte) in spelled.iter_mut().enumerate().filter(|_| any_case) {
                *byte = if upper >> index & 1 == 1 {
                    byte.to_ascii_uppercase()
                } else {
                    byte.to_ascii_lowercase()
                };
            }
            hash(u32::from_le_bytes([spelled[0], spelled[1], spelled[2], 0]))
        })
        .collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
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
        scanner.scan("a://b key- Key- TOKEN tokén ToKeN://".as_bytes(), |owner, at, length| {
            found.push((owner, at, length));
        });
        found.sort_unstable();
        let expected = [(1, 1, 3), (1, 34, 3), (2, 11, 4), (3, 16, 5), (3, 29, 5), (4, 22, 3)];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_text_shorter_than_a_keyword_contains_none() {
        let scanner = KeywordScanner::new([("abcd", false, 0)].into_iter());
        for text in ["", "a", "ab", "abc"] {
            scanner.scan(text.as_bytes(), |_, _, _| panic!("{text}"));
        }
    }
}
