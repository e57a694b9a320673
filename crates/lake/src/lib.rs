//! The rows that a team shares, in object storage that the team owns.
//!
//! Each installation writes *segments* (immutable objects with rows of one table and
//! one month) and *manifests* (numbered lists of the segments that count). A manifest
//! is only ever created, never replaced, so two writers cannot both win; a segment lies
//! under the number of the manifest that first names it, so an object that no manifest
//! names can be deleted as soon as that number is taken. No step depends on a clock.
//!
//! One object has one [`Audience`]: everything below `private/`, `team/NAME/` or `org/`
//! is for those readers, and a bucket policy by prefix enforces it. The manifests of one
//! installation for one audience are a [`Chain`]. Its private chain is also where the
//! owner's [`Decision`]s about single sessions are kept: share, stop sharing, forget.
//!
//! The protocol knows neither storage, rows nor sessions: it asks five requests of object
//! storage ([`Bucket`]), made of S3 and of shared folders by [`ObjectBucket`]; it asks a
//! [`Format`] to encode rows, which [`ParquetFormat`] does; and it asks the machine which
//! rows it shares ([`Local`], answered by [`SharedSessions`]).
//!
//! An [`Engine`] brings what a question needs to this machine, where the ordinary code of
//! annals answers it. [`Reader`] is the one that needs no server.

mod acknowledgement;
mod bucket;
mod cache_files;
mod catalog;
mod chain;
mod chains;
mod clickhouse;
mod columns;
mod day_sums;
mod decision;
mod dry_run;
mod flaw;
mod local;
mod manifest;
mod memory;
mod names;
mod object_check;
mod org_decisions;
mod policy;
mod private_chains;
mod push;
mod reading;
mod receipt;
mod rows;
mod segment;
mod segment_file;
mod shared;
mod storage;
mod strange_names;
mod take_back;
#[cfg(test)]
mod tests;
mod verify;

pub use acknowledgement::{Acknowledgement, Acknowledgements};
pub use bucket::{Bucket, BucketError, Created};
pub use cache_files::{
    remove as remove_lake_file, remove_folder as remove_lake_folder, write_whole as write_lake_file,
};
pub use catalog::{
    CatalogView, Dialect, DialectError, LocationError, ObjectLocation, catalog_views, count_objects,
};
pub use chain::{Chain, ChainError, ChainHead, Collected};
pub use chains::{Chains, ListedChain, UnreadableChains};
pub use clickhouse::{
    ClickHouse, EngineAccount, EngineClient, EngineError, EngineLoader, EnginePolicy, EngineReader,
    EngineUrl, EngineUrlError, LoadError, LoadReport, ReadEngineError, ReaderError,
    engine_policies,
};
pub use columns::{Column, ColumnKind};
pub use decision::{Decision, Decisions, Sharing};
pub use dry_run::DryRun;
pub use local::{DecidedElsewhere, Local, Target, Wanted};
pub use manifest::{Manifest, ManifestError, Obedience, Segment};
pub use memory::{Memory, MemoryOfProcess, NoMemory};
pub use names::{
    Audience, ChainName, Installation, Level, Loader, ManifestNumber, Month, NameError, Owner,
    SegmentName, SessionId, Table, TeamName,
};
pub use object_check::{
    CHECK_OBJECTS, CheckDepth, CheckedFormat, ObjectChecker, answer_object_checks,
};
pub use org_decisions::decide_for_everybody;
pub use policy::{BucketPolicy, PolicyVendor, bucket_policies};
pub use private_chains::PrivateChains;
pub use push::{PushError, PushOptions, PushReport, Pusher, WrittenSegment};
pub use reading::{
    Engine, OwnerView, ReadLakeError, Reader, Scope, UnusableObject, View, kept_view, own_id,
    refuse_segment_being_read,
};
pub use receipt::{ChainState, Outstanding, Receipt};
pub use rows::{
    AttributionRow, BlockRow, CallRow, CommitRow, DayRow, LineRow, PullRequestRow, Rows,
    SessionRow, ToolCallRow, TouchRow,
};
pub use segment::{Entry, Format, FormatError, Piece};
pub use segment_file::ParquetFormat;
pub use shared::{KnownSessions, RULES, ShareRule, SharedSessions, SharingRules, UnreadSource};
pub use storage::{
    CredentialsCommand, CredentialsError, ObjectBucket, OpenError, Patience, StorageOptions,
    StorageUrl, StorageVariables, UrlError,
};
pub use take_back::{TakeBack, TakenBack, owners_in_lake};
pub use verify::Verified;
