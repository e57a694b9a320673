//! Renders hits of `annals search`: as JSON, as rows, and for people.

use super::Args;
use crate::commands::hit_lines::{heading_line, line};
use crate::context::Context;
use conversation::MessageState;
use document::short_ids;
use library::apps::App;
use library::search::{FoundHit, NearbyMessage, SearchAnswer};
use library::session::Presence;
use render::{Column, Style};
use std::collections::{BTreeSet, HashMap};

/// How many snippets of one session are shown.
const MOST_OF_SESSION: usize = 3;

/// The hits for people.
pub(super) fn text(
    context: &Context,
    args: &Args,
    is_whole: bool,
    answer: &SearchAnswer,
    names_all: bool,
) -> String {
    let offset = args.offset;
    if answer.hits.is_empty() {
        return nothing(answer, offset, is_whole);
    }
    let shown = if args.hits { flat(context, answer) } else { grouped(context, answer, names_all) };
    shown + &closing(context, offset, answer)
}

fn nothing(answer: &SearchAnswer, offset: usize, is_whole: bool) -> String {
    let until_now = if is_whole { "" } else { " in what the index has" };
    if offset > 0 && answer.total > 0 {
        return format!("No more hits{until_now}.\n");
    }
    let mut text = format!("No hits{until_now}.\n");
    for (word, near) in &answer.near {
        text += &format!("{word}: did you mean {}?\n", near.join(", "));
    }
    render::untrusted::text(&text).into_owned()
}

/// The number of hits, and how to see more.
fn closing(context: &Context, offset: usize, answer: &SearchAnswer) -> String {
    let total =
        if answer.is_cut { format!("at least {}", answer.total) } else { answer.total.to_string() };
    let shown = answer.hits.len();
    let more = match answer.next {
        Some(next) => format!("; --offset {next} shows the next"),
        None => String::new(),
    };
    let text = if offset == 0 && answer.next.is_none() {
        let copies: usize = answer.hits.iter().map(|hit| hit.copies).sum();
        let duplicates = match copies {
            0 => String::new(),
            count => format!(", {}", render::counted(count, "duplicate")),
        };
        let hits = if answer.total == 1 { "hit" } else { "hits" };
        format!("{shown} of {total} {hits}{duplicates}")
    } else {
        format!("{}–{} of {total} hits{more}", offset + 1, offset + shown)
    };
    context.output.paint.paint(Style::Dim, &text) + "\n"
}

fn flat(context: &Context, answer: &SearchAnswer) -> String {
    let ids: Vec<&str> =
        answer.hits.iter().map(|hit| hit.session_id.as_deref().unwrap_or("")).collect();
    let short = short_ids(&ids);
    let mut text = String::new();
    for (hit, id) in answer.hits.iter().zip(short) {
        let shown = if id.is_empty() { file_name(hit) } else { id.clone() };
        text += &place_line(context, hit, Some(shown), &id);
        text += &snippet_lines(context, hit, "  ");
    }
    text
}

/// How many other sessions with the same text are named below a session.
const MOST_OTHERS: usize = 6;

/// Hits by session, the session with the best hit first.
fn grouped(context: &Context, answer: &SearchAnswer, names_all: bool) -> String {
    let mut groups: Vec<(Option<&str>, Vec<&FoundHit>)> = Vec::new();
    for hit in &answer.hits {
        let id = hit.session_id.as_deref();
        match groups.iter_mut().find(|(known, _)| id.is_some() && *known == id) {
            Some((_, hits)) => hits.push(hit),
            None => groups.push((id, vec![hit])),
        }
    }
    let own = groups.iter().filter_map(|(id, _)| *id);
    let others = answer.hits.iter().flat_map(|hit| &hit.duplicates_in).map(String::as_str);
    let mut ids: Vec<&str> = own.chain(others).collect();
    ids.sort_unstable();
    ids.dedup();
    let short: HashMap<&str, String> = ids.iter().copied().zip(short_ids(&ids)).collect();
    let most = if names_all { usize::MAX } else { MOST_OTHERS };
    let mut text = String::new();
    for (id, hits) in &groups {
        let own = id.and_then(|id| short.get(id)).map(String::as_str);
        text += &session(context, hits, own, &others_line(context, hits, &short, most));
    }
    text
}

/// The other sessions that have the texts of these hits.
fn others_line(
    context: &Context,
    hits: &[&FoundHit],
    short: &HashMap<&str, String>,
    most: usize,
) -> String {
    let others: BTreeSet<&str> =
        hits.iter().flat_map(|hit| &hit.duplicates_in).map(String::as_str).collect();
    if others.is_empty() {
        return String::new();
    }
    let named: Vec<&str> =
        others.iter().take(most).filter_map(|id| short.get(id)).map(String::as_str).collect();
    let more = match others.len().saturating_sub(named.len()) {
        0 => String::new(),
        more => format!(" and {more} more (--limit 0 names all)"),
    };
    let count = render::counted(others.len(), "other session");
    let text = format!("The same text is in {count}: {}{more}", named.join(" "));
    let width = context.output.width().map_or(usize::MAX, |width| width.saturating_sub(2));
    let lines = render::wrapped(&render::untrusted::text(&text), width);
    let paint = context.output.paint;
    lines.iter().map(|line| paint.paint(Style::Dim, &format!("  {line}")) + "\n").collect()
}

fn session(context: &Context, hits: &[&FoundHit], short: Option<&str>, others: &str) -> String {
    let output = &context.output;
    let Some(first) = hits.first() else { return String::new() };
    let project = first.project.as_deref().map(|path| context.short_path(path)).unwrap_or_default();
    let title = first.title.clone().unwrap_or_default();
    let title = if first.session_id.is_none() { file_name(first) } else { title };
    let mut text = heading_line(output.width(), output.paint, short, project, title);
    for hit in hits.iter().take(MOST_OF_SESSION) {
        text += &place_line(context, hit, None, short.unwrap_or_default());
        text += &snippet_lines(context, hit, "    ");
    }
    if hits.len() > MOST_OF_SESSION {
        let more =
            format!("  {} more in this session (--hits shows all)", hits.len() - MOST_OF_SESSION);
        text += &(output.paint.paint(Style::Dim, &more) + "\n");
    }
    text += others;
    if let Some(id) = short {
        let open = if !first.has_transcript {
            format!("  annals agents {id}")
        } else if let Some(lake) = &context.lake {
            format!("  annals show {id} {}", lake.option())
        } else if may_restore(first) {
            format!("  annals show {id}   annals archive restore {id}")
        } else if first.presence.is_in_archive() {
            format!("  annals show {id}")
        } else {
            format!("  annals show {id}   annals resume {id}")
        };
        text += &(output.paint.paint(Style::Dim, &render::untrusted::text(&open)) + "\n");
    }
    text + "\n"
}

/// Whether the session of a hit can be restored to its old place: not where it may still be, and
/// no file of another app is ever written.
fn may_restore(hit: &FoundHit) -> bool {
    let is_of_app = hit.session_id.as_deref().is_some_and(|id| App::split_id(id).0.is_some());
    hit.presence == Presence::Archive && !is_of_app
}

/// The kind and time of a hit, and the command that shows it in the session with
/// this short id.
fn place_line(context: &Context, hit: &FoundHit, id: Option<String>, session: &str) -> String {
    let tool = hit.tool.as_deref().map(|tool| format!(" {tool}")).unwrap_or_default();
    let role = format!("{}{tool}", hit.kind.name());
    let agent = hit.agent_id.as_deref().map(|agent| format!("agent {agent}")).unwrap_or_default();
    let time =
        hit.time.map(|time| render::time::ago(time, context.settings.now, &context.settings.zone));
    let mut notes = Vec::new();
    notes.extend(hit.state.filter(|state| *state != MessageState::Live).map(MessageState::name));
    let is_elsewhere = !matches!(hit.presence, Presence::Disk | Presence::Lake);
    notes.extend(is_elsewhere.then_some(hit.presence.name()));
    notes.extend(hit.owner.as_deref().filter(|_| context.library.catalog().has_several_owners()));
    let copies = (hit.copies > 0).then(|| format!("+{}", render::counted(hit.copies, "duplicate")));
    notes.extend(copies.as_deref());
    let command = match session {
        "" => format!("line {}", hit.line),
        id => context.in_lake(document::hit_command(id, hit)),
    };
    let dim = || Column::new("").style(Style::Dim);
    let is_flat = id.is_some();
    let columns = [
        (Column::new("").style(Style::Id), id.unwrap_or_default()),
        (Column::new("").style(Style::Accent).shrinks_to(8), role),
        (dim().shrinks_to(8).drop_order(2), agent),
        (dim().drop_order(1), time.unwrap_or_default()),
        (Column::new("").style(Style::Warning), notes.join(" ")),
        (dim(), command),
    ];
    let width = context.output.width().map(|width| width.saturating_sub(2));
    let text = line(width, context.output.paint, columns);
    if is_flat { text } else { format!("  {text}") }
}

/// The matching text with its context.
fn snippet_lines(context: &Context, hit: &FoundHit, indent: &str) -> String {
    let output = &context.output;
    let mut shown = String::new();
    let around = |around: &NearbyMessage| {
        let text = format!("{}: {}", around.role.name(), render::shown_commands(&around.text));
        let text = output.paint.paint(Style::Dim, &render::untrusted::line(&text));
        output.hanging(&format!("{indent}{text}\n"), 0)
    };
    shown.extend(hit.before.iter().map(around));
    shown += &output.hanging(&format!("{indent}{}\n", marked(context, hit)), 0);
    shown.extend(hit.after.iter().map(around));
    shown
}

/// An excerpt with its words highlighted.
fn marked(context: &Context, hit: &FoundHit) -> String {
    let text = &hit.excerpt.text;
    let paint = context.output.paint;
    let mut shown = String::new();
    let mut shown_to = 0;
    for (start, end) in &hit.excerpt.highlights {
        let before = text.get(shown_to..*start).unwrap_or_default();
        let word = text.get(*start..*end).unwrap_or_default();
        shown += &render::untrusted::text(&render::shown_commands(before));
        shown += &paint.paint(Style::Bad, &render::untrusted::text(word));
        shown_to = *end;
    }
    let rest = text.get(shown_to..).unwrap_or_default();
    shown += &render::untrusted::text(&render::shown_commands(rest));
    shown
}

fn file_name(hit: &FoundHit) -> String {
    hit.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
