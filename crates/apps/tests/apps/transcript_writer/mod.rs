//! The tests of this crate from outside, one module a subject.

mod corpus;
mod properties;
mod sessions;
mod support;
