//! `Library` from outside: how sessions are listed, found and read on stores that
//! each test writes.
//!
//! One test binary, one module per subject; `usage` is a folder because it has
//! the most. What commands print is deliberately not tested here.

#![expect(clippy::unwrap_used, reason = "a test that cannot make its store should stop")]

mod agents;
mod archived_sessions;
mod cancellation;
mod doctor;
mod facts;
mod files;
mod find;
mod find_in_sessions;
mod grep_prefilter;
mod held_index;
mod index_completeness;
mod list;
mod nested_progress_agents;
mod open_session;
mod plans;
mod progress_agents;
mod prompts;
mod read_errors;
mod real_transcripts;
mod regressions;
mod regressions_in_lists;
mod search_sessions;
mod session_overview;
mod session_values;
mod several_folders;
mod text_files;
mod text_sources;
mod turn_numbers;
mod typed_query;
mod usage;
