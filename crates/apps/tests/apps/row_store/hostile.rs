//! Databases made to mislead or to harm a reader.

use apps::row_store::{Cell, Failure, Limits, Schema, Snapshot, Table};
use rusqlite::Connection;

use crate::row_store::place::{Place, SCHEMA, add_session};

fn failure(place: &Place) -> Failure {
    place.take().and_then(|taken| taken.sessions()).unwrap_err().failure
}

/// The schema, with another definition of one of its tables.
fn schema_with(table: &str, definition: &str) -> String {
    let statements = SCHEMA.split_inclusive(';');
    let begin = format!("CREATE TABLE {table} ");
    let others: String = statements.filter(|sql| !sql.contains(&begin)).collect();
    others + definition
}

#[test]
fn a_view_or_virtual_table_in_place_of_a_table_is_not_read() {
    for definition in [
        "CREATE VIEW session AS SELECT id, access_token AS title FROM account;",
        "CREATE VIEW Session AS SELECT 'a' AS id;",
        "CREATE VIRTUAL TABLE session USING fts5(id, title);",
    ] {
        let place = Place::new();
        place.write(&schema_with("session", definition));
        let error = failure(&place);
        assert!(matches!(&error, Failure::UnknownSchema(what) if what == "table `session`"));
    }
}

#[test]
fn triggers_and_generated_columns_do_not_run() {
    let place = Place::new();
    let generated = "CREATE TABLE session (id text PRIMARY KEY, time_updated integer,
        title text AS (upper(hex(zeroblob(1000000)))) VIRTUAL,
        directory text AS (lower(id)) STORED);
        INSERT INTO session (id) VALUES ('ses_1');
        CREATE TRIGGER message_read AFTER INSERT ON message BEGIN DELETE FROM session; END;";
    place.write(&schema_with("session", generated));
    let taken = place.take().unwrap();
    let [session] = &taken.sessions().unwrap()[..] else { panic!("one session") };
    assert_eq!((session.id.as_str(), &session.title, &session.directory), ("ses_1", &None, &None));
    assert_eq!(taken.unknown_columns(), ["session.title", "session.directory"]);
}

#[test]
fn tables_and_columns_outside_the_list_have_no_rows() {
    let place = Place::new();
    place.write(SCHEMA);
    let writer = place.connect();
    add_session(&writer, "ses_1");
    writer.execute("UPDATE session SET share_url = 'https://share.invalid/1'", []).unwrap();
    let document = place.take().unwrap().document("ses_1").unwrap().unwrap();
    let document = String::from_utf8(document).unwrap();
    assert!(document.contains("Fish of ses_1") && !document.contains("share"), "{document}");

    let tables = [Table { name: "session", columns: &["id"], required: &[], usual: &[] }];
    let limits = Limits::default();
    let snapshot =
        Snapshot::take(&place.database(), &place.private(), Schema::of(&tables), limits).unwrap();
    let cells = |table: &str, columns: &[&str], with| {
        let mut cells = Vec::new();
        let visit = |row: &[Cell<'_>]| {
            cells.extend(row.iter().map(|(name, value)| format!("{name} {value:?}")));
        };
        snapshot.rows(table, columns, with, visit).unwrap();
        cells
    };
    let found = cells("session", &["id", "share_url", "title\" FROM account --"], None);
    assert_eq!(found, ["id Text(\"ses_1\")"]);
    assert_eq!(cells("account", &["access_token"], None), Vec::<String>::new());
    assert_eq!(cells("session", &["share_url"], None), Vec::<String>::new());
    assert_eq!(cells("session", &["id"], Some(("title", "x"))), Vec::<String>::new());
    assert_eq!(cells("session", &["id"], Some(("id", "' OR 1 --"))), Vec::<String>::new());
}

#[test]
fn a_value_above_the_limit_is_null_and_the_others_are_read() {
    let place = Place::new();
    place.write(SCHEMA);
    let writer = place.connect();
    add_session(&writer, "ses_1");
    add_session(&writer, "ses_2");
    let long = "UPDATE part SET data = printf('{\"type\":\"text\",\"text\":\"%s\"}',
                hex(zeroblob(300000))) WHERE session_id = 'ses_2'";
    writer.execute(long, []).unwrap();
    writer.execute("UPDATE session SET title = zeroblob(900000) WHERE id = 'ses_2'", []).unwrap();
    let limits = Limits { value_bytes: 100_000, ..Limits::default() };
    let taken = place.take_within(limits).unwrap();
    let titles: Vec<_> = taken.sessions().unwrap().into_iter().map(|s| s.title).collect();
    assert_eq!(titles, [Some("Fish of ses_1".to_owned()), None]);
    let document = String::from_utf8(taken.document("ses_2").unwrap().unwrap()).unwrap();
    assert!(document.contains("\"id\":\"prt_ses_2\"") && document.contains("\"data\":null"));
    drop(taken);
    let document = place.take().unwrap().document("ses_2").unwrap().unwrap();
    assert!(document.len() > 600_000, "{}", document.len());
}

#[test]
fn too_many_rows_and_too_much_text_are_refused() {
    let place = Place::new();
    place.write(SCHEMA);
    let writer = place.connect();
    add_session(&writer, "ses_1");
    add_session(&writer, "ses_2");
    let all = Limits::default();
    let refused = |limits: Limits| {
        place.take_within(limits).and_then(|taken| taken.sessions()).unwrap_err().to_string()
    };
    let text = refused(Limits { rows: 1, ..all });
    assert!(text.ends_with("`session` has more than 1 rows"), "{text}");
    let text = refused(Limits { text_bytes: 20, ..all });
    assert!(text.ends_with("`session` has more than 20 bytes of text"), "{text}");
    let taken = place.take_within(Limits { rows: 2, text_bytes: 100, ..all }).unwrap();
    assert_eq!(taken.sessions().unwrap().len(), 2);
}

#[test]
fn nul_and_other_strange_text_in_names_and_values_are_data() {
    let place = Place::new();
    place.write(SCHEMA);
    let writer = Connection::open(place.database()).unwrap();
    let strange = "ALTER TABLE session ADD COLUMN \"new \"\"column\u{1b}[31m\" text;
        ALTER TABLE session ADD COLUMN \"ID \" text;";
    writer.execute_batch(strange).unwrap();
    let id = "ses\0_'\"; DROP TABLE session; --";
    writer
        .execute("INSERT INTO session (id, title) VALUES (?1, CAST(x'ff00' AS text))", [id])
        .unwrap();
    writer.execute("INSERT INTO session (id, title) VALUES (7, 8.5)", []).unwrap();
    drop(writer);
    let taken = place.take().unwrap();
    assert_eq!(taken.unknown_columns(), ["session.new \"column\u{1b}[31m", "session.ID "]);
    let sessions = taken.sessions().unwrap();
    // Column affinity made text of the number.
    assert_eq!(sessions.iter().map(|session| session.id.as_str()).collect::<Vec<_>>(), ["7", id]);
    assert_eq!(sessions[1].title.as_deref(), Some("\u{fffd}\0"));
    assert_eq!(taken.rows(id).unwrap().len(), 1);
    assert_eq!(taken.rows("ses").unwrap().len(), 0);
}

#[test]
fn a_schema_that_lies_about_its_names_is_damaged_or_unknown() {
    for change in [
        "UPDATE sqlite_schema SET name = 'session' || char(0) WHERE name = 'session'",
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE session' || char(0) || '(id)' \
         WHERE name = 'session'",
        "UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'session'",
        "UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'session'",
        "UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE session USING fts5(id)' \
         WHERE name = 'session'",
        "UPDATE sqlite_schema SET type = 'view', sql = 'CREATE VIEW session AS SELECT 1 AS id' \
         WHERE name = 'session'",
    ] {
        let place = Place::new();
        place.write(SCHEMA);
        place.write(&format!("PRAGMA writable_schema = ON; {change};"));
        let error = failure(&place);
        assert!(
            matches!(error, Failure::Damaged(_) | Failure::UnknownSchema(_) | Failure::Other(_)),
            "{change}: {error:?}"
        );
    }
}
