//! Every path below the base path, in one table.
//!
//! A route that is not in the table does not exist, and the tests of forged requests and
//! hostile stores run over the table: a new route cannot be forgotten there. One file per
//! subject has the functions.

pub(crate) mod actions;
mod export;
mod files;
pub(crate) mod fragments;
mod health;
mod image;
pub(crate) mod lists;
mod overview;
mod search;
mod session;
pub(crate) mod state;
mod tools;
mod usage;

use crate::answer::Answer;
use crate::app::App;
use crate::failure::Failure;
use crate::limits::{INDEX_MEMORY, INDEX_PATIENCE};
use crate::reading::PIECE;
use crate::request::{Call, FILTERS, SCOPES};
use crate::shell;
use crate::work::Weight;
use library::search::{IndexOptions, IndexWait};
use serde_json::Value;
use std::time::Instant;

/// A path and what it answers.
pub(crate) struct Route {
    /// The path below the base path; `{name}` is a variable part.
    pub(crate) path: &'static str,
    /// The parameters, besides filters.
    parameters: &'static [&'static str],
    /// The parameters of filters that it uses.
    filters: &'static [&'static str],
    /// Whether its answers are used again while no file has changed.
    pub(crate) is_cached: bool,
    /// Whether `format=csv` answers with the rows of the document.
    pub(crate) has_table: bool,
    pub(crate) run: Run,
    /// A call of it, for tests: the path below the base path. `SESSION` stands for the id of
    /// a session, `AGENT`, `MESSAGE` and `COMMIT` for those in it.
    #[cfg_attr(not(test), expect(dead_code, reason = "calls are for tests"))]
    pub(crate) call: &'static str,
}

/// A function that answers requests.
pub(crate) type Answering = fn(&Call<'_>) -> Result<Answer, Failure>;

/// A function that does something with the JSON body of a request.
pub(crate) type Acting = fn(&Call<'_>, &Value) -> Result<Answer, Failure>;

/// What a route does.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// A page, whose failures are pages too.
    Page(Answering),
    /// Data.
    Read(Weight, Answering),
    /// Exchanges a one-time code for the cookie.
    Enter,
    /// The app's script or style.
    Asset,
    /// A stream of events.
    Events,
    /// Something that writes, for pages and programs that have the token for actions.
    Action(Weight, Acting),
    /// Makes a one-time code, for programs with the bearer token.
    Code(fn(&App, &Value) -> Result<Answer, Failure>),
}

impl Route {
    pub(crate) fn is_post(&self) -> bool {
        matches!(self.run, Run::Code(_) | Run::Action(..))
    }

    pub(crate) fn is_stream(&self) -> bool {
        matches!(self.run, Run::Events)
    }

    pub(crate) fn weight(&self) -> Weight {
        match self.run {
            Run::Read(weight, _) | Run::Action(weight, _) => weight,
            _ => Weight::Light,
        }
    }

    /// Whether its answers are documents, which come in pieces if they are large.
    pub(crate) fn has_pieces(&self) -> bool {
        matches!(self.run, Run::Read(..)) && self.path.starts_with("api/")
    }

    /// The parameters it takes.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &'static str> {
        let filters = self.filters.iter().copied();
        let format = self.has_table.then_some("format");
        let piece = self.has_pieces().then_some(PIECE);
        self.parameters.iter().copied().chain(filters).chain(format).chain(piece)
    }

    pub(crate) fn takes(&self, name: &str) -> bool {
        // Pages keep their whole state in the address.
        matches!(self.run, Run::Page(_)) || self.parameters().any(|known| known == name)
    }
}

const fn page(path: &'static str, call: &'static str, run: Answering) -> Route {
    Route::new(path, call, &[], Run::Page(run))
}

const fn read(
    path: &'static str,
    call: &'static str,
    parameters: &'static [&'static str],
    run: Answering,
) -> Route {
    Route::new(path, call, parameters, Run::Read(Weight::Light, run))
}

impl Route {
    const fn new(
        path: &'static str,
        call: &'static str,
        parameters: &'static [&'static str],
        run: Run,
    ) -> Route {
        Route { path, parameters, filters: &[], is_cached: false, has_table: false, run, call }
    }

    const fn filtered(self) -> Route {
        Route { filters: &FILTERS, ..self }
    }

    /// Only these filters say something about its answers.
    const fn filtered_by(self, filters: &'static [&'static str]) -> Route {
        Route { filters, ..self }
    }

    /// Its answers are used again while no file has changed.
    const fn cached(self) -> Route {
        Route { is_cached: true, ..self }
    }

    /// Also answers in CSV, with the rows of this list.
    const fn csv(self) -> Route {
        Route { has_table: true, ..self }
    }

    const fn heavy(self) -> Route {
        let run = match self.run {
            Run::Read(_, run) => Run::Read(Weight::Heavy, run),
            Run::Action(_, run) => Run::Action(Weight::Heavy, run),
            run => run,
        };
        Route { run, ..self }
    }
}

const fn action(path: &'static str, run: Acting) -> Route {
    Route::new(path, path, &[], Run::Action(Weight::Light, run))
}

/// The parameters of searches.
const SEARCH: &[&str] = &["q", "limit", "offset", "sort", "around"];

/// The parameters of usage reports.
const USAGE: &[&str] = &["by", "cost", "compare", "limit", "models", "explain"];

/// The parameters of tool calls.
const TOOLS: &[&str] = &["errors", "status", "limit", "offset"];

/// How the index is updated on the way to an answer.
fn index_options() -> IndexOptions {
    IndexOptions { memory: INDEX_MEMORY, wait: IndexWait::Until(Instant::now() + INDEX_PATIENCE) }
}

/// Every route.
pub(crate) const ROUTES: &[Route] = &[
    Route::new("enter", "enter?code=0", &["code", "to"], Run::Enter),
    Route::new("assets/{name}", "assets/STYLE", &[], Run::Asset),
    Route::new("api/1/code", "api/1/code", &[], Run::Code(state::code)),
    // Pages.
    page("", "", shell::plain),
    page("sessions", "sessions", shell::plain),
    page("prompts", "prompts", shell::plain),
    page("plans", "plans", shell::plain),
    page("marks", "marks", shell::plain),
    page("s/{id}", "s/SESSION", shell::of_session),
    page("s/{id}/a/{agent}", "s/SESSION/a/AGENT", shell::of_session),
    page("search", "search?q=sea", shell::plain),
    page("usage", "usage", shell::plain),
    page("tools", "tools", shell::plain),
    page("files", "files", shell::plain),
    page("commits/{sha}", "commits/COMMIT", shell::plain),
    page("live", "live", shell::plain),
    page("archive", "archive", shell::plain),
    page("doctor", "doctor", shell::plain),
    page("settings", "settings", shell::plain),
    page("sql", "sql", shell::plain),
    // Data.
    read("api/1/state", "api/1/state", &[], state::state),
    read("api/1/home", "api/1/home", &[], overview::home).cached(),
    read(
        "api/1/sessions",
        "api/1/sessions?limit=5",
        &["q", "sort", "order", "kind", "presence", "tag", "marked", "hidden", "limit", "after"],
        overview::sessions,
    )
    .csv()
    .filtered()
    .cached(),
    read("api/1/search", "api/1/search?q=sea", SEARCH, search::hits).csv().filtered().cached(),
    read("api/1/search/facets", "api/1/search/facets?q=sea", SEARCH, search::facets)
        .filtered()
        .cached(),
    read("api/1/usage", "api/1/usage?by=day,model", USAGE, usage::report).csv().filtered().cached(),
    read("api/1/usage/blocks", "api/1/usage/blocks", USAGE, usage::blocks).filtered().cached(),
    read("api/1/usage/explain", "api/1/usage/explain?call=msg_1", &["call"], usage::explain)
        .heavy(),
    // Limits belong to an account: no other filter says anything about them.
    read("api/1/usage/limits", "api/1/usage/limits", &[], usage::limits)
        .filtered_by(&["since", "until"])
        .cached(),
    read("api/1/usage/hours", "api/1/usage/hours", &["cost"], usage::hours).filtered().cached(),
    read("api/1/usage/unused", "api/1/usage/unused", &["cost"], usage::unused)
        .filtered()
        .heavy()
        .cached(),
    read("api/1/projects", "api/1/projects", &["limit"], lists::projects).csv().filtered(),
    read("api/1/running", "api/1/running", &[], lists::running).filtered(),
    read("api/1/prompts", "api/1/prompts", &["session", "limit"], lists::prompts)
        .csv()
        .filtered()
        .cached(),
    read("api/1/plans", "api/1/plans", &["limit", "offset"], lists::plans)
        .csv()
        .filtered()
        .heavy()
        .cached(),
    read("api/1/marks", "api/1/marks", &["limit"], lists::marks).csv().filtered(),
    read("api/1/sessions/{id}", "api/1/sessions/SESSION", &[], session::info).cached(),
    read(
        "api/1/sessions/{id}/outline",
        "api/1/sessions/SESSION/outline",
        &["view", "agent"],
        session::outline,
    )
    .cached(),
    read(
        "api/1/sessions/{id}/context",
        "api/1/sessions/SESSION/context",
        &["points", "agent"],
        session::context,
    )
    .cached(),
    read(
        "api/1/sessions/{id}/lanes",
        "api/1/sessions/SESSION/lanes",
        &["from", "to", "width", "view"],
        session::lanes,
    )
    .cached(),
    read(
        "api/1/sessions/{id}/find",
        "api/1/sessions/SESSION/find?q=sea",
        &["q", "case", "agent", "view"],
        session::find,
    )
    .heavy()
    .cached(),
    read(
        "api/1/sessions/{id}/place",
        "api/1/sessions/SESSION/place?uuid=u1",
        &["uuid", "agent", "view"],
        session::place,
    ),
    read("api/1/sessions/{id}/agents", "api/1/sessions/SESSION/agents", &[], session::agents),
    read(
        "api/1/sessions/{id}/usage",
        "api/1/sessions/SESSION/usage",
        &["by", "cost", "limit", "models"],
        usage::of_session,
    )
    .csv()
    .cached(),
    read("api/1/sessions/{id}/plan", "api/1/sessions/SESSION/plan", &[], session::plans),
    read(
        "api/1/sessions/{id}/records",
        "api/1/sessions/SESSION/records?from=1&to=3",
        &["uuid", "from", "to", "agent"],
        session::records,
    ),
    read("api/1/tools", "api/1/tools", TOOLS, tools::calls).csv().filtered().heavy().cached(),
    read("api/1/tools/stats", "api/1/tools/stats", TOOLS, tools::stats)
        .csv()
        .filtered()
        .heavy()
        .cached(),
    read(
        "api/1/sessions/{id}/tools",
        "api/1/sessions/SESSION/tools",
        &["agent", "tool", "errors", "status", "limit", "offset"],
        tools::of_session,
    )
    .cached(),
    read("api/1/archive", "api/1/archive", &["deleted"], health::archive).csv(),
    read("api/1/files", "api/1/files", &["limit", "offset"], files::list)
        .csv()
        .filtered()
        .heavy()
        .cached(),
    read(
        "api/1/files/history",
        "api/1/files/history?path=/home/ada/tidepool/a.rs",
        &["path", "reads", "limit", "offset"],
        files::history,
    )
    .csv()
    .filtered()
    .heavy()
    .cached(),
    read(
        "api/1/files/blame",
        "api/1/files/blame?path=/home/ada/tidepool/a.rs",
        &["path"],
        files::blame,
    )
    .filtered_by(&SCOPES)
    .heavy(),
    read("api/1/commits/{sha}", "api/1/commits/COMMIT", &[], files::commits)
        .filtered_by(&SCOPES)
        .heavy(),
    read("api/1/doctor", "api/1/doctor", &[], health::doctor).heavy(),
    read("api/1/doctor/secrets", "api/1/doctor/secrets", &[], health::secrets).heavy(),
    read("api/1/configuration", "api/1/configuration", &[], state::configuration),
    read("api/1/sql/schema", "api/1/sql/schema", &[], health::schema),
    read("api/1/sql", "api/1/sql?q=SELECT%201", &["q", "limit"], health::sql).csv().heavy(),
    read(
        "fragment/sessions/{id}/turns",
        "fragment/sessions/SESSION/turns",
        &["from", "step", "to", "part", "agent", "view", "thinking", "tools", "agents"],
        fragments::turns,
    ),
    read(
        "fragment/sessions/{id}/output",
        "fragment/sessions/SESSION/output?uuid=u1",
        &["uuid", "call", "agent", "view"],
        fragments::output,
    ),
    read(
        "fragment/sessions/{id}/message",
        "fragment/sessions/SESSION/message?uuid=u1",
        &["uuid", "call", "agent", "view", "around"],
        fragments::message,
    ),
    read("export/{id}", "export/SESSION", &["format", "agent", "view"], export::export).heavy(),
    read(
        "image/s/{id}/{uuid}/{number}",
        "image/s/SESSION/MESSAGE/0",
        &["agent", "call"],
        image::image,
    ),
    Route::new("api/1/events", "api/1/events?list=1", &["session", "list"], Run::Events),
    // Actions.
    action("api/1/mark", actions::mark),
    action("api/1/tag", actions::tag),
    action("api/1/rename", actions::rename),
    action("api/1/archive/sync", actions::sync).heavy(),
    action("api/1/archive/restore", actions::restore).heavy(),
    action("api/1/archive/verify", actions::verify).heavy(),
];

/// A path of the app to go on to, if it is plainly one; otherwise Home.
pub(crate) fn safe_target(path: &str) -> &str {
    let is_plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/' | b'#');
    let is_safe = path.len() <= 300
        && path.bytes().all(is_plain)
        && !path.starts_with('/')
        && !path.contains("..")
        && !path.contains("//");
    if is_safe { path } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_path_is_in_the_table_once() {
        let paths: BTreeSet<&str> = ROUTES.iter().map(|route| route.path).collect();
        assert_eq!(paths.len(), ROUTES.len());
    }

    #[test]
    fn a_target_stays_within_the_app() {
        assert_eq!(safe_target("s/ab-1#t3"), "s/ab-1#t3");
        for path in
            ["//evil.example", "/x", "a//b", "../x", "https://evil.example", "a;b", "a b", "a\"b"]
        {
            assert_eq!(safe_target(path), "", "{path}");
        }
    }
}
