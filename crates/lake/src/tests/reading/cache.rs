//! What is fetched again, and what is remembered.

use super::*;

#[test]
fn only_what_changed_is_fetched_and_laid_out() {
    let machine = Machine::new(Level::Text);
    machine.session(1, WORK, conversation());
    machine.push();
    let cache = Sandbox::new();
    let first = sync(&machine.objects, "ada", "mine", cache.path());
    assert!(fetched(&cache) > 0);
    // When the lake was asked is noted each time.
    let files = || {
        let mut files = testkit::fingerprint(cache.path());
        files.retain(|file| file.contains(" 100600 ") && !file.contains("view.json"));
        files
    };
    let before = files();
    let second = sync(&machine.objects, "ada", "mine", cache.path());
    assert_eq!(&second.owners, &first.owners);
    assert!(files() == before);
    machine.session(2, WORK, chained([user("Another one")]));
    machine.push();
    let third = sync(&machine.objects, "ada", "mine", cache.path());
    assert_eq!(third.owners[0].sessions, 2);
}

#[test]
fn manifest_that_is_still_the_newest_is_not_fetched_again() {
    let ada = Machine::of("ada", Level::Text, Audience::Org);
    ada.session(1, WORK, conversation());
    ada.push();
    let cache = Sandbox::new();
    let first = sync(&ada.objects, "bob", "org", cache.path());
    let manifests = |objects: &Objects| {
        let mut objects = objects.0.borrow_mut();
        let all = objects.iter_mut().filter(|(name, _)| name.contains("/m/"));
        all.map(|(_, bytes)| std::mem::take(bytes)).filter(|bytes| !bytes.is_empty()).count()
    };
    assert!(manifests(&ada.objects) > 0);
    let second = sync(&ada.objects, "bob", "org", cache.path());
    assert_eq!(second.owners, first.owners);
    assert!(second.unusable.is_empty(), "{:?}", second.unusable);
    // Of somebody who shares nothing any more, nothing is remembered.
    ada.objects.0.borrow_mut().clear();
    sync(&ada.objects, "bob", "org", cache.path());
    let known = testkit::fingerprint(cache.path());
    let known =
        known.iter().filter(|file| file.contains("/manifests/") && file.contains(" 100600 "));
    assert_eq!(known.count(), 0);
}
