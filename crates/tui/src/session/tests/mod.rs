//! Tests of the screen of a session, on stores of their own.

mod properties;
mod states;
mod store;
