//! The sessions of this machine that are shared, as rows.
//!
//! Which sessions leave, how much of them and for whom is in [`SharingRules`]; nothing of
//! any other session is read here. Text leaves masked and without images.

mod binary_content;
mod call_rows;
mod claims;
mod names;
mod project_key;
mod records;
mod session_masking;
mod session_rows;
mod sessions;
mod sharing_rules;

pub use claims::KnownSessions;
pub use sessions::{RULES, SharedSessions, UnreadSource};
pub use sharing_rules::{ShareRule, SharingRules};
