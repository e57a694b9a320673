//! What the canary makes of the answers of a server.

use super::server::{Answer, client_of, client_with};
use crate::clickhouse::EngineAccount;
use crate::clickhouse::canary::{CanaryError, check_rights, check_traps, plant, working_traps};
use crate::clickhouse::policy_check;
use crate::clickhouse::traps::traps;
use crate::names::Table;
use crate::storage::tests::block_on;
use std::sync::{Arc, Mutex};

/// What the server of release 26.7 answers to a reader who may do nothing else.
fn refuses(statement: &str) -> Answer {
    match statement {
        _ if statement.contains("getSetting") => Ok("1\n"),
        // Without an index of words, and for short names of buckets, arguments are wrong.
        _ if statement.contains("mergeTreeTextIndex") && !statement.contains("blocks_rows") => {
            Err(36)
        }
        _ if statement.contains("s3(") && !statement.contains("/bucket/") => Err(36),
        _ if statement.contains(" merge(") => Err(636),
        _ => Err(497),
    }
}

#[test]
fn refusals_of_a_server_are_not_taken_for_rights() {
    block_on(check_rights(&client_of(refuses))).unwrap();
}

#[test]
fn a_reader_who_gets_an_answer_or_the_error_of_a_query_has_a_right() {
    let allowed: [fn(&str) -> Answer; 4] = [
        |it| if it.contains(" merge(") { Ok("0\n") } else { refuses(it) },
        |it| if it.contains("PREWHERE throwIf") { Err(395) } else { refuses(it) },
        |it| if it.contains("calls_nodes") { Ok("0\n") } else { refuses(it) },
        // Nothing listens there.
        |it| if it.contains(" url(") { Err(210) } else { refuses(it) },
    ];
    for answer in allowed {
        let error = block_on(check_rights(&client_of(answer))).unwrap_err();
        assert!(matches!(error, CanaryError::TooPowerful { .. }), "{error}");
    }
}

#[test]
fn a_node_that_does_not_answer_is_neither_a_right_nor_a_leak() {
    let silent: [fn(&str) -> Answer; 3] = [
        |it| if it.contains("calls_nodes") { Err(279) } else { refuses(it) },
        |it| if it.contains("gone") { Err(209) } else { refuses(it) },
        |it| if it.contains("lines_rows FINAL") { Err(210) } else { refuses(it) },
    ];
    for answer in silent {
        let error = block_on(check_rights(&client_of(answer))).unwrap_err();
        assert!(matches!(error, CanaryError::NotAsked { .. }), "{error}");
        assert!(error.to_string().contains("could not ask as ada"), "{error}");
    }
    let client = client_of(|it| if it.contains("_all") { Err(279) } else { Ok("0\n") });
    let error = block_on(working_traps(&client, None)).unwrap_err();
    assert!(matches!(error, CanaryError::NotAsked { .. }), "{error}");
}

/// A server on which queries about these owners fail, if they are traps.
fn server_with_rows_of(owners: &'static [&'static str]) -> impl Fn(&str, &str) -> Answer {
    move |_, address| {
        let asked = address.split('&').find(|it| it.starts_with("param_owners=")).unwrap();
        if owners.iter().any(|owner| asked.contains(owner)) { Err(395) } else { Ok("0\n") }
    }
}

#[test]
fn traps_have_to_fail_about_the_reader_and_nobody_else() {
    let client = client_with(server_with_rows_of(&["ada"]));
    let working = block_on(working_traps(&client, None)).unwrap();
    assert_eq!(working.len(), traps("annals").len());
    block_on(check_traps(&client, &working, "bob")).unwrap();
    let blind = client_with(server_with_rows_of(&[]));
    let error = block_on(working_traps(&blind, None)).unwrap_err();
    assert!(matches!(error, CanaryError::Untested { working: 0, .. }), "{error}");
}

#[test]
fn policies_that_stand_on_views_alone_are_refused_as_leaking() {
    // Conditions of the reader are evaluated before such policies, so rows of others spring traps.
    let cases: [(&[&str], &str); 2] = [
        (&["ada", "bob"], "what is in a private row of bob"),
        (&["ada", "somebody"], "what is in a row of a team that the account is not in"),
    ];
    for (owners, expected) in cases {
        let client = client_with(server_with_rows_of(owners));
        let working = block_on(working_traps(&client, None)).unwrap();
        let error = block_on(check_traps(&client, &working, "bob")).unwrap_err();
        assert!(matches!(error, CanaryError::Leaking { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn traps_over_all_nodes_are_sprung_by_a_row_of_another_server() {
    let elsewhere = "https://ch2:8443";
    let client = client_with(move |statement, address| {
        let is_elsewhere = address.contains("ch2");
        assert!(
            !address.contains("param_owners=%5B%27ada")
                || is_elsewhere == statement.contains("_all")
        );
        server_with_rows_of(&["ada"])(statement, address)
    });
    let working = block_on(working_traps(&client, Some(elsewhere))).unwrap();
    assert_eq!(working.len(), traps("annals").len());
}

#[test]
fn rows_of_both_readers_and_of_a_team_come_in_one_insert() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let statements = Arc::clone(&seen);
    let client = client_with(move |statement, address| {
        let mut statements = statements.lock().unwrap();
        let is_there = statements.last().is_some_and(|last| last.starts_with("INSERT"));
        statements.push(statement.to_owned());
        assert!(address.contains("ada") && address.contains("bob") && address.contains("somebody"));
        Ok(if is_there { "1\n" } else { "0\n" })
    });
    let account = |name: &str| EngineAccount { user: name.to_owned(), password: String::new() };
    block_on(plant(&client, &[account("ada"), account("bob")])).unwrap();
    let statements = seen.lock().unwrap();
    let inserts = statements.iter().filter(|it| it.starts_with("INSERT")).count();
    assert_eq!(inserts, Table::ALL.len() - 1, "one for each table but the sums by day");
    let error = block_on(plant(&client_of(|_| Ok("0\n")), &[account("ada"), account("bob")]));
    assert!(matches!(error, Err(CanaryError::Hidden { .. })), "{error:?}");
}

#[test]
fn a_server_with_policies_of_an_older_release_gets_no_views() {
    type Case = (fn(&str) -> Answer, Option<&'static str>);
    let answers: [Case; 3] = [
        (|_| Ok(""), None),
        (|_| Ok("lines_rows\n"), Some("the row policy on lines_rows does not ask who logged in")),
        (|_| Err(497), Some("cannot read the row policies")),
    ];
    for (answer, expected) in answers {
        let error = block_on(policy_check::check(&client_of(answer))).err();
        let error = error.map(|error| error.to_string());
        match expected {
            Some(part) => assert!(error.as_deref().unwrap().contains(part), "{error:?}"),
            None => assert_eq!(error, None),
        }
    }
}
