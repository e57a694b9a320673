//! Usage of whole stores: whose calls are, which are wanted, how they are
//! grouped, and that every grouping comes to the same.

#![expect(clippy::unwrap_used, reason = "a test that cannot make its store should stop")]

mod blocks;
mod corpus;
mod fixture;
mod groups;
mod hurry;
mod owners;
mod remembered;
mod totals;
mod turns;
mod wanted;
mod zones;
