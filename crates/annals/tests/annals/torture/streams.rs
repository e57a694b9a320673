//! Reproducible byte streams and random numbers.

/// Reproducible random numbers.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below this one.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let roll = self.next() >> 11;
        usize::try_from(roll % u64::try_from(end.max(1)).unwrap()).unwrap()
    }

    /// True once in this many times, on average.
    pub(crate) fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }
}

/// The first bytes of a stream. Two lengths of one stream share their beginning; two
/// streams differ.
pub(crate) fn stream(seed: u64, length: usize) -> Vec<u8> {
    let mut dice = Dice::new(seed.wrapping_add(0x5eed));
    dice.next();
    let mut bytes = Vec::with_capacity(length + 8);
    while bytes.len() < length {
        bytes.extend_from_slice(&dice.next().to_le_bytes());
    }
    bytes.truncate(length);
    bytes
}

#[test]
fn streams_share_a_beginning_and_differ() {
    assert!(stream(7, 1000).starts_with(&stream(7, 501)));
    assert_ne!(stream(7, 16), stream(8, 16));
}
