//! Work for the screen of a session.

use super::{Data, State};
use crate::worker::{Reply, Topic};

/// Something of the screen of a session.
#[derive(Clone, Debug)]
pub enum SessionRequest {}

impl SessionRequest {
    /// What it is about.
    pub fn topic(&self) -> Topic {
        match *self {}
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum SessionAnswer {}

pub(super) fn run(
    request: SessionRequest,
    _state: &mut State,
    _data: &Data<'_>,
    _reply: &Reply<'_>,
) {
    match request {}
}
