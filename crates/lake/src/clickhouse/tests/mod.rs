//! Statements, addresses and policies. Whether a server takes them is tested by
//! `cargo xtask lake-test`.

mod canary;
mod server;
mod upgrade;

use super::*;
use crate::names::Table;
use policy::EnginePolicy;
use schema::ServerVersion;

const VERSION: ServerVersion = ServerVersion { major: 26, minor: 7 };

#[test]
fn addresses_need_tls_except_on_this_machine() {
    let database = |text: &str| text.parse::<EngineUrl>().map(|url| url.database().to_owned());
    assert_eq!(database("https://ch.acme.io:8443").unwrap(), "annals");
    assert_eq!(database("http://127.0.0.1:8123?database=team_lake").unwrap(), "team_lake");
    for text in [
        "http://ch.acme.io",
        "https://u:p@ch.acme.io",
        "https://h?database=a.b",
        "https://h?cluster=x;y",
        "https://h?user=x",
        "https://h/path",
        "ftp://h",
    ] {
        assert!(text.parse::<EngineUrl>().is_err(), "{text}");
    }
}

#[test]
fn owner_and_object_are_part_of_every_key() {
    let url: EngineUrl = "https://h?cluster=team".parse().unwrap();
    let statements = schema::statements(&url, VERSION);
    for table in Table::ALL {
        let name = format!("annals.{}_rows (", table.as_str());
        let created = statements.iter().find(|it| it.contains(&name)).unwrap();
        let (_, key) = created.split_once("ORDER BY (").unwrap();
        let (key, _) = key.split_once(") SETTINGS").unwrap();
        for column in ["`owner`", "`audience`", "`installation`", "`object`"] {
            assert!(key.contains(column), "{column} is missing from {created}");
        }
        for column in table.key() {
            assert!(key.contains(column), "{column} is missing from {created}");
        }
        assert!(
            created.contains("PARTITION BY (month, audience) ORDER BY (`audience`"),
            "{created}"
        );
    }
}

/// What is printed about one account.
fn account_of<'t>(text: &'t str, name: &str) -> &'t str {
    let (_, rest) = text.split_once(&format!("    <{name}>\n")).unwrap();
    rest.split_once(&format!("    </{name}>\n")).unwrap().0
}

#[test]
fn readers_get_views_and_nothing_else() {
    let readers = ["ada", "bob:tides,moon"].map(|text| text.parse::<EngineReader>().unwrap());
    let xml = engine_policies(EnginePolicy::UsersXml, "annals", &readers).unwrap();
    let sql = engine_policies(EnginePolicy::Sql, "annals", &readers).unwrap();
    let of_bob: Vec<&str> = sql.lines().filter(|line| line.contains("TO `bob`")).collect();
    for text in [account_of(&xml, "bob").to_owned(), of_bob.join("\n")] {
        assert!(text.contains("annals.lines_visible"), "{text}");
        for hidden in ["_rows", "_nodes", "of_owners", "filter", "forgotten", "gone", "loaders"] {
            assert!(!text.contains(hidden), "{hidden}: {text}");
        }
    }
    assert!(xml.contains("<readonly>1<") && sql.contains("readonly = 1 CONST"));
    let finance = EngineReader { is_finance: true, ..readers[0].clone() };
    let text = engine_policies(EnginePolicy::UsersXml, "annals", &[finance]).unwrap();
    assert!(account_of(&text, "ada").contains("annals.days_by_owner"), "{text}");
    let views = account_of(&text, "annals_views");
    let calls = views.lines().find(|line| line.contains("<calls_rows>")).unwrap();
    let lines = views.lines().find(|line| line.contains("<lines_rows>")).unwrap();
    let sees_all = "OR currentUser() IN ('ada')) AND";
    assert!(calls.contains(sees_all) && !lines.contains(sees_all), "{views}");
}

#[test]
fn policies_stand_on_the_rows_of_every_table_and_hide_what_was_taken_back() {
    let readers = ["ada:tides", "bob:tides,moon"].map(|text| text.parse::<EngineReader>().unwrap());
    let xml = engine_policies(EnginePolicy::UsersXml, "annals", &readers).unwrap();
    let views = account_of(&xml, "annals_views");
    for table in Table::ALL {
        let name = format!("<{}_rows><filter>", table.as_str());
        let policy = views.lines().find(|line| line.contains(&name)).unwrap();
        for part in [
            "<filter>authenticatedUser() IN (currentUser(), '') AND (",
            "audience = 'org' OR (audience = 'private' AND owner = currentUser())",
            "OR (audience = 'team:moon' AND currentUser() IN ('bob'))",
            "OR (audience = 'team:tides' AND currentUser() IN ('ada', 'bob'))",
            ") AND object NOT IN (SELECT object FROM annals.gone)",
        ] {
            assert!(policy.contains(part), "{part}: {policy}");
        }
        assert_eq!(policy.contains("annals.forgotten"), schema::has_session(table), "{policy}");
    }
    assert!(views.contains("<networks></networks>"), "nobody can log in: {views}");
    let url: EngineUrl = "https://h?cluster=team".parse().unwrap();
    for statement in schema::statements(&url, VERSION) {
        if statement.contains("DEFINER") && !statement.contains("SECURITY INVOKER") {
            assert!(statement.contains("DEFINER = annals_views SQL"), "{statement}");
            // A view does not protect, except against a name that is only claimed.
            let compared = statement.matches("(SELECT throwIf(NOT (authenticatedUser()").count();
            let reads_nodes = statement.matches("_nodes WHERE (SELECT throwIf(NOT").count();
            let of_node = statement.contains("_rows") && !statement.contains("WHERE");
            assert!(of_node || (compared > 0 && reads_nodes == compared), "{statement}");
            assert_eq!(statement.matches("_nodes").count(), compared, "{statement}");
        }
    }
}

#[test]
fn name_of_a_reader_is_compared_before_other_nodes_are_asked() {
    for (address, is_cluster) in [("https://h?cluster=team", true), ("https://h", false)] {
        let url: EngineUrl = address.parse().unwrap();
        let statements = schema::statements(&url, VERSION);
        for (view, node) in Table::ALL.into_iter().flat_map(schema::views_of_all_nodes) {
            let nodes = schema::over_nodes(&view);
            let over = if is_cluster { &nodes } else { &node };
            let created = format!(
                "CREATE OR REPLACE VIEW annals.{view} DEFINER = annals_views SQL SECURITY DEFINER \
                 AS SELECT * FROM annals.{over} WHERE (SELECT throwIf(NOT (authenticatedUser() IN \
                 (currentUser(), '')), "
            );
            assert!(statements.iter().any(|it| it.starts_with(&created)), "{view}");
            let table = format!("CREATE OR REPLACE TABLE annals.{nodes} AS annals.{node} ENGINE");
            assert_eq!(statements.iter().any(|it| it.starts_with(&table)), is_cluster, "{nodes}");
        }
        let distributed = statements.iter().filter(|it| it.contains("Distributed("));
        assert!(distributed.clone().all(|it| it.contains("_nodes AS ")));
    }
}

#[test]
fn older_loaders_cannot_create_their_views_again() {
    // These had this view first, with a column of one of these names.
    let url: EngineUrl = "https://h".parse().unwrap();
    let statements = schema::statements(&url, VERSION);
    let first = statements.iter().find(|it| it.contains("_rows (")).unwrap();
    assert!(first.contains("annals.calls_rows ("), "{first}");
    assert!(first.contains(" owner_and_key_digest "), "{first}");
    for old in [" key_digest ", " owner_key_digest ", " digest_of_owner_and_key "] {
        assert!(!first.contains(old), "{first}");
    }
}

#[test]
fn no_column_has_a_dictionary_that_knows_values_of_hidden_rows() {
    let url: EngineUrl = "https://h?cluster=team".parse().unwrap();
    for statement in schema::statements(&url, VERSION) {
        assert!(!statement.contains("LowCardinality"), "{statement}");
    }
}

#[test]
fn names_that_xml_cannot_have_are_refused() {
    let reader = ["ada@acme.io".parse::<EngineReader>().unwrap()];
    assert!(engine_policies(EnginePolicy::UsersXml, "annals", &reader).is_err());
    let text = engine_policies(EnginePolicy::Sql, "annals", &reader).unwrap();
    assert!(text.contains("`ada@acme.io`"), "{text}");
    assert!("../eve".parse::<EngineReader>().is_err());
    assert!("eve:a'b".parse::<EngineReader>().is_err());
}

#[test]
fn sums_by_day_do_not_say_whose_they_are() {
    let url: EngineUrl = "https://h".parse().unwrap();
    let statements = schema::statements(&url, VERSION);
    let view = statements.iter().find(|it| it.contains("VIEW annals.days_visible ")).unwrap();
    let (columns, _) = view.split_once(" FROM ").unwrap();
    assert!(!columns.contains("`owner`") && !columns.contains("installation"), "{view}");
}

#[test]
fn only_calls_that_share_a_digest_are_sorted() {
    let url: EngineUrl = "https://h".parse().unwrap();
    let statements = schema::statements(&url, VERSION);
    let view = statements.iter().find(|it| it.contains("VIEW annals.calls_by_owner ")).unwrap();
    let (once, chosen) = view.split_once(" UNION ALL ").unwrap();
    assert!(
        once.contains("owner_and_key_digest NOT IN") && !once.contains("row_number()"),
        "{view}"
    );
    assert!(
        chosen.contains("owner_and_key_digest IN") && chosen.contains("row_number()"),
        "{view}"
    );
    // What decides are the texts of the key, never the digest.
    assert!(chosen.contains("PARTITION BY `owner`, `id`, `request_id`"), "{view}");
}

#[test]
fn postings_are_packed_where_the_server_can() {
    let url: EngineUrl = "https://h".parse().unwrap();
    let packs = |minor| {
        let version = ServerVersion { major: 26, minor };
        schema::statements(&url, version).concat().contains("posting_list_codec")
    };
    assert!(packs(7) && !packs(6));
}
