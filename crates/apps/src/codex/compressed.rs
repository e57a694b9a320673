//! Compressed rollout files.

use std::io::{self, BufReader, Read};

/// Why a compressed file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum DecompressError {
    /// It is larger than the caller accepts.
    #[error("too large: more than {limit} bytes when decompressed")]
    TooLarge {
        /// The most bytes that the caller accepts.
        limit: u64,
    },
    /// It is damaged, or not compressed with zstd.
    #[error("the file is not valid zstd data: {0}")]
    Damaged(#[from] std::io::Error),
}

/// The largest window of a compressed file, as a power of two: what a decoder holds, whatever a
/// file asks for. Codex itself uses smaller ones.
const WINDOW_LOG: u32 = 25;

/// The content of a `.zst` file, as it is read.
pub struct Decompressed<R: Read> {
    decoder: zstd::Decoder<'static, BufReader<R>>,
    left: u64,
    limit: u64,
}

impl<R: Read> Decompressed<R> {
    /// The content of a file, of which at most `limit` bytes are read: what a file claims about its
    /// size is not trusted.
    pub fn new(file: R, limit: u64) -> io::Result<Self> {
        let mut decoder = zstd::Decoder::new(file)?;
        decoder.window_log_max(WINDOW_LOG)?;
        Ok(Decompressed { decoder, left: limit, limit })
    }
}

impl<R: Read> Read for Decompressed<R> {
    /// Fails with [`DecompressError`] inside.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match self.decoder.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            read => read.map_err(|error| io::Error::other(DecompressError::Damaged(error)))?,
        };
        let bytes = u64::try_from(read).unwrap_or(u64::MAX);
        self.left = self.left.checked_sub(bytes).ok_or_else(|| {
            let limit = self.limit;
            io::Error::new(io::ErrorKind::FileTooLarge, DecompressError::TooLarge { limit })
        })?;
        Ok(read)
    }
}

/// Decompresses a `.zst` file, to at most `limit` bytes.
pub fn decompress(bytes: &[u8], limit: u64) -> Result<Vec<u8>, DecompressError> {
    let mut plain = Vec::new();
    let read = Decompressed::new(bytes, limit).and_then(|mut file| file.read_to_end(&mut plain));
    match read.map_err(io::Error::downcast::<DecompressError>) {
        Ok(_) => Ok(plain),
        Err(Ok(error)) => Err(error),
        Err(Err(error)) => Err(DecompressError::Damaged(error)),
    }
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
