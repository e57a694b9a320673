//! Telling what a damaged line said.
//!
//! A sealed line carries a hash of 128 bits. If one byte of it has changed, the
//! line that was there is the one, among all that differ in one byte, whose hash
//! holds; there are few enough to try them all. This is how a bit that rots in
//! the manifest costs nothing.

use crate::sealed::{HEAD, OPENING, seal, unseal};

/// How many bytes may still be hashed to mend lines. Every command reads the
/// manifest: one that is nothing but damage must not take minutes.
pub(crate) struct HashBudget(usize);

impl Default for HashBudget {
    fn default() -> Self {
        HashBudget(2 << 30)
    }
}

impl HashBudget {
    /// Whether a line of so many bytes may be hashed once more.
    fn allows(&mut self, bytes: usize) -> bool {
        let left = self.0.checked_sub(bytes);
        self.0 = left.unwrap_or_default();
        left.is_some()
    }
}

/// Of longer lines only single bits are tried.
const SHORT: usize = 4 * 1024;

/// What a line said before one byte of it changed; two lines if that byte was
/// the newline between them; nothing if it cannot be told.
pub(crate) fn mend(line: &[u8], patience: &mut HashBudget) -> Vec<String> {
    let whole =
        |bytes: &[u8]| unseal(bytes).is_ok().then(|| String::from_utf8_lossy(bytes).into_owned());
    // The hash itself, or what stands before it.
    if let Some(rest) = line.get(HEAD..).and_then(|rest| std::str::from_utf8(rest).ok()) {
        let again = seal(rest);
        let differing = again.bytes().zip(line).filter(|(one, two)| one != *two).count();
        if differing == 1 {
            return vec![again];
        }
    }
    for at in memchr::memmem::find_iter(line, OPENING.as_bytes()).filter(|at| *at > 0) {
        if !patience.allows(line.len()) {
            return Vec::new();
        }
        if let (Some(one), Some(two)) = (whole(&line[..at - 1]), whole(&line[at..])) {
            return vec![one, two];
        }
    }
    // Single bits first: they are what rots.
    let bits: Vec<u8> = (0..8).map(|bit| 1 << bit).collect();
    let bytes: Vec<u8> = (1..=u8::MAX).collect();
    let tries = if line.len() <= SHORT { vec![bits, bytes] } else { vec![bits] };
    let mut trial = line.to_vec();
    for changes in tries {
        for at in HEAD..trial.len() {
            for change in &changes {
                if !patience.allows(line.len()) {
                    return Vec::new();
                }
                trial[at] = line[at] ^ change;
                if let Some(line) = whole(&trial) {
                    return vec![line];
                }
            }
            trial[at] = line[at];
        }
    }
    Vec::new()
}

/// What a line said before one byte of it became a newline.
pub(crate) fn join(one: &[u8], two: &[u8], patience: &mut HashBudget) -> Option<String> {
    if unseal(two).is_ok() || !patience.allows(one.len().saturating_add(two.len()) * 256) {
        return None;
    }
    let mut bytes = [one, b"\n", two].concat();
    (0..=u8::MAX).find_map(|byte| {
        bytes[one.len()] = byte;
        unseal(&bytes).is_ok().then(|| String::from_utf8_lossy(&bytes).into_owned())
    })
}
