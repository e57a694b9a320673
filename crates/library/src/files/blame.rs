//! Who wrote each line of a file as it is today.
//!
//! The recorded changes are replayed in order, and each line keeps its author
//! for as long as it stays. If the app recorded the content before a change and
//! that differs from the replayed content, something else changed the file: the
//! differing lines have no known author from there on. At the end, the result
//! is compared with today's file in the same way. Nothing is guessed.
//!
//! Some edits are recorded without the file around them. If they do not fit the
//! known content, the lines they wrote are remembered as an island
//! ([`Island`]), and count as lines of the file if they occur in it exactly
//! once.

use crate::files::locations::{FileLocations, FilePattern, last};
use crate::files::recorded_content::{Edit, Hunk, Recorded, apply, flat, plain};
use crate::files::{Copied, Touch, TouchOfCall, TouchedFiles, once, touches_of};
use crate::lines::ReadError;
use crate::progress::Progress;
use crate::session::Session;
use conversation::{MatchedLines, matched_lines};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Who wrote a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// A change: an index into [`Blame::changes`].
    Change(usize),
    /// Unknown: the line existed before the first record.
    Before,
    /// Unknown: the line was written between or after the records, or at an
    /// unknown time.
    Elsewhere,
}

impl Author {
    fn is_explained(self) -> bool {
        matches!(self, Author::Change(_))
    }
}

/// Who wrote the lines of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blame {
    /// The lines of today's file, each with its author.
    pub lines: Vec<(String, Author)>,
    /// The changes, in the order they were made.
    pub changes: Vec<Touch>,
    /// Other files of the same name that sessions changed.
    pub others: Vec<String>,
    /// Whether too many lines changed at once to compare all of them: lines
    /// without an author may have one.
    pub is_coarse: bool,
}

struct Step {
    touch: Touch,
    recorded: Recorded,
}

impl Copied for Step {
    type CallId = (String, usize);

    fn call_id(&self) -> Option<(String, usize)> {
        self.touch.call_id()
    }

    fn is_copy(&self) -> bool {
        self.touch.is_copy()
    }
}

impl TouchedFiles {
    /// Who wrote the lines of a file, given its present content.
    pub fn blame(
        &self,
        sessions: &[&Session],
        places: &FileLocations,
        wanted: &FilePattern,
        today: &str,
        progress: &dyn Progress,
    ) -> (Blame, Vec<ReadError>) {
        let names = places.names(wanted);
        let (found, read_errors) =
            self.prompted_calls(sessions, Some(&names), progress, |session, prompted_calls| {
                let steps = touches_of(session, prompted_calls, places, |path| {
                    last(path).is_some_and(|name| names.iter().any(|own| own == name))
                });
                let steps = steps.filter(|of| of.touch.is_change()).map(
                    |TouchOfCall { touch, prompted, .. }| {
                        let recorded = Recorded::of(prompted.call, &touch.recorded_path);
                        Step { touch, recorded }
                    },
                );
                steps.collect::<Vec<_>>()
            });
        let mut steps = once(found.into_iter().flatten().collect::<Vec<Step>>());
        let is_meant = |step: &Step| wanted.is_exactly(&step.touch.path);
        let others: BTreeSet<String> = steps
            .iter()
            .filter(|step| !is_meant(step))
            .map(|step| step.touch.path.clone())
            .collect();
        steps.retain(is_meant);
        steps.sort_by_key(|step| step.touch.time);
        // Recorded content is masked if masking is on, so today's must be too.
        let today = self.redaction.masking_of_all(sessions).text(today.to_owned());
        let recorded = steps.iter().map(|step| &step.recorded);
        let Authors { lines, is_coarse } = authors(recorded, &plain(&today));
        let changes = steps.into_iter().map(|step| step.touch).collect();
        (Blame { lines, changes, others: others.into_iter().collect(), is_coarse }, read_errors)
    }
}

/// The lines of a text, each with its author.
#[derive(Default)]
struct Authors {
    lines: Vec<(String, Author)>,
    is_coarse: bool,
}

fn authors<'r>(steps: impl Iterator<Item = &'r Recorded>, today: &str) -> Authors {
    let mut replay = Replay::default();
    for (number, recorded) in steps.enumerate() {
        replay.step(number, recorded);
        replay.is_begun = true;
    }
    replay.meet(today);
    let Some(known) = replay.known else { return Authors::default() };
    let lines = lines_of(&known.text).map(str::to_owned).zip(known.authors).collect();
    Authors { lines, is_coarse: known.is_coarse }
}

/// The lines of a text. Text after the last newline is a line too.
fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let whole = text.strip_suffix('\n').unwrap_or(text);
    whole.split('\n').take(if text.is_empty() { 0 } else { usize::MAX })
}

/// A content, with the authors of its lines.
#[derive(Clone, Debug)]
struct KnownContent {
    text: String,
    /// For each line of the text.
    authors: Vec<Author>,
    /// Whether a change before was too large to compare all of its lines.
    is_coarse: bool,
}

impl KnownContent {
    fn new(text: String, author: Author) -> Self {
        let authors = vec![author; lines_of(&text).count()];
        KnownContent { text, authors, is_coarse: false }
    }

    /// The content after a change: unchanged lines keep their authors.
    fn after(&self, text: String, author: Author) -> KnownContent {
        let old: Vec<&str> = lines_of(&self.text).collect();
        let new: Vec<&str> = lines_of(&text).collect();
        let MatchedLines { lines, is_coarse } = matched_lines(&old, &new);
        let authors = lines.into_iter().map(|at| at.map_or(author, |at| self.authors[at]));
        let is_coarse = is_coarse || self.is_coarse;
        KnownContent { authors: authors.collect(), is_coarse, text }
    }
}

/// Consecutive lines from a patch, in a file whose other lines are unknown.
type Island = KnownContent;

/// The number of islands to remember; the oldest are dropped first.
const MOST_ISLANDS: usize = 256;

/// The number of line comparisons to spend on finding islands.
const MOST_COMPARED: usize = 20_000_000;

#[derive(Default)]
struct Replay {
    known: Option<KnownContent>,
    /// The newest last.
    islands: Vec<Island>,
    /// Whether a change was replayed: content first seen afterwards may be of
    /// any age.
    is_begun: bool,
}

impl Replay {
    fn step(&mut self, number: usize, recorded: &Recorded) {
        let own = Author::Change(number);
        match recorded {
            Recorded::Whole { before, after, hunks } => {
                if let Some(before) = before {
                    self.meet(before);
                } else if let Some(new) = new_lines(after, hunks) {
                    self.meet(after);
                    self.mark(new, own);
                    return;
                }
                let known = self.known.take();
                let text = after.clone();
                self.known = Some(match known {
                    Some(known) => known.after(text, own),
                    None => KnownContent::new(text, own),
                });
                self.islands.clear();
            }
            Recorded::Edits { before, edits, hunks } => {
                if let Some(before) = before {
                    self.meet(before);
                }
                if !self.edit_islands(edits, own) && !self.edit_known(edits, own) {
                    self.add_islands(hunks, own);
                }
            }
            Recorded::Patch { after, hunks } => {
                let new = after.as_ref().and_then(|after| Some((after, new_lines(after, hunks)?)));
                if let Some((after, new)) = new {
                    self.meet(after);
                    self.mark(new, own);
                    return;
                }
                if !self.patch_known(hunks, own) {
                    self.add_islands(hunks, own);
                }
                if let Some(after) = after {
                    self.meet(after);
                }
            }
            Recorded::Unknown => *self = Replay::default(),
        }
    }

    /// Replaces the replayed content by the recorded content of the file.
    fn meet(&mut self, text: &str) {
        let mut known = match self.known.take() {
            Some(known) if known.text == text => known,
            Some(known) => known.after(text.to_owned(), Author::Elsewhere),
            None if self.is_begun => KnownContent::new(text.to_owned(), Author::Elsewhere),
            None => KnownContent::new(text.to_owned(), Author::Before),
        };
        let flat = flat(text);
        let lines: Vec<&str> = lines_of(&flat).collect();
        let mut compared = 0;
        // A newer island takes precedence.
        for island in self.islands.drain(..).rev() {
            let own: Vec<&str> = lines_of(&island.text).collect();
            let Some(start) = only_place(&own, &lines, &mut compared) else { continue };
            for (place, author) in known.authors.iter_mut().skip(start).zip(island.authors) {
                if author.is_explained() && !place.is_explained() {
                    *place = author;
                }
            }
        }
        self.known = Some(known);
    }

    /// Notes the author of the new lines of the known content.
    fn mark(&mut self, new: Vec<bool>, own: Author) {
        let known = self.known.as_mut().into_iter().flat_map(|known| &mut known.authors);
        known.zip(new).filter(|(_, is_new)| *is_new).for_each(|(author, _)| *author = own);
    }

    /// Applies a patch to the known content, if it is clear where each hunk belongs.
    fn patch_known(&mut self, hunks: &[Hunk], own: Author) -> bool {
        let Some(known) = &self.known else { return false };
        let Some(patched) = patched(known, hunks, own) else { return false };
        self.known = Some(patched);
        true
    }

    fn edit_known(&mut self, edits: &[Edit], own: Author) -> bool {
        let Some(known) = &self.known else { return false };
        let Some(text) = apply(known.text.clone(), edits) else { return false };
        self.known = Some(known.after(text, own));
        true
    }

    /// Applies edits to the one island they fit.
    fn edit_islands(&mut self, edits: &[Edit], own: Author) -> bool {
        if self.islands.is_empty() || edits.iter().any(|edit| edit.everywhere) {
            return false;
        }
        let edits: Vec<Edit> = edits
            .iter()
            .map(|edit| Edit {
                old: flat(&edit.old).into_owned(),
                new: flat(&edit.new).into_owned(),
                everywhere: false,
            })
            .collect();
        let mut fitting = self.islands.iter_mut().rev().filter_map(|island| {
            let text = apply(island.text.clone(), &edits)?;
            Some((island, text))
        });
        let Some((island, text)) = fitting.next() else { return false };
        *island = island.after(text, own);
        true
    }

    fn add_islands(&mut self, hunks: &[Hunk], own: Author) {
        for hunk in hunks {
            let (authors, lines): (Vec<Author>, Vec<Cow<'_, str>>) = hunk
                .after()
                .map(|(is_new, line)| (if is_new { own } else { Author::Elsewhere }, flat(line)))
                .unzip();
            if authors.iter().any(|author| author.is_explained()) {
                let text = lines.join("\n") + "\n";
                self.islands.push(KnownContent { text, authors, is_coarse: false });
            }
        }
        let surplus = self.islands.len().saturating_sub(MOST_ISLANDS);
        self.islands.drain(..surplus);
    }
}

/// Which lines of a content a patch added, if the patch fits it.
fn new_lines(after: &str, hunks: &[Hunk]) -> Option<Vec<bool>> {
    if hunks.is_empty() {
        return None;
    }
    let flat_text = flat(after);
    let lines: Vec<&str> = lines_of(&flat_text).collect();
    let mut new = vec![false; lines.len()];
    for hunk in hunks {
        let start = hunk.new_start.checked_sub(1)?;
        for (offset, (is_new, line)) in hunk.after().enumerate() {
            let at = start.checked_add(offset)?;
            if *lines.get(at)? != flat(line) {
                return None;
            }
            new[at] |= is_new;
        }
    }
    Some(new)
}

/// A content after a patch: each hunk replaces lines that are where the hunk says, or that
/// occur only once after the hunk before it.
fn patched(known: &KnownContent, hunks: &[Hunk], own: Author) -> Option<KnownContent> {
    let old = lines_of(&known.text).zip(known.authors.iter().copied());
    let mut lines: Vec<(&str, Author)> = old.collect();
    let (mut end, mut compared) = (0, 0);
    for hunk in hunks {
        let before: Vec<&str> = hunk.before().collect();
        let texts: Vec<&str> = lines.iter().skip(end).map(|(line, _)| *line).collect();
        let recorded = hunk.new_start.checked_sub(1).and_then(|start| start.checked_sub(end));
        let recorded =
            recorded.filter(|at| texts.get(*at..).is_some_and(|it| it.starts_with(&before)));
        let start = match recorded {
            Some(start) => start,
            None if before.is_empty() => return None,
            None => only_place(&before, &texts, &mut compared)?,
        };
        let start = end + start;
        let mut kept = start;
        let mut after = Vec::new();
        for (mark, line) in hunk.marked() {
            match mark {
                '+' => after.push((line, own)),
                ' ' => after.push((line, lines.get(kept)?.1)),
                _ => {}
            }
            kept += usize::from(mark != '+');
        }
        end = start + after.len();
        lines.splice(start..kept, after);
    }
    let (texts, authors): (Vec<&str>, Vec<Author>) = lines.into_iter().unzip();
    let has_end = known.text.is_empty() || known.text.ends_with('\n');
    let mut text = texts.join("\n");
    if has_end && !texts.is_empty() {
        text.push('\n');
    }
    Some(KnownContent { text, authors, is_coarse: known.is_coarse })
}

/// Where some lines occur in others, if they occur exactly once.
fn only_place(own: &[&str], lines: &[&str], compared: &mut usize) -> Option<usize> {
    let mut found = None;
    for (start, window) in lines.windows(own.len().max(1)).enumerate() {
        let same = own.iter().zip(window).take_while(|(one, two)| one == two).count();
        *compared += same + 1;
        if *compared > MOST_COMPARED {
            return None;
        }
        if same == own.len() && found.replace(start).is_some() {
            return None;
        }
    }
    found
}

#[cfg(test)]
mod tests;
