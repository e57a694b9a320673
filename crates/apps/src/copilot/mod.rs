//! Reads the sessions of Copilot CLI.
//!
//! A session is a folder `session-state/<id>` with `events.jsonl`, to which the program appends
//! one event per line, and `workspace.yaml`, which names the session. [`Reader`] reads the
//! events and [`parse_workspace`] the few flat keys of the other file; [`SessionFile`] tells
//! which is which.
//!
//! - Sub-agents write into the file of their parent; their events carry an `agentId`.
//! - `system.message` holds the whole system prompt, which is never shown.
//! - A rewind cuts the file: what was undone is gone, and a reader that follows the file has to
//!   start again.
//! - Usage is one `session.usage_record` per API call. Where there is none, the last
//!   `session.shutdown` counts, one sum per model: it is cumulative over resumes. Costs there are
//!   premium requests and credits, never dollars.
//!
//! Deliberately not here: files, clocks, the environment, printing.

mod events;
mod known_types;
mod names;
mod responses;
mod tool_result;
mod usage;
mod workspace;

pub use events::{EventLog, Reader};
pub use names::{FileRole, SessionFile};
pub use workspace::{Workspace, parse_workspace};
