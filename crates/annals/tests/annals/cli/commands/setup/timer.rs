//! The timer that `setup` installs on request.

use super::{SETTINGS, calls, detail, home, mode, setup, statuses};
use crate::cli::support::run::{command, run};
use std::fs;
use std::os::unix::fs::symlink;
use testkit::fingerprint;

#[test]
fn timer_is_installed_on_request_and_removed_with_the_rest() {
    let sandbox = home(SETTINGS);
    let units = sandbox.home().join(".config/systemd/user");
    setup(&sandbox, &["--yes"]).done();
    assert!(!units.exists());
    let answer = setup(&sandbox, &["--yes", "--timer", "--only", "timer", "--json"]).done();
    assert_eq!(statuses(&answer), "timer=done");
    let service = fs::read_to_string(units.join("annals-archive.service")).unwrap();
    for (name, path) in
        [("ANNALS_HOME", sandbox.annals_home()), ("CLAUDE_CONFIG_DIR", sandbox.config())]
    {
        assert!(
            service.contains(&format!("Environment=\"{name}={}\"", path.display())),
            "{service}"
        );
    }
    assert!(service.contains("/home/bin/annals\" archive sync\n"), "{service}");
    assert_eq!(mode(&units.join("annals-archive.timer")), 0o644);
    // What systemctl would have made.
    fs::create_dir(units.join("timers.target.wants")).unwrap();
    let wanted = units.join("timers.target.wants/annals-archive.timer");
    symlink(units.join("annals-archive.timer"), &wanted).unwrap();
    let again = setup(&sandbox, &["--yes", "--timer", "--json"]).done();
    assert!(statuses(&again).ends_with("timer=unchanged"), "{}", statuses(&again));
    fs::remove_dir_all(units.join("timers.target.wants")).unwrap();
    let answer = setup(&sandbox, &["--remove", "--yes", "--json"]).done();
    assert!(statuses(&answer).ends_with("timer=done"), "{}", statuses(&answer));
    assert!(!sandbox.home().join(".config").exists(), "the folders that were made go too");
    let calls = calls(&sandbox);
    let calls: Vec<&str> = calls.lines().filter(|line| line.starts_with("systemctl")).collect();
    insta::assert_snapshot!(calls.join("\n"), @"
    systemctl --user daemon-reload
    systemctl --user enable --now annals-archive.timer
    systemctl --user disable --now annals-archive.timer
    systemctl --user daemon-reload
    ");
    // Without a service manager, setup writes the files and prints the remaining commands.
    sandbox.remove(&sandbox.home().join("bin/systemctl"));
    let answer = setup(&sandbox, &["--yes", "--only", "timer"]).done();
    assert!(answer.out.contains(
        "To do by hand: timer: systemctl --user daemon-reload: systemctl is not on PATH"
    ));
    assert!(answer.out.contains("\nInstalled: timer\n"), "{}", answer.out);
    setup(&sandbox, &["--yes", "--only", "timer", "--remove"]).done();
    assert!(!units.exists());
    // Somebody else's unit of that name stays.
    fs::create_dir_all(&units).unwrap();
    fs::write(units.join("annals-archive.timer"), "mine").unwrap();
    let answer = setup(&sandbox, &["--yes", "--only", "timer", "--json"]);
    assert_eq!((answer.code, statuses(&answer).as_str()), (2, "timer=refused"));
    assert_eq!(fs::read_dir(&units).unwrap().count(), 1);
}

#[test]
fn timer_uses_the_configuration_of_this_run() {
    let sandbox = home(SETTINGS);
    let bin = sandbox.home().join("bin");
    let config = sandbox.home().join("odd place");
    let mut command = command(&sandbox, &["setup", "--yes", "--only", "timer", "--command"]);
    run(command.arg(bin.join("annals")).env("PATH", &bin).env("XDG_CONFIG_HOME", &config)).done();
    let service = fs::read_to_string(config.join("systemd/user/annals-archive.service")).unwrap();
    let expected = format!("Environment=\"XDG_CONFIG_HOME={}\"\n", config.display());
    assert!(service.contains(&expected), "{service}");
}

#[test]
fn timer_of_another_configuration_folder_is_left_unchanged() {
    let sandbox = home(SETTINGS);
    let units = sandbox.home().join(".config/systemd/user");
    let other = sandbox.home().join("other");
    let default = sandbox.home().join(".claude");
    for folder in [&other, &default] {
        fs::create_dir(folder).unwrap();
    }
    let timer = ["--yes", "--json", "--only", "timer"];
    setup(&sandbox, &timer).done();
    let before = fingerprint(&units);
    for root in [&other, &default] {
        let root = ["--root", root.to_str().unwrap()];
        let answer = setup(&sandbox, &[&timer[..], &root].concat());
        assert_eq!((answer.code, statuses(&answer).as_str()), (2, "timer=refused"));
        assert!(detail(&answer, "timer").contains("belongs to another configuration folder"));
        let answer = setup(&sandbox, &[&timer[..], &root, &["--remove"]].concat()).done();
        assert_eq!(statuses(&answer), "timer=unchanged");
        assert!(detail(&answer, "timer").ends_with("configuration folder: not removed"));
        let all = setup(&sandbox, &[&["--yes", "--json", "--remove"][..], &root].concat()).done();
        assert!(!statuses(&all).contains("timer"), "{}", statuses(&all));
        assert_eq!(fingerprint(&units), before);
    }
    setup(&sandbox, &[&timer[..], &["--remove"]].concat()).done();
    // The folder that is meant without a name is the same with one.
    let bin = sandbox.home().join("bin");
    for (number, is_named) in [(0, false), (1, true), (2, false)] {
        let mut command = command(&sandbox, &["setup", "--command"]);
        command.arg(bin.join("annals")).args(timer).env("PATH", &bin);
        if is_named {
            command.env("CLAUDE_CONFIG_DIR", &default);
        } else {
            command.env_remove("CLAUDE_CONFIG_DIR");
        }
        assert_eq!(statuses(&run(&mut command).done()), "timer=done", "{number}");
    }
}
