//! Fills servers from the objects of the lake.
//!
//! A loader has no state: each server knows which objects it holds (`loads`), which
//! of them do not count any more (`gone`) and which sessions were forgotten. Any number of
//! loaders can run at once and each can die at any time. Objects are noted before their rows
//! are sent and again when they are there. Rows of an object that was begun and not
//! finished are sent again; they are the same rows with the same keys, so nothing counts
//! twice. Objects never change, and one that no manifest names any more never comes back.
//!
//! What was taken back disappears in this order: readers do not see it (`forgotten`, `gone`),
//! its rows are deleted, the parts on disk are written without them, and then the loader
//! acknowledges the manifest.

use super::batch::{Batch, ReadyObject, new_attempt};
use super::canary::CanaryError;
use super::client::{EngineClient, EngineError, Parameter};
use super::purge::{purge_forgotten, remove};
use super::schema::VIEWS_ACCOUNT;
use super::{EngineAccount, canary, policy_check, schema, upgrade};
use crate::acknowledgement::{Acknowledgement, Acknowledgements};
use crate::bucket::{Bucket, BucketError};
use crate::chain::ChainError;
use crate::chains::{Chains, ListedChain, UnreadableChains};
use crate::decision::Sharing;
use crate::manifest::Segment;
use crate::names::{Audience, ChainName, Level, Loader as LoaderName, Table};
use crate::object_check::{CheckDepth, ObjectChecker};
use crate::reading::UnusableObject;
use crate::strange_names::WithoutStrangeNames;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// ClickHouse's numbers for data that it cannot read: too short, incorrect, too long, not
/// compressed as it says, without a value where one must be, or refused by a library.
const UNREADABLE: [u32; 6] = [33, 117, 131, 271, 349, 1001];

/// Why a load failed. It can be repeated.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A server does not do what it was asked.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The lake cannot be read.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// A request to the storage failed.
    #[error(transparent)]
    Bucket(#[from] BucketError),
    /// Readers see what they must not see.
    #[error(transparent)]
    Canary(#[from] CanaryError),
    /// The process that reads objects cannot be started.
    #[error("cannot start the process that reads objects: {0}")]
    Checker(io::Error),
    /// Parts with rows that were taken back are still on disk.
    #[error("{url}: old parts of {table} are still on disk; run annals lake load again")]
    OldParts {
        /// The server.
        url: String,
        /// The table.
        table: String,
    },
    /// A loader of an older release works on the same server.
    #[error(
        "{url}: an older annals created {table} at the same time, so nothing was loaded\nhint: stop loaders of older releases, drop the database {database}, and run annals lake load again"
    )]
    OldTable {
        /// The server.
        url: String,
        /// The table.
        table: String,
        /// Its database.
        database: String,
    },
    /// Row policies of an older release are installed.
    #[error(
        "{url}: the row policy on {table} does not ask who logged in, so a reader can claim another name, and nothing was loaded\nhint: install the accounts that annals lake load --print-policy prints now"
    )]
    OldPolicies {
        /// The server.
        url: String,
        /// The table.
        table: String,
    },
    /// It cannot be seen which row policies are installed.
    #[error(
        "{url}: cannot read the row policies, so nothing was loaded: {reason}\nhint: give the loader the rights that annals lake load --print-policy sql names"
    )]
    HiddenPolicies {
        /// The server.
        url: String,
        /// What it says.
        reason: String,
    },
    /// Views cannot be created for the account that reads rows.
    #[error(
        "{url}: {reason}\nhint: install the accounts that annals lake load --print-policy prints: views read rows as {VIEWS_ACCOUNT}"
    )]
    NoViewsAccount {
        /// The server.
        url: String,
        /// What it says.
        reason: String,
    },
}

/// What a load did.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct LoadReport {
    /// Objects that count.
    pub objects: u64,
    /// Objects loaded now.
    pub loaded: u64,
    /// Their rows.
    pub rows: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Objects whose rows were deleted.
    pub removed: u64,
    /// Sessions that are forgotten.
    pub forgotten: u64,
    /// Objects that were replaced while they were loaded. The next load has the new ones.
    pub replaced: u64,
    /// Chains that were acknowledged.
    pub acknowledged: u64,
    /// Objects that cannot be used.
    pub unusable: Vec<UnusableObject>,
}

impl LoadReport {
    fn count(&mut self, batch: &Batch<'_>) {
        for ready in batch.objects() {
            self.loaded += 1;
            self.rows = self.rows.saturating_add(ready.wanted.segment.rows);
            self.bytes += ready.bytes.len() as u64;
        }
    }
}

/// Fills servers.
#[derive(Debug)]
pub struct Loader<'a, B> {
    /// The lake.
    pub bucket: &'a B,
    /// The servers that share the rows, each as its loader.
    pub shards: Vec<EngineClient>,
    /// The name of the engine, under which manifests are acknowledged.
    pub name: LoaderName,
    /// Two readers that must not see each other's rows.
    pub readers: [EngineAccount; 2],
    /// Reads objects in a separate process.
    pub checker: ObjectChecker,
}

/// An object that a server should hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'c> {
    pub(super) chain: &'c ChainName,
    pub(super) segment: &'c Segment,
}

/// What a server knows about an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    is_done: bool,
    /// The attempt that was begun and not finished.
    pub(super) unfinished: Option<String>,
}

impl<B: Bucket> Loader<'_, B> {
    /// Creates what is missing on the servers and checks that policies hold. Views of older
    /// releases go from all servers before anything else is done on one.
    pub async fn prepare(&self, now: Timestamp) -> Result<(), LoadError> {
        let mut versions = Vec::new();
        let mut was_readable = false;
        for shard in &self.shards {
            versions.push(shard.check_version().await?);
            was_readable |= upgrade::revoke_old_views(shard).await?;
        }
        // Before the tables are removed that show an interrupted upgrade.
        if was_readable {
            Acknowledgements::note_readable(self.bucket, &self.name, now).await?;
        }
        // With old policies, new views would be readable like the old ones.
        for shard in &self.shards {
            policy_check::check(shard).await?;
        }
        for (shard, version) in self.shards.iter().zip(versions) {
            upgrade::retire_old_tables(shard).await?;
            for statement in schema::statements(shard.url(), version) {
                let done = shard.bytes(&statement, &[]).await;
                done.map_err(|error| without_views_account(error, &statement))?;
            }
            upgrade::check_layout(shard).await?;
        }
        for shard in &self.shards {
            canary::plant(shard, &self.readers).await?;
        }
        for shard in &self.shards {
            canary::check(shard, &self.shards, &self.readers).await?;
        }
        Ok(Acknowledgements::register(self.bucket, &self.name).await?)
    }

    /// Brings the servers in line with the newest manifests.
    pub async fn load(&self, mut progress: impl FnMut(u64, u64)) -> Result<LoadReport, LoadError> {
        let bucket = WithoutStrangeNames::new(self.bucket);
        let (chains, unreadable) = Chains { bucket: &bucket }.readable().await?;
        let mut report = LoadReport::default();
        report.unusable.extend(bucket.unusable());
        for UnreadableChains { prefix, reason } in &unreadable {
            report.unusable.push(UnusableObject { name: prefix.clone(), reason: reason.clone() });
        }
        let forgotten = forgotten_sessions(&chains);
        report.forgotten = forgotten.len() as u64;
        let wanted = wanted(&chains, self.shards.len());
        report.objects = wanted.iter().map(|own| own.len() as u64).sum();
        // Its manifest names an object that is gone: a newer one has come.
        let mut replaced: BTreeSet<ChainName> = BTreeSet::new();
        let mut done = 0;
        for (shard, wanted) in self.shards.iter().zip(&wanted) {
            self.forget(shard, &forgotten).await?;
            let known = known_objects(shard).await?;
            let groups = groups(wanted, &known);
            let missing: usize = groups.iter().map(|group| group.objects.len()).sum();
            done += wanted.len() - missing;
            for Group { attempt, objects } in groups {
                let mut batch = Batch::default();
                for (object, it) in objects {
                    done += 1;
                    progress(done as u64, report.objects);
                    match self.fetch(object, it).await? {
                        Fetched::Ready(ready) => {
                            if !batch.takes(&ready) {
                                let full = std::mem::take(&mut batch);
                                self.send(shard, full, attempt, &mut report).await?;
                            }
                            batch.push(ready);
                        }
                        Fetched::Replaced => {
                            report.replaced += 1;
                            replaced.insert(it.chain.clone());
                        }
                        Fetched::Unusable(object) => report.unusable.push(object),
                    }
                }
                self.send(shard, batch, attempt, &mut report).await?;
            }
            let is_gone = |object: &String| {
                !wanted.contains_key(object)
                    // What a chain names that cannot be read now is unknown.
                    && !unreadable.iter().any(|chains| object.starts_with(&chains.prefix))
            };
            let gone: Vec<(&String, &Known)> =
                known.iter().filter(|(object, _)| is_gone(object)).collect();
            report.removed += remove(shard, &gone).await?;
            purge_forgotten(shard).await?;
        }
        for chain in chains.iter().filter(|chain| !replaced.contains(&chain.name)) {
            let acknowledgement = Acknowledgement {
                loader: self.name.clone(),
                chain: chain.name.clone(),
                number: chain.head.number,
            };
            acknowledgement.write(self.bucket).await?;
            report.acknowledged += 1;
        }
        Ok(report)
    }

    /// Fetches an object and checks it, before any of it is sent to a server.
    async fn fetch<'w>(
        &self,
        object: &'w str,
        wanted: Wanted<'w>,
    ) -> Result<Fetched<'w>, LoadError> {
        let segment = wanted.segment;
        let unusable = |reason: String| {
            Ok(Fetched::Unusable(UnusableObject { name: object.to_owned(), reason }))
        };
        let bytes = match self.bucket.get_at_most(object, segment.bytes).await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(Fetched::Replaced),
            Err(error) if error.is_fault_of_object => return unusable(error.reason),
            Err(error) => return Err(error.into()),
        };
        if bytes.len() as u64 != segment.bytes {
            return unusable(format!("it has {} bytes instead of {}", bytes.len(), segment.bytes));
        }
        if !segment.name.fits(&bytes) {
            return unusable("its bytes are not the ones its name says".to_owned());
        }
        match self.check(segment.name.table, CheckDepth::Entries, &bytes)? {
            Ok(values) => Ok(Fetched::Ready(ReadyObject { object, wanted, bytes, values })),
            Err(reason) => unusable(reason),
        }
    }

    fn check(
        &self,
        table: Table,
        depth: CheckDepth,
        bytes: &[u8],
    ) -> Result<Result<u64, String>, LoadError> {
        self.checker.check(table, depth, bytes).map_err(LoadError::Checker)
    }

    /// Inserts a batch. If the server refuses it, each object is tried alone, and one that the
    /// server cannot read is left out.
    async fn send(
        &self,
        shard: &EngineClient,
        batch: Batch<'_>,
        attempt: Option<&str>,
        report: &mut LoadReport,
    ) -> Result<(), LoadError> {
        let count = batch.objects().len();
        let attempt = attempt.map_or_else(new_attempt, str::to_owned);
        match batch.insert(shard, &attempt).await {
            Ok(()) => report.count(&batch),
            Err(EngineError::Refused { .. }) if count > 1 => {
                for alone in batch.split() {
                    match alone.insert(shard, &new_attempt()).await {
                        Ok(()) => report.count(&alone),
                        Err(error) => report.unusable.push(self.refused(&alone, error)?),
                    }
                }
            }
            Err(error) => report.unusable.push(self.refused(&batch, error)?),
        }
        Ok(())
    }

    /// The object that a server refused, unless it refused for another reason than the object.
    fn refused(&self, alone: &Batch<'_>, error: EngineError) -> Result<UnusableObject, LoadError> {
        let (EngineError::Refused { code, reason, .. }, [ready]) = (&error, alone.objects()) else {
            return Err(error.into());
        };
        let table = ready.wanted.segment.name.table;
        let reason = match self.check(table, CheckDepth::Rows, &ready.bytes)? {
            Err(reason) => reason,
            Ok(_) if UNREADABLE.contains(code) => format!("the engine cannot read it: {reason}"),
            Ok(_) => return Err(error.into()),
        };
        Ok(UnusableObject { name: ready.object.to_owned(), reason })
    }

    /// Notes forgotten sessions: from now on nobody sees them and nothing inserts them.
    async fn forget(
        &self,
        shard: &EngineClient,
        forgotten: &BTreeSet<(String, String)>,
    ) -> Result<(), LoadError> {
        let database = shard.url().database();
        let statement = format!("SELECT DISTINCT owner, session_id FROM {database}.forgotten");
        let known: BTreeSet<(String, String)> = shard
            .lines(&statement, &[])
            .await?
            .into_iter()
            .filter_map(|row| Some((row.first()?.clone(), row.get(1)?.clone())))
            .collect();
        let new: Vec<&(String, String)> = forgotten.difference(&known).collect();
        for some in new.chunks(1000) {
            let statement = format!(
                "INSERT INTO {database}.forgotten SELECT pair.1, pair.2 FROM (SELECT \
                 arrayJoin(arrayZip({{owners:Array(String)}}, {{sessions:Array(String)}})) AS pair)"
            );
            let parameters = [
                Parameter::texts("owners", some.iter().map(|(owner, _)| owner.as_str())),
                Parameter::texts("sessions", some.iter().map(|(_, session)| session.as_str())),
            ];
            shard.bytes(&statement, &parameters).await?;
        }
        Ok(())
    }
}

/// What is missing if a server does not take a view because of its account.
fn without_views_account(error: EngineError, statement: &str) -> LoadError {
    match error {
        EngineError::Refused { url, reason, .. } if statement.contains(VIEWS_ACCOUNT) => {
            LoadError::NoViewsAccount { url, reason }
        }
        error => error.into(),
    }
}

/// What became of an object.
enum Fetched<'w> {
    Ready(ReadyObject<'w>),
    Replaced,
    Unusable(UnusableObject),
}

/// Objects of one table that are inserted one after another.
#[derive(Debug)]
struct Group<'w> {
    /// The attempt that was begun with them.
    attempt: Option<&'w str>,
    objects: Vec<(&'w str, Wanted<'w>)>,
}

/// What a server lacks. Objects of an attempt that was not finished come together again: they
/// have the token of the first time, so that what is there is not written again. The others
/// come by table and month, so that few parts are written.
fn groups<'w>(
    wanted: &'w BTreeMap<String, Wanted<'w>>,
    known: &'w BTreeMap<String, Known>,
) -> Vec<Group<'w>> {
    let mut groups: BTreeMap<(Option<&str>, Table), Group<'_>> = BTreeMap::new();
    for (object, it) in wanted {
        let known = known.get(object);
        if known.is_some_and(|known| known.is_done) {
            continue;
        }
        let attempt = known.and_then(|known| known.unfinished.as_deref());
        let group = groups.entry((attempt, it.segment.name.table));
        let group = group.or_insert_with(|| Group { attempt, objects: Vec::new() });
        group.objects.push((object.as_str(), *it));
    }
    let mut groups: Vec<Group<'_>> = groups.into_values().collect();
    for group in &mut groups {
        group.objects.sort_by_key(|(object, it)| (it.segment.name.month, *object));
    }
    groups
}

/// Whether servers hold a table from chains for these readers. What is private stays in the
/// bucket, except usage.
fn is_loaded(table: Table, audience: &Audience) -> bool {
    match audience {
        _ if table == Table::Days => *audience == Audience::Org,
        Audience::Private => table.level() == Level::Usage,
        Audience::Team(_) | Audience::Org => true,
    }
}

/// The objects that each server should hold, by name.
fn wanted(chains: &[ListedChain], shards: usize) -> Vec<BTreeMap<String, Wanted<'_>>> {
    let mut wanted: Vec<BTreeMap<String, Wanted<'_>>> = vec![BTreeMap::new(); shards];
    for chain in chains {
        for segment in &chain.head.manifest.segments {
            if !is_loaded(segment.name.table, &chain.name.audience) {
                continue;
            }
            let object = chain.name.segment(&segment.name);
            if let Some(own) = wanted.get_mut(place(&object, shards)) {
                own.insert(object, Wanted { chain: &chain.name, segment });
            }
        }
    }
    wanted
}

/// The server of an object. Which one it is has no effect on answers.
fn place(object: &str, shards: usize) -> usize {
    let digest = blake3::hash(object.as_bytes());
    let start = digest.as_bytes().first_chunk::<8>().copied().unwrap_or_default();
    let place = u64::from_le_bytes(start) % (shards.max(1) as u64);
    usize::try_from(place).unwrap_or_default()
}

fn forgotten_sessions(chains: &[ListedChain]) -> BTreeSet<(String, String)> {
    let mut forgotten = BTreeSet::new();
    for chain in chains {
        for (session, decision) in chain.head.manifest.decisions.iter() {
            if decision.sharing == Sharing::Forgotten {
                forgotten.insert((chain.name.owner.to_string(), session.to_string()));
            }
        }
    }
    forgotten
}

async fn known_objects(shard: &EngineClient) -> Result<BTreeMap<String, Known>, EngineError> {
    let statement = format!(
        "SELECT object, attempt, max(is_done) FROM {}.loads GROUP BY object, attempt",
        shard.url().database()
    );
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    for row in shard.lines(&statement, &[]).await? {
        let [object, attempt, is_done] = &row[..] else {
            return Err(shard.unexpected("the columns of loads"));
        };
        let entry = known.entry(object.clone()).or_default();
        if is_done == "1" {
            entry.is_done = true;
        } else {
            entry.unfinished = Some(attempt.clone());
        }
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::{ManifestNumber, SegmentName};

    #[test]
    fn objects_of_an_unfinished_attempt_come_together_again() {
        let chain = ChainName::of_prefix("v1/org/ada/i1/").unwrap();
        let number = ManifestNumber::NONE.next().unwrap();
        let segment = |table: Table, month: &str| Segment {
            name: SegmentName::of(number, table, month.parse().unwrap(), b"x"),
            rows: 1,
            bytes: 1,
        };
        let (late, early) = (segment(Table::Lines, "202611"), segment(Table::Lines, "202610"));
        let calls = segment(Table::Calls, "202611");
        let wanted: BTreeMap<String, Wanted<'_>> =
            [("a", &late), ("b", &late), ("c", &early), ("d", &late), ("e", &late), ("f", &calls)]
                .into_iter()
                .map(|(name, segment)| (name.to_owned(), Wanted { chain: &chain, segment }))
                .collect();
        let unfinished = |is_done| Known { is_done, unfinished: Some("7".to_owned()) };
        let known: BTreeMap<String, Known> = [
            ("a", Known { is_done: true, unfinished: None }),
            ("b", unfinished(false)),
            // Another attempt brought it.
            ("d", unfinished(true)),
            ("e", unfinished(false)),
        ]
        .into_iter()
        .map(|(name, known)| (name.to_owned(), known))
        .collect();
        let found: Vec<(Option<&str>, Vec<&str>)> = groups(&wanted, &known)
            .iter()
            .map(|group| (group.attempt, group.objects.iter().map(|(name, _)| *name).collect()))
            .collect();
        let expected = [(None, vec!["f"]), (None, vec!["c"]), (Some("7"), vec!["b", "e"])];
        assert_eq!(found, expected);
    }
}
