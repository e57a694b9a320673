//! The folder in which what an engine brought is laid out.

use crate::cache_files::{remove, remove_folder, write_whole};
use crate::names::{Level, Owner, SegmentName, SessionId};
use crate::reading::copies::{Copies, LaidOutCopy};
use crate::reading::engine::{OwnerView, UnusableObject, View};
use crate::reading::known_heads::KnownHeads;
use crate::reading::layout::OwnerLayout;
use crate::reading::owner_store::lay_out;
use crate::reading::roll_up::roll_up;
use crate::reading::scope::Scope;
use crate::reading::segments::FetchedSegments;
use document::LakeQuestion;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The segments that can be used, by owner.
pub(crate) type UsableSegments<'s> = BTreeMap<&'s Owner, BTreeSet<SegmentName>>;

/// The folder for one kind of question and one scope.
#[derive(Debug)]
pub(crate) struct ViewFolder {
    folder: PathBuf,
}

impl ViewFolder {
    /// Usage has a separate folder: it needs no text.
    pub(crate) fn new(folder: &Path, question: &LakeQuestion, scope: &Scope) -> Self {
        let kind = if question.is_usage() { "usage" } else { "sessions" };
        ViewFolder { folder: folder.join(scope.to_string().replace(':', "-")).join(kind) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    /// The segments that were brought.
    pub(crate) fn segments(&self) -> FetchedSegments {
        FetchedSegments::new(self.folder.join("segments"))
    }

    /// The manifests that were read.
    pub(crate) fn known_heads(&self) -> KnownHeads {
        KnownHeads::new(self.folder.join("manifests"))
    }

    /// Lays out segments as stores and sums, and removes everything else.
    pub(crate) fn view(
        &self,
        question: &LakeQuestion,
        reader: &Owner,
        usable: &UsableSegments<'_>,
        mut unusable: Vec<UnusableObject>,
        now: Timestamp,
    ) -> io::Result<View> {
        let segments = self.segments();
        let owners = self.lay_out(question, reader, &segments, usable, &mut unusable)?;
        let names: HashSet<&str> = usable.keys().map(|owner| owner.as_str()).collect();
        let kept: HashSet<SegmentName> = usable.values().flatten().cloned().collect();
        remove_others(&self.folder.join("stores"), &names)?;
        remove_others(&self.folder.join("days"), &names)?;
        segments.keep_only(&kept)?;
        let view = View { home: self.folder.join("home"), owners, unusable, as_of: now };
        write_whole(&self.folder.join("view.json"), &serde_json::to_vec(&view)?)?;
        Ok(view)
    }

    /// The view that was made before, for when the lake cannot be asked.
    pub(crate) fn kept(&self) -> Option<View> {
        let bytes = fs::read(self.folder.join("view.json")).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    fn lay_out(
        &self,
        question: &LakeQuestion,
        reader: &Owner,
        segments: &FetchedSegments,
        usable: &UsableSegments<'_>,
        unusable: &mut Vec<UnusableObject>,
    ) -> io::Result<Vec<OwnerView>> {
        let mut owners = Vec::new();
        let mut stores = Vec::new();
        let copies = Copies::put_back(&self.folder)?;
        for (owner, names) in usable {
            if question.is_usage() && *owner != reader {
                owners.push(self.sums_of(owner, segments, names, unusable)?);
                continue;
            }
            let layout = OwnerLayout::new(self.folder.join("stores").join(owner.as_str()));
            let known = unusable.len();
            let laid_out = lay_out(&layout, segments, names, unusable)?;
            add_owner(owner, unusable.iter_mut().skip(known));
            owners.push(OwnerView {
                owner: (*owner).clone(),
                root: Some(layout.root().to_owned()),
                projects: laid_out.projects(),
                days: None,
                sessions: laid_out.count(),
                with_metadata: laid_out.count_at(Level::Metadata),
                with_text: laid_out.count_at(Level::Text),
            });
            stores.push((*owner, layout, laid_out));
        }
        let mut sessions: BTreeMap<&SessionId, Vec<LaidOutCopy<'_>>> = BTreeMap::new();
        for (owner, layout, laid_out) in &stores {
            for (session, project) in laid_out.sessions() {
                let project = layout.root().join("projects").join(project);
                sessions.entry(session).or_default().push(LaidOutCopy { owner, project });
            }
        }
        copies.set_aside(&self.folder, reader, &sessions)?;
        Ok(owners)
    }

    fn sums_of(
        &self,
        owner: &Owner,
        segments: &FetchedSegments,
        names: &BTreeSet<SegmentName>,
        unusable: &mut Vec<UnusableObject>,
    ) -> io::Result<OwnerView> {
        let file = self.folder.join("days").join(owner.as_str());
        let known = unusable.len();
        roll_up(&file, segments, names, unusable)?;
        add_owner(owner, unusable.iter_mut().skip(known));
        let owner = owner.clone();
        Ok(OwnerView {
            owner,
            root: None,
            projects: BTreeMap::new(),
            days: Some(file),
            sessions: 0,
            with_metadata: 0,
            with_text: 0,
        })
    }
}

/// Several owners can have objects of one name.
fn add_owner<'u>(owner: &Owner, unusable: impl Iterator<Item = &'u mut UnusableObject>) {
    for object in unusable {
        object.name = format!("{} of {owner}", object.name);
    }
}

/// Deletes what is left of owners who share nothing any more.
fn remove_others(folder: &Path, owners: &HashSet<&str>) -> io::Result<()> {
    let Ok(listed) = fs::read_dir(folder) else { return Ok(()) };
    for entry in listed {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|name| owners.contains(name)) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            remove_folder(&entry.path())?;
        } else {
            remove(&entry.path())?;
        }
    }
    Ok(())
}
