//! Work on many things at once.

use rayon::prelude::*;

/// Does something for each of many, side by side, and hands back what came of it
/// in their order.
pub fn par_map<I: Send, T: Send>(many: Vec<I>, each: impl Fn(I) -> T + Send + Sync) -> Vec<T> {
    many.into_par_iter().with_max_len(1).map(each).collect()
}
