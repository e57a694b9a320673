//! What the canary makes of the answers of a server.

use super::server::{Answer, client_of};
use crate::clickhouse::EngineAccount;
use crate::clickhouse::canary::{CanaryError, check_rights, working_traps};
use crate::clickhouse::policy_check;
use crate::storage::tests::block_on;

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
    let reader = EngineAccount { user: "ada".to_owned(), password: String::new() };
    let error = block_on(working_traps(&client, &reader)).unwrap_err();
    assert!(matches!(error, CanaryError::NotAsked { .. }), "{error}");
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
