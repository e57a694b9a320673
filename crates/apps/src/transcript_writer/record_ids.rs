//! The uuids of records.
//!
//! A uuid depends only on the session, the agent, the source file, the line and the number of
//! the record within the line, so that a record keeps its uuid when the session grows.

use std::collections::HashMap;

/// The uuid of a record, as its 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordId(u64, u64);

impl RecordId {
    /// Its text, in the form of RFC 9562, version 8.
    pub(crate) fn text(self) -> [u8; 36] {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [b'-'; 36];
        let bits = (u128::from(self.0) << 64) | u128::from(self.1);
        let places = (0..36).filter(|place| !matches!(place, 8 | 13 | 18 | 23));
        for (number, place) in places.enumerate() {
            text[place] = DIGITS[(bits >> (124 - 4 * number)) as usize & 15];
        }
        text
    }
}

/// Gives uuids to the records of one transcript.
#[derive(Debug)]
pub(crate) struct RecordIds {
    seed: (u64, u64),
    /// The source line of the last record, and how many records it has.
    last: ((usize, u64), u64),
    /// How many records each source line has, where lines come in any order.
    counts: Option<HashMap<(usize, u64), u64>>,
}

impl RecordIds {
    pub(crate) fn new(session: &str, agent: Option<&str>, is_sorted: bool) -> RecordIds {
        let mut seed = (0xcbf2_9ce4_8422_2325, 0x9e37_79b9_7f4a_7c15);
        let agent = agent.unwrap_or_default().bytes();
        for byte in session.bytes().chain([0xff]).chain(agent) {
            seed.0 = (seed.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            seed.1 = mix(seed.1 ^ u64::from(byte));
        }
        let counts = (!is_sorted).then(HashMap::new);
        RecordIds { seed: (mix(seed.0), seed.1), last: ((0, 0), 0), counts }
    }

    /// The uuid of the next record of a source line.
    pub(crate) fn next(&mut self, file: usize, line: u64) -> RecordId {
        let place = (file, line);
        let number = if let Some(counts) = &mut self.counts {
            counts.entry(place).or_default()
        } else {
            if self.last.0 != place {
                self.last = (place, 0);
            }
            &mut self.last.1
        };
        *number += 1;
        let within = (file as u64) << 32 ^ *number;
        let high = mix(self.seed.0 ^ line.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ mix(within));
        let low = mix(self.seed.1 ^ mix(line) ^ within);
        let high = high & !0xf000 | 0x8000;
        let low = low & !(0b11 << 62) | 0b10 << 62;
        RecordId(high, low)
    }
}

/// The last step of `SplitMix64`, which maps no two numbers to the same one.
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn uuid(id: RecordId) -> String {
        String::from_utf8(id.text().to_vec()).unwrap()
    }

    #[test]
    fn uuids_have_the_form_of_the_standard() {
        let id = uuid(RecordIds::new("codex:a", None, true).next(0, 1));
        assert_eq!(id.len(), 36);
        assert_eq!(id.split('-').map(str::len).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
        assert_eq!(id.as_bytes()[14], b'8');
        assert!(matches!(id.as_bytes()[19], b'8' | b'9' | b'a' | b'b'), "{id}");
    }

    #[test]
    fn records_of_many_lines_files_and_agents_have_different_uuids() {
        let mut seen = HashSet::new();
        for agent in [None, Some(""), Some("a")] {
            let mut ids = RecordIds::new("codex:x", agent, false);
            for (file, line) in (0..3).flat_map(|file| (0..2_000).map(move |line| (file, line))) {
                assert_ne!(ids.next(file, line), ids.next(file, line));
                assert!(seen.insert(uuid(ids.next(file, line))) || agent == Some(""));
            }
        }
    }

    #[test]
    fn the_order_of_lines_does_not_matter() {
        let mut sorted = RecordIds::new("pi:x", None, true);
        let mut any = RecordIds::new("pi:x", None, false);
        let first = (sorted.next(0, 1), sorted.next(0, 1), sorted.next(0, 7));
        let seventh = any.next(0, 7);
        assert_eq!(first, (any.next(0, 1), any.next(0, 1), seventh));
    }
}
