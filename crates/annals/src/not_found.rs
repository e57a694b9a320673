//! Errors for sessions and projects that were not found, with what may be meant.

use crate::failure::CliError;
use library::catalog::FindError;

/// How many sessions an error lists.
const MOST_CANDIDATES: usize = 20;

/// The error for a session that was not found, with similar sessions.
pub(crate) fn explain(error: &FindError) -> CliError {
    let listed = |candidates: &[library::catalog::Candidate]| {
        let lines = candidates.iter().take(MOST_CANDIDATES).map(|candidate| {
            let heading = candidate.heading.as_deref().unwrap_or_default();
            let heading = render::cut(&render::untrusted::line(heading), Some(80));
            format!("\n  {}  {heading}", candidate.id).trim_end().to_owned()
        });
        let more = candidates.len().saturating_sub(MOST_CANDIDATES);
        let more = (more > 0).then(|| format!("\n  and {more} more"));
        lines.chain(more).collect::<String>()
    };
    match error {
        FindError::NotFound { nearest, .. } if nearest.is_empty() => {
            CliError::NotFound(format!("{error}\nhint: annals ls lists the sessions"))
        }
        FindError::NotFound { nearest, .. } => {
            CliError::NotFound(format!("{error}\nhint: similar sessions:{}", listed(nearest)))
        }
        FindError::Ambiguous { candidates, .. } => {
            CliError::Misuse(format!("{error}, use a longer prefix:{}", listed(candidates)))
        }
        FindError::NotAName { .. } | FindError::Unreadable { .. } => {
            CliError::Misuse(error.to_string())
        }
    }
}

/// The error for a project that no session has.
pub(crate) fn no_project(name: &str) -> CliError {
    CliError::NotFound(format!(
        "no project matches {name:?}\nhint: annals projects lists the projects"
    ))
}
