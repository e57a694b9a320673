//! A hasher for keys that are hashes already.

use std::hash::{BuildHasherDefault, Hasher};

/// Makes hashers for keys that are hashes already.
pub(crate) type HashedKeys = BuildHasherDefault<HashedKey>;

/// Takes a key as the hash of itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HashedKey(u64);

impl Hasher for HashedKey {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk() {
            self.0 = u64::from_le_bytes(*first);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn write_i64(&mut self, hash: i64) {
        self.0 = hash.cast_unsigned();
    }

    /// Spreads a part of a hash over all bits, because maps look at the highest ones too.
    fn write_u32(&mut self, part: u32) {
        self.0 = u64::from(part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    /// The length of a key of bytes is always the same.
    fn write_usize(&mut self, _: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_of_every_kind_are_different() {
        let bytes = (0..100_u128).map(u128::to_le_bytes).collect::<HashSet<_, HashedKeys>>();
        let signed = (-50..50_i64).collect::<HashSet<_, HashedKeys>>();
        let parts = (0..100_u32).collect::<HashSet<_, HashedKeys>>();
        assert_eq!((bytes.len(), signed.len(), parts.len()), (100, 100, 100));
        assert!(bytes.contains(&7_u128.to_le_bytes()) && !signed.contains(&50));
    }
}
