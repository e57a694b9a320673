//! What lists need of the sessions of another app, which would otherwise be read from the
//! beginnings of all its files.
//!
//! The files of an app are stored together, each with its stamp, so that nothing stays of a file
//! that is gone. Sessions whose titles or prompts contain a secret, or what another text of the
//! session could show to be one, are read each time.

use crate::packing::{Packer, Unpacker, VERSION, is_worth_storing};
use ::apps::row_store::opencode::Gap;
use ::apps::{Header, Lineage};
use index::{Digest, FactKind, FactMasking, Index, NewFacts, Stamp};
use redact::{Level, Redactor, may_have_value};
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What lists need of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SessionListing {
    /// What its file says of it as a whole.
    pub(crate) header: Header,
    /// Sub-agents that write into the same file.
    pub(crate) inline_agents: Vec<String>,
    /// Whether the person archived it in the app.
    pub(crate) is_archived: bool,
    /// The size of its rows, where several sessions are in one file.
    pub(crate) row_bytes: Option<u64>,
}

impl From<Header> for SessionListing {
    fn from(header: Header) -> Self {
        SessionListing { header, ..SessionListing::default() }
    }
}

/// What lists need of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileContent {
    /// Its sessions.
    pub(crate) sessions: Vec<SessionListing>,
    /// Parts of the sessions that annals does not read, and why.
    pub(crate) gaps: Vec<Gap>,
}

/// What lists need of the sessions in each file of an app.
#[derive(Debug)]
pub(crate) struct AppListings {
    /// Where it is stored, if anywhere.
    index: Option<Index>,
    /// The path that it is stored under.
    key: PathBuf,
    known: HashMap<PathBuf, FileListing>,
    /// The files that were asked for, and which of them were read.
    met: Mutex<Vec<(PathBuf, FileListing, IsRead)>>,
}

/// Whether a file was read now, or known before.
type IsRead = bool;

/// What lists need of the sessions in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FileListing {
    /// A digest of the file's stamp.
    stamp: Digest,
    /// Its content; `None` if that contains a secret, and so is not stored.
    content: Option<FileContent>,
}

impl AppListings {
    /// What is stored under a path.
    pub(crate) fn load(index: Option<Index>, key: PathBuf) -> Self {
        // Like every fact, what cannot be read is derived again.
        let stored = index.as_ref().and_then(|index| {
            let facts = index.facts(FactKind::AppListings, FactMasking::None).ok()??;
            facts.find(&key, origin()).and_then(unpack)
        });
        let known = stored.unwrap_or_default();
        AppListings { index, key, known, met: Mutex::default() }
    }

    /// What lists need of a file: as it is stored, if the file has the same stamps as then, else as
    /// it is read.
    pub(crate) fn of_file(
        &self,
        path: &Path,
        stamps: &[Stamp],
        read: impl FnOnce() -> io::Result<FileContent>,
    ) -> io::Result<FileContent> {
        let stamp = digest_of(stamps);
        let known = self.known.get(path).filter(|known| known.stamp == stamp);
        let content = match known.and_then(|known| known.content.clone()) {
            Some(content) => content,
            None => read()?,
        };
        let listing = known.cloned();
        let is_read = listing.is_none();
        let listing =
            listing.unwrap_or_else(|| FileListing { stamp, content: Some(content.clone()) });
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        met.push((path.to_owned(), listing, is_read));
        Ok(content)
    }

    /// Stores what was asked for, if enough of it was read, or if a stored file is gone.
    pub(crate) fn store(self) {
        let Some(index) = self.index else { return };
        let met = self.met.into_inner().unwrap_or_default();
        let read = met.iter().filter(|(.., is_read)| *is_read).count();
        let paths: HashSet<&PathBuf> = met.iter().map(|(path, ..)| path).collect();
        let is_one_gone = self.known.keys().any(|path| !paths.contains(path));
        if index.identity().is_none() || (!is_one_gone && !is_worth_storing(read, 0)) {
            return;
        }
        let redactor = Redactor::new(Level::Standard, [0; 32]);
        let files = met.into_iter().map(|(path, mut listing, is_read)| {
            let has_secret = |content: &FileContent| {
                let gaps = content.gaps.iter().map(|gap| gap.text.as_str());
                let mut texts = content.sessions.iter().flat_map(texts).chain(gaps);
                texts.any(|text| !redactor.find(text).is_empty() || may_have_value(text))
            };
            listing.content = listing.content.filter(|content| !is_read || !has_secret(content));
            (path, listing)
        });
        let packed = pack(files);
        let new = NewFacts { path: &self.key, origin: origin(), packed };
        // The next command reads the files again if this cannot be stored.
        let _ = index.store_facts(FactMasking::None, &[(FactKind::AppListings, vec![new])]);
    }
}

fn origin() -> Digest {
    Digest::of(VERSION.as_bytes())
}

fn digest_of(stamps: &[Stamp]) -> Digest {
    let mut bytes = Vec::new();
    for Stamp { bytes: size, modified, identity: (inode, device, changed) } in stamps {
        bytes.extend(size.to_le_bytes());
        bytes.extend(modified.to_le_bytes());
        bytes.extend(inode.to_le_bytes());
        bytes.extend(device.to_le_bytes());
        bytes.extend(changed.to_le_bytes());
    }
    Digest::of(&bytes)
}

/// The texts of people and models in a listing.
fn texts(listing: &SessionListing) -> impl Iterator<Item = &str> {
    let header = &listing.header;
    let texts = [
        &header.title,
        &header.first_prompt,
        &header.directory,
        &header.branch,
        &header.repository,
        &header.agent_name,
    ];
    texts.into_iter().flatten().map(String::as_str)
}

fn pack(files: impl Iterator<Item = (PathBuf, FileListing)>) -> Vec<u8> {
    let mut packer = Packer::default();
    for (path, FileListing { stamp, content }) in files {
        // A path that is not text is read each time.
        let Some(path) = path.to_str() else { continue };
        packer.name(Some(path));
        packer.digest(Some(stamp));
        packer.number(content.is_some().into());
        if let Some(FileContent { sessions, gaps }) = content {
            packer.number(sessions.len() as u64);
            for listing in &sessions {
                pack_listing(&mut packer, listing);
            }
            packer.number(gaps.len() as u64);
            for gap in &gaps {
                packer.name(Some(&gap.text));
                packer.number(gap.hides_sessions.into());
            }
        }
    }
    packer.finish()
}

fn unpack(bytes: &[u8]) -> Option<HashMap<PathBuf, FileListing>> {
    let mut unpacker = Unpacker::new(bytes)?;
    let mut files = HashMap::new();
    while !unpacker.is_done() {
        let path = PathBuf::from(unpacker.name()??);
        let stamp = unpacker.digest()??;
        let content = if unpacker.flag()? {
            let count = unpacker.count()?;
            let sessions =
                (0..count).map(|_| unpack_listing(&mut unpacker)).collect::<Option<_>>()?;
            let count = unpacker.count()?;
            let gaps = (0..count).map(|_| unpack_gap(&mut unpacker)).collect::<Option<_>>()?;
            Some(FileContent { sessions, gaps })
        } else {
            None
        };
        files.insert(path, FileListing { stamp, content });
    }
    Some(files)
}

fn unpack_gap(unpacker: &mut Unpacker<'_>) -> Option<Gap> {
    Some(Gap { text: unpacker.name()??.to_owned(), hides_sessions: unpacker.flag()? })
}

/// Every field is written out, so that a new one cannot be left out.
fn pack_listing(packer: &mut Packer, listing: &SessionListing) {
    let SessionListing { header, inline_agents, is_archived, row_bytes } = listing;
    let Header {
        id,
        title,
        first_prompt,
        directory,
        branch,
        repository,
        version,
        source,
        model,
        started,
        ended,
        agent_name,
        lineage,
    } = header;
    packer.name(Some(id));
    for text in
        [title, first_prompt, directory, branch, repository, version, source, model, agent_name]
    {
        packer.name(text.as_deref());
    }
    packer.time(*started);
    packer.time(*ended);
    packer.number(lineage.len() as u64);
    for lineage in lineage {
        pack_lineage(packer, lineage);
    }
    packer.number(inline_agents.len() as u64);
    for agent in inline_agents {
        packer.name(Some(agent));
    }
    packer.number((*is_archived).into());
    // 0: unknown.
    packer.number(row_bytes.map_or(0, |bytes| bytes.saturating_add(1)));
}

fn pack_lineage(packer: &mut Packer, lineage: &Lineage) {
    match lineage {
        Lineage::Fork { of } => {
            packer.number(1);
            packer.name(Some(of));
        }
        Lineage::Base { file, bytes } => {
            packer.number(2);
            packer.name(Some(file));
            packer.number(*bytes);
        }
        Lineage::Agent { of, call } => {
            packer.number(3);
            packer.name(Some(of));
            packer.name(call.as_deref());
        }
        // What cannot be unpacked is read again.
        _ => packer.number(0),
    }
}

fn unpack_listing(unpacker: &mut Unpacker<'_>) -> Option<SessionListing> {
    let mut text = || unpacker.name().map(|name| name.map(str::to_owned));
    let id = text()??;
    let (title, first_prompt, directory) = (text()?, text()?, text()?);
    let (branch, repository, version) = (text()?, text()?, text()?);
    let (source, model, agent_name) = (text()?, text()?, text()?);
    let (started, ended) = (unpacker.time()?, unpacker.time()?);
    let count = unpacker.count()?;
    let lineage = (0..count).map(|_| unpack_lineage(unpacker)).collect::<Option<_>>()?;
    let count = unpacker.count()?;
    let inline_agents =
        (0..count).map(|_| unpacker.name()?.map(str::to_owned)).collect::<Option<_>>()?;
    let is_archived = unpacker.flag()?;
    let row_bytes = unpacker.number()?.checked_sub(1);
    let header = Header {
        id,
        title,
        first_prompt,
        directory,
        branch,
        repository,
        version,
        source,
        model,
        started,
        ended,
        agent_name,
        lineage,
    };
    Some(SessionListing { header, inline_agents, is_archived, row_bytes })
}

fn unpack_lineage(unpacker: &mut Unpacker<'_>) -> Option<Lineage> {
    match unpacker.number()? {
        1 => Some(Lineage::Fork { of: unpacker.name()??.to_owned() }),
        2 => Some(Lineage::Base { file: unpacker.name()??.to_owned(), bytes: unpacker.number()? }),
        3 => Some(Lineage::Agent {
            of: unpacker.name()??.to_owned(),
            call: unpacker.name()?.map(str::to_owned),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    fn full() -> SessionListing {
        let some = |text: &str| Some(text.to_owned());
        SessionListing {
            header: Header {
                id: "019f".to_owned(),
                title: some("Fish"),
                first_prompt: some("Count the fish."),
                directory: some("/home/ada"),
                branch: some("main"),
                repository: some("https://example.org/fish"),
                version: some("0.99"),
                source: some("cli"),
                model: some("gpt-5"),
                started: Timestamp::from_nanosecond(1_767_323_045_000_000_009).ok(),
                ended: Timestamp::from_second(1_767_323_046).ok(),
                agent_name: some("counter"),
                lineage: vec![
                    Lineage::Fork { of: "a".to_owned() },
                    Lineage::Base { file: "b".to_owned(), bytes: 1 << 40 },
                    Lineage::Agent { of: "c".to_owned(), call: some("d") },
                    Lineage::Agent { of: "c".to_owned(), call: None },
                ],
            },
            inline_agents: vec!["one".to_owned(), "two".to_owned()],
            is_archived: true,
            row_bytes: Some(1 << 40),
        }
    }

    #[test]
    fn listings_are_unpacked_as_they_were_packed() {
        let stamp = Digest::of(b"stamp");
        let gap = |hides_sessions| Gap { text: "a table".to_owned(), hides_sessions };
        let content = |sessions, gaps| Some(FileContent { sessions, gaps });
        let files = [
            ("/one", content(vec![full(), SessionListing::default()], vec![gap(true), gap(false)])),
            ("/two", content(Vec::new(), Vec::new())),
            ("/three", None),
        ];
        let files: HashMap<PathBuf, FileListing> = files
            .into_iter()
            .map(|(path, content)| (path.into(), FileListing { stamp, content }))
            .collect();
        let bytes = pack(files.clone().into_iter());
        assert_eq!(unpack(&bytes), Some(files.clone()));
        for end in 0..bytes.len() {
            assert_ne!(unpack(&bytes[..end]), Some(files.clone()), "{end} bytes");
        }
    }
}
