//! Named cases, those for lists in one store and those for conversations in another. Each
//! once showed a difference between two readers, or was written to.
//!
//! Intended differences (`docs/listing.md`) are left out; `made_up` lists them. Add new
//! oddities here, named after what is odd about them.

mod archived;
mod continued;
mod fields;
mod files;
mod prompts;
mod rules;
mod titles;
mod transcripts;

use super::store::Store;

/// The cases for lists.
pub(super) fn make() -> Store {
    let mut store = Store::default();
    titles::add(&mut store);
    fields::add(&mut store);
    prompts::add(&mut store);
    continued::add(&mut store);
    archived::add(&mut store);
    files::add(&mut store);
    store
}

/// The cases for conversations.
pub(super) fn conversations() -> Store {
    let mut store = Store::default();
    rules::add(&mut store);
    transcripts::add(&mut store);
    store
}
