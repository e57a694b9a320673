//! What each command answers, and what holds for the options that all commands share.
//!
//! A file is named after its command or after the option it is about. What no
//! command may ever do is in `safety`.

mod agents;
mod archive;
mod configuration;
mod context;
mod days_and_time_zones;
mod demo_at_widths;
mod doctor;
pub(crate) mod documents;
mod errors;
mod export;
pub(crate) mod export_files;
mod export_xml;
mod export_xml_real_transcripts;
mod files;
mod filters;
mod grep;
mod grep_sources;
mod help_man_completions;
mod hook;
mod json_contracts;
mod known_facts;
mod listings;
mod mark;
mod mcp;
mod no_index;
mod other_names;
mod output;
mod placing;
mod plan;
mod project_folders;
mod prompts;
mod real_transcripts;
mod regressions;
mod rename_tag_resume;
mod roots;
mod search;
mod session_details;
mod session_names;
mod setup;
mod show;
pub(crate) mod show_records;
mod show_views;
mod sql;
mod statusline;
mod tools;
mod tree;
mod turn_numbers;
pub(crate) mod usage;
mod usage_budget;
mod usage_explain;
mod usage_of_deleted_transcripts;
mod usage_tables;
mod watch;
