//! The files of a session, and what all sessions did to one of them.

use super::Data;
use crate::overlay::{Block, Choice, Content, Goto, WindowKind};
use crate::session::model::SessionModel;
use library::catalog::Filter;
use library::progress::NoProgress;
use library::session::Session;
use render::{Column, Style, Table};

/// The most lines of a diff that are shown.
const MOST_LINES: usize = 60;

pub(super) fn list(model: &SessionModel, data: &Data<'_>) -> Content {
    let session = &model.session().found().session;
    let files = data.library.files();
    let places = files.locations(&[], &[]);
    let (files, _) = files.touched(&[session], &Filter::default(), &places, &NoProgress);
    if files.is_empty() {
        return Content::note("No files.");
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
    Content::new(vec![Block::Table(table, choices)])
}

/// Every change of a file, the newest first, with the session and the prompt behind it.
pub(super) fn history(path: &str, model: &SessionModel, data: &Data<'_>) -> Content {
    let catalog = data.library.catalog();
    let list = catalog.all_sessions();
    let sessions: Vec<&Session> = list.sessions.iter().collect();
    let files = data.library.files();
    let places = files.locations(&[], &[]);
    let wanted = places.pattern(path, data.here);
    let (history, _) = files.history(&sessions, &Filter::default(), &places, &wanted, &NoProgress);
    let mut changes = history.changes;
    changes.retain(|change| change.touch.is_change());
    if changes.is_empty() {
        return Content::note("No session changed it.");
    }
    let found = model.session().found();
    let mut blocks = Vec::new();
    for change in changes.iter().rev() {
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
    Content::new(blocks)
}
