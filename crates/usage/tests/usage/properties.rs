//! Properties of all lines, however they are ordered, divided, copied or damaged.

mod folding;
mod grouping;
mod reading;
mod without_text;
