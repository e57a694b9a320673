//! Sessions that share a past.
//!
//! A fork records where its lines come from. Before 1.0.128, a resumed session
//! was a new file with the old lines copied and no reference to the original.
//! Both can be seen in the first lines of a transcript, so only those are read.

use crate::catalog::Catalog;
use crate::catalog::find::FoundSession;
use crate::catalog::metadata::MetadataReader;
use crate::lines::scan::read_lines;
use crate::session::Session;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use store::{Files, Folder, HeadAndTail};
use transcript::parse_line;

/// How much of a transcript is searched for copied lines.
const HEAD: u64 = 64 * 1024;

/// How two sessions are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// Lines of this session were copied from that one, and say so.
    ForkedFrom,
    /// That session was forked from this one.
    Fork,
    /// Both begin with the same lines.
    SharesLines,
    /// That session continues this one.
    ContinuedIn,
}

impl Relation {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Relation::ForkedFrom => "forked_from",
            Relation::Fork => "fork",
            Relation::SharesLines => "shares_lines",
            Relation::ContinuedIn => "continued_in",
        }
    }
}

/// A session that shares a past with another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relative {
    /// That session.
    pub session_id: String,
    /// How it is related.
    pub relation: Relation,
    /// How many lines show it.
    pub lines: u64,
    /// The title of that session, if it still exists.
    pub heading: Option<String>,
}

/// What the first lines of a transcript show.
#[derive(Default)]
struct Head {
    uuids: HashSet<String>,
    forked_from: BTreeMap<String, u64>,
}

impl Head {
    fn read(files: &Files, session: &Session) -> Head {
        let mut head = Head::default();
        let Some(path) = session.path.as_deref() else { return head };
        // A transcript that cannot be read has no relatives to show.
        let _ = read_lines(files, path, |line| {
            for entry in parse_line(line) {
                let envelope = &entry.record.envelope;
                if entry.record.kind.is_chain_member() && !envelope.is_sidechain {
                    head.uuids.extend(envelope.uuid.as_ref().map(ToString::to_string));
                }
                let origin = envelope.forked_from.as_ref();
                if let Some(id) = origin.and_then(|origin| origin.session_id.as_ref()) {
                    *head.forked_from.entry(id.to_string()).or_default() += 1;
                }
            }
            line.offset < HEAD
        });
        head
    }
}

impl Catalog {
    /// The sessions of the same project folder that share a past with this one.
    pub fn relatives(&self, found: &FoundSession) -> Vec<Relative> {
        let session = &found.session;
        let own = Head::read(&self.stores.all, session);
        let near = self.sessions_beside(session);
        let heading = |id: &str| {
            let known = near.iter().find(|other| other.id == id).cloned();
            let known = known.or_else(|| self.find_id(id));
            known.and_then(|other| other.heading().map(str::to_owned))
        };
        let mut relatives: Vec<Relative> = own
            .forked_from
            .iter()
            .filter(|(id, _)| **id != session.id)
            .map(|(id, lines)| Relative {
                session_id: id.clone(),
                relation: Relation::ForkedFrom,
                lines: *lines,
                heading: heading(id),
            })
            .collect();
        relatives.extend(session.metadata.continued_in.as_ref().map(|id| Relative {
            session_id: id.clone(),
            relation: Relation::ContinuedIn,
            lines: 1,
            heading: heading(id),
        }));
        for other in near.iter().filter(|other| other.id != session.id) {
            let head = Head::read(&self.stores.all, other);
            let copied = head.forked_from.get(&session.id).copied().unwrap_or_default();
            let shared = head.uuids.intersection(&own.uuids).count() as u64;
            let known = relatives.iter().any(|relative| relative.session_id == other.id);
            let (relation, lines) = match (copied, shared) {
                (0, 0) => continue,
                (0, _) if known => continue,
                (0, shared) => (Relation::SharesLines, shared),
                (copied, _) => (Relation::Fork, copied),
            };
            relatives.push(Relative {
                session_id: other.id.clone(),
                relation,
                lines,
                heading: other.heading().map(str::to_owned),
            });
        }
        relatives
    }
}

impl Catalog {
    /// The sessions of a session's project folder, itself included, newest
    /// first.
    fn sessions_beside(&self, session: &Session) -> Vec<Session> {
        let folder = session.path.as_deref().and_then(Path::parent);
        let Some((root, folder)) = self.stores.root_at(&session.root).zip(folder) else {
            return Vec::new();
        };
        let folder = Folder { loose: root.is_loose(), ..Folder::new(folder.to_owned()) };
        let mut chunks = HeadAndTail::default();
        let metadata = MetadataReader::of_few(self);
        let near =
            self.list_folder(root, &self.stores.all, &folder, &|_| true, &metadata, &mut chunks);
        let mut near = near.sessions;
        near.sort_by(|one, two| one.order().cmp(&two.order()));
        near
    }
}
