//! A digest of every page of the index file, in a file beside it.
//!
//! SQLite does not check the bytes of a page. The writer computes the digest of each page it
//! writes from the write-ahead log, after every commit and before the page reaches the file;
//! at that moment the page in the file is still the one it replaces, which is compared with
//! its own digest, so that damage is never taken over into a new page. Readers compare the
//! pages they use (`page_check.rs`).
//!
//! The digests find damage by a failing disk or a stray write. They do not protect against
//! somebody who changes the file on purpose, who could change the digests as well.

use crate::database::IndexFolder;
use crate::platform::{self, read_at_most};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write as _};

/// The size of a page. SQLite's default, which annals does not change.
pub(crate) const PAGE: usize = 4096;

/// How many bytes are read at once where everything is read.
const STRETCH: usize = 256 * PAGE;

/// The lengths of the headers in a write-ahead log: its own, and that of each frame.
const LOG_HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// The digest of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageDigest(u64);

impl PageDigest {
    /// The value that stands for a digest that is not known.
    const UNKNOWN: PageDigest = PageDigest(0);

    /// The digest of the bytes of a page. Four independent products keep the processor busy:
    /// reading the bytes takes longer than this.
    pub(crate) fn of(page: &[u8]) -> PageDigest {
        const FACTORS: [u64; 4] = [
            0x9e37_79b9_7f4a_7c15,
            0xc2b2_ae3d_27d4_eb4f,
            0x1656_67b1_9e37_79f9,
            0x27d4_eb2f_1656_67c5,
        ];
        let mut lanes = FACTORS;
        let (chunks, rest) = page.as_chunks::<32>();
        for chunk in chunks {
            let (words, _) = chunk.as_chunks::<8>();
            for ((lane, word), factor) in lanes.iter_mut().zip(words).zip(FACTORS) {
                let mixed = (*lane ^ u64::from_le_bytes(*word)).wrapping_mul(factor);
                *lane = mixed.rotate_left(29);
            }
        }
        for byte in rest {
            lanes[0] = (lanes[0] ^ u64::from(*byte)).wrapping_mul(FACTORS[0]).rotate_left(29);
        }
        let mut digest = page.len() as u64;
        for lane in lanes {
            digest = (digest ^ lane).wrapping_mul(FACTORS[1]);
            digest ^= digest >> 32;
        }
        PageDigest(digest.max(1))
    }
}

/// The digests of all pages, the first page first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PageDigests(Vec<PageDigest>);

impl PageDigests {
    /// Reads the digests beside an index; `None` if there are none.
    pub(crate) fn read(folder: &IndexFolder) -> Option<PageDigests> {
        let bytes = fs::read(folder.beside(".digests")).ok()?;
        let (digests, rest) = bytes.as_chunks::<8>();
        let is_whole = rest.is_empty() && !digests.is_empty();
        is_whole.then(|| {
            let digests = digests.iter().map(|digest| PageDigest(u64::from_le_bytes(*digest)));
            PageDigests(digests.collect())
        })
    }

    /// The number of pages.
    pub(crate) fn pages(&self) -> usize {
        self.0.len()
    }

    /// The digest of a page, counted from 1.
    pub(crate) fn find(&self, page: u32) -> Option<PageDigest> {
        let digest = self.0.get(usize::try_from(page).ok()?.checked_sub(1)?)?;
        (*digest != PageDigest::UNKNOWN).then_some(*digest)
    }

    fn set(&mut self, page: u32, digest: PageDigest) {
        let Some(place) = usize::try_from(page).ok().and_then(|page| page.checked_sub(1)) else {
            return;
        };
        if self.0.len() <= place {
            self.0.resize(place + 1, PageDigest::UNKNOWN);
        }
        self.0[place] = digest;
    }

    /// Writes the digests beside the index. The caller holds the lock.
    fn write(&self, folder: &IndexFolder) -> io::Result<()> {
        let bytes: Vec<u8> = self.0.iter().flat_map(|digest| digest.0.to_le_bytes()).collect();
        let part = folder.beside(".digests-part");
        let mut file = platform::private_file().truncate(true).open(&part)?;
        file.write_all(&bytes)?;
        fs::rename(part, folder.beside(".digests"))
    }

    /// Computes the digests that are not known from the file, and forgets those of pages that
    /// it does not have.
    fn complete(&mut self, folder: &IndexFolder) -> io::Result<()> {
        let file = File::open(folder.database())?;
        let pages = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX) / PAGE;
        self.0.resize(pages, PageDigest::UNKNOWN);
        if self.0.contains(&PageDigest::UNKNOWN) {
            for_each_page(&file, pages, |number, page| {
                let digest = &mut self.0[number];
                if *digest == PageDigest::UNKNOWN {
                    *digest = PageDigest::of(page);
                }
                true
            })?;
        }
        Ok(())
    }

    /// The first page of a file, counted from 1, that is not as its digest says.
    pub(crate) fn find_damage(&self, file: &File) -> io::Result<Option<u32>> {
        let mut damaged = None;
        for_each_page(file, self.0.len(), |number, page| {
            let known = self.0[number];
            if known != PageDigest::UNKNOWN && known != PageDigest::of(page) {
                damaged = u32::try_from(number + 1).ok();
            }
            damaged.is_none()
        })?;
        Ok(damaged)
    }
}

/// Calls a function with the pages of a file and their positions from 0 until it returns
/// false.
fn for_each_page(
    file: &File,
    pages: usize,
    mut each: impl FnMut(usize, &[u8]) -> bool,
) -> io::Result<()> {
    let mut buffer = vec![0; STRETCH.min(pages * PAGE)];
    let mut number = 0;
    while number < pages {
        let count = (pages - number).min(STRETCH / PAGE);
        let stretch = &mut buffer[..count * PAGE];
        platform::read_exact_at(file, stretch, (number * PAGE) as u64)?;
        for page in stretch.chunks_exact(PAGE) {
            if !each(number, page) {
                return Ok(());
            }
            number += 1;
        }
    }
    Ok(())
}

/// Keeps the digests while the index is written.
#[derive(Debug)]
pub(crate) struct DigestKeeper {
    folder: IndexFolder,
    digests: PageDigests,
    /// Pages that were written since the file was opened: the digest is that of the log.
    written: HashSet<u32>,
    /// The salt of the log, and how many bytes of it were read.
    log: ([u8; 8], u64),
    /// Whether every change was seen.
    is_complete: bool,
}

impl DigestKeeper {
    /// Begins with the digests of a file whose log is empty; without digests, those of all
    /// pages are computed at the end.
    pub(crate) fn new(folder: &IndexFolder, digests: Option<PageDigests>) -> DigestKeeper {
        DigestKeeper {
            folder: folder.clone(),
            digests: digests.unwrap_or_default(),
            written: HashSet::new(),
            log: ([0; 8], 0),
            is_complete: true,
        }
    }

    /// Gives up: at the end there are no digests.
    pub(crate) fn give_up(&mut self) {
        self.is_complete = false;
    }

    /// Reads what was committed to the log since the last call. It must be called after every
    /// commit, and before the log is copied to the file. Returns a damaged page, if it finds
    /// one that is replaced.
    pub(crate) fn absorb(&mut self) -> io::Result<Option<u32>> {
        if !self.is_complete {
            return Ok(None);
        }
        let read = self.read_log();
        // What was missed would count as damage later.
        self.is_complete &= read.is_ok();
        read
    }

    fn read_log(&mut self) -> io::Result<Option<u32>> {
        let log = File::open(self.folder.beside("-wal"))?;
        let mut header = [0; LOG_HEADER];
        platform::read_exact_at(&log, &mut header, 0)?;
        let salt: [u8; 8] = header[16..24].try_into().unwrap_or_default();
        if self.log.0 != salt {
            self.log = (salt, LOG_HEADER as u64);
        }
        let database = File::open(self.folder.database())?;
        let (mut at, mut uncommitted) = (self.log.1, Vec::new());
        let mut frames = vec![0; 64 * (FRAME_HEADER + PAGE)];
        'log: loop {
            let length = read_at_most(&log, &mut frames, at)?;
            for frame in frames[..length].chunks_exact(FRAME_HEADER + PAGE) {
                let (head, page) = frame.split_at(FRAME_HEADER);
                if head[8..16] != salt {
                    break 'log;
                }
                at += frame.len() as u64;
                let number =
                    |at: usize| u32::from_be_bytes(head[at..at + 4].try_into().unwrap_or_default());
                uncommitted.push((number(0), PageDigest::of(page)));
                // The size of the file is given with the last page of a transaction.
                if number(4) != 0 {
                    self.log.1 = at;
                    for (page, digest) in uncommitted.drain(..) {
                        if self.is_damaged(&database, page)? {
                            return Ok(Some(page));
                        }
                        self.digests.set(page, digest);
                    }
                }
            }
            if length < frames.len() {
                break;
            }
        }
        Ok(None)
    }

    /// Whether a page that is about to be replaced is not as its digest says.
    fn is_damaged(&mut self, database: &File, page: u32) -> io::Result<bool> {
        let known = self.digests.find(page);
        let (Some(known), true) = (known, self.written.insert(page)) else { return Ok(false) };
        let mut bytes = [0; PAGE];
        let at = (u64::from(page) - 1) * PAGE as u64;
        platform::read_exact_at(database, &mut bytes, at)?;
        Ok(PageDigest::of(&bytes) != known)
    }

    /// Writes the digests after the file was closed. Without all of them there is no file.
    pub(crate) fn finish(&mut self) {
        let is_written = self.is_complete && self.complete_and_write().is_ok();
        if !is_written {
            let _ = fs::remove_file(self.folder.beside(".digests"));
        }
    }

    fn complete_and_write(&mut self) -> io::Result<()> {
        // While a reader keeps the log, the file lacks pages that are only in the log.
        if self.folder.has_log() {
            let is_known = !self.digests.0.contains(&PageDigest::UNKNOWN);
            if !is_known || self.digests.0.is_empty() {
                return Err(io::ErrorKind::ResourceBusy.into());
            }
        } else {
            self.digests.complete(&self.folder)?;
        }
        self.digests.write(&self.folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_changes_the_digest_of_a_page() {
        let page: Vec<u8> = (0..PAGE).map(|at| u8::try_from(at * 7 % 251).unwrap()).collect();
        let digest = PageDigest::of(&page);
        for at in 0..PAGE {
            for bit in 0..8 {
                let mut damaged = page.clone();
                damaged[at] ^= 1 << bit;
                assert_ne!(PageDigest::of(&damaged), digest, "bit {bit} of byte {at}");
            }
        }
    }

    #[test]
    fn exchanged_words_change_the_digest_of_a_page() {
        let page: Vec<u8> = (0..PAGE).map(|at| u8::try_from(at / 8 % 256).unwrap()).collect();
        let digest = PageDigest::of(&page);
        for at in (0..PAGE - 64).step_by(8) {
            let mut damaged = page.clone();
            damaged.swap(at, at + 32);
            damaged.copy_within(at + 8..at + 16, at + 40);
            assert_ne!(PageDigest::of(&damaged), digest, "words at {at}");
        }
    }
}
