//! Databases that cannot be read, and what is said about them.

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::symlink;

use apps::row_store::{Failure, Limits};

use crate::row_store::place::{Place, SCHEMA, add_session};

fn text_of(place: &Place) -> String {
    let error = place.take().and_then(|taken| taken.sessions()).unwrap_err();
    assert!(place.copies().is_empty(), "no copy is left after: {error}");
    let begin = format!("cannot read {}: ", place.database().display());
    error.to_string().strip_prefix(&begin).unwrap().to_owned()
}

#[test]
fn every_unreadable_database_gets_its_own_words() {
    let place = Place::new();
    assert!(text_of(&place).contains("No such file"));

    fs::write(place.database(), "").unwrap();
    assert_eq!(text_of(&place), "the database is empty");
    fs::write(place.database(), "{\"this\": \"is JSON\"}".repeat(100)).unwrap();
    assert_eq!(text_of(&place), "not a SQLite database");
    fs::remove_file(place.database()).unwrap();

    place.write("CREATE TABLE bookmarks (url)");
    assert_eq!(text_of(&place), "the database of another program: it has no table `session`");
    place.write("CREATE TABLE session (id)");
    let missing = "the schema is not known to this version of annals: there is no ";
    assert_eq!(text_of(&place), format!("{missing}table `message`"));
    place.write("CREATE TABLE message (id, session_id); CREATE TABLE part (id)");
    assert_eq!(text_of(&place), format!("{missing}column `message.data`"));

    let elsewhere = place.theirs().join("other");
    fs::rename(place.database(), &elsewhere).unwrap();
    symlink(&elsewhere, place.database()).unwrap();
    assert_eq!(text_of(&place), "a symbolic link, not followed");
    fs::remove_file(place.database()).unwrap();
    fs::create_dir(place.database()).unwrap();
    assert_eq!(text_of(&place), "not a regular file");
}

#[test]
fn missing_optional_columns_and_new_ones_are_tolerated() {
    let place = Place::new();
    place.write(
        "CREATE TABLE session (id, color); CREATE TABLE message (id, session_id, data);
         CREATE TABLE part (id, message_id, session_id, data);
         INSERT INTO session VALUES ('ses_1', 'red');",
    );
    let taken = place.take().unwrap();
    assert_eq!(taken.unknown_columns(), ["session.color"]);
    let [session] = &taken.sessions().unwrap()[..] else { panic!("one session") };
    assert_eq!((session.id.as_str(), session.updated), ("ses_1", None));
    let document = String::from_utf8(taken.document("ses_1").unwrap().unwrap()).unwrap();
    assert_eq!(document, "{\"table\":\"session\",\"id\":\"ses_1\"}\n");
    assert_eq!(taken.document("ses_2").unwrap(), None);
}

/// What a database has that is not read, after these statements.
pub(crate) fn gaps_after(sql: &str) -> Vec<(String, bool)> {
    let place = Place::new();
    place.write(SCHEMA);
    let writer = place.connect();
    add_session(&writer, "ses_1");
    writer.execute_batch(sql).unwrap();
    let gaps = place.take().unwrap().gaps().unwrap();
    gaps.into_iter().map(|gap| (gap.text, gap.hides_sessions)).collect()
}

/// A table of a later version, whose rows have this owner and time.
fn later_table(name: &str, owner: &str, time: i64) -> String {
    format!(
        "CREATE TABLE \"{name}\" (id, session_id, time_created, data, secret);
         INSERT INTO \"{name}\" VALUES ('x', '{owner}', {time}, '{{}}', 'token');"
    )
}

#[test]
fn table_with_newer_rows_beside_the_known_ones_is_a_gap() {
    let gap = |name: &str| {
        let text = format!(
            "1 session has newer rows in the table `{name}`, which this version of annals does \
             not read"
        );
        [(text, true)]
    };
    // The message of the session is of 1500.
    for name in ["session_message", "message_v2", "odd \"name"] {
        let quoted = name.replace('"', "\"\"");
        assert_eq!(gaps_after(&later_table(&quoted, "ses_2", 0)), gap(name), "another session");
        assert_eq!(gaps_after(&later_table(&quoted, "ses_1", 9000)), gap(name), "a later row");
        assert_eq!(gaps_after(&later_table(&quoted, "ses_1", 1600)), [], "a copy of the rows");
    }
    let emptied =
        later_table("session_message", "ses_1", 1500) + "DELETE FROM message; DELETE FROM part;";
    assert_eq!(gaps_after(&emptied), gap("session_message"));
    let timeless = "CREATE TABLE later (session_id); INSERT INTO later VALUES ('ses_2');";
    assert_eq!(gaps_after(timeless), gap("later"));
    let empty = "CREATE TABLE session_message (id, session_id, time_created, data)";
    assert_eq!(gaps_after(empty), []);
    assert_eq!(gaps_after(&later_table("todo", "ses_2", 9000)), [], "known to have no messages");
    assert_eq!(gaps_after("CREATE TABLE notes (text); INSERT INTO notes VALUES ('x')"), []);
}

#[test]
fn missing_usual_columns_are_gaps() {
    let expected = [
        ("there is no column `session.title`".to_owned(), false),
        ("there is no column `message.time_created`".to_owned(), false),
    ];
    let drop =
        "ALTER TABLE session DROP COLUMN title; ALTER TABLE message DROP COLUMN time_created";
    assert_eq!(gaps_after(drop), expected);
    assert_eq!(gaps_after("ALTER TABLE session ADD COLUMN color"), []);
}

#[test]
fn parts_of_unknown_types_and_rows_that_are_not_json_are_gaps() {
    let part = |id: &str, data: &str| {
        format!("INSERT INTO part VALUES ('{id}', 'msg_ses_1', 'ses_1', '{data}');")
    };
    let known = part("prt_2", r#"{"type": "reasoning", "text": "Hm"}"#);
    assert_eq!(gaps_after(&known), []);
    let unknown = part("prt_3", r#"{"type": "hologram", "x": 1}"#);
    let twice = unknown.clone() + &part("prt_4", r#"{"x": 1, "type": "hologram"}"#);
    assert_eq!(
        gaps_after(&(known + &twice)),
        [("unknown types of parts: `hologram` (2)".to_owned(), false)]
    );
    let many: String =
        (0..9).map(|n| part(&format!("p{n}"), &format!(r#"{{"type": "t{n}"}}"#))).collect();
    let [(text, _)] = &gaps_after(&many)[..] else { panic!("one gap") };
    assert!(text.ends_with("`t4` (1) and others"), "{text}");
    let garbage = part("prt_5", "no JSON") + "UPDATE message SET data = x'ff00'";
    let expected = ["message", "part"]
        .map(|table| (format!("rows of the table `{table}` that are not JSON: 1"), false));
    assert_eq!(gaps_after(&garbage), expected);
}

#[test]
fn every_damaged_page_gives_rows_or_an_error() {
    let place = Place::new();
    place.write(SCHEMA);
    let writer = place.connect();
    for number in 0..200 {
        add_session(&writer, &format!("ses_{number}"));
    }
    drop(writer);
    let sound = fs::read(place.database()).unwrap();
    let (mut errors, mut reads) = (0, 0);
    for (number, at) in (0..sound.len()).step_by(1361).enumerate() {
        let mut file = fs::OpenOptions::new().write(true).open(place.database()).unwrap();
        file.write_all(&sound).unwrap();
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        let end = sound.len().min(at + 40);
        let noise = (at..end).map(|byte| u8::try_from((byte * 37 + number) % 256).unwrap());
        file.write_all(&noise.collect::<Vec<_>>()).unwrap();
        drop(file);
        let read = place.take().and_then(|taken| {
            let sessions = taken.sessions()?;
            sessions.iter().take(20).try_for_each(|session| taken.rows(&session.id).map(|_| ()))
        });
        match read {
            Ok(()) => reads += 1,
            Err(_) => errors += 1,
        }
    }
    assert!(errors > 3 && reads > 3, "{errors} errors, {reads} reads");
}

#[test]
fn a_torn_wal_ends_at_its_last_whole_transaction() {
    let place = Place::new();
    place.write(SCHEMA);
    let writer = place.connect();
    add_session(&writer, "ses_1");
    let path = place.theirs().join("opencode.db-wal");
    let whole = fs::metadata(&path).unwrap().len();
    add_session(&writer, "ses_2");
    let (database, wal) = (fs::read(place.database()).unwrap(), fs::read(&path).unwrap());
    drop(writer);
    for (length, expected) in
        [(wal.len() - 1, 1), (usize::try_from(whole).unwrap() + 5, 1), (10, 0)]
    {
        fs::write(place.database(), &database).unwrap();
        fs::write(&path, &wal[..length]).unwrap();
        let sessions = place.take().unwrap().sessions().unwrap();
        assert_eq!(sessions.len(), expected, "{length} bytes of the WAL");
    }
}

#[test]
fn a_private_folder_that_cannot_be_used_is_named() {
    let place = Place::new();
    place.write(SCHEMA);
    let file = place.theirs().join("file");
    fs::write(&file, "").unwrap();
    let link = place.theirs().join("link");
    symlink(place.theirs(), &link).unwrap();
    for private in [file, link] {
        let taken = apps::row_store::opencode::Database::take(
            &place.database(),
            &private,
            Limits::default(),
        );
        let error = taken.unwrap_err();
        assert!(matches!(error.failure, Failure::Copy { .. }), "{error}");
        assert!(error.to_string().contains(private.to_str().unwrap()), "{error}");
    }
}
