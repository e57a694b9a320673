//! Parallel work.

use rayon::prelude::*;

/// Applies a function to each item in parallel and returns the results in
/// order.
pub fn par_map<I: Send, T: Send>(many: Vec<I>, each: impl Fn(I) -> T + Send + Sync) -> Vec<T> {
    many.into_par_iter().with_max_len(1).map(each).collect()
}
