//! Random bytes from the operating system, for the whole workspace.
//!
//! Callers decide what the bytes become: names of files, keys, delimiters.

use std::io;

/// `COUNT` bytes from the operating system's secure generator.
pub fn random_bytes<const COUNT: usize>() -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_are_filled_and_differ_every_time() {
        let (one, two) = (random_bytes::<64>().unwrap(), random_bytes::<64>().unwrap());
        assert_ne!(one, two);
        assert_ne!(one[32..], [0; 32]);
    }
}
