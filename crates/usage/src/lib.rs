//! What was used, and what it would cost at the API's prices.
//!
//! The unit is the API call, which transcripts write as several lines, copy
//! into other files and replay. [`Fold`] makes calls of lines, whatever the
//! order they come in; [`Prices`] are dated; [`Report`] groups calls so that
//! every grouping adds up to the same total.
//!
//! Deliberately not here: finding and reading files, clocks, printing.

mod line;
mod money;
mod prices;

pub use line::{Advice, CallLine, Counters, Origin, Read, Terms, read_line};
pub use money::PicoUsd;
pub use prices::{Factor, Price, PriceError, Prices, Rates, normalised};
