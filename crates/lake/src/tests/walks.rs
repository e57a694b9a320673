//! The protocol in every order: each request is a step, and an actor may die between any
//! two of them.
//!
//! A walk has four laptops (two are copies of one home, three have the same owner), who
//! write, share, stop sharing, forget, let rows expire, leave, join again, delete transcripts
//! and push at the same time, some so slowly that a copy of their home writes many manifests
//! between two of their requests; an administrator, who takes back what others have; and a loader
//! that fills an engine. At each step every named segment must exist, and a receipt must not
//! say that something is gone which is not. In the end, when everybody has pushed in peace,
//! every row is where it belongs, nothing forgotten, expired or no longer shared is left in
//! any object or in the engine, receipts say so, and another push writes nothing.

use crate::chain::ChainError;
use crate::decision::Sharing;
use crate::flaw::Flaw;
use crate::memory::NoMemory;
use crate::names::{Audience, Level, Month, Owner, SessionId, Table};
use crate::push::{PushError, PushOptions, PushReport};
use crate::take_back::{TakeBack, TakenBack};
use crate::tests::bucket::{Actor, Objects, Permit, SteppedBucket};
use crate::tests::laptop::{JsonFormat, Laptop, month_of};
use crate::tests::loader::{Engine, load};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const STEPS: usize = 400;
/// How often a copy of a home pushes while a push of that home waits: more often than
/// manifests are kept.
const OVERTAKING: usize = 5;
/// The laptop that is set up late.
const LATE: usize = 2;

/// A sequence of choices that depends on its seed alone.
struct Choices(u64);

impl Choices {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).unwrap()
    }

    fn one_of<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.below(things.len())]
    }
}

/// A mistake to plant.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Planted {
    Nothing,
    ReplacesManifests,
    /// The loader does not load again what it may have deleted of others.
    NeverReplays,
    In(Flaw),
}

/// Owner, audience, table, session and id of rows.
pub(super) type Rows = BTreeSet<(String, Audience, Table, SessionId, String)>;
type Push = Actor<Result<PushReport, PushError>>;
type Load = Actor<Result<(), ChainError>>;

pub(super) struct Walk {
    choices: Choices,
    pub(super) objects: Rc<Objects>,
    pub(super) laptops: Vec<Laptop>,
    /// The pushes under way, by laptop.
    pub(super) pushes: BTreeMap<usize, Push>,
    /// The administrator at work.
    taking: Option<(Owner, TakenBack, Push)>,
    /// What an administrator began and has not finished.
    pub(super) unfinished: Vec<(Owner, TakenBack)>,
    loading: Option<Load>,
    pub(super) engine: Rc<Engine>,
    next_id: usize,
    /// Rows of usage that a finished push has brought into the lake.
    pub(super) pushed: BTreeSet<(String, SessionId, String)>,
    /// Text that was readable when a push had finished. Transcripts may be gone since.
    pub(super) pushed_text: BTreeSet<(String, SessionId, String)>,
    planted: Planted,
    /// The step from which the late laptop pushes.
    late_from: usize,
    /// How many manifests what nothing names waits at most.
    collect_every: u32,
}

impl Walk {
    fn new(seed: u64, planted: Planted) -> Self {
        let laptops = [("ada", "i1"), ("ada", "i1"), ("ada", "i2"), ("bob", "i3")];
        let mut choices = Choices(seed);
        let late_from = choices.below(STEPS);
        let collect_every = *choices.one_of(&[1, 1, 3]);
        Walk {
            choices,
            late_from,
            collect_every,
            objects: Rc::default(),
            laptops: laptops.iter().map(|(owner, home)| Laptop::new(owner, home)).collect(),
            pushes: BTreeMap::new(),
            taking: None,
            unfinished: Vec::new(),
            loading: None,
            engine: Rc::default(),
            next_id: 0,
            pushed: BTreeSet::new(),
            pushed_text: BTreeSet::new(),
            planted,
        }
    }

    fn options(&self) -> PushOptions {
        let flaw = if let Planted::In(flaw) = self.planted { Some(flaw) } else { None };
        PushOptions {
            small_segments: 2,
            batch_bytes: 3,
            collect_every: self.collect_every,
            trusts_memory: true,
            flaw,
            ..PushOptions::default()
        }
    }

    fn start_taking_back(&self, owner: &Owner, what: &TakenBack) -> Push {
        let (owner, what, options) = (owner.clone(), what.clone(), self.options());
        let replaces = self.planted == Planted::ReplacesManifests;
        Actor::new(&self.objects, replaces, |bucket: SteppedBucket| async move {
            let work =
                TakeBack { bucket: &bucket, format: &JsonFormat, memory: &NoMemory, options };
            work.run(&owner, &what).await
        })
    }

    fn start_loading(&self) -> Load {
        let engine = Rc::clone(&self.engine);
        let replays = self.planted != Planted::NeverReplays;
        Actor::new(&self.objects, false, |bucket| load(bucket, engine, replays))
    }

    /// What was taken back is not expected any more.
    fn taken_back(&mut self, owner: &Owner, what: &TakenBack) {
        self.unfinished.retain(|(of, other)| (of, other) != (owner, what));
        if *what == TakenBack::Everything {
            self.pushed.retain(|row| row.0 != owner.as_str());
            self.pushed_text.retain(|row| row.0 != owner.as_str());
        }
    }

    /// Goes on with what an administrator or a loader does, if one is at work.
    fn step_others(&mut self) {
        let permit = match self.choices.below(100) {
            0..3 => Permit::None,
            3..5 => Permit::LostAnswer,
            _ => Permit::Request,
        };
        if self.choices.below(2) == 0 {
            let Some((owner, what, mut work)) = self.taking.take() else { return };
            if permit == Permit::None {
                return;
            }
            match work.step(permit) {
                Some(Ok(_)) => self.taken_back(&owner, &what),
                Some(Err(_)) => {}
                None => self.taking = Some((owner, what, work)),
            }
        } else if let Some(mut work) = self.loading.take()
            && permit != Permit::None
            && work.step(permit).is_none()
        {
            self.loading = Some(work);
        }
    }

    /// Begins what an administrator, a loader or somebody who leaves does.
    fn start_others(&mut self, number: usize) {
        let owner = self.laptops[number].owner.clone();
        match self.choices.below(12) {
            0..4 if self.loading.is_none() => self.loading = Some(self.start_loading()),
            4..8 if self.taking.is_none() => {
                let month = Month::new(2026, 9 + u8::from(self.choices.below(2) == 0)).unwrap();
                let what = match self.choices.below(8) {
                    0 => TakenBack::Everything,
                    1 => TakenBack::Project("moons".to_owned()),
                    2..4 => TakenBack::Expired(Level::Usage, month),
                    _ => TakenBack::Expired(Level::Text, month),
                };
                self.unfinished.push((owner.clone(), what.clone()));
                self.taking =
                    Some((owner.clone(), what.clone(), self.start_taking_back(&owner, &what)));
            }
            8 => {
                let level = *self.choices.one_of(&[Level::Usage, Level::Text]);
                let laptop = &mut self.laptops[number];
                laptop.decisions.expire(level, Month::new(2026, 10).unwrap());
                laptop.is_unapplied = true;
            }
            // Somebody who has left joins again.
            9..12 => {
                let known = self.decisions_in_lake(owner.as_str());
                if known.has_left() {
                    let laptop = &mut self.laptops[number];
                    laptop.decisions.merge(&known);
                    laptop.decisions.set_left(false);
                    laptop.is_unapplied = true;
                }
            }
            _ => {}
        }
    }

    fn start_push(&self, laptop: usize) -> Push {
        let options = self.options();
        let laptop = self.laptops[laptop].clone();
        let replaces = self.planted == Planted::ReplacesManifests;
        Actor::new(&self.objects, replaces, |bucket| laptop.push(bucket, options))
    }

    fn finished(
        &mut self,
        number: usize,
        result: &Result<PushReport, PushError>,
        snapshot: &Laptop,
    ) {
        let laptop = &mut self.laptops[number];
        laptop.is_unfinished = result.is_err();
        if let Ok(report) = result {
            // A decision made since the push began has still to be applied.
            laptop.is_unapplied &= laptop.decisions != snapshot.decisions;
            if report.has_old_rules || report.has_left {
                return;
            }
            for (session, ids) in &snapshot.sessions {
                for id in ids {
                    let row = (laptop.owner.to_string(), session.clone(), id.clone());
                    self.pushed.insert(row);
                }
            }
            let text = self.readable().into_iter().filter(|row| row.2 == Table::Lines);
            let text: Vec<_> =
                text.map(|(owner, _, _, session, id)| (owner, session, id)).collect();
            self.pushed_text.extend(text);
        }
    }

    fn session(&mut self) -> SessionId {
        self.choices.one_of(&["s1", "s2", "s3", "s4", "s5"]).parse().unwrap()
    }

    fn step(&mut self, step: usize, snapshots: &mut BTreeMap<usize, Laptop>) {
        let number = self.choices.below(self.laptops.len());
        match self.choices.below(100) {
            0..20 if self.taking.is_some() || self.loading.is_some() => self.step_others(),
            0..60 if !self.pushes.is_empty() => {
                let running: Vec<usize> = self.pushes.keys().copied().collect();
                let pusher = *self.choices.one_of(&running);
                match self.choices.below(100) {
                    0..3 => {
                        self.pushes.remove(&pusher);
                        self.laptops[pusher].is_unfinished = true;
                    }
                    3..6 => self.overtake(step, pusher),
                    luck => {
                        let permit = if luck < 8 { Permit::LostAnswer } else { Permit::Request };
                        let result = self.pushes.get_mut(&pusher).unwrap().step(permit);
                        if let Some(result) = result {
                            self.pushes.remove(&pusher);
                            let snapshot = snapshots.remove(&pusher).unwrap();
                            self.finished(pusher, &result, &snapshot);
                        }
                    }
                }
            }
            0..70 => self.add_record(step, number),
            // Homes are synchronised: one laptop gets the records of another.
            70..73 => {
                let other = self.choices.below(self.laptops.len());
                for (session, ids) in self.laptops[other].sessions.clone() {
                    let here = self.laptops[number].sessions.entry(session).or_default();
                    // Times of a transcript do not go back.
                    let last = here.last().map_or(Month::FIRST, |id| month_of(id));
                    let is_new = |id: &String| !here.contains(id) && month_of(id) >= last;
                    let new: Vec<String> = ids.into_iter().filter(is_new).collect();
                    here.extend(new);
                }
            }
            75..77 => self.start_others(number),
            // Claude Code deletes an old transcript.
            73..75 => {
                let session = self.session();
                self.laptops[number].sessions.remove(&session);
            }
            77 => self.laptops[number].forget(),
            // A new version of annals has better rules.
            78 => self.laptops[number].rules += 1,
            79..81 => {
                let session = self.session();
                let owner = self.laptops[number].owner.clone();
                for laptop in self.laptops.iter_mut().filter(|laptop| laptop.owner == owner) {
                    laptop.by_rule.insert(session.clone());
                }
            }
            81..87 => {
                let session = self.session();
                let audiences = [
                    Sharing::With(Audience::Private),
                    Sharing::With("team:tides".parse().unwrap()),
                    Sharing::With("team:moon".parse().unwrap()),
                    Sharing::With(Audience::Org),
                    Sharing::Forgotten,
                ];
                let sharing = self.choices.one_of(&audiences).clone();
                let laptop = &mut self.laptops[number];
                laptop.decisions.decide(session, sharing);
                laptop.is_unapplied = true;
            }
            _ => {
                // One laptop is set up later than the others: what was decided before then
                // holds for it too.
                let is_set_up = number != LATE || step >= self.late_from;
                if is_set_up && !self.pushes.contains_key(&number) {
                    let push = self.start_push(number);
                    snapshots.insert(number, self.laptops[number].clone());
                    self.pushes.insert(number, push);
                }
            }
        }
    }

    /// A push waits while a copy of its home pushes again and again, so that the number of
    /// the manifest that it is about to write is used, deleted and free again.
    fn overtake(&mut self, step: usize, slow: usize) {
        let (slow_one, laptops) = (&self.laptops[slow], self.laptops.iter().enumerate());
        let mut copies = laptops.filter(|(number, laptop)| {
            *number != slow
                && laptop.installation == slow_one.installation
                && !self.pushes.contains_key(number)
        });
        let Some((copy, _)) = copies.next() else { return };
        for _ in 0..OVERTAKING {
            self.add_record(step, copy);
            let snapshot = self.laptops[copy].clone();
            let result = self.start_push(copy).finish();
            self.finished(copy, &result, &snapshot);
        }
    }

    fn add_record(&mut self, step: usize, laptop: usize) {
        let session = self.session();
        self.next_id += 1;
        let month = 9 + step * 3 / STEPS;
        let id = format!("{month:02}u{}", self.next_id);
        self.laptops[laptop].sessions.entry(session).or_default().push(id);
    }

    fn push_in_peace(&mut self) -> Result<(), String> {
        for number in 0..self.laptops.len() {
            let snapshot = self.laptops[number].clone();
            let result = self.start_push(number).finish();
            if let Err(error) = &result {
                return Err(format!("a push in peace failed: {error}"));
            }
            self.finished(number, &result, &snapshot);
            self.check_names()?;
        }
        Ok(())
    }

    fn run(mut self) -> Result<(), String> {
        let mut snapshots = BTreeMap::new();
        for step in 0..STEPS {
            self.step(step, &mut snapshots);
            self.check_names()?;
            self.check_decisions()?;
            if step % 3 == 0 {
                self.check_receipts()?;
            }
        }
        self.pushes.clear();
        (self.taking, self.loading) = (None, None);
        let newest = self.laptops.iter().map(|laptop| laptop.rules).max();
        for laptop in &mut self.laptops {
            laptop.is_unfinished = true;
            laptop.rules = newest.unwrap_or_default();
        }
        for (owner, what) in std::mem::take(&mut self.unfinished) {
            let finished = self.start_taking_back(&owner, &what).finish();
            finished.map_err(|error| format!("taking back in peace failed: {error}"))?;
            self.taken_back(&owner, &what);
            self.check_names()?;
        }
        for _ in 0..3 {
            self.push_in_peace()?;
            let loaded = self.start_loading().finish();
            loaded.map_err(|error| format!("loading in peace failed: {error}"))?;
            self.check_receipts()?;
        }
        self.check_end()?;
        self.check_days()?;
        self.check_engine()?;
        self.check_all_is_gone()?;
        let before = self.objects.0.borrow().clone();
        self.push_in_peace()?;
        if *self.objects.0.borrow() == before {
            Ok(())
        } else {
            Err("a push with nothing new wrote something".to_owned())
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn interrupted_and_concurrent_pushes_lose_nothing_and_keep_nothing_forgotten(seed: u64) {
        if let Err(reason) = Walk::new(seed, Planted::Nothing).run() {
            return Err(TestCaseError::fail(reason));
        }
    }
}

#[test]
#[ignore = "takes minutes: cargo test --release --package annals-lake -- --ignored"]
fn ten_thousand_walks_find_no_fault() {
    for seed in 0..10_000 {
        Walk::new(seed, Planted::Nothing)
            .run()
            .unwrap_or_else(|reason| panic!("walk {seed}: {reason}"));
    }
}

#[test]
fn planted_mistakes_are_noticed() {
    let planted = [
        Planted::ReplacesManifests,
        Planted::NeverReplays,
        Planted::In(Flaw::NumbersAllSegmentsAlike),
        Planted::In(Flaw::NeverDeletes),
        Planted::In(Flaw::RemovesBeforeAdding),
        Planted::In(Flaw::SkipsDecisionsOfOthers),
        Planted::In(Flaw::DeletesWithoutLooking),
        Planted::In(Flaw::ObeysOnlyOwnDecisions),
    ];
    for mistake in planted {
        let noticed = (0..1_000)
            .find_map(|seed| Walk::new(seed, mistake).run().err().map(|reason| (seed, reason)));
        let (seed, reason) = noticed.unwrap_or_else(|| panic!("{mistake:?} was not noticed"));
        println!("{mistake:?}: noticed in walk {seed}: {reason}");
    }
}

/// A push that shares a session with a team is interrupted after each of its requests by
/// a decision, on another laptop, that the session is private.
fn interrupt_sharing_everywhere() -> Result<(), String> {
    let session: SessionId = "s1".parse().unwrap();
    for requests in 0.. {
        let mut walk = Walk::new(0, Planted::Nothing);
        let (deciding, sharing) = (0, LATE);
        for laptop in [deciding, sharing] {
            walk.laptops[laptop].sessions.insert(session.clone(), vec!["11u1".to_owned()]);
        }
        let team = Sharing::With("team:tides".parse().unwrap());
        walk.laptops[sharing].decisions.decide(session.clone(), team.clone());
        let mut push = walk.start_push(sharing);
        for _ in 0..requests {
            if push.step(Permit::Request).is_some() {
                return Ok(());
            }
        }
        let decisions = &mut walk.laptops[deciding].decisions;
        decisions.decide(session.clone(), team);
        decisions.decide(session.clone(), Sharing::With(Audience::Private));
        walk.laptops[deciding].is_unapplied = true;
        walk.start_push(deciding).finish().map_err(|error| error.to_string())?;
        push.finish().map_err(|error| error.to_string())?;
        let found = walk.check_sharing("ada", &walk.readable());
        found.map_err(|reason| format!("after {requests} requests: {reason}"))?;
    }
    Ok(())
}

#[test]
fn a_decision_made_during_a_push_holds_when_both_have_finished() {
    interrupt_sharing_everywhere().unwrap();
}
