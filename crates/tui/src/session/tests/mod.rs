//! Tests of the screen of a session, on separate stores.

mod properties;
mod states;
mod store;
