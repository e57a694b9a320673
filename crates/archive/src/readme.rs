//! The archive's README, for people who find it without annals.

/// The description of the format; every archive contains a copy.
pub(crate) const TEXT: &str = include_str!("format.md");
