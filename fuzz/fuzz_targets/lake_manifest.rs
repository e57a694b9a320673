//! Parses any bytes as a manifest of a lake, and writes what was read again.

#![no_main]

use lake::{Acknowledgement, Manifest};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(manifest) = Manifest::parse(bytes) {
        let again = Manifest::parse(&manifest.to_bytes()).expect("what was written can be read");
        assert_eq!(manifest, again);
    }
    if let Ok(name) = std::str::from_utf8(bytes)
        && let Some(read) = Acknowledgement::of_name(name)
    {
        assert_eq!(read.to_string(), name);
    }
});
