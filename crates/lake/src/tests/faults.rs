//! Pushes whose requests are carried out and whose answers are lost: in the end the lake has
//! the same rows as without faults. Requests that are refused, late or cut are
//! `storage::tests::faults`'.

use crate::names::SegmentName;
use crate::push::{PushError, PushOptions};
use crate::segment::Format as _;
use crate::tests::bucket::{Actor, Objects, Permit};
use crate::tests::laptop::{JsonFormat, Laptop};
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
