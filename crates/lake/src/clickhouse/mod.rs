//! ClickHouse as an engine, over HTTP.
//!
//! The truth is in the bucket; what is here can be loaded again. For each table of the lake
//! there are
//!
//! - `TABLE_rows`: the rows as they were pushed, with owner, audience, installation and object
//!   from the name of the object. Only loaders read it.
//! - `TABLE_visible`: what a reader may see of this node. It reads the rows as an account that
//!   nobody can log in as, and for which row policies on `TABLE_rows` hold. They ask for the
//!   name of the reader, and hide what was taken back.
//! - `TABLE_nodes`: what readers see of all nodes. Only views read it.
//! - `TABLE_all`: the same for readers whose name is the one they logged in with. A program that
//!   speaks the protocol of nodes can claim to ask for anybody, and a node that passes a question
//!   on vouches for the name.
//! - `TABLE_by_owner` and `TABLE`: for people, as in [`crate::catalog_views`].
//!
//! Policies stand on tables, because ClickHouse evaluates the conditions of a reader before the
//! policies of a view, and errors quote values. Readers have no right on the tables, not even on
//! columns: `mergeTreeIndex` and `mergeTreeTextIndex` show ids and words of all rows to everybody
//! who may read the columns, whatever policies say.
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
mod policy_check;
mod purge;
mod row_queries;
mod schema;
#[cfg(test)]
mod tests;
mod traps;
mod upgrade;

pub use account::EngineAccount;
pub use address::{EngineUrl, EngineUrlError};
pub use client::{EngineClient, EngineError};
pub use engine::{ClickHouse, ReadEngineError};
pub use load::{LoadError, LoadReport, Loader as EngineLoader};
pub use policy::{EnginePolicy, EngineReader, ReaderError, engine_policies};
