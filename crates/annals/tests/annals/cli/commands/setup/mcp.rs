//! The MCP server, which `claude mcp` installs, and other configuration folders.

use super::*;

#[test]
fn mcp_server_is_changed_only_through_claude() {
    let sandbox = home(SETTINGS);
    let only = ["--yes", "--only", "mcp", "--json"];
    // Somebody else's server of that name.
    let foreign = r#"{"mcpServers":{"annals":{"command":"/usr/bin/other","args":["mcp"]}}}"#;
    let state = sandbox.write(".claude.json", foreign);
    let answer = setup(&sandbox, &only);
    assert_eq!((answer.code, statuses(&answer).as_str()), (2, "mcp=refused"));
    let answer = setup(&sandbox, &["--remove", "--yes", "--only", "mcp", "--json"]).done();
    assert_eq!(statuses(&answer), "mcp=unchanged");
    assert_eq!(fs::read_to_string(&state).unwrap(), foreign);
    sandbox.remove(&state);
    assert!(calls(&sandbox).is_empty());
    // It fails, with words that a terminal would obey.
    program(&sandbox, "claude", "#!/bin/sh\nprintf 'no\\033[31m' >&2\nexit 3\n");
    let answer = setup(&sandbox, &["--yes", "--only", "mcp"]);
    assert_eq!(answer.code, 2);
    assert!(answer.out.contains("Failed: mcp: ") && answer.out.contains("exit status: 3: no"));
    assert!(!answer.out.contains('\u{1b}'), "{}", answer.out);
    // It is not there.
    sandbox.remove(&sandbox.home().join("bin/claude"));
    let answer = setup(&sandbox, &only).done();
    assert_eq!(statuses(&answer), "mcp=manual");
    assert!(detail(&answer, "mcp").contains("run claude mcp add --scope user annals -- /"));
    assert!(!state.exists());
}

#[test]
fn other_configuration_folder_is_named_and_has_separate_servers() {
    let sandbox = home(SETTINGS);
    let other = Sandbox::new();
    let root = other.config();
    let root = root.to_str().unwrap();
    let answer = setup(&sandbox, &["--root", root, "--yes", "--json"]).done();
    assert_eq!(answer.json()["config"], root);
    assert!(other.config().join("settings.json").exists());
    assert!(calls(&sandbox).starts_with(&format!("{root} mcp add")), "{}", calls(&sandbox));
    assert_eq!(settings(&sandbox), SETTINGS);
    setup(&sandbox, &["--root", root, "--yes", "--remove"]).done();
    assert!(!other.config().join("settings.json").exists());
    let projects = other.config().join("projects");
    fs::create_dir_all(projects.join("-x")).unwrap();
    for (arguments, expected) in [
        (vec!["--root", projects.to_str().unwrap()], "is not a Claude Code configuration folder"),
        (vec!["--root", root, "--root", root], "one configuration folder"),
    ] {
        other.write("projects/-x/00000001-0000-4000-8000-000000000001.jsonl", "{}\n");
        let answer = setup(&sandbox, &arguments);
        assert!(answer.complaint(2).contains(expected), "{}", answer.err);
    }
}
