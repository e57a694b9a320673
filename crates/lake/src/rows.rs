//! The tables of the lake: what a row of each says, and what it is known by.
//!
//! Owner and installation are not columns: they are in the name of the object that holds
//! a row, so that nobody can claim to be somebody else.

use crate::columns::{Column, ColumnValues};
use crate::names::Table;
use parquet::errors::Result;

/// A row of a table.
pub(crate) trait Row: Sized {
    const COLUMNS: &'static [Column];

    /// Adds the row to the columns of its table.
    fn put(&self, columns: &mut [ColumnValues]);

    /// Its values by column, for people.
    fn to_json(&self) -> serde_json::Value;

    /// The next row of the columns.
    fn take(columns: &mut [ColumnValues]) -> Result<Self>;

    /// How many bytes it takes in memory.
    fn size(&self) -> usize;
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

            fn size(&self) -> usize {
                size_of::<Self>() $(+ self.$field.heap_bytes())+
            }

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

mod metadata_rows;
mod text_rows;
mod usage_rows;

pub use metadata_rows::{
    AttributionRow, CommitRow, PullRequestRow, SessionRow, ToolCallRow, TouchRow,
};
pub use text_rows::{BlockRow, LineRow};
pub use usage_rows::{CallRow, DayRow};

/// A row that [`Rows`] can hold.
pub(crate) trait TableRow: Row {
    /// The rows, if they are of this table.
    fn of(rows: &Rows) -> Option<&[Self]>;
    fn into_rows(rows: Vec<Self>) -> Rows;
}

/// Something that is done with the rows of a table, whichever it is.
pub(crate) trait ForTable {
    type Output;

    fn run<R: TableRow>(self) -> Self::Output;
}

/// Lists the tables, with their rows.
macro_rules! tables {
    ($($(#[$doc:meta])* $table:ident: $row:ident,)+) => {
        /// Rows of one table.
        #[derive(Clone, Debug, Eq, PartialEq)]
        pub enum Rows {
            $($(#[$doc])* $table(Vec<$row>),)+
        }

        $(impl TableRow for $row {
            fn of(rows: &Rows) -> Option<&[Self]> {
                if let Rows::$table(rows) = rows { Some(rows) } else { None }
            }

            fn into_rows(rows: Vec<Self>) -> Rows {
                Rows::$table(rows)
            }
        })+

        impl Rows {
            /// Their table.
            pub fn table(&self) -> Table {
                match self {
                    $(Rows::$table(_) => Table::$table,)+
                }
            }

            /// How many there are.
            pub fn len(&self) -> usize {
                match self {
                    $(Rows::$table(rows) => rows.len(),)+
                }
            }

            /// Their values by column, for people.
            pub fn to_json(&self) -> Vec<serde_json::Value> {
                match self {
                    $(Rows::$table(rows) => rows.iter().map(Row::to_json).collect(),)+
                }
            }

            /// About how many bytes they take in memory.
            pub fn size(&self) -> u64 {
                let bytes: usize = match self {
                    $(Rows::$table(rows) => rows.iter().map(Row::size).sum(),)+
                };
                bytes as u64
            }
        }

        impl Table {
            /// Its columns.
            pub fn columns(self) -> &'static [Column] {
                match self {
                    $(Table::$table => $row::COLUMNS,)+
                }
            }

            /// Does something with the rows of this table.
            pub(crate) fn run<T: ForTable>(self, task: T) -> T::Output {
                match self {
                    $(Table::$table => task.run::<$row>(),)+
                }
            }
        }
    };
}

tables! {
    /// API calls.
    Calls: CallRow,
    /// Sums by day.
    Days: DayRow,
    /// What calls are attributed to.
    Attributions: AttributionRow,
    /// Sessions.
    Sessions: SessionRow,
    /// Tool calls.
    ToolCalls: ToolCallRow,
    /// Files that tool calls read or changed.
    Touches: TouchRow,
    /// Commits.
    Commits: CommitRow,
    /// Pull requests.
    PullRequests: PullRequestRow,
    /// Blocks of lines.
    Blocks: BlockRow,
    /// Lines of transcripts.
    Lines: LineRow,
}

impl Rows {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Table {
    /// The columns that a row is known by, with the owner of its object. Rows of one owner
    /// with the same values are one row.
    pub fn key(self) -> &'static [&'static str] {
        match self {
            Table::Calls | Table::Attributions => &["id", "request_id"],
            // Sums are replaced as a whole, not by row.
            Table::Days => &["day", "app", "project", "model"],
            Table::Sessions => &["session_id"],
            Table::ToolCalls => &["session_id", "agent_id", "tool_use_id", "number"],
            Table::Touches => {
                &["session_id", "agent_id", "tool_use_id", "number", "file", "operation"]
            }
            Table::Commits => &["session_id", "hash"],
            Table::PullRequests => &["session_id", "url", "number"],
            Table::Blocks => &["session_id", "agent_id", "line", "uuid", "block"],
            Table::Lines => &["session_id", "agent_id", "line", "uuid"],
        }
    }

    /// The columns that say which of several rows with one key counts: the highest, by the
    /// first column, then the second.
    pub fn order(self) -> &'static [&'static str] {
        match self {
            Table::Calls => &["rules", "output_tokens", "input_tokens"],
            Table::Sessions => &["rules", "lines"],
            Table::ToolCalls => &["rules", "is_answered"],
            Table::Touches => &["rules", "is_done"],
            _ => &["rules"],
        }
    }

    /// What one row is.
    pub fn meaning(self) -> &'static str {
        match self {
            Table::Calls => "an API call",
            Table::Days => "what a project and a model took on a day",
            Table::Attributions => "what an API call is attributed to",
            Table::Sessions => "a session",
            Table::ToolCalls => "a tool call, without its input and result",
            Table::Touches => "a file that a tool call read or changed",
            Table::Commits => "a commit that a session made",
            Table::PullRequests => "a pull request that a session created or was linked to",
            Table::Blocks => "a block of a line, with its text and its words",
            Table::Lines => "a line of a transcript",
        }
    }
}
