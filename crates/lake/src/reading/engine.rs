//! The seam between questions and engines.
//!
//! An engine brings onto this machine what a question needs, and the ordinary local code
//! answers from it. So options, output and rules of an answer are the same whatever the
//! engine is, and an engine that brings too much is slow but never wrong.

use crate::names::{Owner, SessionId};
use crate::reading::scope::Scope;
use document::LakeQuestion;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::error::Error;
use std::future::Future;
use std::path::PathBuf;

/// What an engine brought.
#[derive(Clone, Debug, Eq, PartialEq, Deserialize, Serialize)]
pub struct View {
    /// The folder for the index over its stores. Nothing else writes there.
    pub home: PathBuf,
    /// Whose rows it has, in order of their names.
    pub owners: Vec<OwnerView>,
    /// Objects that cannot be used.
    pub unusable: Vec<UnusableObject>,
    /// When the lake was like this.
    pub as_of: Timestamp,
}

/// What a view has of one owner.
#[derive(Clone, Debug, Eq, PartialEq, Deserialize, Serialize)]
pub struct OwnerView {
    /// The owner.
    pub owner: Owner,
    /// The store with the sessions, in the form of a configuration folder.
    pub root: Option<PathBuf>,
    /// The keys of projects by the names of their folders in the store.
    pub projects: BTreeMap<String, String>,
    /// A file with the sums by day ([`document::LakeDaySums`]), of an owner whose calls are
    /// not there.
    pub days: Option<PathBuf>,
    /// How many sessions the store has.
    pub sessions: u64,
    /// Of these, the ones with more than usage.
    pub with_metadata: u64,
    /// Of these, the ones with lines.
    pub with_text: u64,
}

/// An object that cannot be used. The others are.
#[derive(Clone, Debug, Eq, PartialEq, Deserialize, Serialize)]
pub struct UnusableObject {
    /// Its name.
    pub name: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Something that answers questions about the lake.
pub trait Engine {
    /// Why it cannot.
    type Error: Error;

    /// Brings what a question needs of the rows that `scope` names and the reader may see: it
    /// may bring less than everything if that has no effect on the answer.
    /// Sessions of which the owners have different copies keep apart ([`SessionId`] is not
    /// enough to tell them): see [`crate::own_id`].
    fn view(
        &self,
        question: &LakeQuestion,
        scope: &Scope,
    ) -> impl Future<Output = Result<View, Self::Error>>;
}

/// The id under which a copy of a session is laid out, if another owner has a different
/// session with its id: the beginning of the id, so that both are found by it, and a digest
/// of the owner.
pub fn own_id(session: &SessionId, owner: &Owner) -> Option<SessionId> {
    let digest = blake3::hash(format!("{owner}\n{session}").as_bytes()).to_hex();
    let kept = session.as_str().get(..24)?;
    format!("{kept}{}", &digest[..12]).parse().ok()
}
