//! Projects, and where the sessions of a folder are.

use crate::sessions::shown;
use crate::table::{Column, columns};
use crate::{Document, Keyword, Moment};
use library::catalog::ProjectFolder;
use library::session::Session;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Projects, the one used last first.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ProjectsDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// How many projects match, before `--limit`.
    pub total: usize,
    /// The projects.
    pub projects: Vec<ProjectDocument>,
}

impl Document for ProjectsDocument {
    const SCHEMA: &'static str = "annals/projects/1";
    const COMMAND: &'static str = "`annals projects`";
    const ROWS: Option<&'static str> = Some("projects");
    const COLUMNS: &'static [Column] =
        &columns(["project", "sessions", "agents", "bytes", "modified_at", "latest_session"]);
}

impl ProjectsDocument {
    /// The projects that are shown, out of `total`.
    pub fn new(total: usize, projects: Vec<ProjectDocument>) -> Self {
        ProjectsDocument { schema: Self::SCHEMA.into(), total, projects }
    }
}

/// A project: a folder with its worktrees.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ProjectDocument {
    /// The project's path; `null` for sessions that recorded none.
    pub project: Option<String>,
    /// The working directories its sessions recorded.
    pub cwds: BTreeSet<String>,
    /// Its project folders below `projects`.
    pub folders: BTreeSet<String>,
    /// How many sessions it has.
    pub sessions: usize,
    /// How many sub-agents these have.
    pub agents: usize,
    /// The size of their transcripts.
    pub bytes: u64,
    /// The id of its newest session.
    pub latest_session: String,
    /// When that was last modified.
    pub modified_at: Moment,
    /// The git branches its sessions recorded.
    pub branches: BTreeSet<String>,
}

impl ProjectDocument {
    /// Sessions by project. They come newest first, so the first one of each is
    /// its latest.
    pub fn group(sessions: &[Session]) -> Vec<Self> {
        let mut positions: BTreeMap<Option<&str>, usize> = BTreeMap::new();
        let mut projects: Vec<ProjectDocument> = Vec::new();
        for session in sessions {
            let position = *positions.entry(session.project.as_deref()).or_insert_with(|| {
                projects.push(ProjectDocument {
                    project: session.project.clone(),
                    cwds: BTreeSet::new(),
                    folders: BTreeSet::new(),
                    sessions: 0,
                    agents: 0,
                    bytes: 0,
                    latest_session: session.id.clone(),
                    modified_at: session.metadata.modified.into(),
                    branches: BTreeSet::new(),
                });
                projects.len() - 1
            });
            let project = &mut projects[position];
            project.cwds.extend(session.metadata.cwd.clone());
            project.folders.extend(session.folder.clone());
            project.branches.extend(session.metadata.branch.clone());
            project.sessions += 1;
            project.agents += session.agents;
            project.bytes += session.metadata.bytes;
        }
        projects
    }
}

/// Where Claude Code keeps the sessions of a folder.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WhereDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// The folder that was asked for.
    pub cwd: String,
    /// The name of its project folder.
    pub folder: Option<String>,
    /// The path of its project folder.
    pub path: Option<String>,
    /// `exact`, `prefix` (of a long name), `parent`, `worktree`; `null`, with exit 1, if there is none.
    pub matched: Option<Keyword>,
    /// The folder whose sessions these are.
    pub matched_cwd: Option<String>,
    /// The id of the newest session there.
    pub latest_session: Option<String>,
    /// How many sessions are there.
    pub sessions: usize,
    /// Other working directories that share the project folder.
    pub other_cwds: Vec<String>,
}

impl Document for WhereDocument {
    const SCHEMA: &'static str = "annals/where/1";
    const COMMAND: &'static str = "`annals where`";
}

impl WhereDocument {
    /// What was found for a folder, if anything.
    pub fn new(path: &Path, found: Option<ProjectFolder>) -> Self {
        let empty = WhereDocument {
            schema: Self::SCHEMA.into(),
            cwd: shown(path),
            folder: None,
            path: None,
            matched: None,
            matched_cwd: None,
            latest_session: None,
            sessions: 0,
            other_cwds: Vec::new(),
        };
        let Some(found) = found else { return empty };
        WhereDocument {
            folder: found.folder.file_name().map(|name| name.to_string_lossy().into_owned()),
            path: Some(shown(&found.folder)),
            matched: Some(found.how.name().into()),
            matched_cwd: Some(shown(&found.path)),
            latest_session: found.latest,
            sessions: found.sessions,
            other_cwds: found.others,
            ..empty
        }
    }
}
