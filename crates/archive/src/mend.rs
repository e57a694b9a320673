//! Restores damaged lines.
//!
//! A sealed line has a hash of 128 bits. If one byte of the line has changed,
//! the original is the only line, among all that differ in one byte, that
//! matches the hash; there are few enough to try them all. A flipped bit in the
//! manifest thus loses nothing.

use crate::sealed::{HEAD, OPENING, seal, unseal};

/// How many bytes may still be hashed to restore lines. Every command reads the
/// manifest: a badly damaged one must not take minutes.
pub(crate) struct HashBudget(usize);

impl Default for HashBudget {
    fn default() -> Self {
        HashBudget(2 << 30)
    }
}

impl HashBudget {
    /// Whether a line of this many bytes may be hashed once more.
    fn allows(&mut self, bytes: usize) -> bool {
        let left = self.0.checked_sub(bytes);
        self.0 = left.unwrap_or_default();
        left.is_some()
    }
}

/// In longer lines only single bits are tried.
const SHORT: usize = 4 * 1024;

/// The original of a line with one changed byte; two lines if that byte was the
/// newline between them; empty if it cannot be restored.
pub(crate) fn mend(line: &[u8], budget: &mut HashBudget) -> Vec<String> {
    let whole =
        |bytes: &[u8]| unseal(bytes).is_ok().then(|| String::from_utf8_lossy(bytes).into_owned());
    // The damage is in the hash, or before it.
    if let Some(rest) = line.get(HEAD..).and_then(|rest| std::str::from_utf8(rest).ok()) {
        let again = seal(rest);
        let differing = again.bytes().zip(line).filter(|(one, two)| one != *two).count();
        if differing == 1 {
            return vec![again];
        }
    }
    for at in memchr::memmem::find_iter(line, OPENING.as_bytes()).filter(|at| *at > 0) {
        if !budget.allows(line.len()) {
            return Vec::new();
        }
        if let (Some(one), Some(two)) = (whole(&line[..at - 1]), whole(&line[at..])) {
            return vec![one, two];
        }
    }
    // Single bits first: they are the most common damage.
    let bits: Vec<u8> = (0..8).map(|bit| 1 << bit).collect();
    let bytes: Vec<u8> = (1..=u8::MAX).collect();
    let tries = if line.len() <= SHORT { vec![bits, bytes] } else { vec![bits] };
    let mut trial = line.to_vec();
    for changes in tries {
        for at in HEAD..trial.len() {
            for change in &changes {
                if !budget.allows(line.len()) {
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

/// The original of a line in which one byte became a newline.
pub(crate) fn join(one: &[u8], two: &[u8], budget: &mut HashBudget) -> Option<String> {
    if unseal(two).is_ok() || !budget.allows(one.len().saturating_add(two.len()) * 256) {
        return None;
    }
    let mut bytes = [one, b"\n", two].concat();
    (0..=u8::MAX).find_map(|byte| {
        bytes[one.len()] = byte;
        unseal(&bytes).is_ok().then(|| String::from_utf8_lossy(&bytes).into_owned())
    })
}
