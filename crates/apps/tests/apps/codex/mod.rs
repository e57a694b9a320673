//! The tests of this crate from outside, one module a subject.

mod corpus;
mod damage;
mod properties;
mod reading;
