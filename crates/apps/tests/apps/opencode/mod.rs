//! The tests of this crate from outside, one module a subject.

mod corpus;
mod damage;
mod documents;
mod properties;
mod rows;
