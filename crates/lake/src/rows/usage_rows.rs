//! The tables of level `usage`.
//!
//! Every column here leaves the machine of everyone who shares anything: a test lists them.

use super::Row;
use crate::columns::{Cell, Column, ColumnValues};
use jiff::Timestamp;
use parquet::errors::Result;
use usage::PicoUsd;

row! {
    /// An API call, at level `usage`.
    CallRow {
        /// The session it belongs to
        session_id: String,
        /// The program whose session it is: `claude`
        app: String,
        /// The key of the project
        project: String,
        /// The id of the API response; calls with the same id and request are one call
        id: String,
        /// The API request
        request_id: Option<String>,
        /// When it began
        time: Option<Timestamp>,
        /// The model
        model: Option<String>,
        /// Prompt tokens outside the cache
        input_tokens: u64,
        /// Output tokens
        output_tokens: u64,
        /// Of these, thinking tokens
        thinking_tokens: u64,
        /// Tokens written to the cache for five minutes
        cache_write_5m_tokens: u64,
        /// Tokens written to the cache for an hour
        cache_write_1h_tokens: u64,
        /// Tokens read from the cache
        cache_read_tokens: u64,
        /// Web searches
        web_searches: u64,
        /// Whether it was answered in fast mode
        is_fast: bool,
        /// Whether it was processed in the United States
        is_us: bool,
        /// Whether it was answered in a batch
        is_batch: bool,
        /// A service tier whose price is unknown
        unknown_tier: Option<String>,
        /// Whether an advisor model was called
        is_advisor_call: bool,
        /// Its cost as logged by old versions of the app, in trillionths of a dollar
        logged_cost_pico: Option<PicoUsd>,
        /// Its cost at list prices, in trillionths of a dollar; none without a known price
        cost_pico: Option<PicoUsd>,
        /// The version of the app
        app_version: Option<String>,
        /// The version of the rules that made this row; of two rows with one key the higher counts
        rules: u64,
    }
}

row! {
    /// What one project and model took on one day, at level `usage`. Without session or
    /// time of day: this is what everyone may read.
    DayRow {
        /// The day in UTC, as `2026-11-01`; none for calls without a time
        day: Option<String>,
        /// The program whose sessions they are: `claude`
        app: String,
        /// The key of the project
        project: String,
        /// The model
        model: Option<String>,
        /// How many calls
        calls: u64,
        /// Prompt tokens outside the cache
        input_tokens: u64,
        /// Output tokens
        output_tokens: u64,
        /// Of these, thinking tokens
        thinking_tokens: u64,
        /// Tokens written to the cache for five minutes
        cache_write_5m_tokens: u64,
        /// Tokens written to the cache for an hour
        cache_write_1h_tokens: u64,
        /// Tokens read from the cache
        cache_read_tokens: u64,
        /// Web searches
        web_searches: u64,
        /// The cost of the calls that have one, in trillionths of a dollar
        cost_pico: PicoUsd,
        /// How many calls have no cost, because the price is unknown
        unpriced_calls: u64,
        /// The version of the rules that made this row
        rules: u64,
    }
}
