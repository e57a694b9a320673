//! The facts of single transcripts.

use crate::facts::Facts;
use crate::facts::of_sessions::new_facts;
use crate::lines::scan::{ReadError, scan};
use crate::memory::facts::Origin;
use crate::packing::{Packer, is_worth_storing};
use crate::progress::Progress;
use crate::redaction::fact_secrets::Packed;
use index::{Digest, FactKind};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use store::Files;
use transcript::Line;

/// Facts of a transcript.
pub(crate) trait FileFacts: Default {
    /// Their kind.
    const KIND: FactKind;

    /// Derives and packs the facts of each transcript, in the order of the paths. Those of
    /// a transcript that was left out are empty or incomplete.
    fn derive(
        files: &Files,
        paths: &[PathBuf],
        progress: &dyn Progress,
    ) -> (Vec<Packer>, Vec<ReadError>);

    /// Reads them back; `None` if these are not facts of this kind.
    fn unpack(bytes: &[u8]) -> Option<Self>;
}

/// Facts that are gathered line by line.
pub(crate) trait LineFacts {
    /// What is gathered of the lines.
    type Lines: Default + Send;

    /// Takes a line.
    fn note(lines: &mut Self::Lines, line: Line<'_>);

    /// Packs what was gathered.
    fn pack(lines: Self::Lines, packer: &mut Packer);

    /// Derives the facts of each transcript from its lines.
    fn derive_from_lines(
        files: &Files,
        paths: &[PathBuf],
        progress: &dyn Progress,
    ) -> (Vec<Packer>, Vec<ReadError>) {
        let (read, read_errors) = scan(
            files,
            paths,
            progress,
            |_| Self::Lines::default(),
            |lines, line| {
                Self::note(lines, line);
                true
            },
        );
        let packed = read.into_iter().map(|lines| {
            let mut packer = Packer::default();
            Self::pack(lines, &mut packer);
            packer
        });
        (packed.collect(), read_errors)
    }
}

impl Facts {
    /// The facts of transcripts, in the order of the paths: stored ones, or else
    /// derived ones, which are then stored. The facts of a transcript that was
    /// left out are empty or incomplete.
    pub(crate) fn file_facts<F: FileFacts>(
        &self,
        paths: &[PathBuf],
        progress: &dyn Progress,
    ) -> (Vec<F>, Vec<ReadError>) {
        let mut origins: Vec<Option<Digest>> = vec![None; paths.len()];
        let mut facts: Vec<Option<F>> = Vec::with_capacity(paths.len());
        let stored = self.memory.stored_facts(F::KIND);
        if let Some(stored) = &stored {
            for (path, origin) in paths.iter().zip(&mut origins) {
                *origin = self.file_origin(F::KIND, path);
                let known = origin.and_then(|origin| stored.find(path, origin));
                facts.push(known.and_then(F::unpack));
            }
        } else {
            facts.resize_with(paths.len(), || None);
        }
        let missing: Vec<usize> =
            (0..paths.len()).filter(|number| facts[*number].is_none()).collect();
        let unread: Vec<PathBuf> = missing.iter().map(|number| paths[*number].clone()).collect();
        let (packed, read_errors) = F::derive(&self.stores.all, &unread, progress);
        let mut derived = Vec::with_capacity(missing.len());
        for (number, packer) in missing.into_iter().zip(packed) {
            let own =
                Packed::new(packer, &self.redaction.secrets_in_facts_of(F::KIND, &paths[number]));
            facts[number] = F::unpack(&own.bytes);
            derived.push((origins[number], own));
        }
        // A late call may have left out a part of any file.
        if stored.is_some() && !progress.is_late() {
            self.store_file_facts(F::KIND, &unread, &derived, &read_errors);
        }
        (facts.into_iter().map(Option::unwrap_or_default).collect(), read_errors)
    }

    /// Stores facts of files that did not change while they were read.
    pub(super) fn store_file_facts(
        &self,
        kind: FactKind,
        paths: &[PathBuf],
        packed: &[(Option<Digest>, Packed)],
        read_errors: &[ReadError],
    ) {
        let bytes = paths.iter().filter_map(|path| Some(self.stores.all.find(path)?.0.bytes));
        if !is_worth_storing(paths.len(), bytes.sum()) {
            return;
        }
        let unreadable: HashSet<&Path> =
            read_errors.iter().map(|read_error| read_error.path.as_path()).collect();
        let new = paths.iter().zip(packed).filter_map(|(path, (origin, packed))| {
            let origin = (*origin)?;
            let is_unchanged = !unreadable.contains(path.as_path())
                && self.file_origin(kind, path) == Some(origin);
            (is_unchanged && packed.is_storable).then(|| new_facts(path, origin, packed))
        });
        self.memory.store_facts(&[(kind, new.collect())]);
    }

    pub(super) fn file_origin(&self, kind: FactKind, path: &Path) -> Option<Digest> {
        let mut origin = Origin::new(&self.memory, self.memory.fact_masking(kind));
        origin.file(&self.memory, path)?;
        Some(origin.digest())
    }
}
