//! Fixed bugs, each named after the fact it broke.

use std::path::{Path, PathBuf};
use store::{
    MatchKind, ProjectLookup, SessionFolder, agents_below, find_repository, folder_name,
    read_retention, workflows_below,
};
use testkit::{Sandbox, session_id, user};

/// These files are all on disk.
static DISK: store::Files = store::Files::disk();

fn home(sandbox: &Sandbox, path: &str) -> PathBuf {
    sandbox.home().join(path)
}

fn write(sandbox: &Sandbox, path: &str, content: &str) {
    sandbox.write(home(sandbox, path).to_str().unwrap(), content);
}

/// `fs::read_dir` follows a link in its last component.
#[test]
fn linked_folders_inside_a_session_folder_are_not_followed() {
    let sandbox = Sandbox::new();
    sandbox.write("outside/agent-a1.jsonl", user("x").to_string());
    sandbox.write("outside/wf_1.json", "{}");
    for name in ["subagents", "workflows", "tool-results"] {
        sandbox.link(&format!("s/{name}"), &sandbox.config().join("outside"));
    }
    let folder = SessionFolder::find(&DISK, sandbox.config().join("s")).unwrap();
    let seen = (
        agents_below(&DISK, &folder).len(),
        folder.count_agents(&DISK),
        workflows_below(&DISK, &folder).len(),
        folder.count_tool_results(&DISK),
    );
    assert_eq!(seen, (0, 0, 0, (0, 0)), "agents, agents counted, workflows, tool results");
}

/// Only a recorded working directory confirms a long name.
#[test]
fn an_empty_folder_with_the_same_prefix_neither_matches_nor_shadows() {
    let sandbox = Sandbox::new();
    let path = format!("/home/{}/one", "a".repeat(230));
    let prefix = &folder_name(&path)[..200];
    sandbox.folder(&format!("projects/{prefix}-aaa"));
    let lookup = |sandbox: &Sandbox| {
        ProjectLookup { projects: &sandbox.projects(), name: None }
            .find(Path::new(&path))
            .map(|found| found.folder.name)
    };
    assert_eq!(lookup(&sandbox), None, "nothing confirms it");
    let line = user("hello").cwd(&path).to_string();
    sandbox.write(&format!("projects/{prefix}-bbb/{}.jsonl", session_id(1)), line);
    assert_eq!(lookup(&sandbox), Some(format!("{prefix}-bbb")));
}

/// Git's folder is a worktree's only if it has a `commondir`.
#[test]
fn a_submodule_is_not_a_worktree_of_the_repository_around_it() {
    let sandbox = Sandbox::new();
    sandbox.folder(home(&sandbox, "main/.git/modules/sub").to_str().unwrap());
    write(&sandbox, "main/sub/.git", "gitdir: ../.git/modules/sub\n");
    let repository = find_repository(&home(&sandbox, "main/sub"));
    let worktrees = repository.map_or_else(Vec::new, |repository| repository.worktrees);
    assert!(!worktrees.contains(&home(&sandbox, "main")), "{worktrees:?}");
}

/// Other folders beside a bare repository do not belong to it.
#[test]
fn the_folder_around_a_bare_repository_is_not_a_worktree() {
    let sandbox = Sandbox::new();
    let own = "code/tide.git/worktrees/one";
    write(
        &sandbox,
        &format!("{own}/gitdir"),
        &format!("{}\n", home(&sandbox, "code/one/.git").display()),
    );
    write(&sandbox, &format!("{own}/commondir"), "../..\n");
    write(&sandbox, "code/one/.git", &format!("gitdir: {}\n", home(&sandbox, own).display()));
    let repository = find_repository(&home(&sandbox, "code/one"));
    let worktrees = repository.map_or_else(Vec::new, |repository| repository.worktrees);
    assert!(!worktrees.contains(&home(&sandbox, "code")), "{worktrees:?}");
}

/// Claude Code creates worktrees in `.claude/worktrees/` of the main one.
#[test]
fn the_main_worktree_comes_first_for_worktrees_inside_it_too() {
    let sandbox = Sandbox::new();
    for name in ["one", "two"] {
        let (own, tree) =
            (format!("main/.git/worktrees/{name}"), format!("main/.claude/worktrees/{name}"));
        write(
            &sandbox,
            &format!("{own}/gitdir"),
            &format!("{}\n", home(&sandbox, &tree).join(".git").display()),
        );
        write(&sandbox, &format!("{own}/commondir"), "../..\n");
        write(
            &sandbox,
            &format!("{tree}/.git"),
            &format!("gitdir: {}\n", home(&sandbox, &own).display()),
        );
    }
    for (number, path) in [(1, "main"), (2, "main/.claude/worktrees/two")] {
        let cwd = home(&sandbox, path).to_str().unwrap().to_owned();
        sandbox.session(&cwd, &session_id(number), [user("hello").cwd(&cwd)]);
    }
    let found = ProjectLookup { projects: &sandbox.projects(), name: None }
        .find(&home(&sandbox, "main/.claude/worktrees/one"))
        .unwrap();
    assert_eq!((found.how, found.path), (MatchKind::Worktree, home(&sandbox, "main")));
}

/// Stores from other machines have paths with other separators.
#[test]
fn walking_up_works_on_windows_paths() {
    let sandbox = Sandbox::new();
    let line = user("hello").cwd(r"C:\Users\me\p").to_string();
    sandbox.write(&format!("projects/C--Users-me-p/{}.jsonl", session_id(1)), line);
    let found = ProjectLookup { projects: &sandbox.projects(), name: None }
        .find(Path::new(r"C:\Users\me\p\src"));
    assert_eq!(
        found.map(|found| (found.how, found.folder.name)),
        Some((MatchKind::Parent, "C--Users-me-p".to_owned()))
    );
}

/// Settings are often a link; silently reporting the default of 30 days would
/// then be wrong.
#[test]
fn unreadable_settings_are_not_treated_as_missing() {
    let sandbox = Sandbox::new();
    let elsewhere = sandbox.write("dotfiles/settings.json", r#"{"cleanupPeriodDays":365}"#);
    sandbox.link("settings.json", &elsewhere);
    let retention = read_retention(&sandbox.config());
    assert!(retention.days == 365 || retention.problem.is_some(), "{retention:?}");
}
