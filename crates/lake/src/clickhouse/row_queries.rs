//! Rows from a server, as the rows of the lake.

use super::client::{EngineClient, EngineError, Parameter};
use crate::catalog::Dialect;
use crate::columns::{ColumnValues, take_text};
use crate::names::{Owner, SessionId, Table};
use crate::rows::{ForTable, Rows, TableRow};
use parquet::errors::{ParquetError, Result};

/// Rows of one session of one owner, or sums of nobody.
#[derive(Debug)]
pub(super) struct OwnedRows {
    pub(super) owner: String,
    pub(super) session: String,
    pub(super) rows: Rows,
}

impl OwnedRows {
    /// The names, if they are ours.
    pub(super) fn names(&self) -> Option<(Owner, SessionId)> {
        Some((self.owner.parse().ok()?, self.session.parse().ok()?))
    }
}

/// The rows of a view, in groups by owner and session. `owner` and `session` are expressions
/// over its columns.
pub(super) async fn owned_rows(
    client: &EngineClient,
    table: Table,
    [owner, session]: [&str; 2],
    condition: &str,
    parameters: &[Parameter],
) -> std::result::Result<Vec<OwnedRows>, EngineError> {
    let columns: Vec<String> =
        table.columns().iter().map(|column| Dialect::ClickHouse.name(column.name)).collect();
    let statement = format!(
        "SELECT toString({owner}) AS group_owner, toString({session}) AS group_session, {} FROM \
         {}.{}_all WHERE {condition} ORDER BY group_owner, group_session FORMAT RowBinary",
        columns.join(", "),
        client.url().database(),
        table.as_str(),
    );
    let bytes = client.bytes(&statement, parameters).await?;
    let decoded = table.run(Decode { table, bytes: &bytes });
    decoded.map_err(|error| client.unexpected(&error.to_string()))
}

/// Reads groups of rows.
struct Decode<'b> {
    table: Table,
    bytes: &'b [u8],
}

impl ForTable for Decode<'_> {
    type Output = Result<Vec<OwnedRows>>;

    fn run<R: TableRow>(self) -> Self::Output {
        let mut bytes = self.bytes;
        let mut groups: Vec<OwnedRows> = Vec::new();
        let mut open: Option<OpenGroup> = None;
        while !bytes.is_empty() {
            let owner = text(&mut bytes)?;
            let session = text(&mut bytes)?;
            let is_same =
                open.as_ref().is_some_and(|open| open.owner == owner && open.session == session);
            if !is_same {
                if let Some(done) = open.take() {
                    groups.push(done.close::<R>()?);
                }
                let columns = self.table.columns().iter().map(ColumnValues::new).collect();
                open = Some(OpenGroup { owner, session, columns, count: 0 });
            }
            if let Some(open) = &mut open {
                for column in &mut open.columns {
                    column.push_binary(&mut bytes)?;
                }
                open.count += 1;
            }
        }
        if let Some(done) = open {
            groups.push(done.close::<R>()?);
        }
        Ok(groups)
    }
}

fn text(bytes: &mut &[u8]) -> Result<String> {
    let text = String::from_utf8(take_text(bytes)?.to_vec());
    text.map_err(|error| ParquetError::External(error.into()))
}

struct OpenGroup {
    owner: String,
    session: String,
    columns: Vec<ColumnValues>,
    count: usize,
}

impl OpenGroup {
    fn close<R: TableRow>(mut self) -> Result<OwnedRows> {
        let mut rows = Vec::with_capacity(self.count);
        for _ in 0..self.count {
            rows.push(R::take(&mut self.columns)?);
        }
        Ok(OwnedRows { owner: self.owner, session: self.session, rows: R::into_rows(rows) })
    }
}
