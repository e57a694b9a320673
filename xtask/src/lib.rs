//! What tasks share: where the workspace is, an empty home for the processes they start, the
//! parts of the web application, and which tasks are in `crates/conformance`.
//!
//! The tasks themselves are not here: those that need only cargo and small libraries are in this
//! package's program, the others in `crates/conformance`.

#![expect(
    clippy::disallowed_methods,
    reason = "tasks read the environment to hide it from their children, and write to temporary folders"
)]

pub mod conformance;
pub mod empty_home;
pub mod web_parts;
pub mod workspace;
