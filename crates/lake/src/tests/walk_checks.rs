//! What has to hold in a walk.

use super::walks::{Rows, Walk};
use crate::acknowledgement::Acknowledgements;
use crate::decision::{Decisions, Sharing};
use crate::local::Local as _;
use crate::manifest::Manifest;
use crate::names::{Audience, Level, SegmentName, SessionId, Table};
use crate::receipt::Receipt;
use crate::segment::Format as _;
use crate::tests::bucket::{SteppedBucket, finish_at_once};
use crate::tests::laptop::{JsonFormat, TABLES, month_of, project_of};
use std::collections::{BTreeMap, BTreeSet};

impl Walk {
    /// What all laptops of an owner and administrators decided, together.
    pub(super) fn decisions(&self, owner: &str) -> Decisions {
        let mut joined = self.decisions_in_lake(owner);
        for laptop in self.laptops.iter().filter(|laptop| laptop.owner.as_str() == owner) {
            joined.merge(&laptop.decisions);
        }
        joined
    }

    /// What the private chains of an owner know.
    pub(super) fn decisions_in_lake(&self, owner: &str) -> Decisions {
        let mut joined = Decisions::default();
        let private = format!("v1/private/{owner}/");
        for (prefix, manifest) in self.heads() {
            if prefix.starts_with(&private) {
                joined.merge(&manifest.decisions);
            }
        }
        joined
    }

    /// The newest manifest of every chain, by the chain's prefix.
    pub(super) fn heads(&self) -> BTreeMap<String, Manifest> {
        let objects = self.objects.0.borrow();
        let mut heads = BTreeMap::new();
        for (name, bytes) in objects.iter() {
            if let Some((prefix, _)) = name.split_once("m/0") {
                heads.insert(prefix.to_owned(), Manifest::parse(bytes).unwrap());
            }
        }
        heads
    }

    pub(super) fn check_names(&self) -> Result<(), String> {
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
    pub(super) fn readable(&self) -> Rows {
        let named = self.heads().into_iter().flat_map(|(prefix, manifest)| {
            manifest.segments.into_iter().map(move |segment| format!("{prefix}d/{}", segment.name))
        });
        let objects = self.objects.0.borrow();
        named.flat_map(|name| rows_of(&name, &objects[&name])).collect()
    }

    /// Everything that lies in any object, named or not.
    pub(super) fn stored(&self) -> Rows {
        let objects = self.objects.0.borrow();
        let segments = objects.iter().filter(|(name, _)| name.contains("/d/"));
        segments.flat_map(|(name, bytes)| rows_of(name, bytes)).collect()
    }

    /// Once every decision of an owner is applied and no push of the owner is under way or
    /// has died, readers find everything where it belongs.
    pub(super) fn check_decisions(&self) -> Result<(), String> {
        for owner in ["ada", "bob"] {
            let mut laptops = self.laptops.iter().enumerate();
            let is_settled = laptops.all(|(number, laptop)| {
                let is_at_rest = !laptop.is_unapplied && !laptop.is_unfinished;
                laptop.owner.as_str() != owner || (is_at_rest && !self.pushes.contains_key(&number))
            });
            if is_settled && !self.unfinished.iter().any(|(of, _)| of.as_str() == owner) {
                self.check_sharing(owner, &self.readable())?;
            }
        }
        Ok(())
    }

    pub(super) fn check_sharing(&self, owner: &str, rows: &Rows) -> Result<(), String> {
        check_rows(owner, &self.decisions(owner), rows)
    }

    /// Names of segments say which month their rows are of.
    fn check_expired(&self, owner: &str, decisions: &Decisions) -> Result<(), String> {
        let objects = self.objects.0.borrow();
        for name in objects.keys() {
            let Some((chain, segment)) = name.split_once("d/0") else { continue };
            let segment: SegmentName = format!("0{segment}").parse().unwrap();
            let is_expired = decisions.is_expired(segment.table.level(), segment.month);
            if owner_of(chain) == Some(owner) && is_expired {
                return Err(format!("{name} is expired and there"));
            }
        }
        Ok(())
    }

    /// What a receipt says is gone is in no object and not in the engine.
    pub(super) fn check_receipts(&self) -> Result<(), String> {
        let bucket = SteppedBucket::free(&self.objects);
        let acknowledgements = finish_at_once(Acknowledgements::read(&bucket)).unwrap();
        for owner in ["ada", "bob"] {
            let name = owner.parse().unwrap();
            let nothing = Decisions::default();
            let receipt = Receipt::read(&bucket, &name, &nothing, &acknowledgements);
            let receipt = finish_at_once(receipt).unwrap();
            if receipt.is_gone_everywhere() {
                let wrong = |reason: String| format!("{reason}, but the receipt says it is gone");
                check_rows(owner, &receipt.decisions, &self.stored()).map_err(wrong)?;
                let engine: Rows = self.engine.rows.borrow().keys().cloned().collect();
                check_rows(owner, &receipt.decisions, &engine).map_err(wrong)?;
                self.check_expired(owner, &receipt.decisions).map_err(wrong)?;
            }
        }
        Ok(())
    }

    /// When everybody has pushed and the loader has run in peace, receipts say so.
    pub(super) fn check_all_is_gone(&self) -> Result<(), String> {
        let bucket = SteppedBucket::free(&self.objects);
        let acknowledgements = finish_at_once(Acknowledgements::read(&bucket)).unwrap();
        for owner in ["ada", "bob"] {
            let (name, all) = (owner.parse().unwrap(), self.decisions(owner));
            let receipt = Receipt::read(&bucket, &name, &all, &acknowledgements);
            let receipt = finish_at_once(receipt).unwrap();
            if let Some(outstanding) = receipt.outstanding.first() {
                return Err(format!("in the end, of {owner}: {outstanding}"));
            }
            self.check_expired(owner, &all)?;
        }
        Ok(())
    }

    /// The engine has what readers find.
    pub(super) fn check_engine(&self) -> Result<(), String> {
        let (engine, lake) = (self.engine.rows.borrow(), self.readable());
        if let Some(row) = lake.iter().find(|row| !engine.contains_key(row)) {
            return Err(format!("{row:?} is not in the engine"));
        }
        match engine.keys().find(|row| !lake.contains(row)) {
            Some(row) => Err(format!("{row:?} is only in the engine")),
            None => Ok(()),
        }
    }

    /// Rows of records that a laptop has are made by its rules, or newer ones.
    pub(super) fn check_rules(&self) -> Result<(), String> {
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

    pub(super) fn check_end(&self) -> Result<(), String> {
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
            if decisions.has_left() {
                continue;
            }
            for (session, id) in rows {
                if decisions.has_forgotten_project(project_of(&session)) {
                    continue;
                }
                for table in TABLES {
                    if decisions.is_expired(table.level(), month_of(&id)) {
                        continue;
                    }
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
    pub(super) fn check_days(&self) -> Result<(), String> {
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
}

/// Rows must be where decisions want them.
fn check_rows(owner: &str, decisions: &Decisions, rows: &Rows) -> Result<(), String> {
    for row in rows.iter().filter(|row| row.0 == owner) {
        let (_, audience, table, session, _) = row;
        if decisions.has_left() {
            return Err(format!("{row:?} is there, and {owner} has left"));
        }
        let is_forgotten =
            *table != Table::Days && decisions.has_forgotten_project(project_of(session));
        match decisions.get(session).map(|decision| &decision.sharing) {
            _ if is_forgotten => return Err(format!("{row:?} is of a forgotten project")),
            Some(Sharing::Forgotten) => return Err(format!("{row:?} is forgotten and there")),
            Some(Sharing::With(there)) if table.level() > Level::Usage && there != audience => {
                return Err(format!("{row:?} is for {there} and there for others"));
            }
            _ => {}
        }
    }
    Ok(())
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
