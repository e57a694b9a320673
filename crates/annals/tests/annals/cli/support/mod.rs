//! Shared by the tests: running the program, the stores it runs on, and the table of calls
//! that exercises every command.
//!
//! Tests of the program itself are deliberately not here.

pub(crate) mod corpus;
pub(crate) mod exercise_table;
pub(crate) mod exercises;
pub(crate) mod full_store;
pub(crate) mod hostile_store;
pub(crate) mod hostile_text;
pub(crate) mod lake_program;
pub(crate) mod mcp_client;
pub(crate) mod run;
pub(crate) mod sample_session;
pub(crate) mod web_server;
