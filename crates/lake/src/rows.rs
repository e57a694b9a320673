//! The tables of the lake: what a row of each says.
//!
//! Owner and installation are not columns: they are in the name of the object that holds
//! a row, so that nobody can claim to be somebody else.

use crate::columns::{Cell, Column, ColumnValues};
use crate::names::Table;
use jiff::Timestamp;
use parquet::errors::Result;
use usage::PicoUsd;

/// A row of a table.
pub(crate) trait Row: Sized {
    const COLUMNS: &'static [Column];

    /// Adds the row to the columns of its table.
    fn put(&self, columns: &mut [ColumnValues]);

    /// Its values by column, for people.
    fn to_json(&self) -> serde_json::Value;

    /// The next row of the columns.
    fn take(columns: &mut [ColumnValues]) -> Result<Self>;
}

/// Defines a row, with a column for each field.
macro_rules! row {
    ($(#[$struct_doc:meta])* $name:ident {
        $($(#[doc = $doc:literal])+ $field:ident: $type:ty,)+
    }) => {
        $(#[$struct_doc])*
        #[derive(Clone, Debug, Eq, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: $type,)+
        }

        impl Row for $name {
            const COLUMNS: &'static [Column] = &[$(Column {
                name: stringify!($field),
                meaning: concat!($($doc),+),
                kind: <$type as Cell>::KIND,
                is_optional: <$type as Cell>::IS_OPTIONAL,
            },)+];

            fn put(&self, columns: &mut [ColumnValues]) {
                let mut columns = columns.iter_mut();
                $(if let Some(column) = columns.next() {
                    self.$field.put(column);
                })+
            }

            fn to_json(&self) -> serde_json::Value {
                let mut object = serde_json::Map::new();
                $(object.insert(stringify!($field).to_owned(), self.$field.to_json());)+
                serde_json::Value::Object(object)
            }

            fn take(columns: &mut [ColumnValues]) -> Result<Self> {
                let mut columns = columns.iter_mut();
                Ok($name {
                    $($field: match columns.next() {
                        Some(column) => Cell::take(column)?,
                        None => return Err(parquet::errors::ParquetError::General(
                            "too few columns".to_owned(),
                        )),
                    },)+
                })
            }
        }
    };
}

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

row! {
    /// A line of a transcript, at level `text`.
    LineRow {
        /// The session
        session_id: String,
        /// The program whose session it is: `claude`
        app: String,
        /// The key of the project
        project: String,
        /// The sub-agent whose transcript it is in; none for the session's
        agent_id: Option<String>,
        /// The number of the line, from 1
        line: u64,
        /// The id of the record
        uuid: Option<String>,
        /// When it was written
        time: Option<Timestamp>,
        /// The line, with secrets masked and without images
        text: String,
        /// The version of the rules that made this row; of two rows with one key the higher counts
        rules: u64,
    }
}

/// Rows of one table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Rows {
    /// API calls.
    Calls(Vec<CallRow>),
    /// Sums by day.
    Days(Vec<DayRow>),
    /// Lines of transcripts.
    Lines(Vec<LineRow>),
}

impl Rows {
    /// Their table.
    pub fn table(&self) -> Table {
        match self {
            Rows::Calls(_) => Table::Calls,
            Rows::Days(_) => Table::Days,
            Rows::Lines(_) => Table::Lines,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Rows::Calls(rows) => rows.len(),
            Rows::Days(rows) => rows.len(),
            Rows::Lines(rows) => rows.len(),
        }
    }

    /// Their values by column, for people.
    pub fn to_json(&self) -> Vec<serde_json::Value> {
        match self {
            Rows::Calls(rows) => rows.iter().map(Row::to_json).collect(),
            Rows::Days(rows) => rows.iter().map(Row::to_json).collect(),
            Rows::Lines(rows) => rows.iter().map(Row::to_json).collect(),
        }
    }

    /// About how many bytes they take in memory.
    pub fn size(&self) -> u64 {
        let bytes = match self {
            Rows::Calls(rows) => rows.len() * 512,
            Rows::Days(rows) => rows.len() * 256,
            Rows::Lines(rows) => rows.iter().map(|row| row.text.len() + 256).sum(),
        };
        bytes as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Table {
    /// Its columns.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Table::Calls => CallRow::COLUMNS,
            Table::Days => DayRow::COLUMNS,
            Table::Lines => LineRow::COLUMNS,
        }
    }
}
