//! The address of a server: `https://HOST:PORT?database=NAME&cluster=NAME`.

use crate::storage::is_loopback;
use reqwest::Url;
use std::fmt;
use std::str::FromStr;

const DEFAULT_DATABASE: &str = "annals";

/// An address that cannot be used.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("invalid engine URL: {0}")]
pub struct EngineUrlError(String);

/// Where a server is, and what it holds of the lake.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EngineUrl {
    base: Url,
    database: String,
    cluster: Option<String>,
}

impl EngineUrl {
    /// The address without parameters.
    pub(super) fn base(&self) -> &Url {
        &self.base
    }

    /// The database.
    pub fn database(&self) -> &str {
        &self.database
    }

    /// The cluster whose nodes answer together.
    pub fn cluster(&self) -> Option<&str> {
        self.cluster.as_deref()
    }

    /// Whether it is this machine, which is reached through no proxy.
    pub(super) fn is_local(&self) -> bool {
        self.base.scheme() == "http"
    }
}

/// A name that needs no quotes.
fn identifier(kind: &str, text: &str) -> Result<String, EngineUrlError> {
    let begins_well = text.bytes().next().is_some_and(|it| it.is_ascii_alphabetic() || it == b'_');
    let is_plain = text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    if begins_well && is_plain && text.len() <= 64 {
        return Ok(text.to_owned());
    }
    let shown = text.escape_debug();
    Err(EngineUrlError(format!("{kind} \"{shown}\": use 1 to 64 letters, digits and _")))
}

impl FromStr for EngineUrl {
    type Err = EngineUrlError;

    fn from_str(text: &str) -> Result<Self, EngineUrlError> {
        let wrong = |reason: &str| EngineUrlError(reason.to_owned());
        let mut url = Url::parse(text)
            .map_err(|error| EngineUrlError(format!("{error}; use https://HOST:PORT")))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong(
                "credentials do not belong in the URL; use the variables ANNALS_ENGINE_USER and \
                 ANNALS_ENGINE_PASSWORD",
            ));
        }
        match url.scheme() {
            "https" => {}
            "http" if is_loopback(&url) => {}
            "http" => return Err(wrong("use https; http is accepted for this machine only")),
            _ => return Err(wrong("use https://HOST:PORT")),
        }
        if url.fragment().is_some() || url.path() != "/" {
            return Err(wrong("use https://HOST:PORT?database=NAME&cluster=NAME"));
        }
        let (mut database, mut cluster) = (DEFAULT_DATABASE.to_owned(), None);
        for (name, value) in url.query_pairs() {
            match name.as_ref() {
                "database" => database = identifier("database", &value)?,
                "cluster" => cluster = Some(identifier("cluster", &value)?),
                _ => return Err(wrong("use only the parameters database and cluster")),
            }
        }
        url.set_query(None);
        Ok(EngineUrl { base: url, database, cluster })
    }
}

impl fmt::Display for EngineUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.base.as_str().trim_end_matches('/'))
    }
}
