//! What annals says about itself: help, manual, completions.

use crate::cli::support::exercises::program_commands;
use crate::cli::support::run::{annals, run};
use std::process::Command;
use testkit::Sandbox;

#[test]
fn completions_list_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let answer = annals(&Sandbox::new(), &["completions", "--static", shell]).done();
        for command in program_commands().iter().flat_map(|command| command.split(' ')) {
            assert!(answer.out.contains(command), "{shell} {command}");
        }
    }
    let answer = annals(&Sandbox::new(), &["completions", "tcsh"]);
    assert!(answer.complaint(2).contains("bash, elvish, fish, powershell, zsh"));
}

#[test]
fn bash_accepts_its_completions() {
    for arguments in [&["completions", "bash"][..], &["completions", "bash", "--static"]] {
        let script = annals(&Sandbox::new(), arguments).done().out;
        let Ok(output) = Command::new("bash").args(["-n", "-c", &script]).output() else { return };
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn man_has_a_page_for_annals_and_each_command() {
    let sandbox = Sandbox::new();
    let page = annals(&sandbox, &["man"]).done().out;
    assert!(page.contains(".TH annals 1"), "{page}");
    for command in program_commands() {
        let words: Vec<&str> = command.split(' ').collect();
        let page = annals(&sandbox, &[&["man"], &words[..]].concat()).done().out;
        let title = format!(".TH annals-{} 1", words.join("-"));
        assert!(page.contains(&title), "{title} in {page}");
    }
    let page = annals(&sandbox, &["man", "ls"]).done().out;
    for part in
        [".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH OPTIONS", "hidden", "git\\-branch"]
    {
        assert!(page.contains(part), "{part} in {page}");
    }
}

#[test]
fn man_of_an_unknown_command_is_wrong_use() {
    let answer = annals(&Sandbox::new(), &["man", "fly"]);
    insta::assert_snapshot!(answer.complaint(2), @r#"
    annals: unknown command "fly"
    hint: annals --help lists the commands
    "#);
}

#[test]
fn help_and_version_succeed() {
    let sandbox = Sandbox::new();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(annals(&sandbox, &["-V"]).done().out, format!("annals {version}\n"));
    let build = annals(&sandbox, &["--version"]).done().out;
    assert!(build.starts_with(&format!("annals {version} (")), "{build}");
    let help = annals(&sandbox, &["--help"]).done().out;
    for command in program_commands() {
        let words: Vec<&str> = command.split(' ').collect();
        assert!(help.contains(words[0]), "{command}");
        annals(&sandbox, &[&words[..], &["--help"]].concat()).done();
    }
}

#[test]
fn help_man_and_completions_need_no_store() {
    let homeless = || {
        let mut command = Command::new(testkit::program!("annals"));
        command.env_clear();
        command
    };
    run(&mut homeless()).complaint(2);
    for arguments in [&["--version"][..], &["--help"], &["man"], &["completions", "zsh"]] {
        run(homeless().args(arguments)).done();
    }
}

#[test]
fn help_shows_commands_in_groups_and_global_options_once() {
    let sandbox = Sandbox::new();
    let help = annals(&sandbox, &["--help"]).done().out;
    let groups =
        ["Find", "Read", "Understand", "Keep", "Share", "Live and agents", "Manage", "Options"];
    let places: Vec<Option<usize>> =
        groups.iter().map(|group| help.find(&format!("\n{group}:\n"))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} in {help}");
    assert!(help.contains("\n      --root <DIR>"), "{help}");
    for command in program_commands() {
        let words: Vec<&str> = command.split(' ').collect();
        for flag in ["-h", "--help"] {
            let page = annals(&sandbox, &[&words[..], &[flag]].concat()).done().out;
            for option in ["--root", "--demo", "--exclude", "--jsonl", "--no-pager"] {
                assert!(!page.contains(&format!("\n      {option}")), "{option} in {page}");
            }
            assert!(page.contains("annals --help"), "{page}");
        }
    }
}

#[test]
fn help_command_prints_the_pages_of_the_help_option() {
    let sandbox = Sandbox::new();
    let mut pages = vec![Vec::new(), vec!["list"], vec!["archive", "sync"]];
    let commands = program_commands();
    pages.extend(commands.iter().map(|command| command.split(' ').collect()));
    for words in pages {
        let page = annals(&sandbox, &[&["help"], &words[..]].concat()).done().out;
        let same = annals(&sandbox, &[&words[..], &["--help"]].concat()).done().out;
        assert_eq!(page, same, "{words:?}");
    }
    let answer = annals(&sandbox, &["help", "archive", "fly"]);
    insta::assert_snapshot!(answer.complaint(2), @r#"
    annals: unknown command "archive fly"
    hint: annals --help lists the commands
    "#);
}

#[test]
fn help_fits_a_narrow_terminal() {
    let sandbox = Sandbox::new();
    let mut command = crate::cli::support::run::command(&sandbox, &["--help"]);
    let help = run(command.env("COLUMNS", "60")).done().out;
    let (groups, _) = help.split_once("\nOptions:").unwrap();
    let widest = groups.lines().map(str::len).max();
    assert!(widest <= Some(60), "{widest:?} in {groups}");
}

#[test]
fn shells_complete_ids_and_projects() {
    let sandbox = Sandbox::new();
    crate::cli::support::run::session(&sandbox, 1, "/home/ada/tidepool", "Salt \u{1b}[2J");
    crate::cli::support::run::session(&sandbox, 2, "/home/ada/notes", "Bread");
    let offered = |words: &[&str]| {
        let mut command =
            crate::cli::support::run::command(&sandbox, &[&["--", "annals"], words].concat());
        run(command.env("ANNALS_COMPLETE", "fish")).done().out
    };
    let shown = offered(&["show", "0000"]);
    assert!(shown.contains("00000001\tSalt \\u{1b}[2J\n"), "{shown:?}");
    assert!(shown.contains("00000002\tBread\n"), "{shown:?}");
    let full = testkit::session_id(2);
    assert!(offered(&["info", &full[..12]]).contains(&full));
    assert_eq!(offered(&["ls", "--project", "t"]).trim(), "tidepool");
    assert!(offered(&["arch"]).starts_with("archive"));
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = annals(&sandbox, &["completions", shell]).done().out;
        assert!(script.contains("ANNALS_COMPLETE"), "{shell}: {script}");
    }
}
