//! The tests of this crate from outside, one module a subject.

mod program;
