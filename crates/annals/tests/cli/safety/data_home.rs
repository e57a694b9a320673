//! Other users cannot write annals' own data.

use crate::support::run::{annals, session};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use testkit::Sandbox;

#[test]
fn a_data_folder_that_others_can_write_is_made_private_with_a_message() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let home = sandbox.annals_home();
    fs::create_dir_all(&home).unwrap();
    let set = |mode| fs::set_permissions(&home, fs::Permissions::from_mode(mode)).unwrap();
    let mode = || fs::metadata(&home).unwrap().permissions().mode() & 0o7777;
    for (before, after) in [(0o777, 0o700), (0o775, 0o700), (0o1757, 0o1700)] {
        set(before);
        let answer = annals(&sandbox, &["ls"]);
        assert_eq!(answer.code, 0, "{answer:?}");
        let expected = format!("its mode was {before:o} and is {after:o} now");
        assert!(answer.err.contains(&expected), "{}", answer.err);
        assert_eq!(mode(), after);
        annals(&sandbox, &["ls"]).done();
    }
    // What others can only read is the person's own choice.
    set(0o755);
    annals(&sandbox, &["ls"]).done();
    assert_eq!(mode(), 0o755);
}

#[test]
fn a_data_folder_inside_a_store_is_not_touched() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/tidepool", "Hello");
    let inside = sandbox.config().join("annals");
    fs::create_dir(&inside).unwrap();
    fs::set_permissions(&inside, fs::Permissions::from_mode(0o777)).unwrap();
    let mut command = crate::support::run::command(&sandbox, &["ls"]);
    crate::support::run::run(command.env("ANNALS_HOME", &inside)).done();
    assert_eq!(fs::metadata(&inside).unwrap().permissions().mode() & 0o777, 0o777);
}
