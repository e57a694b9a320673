//! The files of a session, and what all sessions did to one of them.

use super::Data;
use crate::overlay::{Block, Choice, Content, Goto, WindowKind};
use crate::session::model::SessionModel;
use document::answers::{FileHistoryOptions, FilesRequest, sessions_with_calls};
use library::catalog::Filter;
use library::lines::ReadError;
use library::progress::NoProgress;
use library::session::Session;
use render::{Column, Style, Table};
use std::collections::HashSet;
use std::path::Path;

/// The most lines of a diff that are shown.
const MOST_LINES: usize = 60;

pub(super) fn list(model: &SessionModel, data: &Data<'_>) -> Content {
    let session = &model.session().found().session;
    let (page, read_errors) = request(data, &[session], &Filter::default()).list(0, usize::MAX);
    let files = page.items;
    if files.is_empty() {
        return noting(vec![Block::Line("No files.".to_owned(), Style::Dim, None)], &read_errors);
    }
    let mut table = Table::new(vec![
        Column::new("FILE").style(Style::Accent).shrinks_to(20).keeps_end(),
        Column::new("READS").right().drop_order(2),
        Column::new("CHANGES").right(),
        Column::new("LINES").right().drop_order(1),
    ]);
    let some = |count: u64| if count == 0 { String::new() } else { count.to_string() };
    let folder = session.metadata.cwd.as_deref();
    let mut choices = Vec::new();
    for file in &files {
        let below = folder.and_then(|folder| file.path.strip_prefix(folder)?.strip_prefix('/'));
        table.row([
            below.unwrap_or(&file.path).to_owned(),
            some(file.reads),
            if file.is_only_failed() {
                format!("{} failed", file.failed)
            } else {
                some(file.changes)
            },
            if file.changes == 0 {
                String::new()
            } else {
                format!("+{} −{}", file.added, file.removed)
            },
        ]);
        choices.push(Some(Choice::Window(WindowKind::FileHistory(file.path.clone()))));
    }
    noting(vec![Block::Table(table, choices)], &read_errors)
}

/// Every change of a file, the newest first, with the session and the prompt behind it.
pub(super) fn history(path: &str, model: &SessionModel, data: &Data<'_>) -> Content {
    let filter = Filter::default();
    let (sessions, mut read_errors) = sessions_with_calls(data.library, &filter);
    let sessions: Vec<&Session> = sessions.iter().collect();
    let options = FileHistoryOptions {
        with_reads: false,
        is_newest_first: true,
        offset: 0,
        limit: usize::MAX,
        with_diffs: true,
    };
    let (history, unread) = request(data, &sessions, &filter).history(path, options);
    read_errors.extend(unread);
    let changes = history.changes.items;
    if changes.is_empty() {
        let nothing = "No session changed it.".to_owned();
        return noting(vec![Block::Line(nothing, Style::Dim, None)], &read_errors);
    }
    let found = model.session().found();
    let mut blocks = Vec::new();
    for change in &changes {
        let touch = &change.touch;
        let is_own = touch.session_id == found.session.id;
        let mut facts = Vec::new();
        facts.extend(touch.time.map(|time| render::time::moment(time, data.zone)));
        facts.push(if is_own {
            "this session".to_owned()
        } else {
            document::short_id(&touch.session_id).to_owned()
        });
        facts.push(format!("{} +{} −{}", touch.tool, touch.added, touch.removed));
        facts.extend(touch.prompt.as_ref().map(|prompt| format!("“{}”", prompt.text.trim())));
        let turn = touch.prompt.as_ref().and_then(|prompt| prompt.turn);
        let place = match (is_own, &touch.agent_id) {
            (_, Some(agent)) if found.agent_id() != Some(agent) => {
                Goto::Agent(agent.clone(), Some(touch.line))
            }
            (true, _) => Goto::Line(touch.line),
            (false, _) => Goto::Session(touch.session_id.clone(), turn),
        };
        blocks.push(Block::Line(facts.join(" · "), Style::Id, Some(Choice::Goto(place))));
        if let Some(diff) = change.diff.as_ref().filter(|diff| !diff.is_empty()) {
            // The file is named in the title.
            let hunks = diff.text.splitn(3, '\n').nth(2).unwrap_or_default();
            blocks.push(Block::Diff(hunks.to_owned(), MOST_LINES));
        }
        blocks.push(Block::Gap);
    }
    noting(blocks, &read_errors)
}

fn request<'r>(
    data: &'r Data<'_>,
    sessions: &'r [&'r Session],
    filter: &'r Filter,
) -> FilesRequest<'r> {
    FilesRequest {
        library: data.library,
        sessions,
        filter,
        here: Some(data.here),
        moved: &[],
        progress: &NoProgress,
    }
}

/// A window that says how many files could not be read for it.
fn noting(mut blocks: Vec<Block>, read_errors: &[ReadError]) -> Content {
    let unread: HashSet<&Path> = read_errors.iter().map(|error| error.path.as_path()).collect();
    if !unread.is_empty() {
        let files = render::counted(unread.len(), "file");
        let note = format!("{files} could not be read; annals doctor lists them");
        blocks.push(Block::Line(note, Style::Warning, None));
    }
    Content::new(blocks)
}
