//! `file_history`: who changed a file, why, and what of that still stands.

use super::Outcome;
use crate::answer::{Answer, Complaint, Heading, beginning};
use crate::arguments::{Arguments, CURSOR};
use crate::cursor;
use crate::desk::{self, Desk, Hurry, INCLUDE_CURRENT, say_troubles, with_place};
use library::{
    Author, Blame, Change, FileHistory, FileLocations, FilePattern, Progress as _, Session, State,
};
use std::collections::{HashMap, HashSet};
use std::path::Path;

pub(crate) const NAME: &str = "file_history";

/// What the prompt that led to a change may take, and its diff.
const PROMPT: usize = 120;
const DIFF: usize = 600;

pub(crate) fn run(desk: &Desk<'_>, arguments: &Arguments) -> Outcome {
    let path = arguments.needed("path")?;
    if path.contains('\0') {
        return Err(Complaint::new("path holds a NUL byte"));
    }
    let filter = desk.filter(arguments)?;
    let (sessions, mut troubles) = desk.sessions(arguments.flag(INCLUDE_CURRENT));
    let here = desk.settings.here.as_path();
    let around = here.join(path);
    let folders: Vec<&Path> = [Some(here), around.parent()].into_iter().flatten().collect();
    let places = desk.library.files().locations(&[], &folders);
    let wanted = places.wanted(path, here);
    let all: Vec<&Session> = sessions.iter().collect();
    let hurry = desk.hurry();
    let (history, unread) = desk.library.files().history(&all, &filter, &places, &wanted, &hurry);
    troubles.extend(unread);
    let FileHistory { files, mut changes, others } = history;
    if changes.is_empty() {
        return nothing(desk, arguments, &others, &hurry);
    }
    if !arguments.flag("include_reads") {
        changes.retain(|change| change.touch.is_change());
    }
    // The newest first: what holds today is asked for most.
    changes.reverse();
    let touching: HashSet<&str> =
        changes.iter().map(|change| change.touch.session_id.as_str()).collect();
    let touching: Vec<&Session> =
        all.into_iter().filter(|session| touching.contains(session.id.as_str())).collect();
    let told = Told {
        desk,
        arguments,
        sessions: touching.iter().map(|session| (session.id.as_str(), *session)).collect(),
        standing: Standing::find(desk, &touching, &places, &wanted, files.len() == 1, &hurry),
        hurry: &hurry,
    };
    let mut answer = desk.answer(arguments)?;
    for file in files.iter().take(5) {
        let heading = Heading::default()
            .with("role", "path".to_owned())
            .with("changes", file.changes.to_string())
            .with("reads", file.reads.to_string())
            .with("last_change", desk.when(file.last_change));
        let path = answer.body(&file.path);
        answer.quote(&heading, &beginning(&path, 60).0);
    }
    told.standing.say(&mut answer);
    hurry.say(&mut answer);
    say_troubles(&mut answer, &troubles);
    told.changes(answer, &changes)
}

fn nothing(desk: &Desk<'_>, arguments: &Arguments, others: &[String], hurry: &Hurry) -> Outcome {
    let mut answer = desk.answer(arguments)?;
    answer.say("No session that can be seen here read or changed that file.");
    hurry.say(&mut answer);
    if !others.is_empty() {
        let others = others.iter().take(10).map(|path| answer.word(path));
        let others: Vec<String> = others.collect();
        answer.say("Files of that name:");
        answer.quote(&Heading::default().with("role", "path".to_owned()), &others.join("\n"));
    }
    Ok(answer.finish(&[]))
}

struct Told<'t> {
    desk: &'t Desk<'t>,
    arguments: &'t Arguments,
    sessions: HashMap<&'t str, &'t Session>,
    standing: Standing,
    hurry: &'t Hurry,
}

impl Told<'_> {
    fn changes(&self, mut answer: Answer, changes: &[Change]) -> Outcome {
        let mut first = 0;
        if let Some(text) = self.arguments.text(CURSOR.name) {
            let [last] = cursor::open::<1>(NAME, text)?;
            let place = changes.iter().position(|change| key(change) == last);
            first = 1 + place.ok_or_else(|| {
                Complaint::new(
                    "the change that the cursor names is not there: begin again without it",
                )
            })?;
        }
        let mut states = HashMap::new();
        let mut told = 0;
        for change in &changes[first..] {
            let session = self.sessions.get(change.touch.session_id.as_str()).copied();
            let body = self.body(&answer, change);
            // A whole session is read to learn what became of a call: not for one that
            // is not told, and not when time is up.
            let widest = self.heading(change, session, Some(State::Compacted.name()));
            if told > 0 && !answer.has_room(&widest, &body) {
                break;
            }
            let own = session.filter(|_| !self.hurry.is_late()).map(|session| {
                states
                    .entry(session.id.as_str())
                    .or_insert_with(|| self.desk.library.search().call_states(session))
            });
            let id = change.touch.tool_use_id.as_deref();
            let state = own.zip(id).and_then(|(own, id)| own.get(id)).map(|state| state.name());
            let heading = self.heading(change, session, state);
            if !answer.quote_next(&heading, &body, told == 0) {
                break;
            }
            told += 1;
        }
        let mut ending = Vec::new();
        let left = changes.len() - first - told;
        if let Some(last) = (first + told).checked_sub(1).and_then(|last| changes.get(last))
            && left > 0
        {
            let next = cursor::seal(NAME, &[&key(last)]);
            ending.push(format!("{left} earlier: {}", self.arguments.next(NAME, None, &next)));
        }
        if !self.arguments.flag("include_tool_results") {
            ending.push("Diffs are left out: include_tool_results.".to_owned());
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
            Some(session) => desk::heading(session),
            None => Heading::default().with("session", touch.session_id.clone()),
        };
        let lines = touch.is_change().then(|| format!("+{} -{}", touch.added, touch.removed));
        let heading = heading
            .with("agent", touch.agent_id.clone())
            .with("role", "tool_use".to_owned())
            .within("tool", touch.tool.clone(), 12)
            .with("call", touch.tool_use_id.clone())
            .with("at", self.desk.when(touch.time))
            .with("state", state.map(str::to_owned))
            .with("operation", touch.operation.name().to_owned())
            .with("lines", lines)
            .with("still_there", self.standing.of(change));
        match session {
            Some(session) => with_place(heading, session),
            None => heading,
        }
    }

    fn body(&self, answer: &Answer, change: &Change) -> String {
        let mut parts = Vec::new();
        match &change.touch.prompt {
            Some(prompt) => {
                let text = answer.body(&prompt.text);
                parts.push(format!("prompt: {}", beginning(text.trim(), PROMPT).0));
            }
            None => parts.push("(the prompt that led to it is not known)".to_owned()),
        }
        let diff = change.diff.as_ref().filter(|_| self.arguments.flag("include_tool_results"));
        if let Some(diff) = diff {
            let text = answer.body(&diff.text);
            parts.push(beginning(&text, DIFF).0.into_owned());
        }
        parts.join("\n")
    }
}

/// What tells a change from others.
fn key(change: &Change) -> String {
    let touch = &change.touch;
    let call = touch.tool_use_id.clone().unwrap_or_default();
    cursor::short(&format!("{}:{}:{call}", touch.session_id, touch.line))
}

/// What of the recorded changes stands in the file today.
struct Standing {
    /// How many lines of each call stand, by its id; unknown without the file.
    lines: Option<HashMap<String, usize>>,
    /// What is said of the file.
    text: String,
}

impl Standing {
    /// Only the very file that was named is read, and none of it is told.
    fn find(
        desk: &Desk<'_>,
        sessions: &[&Session],
        places: &FileLocations,
        wanted: &FilePattern,
        is_one: bool,
        hurry: &Hurry,
    ) -> Standing {
        let unknown = |text: &str| Standing { lines: None, text: text.to_owned() };
        if !is_one {
            return unknown("Several files end so: name one to learn what still stands.");
        }
        let today = match library::content_today(Path::new(wanted.name())) {
            Ok(today) => today,
            Err(reason) => return unknown(&format!("Today's content is not known: it {reason}.")),
        };
        let (blame, _) = desk.library.files().blame(sessions, places, wanted, &today, hurry);
        if hurry.left_out() > 0 {
            return unknown("What still stands is not known: there was no time to tell.");
        }
        let Blame { lines: authors, changes, .. } = blame;
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
            (_, 0) => "none of its lines can be explained".to_owned(),
            (recorded, all) if recorded + before == all => {
                "it matches what the sessions left".to_owned()
            }
            (recorded, all) => {
                format!("it was changed since: {} lines are nobody's here", all - recorded - before)
            }
        };
        let text = format!(
            "Today the file has {}: {recorded} written by these sessions, {before} from before; {verdict}.",
            render::counted(all, "line")
        );
        Standing { lines: Some(lines), text }
    }

    fn say(&self, answer: &mut Answer) {
        answer.say(&self.text);
    }

    fn of(&self, change: &Change) -> Option<String> {
        let touch = &change.touch;
        let lines = self.lines.as_ref().filter(|_| touch.is_change() && touch.added > 0)?;
        let standing = touch.tool_use_id.as_ref().and_then(|id| lines.get(id)).copied();
        let standing = u64::try_from(standing.unwrap_or_default()).unwrap_or(u64::MAX);
        Some(format!("{} of {} lines", standing.min(touch.added), touch.added))
    }
}
