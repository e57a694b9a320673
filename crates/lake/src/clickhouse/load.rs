//! Fills servers from the objects of the lake.
//!
//! A loader has no state: each server knows which objects it holds (`loads`), which
//! of them do not count any more (`gone`) and which sessions were forgotten. Any number of
//! loaders can run at once and each can die at any time. An object is noted before its rows
//! are sent and again when they are there. Rows of an object that was begun and not
//! finished are sent again; they are the same rows with the same keys, so nothing counts
//! twice. Objects never change, and one that no manifest names any more never comes back.
//!
//! What was taken back disappears in this order: readers do not see it (`forgotten`, `gone`),
//! its rows are deleted, the parts on disk are written without them, and then the loader
//! acknowledges the manifest.

use super::EngineAccount;
use super::canary::{self, CanaryError};
use super::client::{EngineClient, EngineError, Parameter};
use super::schema;
use crate::acknowledgement::{Acknowledgement, Acknowledgements};
use crate::bucket::{Bucket, BucketError};
use crate::chain::ChainError;
use crate::chains::{Chains, ListedChain};
use crate::decision::Sharing;
use crate::manifest::Segment;
use crate::names::{Audience, ChainName, Level, Loader as LoaderName, SegmentName, Table};
use crate::reading::UnusableObject;
use crate::segment::Format as _;
use crate::segment_file::ParquetFormat;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How often old parts are looked for before they are reported.
const MAX_LOOKS: u32 = 240;
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

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
    /// Parts with rows that were taken back are still on disk.
    #[error("{url}: old parts of {table}_rows are still on disk; run annals lake load again")]
    OldParts {
        /// The server.
        url: String,
        /// The table.
        table: &'static str,
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
}

/// An object that a server should hold.
#[derive(Clone, Debug)]
struct Wanted<'c> {
    chain: &'c ChainName,
    segment: &'c Segment,
}

/// What a server knows about an object.
#[derive(Clone, Debug, Default)]
struct Known {
    is_done: bool,
    /// The attempt that was begun and not finished.
    unfinished: Option<String>,
}

impl<B: Bucket> Loader<'_, B> {
    /// Creates what is missing on the servers and checks that policies hold.
    pub async fn prepare(&self) -> Result<(), LoadError> {
        for shard in &self.shards {
            shard.check_version().await?;
            for statement in schema::statements(shard.url()) {
                shard.bytes(&statement, &[]).await?;
            }
        }
        for shard in &self.shards {
            canary::plant(shard, &self.readers).await?;
        }
        for shard in &self.shards {
            canary::check(shard, &self.readers).await?;
        }
        Ok(Acknowledgements::register(self.bucket, &self.name).await?)
    }

    /// Brings the servers in line with the newest manifests.
    pub async fn load(&self, mut progress: impl FnMut(u64, u64)) -> Result<LoadReport, LoadError> {
        let chains = Chains { bucket: self.bucket }.all().await?;
        let mut report = LoadReport::default();
        let forgotten = forgotten_sessions(&chains);
        report.forgotten = forgotten.len() as u64;
        let wanted = wanted(&chains, self.shards.len());
        report.objects = wanted.iter().map(|own| own.len() as u64).sum();
        let mut replaced: BTreeSet<ChainName> = BTreeSet::new();
        let mut done = 0;
        for (shard, wanted) in self.shards.iter().zip(&wanted) {
            self.forget(shard, &forgotten).await?;
            let known = known_objects(shard).await?;
            for (object, it) in wanted {
                done += 1;
                if known.get(object).is_some_and(|known| known.is_done) {
                    continue;
                }
                progress(done, report.objects);
                let unfinished = known.get(object).and_then(|known| known.unfinished.clone());
                let outcome = self.load_object(shard, object, it, unfinished).await?;
                match outcome {
                    Outcome::Loaded(bytes) => {
                        report.loaded += 1;
                        report.rows += it.segment.rows;
                        report.bytes += bytes;
                    }
                    Outcome::Replaced => {
                        report.replaced += 1;
                        replaced.insert(it.chain.clone());
                    }
                    Outcome::Unusable(object) => report.unusable.push(object),
                }
            }
            let gone: Vec<(&String, &Known)> =
                known.iter().filter(|(object, _)| !wanted.contains_key(*object)).collect();
            report.removed += remove(shard, &gone).await?;
            purge_forgotten(shard).await?;
        }
        for chain in &chains {
            // Its manifest names an object that is gone: a newer one has come.
            if replaced.contains(&chain.name) {
                continue;
            }
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

    async fn load_object(
        &self,
        shard: &EngineClient,
        object: &str,
        wanted: &Wanted<'_>,
        unfinished: Option<String>,
    ) -> Result<Outcome, LoadError> {
        let Wanted { chain, segment } = wanted;
        let unusable =
            |reason: String| Outcome::Unusable(UnusableObject { name: object.to_owned(), reason });
        let Some(bytes) = self.bucket.get_at_most(object, segment.bytes).await? else {
            return Ok(Outcome::Replaced);
        };
        if let Err(reason) = check(segment, &bytes) {
            return Ok(unusable(reason));
        }
        let database = shard.url().database();
        // A second attempt has the token of the first: what is there is not written again.
        let attempt = match unfinished {
            Some(attempt) => attempt,
            None => new_attempt(),
        };
        note(shard, object, &attempt, false).await?;
        let size = bytes.len() as u64;
        let month = segment.name.month.to_string();
        let parameters = [
            Parameter::text("audience", &chain.audience.to_string()),
            Parameter::text("owner", chain.owner.as_str()),
            Parameter::text("installation", chain.installation.as_str()),
            Parameter::text("object", object),
            Parameter::text("month", &month),
        ];
        let statement = schema::insert_statement(database, segment.name.table);
        let token = format!("{object}#{attempt}");
        shard.insert(&statement, &parameters, &token, bytes).await?;
        note(shard, object, &attempt, true).await?;
        Ok(Outcome::Loaded(size))
    }
}

/// What became of an object.
enum Outcome {
    /// With its size.
    Loaded(u64),
    Replaced,
    Unusable(UnusableObject),
}

/// An object is only sent to a server after it was checked here.
fn check(segment: &Segment, bytes: &[u8]) -> Result<(), String> {
    if bytes.len() as u64 != segment.bytes {
        return Err(format!("it has {} bytes instead of {}", bytes.len(), segment.bytes));
    }
    if !segment.name.fits(bytes) {
        return Err("its bytes are not the ones its name says".to_owned());
    }
    let entries = ParquetFormat.entries(segment.name.table, bytes);
    entries.map(drop).map_err(|error| error.to_string())
}

fn new_attempt() -> String {
    let mut bytes = [0; 8];
    // Without it two attempts have one token, which is what a second attempt has anyway.
    let _ = getrandom::fill(&mut bytes);
    u64::from_le_bytes(bytes).to_string()
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

async fn note(
    shard: &EngineClient,
    object: &str,
    attempt: &str,
    is_done: bool,
) -> Result<(), EngineError> {
    let statement = format!(
        "INSERT INTO {}.loads SELECT {{object:String}}, {{attempt:String}}, {}",
        shard.url().database(),
        u8::from(is_done)
    );
    let parameters = [Parameter::text("object", object), Parameter::text("attempt", attempt)];
    shard.bytes(&statement, &parameters).await.map(drop)
}

/// Takes objects that do not count any more away. Returns how many there were.
async fn remove(shard: &EngineClient, gone: &[(&String, &Known)]) -> Result<u64, LoadError> {
    if gone.is_empty() {
        return Ok(0);
    }
    let database = shard.url().database();
    let names = |some: &[(&String, &Known)]| {
        Parameter::texts("objects", some.iter().map(|(object, _)| object.as_str()))
    };
    for some in gone.chunks(500) {
        let statement =
            format!("INSERT INTO {database}.gone SELECT arrayJoin({{objects:Array(String)}})");
        shard.bytes(&statement, &[names(some)]).await?;
    }
    let mut places: BTreeSet<(Table, String)> = BTreeSet::new();
    for (object, _) in gone {
        let segment = object.split_once("/d/").and_then(|(_, name)| name.parse().ok());
        let segment: Option<SegmentName> = segment;
        places.extend(segment.map(|name| (name.table, name.month.to_string())));
    }
    let mut tables: BTreeSet<Table> = BTreeSet::new();
    for (table, month) in &places {
        let condition = format!("object IN (SELECT object FROM {database}.gone)");
        if delete(shard, *table, Some(month), &condition).await? {
            tables.insert(*table);
        }
    }
    for table in tables {
        wait_for_old_parts(shard, table).await?;
    }
    // An attempt that was never finished may still be under way at the server: it stays
    // noted, and what it brings stays hidden and is deleted by the next load.
    let finished: Vec<(&String, &Known)> =
        gone.iter().filter(|(_, known)| known.unfinished.is_none()).copied().collect();
    for some in finished.chunks(500) {
        for table in ["loads", "gone"] {
            let statement =
                format!("DELETE FROM {database}.{table} WHERE object IN {{objects:Array(String)}}");
            shard.bytes(&statement, &[names(some)]).await?;
        }
    }
    Ok(gone.len() as u64)
}

/// Deletes the rows of forgotten sessions that are still there.
async fn purge_forgotten(shard: &EngineClient) -> Result<(), LoadError> {
    let database = shard.url().database();
    let condition =
        format!("(owner, session_id) IN (SELECT owner, session_id FROM {database}.forgotten)");
    for table in Table::ALL.into_iter().filter(|table| schema::has_session(*table)) {
        if delete(shard, table, None, &condition).await? {
            wait_for_old_parts(shard, table).await?;
        }
    }
    Ok(())
}

/// Deletes rows and writes the parts on disk without them. Returns whether there were any.
async fn delete(
    shard: &EngineClient,
    table: Table,
    month: Option<&String>,
    condition: &str,
) -> Result<bool, EngineError> {
    let name = format!("{}.{}_rows", shard.url().database(), table.as_str());
    let months = match month {
        Some(month) => format!("month = {month} AND "),
        None => String::new(),
    };
    // A statement that deletes nothing would still write every part again.
    let statement =
        format!("SELECT DISTINCT month FROM {name} WHERE {months}{condition} ORDER BY month");
    let found = shard.lines(&statement, &[]).await?;
    for month in found.iter().filter_map(|row| row.first()) {
        // From the server, and used as a number only.
        let month: u32 = month.parse().map_err(|_| shard.unexpected("a month"))?;
        let statement = format!(
            "DELETE FROM {name} IN PARTITION {month} WHERE {condition} SETTINGS \
             lightweight_deletes_sync = 2"
        );
        shard.bytes(&statement, &[]).await?;
        let statement = format!(
            "ALTER TABLE {name} APPLY DELETED MASK IN PARTITION {month} SETTINGS mutations_sync = 2"
        );
        shard.bytes(&statement, &[]).await?;
    }
    Ok(!found.is_empty())
}

/// Waits until the server has deleted the parts that were replaced. By itself it does so
/// minutes later; after dropping a partition, even one that is not there, it does so at once.
async fn wait_for_old_parts(shard: &EngineClient, table: Table) -> Result<(), LoadError> {
    let statement = "SELECT count() FROM system.parts WHERE database = {database:String} AND \
                     table = {table:String} AND NOT active";
    let rows = format!("{}_rows", table.as_str());
    let parameters =
        [Parameter::text("database", shard.url().database()), Parameter::text("table", &rows)];
    let clean = format!("ALTER TABLE {}.{rows} DROP PARTITION 0", shard.url().database());
    for _ in 0..MAX_LOOKS {
        shard.bytes(&clean, &[]).await?;
        if shard.text(statement, &parameters).await?.trim() == "0" {
            return Ok(());
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    Err(LoadError::OldParts { url: shard.url().to_string(), table: table.as_str() })
}
