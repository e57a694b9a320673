//! Memory has a bound: no command, and no tool for agents, aborts on a store that takes very much of it.
//!
//! Each runs within the limit on the address space that SECURITY.md names. The test passes if each
//! answers, whatever it says about what was too large.

use crate::cli::support::exercises::{plainest_ending_calls, with_folder};
use crate::cli::support::hostile_store::{HostileStore, Sizes};
use crate::cli::support::mcp_client::Talk;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use testkit::Sandbox;

/// The most address space of a command, as SECURITY.md says.
const MOST_BYTES: u64 = 2 << 30;

/// Set by `cargo xtask test --thorough`.
const THOROUGH: &str = "ANNALS_TEST_THOROUGH";

/// The program that sets the limit, if this system has it.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn limiter() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join("prlimit"));
    let found = found.into_iter().find(|path| path.is_file());
    if found.is_none() || !cfg!(target_os = "linux") {
        eprintln!("SKIPPED: memory limits need Linux and the program prlimit");
        return None;
    }
    found
}

/// annals within the limit. The number of threads is that of a small machine, because each of them
/// takes address space that it does not use.
fn limited(limiter: &Path, sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = sandbox.command(limiter);
    command
        .arg(format!("--as={MOST_BYTES}"))
        .arg(testkit::program!("annals"))
        .args(arguments)
        .env("RAYON_NUM_THREADS", "4")
        .env("MALLOC_ARENA_MAX", "1");
    command
}

/// Runs a call, and says what is wrong with how it ended.
fn failure_of(limiter: &Path, sandbox: &Sandbox, arguments: &[&str]) -> Option<String> {
    let mut command = limited(limiter, sandbox, arguments);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let is_well = matches!(output.status.code(), Some(0..=3))
        && !said.contains("panicked")
        && !said.to_lowercase().contains("memory allocation")
        && !said.contains("Cannot allocate memory");
    (!is_well).then(|| format!("{arguments:?}: {}: {said}", output.status))
}

fn check(calls: &[Vec<&str>], store: &HostileStore, limiter: &Path) {
    let outside = Sandbox::new();
    let mut failures = Vec::new();
    for (number, arguments) in calls.iter().enumerate() {
        // What was exported is imported.
        let name = if arguments.contains(&"restore") { number.to_string() } else { "all".into() };
        let folder = outside.home().join(name).display().to_string();
        let arguments = with_folder(arguments, &folder);
        failures.extend(failure_of(limiter, &store.sandbox, &arguments));
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), calls.len(), failures.join("\n"));
}

/// Asks every tool for agents, about each session.
fn check_tools(store: &HostileStore, limiter: &Path) {
    let apps = "[apps]\ncodex = true\ngemini = true\n";
    let configuration = store.sandbox.path().join("xdg");
    fs::create_dir_all(configuration.join("annals")).unwrap();
    fs::write(configuration.join("annals/config.toml"), apps).unwrap();
    let mut command = limited(limiter, &store.sandbox, &["mcp"]);
    let mut talk = Talk::greeted(command.env("XDG_CONFIG_HOME", configuration));
    talk.notify("notifications/initialized", &json!({}));
    let listed = talk.ask("tools/list", &json!({}))["result"]["tools"].clone();
    let names = listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap());
    let mut missing: BTreeSet<String> = names.map(str::to_owned).collect();
    let general = [
        ("search_sessions", json!({"query": "sea", "include_tool_results": true})),
        ("list_sessions", json!({})),
        ("file_history", json!({"path": "tide.rs"})),
        ("usage_report", json!({"by": "project"})),
    ];
    let of_sessions = store.sessions.iter().flat_map(|session| {
        [
            ("read_session", json!({"session": session, "detail": "full"})),
            ("session_plan", json!({"session": session})),
            (
                "get_message",
                json!({"session": session, "id": "20000000-0000-4000-8000-000000000001"}),
            ),
        ]
    });
    for (tool, arguments) in general.into_iter().chain(of_sessions) {
        missing.remove(tool);
        let asked = json!({"name": tool, "arguments": arguments});
        let answer = talk.ask("tools/call", &asked);
        assert!(answer["result"]["content"][0]["text"].is_string(), "{tool} {arguments}: {answer}");
    }
    assert!(missing.is_empty(), "not asked: {missing:?}");
    let (_, said, code) = talk.end();
    assert_eq!(code, 0, "{said}");
}

#[test]
fn every_command_and_tool_keeps_within_the_memory_limit_on_a_hostile_store() {
    let Some(limiter) = limiter() else { return };
    let store = HostileStore::new(&Sizes::SMALL);
    check(&plainest_ending_calls(&store.sessions[0]), &store, &limiter);
    check_tools(&store, &limiter);
}

#[test]
fn every_call_keeps_within_the_memory_limit_on_a_very_hostile_store() {
    if std::env::var_os(THOROUGH).is_none() {
        eprintln!("SKIPPED: takes long; `cargo xtask test --thorough` runs it");
        return;
    }
    let Some(limiter) = limiter() else { return };
    for sizes in [Sizes::LARGE, Sizes::MANY] {
        let store = HostileStore::new(&sizes);
        let session = &store.sessions[0];
        check(&plainest_ending_calls(session), &store, &limiter);
        for session in &store.sessions[1..] {
            let mut calls = plainest_ending_calls(session);
            calls.retain(|call| call.contains(&session.as_str()));
            check(&calls, &store, &limiter);
        }
        check_tools(&store, &limiter);
    }
}

#[test]
fn memory_limit_is_the_one_that_the_documentation_names() {
    let text =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../SECURITY.md")).unwrap();
    let said = format!("{} GiB of address space", MOST_BYTES >> 30);
    assert!(text.contains(&said), "{said}");
}
