//! Sessions that several owners have.
//!
//! Anybody can share rows under the id of somebody else's session. Copies that are equal are
//! shown once. Each installation masks the same secret differently, so masked secrets are equal
//! if they are of one kind; all other text counts, or a copy with other text and the same ids
//! would take the place of the true one. Of copies that differ, each stays a session: one keeps the id, and the others
//! get separate ids ([`own_id`]). The reader's copy keeps it, else the one that this
//! machine saw first, so that no later copy takes the place of one that is there.
//!
//! Copies are set aside by renaming and put back before stores are laid out again, so that
//! laying out need not know about them.

use crate::cache_files::{move_to, write_whole};
use crate::names::{Owner, SessionId};
use crate::reading::engine::own_id;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A session of an owner as it is laid out.
#[derive(Clone, Debug)]
pub(crate) struct LaidOutCopy<'a> {
    pub(crate) owner: &'a Owner,
    /// The folder of its project.
    pub(crate) project: PathBuf,
}

/// A file or folder that was renamed.
#[derive(Debug, Deserialize, Serialize)]
struct Move {
    from: PathBuf,
    to: PathBuf,
}

/// What is remembered between questions.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Copies {
    /// Who has the id of each session, or keeps it if several owners have it.
    keepers: BTreeMap<SessionId, Owner>,
    moves: Vec<Move>,
    /// Whether copies had been set aside.
    #[serde(skip)]
    had_moves: bool,
}

impl Copies {
    /// What was set aside below a folder is put back.
    pub(crate) fn put_back(folder: &Path) -> io::Result<Copies> {
        let known = fs::read(Self::path(folder)).ok();
        let mut copies: Copies =
            known.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        copies.had_moves = !copies.moves.is_empty();
        for step in std::mem::take(&mut copies.moves).into_iter().rev() {
            // A name below this folder, or the file was changed by somebody else.
            let is_own = step.from.starts_with(folder) && step.to.starts_with(folder);
            if is_own && step.to.exists() {
                move_to(&step.to, &step.from)?;
            }
        }
        Ok(copies)
    }

    /// Sets copies aside, so that each id is that of one session.
    pub(crate) fn set_aside(
        mut self,
        folder: &Path,
        reader: &Owner,
        sessions: &BTreeMap<&SessionId, Vec<LaidOutCopy<'_>>>,
    ) -> io::Result<()> {
        let before = std::mem::take(&mut self.keepers);
        let mut moves = Vec::new();
        for (session, copies) in sessions {
            let remembered = before.get(*session).cloned();
            let is_there = |owner: &Owner| copies.iter().any(|copy| copy.owner == owner);
            let keeper = Some(reader.clone())
                .filter(|owner| is_there(owner))
                .or_else(|| remembered.filter(|owner| is_there(owner)))
                .unwrap_or_else(|| copies[0].owner.clone());
            let Some(kept) = copies.iter().find(|copy| *copy.owner == keeper) else { continue };
            for copy in copies.iter().filter(|copy| *copy.owner != keeper) {
                let is_equal = is_same(&kept.project, &copy.project, session);
                let (project, id) = match own_id(session, copy.owner) {
                    Some(id) if !is_equal => (copy.project.clone(), id),
                    _ => (folder.join("aside").join(copy.owner.as_str()), (*session).clone()),
                };
                for suffix in [".jsonl", ""] {
                    moves.push(Move {
                        from: copy.project.join(format!("{session}{suffix}")),
                        to: project.join(format!("{id}{suffix}")),
                    });
                }
            }
            self.keepers.insert((*session).clone(), keeper);
        }
        self.moves = moves;
        // First what will be done, so that it can be undone if this ends in between.
        let is_known = self.keepers == before && !self.had_moves && self.moves.is_empty();
        if !is_known {
            write_whole(&Self::path(folder), &serde_json::to_vec(&self)?)?;
        }
        for step in self.moves.iter().filter(|step| step.from.exists()) {
            move_to(&step.from, &step.to)?;
        }
        Ok(())
    }

    fn path(folder: &Path) -> PathBuf {
        folder.join("copies.json")
    }
}

/// Whether two copies of a session have the same lines, agents included, apart from the hashes
/// of masked secrets.
fn is_same(one: &Path, two: &Path, session: &SessionId) -> bool {
    files(one, session).is_some_and(|own| Some(own) == files(two, session))
}

/// The digests of the transcripts of a session by their names. Only one is in memory at a time.
fn files(project: &Path, session: &SessionId) -> Option<BTreeMap<String, blake3::Hash>> {
    let read = |path: &Path| {
        let text = fs::read_to_string(path).ok()?;
        Some(blake3::hash(redact::without_hashes(&text).as_bytes()))
    };
    let mut files = BTreeMap::new();
    files.insert(String::new(), read(&project.join(format!("{session}.jsonl")))?);
    let agents = project.join(session.as_str()).join("subagents");
    for entry in fs::read_dir(agents).into_iter().flatten() {
        let entry = entry.ok()?;
        let name = entry.file_name().into_string().ok()?;
        files.insert(name, read(&entry.path())?);
    }
    Some(files)
}
