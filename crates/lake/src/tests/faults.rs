//! Pushes whose answers are lost, and pushes over a line that breaks in every way: in the end
//! the lake has the same rows as without faults.

use crate::bucket::Bucket;
use crate::names::{Level, SegmentName};
use crate::push::{PushError, PushOptions};
use crate::segment::Format as _;
use crate::segment_file::ParquetFormat;
use crate::storage::tests::block_on;
use crate::storage::tests::server::{Fault, Server};
use crate::tests::bucket::{Actor, Objects, Permit};
use crate::tests::laptop::{JsonFormat, Laptop};
use crate::tests::machine::{Machine, WORK, conversation};
use proptest::prelude::*;
use std::rc::Rc;

fn laptop() -> Laptop {
    let mut laptop = Laptop::new("ada", "i1");
    for (session, ids) in [("s1", 3), ("s2", 5), ("s3", 1)] {
        let ids = (0..ids).map(|number| format!("11{session}u{number}")).collect();
        laptop.sessions.insert(session.parse().unwrap(), ids);
        laptop.by_rule.insert(session.parse().unwrap());
    }
    laptop
}

/// The rows of all objects, named or not, with the chain they are in.
fn rows(objects: &Objects) -> Vec<String> {
    let objects = objects.0.borrow();
    let mut found = Vec::new();
    for (name, bytes) in objects.iter() {
        let Some((chain, segment)) = name.split_once("/d/") else { continue };
        let table = segment.parse::<SegmentName>().unwrap().table;
        for piece in JsonFormat.decode(table, bytes).unwrap() {
            let session = &piece.entry.session;
            let rows = piece.rows.iter();
            found.extend(rows.map(|id| format!("{chain} {} {session} {id}", table.as_str())));
        }
    }
    found.sort();
    found
}

fn push_through(objects: &Rc<Objects>, faults: &[bool]) -> Result<(), PushError> {
    let mut faults = faults.iter().copied();
    let mut laptop = laptop();
    let mut last = Ok(());
    // Each fault ends a push; the next one begins again.
    for _ in 0..100 {
        let options = PushOptions { small_segments: 2, batch_bytes: 3, ..PushOptions::default() };
        let pushing = laptop.clone();
        let mut push = Actor::new(objects, false, |bucket| pushing.push(bucket, options));
        let result = loop {
            let is_lost = faults.next().unwrap_or(false);
            let permit = if is_lost { Permit::LostAnswer } else { Permit::Request };
            if let Some(result) = push.step(permit) {
                break result;
            }
        };
        laptop.is_unfinished = result.is_err();
        match result {
            Ok(_) => return Ok(()),
            Err(error) => last = Err(error),
        }
    }
    last
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lost_answers_change_nothing_in_the_end(
        faults in prop::collection::vec(prop::bool::weighted(0.15), 0..400),
    ) {
        let (quiet, faulty): (Rc<Objects>, Rc<Objects>) = Default::default();
        push_through(&quiet, &[]).unwrap();
        push_through(&faulty, &faults).unwrap();
        // Segments can be cut in other places, but no row is missing or there twice.
        prop_assert!(!rows(&quiet).is_empty());
        prop_assert_eq!(rows(&quiet), rows(&faulty));
    }
}

/// The rows of all objects, named or not, with the chain they are in.
async fn rows_in(bucket: &impl Bucket) -> Vec<String> {
    let mut found = Vec::new();
    for name in bucket.list("v1/", None).await.unwrap() {
        let Some((chain, segment)) = name.split_once("/d/") else { continue };
        let table = segment.parse::<SegmentName>().unwrap().table;
        let bytes = bucket.get(&name).await.unwrap().unwrap();
        for piece in ParquetFormat.decode(table, &bytes).unwrap() {
            let rows = piece.rows.to_json().into_iter();
            found.extend(rows.map(|row| format!("{chain} {} {row}", table.as_str())));
        }
    }
    found.sort();
    found
}

/// Pushes again until it succeeds. Each push begins with these faults, fewer each time.
async fn push_over(server: &Server, faults: &[Fault]) -> Vec<String> {
    let machine = Machine::new(Level::Text);
    machine.session(1, WORK, conversation());
    let bucket = server.bucket("");
    let mut has_failed = false;
    for begin in 0..=faults.len() {
        server.plan(&faults[begin..]);
        let options = PushOptions { collects_always: has_failed, ..PushOptions::default() };
        let result = machine.push_into(&bucket, options).await;
        server.plan(&[]);
        if result.is_ok() {
            return rows_in(&bucket).await;
        }
        has_failed = true;
    }
    panic!("no push succeeded");
}

#[test]
fn whole_push_over_a_line_that_breaks_ends_with_the_same_rows() {
    use Fault::{Conflict, Cut, LostAnswer, None, Slow, Unavailable};
    let kinds = [None, LostAnswer, Unavailable, Cut, None, Slow, Conflict, LostAnswer, None];
    block_on(async {
        let quiet = push_over(&Server::start(Vec::new()).await, &[]).await;
        assert!(quiet.iter().any(|row| row.contains(" lines ")), "{quiet:?}");
        for kind in [LostAnswer, Unavailable, Cut, Slow, Conflict] {
            // Every request has its turn: the first, and then every third.
            let faults: Vec<Fault> =
                (0..30).map(|number| if number % 3 == 0 { kind } else { None }).collect();
            let server = Server::start(Vec::new()).await;
            assert_eq!(push_over(&server, &faults).await, quiet, "{kind:?}");
        }
        // More in a row than a request is repeated.
        for length in [1, 3, 4] {
            let faults: Vec<Fault> =
                (0..12).flat_map(|number| vec![kinds[number % kinds.len()]; length]).collect();
            let server = Server::start(Vec::new()).await;
            assert_eq!(push_over(&server, &faults).await, quiet, "{length} in a row");
        }
    });
}

#[test]
fn a_push_repeats_a_request_whose_answer_is_cut_off_or_lost() {
    let machine = || {
        let machine = Machine::new(Level::Text);
        machine.session(1, WORK, conversation());
        machine
    };
    block_on(async {
        let server = Server::start(Vec::new()).await;
        server.plan(&[Fault::None; 100]);
        let bucket = server.bucket("");
        machine().push_into(&bucket, PushOptions::default()).await.unwrap();
        let requests = 100 - server.left();
        let quiet = rows_in(&bucket).await;
        assert!(requests >= 10 && !quiet.is_empty(), "{requests}");
        for fault in [Fault::Cut, Fault::LostAnswer] {
            // Each request once, and then all of them in turns.
            let mut plans: Vec<Vec<Fault>> = (0..requests)
                .map(|place| [vec![Fault::None; place], vec![fault]].concat())
                .collect();
            plans.push([fault, Fault::None].repeat(requests));
            for plan in plans {
                let server = Server::start(Vec::new()).await;
                let bucket = server.bucket("");
                server.plan(&plan);
                let pushed = machine().push_into(&bucket, PushOptions::default()).await;
                server.plan(&[]);
                pushed.unwrap_or_else(|error| panic!("{fault:?} in {plan:?}: {error}"));
                assert_eq!(rows_in(&bucket).await, quiet, "{fault:?}");
            }
        }
    });
}
