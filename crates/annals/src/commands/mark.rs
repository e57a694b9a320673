//! `annals mark`: bookmarks.

use crate::cli::LimitArgs;
use crate::commands::selection_args::{find_turn, selection_error, split_turn};
use crate::commands::show;
use crate::context::Context;
use crate::failure::{CliError, notice, report_read_errors};
use archive::{Ledger, Mark, MarkTarget};
use document::answers::{Marks, mark_list, present_turns, sessions_of_marks};
use document::{MarkEntryDocument, MarksDocument, short_ids};
use library::catalog::FoundSession;
use library::progress::NoProgress;
use library::sessions::{Part, Selection, TurnNumber, TurnRange};
use render::{Column, Style, Table};

/// The longest note, in bytes.
const LONGEST: usize = 4096;

/// The shortest id prefix that identifies a deleted session.
const SHORTEST: usize = 4;

/// Bookmark a session or turn, or list bookmarks
///
/// Marks a session, or one of its turns as `annals show` numbers them, with an
/// optional note. Marking the same place again replaces its note. Marks are stored
/// in annals' own folder and never change a session. `annals ls` and `annals show`
/// display them, and they stay when a session is deleted.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The session or sub-agent, and optionally a turn. Without it, all marks are
    /// listed
    #[arg(value_name = "SESSION[:TURN]")]
    place: Option<String>,
    /// A note
    note: Vec<String>,
    /// Remove a mark, by its id or its place
    #[arg(long, value_name = "MARK|SESSION[:TURN]", conflicts_with_all = ["place", "note"])]
    remove: Option<String>,
    #[command(flatten)]
    limit: LimitArgs,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let ledger = context.ledger()?;
    for damage in ledger.damage() {
        let path = ledger.path();
        notice(&format!(
            "annals: skipping damaged line {} of the ledger {} (at byte {}): {}",
            damage.line,
            path.display(),
            damage.offset,
            damage.reason
        ));
    }
    match (&args.place, &args.remove) {
        (Some(place), _) => set(context, &ledger, place, &args.note.join(" "), args),
        (None, Some(name)) => remove(context, &ledger, name),
        (None, None) => list(context, &ledger, args),
    }
}

fn set(
    context: &Context,
    ledger: &Ledger,
    name: &str,
    note: &str,
    args: &Args,
) -> anyhow::Result<()> {
    if note.len() > LONGEST {
        let message =
            format!("the note is too long: at most {LONGEST} bytes, this one has {}", note.len());
        return Err(CliError::Misuse(message).into());
    }
    context.check_data_home()?;
    let (found, turn) = find_turn(context, name)?;
    let uuid = turn.map(|turn| turn_of(context, &found, turn)).transpose()?.flatten();
    let target = MarkTarget {
        session: found.session.id.clone(),
        agent: found.agent_id().map(str::to_owned),
        turn: turn.map(|turn| turn.to_string()),
    };
    let mut mark = Mark { id: String::new(), target, uuid, note: None, at: context.settings.now };
    mark.id = ledger.mark_id(&mark);
    mark.note = match (args.note.is_empty(), ledger.mark_at(&mark)) {
        (true, Some(known)) => known.note,
        _ => Some(note.to_owned()).filter(|note| !note.is_empty()),
    };
    context.library.actions().mark(&mark)?;
    let document = MarkEntryDocument::new(&mark, Some(&found.session), turn);
    let text = format!(
        "Marked {} as {}: {}\n",
        marked_place(&document),
        mark.id,
        document.command.as_deref().unwrap_or_default()
    );
    let text = context.output.hanging(&render::untrusted::text(&text), 2);
    answer(context, vec![document], 1, || text)
}

/// Checks that a turn exists, and returns the record that identifies it.
fn turn_of(
    context: &Context,
    found: &FoundSession,
    number: TurnNumber,
) -> anyhow::Result<Option<String>> {
    let session = show::open(context, found)?;
    let selection =
        Selection { range: TurnRange::only(number), ..Selection::of(Part::with_turn(number)) };
    let selected = session.turns(&selection).map_err(|it| selection_error(&it))?;
    let turn = selected.selected().into_iter().next();
    Ok(turn.and_then(|turn| selected.record_of(turn)).map(str::to_owned))
}

fn remove(context: &Context, ledger: &Ledger, name: &str) -> anyhow::Result<()> {
    context.check_data_home()?;
    let mark = named(context, &ledger.marks(), name)?;
    context.library.actions().unmark(&mark, context.settings.now)?;
    let marks = [mark];
    let known =
        sessions_of_marks(&context.library, &marks, context.library.catalog().all_sessions());
    let turn = present_turns(&context.library, &marks, &known).remove(&marks[0].id);
    let session = known.get(&marks[0].target.session);
    let document = MarkEntryDocument::of_found(&context.library, &marks[0], session, turn);
    let text = format!("Removed {} from {}\n", document.id, marked_place(&document));
    let text = context.output.hanging(&render::untrusted::text(&text), 2);
    answer(context, vec![document], 1, || text)
}

/// Finds a mark by its id or its place.
fn named(context: &Context, marks: &[Mark], name: &str) -> anyhow::Result<Mark> {
    if let Some(mark) = marks.iter().find(|mark| mark.id == name) {
        return Ok(mark.clone());
    }
    let (place, turn) = split_turn(name);
    // The transcript knows the numbers that the turns have now.
    let mut open = None;
    let own: Vec<&Mark> = match context.find(place) {
        Ok(found) => {
            let (session, agent) = (&found.session.id, found.agent_id());
            let is_own =
                |place: &MarkTarget| place.session == *session && place.agent.as_deref() == agent;
            open = context.library.sessions().open_session(&found).ok();
            marks.iter().filter(|mark| is_own(&mark.target)).collect()
        }
        Err(error) => {
            // A deleted session is found by a prefix of its id.
            let is_own = |mark: &&Mark| {
                let id = mark.target.agent.as_ref().unwrap_or(&mark.target.session);
                place.len() >= SHORTEST && id.starts_with(place)
            };
            let own: Vec<&Mark> = marks.iter().filter(is_own).collect();
            if own.is_empty() {
                return Err(error);
            }
            own
        }
    };
    let turn_of = |mark: &Mark| {
        let now = open.as_ref().and_then(|open| open.turn_of_mark(mark));
        now.or_else(|| mark.target.turn.as_ref()?.parse().ok())
    };
    let at_turn: Vec<&Mark> = own.iter().copied().filter(|mark| turn_of(mark) == turn).collect();
    let described = |marks: &[&Mark]| {
        let marks = marks.iter().map(|mark| match turn_of(mark) {
            Some(turn) => format!("{} (turn {turn})", mark.id),
            None => mark.id.clone(),
        });
        marks.collect::<Vec<_>>().join(", ")
    };
    match at_turn.as_slice() {
        [mark] => Ok((*mark).clone()),
        [] if own.is_empty() => Err(CliError::NotFound(format!("no mark at {name}")).into()),
        [] => {
            let others = described(&own);
            Err(CliError::NotFound(format!("no mark at {name}\nhint: this session has {others}"))
                .into())
        }
        several => {
            let message = format!("{name:?} is ambiguous: it matches {}", described(several));
            Err(CliError::Misuse(message).into())
        }
    }
}

fn list(context: &Context, ledger: &Ledger, args: &Args) -> anyhow::Result<()> {
    let marks = Marks::new(ledger.marks());
    let limit = context.output.limit(args.limit.limit);
    let (list, read_errors) = mark_list(&context.library, &marks, None, limit, &NoProgress);
    report_read_errors(&read_errors);
    let text = table(context, &list.marks, list.total);
    answer(context, list.marks, list.total, || text)
}

/// The place of a mark, in words.
fn marked_place(mark: &MarkEntryDocument) -> String {
    let turn = mark.turn.map(|turn| format!("turn {turn} of ")).unwrap_or_default();
    format!("{turn}{}", mark.shown_id())
}

fn answer(
    context: &Context,
    marks: Vec<MarkEntryDocument>,
    total: usize,
    text: impl FnOnce() -> String,
) -> anyhow::Result<()> {
    context.output.rows(marks, |marks| MarksDocument::new(total, marks), text)
}

fn table(context: &Context, marks: &[MarkEntryDocument], total: usize) -> String {
    if marks.is_empty() {
        return "No marks.\nhint: annals mark SESSION[:TURN] [NOTE] adds one\n".to_owned();
    }
    let mut table = Table::new(vec![
        Column::new("MARK").style(Style::Dim).drop_order(2),
        Column::new("MARKED").drop_order(1),
        Column::new("SESSION").style(Style::Id),
        Column::new("TURN").right(),
        Column::new("NOTE").style(Style::Accent).shrinks_to(12),
        Column::new("TITLE").shrinks_to(12).wide(),
        Column::new("OPEN").style(Style::Dim).drop_order(3),
    ]);
    let ids: Vec<&str> = marks.iter().map(|mark| mark.session_id.as_str()).collect();
    for (mark, short) in marks.iter().zip(short_ids(&ids)) {
        let id = mark.agent_id.as_ref().unwrap_or(&short);
        let title = match (&*mark.presence, &mark.title) {
            ("disk", title) => title.clone().unwrap_or_default(),
            ("unknown", title) => format!("{} (unknown)", title.as_deref().unwrap_or_default()),
            (_, title) => format!("{} (gone)", title.as_deref().unwrap_or_default()),
        };
        table.row([
            mark.id.clone(),
            render::time::ago(mark.at.0, context.settings.now, &context.settings.zone),
            id.clone(),
            mark.turn.map(|turn| turn.to_string()).unwrap_or_default(),
            mark.note.clone().unwrap_or_default(),
            title.trim_start().to_owned(),
            mark.command.as_ref().map(|_| mark.command_for(id)).unwrap_or_default(),
        ]);
    }
    let output = &context.output;
    table.render(output.width(), output.paint) + &output.cut_note(marks.len(), total, "marks")
}
