//! One session, completely read.
//!
//! Records as they are on disk, with secrets masked before anything is
//! truncated; the sub-agents of the session and where each belongs; its tool
//! calls with their results; its plans; and an overview.
//! [`session::OpenSession`] holds all of it for one session and builds each
//! view on first use.
//!
//! `catalog().agents`, `plans` and `overview` answer for sessions that cannot be
//! opened: those with agents, outputs or plans but without a transcript, or with
//! one that cannot be read. An `OpenSession` has a transcript by definition. If
//! it could be empty, its conversation and turns would look like those of an
//! empty session, and every caller would have to ask which it is. `agents`
//! and `plans` share their code with `OpenSession`, and a test compares their
//! answers; only the catalogue has an overview.
//!
//! Deliberately not here: which sessions there are (`catalog`), and what a
//! conversation is (the crate `conversation`, which does not know files).

pub(crate) mod agent_conversation;
pub(crate) mod agents;
pub(crate) mod call_states;
pub(crate) mod calls;
pub(crate) mod growing;
pub(crate) mod marks;
pub(crate) mod masking;
pub(crate) mod overview;
pub(crate) mod plan_names;
pub(crate) mod plans;
pub(crate) mod records;
pub(crate) mod repeated_lines;
pub(crate) mod scan;
pub(crate) mod selection;
pub(crate) mod session;
pub(crate) mod session_values;
pub(crate) mod transcripts;
pub(crate) mod turns;
pub(crate) mod view;
