//! The index of these stores, and which of its files are theirs.

use crate::memory::Memory;
use crate::stores::Tier;
use crate::stores::apps::is_view;
use index::{Index, IndexError};
use std::path::Path;
use store::Root;

/// Whether a file belongs to a root.
fn holds(root: &Root, path: &Path, session: Option<&str>) -> bool {
    let Some(transcript) = root.transcript() else { return path.starts_with(&root.path) };
    // One transcript: only files of its session, beside it or below.
    let id = transcript.file_stem().and_then(|stem| stem.to_str());
    let is_near = transcript.parent().is_some_and(|folder| path.starts_with(folder));
    path == transcript || (is_near && id.is_some() && session == id)
}

impl Memory {
    /// The index, if there is a folder for it.
    pub(crate) fn index(&self) -> Result<Index, IndexError> {
        let home = self.stores.options.home.clone().map(Index::new);
        home.ok_or_else(|| {
            let text = "cannot find a folder for the index\nhint: set HOME or ANNALS_HOME";
            IndexError::Other(text.to_owned())
        })
    }

    /// Which files of the index belong to these roots, by path, session and
    /// whether they are only in the archive.
    pub(crate) fn shows_indexed(&self) -> impl Fn(&Path, Option<&str>, bool) -> bool {
        let places: Vec<(&Root, bool)> = self
            .stores
            .tier_roots(Tier::DiskAndArchive)
            .into_iter()
            .map(|(root, _)| (root, self.stores.is_known_root(root)))
            .collect();
        move |path, session, is_archive_only| {
            !self.stores.is_excluded(path, None)
                && places.iter().any(|(root, is_known)| {
                    // Files on disk were listed under the other path.
                    holds(root, path, session) && (!is_known || is_archive_only)
                })
        }
    }

    /// Whether a file of the index that no longer exists is deleted, rather
    /// than outside these roots.
    pub(crate) fn owns(&self, path: &Path) -> bool {
        let own = self
            .stores
            .roots
            .iter()
            .chain(&self.stores.app_roots)
            .chain(self.stores.archived_app_roots());
        let own = own.filter(|root| root.transcript().is_none());
        let is_own = own.map(|root| root.path.as_path()).any(|place| path.starts_with(place));
        let home = self.stores.options.home.as_deref();
        // Those of apps are below their own roots.
        let has_archive = !self.stores.has_explicit_roots()
            && !self.stores.options.without_claude
            && !is_view(path);
        is_own || (has_archive && home.is_some_and(|home| path.starts_with(home)))
    }
}
