//! What annals says about itself: help, manual, completions.

use crate::support::exercises::program_commands;
use crate::support::run::{annals, run};
use std::process::Command;
use testkit::Sandbox;

#[test]
fn completions_list_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let answer = annals(&Sandbox::new(), &["completions", shell]).done();
        for command in program_commands().iter().flat_map(|command| command.split(' ')) {
            assert!(answer.out.contains(command), "{shell} {command}");
        }
    }
    let answer = annals(&Sandbox::new(), &["completions", "tcsh"]);
    assert!(answer.complaint(2).contains("bash, elvish, fish, powershell, zsh"));
}

#[test]
fn bash_accepts_its_completions() {
    let script = annals(&Sandbox::new(), &["completions", "bash"]).done().out;
    let Ok(output) = Command::new("bash").args(["-n", "-c", &script]).output() else { return };
    assert!(output.status.success(), "{output:?}");
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
fn man_of_an_unknown_command_is_not_found() {
    let answer = annals(&Sandbox::new(), &["man", "fly"]);
    insta::assert_snapshot!(answer.complaint(1), @r#"
    annals: unknown command "fly"
    hint: annals --help lists the commands
    "#);
}

#[test]
fn help_and_version_succeed() {
    let sandbox = Sandbox::new();
    assert!(annals(&sandbox, &["--version"]).done().out.starts_with("annals "));
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
        let mut command = Command::new(env!("CARGO_BIN_EXE_annals"));
        command.env_clear();
        command
    };
    run(&mut homeless()).complaint(2);
    for arguments in [&["--version"][..], &["--help"], &["man"], &["completions", "zsh"]] {
        run(homeless().args(arguments)).done();
    }
}
