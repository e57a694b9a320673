//! Storage in memory, in a folder, and over HTTP with everything that can go wrong there.

mod addresses;
mod contract;
mod credentials;
mod faults;
mod folder;
mod listing;
pub(crate) mod server;

use std::future::Future;

/// Runs a test in a new runtime.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(work)
}
