//! Stores of several people, and sums of what others used, brought here from a team's lake.
//!
//! Whose a session is, is a fact of the store it lies in and never of its content: anybody
//! can write any name into a transcript.

use crate::session::Presence;
use crate::stores::Stores;
use jiff::civil::Date;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use usage::{Counters, PicoUsd};

/// What was brought from the lake.
#[derive(Clone, Debug, Default)]
pub struct LakeSources {
    /// The stores with their owners.
    pub stores: Vec<(PathBuf, String)>,
    /// The keys of projects by the folders of their transcripts. Working directories in lines
    /// are masked differently on each machine.
    pub projects: HashMap<PathBuf, String>,
    /// The sums by day of people whose calls are not in a store.
    pub sums: Vec<OwnerSums>,
}

/// The sums by day of one person.
#[derive(Clone, Debug, Default)]
pub struct OwnerSums {
    /// The person.
    pub owner: String,
    /// The file they are in.
    pub path: PathBuf,
    /// The sums.
    pub days: Vec<DaySum>,
}

/// What one project and model took on one day in UTC. Which session and which time of the
/// day is not known.
#[derive(Clone, Debug, Default)]
pub struct DaySum {
    /// The day; none for calls without a time.
    pub day: Option<Date>,
    /// The key of the project.
    pub project: String,
    /// The model.
    pub model: Option<String>,
    /// How many calls.
    pub calls: u64,
    /// Of these, the ones without a known price.
    pub unpriced_calls: u64,
    /// Their token counts.
    pub counters: Counters,
    /// Their cost, as far as known.
    pub cost: PicoUsd,
}

impl Stores {
    /// What was brought from a lake, if that is what is read.
    pub(crate) fn lake(&self) -> Option<&LakeSources> {
        self.options.lake.as_deref()
    }

    /// Whose store a file lies in.
    pub(crate) fn owner_of(&self, path: &Path) -> Option<&str> {
        let stores = self.lake()?.stores.iter();
        let mut around = stores.filter(|(store, _)| path.starts_with(store));
        around.next().map(|(_, owner)| owner.as_str())
    }

    /// The key of the project that a transcript of the lake belongs to.
    pub(crate) fn project_key(&self, path: &Path) -> Option<&str> {
        let projects = &self.lake()?.projects;
        path.ancestors().find_map(|folder| projects.get(folder)).map(String::as_str)
    }

    /// Where a transcript is. Those of other apps are made of files, on disk or in the archive.
    pub(crate) fn presence(&self, path: &Path, is_archive_only: bool) -> Presence {
        if self.lake().is_some() {
            return Presence::Lake;
        }
        let of_claude = if is_archive_only { Presence::Archive } else { Presence::Disk };
        self.app_presence(path).unwrap_or(of_claude)
    }

    /// A working directory as the key of a project: sums and calls of the lake have keys in
    /// place of folders.
    pub(crate) fn lake_project(&self, project: String) -> String {
        match self.lake() {
            Some(_) => project.trim_start_matches('/').to_owned(),
            None => project,
        }
    }
}
