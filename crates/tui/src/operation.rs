//! What a person can do to a session, from the list or from the session: which questions it
//! takes, and what happens with the answers.

use crate::action::Action;
use crate::prompt::{CopyMenu, Prompt, Purpose};
use crate::screen::{Effect, Opening, Outcome};
use crate::work::{Operation, OperationAnswer, RowPresence};
use crate::worker::Request;
use library::apps::App;
use library::sessions::TurnNumber;

/// The session, or the turn of it, that something is done to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// The session.
    pub id: String,
    /// The sub-agent that is shown, if one is.
    pub agent: Option<String>,
    /// The turn, if one is selected.
    pub turn: Option<TurnNumber>,
    /// The title.
    pub title: Option<String>,
    /// The tag.
    pub tag: Option<String>,
    /// Where it is.
    pub presence: RowPresence,
    /// Whether it is being written.
    pub is_running: bool,
    /// The message as it is shown, if one is selected, to copy it.
    pub message: Option<String>,
}

/// Begins an action on a session; `None` if it is not such an action.
pub fn begin(action: Action, target: &Target) -> Option<Vec<Effect>> {
    let id = || target.id.clone();
    let ask = |operation| vec![Effect::Ask(Request::Act(operation))];
    let is_gone = target.presence != RowPresence::Disk;
    Some(match action {
        Action::Resume | Action::Fork => resume(target, action == Action::Fork),
        Action::Mark | Action::Tag | Action::Rename | Action::Export | Action::Archive
            if target.presence == RowPresence::PromptsOnly =>
        {
            gone()
        }
        Action::Mark => {
            let id = target.agent.clone().unwrap_or_else(id);
            ask(Operation::ToggleMark { id, turn: target.turn })
        }
        Action::Tag | Action::Rename | Action::Archive if is_gone => restore_first(target),
        Action::Tag => {
            let tag = target.tag.as_deref().unwrap_or_default();
            vec![Prompt::line("Tag (empty: none)", tag, Purpose::Tag(id()))]
        }
        Action::Rename => {
            let title = target.title.as_deref().unwrap_or_default();
            vec![Prompt::line("Title", title, Purpose::Rename(id()))]
        }
        Action::Export => ask(Operation::Export(id())),
        Action::Archive => ask(Operation::Archive(id())),
        Action::Web => ask(Operation::Web { id: id(), turn: target.turn }),
        Action::Copy => vec![Effect::Push(Box::new(CopyMenu::new(target.clone())))],
        _ => return None,
    })
}

fn gone() -> Vec<Effect> {
    vec![Effect::Problem("its transcript was deleted: only its prompts are left".to_owned())]
}

fn maybe_on_disk() -> Vec<Effect> {
    let text =
        "the archive has it, but it is unknown whether its app still does: annals doctor says why";
    vec![Effect::Problem(text.to_owned())]
}

fn restore_first(target: &Target) -> Vec<Effect> {
    if let Some(app) = App::split_id(&target.id).0 {
        let app = app.title();
        let text = format!("It is only in the archive, and annals never writes files of {app}");
        return vec![Effect::Problem(text)];
    }
    let question = "It is only in the archive. Restore it to its old place?";
    vec![Prompt::question(question, Purpose::Restore(target.id.clone()))]
}

fn resume(target: &Target, is_fork: bool) -> Vec<Effect> {
    match target.presence {
        RowPresence::PromptsOnly => gone(),
        RowPresence::Archive => restore_first(target),
        RowPresence::Unknown => maybe_on_disk(),
        // A running session is watched; a copy of it can be resumed.
        RowPresence::Disk if target.is_running && !is_fork => vec![
            Effect::Open(Opening {
                id: target.id.clone(),
                title: target.title.clone(),
                is_followed: true,
                ..Opening::default()
            }),
            Effect::Notice("The session is running: following it. f resumes a copy".to_owned()),
        ],
        RowPresence::Disk => {
            let operation = Operation::CheckResume { id: target.id.clone(), is_fork, folder: None };
            vec![Effect::Ask(Request::Act(operation))]
        }
    }
}

/// What happens when something is done.
pub(crate) fn effects(answer: &OperationAnswer) -> Vec<Effect> {
    match answer {
        OperationAnswer::Done(text) => vec![Effect::Notice(text.clone())],
        OperationAnswer::MayResume { id, is_fork, folder } => {
            let (session, is_fork, folder) = (id.clone(), *is_fork, folder.clone());
            vec![Effect::Finish(Outcome::Resume { session, is_fork, folder })]
        }
        OperationAnswer::MayNotResume { id, is_fork, problem, is_folder: true } => {
            let purpose = Purpose::Folder { id: id.clone(), is_fork: *is_fork };
            let title = format!("{}. Resume in the folder", shown(problem));
            vec![Prompt::line(&title, "", purpose)]
        }
        OperationAnswer::Failed(problem) | OperationAnswer::MayNotResume { problem, .. } => {
            vec![Effect::Problem(shown(problem))]
        }
        OperationAnswer::Copy(text, notice) => {
            vec![Effect::Copy(text.clone()), Effect::Notice(notice.clone())]
        }
    }
}

/// An error on one line: the hint is for the command line.
fn shown(problem: &str) -> String {
    problem.lines().next().unwrap_or_default().to_owned()
}
