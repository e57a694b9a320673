//! Tests that need more than one module.

mod acknowledgement;
mod bucket;
mod docs;
mod faults;
mod hostile;
mod laptop;
mod loader;
mod machine;
mod metadata;
mod names;
mod org_decisions;
mod reading;
mod segment_file;
mod session_values;
mod shared_sessions;
mod walk_checks;
mod walks;
