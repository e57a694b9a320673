//! Properties of all lines, however they are ordered, divided, copied or damaged.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its lines should stop")]

mod folding;
mod grouping;
mod reading;
mod without_text;
