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
//! The protocol asks five requests of object storage ([`Bucket`]); [`ObjectBucket`] makes
//! them of S3 and of shared folders.
//!
//! Deliberately not here: how rows are encoded ([`Format`]) and which rows a machine has
//! ([`Local`]).

mod bucket;
mod chain;
mod decision;
mod flaw;
mod local;
mod manifest;
mod names;
mod policy;
mod push;
mod segment;
mod storage;
#[cfg(test)]
mod tests;

pub use bucket::{Bucket, BucketError, Created};
pub use chain::{Chain, ChainError, ChainHead, Collected};
pub use decision::{Decision, Decisions, Sharing};
pub use local::{DecidedElsewhere, Local, Target};
pub use manifest::{Manifest, ManifestError, Segment};
pub use names::{
    Audience, ChainName, Installation, Level, ManifestNumber, Month, NameError, Owner, SegmentName,
    SessionId, Table, TeamName,
};
pub use policy::{BucketPolicy, PolicyVendor, bucket_policies};
pub use push::{PushError, PushOptions, PushReport, Pusher};
pub use segment::{Entry, Format, FormatError, Piece};
pub use storage::{
    CredentialsCommand, CredentialsError, ObjectBucket, OpenError, Patience, StorageOptions,
    StorageUrl, StorageVariables, UrlError,
};
