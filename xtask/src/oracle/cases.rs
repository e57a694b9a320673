//! Named cases, those of lists in one store and those of conversations in
//! another: each of them once told two readers apart, or was made to.
//!
//! Left out is what annals deliberately does otherwise (`docs/listing.md`);
//! `made_up` says what that is. New oddities belong here, named by what is odd
//! about them.

mod archived;
mod continued;
mod fields;
mod files;
mod prompts;
mod rules;
mod titles;
mod transcripts;

use super::store::Store;

/// What lists look at.
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

/// What conversations are made of.
pub(super) fn conversations() -> Store {
    let mut store = Store::default();
    rules::add(&mut store);
    transcripts::add(&mut store);
    store
}
