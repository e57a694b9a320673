//! Answers: the one function behind each request that several surfaces ask.
//!
//! A function takes the [`Library`](library::Library) or an open session, typed
//! options and a [`Progress`](library::progress::Progress), and returns a document. Choosing
//! sessions, sorting, paging and adding up happen here and nowhere else, so that the
//! command line and the web app give the same numbers.
//!
//! Deliberately not here: reading arguments and parameters, and how an answer is
//! written.

mod archive_list;
mod context;
mod files;
mod find;
mod fragment;
mod home;
mod lanes;
mod marks;
mod message;
mod outline;
mod outline_figures;
mod plans;
mod projects;
mod search;
mod session_choice;
mod session_rows;
mod sql;
mod thread;
mod tool_calls;
mod tool_stats;
mod usage;
mod usage_details;

pub use archive_list::{archive_list, empty_archive, is_archived_file_on_disk};
pub use context::context;
pub use files::{
    FEWEST_HASH_DIGITS, FileHistoryAnswer, FileHistoryOptions, FilesRequest, Page, is_commit_hash,
};
pub use find::{FindOptions, find};
pub use fragment::{TurnFragmentOptions, turn_fragment};
pub use home::{HomeAnswer, HomeOptions, home};
pub use lanes::{LanesOptions, lanes};
pub use marks::{Marks, mark_list, present_turns, sessions_of_marks};
pub use message::{
    MessageFragmentOptions, MessageName, RecordsSelection, message_fragment, place, records,
};
pub use outline::{OutlineOptions, outline};
pub use plans::plan_rows;
pub use projects::projects;
pub use search::{SearchRequest, facets, resolve_times, search};
pub use session_choice::{SessionChoice, SessionKinds, SessionPlaces, listed};
pub use session_rows::{
    RowCursor, SessionRowsError, SessionRowsOptions, SessionSort, session_rows,
};
pub use sql::unique_columns;
pub use thread::{InvalidThreadPart, ThreadPart};
pub use tool_calls::{ToolCallsRequest, WantedCalls, sessions_with_calls};
pub use tool_stats::ToolStats;
pub use usage::{
    SortedUsageRow, UsageAnswer, UsageRequest, dearest_first, ordered_usage, read_usage,
    session_usage, usage, usage_between, usage_from,
};
pub use usage_details::{
    SessionCost, UsageComparison, limits_of, unused, usage_calls, usage_comparison, usage_hours,
    usage_limits,
};
