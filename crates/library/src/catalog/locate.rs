//! Finding the project folder of a path.

use crate::catalog::Catalog;
use std::path::{Path, PathBuf};
use store::{
    HeadAndTail, MatchKind, ProjectLookup, ProjectMatch, Root, SessionFile, SessionMetadata,
};

/// The project folder of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectFolder {
    /// The folder.
    pub folder: PathBuf,
    /// How the path matches it.
    pub how: MatchKind,
    /// The path that the folder belongs to: the requested one, one above it, or
    /// another worktree.
    pub path: PathBuf,
    /// How many sessions in it belong to that path.
    pub sessions: usize,
    /// The latest of them; one that the app lists, if there is any.
    pub latest: Option<String>,
    /// Other working directories recorded in the same folder.
    pub others: Vec<String>,
}

impl Catalog {
    /// Finds the project folder of a path in all roots: the most direct match,
    /// then the first root's. `name` is the project's name in the environment,
    /// if it is set.
    pub fn locate(&self, path: &Path, name: Option<&str>) -> Option<ProjectFolder> {
        let found = self.stores.roots.iter().filter_map(|root| match root.projects() {
            Some(projects) => {
                self.admitted(ProjectLookup { projects: &projects, name }.find(path)?)
            }
            None => self.locate_in_folder(root, path),
        });
        found.min_by_key(|located| match located.how {
            MatchKind::Exact => 0,
            MatchKind::Prefix => 1,
            // The nearer the parent folder, the longer its path.
            MatchKind::Worktree | MatchKind::Parent => usize::MAX - located.path.as_os_str().len(),
        })
    }
}

impl Catalog {
    /// A match without excluded sessions; `None` if no session remains.
    fn admitted(&self, found: ProjectMatch) -> Option<ProjectFolder> {
        let mut names = vec![found.path.to_string_lossy()];
        names.extend(found.others.iter().map(Into::into));
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        self.redaction.note_names_of(found.sessions.iter().map(|file| file.path.as_path()), &names);
        let all = found.sessions.len();
        let mut chunks = HeadAndTail::default();
        let mut latest = None;
        let mut listed = false;
        let mut sessions = 0;
        for SessionFile { id, path, folder, .. } in found.sessions {
            // Metadata costs a read: only the newest session needs it, unless
            // something is excluded.
            if listed && self.stores.options.exclude.is_empty() {
                sessions += 1;
                continue;
            }
            let metadata =
                SessionMetadata::read(&self.stores.disk, &path, folder.as_ref(), &mut chunks).ok();
            if self
                .stores
                .is_excluded(&path, metadata.as_ref().and_then(|metadata| metadata.cwd.as_deref()))
            {
                continue;
            }
            sessions += 1;
            let shown = metadata.is_some_and(|metadata| metadata.hidden.is_none());
            if latest.is_none() || (shown && !listed) {
                latest = Some(id);
            }
            listed |= shown;
        }
        if sessions == 0 && all > 0 {
            return None;
        }
        let others = found
            .others
            .into_iter()
            .filter(|cwd| !self.stores.options.exclude.is_match(cwd))
            .collect();
        Some(ProjectFolder {
            folder: found.folder.path,
            how: found.how,
            path: found.path,
            sessions,
            latest,
            others,
        })
    }

    /// In a root that is one project folder or one transcript: by the working
    /// directories that its sessions recorded.
    fn locate_in_folder(&self, root: &Root, path: &Path) -> Option<ProjectFolder> {
        let list = self.sessions();
        let own: Vec<_> =
            list.sessions.iter().filter(|session| session.root == root.path).collect();
        path.ancestors().enumerate().find_map(|(steps, above)| {
            let cwd = above.to_string_lossy();
            let here: Vec<_> = own
                .iter()
                .filter(|session| session.metadata.cwd.as_deref() == Some(&*cwd))
                .collect();
            let latest = here.iter().find(|session| session.unlisted.is_none()).or(here.first())?;
            Some(ProjectFolder {
                folder: latest.path.as_deref().and_then(Path::parent)?.to_owned(),
                how: if steps == 0 { MatchKind::Exact } else { MatchKind::Parent },
                path: above.to_owned(),
                sessions: here.len(),
                latest: Some(latest.id.clone()),
                others: Vec::new(),
            })
        })
    }
}
