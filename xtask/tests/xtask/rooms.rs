//! Checks the dependencies between the crates with `cargo metadata`.
//!
//! One row per crate lists the rooms it may depend on, and one row per restricted library
//! lists the rooms that may use it. Deliberately not here: the code inside a crate;
//! clippy.toml restricts that.

use std::process::Command;

use serde_json::{Value, json};

/// A room, and the rooms it may depend on. `testkit` is in no row, because it may only be a
/// dev-dependency.
const MAY_KNOW: &[(&str, &str)] = &[
    ("transcript", ""),
    ("redact", ""),
    ("store", "transcript"),
    ("apps", "transcript store"),
    ("conversation", "transcript"),
    ("usage", "transcript"),
    ("archive", "store transcript"),
    ("index", "store archive conversation usage redact transcript"),
    ("amend", "store archive transcript"),
    ("library", "transcript redact store conversation usage archive index amend apps"),
    ("render", "conversation usage redact transcript"),
    ("document", "transcript store conversation usage archive index library render redact"),
    ("mcp", "library document render redact transcript"),
    ("demo", ""),
    (
        "integration",
        "transcript redact store conversation usage archive amend library render document",
    ),
    ("tui", "library document render redact conversation transcript"),
    ("web", "library document render redact transcript"),
    ("lake", "library document render redact store transcript usage"),
    (
        "annals",
        "transcript redact store conversation usage archive index amend library render \
         demo document integration mcp tui web",
    ),
    ("testkit", ""),
    // Both in no other row: nothing that is needed for a build may know the tasks. `xtask` knows no
    // room, so that it compiles in seconds.
    ("conformance", "apps conversation demo xtask"),
    ("xtask", ""),
];

/// Rooms that may not even be a dev-dependency of another, except in its row.
const TASKS: &str = "conformance xtask";

/// A library, and the only rooms that may depend on it, in any kind of dependency.
const NAMED_ONLY_BY: &[(&str, &str)] = &[
    ("rusqlite", "index apps conformance"),
    ("tokio", "web mcp lake"),
    ("object_store", "lake"),
    ("reqwest", "lake"),
    ("rustls", "lake"),
    ("clap", "annals"),
    ("anyhow", "annals conformance xtask"),
];

#[test]
fn every_crate_keeps_to_its_rooms() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let breaches = find_breaches(&metadata);
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}

/// Every dependency that breaks a rule, as a sentence.
fn find_breaches(metadata: &Value) -> Vec<String> {
    let mut breaches = Vec::new();
    for package in elements(&metadata["packages"]) {
        check_package(package, &mut breaches);
    }
    breaches
}

fn check_package(package: &Value, breaches: &mut Vec<String>) {
    let name = package["name"].as_str().expect("a package name");
    let row = find_room(name).and_then(|room| MAY_KNOW.iter().find(|(row, _)| *row == room));
    let Some((room, known)) = row else {
        breaches.push(format!(
            "{name} has no row: add the rooms it may know to MAY_KNOW in \
             xtask/tests/xtask/rooms.rs and to ARCHITECTURE.md"
        ));
        return;
    };
    for dependency in elements(&package["dependencies"]) {
        let target = dependency["name"].as_str().expect("a dependency name");
        let only_for_tests = dependency["kind"] == "dev";
        if let Some(other) = find_room(target)
            && (!only_for_tests || contains(TASKS, other))
            && !contains(known, other)
        {
            breaches.push(format!("{name} depends on {target}: {}", rule(room, other, known)));
        }
        for (library, rooms) in NAMED_ONLY_BY {
            if target == *library && !contains(rooms, room) {
                breaches.push(format!(
                    "{name} depends on {target}: only {} may name {library}",
                    listed(rooms)
                ));
            }
        }
    }
}

fn rule(room: &str, other: &str, known: &str) -> String {
    if other == "testkit" {
        return "testkit may only be a dev-dependency".to_owned();
    }
    if contains(TASKS, other) {
        return format!("{other} may not be needed for a build or a test of a room");
    }
    match known {
        "" => format!("{room} may know no other room"),
        known => format!("{room} may know only {}", listed(known)),
    }
}

fn contains(rooms: &str, room: &str) -> bool {
    rooms.split_whitespace().any(|candidate| candidate == room)
}

fn listed(rooms: &str) -> String {
    rooms.split_whitespace().collect::<Vec<_>>().join(", ")
}

/// The room of a package of this workspace.
fn find_room(package: &str) -> Option<&str> {
    if ["annals", "xtask"].contains(&package) {
        return Some(package);
    }
    package.strip_prefix("annals-")
}

fn elements(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Metadata of one crate with one dependency.
fn one_dependency(package: &str, dependency: &str, kind: Option<&str>) -> Value {
    json!({
        "packages": [{
            "name": package,
            "dependencies": [{"name": dependency, "kind": kind}],
        }],
    })
}

#[test]
fn a_breach_names_the_crate_the_dependency_and_the_rule() {
    let cases = [
        (
            ("annals-store", "annals-archive", None),
            "annals-store depends on annals-archive: store may know only transcript",
        ),
        (
            ("annals-transcript", "annals-redact", Some("build")),
            "annals-transcript depends on annals-redact: transcript may know no other room",
        ),
        (
            ("annals", "annals-testkit", None),
            "annals depends on annals-testkit: testkit may only be a dev-dependency",
        ),
        (
            ("annals-library", "rusqlite", Some("dev")),
            "annals-library depends on rusqlite: only index, apps, conformance may name rusqlite",
        ),
        // It starts the lake's program and links nothing of it.
        (
            ("annals", "annals-lake", None),
            "annals depends on annals-lake: annals may know only transcript, redact, store, \
             conversation, usage, archive, index, amend, library, render, demo, document, \
             integration, mcp, tui, web",
        ),
        (
            ("annals-library", "annals-conformance", Some("dev")),
            "annals-library depends on annals-conformance: conformance may not be needed for a \
             build or a test of a room",
        ),
        (
            ("annals", "xtask", Some("build")),
            "annals depends on xtask: xtask may not be needed for a build or a test of a room",
        ),
        (
            ("xtask", "annals-store", None),
            "xtask depends on annals-store: xtask may know no other room",
        ),
        (
            ("annals", "object_store", Some("dev")),
            "annals depends on object_store: only lake may name object_store",
        ),
        (
            ("annals-tui", "tokio", None),
            "annals-tui depends on tokio: only web, mcp, lake may name tokio",
        ),
    ];
    for ((package, dependency, kind), expected) in cases {
        assert_eq!(find_breaches(&one_dependency(package, dependency, kind)), [expected]);
    }
}

#[test]
fn allowed_dependency_is_not_reported() {
    let cases = [
        ("annals-store", "annals-transcript", None),
        ("annals-store", "annals-testkit", Some("dev")),
        ("annals", "clap", None),
        ("annals-index", "rusqlite", None),
        ("annals-store", "serde", None),
        ("annals-conformance", "xtask", None),
    ];
    for (package, dependency, kind) in cases {
        assert!(find_breaches(&one_dependency(package, dependency, kind)).is_empty(), "{package}");
    }
}

#[test]
fn a_crate_without_a_row_is_a_breach() {
    for package in ["annals-helpers", "stranger"] {
        let breaches = find_breaches(&one_dependency(package, "serde", None));
        assert!(breaches.len() == 1 && breaches[0].contains("has no row"), "{breaches:?}");
    }
}
