//! What the hits of a search have in common.

use crate::{Document, Keyword, Moment};
use library::search::{Freshness, SearchFacets};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the hits of a search have in common: how many texts have each value. Duplicates count once.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FacetsDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The query.
    pub query: String,
    /// How many blocks match, duplicates included.
    pub total: usize,
    /// Whether more may match: only the newest texts are counted.
    pub is_cut: bool,
    /// How many texts were counted.
    pub counted: usize,
    /// How many sessions they are in.
    pub sessions: usize,
    /// Whether the index is up to date with the files.
    pub fresh: bool,
    /// Whether the index has read every file at least once, and every line of it.
    pub index_complete: bool,
    /// If it has not: it has read everything that changed since then.
    pub covered_since: Option<Moment>,
    /// By project, the most first; at most 50.
    pub projects: Vec<FacetDocument>,
    /// By role.
    pub roles: Vec<FacetDocument>,
    /// By kind of text.
    pub kinds: Vec<FacetDocument>,
    /// By tool; at most 50.
    pub tools: Vec<FacetDocument>,
    /// By model; at most 50.
    pub models: Vec<FacetDocument>,
    /// By the state of the message, where the index knows it: messages of sessions with branches are not counted.
    pub states: Vec<FacetDocument>,
    /// By the values of `is:`: `error`, `prompt`, `agent`, `marked`, `recall`; a text can have several.
    pub is: Vec<FacetDocument>,
    /// By day in the zone, oldest first; only days that have hits.
    pub days: Vec<FacetDocument>,
}

impl Document for FacetsDocument {
    const SCHEMA: &'static str = "annals/facets/1";
    const COMMAND: &'static str = "`GET api/1/search/facets`";
}

/// How many texts have a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FacetDocument {
    /// The value.
    pub value: String,
    /// How many texts have it.
    pub count: usize,
}

/// The most values of one kind.
const MOST_VALUES: usize = 50;

impl FacetsDocument {
    /// The counts of a query.
    pub fn new(query: &str, facets: &SearchFacets, fresh: &Freshness) -> Self {
        let days = facets.days.iter();
        let days = days.map(|(day, count)| FacetDocument { value: day.to_string(), count: *count });
        FacetsDocument {
            schema: Self::SCHEMA.into(),
            query: query.to_owned(),
            total: facets.total,
            is_cut: facets.is_cut,
            counted: facets.counted,
            sessions: facets.sessions,
            fresh: fresh.is_fresh,
            index_complete: fresh.has_every_line(),
            covered_since: fresh.covered_since.map(Moment),
            projects: most(&facets.projects),
            roles: most(&facets.roles),
            kinds: most(&facets.kinds),
            tools: most(&facets.tools),
            models: most(&facets.models),
            states: most(&facets.states),
            is: most(&facets.is),
            days: days.collect(),
        }
    }
}

/// The values with the highest counts, the highest first.
fn most<K: AsRef<str>>(counts: &BTreeMap<K, usize>) -> Vec<FacetDocument> {
    let mut values: Vec<FacetDocument> = counts
        .iter()
        .map(|(value, count)| FacetDocument { value: value.as_ref().to_owned(), count: *count })
        .collect();
    values.sort_by_key(|value| std::cmp::Reverse(value.count));
    values.truncate(MOST_VALUES);
    values
}
