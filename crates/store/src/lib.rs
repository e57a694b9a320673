//! Where Claude Code keeps its sessions, and how to read them while it writes.
//!
//! This crate knows the layout of a store: roots, project folders and how they
//! are named, transcripts, sub-agents of three eras, workflows, sidecars and
//! the prompt history. It reads whole files, heads and tails, and only what is
//! new in a file that it has read before ([`Cursor`]). Files that are gone from
//! disk are read from a shelf that has a copy ([`Files`]). How long calls
//! report their progress and are stopped is here too ([`progress`]), because
//! every room that reads many files stands on this one.
//!
//! Two things are deliberately not here. Nothing below a root is ever written.
//! And **no path found in a transcript is ever opened**: such a path is a hint
//! written by strangers. Only its final component is used, inside the one
//! folder it can refer to ([`SessionFolder`]).

mod agents;
mod app_caches;
mod config_files;
mod cursor;
mod dir_handle;
mod encode;
mod files;
mod folder;
mod head_and_tail;
mod history;
mod installed;
mod large_lines;
pub mod limits;
mod listings;
mod live;
mod lookup;
mod matching_lines;
mod needles;
mod path_case;
mod platform;
pub mod progress;
mod prompt;
mod random;
mod raw_text;
mod read;
mod real_path;
mod root;
mod session_folder;
mod session_metadata;
mod settings;
pub mod testing;
mod watch;
mod workflow;
mod worktree;

pub use agents::{
    Agent, AgentEra, AgentMeta, agent_id_of, agent_paths, agents_below, flat_agent, flat_agent_of,
    nested_agent,
};
pub use app_caches::{SessionsIndex, StatsCache, read_sessions_index, read_stats_cache};
pub use config_files::{PlanFile, count_backups, find_plan, open_backup, plan_files};
pub use cursor::{Checkpoint, Cursor, FileChange, LineSink, RecordSink};
pub use dir_handle::DirHandle;
pub use encode::{folder_name, is_long, is_windows_path};
pub use files::{EntryKind, FileEntry, Files, OpenFile, Shelf, ShelfEntry, ShelfFile, ShelfStat};
pub use folder::{Folder, FolderListing, SessionFile, SessionPlaces, StrayFile, is_session_id};
pub use head_and_tail::HeadAndTail;
pub use history::{HistoryEntry, read_history};
pub use installed::{InstalledItem, installed_agents, installed_plugins, installed_skills};
pub use large_lines::{LargeLine, LargeLines};
pub use listings::{FolderStamp, ListedFolder, ListedFolders};
pub use live::{LiveSession, StaleReason, live_sessions};
pub use lookup::{MatchKind, ProjectLookup, ProjectMatch};
pub use matching_lines::MatchingLineReader;
pub use path_case::PathCase;
pub use platform::{FileStat, make_content_durable, make_durable, open_regular};
pub use prompt::first_prompt;
pub use random::random_bytes;
pub use read::{LineReader, LineSource, Position, WholeLines, read_lines_whole};
pub use real_path::real_path;
pub use root::{Root, RootError, RootKind, RootOrigin};
pub use session_folder::{ArchivedSidecar, SessionFolder};
pub use session_metadata::{HiddenReason, PullRequest, SessionKind, SessionMetadata};
pub use settings::{RECOMMENDED_RETENTION_DAYS, Retention, RetentionSource, read_retention};
pub use watch::{Debounce, Waker, Watch, WatchedChange};
pub use workflow::{Workflow, workflows_below};
pub use worktree::{Repository, find_branch, find_repository};
