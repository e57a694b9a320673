//! The facts of single transcripts, which are derived from their lines.

use super::of_sessions::new_facts;
use super::{Origin, Packed, is_worth_storing, packing::Packer};
use crate::Library;
use crate::open::scan::{ReadError, scan};
use crate::progress::Progress;
use index::{Digest, FactKind};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use transcript::Line;

/// Facts that are gathered line by line.
pub(crate) trait LineFacts: Default {
    /// Their kind.
    const KIND: FactKind;

    /// What is gathered of the lines.
    type Lines: Default + Send;

    /// Takes a line.
    fn note(lines: &mut Self::Lines, line: Line<'_>);

    /// Packs what was gathered.
    fn pack(lines: Self::Lines, packer: &mut Packer);

    /// Reads it back; `None` if these are not facts of this kind.
    fn unpack(bytes: &[u8]) -> Option<Self>;
}

impl Library {
    /// The facts of transcripts, in the order of the paths: stored ones, or else
    /// derived ones, which are then stored. The facts of a transcript that was
    /// left out are empty or incomplete.
    pub(crate) fn file_facts<F: LineFacts>(
        &self,
        paths: &[PathBuf],
        progress: &dyn Progress,
    ) -> (Vec<F>, Vec<ReadError>) {
        let mut origins: Vec<Option<Digest>> = vec![None; paths.len()];
        let mut facts: Vec<Option<F>> = Vec::with_capacity(paths.len());
        let stored = self.stored_facts(F::KIND);
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
        let (read, read_errors) = scan(
            &self.all,
            &unread,
            progress,
            |_| F::Lines::default(),
            |lines, line| {
                F::note(lines, line);
                true
            },
        );
        let secrets = self.secrets_in_facts(F::KIND).filter(|_| !missing.is_empty());
        let mut derived = Vec::with_capacity(missing.len());
        for (number, lines) in missing.into_iter().zip(read) {
            let mut packer = Packer::default();
            F::pack(lines, &mut packer);
            let own = Packed::new(packer, secrets.as_ref());
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
    fn store_file_facts(
        &self,
        kind: FactKind,
        paths: &[PathBuf],
        packed: &[(Option<Digest>, Packed)],
        read_errors: &[ReadError],
    ) {
        let bytes = paths.iter().filter_map(|path| Some(self.all.find(path)?.0.bytes));
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
        self.store_facts(&[(kind, new.collect())]);
    }

    fn file_origin(&self, kind: FactKind, path: &Path) -> Option<Digest> {
        let mut origin = Origin::new(self, self.fact_masking(kind));
        origin.file(self, path)?;
        Some(origin.digest())
    }
}
