//! Acknowledgements of loaders, as objects in a bucket.

use crate::acknowledgement::{Acknowledgement, Acknowledgements};
use crate::names::{ChainName, Loader, ManifestNumber};
use crate::tests::bucket::{Objects, SteppedBucket, finish_at_once};
use std::rc::Rc;

fn acknowledgement(loader: &str, chain: &str, number: &str) -> Acknowledgement {
    Acknowledgement {
        loader: loader.parse().unwrap(),
        chain: ChainName::of_prefix(chain).unwrap(),
        number: number.parse().unwrap(),
    }
}

#[test]
fn names_are_parsed_and_rebuilt_and_nothing_else_is_one() {
    for chain in ["v1/private/ada/i1/", "v1/org/ada/i1/", "v1/team/tides/ada/i1/"] {
        let written = acknowledgement("ch1", chain, "00000007");
        assert_eq!(Acknowledgement::of_name(&written.to_string()), Some(written));
    }
    for name in [
        "ack/ch1/registered",
        "ack/ch1/v1/private/ada/i1/7",
        "ack/ch1/v1/private/ada/00000007",
        "ack/ch1/v1/team/ada/i1/00000007",
        "ack/../v1/private/ada/i1/00000007",
        "ack/ch1/v1/private/../i1/00000007",
        "ack/ch1/v1/private/ada/i1/00000007/x",
        "v1/private/ada/i1/00000007",
    ] {
        assert_eq!(Acknowledgement::of_name(name), None, "{name}");
    }
}

#[test]
fn registered_loader_is_waited_for_until_it_has_acknowledged() {
    let objects: Rc<Objects> = Rc::default();
    let bucket = SteppedBucket::free(&objects);
    let read = || finish_at_once(Acknowledgements::read(&bucket)).unwrap();
    let chain = ChainName::of_prefix("v1/org/ada/i1/").unwrap();
    let number = |text: &str| text.parse::<ManifestNumber>().unwrap();
    assert!(read().missing(&chain, number("00000002")).is_empty(), "no loader, no wait");
    let loader: Loader = "ch1".parse().unwrap();
    finish_at_once(Acknowledgements::register(&bucket, &loader)).unwrap();
    assert_eq!(read().missing(&chain, number("00000002")), [&loader]);
    for written in ["00000001", "00000003", "00000002"] {
        let written = acknowledgement("ch1", "v1/org/ada/i1/", written);
        finish_at_once(written.write(&bucket)).unwrap();
    }
    assert!(read().missing(&chain, number("00000003")).is_empty());
    assert_eq!(read().missing(&chain, number("00000004")), [&loader]);
    assert_eq!(objects.0.borrow().len(), 3, "older ones are deleted, and none that is newer");
}

#[test]
fn the_last_time_at_which_an_engine_was_readable_by_everyone_is_known() {
    let objects: Rc<Objects> = Rc::default();
    let bucket = SteppedBucket::free(&objects);
    let loader: Loader = "ch1".parse().unwrap();
    finish_at_once(Acknowledgements::register(&bucket, &loader)).unwrap();
    let read = || finish_at_once(Acknowledgements::read(&bucket)).unwrap();
    assert_eq!(read().readable_until(&loader), None);
    for seconds in [1_763_518_200, 1_763_604_600, 1_700_000_000] {
        let time = jiff::Timestamp::from_second(seconds).unwrap();
        finish_at_once(Acknowledgements::note_readable(&bucket, &loader, time)).unwrap();
    }
    let until = read().readable_until(&loader).map(|time| time.to_string());
    assert_eq!(until.as_deref(), Some("2025-11-20T02:10:00Z"));
    assert_eq!(read().chains().len(), 0, "it is not an acknowledgement");
}
