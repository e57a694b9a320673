//! Home and the table of sessions.

use super::index_options;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::request::Call;
use axum::http::StatusCode;
use document::answers::{
    self, HomeOptions, SessionChoice, SessionKinds, SessionRowsError, SessionRowsOptions,
    SessionSort,
};
use library::search::IndexError;
use library::session::Presence;

/// The largest page of the table.
const MOST: usize = 1_000;

/// The first page.
pub(super) fn home(call: &Call<'_>) -> Result<Answer, Failure> {
    let settings = &call.app.settings;
    let options = HomeOptions {
        now: call.now,
        zone: &settings.zone,
        filter: &settings.filter,
        max_age: settings.max_age,
        budget: settings.budget,
        with_overview: true,
    };
    let answer = answers::home(&call.library, &options, &call.marks(), call.limits);
    call.note(answer.read_errors);
    call.document(&answer.document)
}

/// The table of sessions.
pub(super) fn sessions(call: &Call<'_>) -> Result<Answer, Failure> {
    let sort = call.choice(
        "sort",
        &[
            ("changed", SessionSort::Changed),
            ("cost", SessionSort::Cost),
            ("turns", SessionSort::Turns),
            ("size", SessionSort::Size),
            ("title", SessionSort::Title),
        ],
    )?;
    let kinds = call.choice(
        "kind",
        &[
            ("all", SessionKinds::All),
            ("interactive", SessionKinds::Interactive),
            ("programmatic", SessionKinds::Programmatic),
        ],
    )?;
    let presence = match call.text("presence") {
        None => None,
        Some("disk") => Some(Presence::Disk),
        Some("archive") => Some(Presence::Archive),
        Some("unknown") => Some(Presence::Unknown),
        Some("prompts_only") => Some(Presence::PromptsOnly),
        Some(other) => {
            return Err(Call::invalid(
                "presence",
                other,
                "use disk, archive, unknown or prompts_only",
            ));
        }
    };
    // Titles begin with A, everything else with the largest.
    let usual = matches!(sort, SessionSort::Title);
    let is_ascending = match call.text("order") {
        None => usual,
        Some("asc") => true,
        Some("desc") => false,
        Some(other) => return Err(Call::invalid("order", other, "use asc or desc")),
    };
    let options = SessionRowsOptions {
        choice: SessionChoice {
            filter: call.filter()?,
            kinds,
            presence,
            tag: call.text("tag"),
            only_marked: call.flag("marked")?,
            with_hidden: call.flag("hidden")?,
        },
        query: call.text("q"),
        sort,
        is_ascending,
        limit: call.limit(200, MOST)?,
        after: call.text("after"),
        now: call.now,
        zone: &call.app.settings.zone,
        index: index_options(),
    };
    let rows = answers::session_rows(&call.library, &options, &call.marks(), call.limits);
    let rows = rows.map_err(|error| match error {
        SessionRowsError::Index(error) => index_failure(&error),
        SessionRowsError::Time(_) | SessionRowsError::Cursor(_) => {
            Failure::of_message(StatusCode::BAD_REQUEST, &error.to_string())
        }
    })?;
    call.document(&call.noting(rows))
}

/// The failure of a query through the index.
pub(super) fn index_failure(error: &IndexError) -> Failure {
    let status = match error {
        IndexError::Query(_) => StatusCode::BAD_REQUEST,
        IndexError::TimedOut(_) => return Failure::too_slow(),
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    Failure::of_message(status, &error.to_string())
}
