//! Tests that need more than one module.

mod bucket;
mod laptop;
mod names;
mod segment_file;
mod shared_sessions;
mod walks;
