//! Whose rows a question is about.

use crate::names::{Audience, NameError, TeamName};
use std::fmt;
use std::str::FromStr;

/// Whose rows a question is about.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Scope {
    /// Everything of this owner, wherever it is shared.
    Mine,
    /// What is shared with a team.
    Team(TeamName),
    /// What is shared with everyone.
    Org,
}

impl Scope {
    /// The readers whose rows belong to it, apart from one's own.
    pub(crate) fn audience(&self) -> Option<Audience> {
        match self {
            Scope::Mine => None,
            Scope::Team(team) => Some(Audience::Team(team.clone())),
            Scope::Org => Some(Audience::Org),
        }
    }
}

impl FromStr for Scope {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match text {
            "mine" => Ok(Scope::Mine),
            _ => match text.parse()? {
                Audience::Private => Ok(Scope::Mine),
                Audience::Team(team) => Ok(Scope::Team(team)),
                Audience::Org => Ok(Scope::Org),
            },
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Mine => f.write_str("mine"),
            Scope::Team(team) => write!(f, "team:{team}"),
            Scope::Org => f.write_str("org"),
        }
    }
}
