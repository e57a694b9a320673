//! What the archive says about itself, to whoever finds it without annals.

/// The description of the format; a copy lies in every archive.
pub(crate) const TEXT: &str = include_str!("format.md");
