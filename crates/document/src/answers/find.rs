//! Find in a session: a text in everything that it shows.

use super::thread::{Thread, ThreadPart};
use crate::{Document as _, FindDocument, FindHitDocument, Keyword};
use conversation::{Step, StepKind, Turn, View};
use library::sessions::{OpenSession, SelectionError};
use std::ops::Range;

/// The most hits of an answer, and of one text in it.
const MOST_HITS: usize = 300;
const MOST_OF_TEXT: usize = 20;

/// How much text around a hit, in bytes.
const AROUND: usize = 60;

/// What to find.
#[derive(Clone, Copy, Debug)]
pub struct FindOptions<'o> {
    /// The text.
    pub query: &'o str,
    /// Whether letters must have the same case.
    pub is_case_sensitive: bool,
    /// The rules by which the conversation is read.
    pub view: View,
    /// Only in this sub-agent's conversation.
    pub agent: Option<&'o str>,
}

/// Where a text occurs in an open session.
pub fn find(
    session: &OpenSession,
    options: &FindOptions<'_>,
) -> Result<FindDocument, SelectionError> {
    let mut finder = Finder {
        needle: Needle::new(options.query, options.is_case_sensitive),
        total: 0,
        hits: Vec::new(),
    };
    if options.query.is_empty() {
        // Nothing is looked for.
    } else if let Some(agent) = options.agent {
        let thread = Thread::new(session, &ThreadPart::Main, Some(agent), options.view)?;
        finder.thread(&thread, &format!("agent:{agent}"));
    } else {
        let main = Thread::new(session, &ThreadPart::Main, None, options.view)?;
        finder.thread(&main, "main");
        for placed in main.annotations.into_iter().flat_map(|placed| &placed.branches) {
            let part = ThreadPart::Branch(placed.number);
            let branch = Thread::new(session, &part, None, options.view)?;
            finder.thread(&branch, &format!("b{}", placed.number));
        }
        for placed in main.annotations.into_iter().flat_map(|placed| &placed.orphans) {
            let number = placed.number;
            let orphan = Thread::new(session, &ThreadPart::Orphan(number), None, options.view)?;
            finder.thread(&orphan, &format!("o{number}"));
        }
        if session.found().inline_agent.is_none() {
            for agent in &session.agents().agents {
                // What cannot be read is not shown either.
                if let Ok(conversation) = session.agent_conversation(agent, options.view) {
                    let thread = Thread::of_conversation(&conversation);
                    finder.thread(&thread, &format!("agent:{}", agent.id));
                }
            }
        }
    }
    Ok(FindDocument {
        schema: FindDocument::SCHEMA.into(),
        session_id: session.found().session.id.clone(),
        query: options.query.to_owned(),
        total: finder.total,
        truncated: finder.total > finder.hits.len(),
        hits: finder.hits,
    })
}

struct Finder {
    needle: Needle,
    total: usize,
    hits: Vec<FindHitDocument>,
}

/// Where a text stands.
struct Place<'p> {
    part: &'p str,
    turn: String,
    uuid: &'p str,
    kind: &'static str,
    tool: Option<&'p str>,
}

impl Finder {
    fn thread(&mut self, thread: &Thread<'_>, part: &str) {
        for turn in &thread.turns.turns {
            for step in &turn.steps {
                self.step(thread, turn, step, part);
            }
        }
    }

    fn step(&mut self, thread: &Thread<'_>, turn: &Turn<'_>, step: &Step<'_>, part: &str) {
        let uuid = &*thread.conversation.graph.node(step.node).uuid;
        let place = |kind, tool| Place { part, turn: turn.number.to_string(), uuid, kind, tool };
        match &step.kind {
            StepKind::Prompt { text, .. } => self.text(text, || place("prompt", None)),
            StepKind::Text(text) => self.text(text, || place("text", None)),
            StepKind::Thinking(text) => self.text(text, || place("thinking", None)),
            StepKind::Summary(text) => self.text(text, || place("note", None)),
            StepKind::ApiError(text) | StepKind::Notice(_, text) => {
                self.text(text, || place("note", None));
            }
            StepKind::UnmatchedResult { content, .. } => {
                let text = content.as_ref().map(transcript::Content::text).unwrap_or_default();
                self.text(&text, || place("result", None));
            }
            StepKind::Call(number) => {
                let Some(call) = thread.turns.calls.get(*number) else { return };
                let tool = Some(&*call.tool);
                if let Some(input) = &call.input {
                    transcript::json::string_values(input.as_str(), |text| {
                        self.text(&text, || place("call", tool));
                    });
                }
                if let Some(answer) = &call.answer {
                    self.text(&answer.text(), || place("result", tool));
                }
            }
            StepKind::Image(_)
            | StepKind::Document { .. }
            | StepKind::Compaction { .. }
            | StepKind::Interruption => {}
        }
    }

    fn text<'p>(&mut self, text: &str, place: impl Fn() -> Place<'p>) {
        let mut count = 0;
        self.needle.each(text, |found| {
            count += 1;
            if count > MOST_OF_TEXT || self.hits.len() >= MOST_HITS {
                return;
            }
            let place = place();
            self.hits.push(FindHitDocument {
                turn: place.turn,
                part: place.part.to_owned(),
                uuid: place.uuid.to_owned(),
                kind: Keyword::from(place.kind),
                tool: place.tool.map(|tool| render::cut(tool, Some(80))),
                before: before(text, found.start),
                found: text.get(found.clone()).unwrap_or_default().to_owned(),
                after: after(text, found.end),
            });
        });
        self.total += count;
    }
}

/// The text before a place, on one line.
fn before(text: &str, end: usize) -> String {
    let start = text.ceil_char_boundary(end.saturating_sub(AROUND));
    let line = one_line(text.get(start..end).unwrap_or_default());
    if start > 0 { format!("…{line}") } else { line }
}

/// The text after a place, on one line.
fn after(text: &str, start: usize) -> String {
    let end = text.floor_char_boundary(start.saturating_add(AROUND).min(text.len()));
    let line = one_line(text.get(start..end).unwrap_or_default());
    if end < text.len() { format!("{line}…") } else { line }
}

/// White space as single spaces.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for sign in text.chars() {
        let sign = if sign.is_whitespace() { ' ' } else { sign };
        if sign != ' ' || !line.ends_with(' ') {
            line.push(sign);
        }
    }
    line
}

/// A text to look for.
enum Needle {
    Exact(String),
    /// Letters of ASCII, in lower case.
    Ascii(Vec<u8>),
    /// Any text, in lower case.
    Lower(String),
}

impl Needle {
    fn new(text: &str, is_case_sensitive: bool) -> Self {
        if is_case_sensitive {
            Needle::Exact(text.to_owned())
        } else if text.is_ascii() {
            Needle::Ascii(text.to_ascii_lowercase().into_bytes())
        } else {
            Needle::Lower(text.to_lowercase())
        }
    }

    /// Passes each occurrence in a text, as a range of its bytes; none overlaps another.
    fn each(&self, text: &str, mut each: impl FnMut(Range<usize>)) {
        match self {
            Needle::Exact(needle) => {
                for (start, found) in text.match_indices(needle.as_str()) {
                    each(start..start + found.len());
                }
            }
            Needle::Ascii(needle) => {
                let Some(first) = needle.first() else { return };
                let bytes = text.as_bytes();
                let mut at = 0;
                while let Some(rest) = bytes.get(at..) {
                    let is_first = |byte: &u8| byte.eq_ignore_ascii_case(first);
                    let Some(next) = rest.iter().position(is_first) else { break };
                    let start = at + next;
                    let end = start + needle.len();
                    let is_here =
                        bytes.get(start..end).is_some_and(|own| own.eq_ignore_ascii_case(needle));
                    if is_here {
                        each(start..end);
                    }
                    at = if is_here { end } else { start + 1 };
                }
            }
            Needle::Lower(needle) => {
                // The place of each byte of the lower case text in the text.
                let mut lower = String::with_capacity(text.len());
                let mut places = Vec::with_capacity(text.len());
                for (place, sign) in text.char_indices() {
                    let before = lower.len();
                    lower.extend(sign.to_lowercase());
                    places.extend(std::iter::repeat_n(
                        (place, place + sign.len_utf8()),
                        lower.len() - before,
                    ));
                }
                for (start, found) in lower.match_indices(needle.as_str()) {
                    let first = places.get(start).map(|(start, _)| *start);
                    let last = places.get(start + found.len() - 1).map(|(_, end)| *end);
                    if let (Some(start), Some(end)) = (first, last) {
                        each(start..end);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found<'t>(needle: &str, is_case_sensitive: bool, text: &'t str) -> Vec<&'t str> {
        let mut found = Vec::new();
        Needle::new(needle, is_case_sensitive).each(text, |range| found.push(&text[range]));
        found
    }

    #[test]
    fn texts_are_found_in_any_case_unless_it_matters() {
        assert_eq!(found("tide", false, "Tide TIDE tid tides"), ["Tide", "TIDE", "tide"]);
        assert_eq!(found("tide", true, "Tide tide"), ["tide"]);
        assert_eq!(found("éa", false, "ÉA éa Éa e"), ["ÉA", "éa", "Éa"]);
        assert_eq!(found("aa", false, "aAaa"), ["aA", "aa"]);
        assert_eq!(found("i̇", false, "İ"), ["İ"]);
        assert!(found("", false, "x").is_empty());
    }

    #[test]
    fn surroundings_are_cut_and_on_one_line() {
        let text = format!("{}\n\tb c {}", "é".repeat(60), "d".repeat(90));
        let at = text.find('b').unwrap();
        assert_eq!(before(&text, at), format!("…{} ", "é".repeat(29)));
        assert_eq!(after(&text, at + 1), format!(" c {}…", "d".repeat(57)));
        assert_eq!((before("ab", 1), after("ab", 1)), ("a".to_owned(), "b".to_owned()));
    }

    proptest! {
        #[test]
        fn every_text_is_found_in_itself(text in "\\PC{1,20}", around in "\\PC{0,20}") {
            let whole = format!("{around}{text}{around}");
            for is_case_sensitive in [false, true] {
                prop_assert!(!found(&text, is_case_sensitive, &whole).is_empty());
            }
        }
    }
}
