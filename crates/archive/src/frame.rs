//! Frames: pieces of a file, compressed separately.
//!
//! A file is split at every mebibyte, so that copies, and versions with the
//! same beginning, share frames. The manifest bounds the decompressed size of a
//! frame before any of it is decompressed.

use crate::failure::Damage;
use std::fmt;
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::DParameter;

/// The size at which files are split.
pub(crate) const FRAME: u64 = 1 << 20;

/// Larger than any frame ever written; a manifest with a larger one was not
/// written by annals.
pub(crate) const LONGEST: u64 = 4 << 20;

/// The window of zstd. A frame needs a window as long as itself.
const WINDOW_LOG: u32 = 23;

/// 6.5:1 at 350 MB/s; higher levels save a few per cent, and each halves the
/// speed.
const LEVEL: i32 = 3;

/// The identity of a frame: BLAKE3 of its decompressed bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash([u8; 32]);

impl Hash {
    pub(crate) fn of(bytes: &[u8]) -> Hash {
        Hash(*blake3::hash(bytes).as_bytes())
    }

    pub(crate) fn parse(text: &str) -> Option<Hash> {
        // Only lower case: one spelling per hash.
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let mut hash = [0; 32];
        let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
        if pairs.len() != hash.len() {
            return None;
        }
        for (byte, [high, low]) in hash.iter_mut().zip(pairs) {
            *byte = digit(*high)? << 4 | digit(*low)?;
        }
        Some(Hash(hash))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// A piece of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The hash of its decompressed bytes.
    pub hash: Hash,
    /// Its decompressed length.
    pub length: u64,
}

/// The checksum of stored bytes: the first 8 bytes of their BLAKE3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StoredChecksum(pub(crate) [u8; 8]);

impl StoredChecksum {
    pub(crate) fn of(bytes: &[u8]) -> StoredChecksum {
        let mut sum = [0; 8];
        sum.copy_from_slice(&blake3::hash(bytes).as_bytes()[..8]);
        StoredChecksum(sum)
    }

    pub(crate) fn parse(text: &str) -> Option<StoredChecksum> {
        let sum =
            u64::from_str_radix(text, 16).ok().map(|sum| StoredChecksum(sum.to_be_bytes()))?;
        (sum.to_string() == text).then_some(sum)
    }
}

impl fmt::Display for StoredChecksum {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", u64::from_be_bytes(self.0))
    }
}

/// A compressed frame, ready to be stored.
#[derive(Debug)]
pub(crate) struct CompressedFrame {
    pub(crate) frame: Frame,
    pub(crate) bytes: Vec<u8>,
}

/// Compresses frames, one after another.
pub(crate) struct FrameCompressor {
    zstd: Compressor<'static>,
}

impl FrameCompressor {
    pub(crate) fn new() -> std::io::Result<FrameCompressor> {
        Ok(FrameCompressor { zstd: Compressor::new(LEVEL)? })
    }

    pub(crate) fn compress(
        &mut self,
        frame: Frame,
        bytes: &[u8],
    ) -> std::io::Result<CompressedFrame> {
        Ok(CompressedFrame { frame, bytes: self.zstd.compress(bytes)? })
    }
}

/// Whether annals could have written a frame with this length and stored size.
pub(crate) fn is_possible(length: u64, stored: u64) -> bool {
    // Incompressible bytes grow a little.
    (1..=LONGEST).contains(&length) && (1..=length + length / 128 + 512).contains(&stored)
}

/// Decompresses stored bytes and checks that the result is the frame.
pub(crate) fn decompress(frame: Frame, stored: &[u8]) -> Result<Vec<u8>, Damage> {
    if !is_possible(frame.length, stored.len() as u64) {
        return Err(Damage::Impossible);
    }
    let length = usize::try_from(frame.length).map_err(|_| Damage::Impossible)?;
    let decompress = || -> std::io::Result<Vec<u8>> {
        let mut zstd = Decompressor::new()?;
        zstd.set_parameter(DParameter::WindowLogMax(WINDOW_LOG))?;
        zstd.decompress(stored, length)
    };
    let bytes = decompress().map_err(|_| Damage::Compression)?;
    if bytes.len() != length || Hash::of(&bytes) != frame.hash {
        return Err(Damage::Content);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(bytes: &[u8]) -> Frame {
        Frame { hash: Hash::of(bytes), length: bytes.len() as u64 }
    }

    #[test]
    fn a_frame_round_trips() {
        let bytes = b"annals ".repeat(1000);
        let stored = FrameCompressor::new().unwrap().compress(frame(&bytes), &bytes).unwrap();
        assert!(stored.bytes.len() < 100);
        assert_eq!(decompress(stored.frame, &stored.bytes), Ok(bytes));
    }

    #[test]
    fn a_decompression_bomb_is_refused() {
        let bytes = vec![0; 64 << 20];
        let stored = FrameCompressor::new().unwrap().compress(frame(&bytes), &bytes).unwrap();
        assert!(stored.bytes.len() < 10_000);
        let claimed = |length| Frame { hash: Hash::of(&bytes), length };
        assert_eq!(decompress(claimed(64 << 20), &stored.bytes), Err(Damage::Impossible));
        assert_eq!(decompress(claimed(1 << 20), &stored.bytes), Err(Damage::Compression));
        assert_eq!(decompress(claimed(0), &stored.bytes), Err(Damage::Impossible));
    }

    #[test]
    fn different_content_is_damage() {
        let bytes = b"one".to_vec();
        let stored = FrameCompressor::new().unwrap().compress(frame(&bytes), &bytes).unwrap();
        assert_eq!(decompress(frame(b"two"), &stored.bytes), Err(Damage::Content));
        assert_eq!(decompress(frame(b"one"), b"nonsense"), Err(Damage::Compression));
    }
}
