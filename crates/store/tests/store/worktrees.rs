//! Worktrees of one repository are read from git's own small files. Git itself
//! is never started, so the test writes these files itself.

use std::path::{Path, PathBuf};
use store::{MatchKind, ProjectLookup, Repository, find_branch, find_repository};
use testkit::{Sandbox, session_id, user};

/// A repository at `main` with linked worktrees `one` and `two` beside it.
struct Fixture {
    sandbox: Sandbox,
}

impl Fixture {
    fn new() -> Fixture {
        let fixture = Fixture { sandbox: Sandbox::new() };
        fixture.sandbox.folder(fixture.at("main/.git").to_str().unwrap());
        fixture.sandbox.folder(fixture.at("main/src").to_str().unwrap());
        for name in ["two", "one"] {
            let own = format!("main/.git/worktrees/{name}");
            fixture.write(
                &format!("{own}/gitdir"),
                &format!("{}\n", fixture.at(name).join(".git").display()),
            );
            fixture.write(&format!("{own}/commondir"), "../..\n");
            fixture.write(
                &format!("{name}/.git"),
                &format!("gitdir: {}\n", fixture.at(&own).display()),
            );
            fixture.sandbox.folder(fixture.at(&format!("{name}/src")).to_str().unwrap());
        }
        fixture
    }

    fn at(&self, path: &str) -> PathBuf {
        self.sandbox.home().join(path)
    }

    fn write(&self, path: &str, content: &str) {
        self.sandbox.write(self.at(path).to_str().unwrap(), content);
    }

    fn session(&self, cwd: &Path, number: u32) {
        let cwd = cwd.to_str().unwrap();
        self.sandbox.session(cwd, &session_id(number), [user("hello").cwd(cwd)]);
    }

    fn find(&self, path: &str) -> Option<(MatchKind, PathBuf)> {
        let projects = self.sandbox.projects();
        let found = ProjectLookup { projects: &projects, name: None }.find(&self.at(path))?;
        Some((found.how, found.path))
    }
}

#[test]
fn a_repository_knows_its_worktrees_from_any_of_them() {
    let fixture = Fixture::new();
    let worktrees = ["main", "one", "two"].map(|name| fixture.at(name)).to_vec();
    for (path, current) in [
        ("main", "main"),
        ("main/src", "main"),
        ("one", "one"),
        ("two/src", "two"),
        ("one/not/there", "one"),
    ] {
        let expected = Repository {
            main: fixture.at("main"),
            worktrees: worktrees.clone(),
            current: fixture.at(current),
        };
        assert_eq!(find_repository(&fixture.at(path)), Some(expected), "{path}");
    }
}

#[test]
fn other_folders_are_not_repositories() {
    let fixture = Fixture::new();
    fixture.write("torn/.git", "not what git writes");
    fixture.sandbox.pipe(fixture.at("pipe/.git").to_str().unwrap());
    fixture.sandbox.folder(fixture.at("plain").to_str().unwrap());
    for path in ["torn", "pipe", "plain"] {
        assert_eq!(find_repository(&fixture.at(path)), None, "{path}");
    }
}

#[test]
fn relative_names_in_gits_files_are_resolved() {
    let fixture = Fixture::new();
    fixture.write("one/.git", "gitdir: ../main/.git/worktrees/one\n");
    fixture.write("main/.git/worktrees/one/gitdir", "../../../../one/.git\n");
    let repository = find_repository(&fixture.at("one")).unwrap();
    assert_eq!(repository.main, fixture.at("main"));
    assert_eq!(repository.worktrees, ["main", "one", "two"].map(|name| fixture.at(name)));
}

#[test]
fn a_worktree_without_a_project_folder_uses_another_worktrees() {
    let fixture = Fixture::new();
    fixture.session(&fixture.at("two"), 1);
    assert_eq!(fixture.find("one/src"), Some((MatchKind::Worktree, fixture.at("two"))));
    assert_eq!(fixture.find("main"), Some((MatchKind::Worktree, fixture.at("two"))));
    fixture.session(&fixture.at("main"), 2);
    assert_eq!(
        fixture.find("one/src"),
        Some((MatchKind::Worktree, fixture.at("main"))),
        "the main one comes first"
    );
}

#[test]
fn a_folder_above_in_the_same_worktree_is_nearer_than_another_worktree() {
    let fixture = Fixture::new();
    fixture.session(&fixture.at("main"), 1);
    fixture.session(&fixture.at("one"), 2);
    assert_eq!(fixture.find("one/src"), Some((MatchKind::Parent, fixture.at("one"))));
}

#[test]
fn another_worktree_is_nearer_than_a_folder_above_the_repository() {
    let fixture = Fixture::new();
    fixture.session(&fixture.sandbox.home(), 1);
    assert_eq!(fixture.find("one"), Some((MatchKind::Parent, fixture.sandbox.home())));
    fixture.session(&fixture.at("two"), 2);
    assert_eq!(fixture.find("one"), Some((MatchKind::Worktree, fixture.at("two"))));
}

#[test]
fn the_branch_is_that_of_the_worktree_containing_the_path() {
    let fixture = Fixture::new();
    let branch = |name: &str| find_branch(&fixture.at(name));
    assert_eq!(branch("main/src"), None, "no HEAD yet");
    let commit = "89abcdef".repeat(5);
    let heads = [
        ("ref: refs/heads/main\n", Some("main")),
        ("ref: refs/heads/tide/low\n", Some("tide/low")),
        ("ref: refs/remotes/x\n", Some("refs/remotes/x")),
        (commit.as_str(), Some("89abcde")),
        ("ref: \n", None),
        ("what a commit is not", None),
        ("", None),
    ];
    for (head, expected) in heads {
        fixture.write("main/.git/HEAD", head);
        assert_eq!(branch("main/src").as_deref(), expected, "{head:?}");
    }
    fixture.write("main/.git/worktrees/one/HEAD", "ref: refs/heads/other");
    assert_eq!(branch("one/src/deeper").as_deref(), Some("other"));
    assert_eq!(find_branch(Path::new("/")), None);
}
