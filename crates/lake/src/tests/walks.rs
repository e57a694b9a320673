//! The protocol in every order: each request is a step, and an actor may die between any
//! two of them.
//!
//! A walk has four laptops (two are copies of one home, three have the same owner), who
//! write, share, stop sharing, forget, delete transcripts and push at the same time. At
//! each step every named segment must exist. In the end, when everybody has pushed in
//! peace, every row is where it belongs, nothing forgotten or no longer shared is left in
//! any object, and another push writes nothing.

use crate::decision::{Decisions, Sharing};
use crate::flaw::Flaw;
use crate::local::Local as _;
use crate::manifest::Manifest;
use crate::names::{Audience, Level, SegmentName, SessionId, Table};
use crate::push::{PushError, PushOptions, PushReport};
use crate::segment::Format;
use crate::tests::bucket::{Actor, Objects, Permit};
use crate::tests::laptop::{JsonFormat, Laptop, TABLES};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const STEPS: usize = 400;
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
    In(Flaw),
}

/// Owner, audience, table, session and id of rows.
type Rows = BTreeSet<(String, Audience, Table, SessionId, String)>;
type Push = Actor<Result<PushReport, PushError>>;

struct Walk {
    choices: Choices,
    objects: Rc<Objects>,
    laptops: Vec<Laptop>,
    /// The pushes under way, by laptop.
    pushes: BTreeMap<usize, Push>,
    next_id: usize,
    /// Rows of usage that a finished push has brought into the lake.
    pushed: BTreeSet<(String, SessionId, String)>,
    /// Text that was readable when a push had finished. Transcripts may be gone since.
    pushed_text: BTreeSet<(String, SessionId, String)>,
    planted: Planted,
    /// The step from which the late laptop pushes.
    late_from: usize,
}

impl Walk {
    fn new(seed: u64, planted: Planted) -> Self {
        let laptops = [("ada", "i1"), ("ada", "i1"), ("ada", "i2"), ("bob", "i3")];
        let mut choices = Choices(seed);
        let late_from = choices.below(STEPS);
        Walk {
            choices,
            late_from,
            objects: Rc::default(),
            laptops: laptops.iter().map(|(owner, home)| Laptop::new(owner, home)).collect(),
            pushes: BTreeMap::new(),
            next_id: 0,
            pushed: BTreeSet::new(),
            pushed_text: BTreeSet::new(),
            planted,
        }
    }

    fn start_push(&self, laptop: usize) -> Push {
        let flaw = if let Planted::In(flaw) = self.planted { Some(flaw) } else { None };
        let options =
            PushOptions { small_segments: 2, batch_bytes: 3, flaw, ..PushOptions::default() };
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
            if report.has_old_rules {
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

    /// What all laptops of an owner decided, together.
    fn decisions(&self, owner: &str) -> Decisions {
        let mut joined = Decisions::default();
        for laptop in self.laptops.iter().filter(|laptop| laptop.owner.as_str() == owner) {
            joined.merge(&laptop.decisions);
        }
        joined
    }

    fn step(&mut self, step: usize, snapshots: &mut BTreeMap<usize, Laptop>) {
        let number = self.choices.below(self.laptops.len());
        match self.choices.below(100) {
            0..60 if !self.pushes.is_empty() => {
                let running: Vec<usize> = self.pushes.keys().copied().collect();
                let pusher = *self.choices.one_of(&running);
                match self.choices.below(100) {
                    0..3 => {
                        self.pushes.remove(&pusher);
                        self.laptops[pusher].is_unfinished = true;
                    }
                    luck => {
                        let permit = if luck < 5 { Permit::LostAnswer } else { Permit::Request };
                        let result = self.pushes.get_mut(&pusher).unwrap().step(permit);
                        if let Some(result) = result {
                            self.pushes.remove(&pusher);
                            let snapshot = snapshots.remove(&pusher).unwrap();
                            self.finished(pusher, &result, &snapshot);
                        }
                    }
                }
            }
            0..72 => {
                let session = self.session();
                self.next_id += 1;
                let id = format!("u{}", self.next_id);
                self.laptops[number].sessions.entry(session).or_default().push(id);
            }
            // Homes are synchronised: one laptop gets the records of another.
            72..75 => {
                let other = self.choices.below(self.laptops.len());
                for (session, ids) in self.laptops[other].sessions.clone() {
                    let here = self.laptops[number].sessions.entry(session).or_default();
                    let new: Vec<String> =
                        ids.into_iter().filter(|id| !here.contains(id)).collect();
                    here.extend(new);
                }
            }
            // Claude Code deletes an old transcript.
            75..77 => {
                let session = self.session();
                self.laptops[number].sessions.remove(&session);
            }
            77 => self.laptops[number].memory.forget(),
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

    /// The newest manifest of every chain, by the chain's prefix.
    fn heads(&self) -> BTreeMap<String, Manifest> {
        let objects = self.objects.0.borrow();
        let mut heads = BTreeMap::new();
        for (name, bytes) in objects.iter() {
            if let Some((prefix, _)) = name.split_once("m/0") {
                heads.insert(prefix.to_owned(), Manifest::parse(bytes).unwrap());
            }
        }
        heads
    }

    fn check_names(&self) -> Result<(), String> {
        let objects = self.objects.0.borrow();
        for (prefix, manifest) in self.heads() {
            for segment in manifest.segments {
                let name = format!("{prefix}d/{}", segment.name);
                if !objects.contains_key(&name) {
                    return Err(format!("{name} is named and does not exist"));
                }
            }
        }
        Ok(())
    }

    /// Everything that readers find.
    fn readable(&self) -> Rows {
        let named = self.heads().into_iter().flat_map(|(prefix, manifest)| {
            manifest.segments.into_iter().map(move |segment| format!("{prefix}d/{}", segment.name))
        });
        let objects = self.objects.0.borrow();
        named.flat_map(|name| rows_of(&name, &objects[&name])).collect()
    }

    /// Everything that lies in any object, named or not.
    fn stored(&self) -> Rows {
        let objects = self.objects.0.borrow();
        let segments = objects.iter().filter(|(name, _)| name.contains("/d/"));
        segments.flat_map(|(name, bytes)| rows_of(name, bytes)).collect()
    }

    /// Once every decision of an owner is applied and no push of the owner is under way or
    /// has died, readers find everything where it belongs.
    fn check_decisions(&self) -> Result<(), String> {
        for owner in ["ada", "bob"] {
            let mut laptops = self.laptops.iter().enumerate();
            let is_settled = laptops.all(|(number, laptop)| {
                let is_at_rest = !laptop.is_unapplied && !laptop.is_unfinished;
                laptop.owner.as_str() != owner || (is_at_rest && !self.pushes.contains_key(&number))
            });
            if is_settled {
                self.check_sharing(owner, &self.readable())?;
            }
        }
        Ok(())
    }

    fn check_sharing(&self, owner: &str, rows: &Rows) -> Result<(), String> {
        let decisions = self.decisions(owner);
        for row in rows.iter().filter(|row| row.0 == owner) {
            let (_, audience, table, session, _) = row;
            match decisions.get(session).map(|decision| &decision.sharing) {
                Some(Sharing::Forgotten) => return Err(format!("{row:?} is forgotten and there")),
                Some(Sharing::With(there)) if table.level() > Level::Usage && there != audience => {
                    return Err(format!("{row:?} is for {there} and there for others"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Rows of records that a laptop has are made by its rules, or newer ones.
    fn check_rules(&self) -> Result<(), String> {
        for (name, bytes) in self.objects.0.borrow().iter() {
            let Some((chain, segment)) = name.split_once("/d/") else { continue };
            let segment: SegmentName = segment.parse().unwrap();
            for laptop in &self.laptops {
                if !chain.ends_with(&format!("/{}/{}", laptop.owner, laptop.installation)) {
                    continue;
                }
                let entries = JsonFormat.entries(segment.table, bytes).unwrap();
                let old = entries.iter().find(|entry| laptop.is_outdated(segment.table, entry));
                if let Some(entry) = old {
                    let rules = laptop.rules;
                    return Err(format!("{entry:?} is in {name}, and the rules are {rules}"));
                }
            }
        }
        Ok(())
    }

    fn check_end(&self) -> Result<(), String> {
        self.check_rules()?;
        let readable = self.readable();
        let stored = self.stored();
        for owner in ["ada", "bob"] {
            let decisions = self.decisions(owner);
            let sharing = |session: &SessionId| {
                decisions.get(session).map(|decision| decision.sharing.clone())
            };
            self.check_sharing(owner, &stored)?;
            let laptops = self.laptops.iter().filter(|laptop| laptop.owner.as_str() == owner);
            let mut rows: BTreeSet<(SessionId, String)> = laptops
                .flat_map(|laptop| &laptop.sessions)
                .flat_map(|(session, ids)| ids.iter().map(|id| (session.clone(), id.clone())))
                .collect();
            let pushed = self.pushed.iter().filter(|row| row.0 == owner);
            rows.extend(pushed.map(|(_, session, id)| (session.clone(), id.clone())));
            for (session, id) in rows {
                for table in TABLES {
                    let there = match (sharing(&session), table.level()) {
                        (Some(Sharing::Forgotten), _) => continue,
                        (_, Level::Usage) => Audience::Private,
                        (Some(Sharing::With(audience)), _) => audience,
                        // By rules, rows of a session that is gone may be where they were.
                        (None, _) => continue,
                    };
                    let is_pushed = match table.level() {
                        Level::Usage => true,
                        _ => self.pushed_text.contains(&(
                            owner.to_owned(),
                            session.clone(),
                            id.clone(),
                        )),
                    };
                    let is_here = self.laptops.iter().any(|laptop| {
                        laptop.owner.as_str() == owner
                            && laptop.sessions.get(&session).is_some_and(|ids| ids.contains(&id))
                    });
                    let row = (owner.to_owned(), there, table, session.clone(), id.clone());
                    if (is_here || is_pushed) && !readable.contains(&row) {
                        return Err(format!("{row:?} is lost"));
                    }
                }
            }
        }
        Ok(())
    }

    /// Every call that lies in a private chain counts once in the sums of its owner.
    fn check_days(&self) -> Result<(), String> {
        let rows = |table: Table, owner: &str| -> BTreeSet<String> {
            let rows = self.readable().into_iter().filter(|row| row.0 == owner && row.2 == table);
            rows.map(|row| row.4).collect()
        };
        for owner in ["ada", "bob"] {
            let (calls, days) = (rows(Table::Calls, owner), rows(Table::Days, owner));
            if calls != days {
                return Err(format!("the sums of {owner} are of {days:?} instead of {calls:?}"));
            }
        }
        let objects = self.objects.0.borrow();
        for (prefix, manifest) in self.heads() {
            let days = manifest.segments.iter().filter(|one| one.name.table == Table::Days);
            let names = days.map(|segment| format!("{prefix}d/{}", segment.name));
            let ids: Vec<String> =
                names.flat_map(|name| rows_of(&name, &objects[&name])).map(|row| row.4).collect();
            for (other, manifest) in self.heads() {
                let is_same_owner = owner_of(&other) == owner_of(&prefix);
                if other == prefix || !is_same_owner {
                    continue;
                }
                let days = manifest.segments.iter().filter(|one| one.name.table == Table::Days);
                let names = days.map(|segment| format!("{other}d/{}", segment.name));
                let twice = names
                    .flat_map(|name| rows_of(&name, &objects[&name]))
                    .find(|row| ids.contains(&row.4));
                if let Some(row) = twice {
                    return Err(format!("{} counts in {prefix} and in {other}", row.4));
                }
            }
        }
        Ok(())
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
        }
        self.pushes.clear();
        let newest = self.laptops.iter().map(|laptop| laptop.rules).max();
        for laptop in &mut self.laptops {
            laptop.is_unfinished = true;
            laptop.rules = newest.unwrap_or_default();
        }
        for _ in 0..3 {
            self.push_in_peace()?;
        }
        self.check_end()?;
        self.check_days()?;
        let before = self.objects.0.borrow().clone();
        self.push_in_peace()?;
        if *self.objects.0.borrow() == before {
            Ok(())
        } else {
            Err("a push with nothing new wrote something".to_owned())
        }
    }
}

fn owner_of(prefix: &str) -> Option<&str> {
    prefix.trim_end_matches('/').rsplit('/').nth(1)
}

fn rows_of(name: &str, bytes: &[u8]) -> Vec<(String, Audience, Table, SessionId, String)> {
    let (chain, segment) = name.split_once("/d/").unwrap();
    let segment: SegmentName = segment.parse().unwrap();
    assert!(segment.fits(bytes), "{name} has other bytes than its name says");
    let parts: Vec<&str> = chain.split('/').collect();
    let (audience, owner) = match parts[..] {
        ["v1", "private", owner, _] => (Audience::Private, owner),
        ["v1", "org", owner, _] => (Audience::Org, owner),
        ["v1", "team", team, owner, _] => (Audience::Team(team.parse().unwrap()), owner),
        _ => panic!("{name} is not a name"),
    };
    let pieces = JsonFormat.decode(segment.table, bytes).unwrap();
    let found = pieces.into_iter().flat_map(|piece| {
        let session = piece.entry.session;
        piece.rows.into_iter().map(move |id| (session.clone(), id))
    });
    found
        .map(|(session, id)| (owner.to_owned(), audience.clone(), segment.table, session, id))
        .collect()
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
        Planted::In(Flaw::NumbersAllSegmentsAlike),
        Planted::In(Flaw::NeverDeletes),
        Planted::In(Flaw::RemovesBeforeAdding),
        Planted::In(Flaw::SkipsDecisionsOfOthers),
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
fn interrupt_sharing_everywhere(planted: Planted) -> Result<(), String> {
    let session: SessionId = "s1".parse().unwrap();
    for requests in 0.. {
        let mut walk = Walk::new(0, planted);
        let (deciding, sharing) = (0, LATE);
        for laptop in [deciding, sharing] {
            walk.laptops[laptop].sessions.insert(session.clone(), vec!["u1".to_owned()]);
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
    interrupt_sharing_everywhere(Planted::Nothing).unwrap();
    let reason = interrupt_sharing_everywhere(Planted::In(Flaw::SkipsTheLastLook)).unwrap_err();
    assert!(reason.contains("there for others"), "{reason}");
}
