//! A loader and the engine it fills, reduced to what the protocol sees of them.
//!
//! The engine deletes all rows that an owner has of a session: rows of two installations with
//! the same key are one row there, as in ClickHouse. So what other segments have of it goes
//! too, and everything of the owner has to be loaded again.

use crate::acknowledgement::{Acknowledgement, Acknowledgements};
use crate::bucket::{Bucket as _, BucketError};
use crate::chain::{Chain, ChainError};
use crate::names::{Audience, ChainName, Loader, SegmentName, SessionId, Table};
use crate::segment::Format as _;
use crate::tests::bucket::SteppedBucket;
use crate::tests::laptop::JsonFormat;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Owner, audience, table, session and id of a row.
pub(super) type Key = (String, Audience, Table, SessionId, String);

/// An engine.
#[derive(Default)]
pub(super) struct Engine {
    /// The rows, with the segment that brought each.
    pub rows: RefCell<BTreeMap<Key, (ChainName, SegmentName)>>,
    /// What was loaded.
    loaded: RefCell<BTreeSet<(ChainName, SegmentName)>>,
}

/// Brings the engine in line with all chains.
pub(super) async fn load(
    bucket: SteppedBucket,
    engine: Rc<Engine>,
    replays: bool,
) -> Result<(), ChainError> {
    let loader: Loader = "ch1".parse().unwrap();
    Acknowledgements::register(&bucket, &loader).await?;
    let names = bucket.list("v1/", None).await?;
    let prefixes = names.iter().filter_map(|name| name.split_once("m/0").map(|(prefix, _)| prefix));
    let chains: BTreeSet<ChainName> = prefixes.filter_map(ChainName::of_prefix).collect();
    for name in chains {
        let head = Chain::new(&bucket, name.clone()).head().await?;
        let segments = head.manifest.segments.iter().map(|segment| segment.name.clone());
        let segments: BTreeSet<SegmentName> = segments.collect();
        drop_unnamed(&bucket, &engine, &name, &segments, replays).await?;
        let mut is_complete = true;
        for segment in segments {
            let mark = (name.clone(), segment.clone());
            if engine.loaded.borrow().contains(&mark) {
                continue;
            }
            let Some(bytes) = bucket.get(&name.segment(&segment)).await? else {
                // A newer manifest has come; the next run follows it.
                is_complete = false;
                break;
            };
            bucket.pause().await?;
            for piece in JsonFormat.decode(segment.table, &bytes).unwrap() {
                for id in piece.rows {
                    let session = piece.entry.session.clone();
                    let owner = name.owner.to_string();
                    let key = (owner, name.audience.clone(), segment.table, session, id);
                    engine.rows.borrow_mut().insert(key, mark.clone());
                }
            }
            bucket.pause().await?;
            engine.loaded.borrow_mut().insert(mark);
        }
        if is_complete {
            Acknowledgement { loader: loader.clone(), chain: name, number: head.number }
                .write(&bucket)
                .await?;
        }
    }
    Ok(())
}

/// Deletes the rows of segments that the chain no longer names.
async fn drop_unnamed(
    bucket: &SteppedBucket,
    engine: &Engine,
    chain: &ChainName,
    named: &BTreeSet<SegmentName>,
    replays: bool,
) -> Result<(), BucketError> {
    // Also those of which a loader died before it could note them.
    let loaded = engine.loaded.borrow().clone();
    let brought: BTreeSet<_> = engine.rows.borrow().values().cloned().collect();
    let is_dropped =
        |(of, segment): &&(ChainName, SegmentName)| of == chain && !named.contains(segment);
    let dropped: BTreeSet<_> = loaded.union(&brought).filter(is_dropped).cloned().collect();
    if dropped.is_empty() {
        return Ok(());
    }
    bucket.pause().await?;
    let rows = engine.rows.borrow().clone();
    let deleted = rows.iter().filter(|(_, mark)| dropped.contains(mark));
    let deleted: BTreeSet<&SessionId> = deleted.map(|((_, _, _, session, _), _)| session).collect();
    engine.rows.borrow_mut().retain(|(owner, _, _, session, _), _| {
        owner != chain.owner.as_str() || !deleted.contains(session)
    });
    if replays {
        bucket.pause().await?;
        engine
            .loaded
            .borrow_mut()
            .retain(|mark| mark.0.owner != chain.owner || dropped.contains(mark));
    }
    bucket.pause().await?;
    engine.loaded.borrow_mut().retain(|mark| !dropped.contains(mark));
    Ok(())
}
