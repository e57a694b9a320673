//! A folder that several people share.

use super::block_on;
use crate::bucket::{Bucket, Created};
use crate::storage::{ObjectBucket, StorageOptions, StorageUrl};
use std::sync::Barrier;
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
