//! A folder that several people share.

#![expect(clippy::disallowed_methods, reason = "somebody else changes the folder")]

use super::block_on;
use crate::bucket::{Bucket, Created};
use crate::storage::{ObjectBucket, StorageOptions, StorageUrl};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use testkit::Sandbox;

#[test]
fn of_two_creators_at_once_exactly_one_wins_and_no_partial_object_is_seen() {
    let sandbox = Sandbox::new();
    let url = StorageUrl::File(sandbox.home());
    let barrier = Barrier::new(4);
    let rounds = 50_usize;
    let writer = |who: u8| {
        let bucket = ObjectBucket::open(&url, &StorageOptions::default()).expect("a folder");
        let mut won = Vec::new();
        for round in 0..rounds {
            let name = format!("v1/org/ada/i1/m/{:08}.json", round + 1);
            barrier.wait();
            let created = block_on(bucket.create(&name, vec![who; 40_000])).expect("an answer");
            let there = block_on(bucket.get(&name)).expect("an answer").expect("an object");
            let author = there[0];
            assert!(there.len() == 40_000 && there.iter().all(|byte| *byte == author));
            assert_eq!(created == Created::New, author == who, "round {round}");
            won.push(created == Created::New);
        }
        won
    };
    let won = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4).map(|who| scope.spawn(move || writer(who))).collect();
        writers.into_iter().map(|it| it.join().expect("no panic")).collect::<Vec<_>>()
    });
    for round in 0..rounds {
        assert_eq!(won.iter().filter(|won| won[round]).count(), 1, "round {round}");
    }
    let bucket = ObjectBucket::open(&url, &StorageOptions::default()).expect("a folder");
    assert_eq!(block_on(bucket.list("v1/", None)).expect("names").len(), rounds);
}

#[test]
fn missing_folder_and_a_file_are_refused() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("file", "x");
    for path in [sandbox.path().join("nowhere"), file] {
        let opened = ObjectBucket::open(&StorageUrl::File(path), &StorageOptions::default());
        let error = opened.expect_err("no folder").to_string();
        assert!(error.starts_with("cannot open the folder "), "{error}");
    }
}

fn bucket(folder: &Path) -> ObjectBucket {
    let url = StorageUrl::File(folder.to_owned());
    ObjectBucket::open(&url, &StorageOptions::default()).expect("a folder")
}

/// Every file below a folder with its content, and every folder.
fn files_below(folder: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            found.push((path.clone(), fs::read(&path).ok()));
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    found.sort_unstable();
    found
}

const NAME: &str = "v1/private/ada/i1/d/00000001/calls.parquet";

/// A lake with one object, and a folder beside it with what a link could lead to.
fn lake_and_outside(sandbox: &Sandbox) -> (PathBuf, PathBuf) {
    let lake = sandbox.config().join("lake");
    let outside = sandbox.config().join("outside");
    for folder in [&lake, &outside] {
        fs::create_dir_all(folder).expect("a folder");
        block_on(bucket(folder).create(NAME, b"ours".to_vec())).expect("created");
    }
    (lake, outside)
}

#[test]
fn no_request_follows_a_link_in_place_of_any_component_of_a_name() {
    let components: Vec<&str> = NAME.split('/').collect();
    for depth in 1..=components.len() {
        let sandbox = Sandbox::new();
        let (lake, outside) = lake_and_outside(&sandbox);
        let component = components[..depth].join("/");
        let moved = sandbox.config().join("moved");
        fs::rename(lake.join(&component), moved).expect("moved away");
        sandbox.link(&format!("lake/{component}"), &outside.join(&component));
        let before = files_below(&outside);
        let bucket = bucket(&lake);
        let named = |error: crate::bucket::BucketError| {
            let text = error.to_string();
            let expected = format!("{component} is a symbolic link");
            assert!(text.contains(&expected) && error.is_fault_of_object, "{text}");
        };
        named(block_on(bucket.get(NAME)).expect_err("a link"));
        named(block_on(bucket.create(NAME, b"mine".to_vec())).expect_err("a link"));
        let listed = block_on(bucket.list("v1/private/ada/i1/d/00000001/", None));
        let folders = block_on(bucket.folders("v1/private/ada/i1/d/00000001/"));
        if depth == components.len() {
            assert_eq!(listed.expect("names"), [NAME], "a link stands as an object");
            assert_eq!(folders.expect("names"), ["calls.parquet"]);
            block_on(bucket.delete(NAME)).expect("the link is deleted");
            assert!(!lake.join(NAME).is_symlink());
        } else {
            named(listed.expect_err("a link"));
            named(folders.expect_err("a link"));
            named(block_on(bucket.delete(NAME)).expect_err("a link"));
            // From above, it is a name that is not looked into.
            let above = components[..depth - 1].join("/");
            let listed = block_on(bucket.list(&format!("{above}/"), None)).unwrap_or_default();
            assert!(depth == 1 || listed == [component.clone()], "{listed:?}");
        }
        assert_eq!(files_below(&outside), before, "{component}");
    }
}

#[test]
fn link_that_comes_and_goes_leads_no_request_out_of_the_lake() {
    let sandbox = Sandbox::new();
    let (lake, outside) = lake_and_outside(&sandbox);
    let before = files_below(&outside);
    let (owner, moved) = (lake.join("v1/private/ada"), lake.join("v1/private/moved"));
    let target = outside.join("v1/private/ada");
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                let _ = fs::rename(&owner, &moved);
                let _ = std::os::unix::fs::symlink(&target, &owner);
                let _ = fs::remove_file(&owner);
                let _ = fs::rename(&moved, &owner);
            }
        });
        let bucket = bucket(&lake);
        for round in 0..300 {
            let name = format!("v1/private/ada/i1/d/00000002/{round}.parquet");
            // Refused or not: it is not written elsewhere.
            let _ = block_on(bucket.create(&name, b"mine".to_vec()));
            let _ = block_on(bucket.delete(NAME));
        }
        is_done.store(true, Ordering::Relaxed);
    });
    assert_eq!(files_below(&outside), before);
}

#[test]
fn folder_of_the_lake_itself_may_be_a_link() {
    let sandbox = Sandbox::new();
    let (lake, _) = lake_and_outside(&sandbox);
    let link = sandbox.link("link", &lake);
    let bucket = bucket(&link);
    assert_eq!(block_on(bucket.get(NAME)).expect("an answer").as_deref(), Some(&b"ours"[..]));
    let other = "v1/private/ada/i1/m/00000001.json";
    assert_eq!(block_on(bucket.create(other, vec![1])).expect("an answer"), Created::New);
    assert!(lake.join(other).is_file());
}

#[test]
fn objects_that_are_being_written_are_in_no_listing() {
    let sandbox = Sandbox::new();
    let (lake, _) = lake_and_outside(&sandbox);
    fs::write(lake.join(format!("{NAME}#17")), "part").expect("written");
    assert_eq!(block_on(bucket(&lake).list("v1/", None)).expect("names"), [NAME]);
}
