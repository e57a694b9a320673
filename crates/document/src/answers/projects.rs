//! The projects of sessions.

use super::{Marks, SessionChoice, SessionPlaces, listed};
use crate::{ProjectDocument, ProjectsDocument};
use library::Library;
use library::catalog::Filter;
use library::lines::ReadError;
use library::progress::Progress;

/// The projects of the sessions that a filter admits, on disk and in the archive, the last
/// used first, and what could not be read.
pub fn projects(
    library: &Library,
    filter: &Filter,
    limit: Option<usize>,
    progress: &dyn Progress,
) -> (ProjectsDocument, Vec<ReadError>) {
    let (mut sessions, mut read_errors) = listed(library, SessionPlaces::DiskAndArchive);
    let choice = SessionChoice::of(filter);
    read_errors.extend(choice.retain(library, &mut sessions, &Marks::default(), progress));
    let mut projects = ProjectDocument::group(&sessions);
    let total = projects.len();
    projects.truncate(limit.unwrap_or(usize::MAX));
    (ProjectsDocument::new(total, projects), read_errors)
}
