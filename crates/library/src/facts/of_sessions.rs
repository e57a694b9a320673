//! The facts of sessions: of their calls, and of the files they read and changed.
//!
//! Both are derived from the same reading of a session, and stored together.

use crate::catalog::agent_files::FlatAgents;
use crate::facts::Facts;
use crate::facts::calls::{CallFact, unpack_calls};
use crate::facts::touches::{SessionTouches, pack_touches, unpack_touches};
use crate::lines::ReadError;
use crate::memory::facts::Origin;
use crate::packing::{Packer, is_worth_storing};
use crate::progress::Progress;
use crate::redaction::fact_secrets::{FactSecrets, Packed};
use crate::session::Session;
use crate::sessions::calls::SessionBytes;
use crate::sessions::prompted_calls::{Notes, PromptedCalls};
use crate::stores::Tier;
use index::{Digest, FactKind, FactMasking, NewFacts};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use store::Agent;

impl Facts {
    /// Whether the facts of calls are stored, so that sessions need not be read
    /// to find the calls to show.
    pub fn knows_calls(&self) -> bool {
        self.memory.stores_facts()
    }

    /// Passes the facts of each session's calls to `each`, and returns the
    /// results in the order of the sessions, each with its session's number.
    pub fn call_facts<T: Send>(
        &self,
        sessions: &[&Session],
        progress: &dyn Progress,
        each: impl Fn(&Session, &[CallFact<'_>]) -> T + Sync,
    ) -> (Vec<(usize, T)>, Vec<ReadError>) {
        self.session_facts(FactKind::Calls, sessions, progress, |session, bytes| {
            unpack_calls(bytes).map(|calls| each(session, &calls))
        })
    }
}

/// The facts of a session, derived from its files.
struct DerivedFacts {
    number: usize,
    calls: Packed,
    touches: Packed,
}

impl DerivedFacts {
    fn new(
        number: usize,
        agents: &[Agent],
        bytes: &SessionBytes,
        secrets: &FactSecrets,
    ) -> DerivedFacts {
        let mut notes = Notes::default();
        let calls = bytes.calls(agents, |file, entry| notes.note(file, entry));
        let mut packer = Packer::default();
        for (agent, call) in &calls.calls {
            let agent = agent.and_then(|agent| calls.agents.get(agent));
            CallFact::of(agent, call).pack(&mut packer);
        }
        let touches = pack_touches(&PromptedCalls::new(calls, notes));
        DerivedFacts {
            number,
            calls: Packed::new(packer, secrets),
            touches: Packed::new(touches, secrets),
        }
    }

    fn of_kind(&self, kind: FactKind) -> &[u8] {
        match kind {
            FactKind::Touches => &self.touches.bytes,
            _ => &self.calls.bytes,
        }
    }
}

impl Facts {
    /// Passes the touches of each session to `each`.
    pub(crate) fn touch_facts<T: Send>(
        &self,
        sessions: &[&Session],
        progress: &dyn Progress,
        each: impl Fn(&Session, SessionTouches<'_>) -> T + Sync,
    ) -> (Vec<T>, Vec<ReadError>) {
        let (answers, read_errors) =
            self.session_facts(FactKind::Touches, sessions, progress, |session, bytes| {
                unpack_touches(bytes).map(|touches| each(session, touches))
            });
        (answers.into_iter().map(|(_, answer)| answer).collect(), read_errors)
    }

    /// Passes the packed facts of each session to `each`: stored ones, or else
    /// derived ones, which are then stored. `each` returns `None` for bytes it
    /// cannot read.
    fn session_facts<T: Send>(
        &self,
        kind: FactKind,
        sessions: &[&Session],
        progress: &dyn Progress,
        each: impl Fn(&Session, &[u8]) -> Option<T> + Sync,
    ) -> (Vec<(usize, T)>, Vec<ReadError>) {
        let mut answers: Vec<Option<T>> = Vec::with_capacity(sessions.len());
        let mut origins: Vec<Option<(PathBuf, Digest)>> = Vec::new();
        if let Some(stored) = self.memory.stored_facts(kind) {
            origins = self.origins(kind, sessions);
            let known = sessions.par_iter().zip(&origins).map(|(session, origin)| {
                let (path, origin) = origin.as_ref()?;
                each(session, stored.find(path, *origin)?)
            });
            answers.par_extend(known);
        } else {
            answers.resize_with(sessions.len(), || None);
        }
        let missing: Vec<usize> =
            (0..sessions.len()).filter(|number| answers[*number].is_none()).collect();
        if missing.is_empty() {
            return (numbered(answers), Vec::new());
        }
        let derived = Mutex::new(Vec::new());
        let unread: Vec<&Session> = missing.iter().map(|number| sessions[*number]).collect();
        let (read, read_errors) = self.sessions.each_session_while(
            &unread,
            Tier::DiskAndArchive,
            progress,
            |_| true,
            |_| true,
            |number, session, agents, bytes| {
                let number = missing[number];
                let file = session.path.as_ref().or(agents.first().map(|agent| &agent.path));
                let secrets = file.map_or(FactSecrets::Unknown, |file| {
                    self.redaction.secrets_in_facts_of(kind, file)
                });
                let facts = DerivedFacts::new(number, agents, bytes, &secrets);
                let answer = each(session, facts.of_kind(kind));
                if bytes.read_errors.is_empty()
                    && let Ok(mut derived) = derived.lock()
                {
                    derived.push(facts);
                }
                answer
            },
        );
        for (number, answer) in missing.iter().zip(read) {
            answers[*number] = answer.flatten();
        }
        if !origins.is_empty() {
            let derived = derived.into_inner().unwrap_or_default();
            self.store_session_facts(kind, sessions, &origins, &derived);
        }
        (numbered(answers), read_errors)
    }

    /// Stores facts of sessions whose files did not change while they were read.
    fn store_session_facts(
        &self,
        kind: FactKind,
        sessions: &[&Session],
        origins: &[Option<(PathBuf, Digest)>],
        derived: &[DerivedFacts],
    ) {
        let read: Vec<&Session> = derived.iter().map(|facts| sessions[facts.number]).collect();
        let bytes = read.iter().map(|session| session.metadata.bytes).sum();
        if !is_worth_storing(read.len(), bytes) {
            return;
        }
        let again = self.origins(kind, &read);
        let unchanged = derived.iter().zip(&again).filter_map(|(facts, now)| {
            let before = origins[facts.number].as_ref()?;
            (now.as_ref() == Some(before)).then_some((facts, before))
        });
        let (mut calls, mut touches) = (Vec::new(), Vec::new());
        for (facts, (path, origin)) in unchanged {
            for (packed, to) in [(&facts.calls, &mut calls), (&facts.touches, &mut touches)] {
                if packed.is_storable {
                    to.push(new_facts(path, *origin, packed));
                }
            }
        }
        self.memory.store_facts(&[(FactKind::Calls, calls), (FactKind::Touches, touches)]);
    }

    /// What the facts of each session are derived from, with the path they are
    /// stored under; `None` if a file is missing.
    fn origins(&self, kind: FactKind, sessions: &[&Session]) -> Vec<Option<(PathBuf, Digest)>> {
        let mut flat = FlatAgents::new();
        let beginning = Origin::new(&self.memory, self.memory.fact_masking(kind));
        let origin = |session: &&Session| {
            let agents = self.catalog.agent_files_of(session, &mut flat, Tier::DiskAndArchive);
            let mut origin = beginning.clone();
            if let Some(path) = &session.path {
                origin.file(&self.memory, path)?;
            }
            for agent in &agents {
                origin.file(&self.memory, &agent.path)?;
                origin.text(format!("{agent:?}").as_bytes());
            }
            let first = agents.first().map(|agent| &agent.path);
            let path = session.path.as_ref().or(first)?;
            if self.memory.fact_masking(kind) != FactMasking::None {
                origin
                    .bytes
                    .extend(self.redaction.masking_of(path).fingerprint().unwrap_or_default());
            }
            Some((path.clone(), origin.digest()))
        };
        sessions.iter().map(origin).collect()
    }
}

pub(super) fn new_facts<'f>(path: &'f Path, origin: Digest, packed: &Packed) -> NewFacts<'f> {
    NewFacts { path, origin, packed: packed.bytes.clone() }
}

fn numbered<T>(answers: Vec<Option<T>>) -> Vec<(usize, T)> {
    let numbered = answers.into_iter().enumerate();
    numbered.filter_map(|(number, answer)| Some((number, answer?))).collect()
}
