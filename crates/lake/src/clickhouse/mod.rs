//! ClickHouse as an engine, over HTTP.
//!
//! The truth is in the bucket; what is here can be loaded again. For each table of the lake
//! there are
//!
//! - `TABLE_rows`: the rows as they were pushed, with owner, audience, installation and object
//!   from the name of the object. Only loaders read it.
//! - `TABLE_visible`: the rows of this node without those that were taken back. Row policies
//!   of readers apply here. It runs with the rights of the loader, so that readers need none
//!   on the rows themselves.
//! - `TABLE_all`: the same of all nodes.
//! - `TABLE_by_owner` and `TABLE`: for people, as in [`crate::catalog_views`].
//!
//! ClickHouse applies row policies after it has chosen among rows with one key, so a hidden row
//! with a higher version could hide a visible one. Therefore owner, audience and object are
//! part of each key: the server itself only removes copies of one object that was loaded
//! twice, and every choice among copies is made by a query, among the rows that the reader
//! may see.

mod account;
mod address;
mod batch;
mod canary;
mod candidates;
mod client;
mod engine;
mod load;
mod policy;
mod purge;
mod row_queries;
mod schema;
#[cfg(test)]
mod tests;

pub use account::EngineAccount;
pub use address::{EngineUrl, EngineUrlError};
pub use client::{EngineClient, EngineError};
pub use engine::{ClickHouse, ReadEngineError};
pub use load::{LoadError, LoadReport, Loader as EngineLoader};
pub use policy::{EnginePolicy, EngineReader, ReaderError, engine_policies};
