//! What was used, and what it would cost at the API's prices.
//!
//! The unit is the API call, which transcripts write as several lines, copy
//! into other files and replay. [`Fold`] makes calls of lines, whatever the
//! order they come in; [`Prices`] are dated; [`Report`] groups calls so that
//! every grouping adds up to the same total.
//!
//! Deliberately not here: finding and reading files, clocks, printing.

pub mod blocks;
mod cost;
mod expiry;
mod finish;
mod fold;
mod line;
mod money;
mod names;
mod packed;
mod prices;
mod report;
mod split;
mod without_text;

pub use cost::{Cost, CostMode, Part, Pricer, Unpriced};
pub use expiry::expired_tokens;
pub use fold::{Call, Calls, Duplicates, FileNumber, Fold, Limit, Place, Tally};
pub use line::{Advice, CallLine, Counters, NEEDLE, Origin, Read, Terms, read_line};
pub use money::PicoUsd;
pub use names::{Name, Names};
pub use packed::PackedFold;
pub use prices::{Factor, Price, PriceError, Prices, Rates, normalised};
pub use report::{Adder, Report, Row, RowKey, RowNumber, Sums};
pub use split::divided;
pub use without_text::without_text;
