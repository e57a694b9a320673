//! What becomes of servers that an older annals filled.

use super::server::{Answer, client_with};
use crate::clickhouse::load::LoadError;
use crate::clickhouse::upgrade::{check_layout, retire_old_tables, revoke_old_views};
use crate::storage::tests::block_on;
use std::sync::{Arc, Mutex};

/// What a server has that an older annals filled.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Filled {
    /// Tables as they are now, and views that compare names.
    Now,
    /// A table with an old layout.
    WithTable,
    /// Views that believe a claimed name.
    WithViews,
}

/// The statements that a server gets in an upgrade, and what the upgrade answers.
fn statements_of<R>(
    filled: Filled,
    upgrade: impl AsyncFnOnce(&crate::clickhouse::EngineClient) -> R,
) -> (R, Vec<String>) {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let statements = Arc::clone(&seen);
    let client = client_with(move |statement, address| -> Answer {
        statements.lock().unwrap().push(statement.to_owned());
        if statement.contains("create_table_query, {dictionary:String}") {
            let asks = ["partition_key = {key:String} OR", "{names:Array(String)}"];
            assert!(asks.iter().all(|it| statement.contains(it)), "{statement}");
            assert!(
                address.contains("LowCardinality") && address.contains("calls_rows"),
                "{address}"
            );
            return Ok(if filled == Filled::WithTable { "calls_rows\n" } else { "" });
        }
        if statement.contains("name = 'loads'") {
            return Ok("loads\n");
        }
        if statement.contains("authenticatedUser") {
            let all = "attributions_all\nblocks_all\ncalls_all\ncommits_all\ndays_all\n\
                       days_of_owners_all\nlines_all\npull_requests_all\nsessions_all\n\
                       tool_calls_all\ntouches_all\n";
            return Ok(if filled == Filled::WithViews { "calls_all\n" } else { all });
        }
        if statement.contains("total_rows > 0") && address.contains("calls_rows_replaced_again") {
            return Ok("calls_rows_replaced_again\n");
        }
        Ok(if statement.contains("count()") { "0\n" } else { "" })
    });
    let answer = block_on(upgrade(&client));
    let statements = seen.lock().unwrap().clone();
    (answer, statements)
}

#[test]
fn views_of_older_releases_are_dropped_before_anything_else() {
    for (filled, expected) in
        [(Filled::Now, false), (Filled::WithTable, true), (Filled::WithViews, true)]
    {
        let (was_readable, statements) = statements_of(filled, revoke_old_views);
        assert_eq!(was_readable.unwrap(), expected, "{filled:?}");
        let changes: Vec<&String> =
            statements.iter().filter(|it| !it.starts_with("SELECT")).collect();
        assert!(changes.iter().all(|it| it.starts_with("DROP TABLE IF EXISTS annals.")));
        assert!(changes.iter().all(|it| !it.contains("_rows")), "{changes:?}");
        for view in ["calls_visible", "calls_all", "calls_by_owner", "calls", "days_by_owner"] {
            let dropped = format!("DROP TABLE IF EXISTS annals.{view} SYNC");
            assert_eq!(changes.iter().any(|it| **it == dropped), expected, "{view}");
        }
    }
}

#[test]
fn tables_with_an_old_layout_are_renamed_once_and_emptied() {
    let (done, statements) = statements_of(Filled::WithTable, retire_old_tables);
    done.unwrap();
    let renamed: Vec<&String> = statements.iter().filter(|it| it.starts_with("RENAME")).collect();
    let expected = ["loads", "calls_rows"]
        .map(|name| format!("RENAME TABLE annals.{name} TO annals.{name}_replaced_again"));
    assert_eq!(renamed, expected.iter().collect::<Vec<_>>());
    let emptied = "TRUNCATE TABLE annals.calls_rows_replaced_again SYNC";
    assert!(statements.iter().any(|it| it == emptied), "{statements:?}");
    let cleaned = "ALTER TABLE annals.calls_rows_replaced_again DROP PARTITION (0, '')";
    assert!(statements.iter().any(|it| it == cleaned), "its partitions have two fields");
    let (done, statements) = statements_of(Filled::Now, retire_old_tables);
    done.unwrap();
    assert!(statements.iter().all(|it| !it.starts_with("RENAME")), "{statements:?}");
}

#[test]
fn nothing_is_loaded_into_a_table_that_an_older_release_creates_meanwhile() {
    let (done, _) = statements_of(Filled::WithTable, check_layout);
    let error = done.unwrap_err();
    assert!(matches!(&error, LoadError::OldTable { .. }), "{error}");
    assert!(error.to_string().contains("drop the database annals"), "{error}");
    let (done, _) = statements_of(Filled::Now, check_layout);
    done.unwrap();
}
