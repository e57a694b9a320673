//! The sessions of other coding agents ("apps") behind the library.
//!
//! Each app has a [`Provider`], which knows where the app keeps its sessions and reads them with
//! the app's reader crate. [`AppSessions`] lists what all of them find, and [`AppShelf`] shows
//! each session to the rest of annals as a transcript, below a folder that exists nowhere:
//!
//! ```text
//! ~/.codex/annals-sessions/codex:019f….jsonl
//! ~/.codex/annals-sessions/codex:019f…/subagents/agent-019f….jsonl
//! ```
//!
//! So lists, search, usage, exports and every surface need no code for an app. What they show as
//! the path of a session is the app's own file ([`AppSessions::original`]).
//!
//! To add an app: a reader crate, a provider here, and its line in [`provider_of`].
//!
//! Deliberately not here: writing. No file of another app is ever changed, and only files and
//! tables that a provider names are opened.

mod codex;
mod copilot;
mod gemini;
mod head;
mod metadata;
mod opencode;
mod original;
mod pi;
mod provider;
mod sessions;
mod shelf;
mod usage;
mod view_path;
mod walk;

pub use self::original::{AppFile, AppReport, Apps};
pub(crate) use self::sessions::AppSessions;
pub(crate) use self::shelf::{AppShelf, Shelves};

use ::app::App;
use provider::Provider;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where an app keeps its sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppHome {
    /// The app.
    pub app: App,
    /// Its folder; nothing is found if it does not exist.
    pub path: PathBuf,
    /// A private folder of annals, for copies of databases that are being written.
    pub private: Option<PathBuf>,
}

/// The provider of an app; `None` if its folder does not exist, or for Claude Code, whose
/// sessions need none.
fn provider_of(home: &AppHome) -> Option<Arc<dyn Provider>> {
    let path: &Path = &home.path;
    if !path.is_dir() {
        return None;
    }
    let path = path.to_owned();
    match home.app {
        App::Codex => Some(Arc::new(codex::Codex::new(path))),
        App::Copilot => Some(Arc::new(copilot::Copilot::new(path))),
        App::Gemini => Some(Arc::new(gemini::Gemini::new(path))),
        App::OpenCode => Some(Arc::new(opencode::OpenCode::new(path, home.private.clone()))),
        App::Pi => Some(Arc::new(pi::Pi::new(path))),
        _ => None,
    }
}
