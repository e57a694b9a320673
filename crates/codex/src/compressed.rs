//! Compressed rollout files.

use std::io::Read as _;

/// Why a compressed file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum DecompressError {
    /// It is larger than the caller accepts.
    #[error("the file is larger than {limit} bytes when decompressed")]
    TooLarge {
        /// The most bytes that the caller accepts.
        limit: u64,
    },
    /// It is damaged, or not compressed with zstd.
    #[error("the file is not valid zstd data: {0}")]
    Damaged(#[from] std::io::Error),
}

/// Decompresses a `.zst` file, to at most `limit` bytes: what a file claims about its size is
/// not trusted.
pub fn decompress(bytes: &[u8], limit: u64) -> Result<Vec<u8>, DecompressError> {
    let mut plain = Vec::new();
    let decoder = zstd::Decoder::with_buffer(bytes)?;
    decoder.take(limit.saturating_add(1)).read_to_end(&mut plain)?;
    if u64::try_from(plain.len()).unwrap_or(u64::MAX) > limit {
        return Err(DecompressError::TooLarge { limit });
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decompressing_stops_at_the_limit() {
        let plain = vec![b'a'; 10_000];
        let packed = zstd::encode_all(&plain[..], 3).unwrap();
        assert_eq!(decompress(&packed, 10_000).unwrap(), plain);
        assert!(matches!(
            decompress(&packed, 9_999),
            Err(DecompressError::TooLarge { limit: 9_999 })
        ));
    }

    #[test]
    fn damaged_files_are_errors() {
        let mut packed = zstd::encode_all(&vec![b'a'; 1_000][..], 3).unwrap();
        packed.truncate(packed.len() - 3);
        assert!(matches!(decompress(&packed, 10_000), Err(DecompressError::Damaged(_))));
        assert!(matches!(decompress(b"{}", 10_000), Err(DecompressError::Damaged(_))));
    }
}
