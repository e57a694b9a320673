//! Finds the project folder of a path.

use std::path::Path;
use store::{MatchKind, ProjectLookup, ProjectMatch, folder_name};
use testkit::{Sandbox, session_id, user};

fn find(sandbox: &Sandbox, path: impl AsRef<Path>) -> Option<ProjectMatch> {
    ProjectLookup { projects: &sandbox.projects(), name: None }.find(path.as_ref())
}

/// Writes a session of `cwd` into a folder with any name.
fn session_in(sandbox: &Sandbox, folder: &str, number: u32, cwd: &str) {
    let line = user("hello").cwd(cwd).to_string() + "\n";
    sandbox.write(&format!("projects/{folder}/{}.jsonl", session_id(number)), line);
}

fn ids(found: &ProjectMatch) -> Vec<String> {
    found.sessions.iter().map(|session| session.id.clone()).collect()
}

/// A path with a truncated folder name: the first 200 characters are the same
/// for every `end`.
fn long(end: &str) -> String {
    format!("/home/{}/{end}", "a".repeat(230))
}

fn cut(path: &str) -> String {
    format!("{}-", &folder_name(path)[..200])
}

#[test]
fn a_path_has_its_own_folder() {
    let sandbox = Sandbox::new();
    sandbox.session("/home/ada/tidepool", &session_id(1), [user("hello")]);
    sandbox.session("/home/ada", &session_id(2), [user("hello").cwd("/home/ada")]);
    let found = find(&sandbox, "/home/ada/tidepool").unwrap();
    assert_eq!((found.how, found.folder.name.as_str()), (MatchKind::Exact, "-home-ada-tidepool"));
    assert_eq!(ids(&found), [session_id(1)]);
    assert!(found.others.is_empty());
}

#[test]
fn a_path_without_a_folder_has_the_nearest_one_above() {
    let sandbox = Sandbox::new();
    sandbox.session("/home/ada", &session_id(1), [user("hello").cwd("/home/ada")]);
    sandbox.session("/home/ada/tidepool", &session_id(2), [user("hello")]);
    let found = find(&sandbox, "/home/ada/tidepool/src/deep").unwrap();
    assert_eq!(
        (found.how, found.path.as_path()),
        (MatchKind::Parent, Path::new("/home/ada/tidepool"))
    );
    let found = find(&sandbox, "/home/ada/other").unwrap();
    assert_eq!((found.how, found.path.as_path()), (MatchKind::Parent, Path::new("/home/ada")));
    assert!(find(&sandbox, "/srv/elsewhere").is_none());
    assert!(find(&sandbox, "").is_none());
}

#[test]
fn sessions_of_a_path_are_sorted_newest_first_without_empty_files() {
    let sandbox = Sandbox::new();
    for (number, modified) in [(1, 100), (2, 300), (3, 200), (4, 300)] {
        let path = sandbox.session("/home/ada/tidepool", &session_id(number), [user("hello")]);
        sandbox.set_modified(&path, modified);
    }
    sandbox.write(&format!("projects/-home-ada-tidepool/{}.jsonl", session_id(9)), "");
    let found = find(&sandbox, "/home/ada/tidepool").unwrap();
    assert_eq!(ids(&found), [4, 2, 3, 1].map(session_id));
}

#[test]
fn a_session_that_records_no_cwd_or_began_elsewhere_belongs_to_its_folder() {
    let sandbox = Sandbox::new();
    sandbox.session(
        "/home/ada/tidepool",
        &session_id(1),
        [user("hello").cwd("/home/ada/tidepool/src")],
    );
    sandbox.session("/home/ada/tidepool", &session_id(2), [r#"{"type":"summary","summary":"x"}"#]);
    let found = find(&sandbox, "/home/ada/tidepool").unwrap();
    assert_eq!(found.sessions.len(), 2);
    assert!(found.others.is_empty());
}

#[test]
fn a_linked_project_folder_is_not_followed() {
    let sandbox = Sandbox::new();
    sandbox.write(&format!("outside/{}.jsonl", session_id(1)), user("hello").to_string());
    sandbox.link("projects/-home-ada-tidepool", &sandbox.config().join("outside"));
    assert!(find(&sandbox, "/home/ada/tidepool").is_none());
}

#[test]
fn two_paths_may_share_one_folder_and_each_gets_its_own_sessions() {
    let sandbox = Sandbox::new();
    sandbox.session("/w/a_b", &session_id(1), [user("hello").cwd("/w/a_b")]);
    sandbox.session("/w/a-b", &session_id(2), [user("hello").cwd("/w/a-b")]);
    for (path, other, number) in [("/w/a_b", "/w/a-b", 1), ("/w/a-b", "/w/a_b", 2)] {
        let found = find(&sandbox, path).unwrap();
        assert_eq!(ids(&found), [session_id(number)], "{path}");
        assert_eq!(found.others, [other], "{path}");
    }
    assert!(find(&sandbox, "/w/a.b").is_none(), "a shared folder name is not a match");
}

#[test]
fn a_long_path_is_found_by_its_hash() {
    let sandbox = Sandbox::new();
    let path = long("one");
    sandbox.session(&path, &session_id(1), [user("hello").cwd(&path)]);
    let found = find(&sandbox, &path).unwrap();
    assert_eq!((found.how, ids(&found)), (MatchKind::Exact, vec![session_id(1)]));
}

#[test]
fn a_long_path_with_a_foreign_hash_is_confirmed_by_its_cwd() {
    let sandbox = Sandbox::new();
    let path = long("one");
    session_in(&sandbox, &format!("{}zzz999", cut(&path)), 1, &path);
    let found = find(&sandbox, &path).unwrap();
    assert_eq!((found.how, ids(&found)), (MatchKind::Prefix, vec![session_id(1)]));
}

#[test]
fn another_long_path_with_the_same_prefix_does_not_match() {
    let sandbox = Sandbox::new();
    let (path, other) = (long("one"), long("two"));
    assert_eq!(cut(&path), cut(&other));
    session_in(&sandbox, &folder_name(&other), 1, &other);
    session_in(&sandbox, &format!("{}zzz999", cut(&path)), 2, &other);
    assert!(find(&sandbox, &path).is_none());
    session_in(&sandbox, &format!("{}zzzzzz", cut(&path)), 3, &path);
    assert_eq!(
        ids(&find(&sandbox, &path).unwrap()),
        [session_id(3)],
        "the right one is still found"
    );
}

#[test]
fn an_untruncated_long_name_from_old_versions_is_found() {
    let sandbox = Sandbox::new();
    let path = format!("/home/{}", "a".repeat(220));
    let uncapped = path.replace('/', "-");
    session_in(&sandbox, &uncapped, 1, &path);
    let found = find(&sandbox, &path).unwrap();
    assert_eq!((found.how, found.folder.name.as_str()), (MatchKind::Prefix, uncapped.as_str()));
}

#[test]
fn windows_folders_compare_without_case() {
    let sandbox = Sandbox::new();
    session_in(&sandbox, "c--Users-Me-p", 1, r"c:\Users\Me\p");
    session_in(&sandbox, "-home-ADA", 2, "/home/ADA");
    let found = find(&sandbox, r"C:\users\me\p").unwrap();
    assert_eq!((found.how, ids(&found)), (MatchKind::Exact, vec![session_id(1)]));
    assert!(find(&sandbox, "/home/ada").is_none(), "other paths compare with case");
}

#[test]
fn a_name_from_the_environment_replaces_the_encoded_one() {
    let sandbox = Sandbox::new();
    sandbox.session("/home/ada/tidepool", &session_id(1), [user("hello")]);
    session_in(&sandbox, "my_Project-2", 2, "/home/ada/tidepool");
    let longest = "n".repeat(64);
    session_in(&sandbox, &longest, 3, "/home/ada/tidepool");
    let too_long = "n".repeat(65);
    session_in(&sandbox, &too_long, 4, "/home/ada/tidepool");
    let outside = format!("{}.jsonl", session_id(5));
    sandbox.write(&outside, user("hello").to_string());
    let table = [
        ("my_Project-2", 2),
        (longest.as_str(), 3),
        ("absent", 1),
        (too_long.as_str(), 1),
        ("", 1),
        ("..", 1),
        ("../projects", 1),
        ("my_Project-2/", 1),
        ("a.b", 1),
        ("é", 1),
    ];
    for (name, number) in table {
        let projects = sandbox.projects();
        let found = ProjectLookup { projects: &projects, name: Some(name) }
            .find(Path::new("/home/ada/tidepool"))
            .unwrap();
        assert_eq!(
            (found.how, ids(&found)),
            (MatchKind::Exact, vec![session_id(number)]),
            "{name:?}"
        );
    }
}
