//! The binary from outside: what it answers, what it refuses, and that it
//! changes nothing.
//!
//! One test binary, one module per topic. Every test has a home of its own;
//! what these tests do not look at is how the answer is computed.

#![expect(clippy::disallowed_methods, reason = "tests make the stores they read")]
#![expect(clippy::unwrap_used, reason = "a test that cannot run the binary should stop")]

mod agents;
mod anatomy;
mod archive;
mod closing;
mod configuration;
mod contracts;
mod conversation;
mod corpus;
mod csv;
mod demo;
mod demo_doctor;
mod demo_session;
mod documents;
mod export;
mod export_files;
mod export_xml;
mod export_xml_corpus;
mod files;
mod filters;
mod grep;
mod grep_sources;
mod hand_over;
mod hook;
mod hostile;
mod hostile_story;
mod links;
mod manual;
mod mark;
mod mcp;
mod mcp_talk;
mod museum;
mod naming;
mod no_index;
mod output;
mod plan;
mod projects;
mod prompts;
mod read_only;
mod records;
mod redaction;
mod refusals;
mod regressions;
mod remembered;
mod roots;
mod run;
mod search;
mod setup;
mod show;
mod sql;
mod statusline;
mod story;
mod time;
mod tools;
mod tree;
mod usage;
mod usage_explain;
mod watch;
