//! Things that no command may do, whatever a store contains: write to the store, show a
//! secret to an agent, pass control characters to a terminal, follow links.
//!
//! These tests take their calls from the table in `support::exercises`, so that a
//! new command cannot be forgotten.

mod closed_output;
mod control_characters;
mod control_characters_in_conversations;
mod csv_formulas;
mod data_home;
mod exercise_table;
mod links_and_pipes;
mod masked_values;
mod memory;
mod read_only;
mod secrets;
mod secrets_in_names;
