//! The tier to read: only the disk, or also the archive behind it.
//!
//! Lists of what is on disk never use the shelf, which may be slow. Opening a
//! file falls back to the shelf only if the disk does not have it, so every
//! file is opened through both.

use crate::session::Session;
use crate::stores::{Stores, app_root, same_place};
use std::collections::HashSet;
use std::path::PathBuf;
use store::{Files, Root, RootOrigin};

/// Which tier to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tier {
    /// The disk.
    #[default]
    Disk,
    /// The disk, and the archive for files that are gone from it.
    DiskAndArchive,
}

impl Stores {
    /// The roots of a tier, each with the file access for its tier.
    pub(crate) fn tier_roots(&self, tier: Tier) -> Vec<(&Root, Files)> {
        let files = self.tier_files(tier);
        let apps = self.app_roots.iter().map(|root| (root, files.clone()));
        if tier == Tier::Disk {
            let disk = self.disk.clone().without_shelf();
            return self.disk_roots().map(|root| (root, disk.clone())).chain(apps).collect();
        }
        let gone = self.archived_app_roots().iter().map(|root| (root, self.all.clone()));
        let own = self.roots.iter().map(|root| (root, self.all.clone())).chain(apps).chain(gone);
        // Other files in those folders on disk were not requested.
        let named = self.all.clone().listing_shelf_only();
        own.chain(self.archived_roots().iter().map(|root| (root, named.clone()))).collect()
    }

    pub(crate) fn has_shelf(&self) -> bool {
        self.options.shelf.is_some()
    }

    /// The file access of a tier.
    pub(crate) fn tier_files(&self, tier: Tier) -> &Files {
        match tier {
            Tier::Disk => &self.disk,
            Tier::DiskAndArchive => &self.all,
        }
    }

    /// The roots that are on disk.
    pub(crate) fn disk_roots(&self) -> impl Iterator<Item = &Root> {
        self.roots.iter().filter(|root| !root.is_archive_only)
    }

    /// The roots that only the shelf names; none if the user named the roots,
    /// because then only those count.
    pub(crate) fn archived_roots(&self) -> &[Root] {
        self.archived_roots.get_or_init(|| {
            let Some(behind) = self.all.shelf() else { return Vec::new() };
            if self.has_explicit_roots() || self.options.without_claude {
                return Vec::new();
            }
            let mut seen: HashSet<_> = self.roots.iter().map(|root| root.path.clone()).collect();
            let kept = behind.roots().into_iter().filter(|path| seen.insert(path.clone()));
            kept.map(Root::archived).collect()
        })
    }

    /// The roots of the apps that only the archive has.
    pub(crate) fn archived_app_roots(&self) -> &[Root] {
        self.archived_app_roots.get_or_init(|| {
            let archived = self.archived_apps.iter().flat_map(|apps| apps.sessions.roots());
            let is_gone = |path: &PathBuf| !self.app_roots.iter().any(|root| root.path == *path);
            archived.filter(is_gone).map(|path| app_root(path, true)).collect()
        })
    }

    /// The root of a path.
    pub(crate) fn root_at(&self, path: &std::path::Path) -> Option<&Root> {
        let here = |root: &&Root| root.path == path;
        self.roots
            .iter()
            .chain(&self.app_roots)
            .find(here)
            .or_else(|| self.archived_app_roots().iter().find(here))
            .or_else(|| self.archived_roots().iter().find(here))
    }

    /// Whether a root that only the shelf names is the same folder as another
    /// root, under another path.
    pub(crate) fn is_known_root(&self, root: &Root) -> bool {
        root.origin == RootOrigin::Archive && self.roots.iter().any(|known| same_place(known, root))
    }

    /// The file access for listing one of many sessions: the disk alone if the
    /// session is on disk.
    pub(crate) fn files_of(&self, session: &Session, tier: Tier) -> &Files {
        self.tier_files(if session.presence.is_in_archive() { Tier::DiskAndArchive } else { tier })
    }
}
