//! What the protocol asks of the machine that pushes.

use crate::decision::{Decision, Decisions, Sharing};
use crate::names::{Audience, Level, Month, SessionId, Table};
use crate::segment::{Entry, Piece};

/// Where rows belong.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Target {
    /// Nowhere: the lake must not hold them.
    Nowhere,
    /// In the chain for these readers.
    Audience(Audience),
    /// Nothing says where: the session is not here, or no rule is about it. What the lake
    /// has stays where it is, and nothing is added. Only a decision takes rows back, because
    /// copies of one home can have different rules.
    Undecided,
}

/// What an installation has and shares.
pub trait Local<R> {
    /// The decisions made here.
    fn decisions(&self) -> Decisions;

    /// The version of the rules that make rows here.
    fn rules(&self) -> u32;

    /// Where the rows of a session belong.
    fn target(&self, session: &SessionId, table: Table, decision: Option<&Decision>) -> Target;

    /// The key of a session's project, if the session is here.
    fn project(&self, session: &SessionId) -> Option<&str>;

    /// The sessions that have rows, in the order in which they are sent.
    fn sessions(&self) -> Vec<SessionId>;

    /// Whether older rules made these rows, and [`Local::missing`] returns the same records
    /// anew.
    fn is_outdated(&self, table: Table, entry: &Entry) -> bool;

    /// The rows of a session that the lake lacks, in all wanted tables together: most are made
    /// from one reading of its transcripts.
    fn missing(&self, session: &SessionId, wanted: &[Wanted<'_>]) -> Vec<(Table, Month, Piece<R>)>;
}

/// A table in which the rows of a session are wanted.
#[derive(Clone, Debug)]
pub struct Wanted<'e> {
    /// The table.
    pub table: Table,
    /// What the lake has in it, where they belong.
    pub has: Vec<&'e Entry>,
}

impl<'e> Wanted<'e> {
    /// The same, with more that need not be sent.
    #[must_use]
    pub(crate) fn and(self, more: &'e [Entry]) -> Wanted<'e> {
        Wanted { table: self.table, has: self.has.into_iter().chain(more).collect() }
    }
}

/// Applies decisions to the chains of another installation of the same owner: moves and
/// removes rows, and adds none.
#[derive(Debug)]
pub struct DecidedElsewhere(pub Decisions);

impl<R> Local<R> for DecidedElsewhere {
    fn decisions(&self) -> Decisions {
        self.0.clone()
    }

    fn rules(&self) -> u32 {
        0
    }

    fn target(&self, _: &SessionId, table: Table, decision: Option<&Decision>) -> Target {
        if table == Table::Days {
            return Target::Undecided;
        }
        match decision.map(|decision| &decision.sharing) {
            Some(Sharing::Forgotten) => Target::Nowhere,
            Some(Sharing::With(audience)) if table.level() > Level::Usage => {
                Target::Audience(audience.clone())
            }
            None | Some(Sharing::With(_)) => Target::Undecided,
        }
    }

    fn project(&self, _: &SessionId) -> Option<&str> {
        None
    }

    fn sessions(&self) -> Vec<SessionId> {
        Vec::new()
    }

    fn is_outdated(&self, _: Table, _: &Entry) -> bool {
        false
    }

    fn missing(&self, _: &SessionId, _: &[Wanted<'_>]) -> Vec<(Table, Month, Piece<R>)> {
        Vec::new()
    }
}
