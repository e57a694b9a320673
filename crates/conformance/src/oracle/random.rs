//! Numbers that look random and are the same on every machine.
//!
//! A seed must reproduce a difference between two readers, so neither the time nor the
//! system's randomness is used.

/// `xorshift64*`.
#[derive(Debug)]
pub(super) struct Random(u64);

impl Random {
    /// Neighbouring seeds give unrelated numbers; 0 is a valid seed.
    pub(super) fn new(seed: u64) -> Self {
        let spread = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let spread = (spread ^ (spread >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        // The state must never be 0: the generator would stay there.
        Self((spread ^ (spread >> 27)).max(1))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// A number below `bound`, or 0 if `bound` is 0.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % bound).unwrap_or_default()
    }

    /// True with this probability in percent.
    pub(super) fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    pub(super) fn choose<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub(super) fn uuid(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
            high & 0xffff_ffff,
            (high >> 32) & 0xffff,
            self.next() & 0xfff,
            self.next() & 0xfff,
            low
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(seed: u64) -> Vec<usize> {
        let mut random = Random::new(seed);
        (0..50).map(|_| random.below(1_000)).collect()
    }

    #[test]
    fn a_seed_always_gives_the_same_numbers_and_another_seed_others() {
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
        assert_eq!(numbers(0)[..4], [704, 964, 751, 68], "on every machine");
    }

    #[test]
    fn every_choice_is_met() {
        let mut random = Random::new(0);
        let mut met = [false; 17];
        for _ in 0..1_000 {
            met[random.below(17)] = true;
        }
        assert!(met.iter().all(|met| *met));
        assert_eq!(random.uuid().len(), 36);
    }
}
