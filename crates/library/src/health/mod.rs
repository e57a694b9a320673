//! What is wrong, what is new, and what will be lost.
//!
//! `doctor` checks every file of every root and reports; `secrets` counts what
//! masking would hide, per session and file. Neither changes anything.

pub(crate) mod doctor;
pub(crate) mod secrets;
