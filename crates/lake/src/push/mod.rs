//! Brings what an installation shares into its chains.
//!
//! A push reads the chains of its installation, compares them with what is here and
//! with what the owner decided, and writes at most one manifest per chain and attempt.
//! It can die between any two requests and be repeated by anybody with the same home.
//!
//! Rows that change their audience are first added where they belong and then removed
//! where they were, in two attempts, so that nothing is lost in between: the lake may be
//! the last to have them. Decisions are written first of all, in the private chain.

mod change;
mod days;
mod read;

use self::change::{PiecesByPlace, Removal};
use self::read::{ReadChain, decisions_about, holdings};
use crate::bucket::{Bucket, BucketError};
use crate::chain::{Chain, ChainError, ChainHead, Collected};
use crate::decision::Decisions;
use crate::flaw::Flaw;
use crate::local::{Local, Target};
use crate::manifest::{Manifest, Obedience, Segment};
use crate::memory::Memory;
use crate::names::{
    Audience, Installation, ManifestNumber, Month, NameError, Owner, SegmentName, SessionId, Table,
};
use crate::private_chains::PrivateChains;
use crate::segment::{Format, FormatError};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// How often a push begins again because a copy of this home writes at the same time.
const MAX_ATTEMPTS: usize = 50;

/// How to push.
#[derive(Clone, Debug)]
pub struct PushOptions {
    /// Merge the small segments of a table and month when there are more than this many.
    pub small_segments: usize,
    /// A segment is small below this size.
    pub small_bytes: u64,
    /// Write a manifest after about this many bytes of new rows, and go on with the rest
    /// behind it. Bounds what a push holds in memory.
    pub batch_bytes: u64,
    /// Delete unnamed segments even if there is nothing to write: an earlier push may have
    /// died and left some.
    pub collects_always: bool,
    /// After how many manifests of a chain unnamed segments are deleted at the latest. What was
    /// taken back is deleted at once.
    pub collect_every: u32,
    /// Begin with what is remembered of the lake without asking whether it is still so.
    /// Writing shows it: the number of the next manifest is taken, or the manifest is not the
    /// newest, and the push begins again without this.
    pub trusts_memory: bool,
    /// A mistake to make, so that tests can show that they notice it.
    #[cfg(test)]
    pub(crate) flaw: Option<Flaw>,
}

impl Default for PushOptions {
    fn default() -> Self {
        PushOptions {
            small_segments: 8,
            small_bytes: 8 << 20,
            batch_bytes: 48 << 20,
            collects_always: false,
            collect_every: 8,
            trusts_memory: false,
            #[cfg(test)]
            flaw: None,
        }
    }
}

/// A segment that a push wrote.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WrittenSegment {
    /// Who may read it.
    pub audience: Audience,
    /// The segment.
    pub segment: Segment,
    /// The sessions it has rows of; none for sums by day.
    pub sessions: BTreeSet<SessionId>,
}

/// What a push did.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct PushReport {
    /// Manifests written.
    pub manifests: u64,
    /// Segments written.
    pub segments: Vec<WrittenSegment>,
    /// Objects deleted.
    pub deleted: u64,
    /// Whether nothing was added because a newer annals has pushed for this installation.
    pub has_old_rules: bool,
    /// Whether the owner has left: the lake takes nothing.
    pub has_left: bool,
    /// The owner's private chains when nothing was left to do.
    pub private: PrivateChains,
}

/// Why a push failed. It can always be repeated.
#[derive(Debug, thiserror::Error)]
pub enum PushError {
    /// A chain cannot be read or written.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// A request failed.
    #[error(transparent)]
    Bucket(#[from] BucketError),
    /// A segment cannot be read.
    #[error("{name}: {source}")]
    Format {
        /// The object.
        name: String,
        /// What is wrong.
        source: FormatError,
    },
    /// A name cannot be made.
    #[error(transparent)]
    Name(NameError),
    /// Another process with the same installation is always faster.
    #[error("another process of this installation writes at the same time; try again later")]
    Contended,
}

/// Pushes for one installation.
#[derive(Debug)]
pub struct Pusher<'a, B, F, L, M> {
    /// Where to.
    pub bucket: &'a B,
    /// How segments are encoded.
    pub format: &'a F,
    /// What is here.
    pub local: &'a L,
    /// What is remembered of the lake.
    pub memory: &'a M,
    /// Whose rows they are.
    pub owner: Owner,
    /// Whose chains are written.
    pub installation: Installation,
    /// How to push.
    pub options: PushOptions,
}

/// How an attempt ended.
enum Attempt {
    /// All chains obey the decisions, except for the sums by day.
    Finished(Settled),
    /// It wrote a part, and more is left.
    Continues,
    /// Something changed meanwhile, or a second step is due.
    Again,
}

/// What an attempt left behind.
struct Settled {
    /// The newest manifest of the private chain, with the decisions that the chains obey.
    control: ChainHead,
    /// All private chains of the owner.
    private: PrivateChains,
    /// The newest manifest of the chain for everyone.
    org: ManifestNumber,
}

impl<B: Bucket, F: Format, L: Local<F::Rows>, M: Memory> Pusher<'_, B, F, L, M> {
    /// Pushes until there is nothing left to do.
    pub async fn push(&self) -> Result<PushReport, PushError> {
        let mut report = PushReport::default();
        let mut attempts = 0;
        let mut trusts = self.options.trusts_memory;
        while attempts < MAX_ATTEMPTS {
            match self.attempt(trusts, &mut report).await? {
                Attempt::Finished(settled) => {
                    if self.publish_days(&settled, trusts, &mut report).await? {
                        return Ok(report);
                    }
                }
                Attempt::Continues => {
                    attempts = 0;
                    continue;
                }
                Attempt::Again => {}
            }
            attempts += 1;
            trusts = false;
        }
        Err(PushError::Contended)
    }

    async fn attempt(&self, trusts: bool, report: &mut PushReport) -> Result<Attempt, PushError> {
        let control = self.chain(Audience::Private);
        let control_head = self.head(&control, trusts).await?;
        if control_head.number == ManifestNumber::NONE {
            // An empty manifest announces this installation. From here on, decisions of
            // the owner's other installations reach this chain; earlier ones are read now.
            let announced = control.append(control_head.number, Manifest::default()).await?;
            report.manifests += u64::from(announced.is_some());
            return Ok(Attempt::Again);
        }
        let decisions = self.known_decisions(&control_head).await?;
        let rules = control_head.manifest.rules.max(self.local.rules());
        report.has_old_rules = self.local.rules() < rules;
        let Some(chains) = self.read_chains(control_head.clone(), trusts).await? else {
            return Ok(Attempt::Again);
        };
        let is_new = decisions != control_head.manifest.decisions;
        let Some(forgotten) = self.of_forgotten_projects(&chains, &decisions, is_new).await? else {
            return Ok(Attempt::Again);
        };
        let decided = if is_new {
            self.number_after(control_head.number)?
        } else {
            control_head.manifest.decided
        };
        report.has_left = decisions.has_left();
        let holdings = holdings(&chains);
        let target = |session: &SessionId, table, month| {
            if forgotten.contains(session) {
                return Target::Nowhere;
            }
            self.target(&decisions, session, table, month)
        };

        let mut additions = self.moves(&chains, &holdings, &target).await?;
        let Some(moved) = additions.as_mut() else { return Ok(Attempt::Again) };
        let has_moves = !moved.is_empty();
        let mut has_more = false;
        if !has_moves && !report.has_old_rules {
            has_more = self.add_local(moved, &holdings, &target);
        }
        let additions = additions.unwrap_or_default();
        let removal = if has_moves && !self.makes(Flaw::RemovesBeforeAdding) {
            Removal::Nothing
        } else if has_more || report.has_old_rules {
            Removal::Misplaced
        } else {
            Removal::MisplacedAndOutdated
        };

        let wanted: BTreeSet<Audience> =
            additions.keys().map(|(audience, ..)| audience.clone()).collect();
        let mut audiences: BTreeSet<Audience> = chains.keys().cloned().collect();
        audiences.extend(wanted);
        let mut additions_by_audience: BTreeMap<Audience, PiecesByPlace<F::Rows>> = BTreeMap::new();
        for ((audience, table, month), pieces) in additions {
            additions_by_audience.entry(audience).or_default().insert((table, month), pieces);
        }

        let mut org_number = ManifestNumber::NONE;
        let mut settled_control = control_head;
        let mut private = PrivateChains::default();
        // `Private` sorts first: decisions and the list of audiences are written before
        // anything that depends on them.
        for audience in &audiences {
            let chain = self.chain(audience.clone());
            let empty = ReadChain { head: ChainHead::default(), entries: Vec::new() };
            let read = chains.get(audience).unwrap_or(&empty);
            let added = additions_by_audience.remove(audience).unwrap_or_default();
            let head = read.head.clone();
            let Some(change) = self.change(&chain, read, added, removal, &target).await? else {
                return Ok(Attempt::Again);
            };
            let mut manifest = head.manifest.clone();
            manifest.segments = change.segments;
            if *audience == Audience::Private {
                manifest.decided = decided;
                manifest.decisions.clone_from(&decisions);
                manifest.knows_decisions = true;
                manifest.rules = rules;
                manifest.audiences = audiences
                    .iter()
                    .filter(|other| **other != Audience::Private)
                    .cloned()
                    .collect();
            } else {
                manifest.decisions.merge(&decisions_about(&decisions, read));
            }
            manifest.obeys = self.obedience(audience, &head, &manifest, decided, removal)?;
            let mut newest = head.clone();
            if manifest != head.manifest {
                let Some(written) =
                    self.write(&chain, &head, manifest, change.objects, report).await?
                else {
                    return Ok(Attempt::Again);
                };
                newest = written;
            }
            let is_written = newest != head;
            let collects = (self.options.collects_always && !self.makes(Flaw::NeverDeletes))
                || (is_written && self.collects_now(&head, &newest, &decisions));
            if collects {
                let Some(collected) = self.collect(&chain, &newest).await? else {
                    return Ok(Attempt::Again);
                };
                report.deleted += collected.deleted;
                if collected.has_unfinished && self.options.collects_always {
                    // Of a push that died. The same manifest under the next number makes
                    // its segments deletable; a push that is alive begins again.
                    let Some(next) = chain.append(newest.number, newest.manifest).await? else {
                        return Ok(Attempt::Again);
                    };
                    report.manifests += 1;
                    let Some(collected) = self.collect(&chain, &next).await? else {
                        return Ok(Attempt::Again);
                    };
                    report.deleted += collected.deleted;
                    self.memory.keep_head(&chain.name, &next);
                    newest = next;
                }
            }
            if *audience == Audience::Private {
                // Looked at in any case, and before other chains are written: what was
                // decided meanwhile is there.
                private = PrivateChains::list(self.bucket, &self.owner).await?;
                if private.newest(&self.installation) != newest.number {
                    return Ok(Attempt::Again);
                }
                settled_control = newest;
                continue;
            }
            if is_written && !collects && !chain.is_newest(newest.number).await? {
                return Ok(Attempt::Again);
            }
            if *audience == Audience::Org {
                org_number = newest.number;
            }
        }
        if has_moves {
            return Ok(Attempt::Again);
        }
        if has_more {
            return Ok(Attempt::Continues);
        }
        Ok(Attempt::Finished(Settled { control: settled_control, private, org: org_number }))
    }

    /// Whether what a new manifest does not name is deleted at once. Sums of a day that are
    /// replaced by newer ones wait, unless something was ever taken back.
    fn collects_now(&self, before: &ChainHead, now: &ChainHead, decisions: &Decisions) -> bool {
        if self.makes(Flaw::NeverDeletes) {
            return false;
        }
        let named: HashSet<&SegmentName> =
            now.manifest.segments.iter().map(|segment| &segment.name).collect();
        let mut dropped =
            before.manifest.segments.iter().filter(|segment| !named.contains(&segment.name));
        !decisions.is_empty()
            || u32::from(now.number).is_multiple_of(self.options.collect_every.max(1))
            || dropped.any(|segment| segment.name.table != Table::Days)
    }

    /// Deletes what can go of a chain. `None` if `head` is not its newest manifest: another
    /// writer was faster.
    async fn collect(
        &self,
        chain: &Chain<'_, B>,
        head: &ChainHead,
    ) -> Result<Option<Collected>, PushError> {
        if self.makes(Flaw::DeletesWithoutLooking) {
            return Ok(chain.collect_if(head, |_| true).await?);
        }
        Ok(chain.collect(head).await?)
    }

    /// Where rows belong, by everything that was decided.
    fn target(
        &self,
        decisions: &Decisions,
        session: &SessionId,
        table: Table,
        month: Month,
    ) -> Target {
        let own;
        let decisions = if self.makes(Flaw::ObeysOnlyOwnDecisions) {
            own = self.local.decisions();
            &own
        } else {
            decisions
        };
        let project = self.local.project(session);
        let is_refused = decisions.has_left()
            || decisions.is_expired(table.level(), month)
            || project.is_some_and(|project| decisions.has_forgotten_project(project));
        // Sums by day are made from calls: what is taken back there is gone from them.
        if is_refused && table != Table::Days {
            return Target::Nowhere;
        }
        self.local.target(session, table, decisions.get(session))
    }

    /// The decisions that a chain's next manifest obeys. Its writer vouches for the
    /// decisions that it has read itself: others may have read newer ones before, and rows
    /// that are added now may be what these take back.
    fn obedience(
        &self,
        audience: &Audience,
        head: &ChainHead,
        next: &Manifest,
        decided: ManifestNumber,
        removal: Removal,
    ) -> Result<Obedience, PushError> {
        let known = head.manifest.obeys;
        let obeys_all = removal != Removal::Nothing && *audience != Audience::Org;
        if known.decided == decided || (!obeys_all && *next == head.manifest) {
            return Ok(known);
        }
        if !obeys_all {
            return Ok(Obedience::default());
        }
        Ok(Obedience { decided, since: self.number_after(head.number)? })
    }

    /// Whether a test asked for this mistake.
    #[cfg_attr(not(test), expect(clippy::unused_self, reason = "only tests have mistakes to make"))]
    fn makes(&self, flaw: Flaw) -> bool {
        #[cfg(test)]
        let asked = self.options.flaw == Some(flaw);
        #[cfg(not(test))]
        let asked = {
            let _ = flaw;
            false
        };
        asked
    }
}
