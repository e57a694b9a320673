//! `file_history`: which sessions changed a file, why, and how much of it remains.

use super::Outcome;
use crate::answer::{Answer, Heading, ToolError, beginning};
use crate::arguments::{Arguments, CURSOR};
use crate::tool_context::{
    INCLUDE_CURRENT, ToolContext, check_in_time, note_left_out, note_unread_files, with_location,
};
use crate::{cursor, tool_context};
use document::answers::{FileHistoryAnswer, FileHistoryOptions, FilesRequest};
use library::files::{Author, Blame, Change};
use library::lines::ReadError;
use library::progress::Limits;
use library::session::Session;
use library::sessions::MessageState;
use std::collections::{HashMap, HashSet};
use std::path::Path;

pub(crate) const NAME: &str = "file_history";

/// The tokens shown of the prompt that led to a change, and of its diff.
const PROMPT_TOKENS: usize = 120;
const DIFF_TOKENS: usize = 600;

pub(crate) fn run(context: &ToolContext<'_>, arguments: &Arguments) -> Outcome {
    let path = arguments.required_text("path")?;
    if path.contains('\0') {
        return Err(ToolError::new("invalid path: it contains a NUL byte"));
    }
    let filter = context.filter(arguments)?;
    let (sessions, mut read_errors) =
        context.sessions_with_calls(arguments.flag(INCLUDE_CURRENT), &filter);
    let all: Vec<&Session> = sessions.iter().collect();
    let limits = context.limits();
    let request = FilesRequest {
        library: &context.library,
        sessions: &all,
        filter: &filter,
        here: Some(&context.settings.here),
        moved: &[],
        progress: &limits,
    };
    // Newest first: most questions are about the current state. The cursor names a change, not
    // an offset.
    let options = FileHistoryOptions {
        with_reads: arguments.flag("include_reads"),
        is_newest_first: true,
        offset: 0,
        limit: usize::MAX,
        with_diffs: true,
    };
    let (history, unread) = request.history(path, options);
    check_in_time(&limits)?;
    read_errors.extend(unread);
    if history.is_untouched() {
        return no_changes(context, arguments, &history.others, &limits, &read_errors);
    }
    let FileHistoryAnswer { files, changes, .. } = history;
    let changes = changes.items;
    let touching: HashSet<&str> =
        changes.iter().map(|change| change.touch.session_id.as_str()).collect();
    let touching: Vec<&Session> =
        all.iter().copied().filter(|it| touching.contains(it.id.as_str())).collect();
    let of_touching = FilesRequest { sessions: &touching, ..request };
    let (remaining_lines, unread) =
        RemainingLines::find(&of_touching, path, files.len() == 1, &limits);
    read_errors.extend(unread);
    read_errors.sort_by(|one, two| one.path.cmp(&two.path));
    read_errors.dedup_by(|one, two| one.path == two.path);
    let page = HistoryAnswer {
        context,
        arguments,
        sessions: touching.iter().map(|session| (session.id.as_str(), *session)).collect(),
        remaining_lines,
    };
    check_in_time(&limits)?;
    let mut answer = context.answer(arguments)?;
    for file in files.iter().take(5) {
        let heading = Heading::default()
            .with("role", "path".to_owned())
            .with("changes", file.changes.to_string())
            .with("reads", file.reads.to_string())
            .with("last_change", context.when(file.last_change));
        let path = answer.body(&file.path);
        answer.quote(&heading, &beginning(&path, 60).0);
    }
    page.remaining_lines.note(&mut answer);
    note_left_out(&mut answer, &limits);
    note_unread_files(&mut answer, &read_errors);
    page.changes(answer, &changes)
}

fn no_changes(
    context: &ToolContext<'_>,
    arguments: &Arguments,
    others: &[String],
    limits: &Limits,
    read_errors: &[ReadError],
) -> Outcome {
    let mut answer = context.answer(arguments)?;
    answer.note("No session within the scope of this server read or changed this file.");
    note_left_out(&mut answer, limits);
    note_unread_files(&mut answer, read_errors);
    if !others.is_empty() {
        let others = others.iter().take(10).map(|path| answer.word(path));
        let others: Vec<String> = others.collect();
        answer.note("Files with this name:");
        answer.quote(&Heading::default().with("role", "path".to_owned()), &others.join("\n"));
    }
    Ok(answer.finish(&[]))
}

struct HistoryAnswer<'t> {
    context: &'t ToolContext<'t>,
    arguments: &'t Arguments,
    sessions: HashMap<&'t str, &'t Session>,
    remaining_lines: RemainingLines,
}

impl HistoryAnswer<'_> {
    fn changes(&self, mut answer: Answer, changes: &[Change]) -> Outcome {
        let mut first = 0;
        if let Some(text) = self.arguments.text(CURSOR.name) {
            let [last] = cursor::decode::<1>(NAME, text)?;
            let index = changes.iter().position(|change| key(change) == last);
            first = 1 + index.ok_or_else(|| {
                ToolError::new(
                    "the change that this cursor points to no longer exists: omit the cursor to start again",
                )
            })?;
        }
        let mut states = HashMap::new();
        let mut shown = 0;
        for change in &changes[first..] {
            let session = self.sessions.get(change.touch.session_id.as_str()).copied();
            let body = self.body(&answer, change);
            // Finding the state of a call means reading its whole session. This is not
            // done for a change that does not fit.
            let widest = self.heading(change, session, Some(MessageState::Compacted.name()));
            if shown > 0 && !answer.has_room(&widest, &body) {
                break;
            }
            let own = session.map(|session| {
                states
                    .entry(session.id.as_str())
                    .or_insert_with(|| self.context.library.sessions().call_states(session))
            });
            let id = change.touch.tool_use_id.as_deref();
            let state = own.zip(id).and_then(|(own, id)| own.get(id)).map(|state| state.name());
            let heading = self.heading(change, session, state);
            if !answer.quote_next(&heading, &body, shown == 0) {
                break;
            }
            shown += 1;
        }
        let mut ending = Vec::new();
        let rest = changes.len() - first - shown;
        if let Some(last) = (first + shown).checked_sub(1).and_then(|last| changes.get(last))
            && rest > 0
        {
            let next = cursor::encode(NAME, &[&key(last)]);
            let call = self.arguments.next(NAME, None, &next);
            ending.push(format!("{rest} earlier changes: {call}"));
        }
        if !self.arguments.flag("include_tool_results") {
            ending.push("Diffs are left out; to get them, set include_tool_results.".to_owned());
        }
        Ok(answer.finish(&ending))
    }

    fn heading(
        &self,
        change: &Change,
        session: Option<&Session>,
        state: Option<&'static str>,
    ) -> Heading {
        let touch = &change.touch;
        let heading = match session {
            Some(session) => tool_context::heading(session),
            None => Heading::default().with("session", touch.session_id.clone()),
        };
        let lines = touch.is_change().then(|| format!("+{} -{}", touch.added, touch.removed));
        let heading = heading
            .with("agent", touch.agent_id.clone())
            .with("role", "tool_use".to_owned())
            .within("tool", touch.tool.clone(), 12)
            .with("call", touch.tool_use_id.clone())
            .with("at", self.context.when(touch.time))
            .with("state", state.map(str::to_owned))
            .with("operation", touch.operation.name().to_owned())
            .with("lines", lines)
            .with("still_there", self.remaining_lines.of(change));
        match session {
            Some(session) => with_location(heading, session),
            None => heading,
        }
    }

    fn body(&self, answer: &Answer, change: &Change) -> String {
        let mut parts = Vec::new();
        match &change.touch.prompt {
            Some(prompt) => {
                let text = answer.body(&prompt.text);
                parts.push(format!("prompt: {}", beginning(text.trim(), PROMPT_TOKENS).0));
            }
            None => parts.push("(unknown prompt)".to_owned()),
        }
        let diff = change.diff.as_ref().filter(|_| self.arguments.flag("include_tool_results"));
        if let Some(diff) = diff {
            let text = answer.body(&diff.text);
            parts.push(beginning(&text, DIFF_TOKENS).0.into_owned());
        }
        parts.join("\n")
    }
}

/// Identifies a change in a cursor.
fn key(change: &Change) -> String {
    let touch = &change.touch;
    let call = touch.tool_use_id.clone().unwrap_or_default();
    cursor::short_hash(&format!("{}:{}:{call}", touch.session_id, touch.line))
}

/// How many lines of the recorded changes are still in the file.
struct RemainingLines {
    /// The number of remaining lines by call id; `None` if the file cannot be read.
    lines: Option<HashMap<String, usize>>,
    /// A sentence about the current file.
    text: String,
}

impl RemainingLines {
    /// Reads only the file that the caller named, and shows none of its content.
    fn find(
        request: &FilesRequest<'_>,
        path: &str,
        is_one: bool,
        limits: &Limits,
    ) -> (RemainingLines, Vec<ReadError>) {
        let unknown = |text: &str| RemainingLines { lines: None, text: text.to_owned() };
        if !is_one {
            let several = "Several files match this path; name one of them to see how many changed lines remain.";
            return (unknown(several), Vec::new());
        }
        let name = request.present_path(path);
        let today = match library::files::read_current_content(Path::new(&name)) {
            Ok(today) => today,
            Err(reason) => {
                return (
                    unknown(&format!("The current file is unknown: it {reason}.")),
                    Vec::new(),
                );
            }
        };
        let (blame, read_errors) = request.blame(path, &today);
        let remaining = if limits.left_out() > 0 {
            unknown("How many changed lines remain is unknown: the sessions are too large to read.")
        } else {
            RemainingLines::of_blame(blame)
        };
        (remaining, read_errors)
    }

    fn of_blame(blame: Blame) -> RemainingLines {
        let Blame { lines: authors, changes, is_coarse, .. } = blame;
        let mut lines: HashMap<String, usize> = HashMap::new();
        let (mut recorded, mut before) = (0, 0);
        for (_, author) in &authors {
            match author {
                Author::Change(number) => {
                    recorded += 1;
                    let call = changes.get(*number).and_then(|touch| touch.tool_use_id.clone());
                    *lines.entry(call.unwrap_or_default()).or_default() += 1;
                }
                Author::Before => before += 1,
                Author::Elsewhere => {}
            }
        }
        let all = authors.len();
        let verdict = match (recorded, all) {
            (_, 0) => "none of its lines can be attributed".to_owned(),
            (recorded, all) if recorded + before == all => {
                "it is unchanged since the last of them".to_owned()
            }
            (recorded, all) => {
                let others = all - recorded - before;
                format!("it was changed later: {others} lines have another origin")
            }
        };
        let bound = if is_coarse {
            " Not all lines were compared, because too many changed at once."
        } else {
            ""
        };
        let text = format!(
            "The file now has {}: {recorded} written by these sessions, {before} older; {verdict}.{bound}",
            render::counted(all, "line")
        );
        RemainingLines { lines: Some(lines), text }
    }

    fn note(&self, answer: &mut Answer) {
        answer.note(&self.text);
    }

    fn of(&self, change: &Change) -> Option<String> {
        let touch = &change.touch;
        let lines = self.lines.as_ref().filter(|_| touch.is_change() && touch.added > 0)?;
        let remaining = touch.tool_use_id.as_ref().and_then(|id| lines.get(id)).copied();
        let remaining = u64::try_from(remaining.unwrap_or_default()).unwrap_or(u64::MAX);
        Some(format!("{} of {} lines", remaining.min(touch.added), touch.added))
    }
}
