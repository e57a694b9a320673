//! The metadata of transcripts, which lists would otherwise read from both ends of every
//! file.
//!
//! It is stored if it contains no secret of its session: titles and prompts are texts of
//! people.

use crate::catalog::Catalog;
use crate::packing::{Packer, Unpacker, is_worth_storing};
use crate::redaction::fact_secrets::Packed;
use crate::session::inline_agents::InlineAgents;
use index::{Digest, FactKind, NewFacts, StoredFacts};
use jiff::Timestamp;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use store::{
    Files, HeadAndTail, HiddenReason, PullRequest, SessionFolder, SessionKind, SessionMetadata,
};

/// Reads the metadata of transcripts for a list: stored ones, or else from the files.
pub(crate) struct MetadataReader<'l> {
    catalog: &'l Catalog,
    stored: Option<StoredFacts>,
    derived: Mutex<Vec<DerivedMetadata>>,
}

/// The metadata of a transcript with the session's folder, and what both were read from.
type DerivedMetadata = (PathBuf, Option<SessionFolder>, Digest, ListedMetadata);

/// The metadata of a transcript, and the agents that are written into it.
type ListedMetadata = (SessionMetadata, InlineAgents);

impl<'l> MetadataReader<'l> {
    /// A reader that uses stored metadata.
    pub(crate) fn new(catalog: &'l Catalog) -> Self {
        let stored = catalog.memory.stored_facts(FactKind::Metadata);
        MetadataReader { catalog, stored, derived: Mutex::new(Vec::new()) }
    }

    /// A reader for a few transcripts: reading them is faster than loading all
    /// stored metadata.
    pub(crate) fn of_few(catalog: &'l Catalog) -> Self {
        MetadataReader { catalog, stored: None, derived: Mutex::new(Vec::new()) }
    }

    /// The metadata of a transcript.
    pub(crate) fn read(
        &self,
        files: &Files,
        path: &Path,
        folder: Option<&SessionFolder>,
        chunks: &mut HeadAndTail,
    ) -> io::Result<ListedMetadata> {
        if let Some(metadata) = self.catalog.stores.app_metadata(path) {
            return Ok((metadata, InlineAgents::default()));
        }
        let without_agents = self.catalog.stores.options.without_inline_agents;
        let read = |chunks: &mut HeadAndTail| {
            let metadata = SessionMetadata::read(files, path, folder, chunks)?;
            let agents = if without_agents {
                InlineAgents::default()
            } else {
                InlineAgents::read(files, path, chunks)
            };
            Ok((metadata, agents))
        };
        let Some(stored) = &self.stored else { return read(chunks) };
        let origin = self.catalog.memory.metadata_origin(path, folder);
        let known = origin.and_then(|origin| unpack(stored.find(path, origin)?));
        if let Some(known) = known {
            return Ok(known);
        }
        let read = read(chunks)?;
        // What was left out must not be stored as if it were not there.
        let origin = origin.filter(|_| !without_agents);
        if let (Some(origin), Ok(mut derived)) = (origin, self.derived.lock()) {
            derived.push((path.to_owned(), folder.cloned(), origin, read.clone()));
        }
        Ok(read)
    }

    /// Stores the metadata of files that did not change while they were read.
    pub(crate) fn store(self) {
        let derived = self.derived.into_inner().unwrap_or_default();
        if !is_worth_storing(derived.len(), 0) {
            return;
        }
        let new = derived.iter().filter_map(|(path, folder, origin, metadata)| {
            let again = self.catalog.memory.metadata_origin(path, folder.as_ref());
            if again != Some(*origin) {
                return None;
            }
            let secrets = self.catalog.redaction.secrets_in_facts_of(FactKind::Metadata, path);
            let packed = Packed::new(pack(metadata), &secrets);
            packed.is_storable.then_some(NewFacts { path, origin: *origin, packed: packed.bytes })
        });
        self.catalog.memory.store_facts(&[(FactKind::Metadata, new.collect())]);
    }
}

const KINDS: [SessionKind; 4] = [
    SessionKind::Interactive,
    SessionKind::Programmatic,
    SessionKind::Warmup,
    SessionKind::PreCompactCopy,
];

const REASONS: [HiddenReason; 3] =
    [HiddenReason::Empty, HiddenReason::Sidechain, HiddenReason::Continued];

/// The number of a value: 0 for none.
fn number_of<T: PartialEq>(all: &[T], value: Option<&T>) -> u64 {
    let place = value.and_then(|value| all.iter().position(|known| known == value));
    place.map_or(0, |place| place as u64 + 1)
}

fn pack((metadata, inline_agents): &ListedMetadata) -> Packer {
    let SessionMetadata {
        bytes,
        modified,
        created,
        title,
        summary,
        shown_title,
        first_prompt,
        last_prompt,
        branch,
        cwd,
        original_cwd,
        tag,
        version,
        entrypoint,
        kind,
        pull_requests,
        archived,
        hidden,
        continued_in,
        has_messages,
    } = metadata;
    let mut packer = Packer::default();
    packer.number(*bytes);
    packer.time(Some(*modified));
    packer.time(*created);
    for text in [
        title,
        summary,
        shown_title,
        first_prompt,
        last_prompt,
        branch,
        cwd,
        original_cwd,
        tag,
        version,
        entrypoint,
        continued_in,
    ] {
        packer.name(text.as_deref());
    }
    packer.number(number_of(&KINDS, Some(kind)));
    packer.number(number_of(&[false, true], archived.as_ref()));
    packer.number(number_of(&REASONS, hidden.as_ref()));
    packer.number((*has_messages).into());
    packer.number(pull_requests.len() as u64);
    for PullRequest { number, url, repository } in pull_requests {
        packer.number(number.is_some().into());
        packer.number(number.unwrap_or_default());
        packer.name(url.as_deref());
        packer.name(repository.as_deref());
    }
    let InlineAgents { sidechains, repeated } = inline_agents;
    packer.number(*sidechains);
    packer.number(repeated.len() as u64);
    for id in repeated {
        packer.name(Some(id));
    }
    packer
}

/// A value by its number.
#[expect(clippy::option_option, reason = "the outer is a read failure, the inner no value")]
fn value_of<T: Copy>(all: &[T], unpacker: &mut Unpacker<'_>) -> Option<Option<T>> {
    match usize::try_from(unpacker.number()?).ok()?.checked_sub(1) {
        None => Some(None),
        Some(place) => all.get(place).copied().map(Some),
    }
}

/// Reads the values in the order in which they were packed. Every field is written out, so
/// that a new one cannot be left out here either.
fn unpack(bytes: &[u8]) -> Option<ListedMetadata> {
    let mut unpacker = Unpacker::new(bytes)?;
    let bytes = unpacker.number()?;
    let modified: Timestamp = unpacker.time()??;
    let created = unpacker.time()?;
    let mut text = || unpacker.name().map(|name| name.map(str::to_owned));
    let (title, summary, shown_title) = (text()?, text()?, text()?);
    let (first_prompt, last_prompt, branch) = (text()?, text()?, text()?);
    let (cwd, original_cwd, tag) = (text()?, text()?, text()?);
    let (version, entrypoint, continued_in) = (text()?, text()?, text()?);
    let kind = value_of(&KINDS, &mut unpacker)??;
    let archived = value_of(&[false, true], &mut unpacker)?;
    let hidden = value_of(&REASONS, &mut unpacker)?;
    let has_messages = unpacker.flag()?;
    let mut pull_requests = Vec::new();
    for _ in 0..unpacker.count()? {
        let has_number = unpacker.flag()?;
        pull_requests.push(PullRequest {
            number: Some(unpacker.number()?).filter(|_| has_number),
            url: unpacker.name()?.map(str::to_owned),
            repository: unpacker.name()?.map(str::to_owned),
        });
    }
    let sidechains = unpacker.number()?;
    let count = unpacker.count()?;
    let repeated = (0..count).map(|_| unpacker.name()?.map(str::to_owned));
    let repeated = repeated.collect::<Option<Vec<String>>>()?;
    let metadata = SessionMetadata {
        bytes,
        modified,
        created,
        title,
        summary,
        shown_title,
        first_prompt,
        last_prompt,
        branch,
        cwd,
        original_cwd,
        tag,
        version,
        entrypoint,
        kind,
        pull_requests,
        archived,
        hidden,
        continued_in,
        has_messages,
    };
    unpacker.is_done().then_some((metadata, InlineAgents { sidechains, repeated }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_unpacked_as_it_was_packed() {
        let some = |text: &str| Some(text.to_owned());
        let plain = SessionMetadata::unknown(Timestamp::UNIX_EPOCH);
        let full = SessionMetadata {
            bytes: 1 << 40,
            created: Timestamp::from_nanosecond(1_767_323_045_000_000_009).ok(),
            title: some("a title"),
            summary: some("a title"),
            shown_title: some("another"),
            first_prompt: some(""),
            last_prompt: some("é"),
            branch: some("main"),
            cwd: some("/home/ada"),
            original_cwd: some("/home"),
            tag: some("sea"),
            version: some("2.1.80"),
            entrypoint: some("cli"),
            kind: SessionKind::Warmup,
            pull_requests: vec![
                PullRequest { number: Some(0), url: some("https://example.org"), repository: None },
                PullRequest { number: None, url: None, repository: some("a/b") },
            ],
            archived: Some(false),
            hidden: Some(HiddenReason::Continued),
            continued_in: some("x"),
            has_messages: true,
            ..plain.clone()
        };
        let agents = InlineAgents { sidechains: 3, repeated: vec!["a1".to_owned(); 2] };
        for metadata in [(plain, InlineAgents::default()), (full, agents)] {
            let bytes = pack(&metadata).finish();
            let again = unpack(&bytes).expect("metadata");
            assert_eq!(format!("{again:?}"), format!("{metadata:?}"));
            for end in 0..bytes.len() {
                let cut = unpack(&bytes[..end]);
                assert!(cut.is_none(), "{end} of {} bytes", bytes.len());
            }
        }
    }
}
