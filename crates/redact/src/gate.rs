//! Where any keyword of any rule stands: one pass over the text.
//!
//! Every three bytes are hashed into a bit set that stays in the nearest cache;
//! only where the bit is set are keywords compared. A keyword thus has at least
//! three bytes. An automaton would look at each byte as often but jump through
//! memory to do so.

/// log2 of the number of bits.
const BITS: u32 = 17;

/// A keyword, and whose it is.
#[derive(Debug, Clone, Copy)]
struct Needle {
    text: &'static [u8],
    any_case: bool,
    owner: u16,
}

/// All keywords.
pub(crate) struct Gate {
    /// Which hashes of three bytes begin a keyword.
    begins: Box<[u64]>,
    /// By hash, sorted.
    needles: Vec<(u32, Needle)>,
}

impl Gate {
    /// Keywords with their owner, and whether case matters not.
    pub(crate) fn new(keywords: impl Iterator<Item = (&'static str, bool, u16)>) -> Self {
        let mut begins = vec![0_u64; 1 << (BITS - 6)].into_boxed_slice();
        let mut needles = Vec::new();
        for (keyword, any_case, owner) in keywords {
            let text = keyword.as_bytes();
            let Some(first) = text.first_chunk::<3>() else { continue };
            for hash in spellings(*first, any_case) {
                begins[(hash >> 6) as usize] |= 1 << (hash & 63);
                needles.push((hash, Needle { text, any_case, owner }));
            }
        }
        needles.sort_by_key(|(hash, _)| *hash);
        Self { begins, needles }
    }

    /// Calls `found` with the owner, the place and the length of every keyword.
    pub(crate) fn scan(&self, text: &[u8], mut found: impl FnMut(u16, usize, usize)) {
        let mut three = 0_u32;
        for (index, byte) in text.iter().enumerate() {
            three = three >> 8 | u32::from(*byte) << 16;
            let hash = hash(three);
            if self.begins[(hash >> 6) as usize] >> (hash & 63) & 1 != 0 && index >= 2 {
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

fn hash(three: u32) -> u32 {
    three.wrapping_mul(0x9E37_79B1) >> (32 - BITS)
}

/// The hashes of three bytes in all their cases, or as they are.
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
    fn every_keyword_is_found_where_it_stands_and_in_the_case_it_has() {
        let keywords =
            [("://", false, 1), ("Key-", false, 2), ("token", true, 3), ("tok", false, 4)];
        let gate = Gate::new(keywords.into_iter());
        let mut found = Vec::new();
        gate.scan("a://b key- Key- TOKEN tokén ToKeN://".as_bytes(), |owner, at, length| {
            found.push((owner, at, length));
        });
        found.sort_unstable();
        let expected = [(1, 1, 3), (1, 34, 3), (2, 11, 4), (3, 16, 5), (3, 29, 5), (4, 22, 3)];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_text_shorter_than_a_keyword_has_none() {
        let gate = Gate::new([("abcd", false, 0)].into_iter());
        for text in ["", "a", "ab", "abc"] {
            gate.scan(text.as_bytes(), |_, _, _| panic!("{text}"));
        }
    }
}
