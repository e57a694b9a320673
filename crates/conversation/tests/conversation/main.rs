//! The tests of this crate from outside, one module a subject.

mod agents;
mod annotations;
mod app;
mod bad_input;
mod branch_kinds;
mod branches;
mod calls;
mod context_usage;
mod generations;
mod official;
mod official_rules;
mod orphaned_segments;
mod plans;
mod progress_agents;
mod sizes;
mod summaries;
mod sums;
mod turn_numbers;
mod turns;
mod views;
