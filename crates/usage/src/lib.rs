//! Token usage, and its cost at the API's prices.
//!
//! The unit is the API call, which transcripts write as several lines, copy into
//! other files and replay. [`Fold`] turns lines, in any order, into calls; [`Prices`]
//! are dated; [`Report`] groups calls so that every grouping adds up to the same
//! total.
//!
//! Deliberately not here: finding and reading files, clocks, printing.

pub mod blocks;
mod budget;
mod call_group;
mod cost;
mod expiry;
mod finish;
mod fold;
mod line;
mod money;
mod names;
mod other_vendors;
mod packed;
mod packed_bytes;
mod packed_groups;
mod prices;
mod report;
mod shared_calls;
mod split;
mod usage_object;
mod windows;
mod without_text;

pub use budget::{Budget, BudgetPeriod, BudgetUse, BudgetWindow};
pub use call_group::{CallGroup, CallGroups};
pub use cost::{Cost, CostMode, CostPart, Pricer, UnpricedReason};
pub use expiry::expired_tokens;
pub use fold::{Attribution, Call, Calls, Duplicates, FileNumber, Fold, LimitNotice, Tally};
pub use line::{AdvisorCall, CallLine, Counters, LineOrigin, NEEDLE, Terms, UsageLine, read_line};
pub use money::PicoUsd;
pub use names::{Name, Names};
pub use packed::PackedFold;
pub use packed_groups::{pack_groups, unpack_groups};
pub use prices::{Factor, Price, PriceError, Prices, Rates, normalized_model};
pub use report::{Report, ReportBuilder, Row, RowKey, RowNumber, Sums};
pub use shared_calls::sets_sharing_calls;
pub use split::split_proportionally;
pub use windows::context_window;
pub use without_text::without_text;
