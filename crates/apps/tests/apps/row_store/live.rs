//! Databases that another process has open.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use apps::row_store::opencode::Database;
use apps::row_store::{Limits, find_stamp};

use crate::row_store::helper_process::Helper;
use crate::row_store::place::{Place, SCHEMA, add_session, state_of};

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn the_folder_of_a_live_database_stays_as_it_is() {
    let place = Place::new();
    let mut writer =
        Helper::start("row_store::helper_process::writes_a_database", &[&place.database()]);
    // Half of a transaction holds the write lock.
    writer.send("BEGIN IMMEDIATE; INSERT INTO session (id) VALUES ('ses_2');");
    writer.wait();
    let before = state_of(&place.theirs());
    assert_eq!(before.len(), 4, "the database, -wal, -shm, and the folder itself");
    let taken = place.take().unwrap();
    let sessions = taken.sessions().unwrap();
    assert_eq!(sessions.len(), 1, "without the unfinished transaction");
    assert_eq!(sessions[0].title.as_deref(), Some("Fish of ses_1"));
    assert!(taken.document("ses_1").unwrap().is_some());
    drop(taken);
    assert!(state_of(&place.theirs()) == before);
    writer.send("COMMIT;");
    writer.wait();
    assert_eq!(place.take().unwrap().sessions().unwrap().len(), 2);
}

#[test]
fn copies_can_be_in_a_folder_behind_a_link() {
    let place = Place::new();
    place.write(SCHEMA);
    add_session(&place.connect(), "ses_1");
    let (real, link) = (place.theirs().join("real"), place.theirs().join("link"));
    fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let private = link.join("snapshots");
    let taken = Database::take(&place.database(), &private, Limits::default()).unwrap();
    assert_eq!(taken.sessions().unwrap().len(), 1);
}

#[test]
fn a_read_only_folder_can_be_read() {
    let place = Place::new();
    place.write(SCHEMA);
    let writer = place.connect();
    add_session(&writer, "ses_1");
    let wal = fs::read(place.theirs().join("opencode.db-wal")).unwrap();
    let database = fs::read(place.database()).unwrap();
    drop(writer);
    // As a killed writer leaves it: a WAL and no -shm.
    fs::write(place.database(), database).unwrap();
    fs::write(place.theirs().join("opencode.db-wal"), wal).unwrap();
    for name in ["opencode.db", "opencode.db-wal"] {
        let path = place.theirs().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(0o444)).unwrap();
    }
    fs::set_permissions(place.theirs(), fs::Permissions::from_mode(0o555)).unwrap();
    let before = state_of(&place.theirs());
    let sessions = place.take().unwrap().sessions();
    assert!(state_of(&place.theirs()) == before);
    fs::set_permissions(place.theirs(), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(sessions.unwrap().len(), 1);
}

#[test]
fn a_snapshot_is_one_state_of_a_database_that_is_written_all_the_time() {
    let place = Place::new();
    let _writer =
        Helper::start("row_store::helper_process::writes_all_the_time", &[&place.database()]);
    let (mut last, mut taken) = (0, 0);
    for _ in 0..12 {
        // A busy database is refused, never half read.
        let Ok(snapshot) = place.take() else { continue };
        taken += 1;
        let sessions = snapshot.sessions().unwrap();
        assert!(sessions.len() >= last, "{} after {last}", sessions.len());
        last = sessions.len();
        for number in [0, last / 2, last - 1] {
            let rows = snapshot.rows(&format!("ses_{number}")).unwrap();
            assert_eq!(rows.len(), 3, "ses_{number} of {last}");
        }
    }
    assert!(taken > 0 && last > 1, "{taken} snapshots of at most {last} sessions");
}

#[test]
fn only_the_owner_can_read_the_copy_and_it_is_deleted_afterwards() {
    let place = Place::new();
    place.write(SCHEMA);
    let writer = place.connect();
    add_session(&writer, "ses_1");
    fs::set_permissions(place.database(), fs::Permissions::from_mode(0o666)).unwrap();
    let taken = place.take().unwrap();
    assert_eq!(taken.sessions().unwrap().len(), 1);
    let [copy] = &place.copies()[..] else { panic!("one copy") };
    assert_eq!((mode(&place.private()), mode(copy)), (0o700, 0o700));
    let mut names = Vec::new();
    for entry in fs::read_dir(copy).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        names.push(path.file_name().unwrap().to_str().unwrap().to_owned());
    }
    names.sort();
    assert_eq!(names, ["database", "database-shm", "database-wal", "lock"]);
    drop(taken);
    assert_eq!(place.copies(), Vec::<PathBuf>::new());
}

#[test]
fn a_copy_left_by_a_killed_process_is_deleted_and_one_in_use_is_not() {
    let place = Place::new();
    place.write(SCHEMA);
    add_session(&place.connect(), "ses_1");
    let paths = [place.database(), place.private()];
    let start = || {
        let paths = [paths[0].as_path(), paths[1].as_path()];
        Helper::start("row_store::helper_process::takes_a_snapshot", &paths)
    };
    let in_use = start();
    let kept = place.copies();
    let killed = start();
    drop(killed);
    assert_eq!(place.copies().len(), 2, "a killed process deletes nothing");
    // Killed before it could create its lock.
    fs::create_dir(place.private().join("snapshot-0")).unwrap();
    // Not made by a snapshot.
    fs::create_dir(place.private().join("snapshot-1")).unwrap();
    fs::write(place.private().join("snapshot-1/letter"), "mine").unwrap();
    let taken = place.take().unwrap();
    assert_eq!(place.copies().len(), 3);
    drop(taken);
    let mut expected = kept;
    expected.push(place.private().join("snapshot-1"));
    expected.sort();
    assert_eq!(place.copies(), expected);
    drop(in_use);
}

#[test]
fn the_stamp_changes_with_the_database_and_with_the_wal() {
    let place = Place::new();
    assert_eq!(find_stamp(&place.database()), None);
    place.write(SCHEMA);
    let empty = find_stamp(&place.database()).unwrap();
    let writer = place.connect();
    add_session(&writer, "ses_1");
    let one = find_stamp(&place.database()).unwrap();
    add_session(&writer, "ses_2");
    let two = find_stamp(&place.database()).unwrap();
    assert!(empty != one && one != two);
    assert_eq!(one.database, two.database, "only the WAL has changed");
    assert_eq!(place.take().unwrap().stamp(), two);
    assert_eq!(find_stamp(&place.theirs()), None);
}

#[test]
fn size_of_a_session_is_that_of_its_messages_and_parts() {
    let place = Place::new();
    place.write(SCHEMA);
    let writer = place.connect();
    for id in ["ses_1", "ses_2"] {
        add_session(&writer, id);
    }
    let more = "INSERT INTO part VALUES ('p', 'm', 'ses_2', '\u{e9}'), ('q', 'm', 'ses_2', NULL),
                ('r', 'm', 'ses_2', x'00ff00'), ('s', 'm', NULL, 'nobody''s');
                INSERT INTO session (id) VALUES ('ses_3');";
    writer.execute_batch(more).unwrap();
    let mut sizes: Vec<(String, u64)> =
        place.take().unwrap().sessions().unwrap().into_iter().map(|it| (it.id, it.bytes)).collect();
    sizes.sort();
    let exchange = r#"{"role": "user"}{"type": "text", "text": "Count."}"#.len() as u64;
    let expected = [("ses_1", exchange), ("ses_2", exchange + 2 + 3), ("ses_3", 0)];
    assert_eq!(sizes, expected.map(|(id, bytes)| (id.to_owned(), bytes)));
}
