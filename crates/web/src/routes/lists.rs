//! Lists: projects, what runs, prompts, bookmarks.

use crate::answer::Answer;
use crate::app::App;
use crate::failure::Failure;
use crate::request::{Call, FILTERS};
use document::answers::{Marks, mark_list, plan_rows};
use document::{PromptDocument, PromptsDocument, RunningDocument, RunningSessionDocument, answers};
use library::Library;
use library::catalog::Filter;
use library::lines::ReadError;
use library::progress::{NoProgress, Progress};
use library::prompts::PromptPageOptions;
use library::session::Session;

/// The largest page of a list.
const MOST: usize = 1_000;

/// The projects.
pub(super) fn projects(call: &Call<'_>) -> Result<Answer, Failure> {
    let limit = Some(call.limit(MOST, MOST)?);
    let list = answers::projects(&call.library, &call.filter()?, limit, call.limits);
    call.document(&call.noting(list))
}

/// What runs.
pub(super) fn running(call: &Call<'_>) -> Result<Answer, Failure> {
    let marks = call.marks();
    let running = running_document(&call.library, &call.filter()?, &marks, call.limits);
    call.check_complete()?;
    let document = call.noting(running);
    call.document(&document)
}

fn running_document(
    library: &Library,
    filter: &Filter,
    marks: &Marks,
    progress: &dyn Progress,
) -> (RunningDocument, Vec<ReadError>) {
    let (running, read_errors) = library.prompts().running_within(filter, progress);
    let documents = |session: &Session| marks.documents(library, &session.id);
    let rows = running.iter().map(|one| RunningSessionDocument::new(one, documents)).collect();
    (RunningDocument::new(running.len(), rows), read_errors)
}

/// What runs, as an event.
pub(crate) fn running_json(app: &App) -> Option<String> {
    let library = app.library();
    let marks = Marks::read(&library).unwrap_or_default();
    app.safe_json(&running_document(&library, &app.settings.filter, &marks, &NoProgress).0)
}

/// The newest prompts, or those of one session.
pub(super) fn prompts(call: &Call<'_>) -> Result<Answer, Failure> {
    let filter = call.filter()?;
    let limit = call.limit(200, MOST)?;
    if let Some(id) = call.text("session") {
        let others = FILTERS.into_iter().filter(|name| !["since", "until"].contains(name));
        if let Some(name) = others.into_iter().find(|name| call.text(name).is_some()) {
            let text = format!("{name} does nothing beside session, which names one");
            return Err(Failure::bad_request(text));
        }
        let mut prompts = call.noting(call.library.prompts().prompts_of(&call.find(id)?));
        prompts.retain(|prompt| filter.admits_time(prompt.time));
        let total = prompts.len();
        prompts.truncate(limit);
        let prompts = prompts.iter().map(PromptDocument::from).collect();
        return call.document(&PromptsDocument::new(total, prompts));
    }
    let options = PromptPageOptions { limit: Some(limit), turns: true };
    let page = call.library.prompts().newest_prompts(&filter, options, call.limits);
    call.note(page.read_errors);
    let prompts = page.prompts.iter().map(PromptDocument::from).collect();
    call.document(&PromptsDocument::new(page.total, prompts))
}

/// The plans of all sessions, newest first.
pub(super) fn plans(call: &Call<'_>) -> Result<Answer, Failure> {
    let offset: usize = call.number("offset")?.unwrap_or(0);
    let limit = call.limit(200, MOST)?;
    let plans = plan_rows(&call.library, &call.filter()?, offset, limit, call.limits);
    let document = call.noting(plans);
    call.document(&document)
}

/// The bookmarks, newest first.
pub(super) fn marks(call: &Call<'_>) -> Result<Answer, Failure> {
    let filter = call.filter()?;
    let filter = call.is_narrowed().then_some(&filter);
    let limit = call.limit(200, MOST)?;
    let list = mark_list(&call.library, &call.marks(), filter, Some(limit), call.limits);
    call.check_complete()?;
    call.document(&call.noting(list))
}
