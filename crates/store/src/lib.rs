//! Where Claude Code keeps its sessions, and how to read them while it writes.
//!
//! This crate knows the layout of a store: roots, project folders and how they
//! are named, transcripts, sub-agents of three eras, workflows, sidecars, the
//! prompt history. It reads whole files, heads and tails, and reads on from
//! where it was ([`Cursor`]). What is gone from disk is read from a shelf that
//! holds it ([`Files`]).
//!
//! Two things are deliberately not here. Nothing below a root is ever written.
//! And **no path found in a transcript is ever opened**: such a path is a hint
//! written by strangers, of which only the final component is used, inside the
//! one folder it can refer to ([`SessionFolder`]).

mod agents;
mod chunks;
mod config_files;
mod cursor;
mod encode;
mod facts;
mod files;
mod folder;
mod history;
mod listings;
mod live;
mod lookup;
mod needles;
mod platform;
mod prompt;
mod random;
mod raw_text;
mod read;
mod read_hits;
mod root;
mod session_folder;
mod settings;
mod stale;
pub mod testing;
mod vantage;
mod watch;
mod workflow;
mod worktree;

pub use agents::{Agent, AgentEra, AgentMeta, agent_of, agent_paths, agents_below, flat_agent};
pub use chunks::Chunks;
pub use config_files::{PlanFile, backups, find_plan, open_backup, plan_files};
pub use cursor::{Change, Checkpoint, Cursor, LineSink, Sink};
pub use encode::{folder_name, is_long, is_windows_path};
pub use facts::{Facts, Hidden, PullRequest, SessionKind};
pub use files::{EntryKind, FileEntry, Files, Opened, Shelf, ShelfEntry, ShelfFile, ShelfStat};
pub use folder::{Folder, FolderListing, SessionFile, Stray, is_session_id};
pub use history::{HistoryEntry, read_history};
pub use listings::{FolderLook, FolderNotes, NotedFolder};
pub use live::{LiveSession, Stale, live_sessions};
pub use lookup::{Lookup, Match, Matched};
pub use platform::{FileStat, open_regular};
pub use prompt::first_prompt;
pub use random::random_bytes;
pub use read::{LineReader, Position};
pub use read_hits::HitReader;
pub use root::{Root, RootError, RootKind, RootOrigin};
pub use session_folder::{Archived, SessionFolder};
pub use settings::{ADVISED_DAYS, Retention, RetentionSource, read_retention};
pub use stale::{StaleIndex, StatsCache, read_sessions_index, read_stats_cache};
pub use vantage::Vantage;
pub use watch::{Changed, Pace, Waker, Watch};
pub use workflow::{Workflow, workflows_below};
pub use worktree::{Repository, find_branch, find_repository};
