//! Reading the lines of files, and what can be wrong with them.

pub(crate) mod damage;
pub(crate) mod repeated;
pub(crate) mod scan;
pub(crate) mod whole;

pub use damage::{Damage, UnlistedDamage};
pub use scan::ReadError;
