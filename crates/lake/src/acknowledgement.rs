//! What loaders say about the engines they fill.
//!
//! An acknowledgement is an empty object whose name says everything:
//! `ack/LOADER/CHAIN/NUMBER`, for example `ack/ch1/v1/team/tides/ada/i1/00000007`. It means
//! that the engine holds, of this chain, only what manifest 7 or a later one names: rows of
//! other segments are deleted and purged, also from parts on disk. So a row that was taken
//! back with manifest 7 is gone from the engine.
//!
//! A loader announces itself (`ack/LOADER/registered`) before it loads its first row: only
//! then does everybody know whose acknowledgements to wait for. It acknowledges every chain
//! it finds, also those it loads nothing of. An engine that is shut down for good is left
//! out again when an administrator deletes everything below `ack/LOADER/`.
//!
//! A loader that finds tables of an annals whose row policies did not hold writes
//! `ack/LOADER/readable-until/SECONDS` when it takes them out of use: up to this time since 1970,
//! every reader of the engine could read everything in it.

use crate::bucket::{Bucket, BucketError};
use crate::names::{ChainName, Loader, ManifestNumber};
use jiff::Timestamp;
use std::collections::{BTreeMap, HashSet};
use std::fmt;

const PREFIX: &str = "ack/";
const REGISTERED: &str = "registered";
const READABLE_UNTIL: &str = "readable-until/";

/// A loader's word that an engine holds of a chain only what a manifest names.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Acknowledgement {
    /// Who says it.
    pub loader: Loader,
    /// The chain it is about.
    pub chain: ChainName,
    /// The manifest that the engine follows.
    pub number: ManifestNumber,
}

impl Acknowledgement {
    /// Whose name this is. `None` for other objects.
    pub fn of_name(name: &str) -> Option<Acknowledgement> {
        let (loader, rest) = name.strip_prefix(PREFIX)?.split_once('/')?;
        let end = rest.rfind('/')? + 1;
        let (chain, number) = rest.split_at(end);
        Some(Acknowledgement {
            loader: loader.parse().ok()?,
            chain: ChainName::of_prefix(chain)?,
            number: number.parse().ok()?,
        })
    }

    /// Writes it, and then deletes the older ones about the same chain.
    pub async fn write(&self, bucket: &impl Bucket) -> Result<(), BucketError> {
        bucket.create(&self.to_string(), Vec::new()).await?;
        let prefix = format!("{PREFIX}{}/{}", self.loader, self.chain.prefix());
        for name in bucket.list(&prefix, None).await? {
            let older = Acknowledgement::of_name(&name).filter(|other| other.number < self.number);
            if let Some(older) = older {
                bucket.delete(&older.to_string()).await?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Acknowledgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}/{}{}", self.loader, self.chain.prefix(), self.number)
    }
}

/// What a loader has said.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
struct Said {
    chains: BTreeMap<ChainName, ManifestNumber>,
    readable_until: Option<Timestamp>,
}

/// What all loaders have acknowledged.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Acknowledgements(BTreeMap<Loader, Said>);

impl Acknowledgements {
    /// Announces a loader, before it loads anything.
    pub async fn register(bucket: &impl Bucket, loader: &Loader) -> Result<(), BucketError> {
        bucket.create(&format!("{PREFIX}{loader}/{REGISTERED}"), Vec::new()).await.map(drop)
    }

    /// Notes that every reader of a loader's engine could read everything in it until now.
    pub async fn note_readable(
        bucket: &impl Bucket,
        loader: &Loader,
        now: Timestamp,
    ) -> Result<(), BucketError> {
        let name = format!("{PREFIX}{loader}/{READABLE_UNTIL}{}", now.as_second());
        bucket.create(&name, Vec::new()).await.map(drop)
    }

    /// Reads them all. One request for the loaders, and one for each.
    pub async fn read(bucket: &impl Bucket) -> Result<Acknowledgements, BucketError> {
        let mut all = Acknowledgements::default();
        for folder in bucket.folders(PREFIX).await? {
            let Ok(loader) = folder.parse::<Loader>() else { continue };
            let names = bucket.list(&format!("{PREFIX}{loader}/"), None).await?;
            all.add(&loader, &names);
        }
        Ok(all)
    }

    fn add(&mut self, loader: &Loader, names: &[String]) {
        let said = self.0.entry(loader.clone()).or_default();
        let prefix = format!("{PREFIX}{loader}/{READABLE_UNTIL}");
        let seconds = names.iter().filter_map(|name| name.strip_prefix(&prefix)?.parse().ok());
        said.readable_until = seconds.filter_map(|it| Timestamp::from_second(it).ok()).max();
        let found = names.iter().filter_map(|name| Acknowledgement::of_name(name));
        for found in found.filter(|found| found.loader == *loader) {
            let newest = said.chains.entry(found.chain).or_default();
            *newest = found.number.max(*newest);
        }
    }

    /// The loaders that announced themselves.
    pub fn loaders(&self) -> impl Iterator<Item = &Loader> {
        self.0.keys()
    }

    /// The manifest of a chain that a loader's engine follows at least.
    /// [`ManifestNumber::NONE`] if it has acknowledged none.
    pub fn of(&self, loader: &Loader, chain: &ChainName) -> ManifestNumber {
        let said = self.0.get(loader);
        said.and_then(|said| said.chains.get(chain)).copied().unwrap_or_default()
    }

    /// Until when every reader of a loader's engine could read everything in it, if that was so.
    pub fn readable_until(&self, loader: &Loader) -> Option<Timestamp> {
        self.0.get(loader)?.readable_until
    }

    /// The loaders that have not acknowledged this manifest of a chain.
    pub fn missing(&self, chain: &ChainName, number: ManifestNumber) -> Vec<&Loader> {
        self.loaders().filter(|loader| self.of(loader, chain) < number).collect()
    }

    /// The chains that any loader has acknowledged.
    pub fn chains(&self) -> HashSet<&ChainName> {
        self.0.values().flat_map(|said| said.chains.keys()).collect()
    }
}
