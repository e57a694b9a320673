//! Masking, and the values that are masked everywhere in their session.

pub(crate) mod fact_secrets;
pub(crate) mod masking;
pub(crate) mod plan_names;
pub(crate) mod records;
pub(crate) mod session_values;
pub(crate) mod value_facts;

pub use masking::{MaskedLine, drop_partial_word};

use self::plan_names::KnownPlans;
use self::session_values::KnownValues;
use crate::memory::Memory;
use crate::stores::Stores;
use std::sync::Arc;

/// The one way to what masks the texts of a session.
#[derive(Clone, Debug)]
pub struct Redaction {
    pub(crate) stores: Arc<Stores>,
    pub(crate) memory: Arc<Memory>,
    /// The values that were masked in sessions.
    pub(crate) known_values: Arc<KnownValues>,
    /// The plan files, and the transcripts that name them.
    pub(crate) known_plans: Arc<KnownPlans>,
}
