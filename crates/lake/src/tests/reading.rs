//! The lake, read on another machine.

use crate::decision::Sharing;
use crate::names::{Audience, Level};
use crate::reading::{Reader, Scope, SyncReport};
use crate::tests::bucket::{Objects, SteppedBucket, finish_at_once};
use crate::tests::machine::{Machine, WORK, conversation, library_of};
use library::NoProgress;
use std::path::Path;
use std::rc::Rc;
use testkit::{Sandbox, chained, session_id, user};
use usage::{CostMode, PicoUsd, Pricer, Prices};

fn sync(objects: &Rc<Objects>, owner: &str, scope: &str, folder: &Path) -> SyncReport {
    let bucket = SteppedBucket::free(objects);
    let reader =
        Reader { bucket: &bucket, owner: owner.parse().unwrap(), folder: folder.to_owned() };
    finish_at_once(reader.sync(&scope.parse::<Scope>().unwrap())).unwrap()
}

/// Tokens, calls and cost of all sessions in stores.
fn usage_of(roots: &[&Path]) -> (u64, usize, PicoUsd) {
    let source = library_of(roots).usage().read(false, &NoProgress);
    assert!(source.read_errors.is_empty(), "{:?}", source.read_errors);
    let known = Prices::embedded();
    let mut pricer = Pricer::new(&known, CostMode::Auto);
    let calls = &source.calls.calls;
    let costs = calls.iter().filter_map(|call| pricer.cost(call, &source.calls.names).total);
    let cost = costs.fold(PicoUsd(0), PicoUsd::plus);
    (calls.iter().map(|call| call.counters.total()).sum(), calls.len(), cost)
}

fn roots(report: &SyncReport) -> Vec<&Path> {
    report.stores.iter().map(|store| store.root.as_path()).collect()
}

#[test]
fn usage_is_the_same_here_and_in_the_lake() {
    let machine = Machine::new(Level::Usage);
    machine.session(1, WORK, conversation());
    machine.session(2, WORK, conversation());
    machine.push();
    let cache = Sandbox::new();
    let report = sync(&machine.objects, "ada", "mine", cache.path());
    assert_eq!(usage_of(&roots(&report)), usage_of(&[&machine.sandbox.config()]));
    assert_eq!(
        (report.stores[0].sessions, report.stores[0].with_text),
        (1, 0),
        "one call, one session"
    );
}

#[test]
fn what_is_shared_with_a_team_is_read_line_by_line() {
    let machine = Machine::of("ada", Level::Text, "team:tides".parse().unwrap());
    machine.session(1, WORK, conversation());
    machine.push();
    let cache = Sandbox::new();
    let report = sync(&machine.objects, "bob", "team:tides", cache.path());
    assert_eq!((report.stores[0].sessions, report.stores[0].with_text), (1, 1));
    let there = library_of(&roots(&report));
    let list = there.catalog().all_sessions();
    let prompts: Vec<Option<String>> =
        list.sessions.iter().map(|session| session.metadata.first_prompt.clone()).collect();
    assert_eq!(prompts, [Some("Where does the tide come from?".to_owned())]);
    for other in ["team:moon", "org", "mine"] {
        let report = sync(&machine.objects, "bob", other, cache.path());
        let sessions: usize = report.stores.iter().map(|store| store.sessions).sum();
        assert_eq!(sessions, 0, "{other}");
    }
}

#[test]
fn only_what_changed_is_fetched_and_laid_out() {
    let machine = Machine::new(Level::Text);
    machine.session(1, WORK, conversation());
    machine.push();
    let cache = Sandbox::new();
    let first = sync(&machine.objects, "ada", "mine", cache.path());
    assert!(first.fetched > 0);
    let before = testkit::fingerprint(cache.path());
    let second = sync(&machine.objects, "ada", "mine", cache.path());
    assert_eq!((second.fetched, &second.stores), (0, &first.stores));
    assert_eq!(testkit::fingerprint(cache.path()), before);
    machine.session(2, WORK, chained([user("Another one")]));
    machine.push();
    let third = sync(&machine.objects, "ada", "mine", cache.path());
    assert_eq!((third.fetched, third.stores[0].sessions), (3, 2), "session, blocks and lines");
}

#[test]
fn what_is_forgotten_or_taken_back_goes_from_the_readers_too() {
    let mut machine = Machine::of("ada", Level::Text, Audience::Org);
    machine.session(1, WORK, conversation());
    machine.session(2, WORK, chained([user("Another one")]));
    machine.push();
    let cache = Sandbox::new();
    sync(&machine.objects, "bob", "org", cache.path());
    let holds =
        |text: &str| testkit::fingerprint(cache.path()).iter().any(|file| file.contains(text));
    assert!(holds(&session_id(1)) && holds(&session_id(2)));
    machine.decisions.decide(session_id(1).parse().unwrap(), Sharing::Forgotten);
    machine.push();
    let report = sync(&machine.objects, "bob", "org", cache.path());
    assert_eq!(report.stores[0].sessions, 1);
    assert!(!holds(&session_id(1)) && holds(&session_id(2)));
    let private = Sharing::With(Audience::Private);
    machine.decisions.decide(session_id(2).parse().unwrap(), private);
    machine.push();
    sync(&machine.objects, "bob", "org", cache.path());
    assert!(!holds(&session_id(2)));
}

#[test]
fn an_object_that_is_not_what_its_name_says_is_left_out_and_named() {
    let machine = Machine::new(Level::Text);
    machine.session(1, WORK, conversation());
    machine.push();
    let damaged: Vec<String> = {
        let mut objects = machine.objects.0.borrow_mut();
        let lines = objects.iter_mut().filter(|(name, _)| name.contains("/lines-"));
        lines
            .map(|(name, bytes)| {
                *bytes.last_mut().unwrap() ^= 1;
                name.clone()
            })
            .collect()
    };
    let cache = Sandbox::new();
    let report = sync(&machine.objects, "ada", "mine", cache.path());
    let named: Vec<&String> = report.unusable.iter().map(|object| &object.name).collect();
    assert_eq!(named, damaged.iter().collect::<Vec<_>>());
    assert_eq!((report.stores[0].sessions, report.stores[0].with_text), (1, 0));
}
