//! `config.toml`: every key is heard, and a broken file is named.

use crate::cli::support::exercises::calls_about_session;
use crate::cli::support::run::{Answer, command, filtered, modified, run, session};
use std::fs;
use testkit::{Sandbox, session_id};

/// A store with three sessions and a configuration file.
fn store(configuration: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    for (number, cwd) in
        [(1, "/home/ada/tidepool"), (2, "/home/ada/old/name"), (3, "/home/ada/private/diary")]
    {
        let path = session(&sandbox, number, cwd, "Hello");
        modified(&sandbox, &path, "2026-01-31T23:30:00Z");
    }
    let folder = sandbox.path().join("xdg/annals");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), configuration).unwrap();
    sandbox
}

fn ask(sandbox: &Sandbox, arguments: &[&str]) -> Answer {
    run(command(sandbox, arguments).env("XDG_CONFIG_HOME", sandbox.path().join("xdg")))
}

#[test]
fn excluded_folders_are_absent_from_every_command() {
    let sandbox = store("exclude = [\"/home/ada/private/**\"]");
    sandbox.write("history.jsonl", format!(
        "{{\"display\":\"diary\",\"timestamp\":1767225600000,\"project\":\"/home/ada/private/diary\",\"sessionId\":\"{}\"}}\n",
        session_id(9)
    ));
    assert_eq!(ask(&sandbox, &["ls", "--json"]).done().ids(), [session_id(1), session_id(2)]);
    for arguments in
        [&["ls", "--hidden"][..], &["ls", "--deleted"], &["projects"], &["prompts", "--json"], &[]]
    {
        let answer = ask(&sandbox, arguments).done();
        assert!(!answer.out.contains("diary"), "{arguments:?}: {}", answer.out);
    }
    ask(&sandbox, &["archive", "sync"]).done();
    for name in [session_id(3).as_str(), "00000003"] {
        for call in calls_about_session(name) {
            ask(&sandbox, &call).complaint(1);
        }
    }
}

#[test]
fn aliases_join_moved_folders() {
    let sandbox = store("[aliases]\n\"/home/ada/old\" = \"/home/ada/new\"");
    let answer = ask(&sandbox, &["ls", "--json", "--project", "/home/ada/new"]).done();
    assert_eq!(answer.ids(), [session_id(2)]);
    assert_eq!(answer.json()["sessions"][0]["project"], "/home/ada/new/name");
    assert_eq!(answer.json()["sessions"][0]["cwd"], "/home/ada/old/name");
}

#[test]
fn configured_roots_add_to_the_default_root() {
    let other = Sandbox::new();
    session(&other, 8, "/home/ada/elsewhere", "Hello");
    let sandbox = store(&format!("roots = [{:?}, \"/not/there\"]", other.config()));
    let answer = ask(&sandbox, &["ls", "--json"]);
    assert_eq!(answer.ids(), [1, 2, 3, 8].map(session_id));
    assert!(answer.err.contains("/not/there"));
    let flagged =
        ask(&sandbox, &["ls", "--json", "--root", &sandbox.config().display().to_string()]).done();
    assert_eq!(flagged.ids(), [1, 2, 3].map(session_id));
}

#[test]
fn time_zone_bounds_days_and_a_flag_overrides_it() {
    let sandbox = store("timezone = \"Asia/Tokyo\"");
    let count = |arguments: &[&str]| ask(&sandbox, arguments).done().ids().len();
    assert_eq!(count(&["ls", "--json", "--since", "2026-02-01"]), 3);
    assert_eq!(count(&["ls", "--json", "--since", "2026-02-01", "--timezone", "UTC"]), 0);
    assert!(ask(&sandbox, &["info", "00000001"]).done().out.contains("Asia/Tokyo"));
}

#[test]
fn colour_can_be_configured() {
    assert!(ask(&store("color = \"always\""), &["ls"]).done().out.contains('\u{1b}'));
    assert!(!ask(&store("color = \"auto\""), &["ls"]).done().out.contains('\u{1b}'));
}

#[test]
fn broken_configuration_error_names_the_file() {
    for configuration in ["exclude = [", "exclude = 3", "color = \"loud\"", "\u{1b}]0;x\u{7}"] {
        let sandbox = store(configuration);
        let answer = ask(&sandbox, &["ls"]);
        let complaint = filtered(&sandbox, answer.complaint(2));
        assert!(
            complaint.contains("[ROOT]/xdg/annals/config.toml"),
            "{configuration}: {complaint}"
        );
        assert!(!complaint.contains('\u{1b}'), "{complaint}");
    }
}

#[test]
fn unknown_key_error_names_key_and_file() {
    let sandbox = store("colour = \"always\"");
    let answer = ask(&sandbox, &["ls"]);
    let complaint = filtered(&sandbox, answer.complaint(2));
    assert!(
        complaint.contains("[ROOT]/xdg/annals/config.toml") && complaint.contains("colour"),
        "{complaint}"
    );
}

#[test]
fn configuration_is_read_below_home_without_a_variable() {
    let sandbox = store("");
    let folder = sandbox.home().join(".config/annals");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "exclude = [\"/home/ada/**\"]").unwrap();
    assert!(run(&mut command(&sandbox, &["ls", "--json"])).done().ids().is_empty());
}

#[test]
fn a_configuration_file_that_is_not_a_regular_file_is_refused_at_once() {
    let sandbox = store("");
    let path = sandbox.path().join("xdg/annals/config.toml");
    fs::remove_file(&path).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    for arguments in [&["ls"][..], &["where"], &["usage"]] {
        let answer = ask(&sandbox, arguments);
        let complaint = answer.complaint(2);
        assert!(complaint.contains("config.toml: not a regular file"), "{complaint}");
    }
    fs::remove_file(&path).unwrap();
    fs::write(&path, "# more than enough\n".repeat(100_000)).unwrap();
    let answer = ask(&sandbox, &["ls"]);
    let complaint = answer.complaint(2);
    assert!(complaint.contains("larger than 1 MB"), "{complaint}");
    // A link is the person's own arrangement.
    fs::remove_file(&path).unwrap();
    let elsewhere = sandbox.path().join("dotfiles.toml");
    fs::write(&elsewhere, "exclude = [\"/home/ada/private/**\"]").unwrap();
    std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
    assert_eq!(ask(&sandbox, &["ls", "--json"]).done().ids(), [session_id(1), session_id(2)]);
}
