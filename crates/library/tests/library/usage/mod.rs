//! Usage of whole stores: which session owns a call, which calls a filter selects,
//! how they are grouped, and that every grouping has the same total.

mod blocks;
mod bound;
mod deleted_transcripts;
mod dimensions;
mod filters;
mod fixture;
mod owners;
mod real_transcripts;
mod stored_groups;
mod time_zones;
mod totals;
mod turns;
