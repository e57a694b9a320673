//! Permissions of a user's SQL query: it may read the public views and nothing else.
//!
//! SQLite asks about every table, column and function while it prepares a query.
//! Anything not listed here is denied, including features of later SQLite versions.

use crate::views::{HiddenNames, VIEWS};
use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Functions that read no table: their arguments, the clock and random numbers only.
const FUNCTIONS: &str = "
    abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling changes char coalesce concat
    concat_ws cos cosh count cume_dist current_date current_time current_timestamp date datetime
    degrees dense_rank exp first_value floor format glob group_concat hex if ifnull iif instr
    json json_array json_array_length json_each json_error_position json_extract
    json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote
    json_remove json_replace json_set json_tree json_type json_valid julianday lag last_value lead
    length like likelihood likely ln log log10 log2 lower ltrim max median min mod nth_value ntile
    nullif octet_length percent_rank percentile percentile_cont percentile_disc pi pow power
    printf quote radians random randomblob rank replace round row_number rtrim sign sin sinh
    soundex sqrt stdev string_agg strftime substr substring subtype sum tan tanh time timediff
    total trim trunc typeof unhex unicode unistr unistr_quote unixepoch unlikely upper zeroblob
    -> ->>";

/// Table-valued functions that depend only on their arguments.
const TABLES: [&str; 2] = ["json_each", "json_tree"];

/// The permissions of a query, and whether it reads API calls.
#[derive(Clone, Debug)]
pub(crate) struct Permission {
    hidden: HiddenNames,
    /// Names of tables and views in the file, and of SQLite's own modules.
    table_names: Arc<HashSet<String>>,
    functions: Arc<HashSet<&'static str>>,
    wants_calls: Arc<AtomicBool>,
}

impl Permission {
    /// The permissions on a connection whose views have been created.
    pub(crate) fn new(
        connection: &Connection,
        hidden: HiddenNames,
    ) -> rusqlite::Result<Permission> {
        let mut table_names = HashSet::new();
        for sql in [
            "SELECT name FROM main.sqlite_schema UNION SELECT name FROM temp.sqlite_schema",
            "SELECT name FROM pragma_module_list",
        ] {
            let mut statement = connection.prepare(sql)?;
            for name in statement.query_map([], |row| row.get::<_, String>(0))? {
                table_names.insert(name?.to_ascii_lowercase());
            }
        }
        Ok(Permission {
            hidden,
            table_names: Arc::new(table_names),
            functions: Arc::new(FUNCTIONS.split_whitespace().collect()),
            wants_calls: Arc::default(),
        })
    }

    /// Whether the query reads API calls.
    pub(crate) fn wants_calls(&self) -> bool {
        self.wants_calls.load(Ordering::Relaxed)
    }

    /// Enforces the permissions on a connection.
    pub(crate) fn guard(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let permission = self.clone();
        connection.authorizer(Some(move |context: AuthContext<'_>| {
            if permission.allows(&context) { Authorization::Allow } else { Authorization::Deny }
        }))
    }

    fn allows(&self, context: &AuthContext<'_>) -> bool {
        match context.action {
            AuthAction::Select | AuthAction::Recursive => true,
            AuthAction::Function { function_name } => {
                self.functions.contains(function_name.to_ascii_lowercase().as_str())
            }
            AuthAction::Read { table_name, column_name } => {
                self.allows_read(&table_name.to_ascii_lowercase(), column_name, context)
            }
            _ => false,
        }
    }

    fn allows_read(&self, table: &str, column: &str, context: &AuthContext<'_>) -> bool {
        if table == self.hidden.call() {
            self.wants_calls.store(true, Ordering::Relaxed);
        }
        let is_view = VIEWS.iter().any(|view| view.name == table);
        let is_hidden = |name: &str| self.hidden.contains(name);
        if is_view
            || is_hidden(table)
            || TABLES.contains(&table)
            || context.accessor.is_some_and(is_hidden)
        {
            return true;
        }
        // SQLite asks like this about a common table expression (`WITH x AS …`) if the
        // query reads none of its columns.
        let is_system = table.starts_with("sqlite_") || table.starts_with("pragma_");
        column.is_empty() && !is_system && !self.table_names.contains(table)
    }
}
