//! What is decided for everybody holds for those who join later.

use crate::names::{Level, Month, SessionId};
use crate::org_decisions::decide_for_everybody;
use crate::push::PushOptions;
use crate::take_back::TakenBack;
use crate::tests::bucket::{Actor, Objects, SteppedBucket, finish_at_once};
use crate::tests::laptop::Laptop;
use std::rc::Rc;

#[test]
fn people_who_join_later_obey_what_was_decided_for_everybody() {
    let objects: Rc<Objects> = Rc::default();
    let bucket = SteppedBucket::free(&objects);
    let before = Month::new(2026, 10).unwrap();
    for what in [TakenBack::Project("moons".to_owned()), TakenBack::Expired(Level::Usage, before)] {
        finish_at_once(decide_for_everybody(&bucket, &what)).unwrap();
        // Repeating it does no harm.
        finish_at_once(decide_for_everybody(&bucket, &what)).unwrap();
    }
    let mut laptop = Laptop::new("carol", "i9");
    for (session, ids) in [("s1", ["10u1", "11u2"]), ("s3", ["09u3", "11u4"])] {
        let session: SessionId = session.parse().unwrap();
        laptop.sessions.insert(session, ids.map(str::to_owned).to_vec());
    }
    let push = Actor::new(&objects, false, |bucket| laptop.push(bucket, PushOptions::default()));
    push.finish().unwrap();
    let objects = objects.0.borrow();
    let calls = objects.iter().filter(|(name, _)| name.contains("/calls-"));
    let calls: Vec<String> =
        calls.map(|(_, bytes)| String::from_utf8(bytes.clone()).unwrap()).collect();
    let has = |id: &str| calls.iter().any(|text| text.contains(id));
    assert!(has("11u4"));
    for id in ["10u1", "11u2", "09u3"] {
        assert!(!has(id), "{id} was taken: {calls:?}");
    }
}
