//! The local web app: sessions in a browser, served on loopback by this process alone.
//!
//! Every page, asset, answer and event stream passes the same checks (`guard`, `entry`,
//! `peer`), because any web page that its user visits, and any program on the machine, can
//! send requests to 127.0.0.1. Answers are the JSON documents of `document` and the HTML
//! fragments of `render`; transcripts are untrusted and masked.
//!
//! Deliberately not here: reading sessions and writing anything (`library`), the environment,
//! files of annals' own, the terminal and the browser, which the binary opens.

mod answer;
mod answer_cache;
mod app;
mod assets;
mod base;
mod connections;
mod cookie;
mod csv;
mod dispatch;
mod entry;
mod events;
mod failure;
mod guard;
mod holding_body;
mod limits;
mod opened;
mod page;
mod peer;
mod pieces;
mod reading;
mod request;
mod routes;
mod secret;
mod server;
mod shell;
#[cfg(test)]
mod tests;
mod timed_stream;
mod work;

pub use base::BasePath;
pub use routes::state::proof;
pub use secret::Secret;
pub use server::{Server, Stopper, Target, entry_address};

use document::ConfigurationDocument;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use library::Library;
use library::catalog::Filter;
use library::usage::Budget;
use redact::Redactor;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// The settings of a server. The binary resolves them from arguments, environment and
/// configuration.
pub struct Settings {
    /// The sessions; they mask secrets if there is a redactor.
    pub library: Library,
    /// Masks secrets in everything that is served; `None` with `--reveal`.
    pub redactor: Option<Arc<Redactor>>,
    /// Narrows what is served.
    pub filter: Filter,
    /// The filters as they were given: name and value.
    pub filters: Vec<(String, String)>,
    /// The path below which everything is served.
    pub base: BasePath,
    /// The port; `None` for the usual one, or a free one if that is taken.
    pub port: Option<u16>,
    /// Whether the server offers no actions.
    pub is_read_only: bool,
    /// Whether the store is the made-up one.
    pub is_demo: bool,
    /// The home folder, which pages show as `~`.
    pub home_folder: Option<String>,
    /// The time zone of times and days.
    pub zone: TimeZone,
    /// The time at which the server starts; its clock advances from there.
    pub now: Timestamp,
    /// The version of annals.
    pub version: &'static str,
    /// The age beyond which sessions are not archived.
    pub max_age: Option<SignedDuration>,
    /// The budgets.
    pub budget: Budget,
    /// The settings of annals, for the page that shows them.
    pub configuration: ConfigurationDocument,
    /// The user who runs the server.
    pub user: u32,
    /// A folder to read the app's script and style from, for work on the app.
    pub assets: Option<PathBuf>,
    /// Receives what the person at the terminal should know.
    pub notify: Box<dyn Fn(Notice) + Send + Sync>,
}

/// Something that the person at the terminal should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A one-time code was used twice; the browser that used it first is out.
    CodeUsedTwice,
    /// A program of another user connected. Reported once.
    OtherUser,
    /// The system does not say which user connects. Reported once.
    PeersUnknown,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Notice::CodeUsedTwice => {
                "the one-time address was opened a second time, by another browser or program; \
                 the browser that opened it first was logged out\n\
                 hint: run `annals web` again for a new address"
            }
            Notice::OtherUser => {
                "a program of another user tried to connect; such connections are closed"
            }
            Notice::PeersUnknown => {
                "the system does not say which user connects: other users of this machine are \
                 kept out by the cookie alone"
            }
        })
    }
}
