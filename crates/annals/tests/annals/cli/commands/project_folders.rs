//! What counts as one project, and which folder belongs to a path.

use crate::cli::support::run::{annals, command, exchange, run, session, text};
use std::fs;
use std::path::{Path, PathBuf};
use testkit::{Sandbox, session_id};

/// A repository with a worktree beside it, a folder whose name begins alike,
/// and a session in each.
struct Repository {
    sandbox: Sandbox,
    main: PathBuf,
    worktree: PathBuf,
}

impl Repository {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let work = fs::canonicalize(sandbox.path()).unwrap().join("work");
        let (main, worktree) = (work.join("repo"), work.join("trees/feature"));
        let own = main.join(".git/worktrees/feature");
        for folder in [&own, &worktree, &main.join("sub/deep"), &work.join("repo-other")] {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(worktree.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
        fs::write(own.join("gitdir"), format!("{}\n", worktree.join(".git").display())).unwrap();
        fs::write(own.join("commondir"), "../..\n").unwrap();
        for (number, folder) in
            [(1, "repo"), (2, "repo/sub"), (3, "trees/feature"), (4, "repo-other"), (5, "trees")]
        {
            session(
                &sandbox,
                number,
                &work.join(folder).display().to_string(),
                &format!("Hello {number}"),
            );
        }
        Repository { sandbox, main, worktree }
    }

    fn listed(&self, here: &Path, arguments: &[&str]) -> Vec<u32> {
        let ids =
            run(command(&self.sandbox, &[&["ls", "--json"], arguments].concat()).current_dir(here))
                .done()
                .ids();
        (1..=5).filter(|number| ids.contains(&session_id(*number))).collect()
    }
}

#[test]
fn a_project_is_a_repository_with_its_worktrees_and_subdirectories() {
    let repository = Repository::new();
    let (main, worktree) =
        (repository.main.display().to_string(), repository.worktree.display().to_string());
    let home = repository.sandbox.home();
    assert_eq!(repository.listed(&home, &["--project", &main]), [1, 2, 3]);
    assert_eq!(repository.listed(&home, &["--project", &worktree]), [1, 2, 3]);
    assert_eq!(repository.listed(&home, &["--project", &main, "--exact"]), [1]);
    assert_eq!(repository.listed(&home, &["--project", &worktree, "--exact"]), [3]);
    assert_eq!(repository.listed(&home, &["--project", &format!("{main}/sub"), "--exact"]), [2]);
    assert_eq!(repository.listed(&home, &["--project", &format!("{main}-other")]), [4]);
    assert_eq!(annals(&repository.sandbox, &["ls", "--project", "/nowhere"]).code, 1);
    let prompts =
        annals(&repository.sandbox, &["prompts", "--project", &main, "--json"]).done().json();
    assert_eq!(prompts["total"], 3);
    let projects =
        annals(&repository.sandbox, &["projects", "--project", &main, "--json"]).done().json();
    assert_eq!(projects["total"], 3);
}

#[test]
fn here_is_the_project_of_the_current_folder() {
    let repository = Repository::new();
    assert_eq!(repository.listed(&repository.main, &["--here"]), [1, 2, 3]);
    assert_eq!(repository.listed(&repository.main.join("sub/deep"), &["--here"]), [1, 2, 3]);
    assert_eq!(repository.listed(&repository.worktree, &["--here"]), [1, 2, 3]);
    assert_eq!(repository.listed(&repository.worktree, &["--here", "--exact"]), [3]);
    assert_eq!(
        repository.listed(repository.main.parent().unwrap(), &["--project", "repo", "--exact"]),
        [1]
    );
    assert!(repository.listed(&repository.sandbox.home(), &["--here"]).is_empty());
}

#[test]
fn a_link_to_a_project_is_the_project() {
    let repository = Repository::new();
    let link = repository.sandbox.home().join("link");
    std::os::unix::fs::symlink(&repository.main, &link).unwrap();
    assert_eq!(
        repository.listed(&repository.sandbox.home(), &["--project", "link", "--exact"]),
        [1]
    );
    assert_eq!(repository.listed(&link, &["--here", "--exact"]), [1]);
}

#[test]
fn at_includes_the_whole_repository() {
    let repository = Repository::new();
    let answer =
        run(command(&repository.sandbox, &["info", "--json", "@3"])
            .current_dir(&repository.worktree));
    assert_eq!(answer.code, 0, "{}", answer.err);
    let answer =
        run(command(&repository.sandbox, &["info", "--json", "@4"])
            .current_dir(&repository.worktree));
    answer.complaint(1);
}

#[test]
fn an_alias_joins_a_folder_that_moved() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/old", "Hello");
    session(&sandbox, 2, "/home/ada/old/sub", "Hello");
    session(&sandbox, 3, "/home/ada/older", "Hello");
    session(&sandbox, 4, "/home/ada/new", "Hello");
    let ls = |arguments: &[&str]| annals(&sandbox, &[&["ls", "--json"], arguments].concat()).done();
    assert_eq!(ls(&["--project", "/home/ada/new"]).ids(), [session_id(4)]);
    let moved = ls(&["--project", "/home/ada/new", "--alias", "/home/ada/old=/home/ada/new"]);
    assert_eq!(moved.ids(), [1, 2, 4].map(session_id));
    let projects =
        annals(&sandbox, &["projects", "--json", "--alias", "/home/ada/old=/home/ada/new"])
            .done()
            .json();
    let names: Vec<_> = projects["projects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|project| text(&project["project"]))
        .collect();
    assert!(
        names.contains(&"/home/ada/new/sub".to_owned())
            && !names.contains(&"/home/ada/old".to_owned()),
        "{names:?}"
    );
}

#[test]
fn where_searches_parents_and_worktrees() {
    let repository = Repository::new();
    let asked = |path: &Path| {
        let document =
            annals(&repository.sandbox, &["where", &path.display().to_string(), "--json"])
                .done()
                .json();
        (text(&document["matched"]), text(&document["latest_session"]))
    };
    assert_eq!(asked(&repository.main), ("exact".to_owned(), session_id(1)));
    assert_eq!(asked(&repository.main.join("sub/deep")), ("parent".to_owned(), session_id(2)));
    assert_eq!(asked(&repository.worktree), ("exact".to_owned(), session_id(3)));
    let own = store::folder_name(&repository.worktree.display().to_string());
    fs::remove_dir_all(repository.sandbox.projects().join(own)).unwrap();
    assert_eq!(asked(&repository.worktree), ("worktree".to_owned(), session_id(1)));
    let here =
        run(command(&repository.sandbox, &["where", "--json"]).current_dir(&repository.main))
            .done()
            .json();
    assert_eq!(here["matched"], "exact");
}

#[test]
fn where_finds_long_paths_by_prefix() {
    let sandbox = Sandbox::new();
    let long = format!("/home/ada/{}", "deep/".repeat(60) + "end");
    let twin = format!("{long}-twin");
    let prefix = &store::folder_name(&long)[..201];
    for (number, cwd, hash) in [(1, &long, "other1"), (2, &twin, "other2")] {
        let lines: String =
            exchange(number, cwd, "Hello").iter().map(|line| line.to_string() + "\n").collect();
        sandbox.write(&format!("projects/{prefix}{hash}/{}.jsonl", session_id(number)), lines);
    }
    for (path, number) in [(&long, 1), (&twin, 2)] {
        let document = annals(&sandbox, &["where", path, "--json"]).done().json();
        assert_eq!(
            (document["matched"].as_str(), document["latest_session"].as_str()),
            (Some("prefix"), Some(session_id(number).as_str()))
        );
    }
    // Its own name outranks the prefix.
    session(&sandbox, 3, &long, "Hello");
    let document = annals(&sandbox, &["where", &long, "--json"]).done().json();
    assert_eq!(
        (&document["matched"], &document["latest_session"]),
        (&"exact".into(), &session_id(3).into())
    );
}

#[test]
fn where_uses_the_folder_name_from_the_environment() {
    let sandbox = Sandbox::new();
    let lines: String =
        exchange(1, "/anywhere", "Hello").iter().map(|line| line.to_string() + "\n").collect();
    sandbox.write(&format!("projects/my_name/{}.jsonl", session_id(1)), lines);
    let asked = |name: &str| {
        let answer =
            run(command(&sandbox, &["where", "--json"]).env("CLAUDE_CODE_PROJECT_DIR_NAME", name));
        (answer.code, answer.json()["folder"].clone())
    };
    assert_eq!(asked("my_name"), (0, "my_name".into()));
    assert_eq!(asked("../projects/my_name"), (1, serde_json::Value::Null));
    assert_eq!(asked(".."), (1, serde_json::Value::Null));
}

#[test]
fn windows_projects_compare_without_case() {
    let answer =
        crate::cli::support::run::demo(&["ls", "--json", "--project", r"c:\users\ADA\ledger"])
            .done();
    assert_eq!(answer.ids().len(), 2);
}

#[test]
fn where_masks_a_value_of_a_session_in_the_names_of_its_folders() {
    let sandbox = Sandbox::new();
    let cwd = "/home/ann/vK7#mQ2zLw9Rt4x/tidepool";
    session(&sandbox, 1, cwd, "DB_PASSWORD=vK7#mQ2zLw9Rt4x");
    let open = annals(&sandbox, &["where", cwd]).done().out;
    assert!(open.contains("vK7-mQ2zLw9Rt4x"), "{open}");
    for arguments in [&["where", cwd, "--redact"][..], &["where", cwd, "--redact", "--json"]] {
        let masked = annals(&sandbox, arguments).done().out;
        assert!(!masked.contains("mQ2z") && masked.contains("tidepool"), "{masked}");
    }
}
