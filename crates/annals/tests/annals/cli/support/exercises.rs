//! Every command with the calls that exercise it, and the lists of calls that tests
//! derive from that.
//!
//! The rows are in `exercise_table`. Which commands there are is never written down
//! here: `program_commands` asks the program, and `safety::exercise_table` fails
//! when a command has no row.

use super::exercise_table::EXERCISES;
use super::run::annals;
use testkit::Sandbox;

/// The placeholder for a session in the calls of the table.
pub(crate) const SESSION: &str = "{session}";

/// The placeholder for a folder outside the store in the calls of the table.
pub(crate) const FOLDER: &str = "{folder}";

/// The options that select an output format other than text.
const FORMATS: [&str; 3] = ["--json", "--jsonl", "--csv"];

/// The arguments of one call of the program.
pub(crate) type Call = &'static [&'static str];

/// One command, and the calls that exercise it.
pub(crate) struct Exercise {
    /// The command as it is typed, `archive sync`; empty for `annals` alone.
    pub(crate) command: &'static str,
    /// The output formats other than text.
    pub(crate) formats: Formats,
    /// Whether its calls answer the same once the transcripts are only in the archive.
    pub(crate) answers_from_archive: bool,
    /// Calls that succeed on the full store and write nothing anywhere.
    pub(crate) reading: &'static [Call],
    /// Calls that write to annals' home, or read what an earlier call of the table
    /// wrote there. They leave the store unchanged.
    pub(crate) writing_home: &'static [Call],
    /// Calls that change the store.
    pub(crate) writing_store: &'static [Call],
    /// Calls that run until they are stopped.
    pub(crate) waiting: &'static [Call],
    /// Calls that fail on the full store and write nothing anywhere.
    pub(crate) refused: &'static [Call],
    /// Calls that print coloured text about the demo.
    pub(crate) on_demo: &'static [Call],
}

impl Exercise {
    /// A command without calls: rows of the table start from it.
    pub(crate) const EMPTY: Exercise = Exercise {
        command: "",
        formats: Formats::OneForm,
        answers_from_archive: false,
        reading: &[],
        writing_home: &[],
        writing_store: &[],
        waiting: &[],
        refused: &[],
        on_demo: &[],
    };

    /// All its calls, refused ones included.
    pub(crate) fn calls(&self) -> impl Iterator<Item = Call> {
        let lists = [
            self.reading,
            self.writing_home,
            self.writing_store,
            self.waiting,
            self.refused,
            self.on_demo,
        ];
        lists.into_iter().flatten().copied()
    }

    /// The simplest call of the command.
    fn plainest(&self) -> Option<Call> {
        let lists = [self.reading, self.writing_home, self.writing_store, self.waiting];
        lists.into_iter().flatten().copied().next()
    }
}

/// The output formats of a command other than text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Formats {
    /// `--json`, `--jsonl` and `--csv`.
    Rows,
    /// `--json` and `--jsonl`; `--csv` is refused.
    Lines,
    /// `--json`; `--jsonl` and `--csv` are refused.
    Document,
    /// The output has one form; these options are refused.
    OneForm,
}

/// The commands of the program, as its generated reference lists them.
pub(crate) fn program_commands() -> Vec<String> {
    let reference = annals(&Sandbox::new(), &["reference"]).done().out;
    let headings = reference.lines().filter(|line| line.starts_with("##"));
    let names = headings.filter_map(|line| line.trim_start_matches('#').strip_prefix(" annals "));
    names.map(str::to_owned).collect()
}

/// A call with a session in place of `SESSION`.
pub(crate) fn with_session<'a>(call: &[&'a str], session: &'a str) -> Vec<&'a str> {
    call.iter().map(|word| if *word == SESSION { session } else { word }).collect()
}

/// A call with a folder in place of `FOLDER`.
pub(crate) fn with_folder<'a>(call: &[&'a str], folder: &'a str) -> Vec<&'a str> {
    call.iter().map(|word| if *word == FOLDER { folder } else { word }).collect()
}

/// The calls that succeed and write nothing.
pub(crate) fn reading_calls(session: &str) -> Vec<Vec<&str>> {
    each(|row| row.reading, session)
}

/// The calls that fail and write nothing.
pub(crate) fn refused_calls(session: &str) -> Vec<Vec<&str>> {
    each(|row| row.refused, session)
}

/// The calls that write to annals' home and nowhere else. They build on each other
/// and must run in this order.
pub(crate) fn home_writing_calls(session: &str) -> Vec<Vec<&str>> {
    each(|row| row.writing_home, session)
}

/// The calls that run until they are stopped.
pub(crate) fn waiting_calls(session: &str) -> Vec<Vec<&str>> {
    each(|row| row.waiting, session)
}

/// The calls that print coloured text about the demo.
pub(crate) fn demo_calls() -> Vec<Vec<&'static str>> {
    each(|row| row.on_demo, SESSION)
}

/// The calls that succeed, leave the store unchanged and print text for people.
/// Exports are for files and other programs.
pub(crate) fn text_calls(session: &str) -> Vec<Vec<&str>> {
    let mut calls = [reading_calls(session), home_writing_calls(session)].concat();
    calls.retain(|call| is_text(call) && !call.starts_with(&["export"]));
    calls
}

/// Those of `text_calls` that are about this session and coloured.
pub(crate) fn coloured_text_calls(session: &str) -> Vec<Vec<&str>> {
    let mut calls = each(|row| if row.on_demo.is_empty() { &[] } else { row.reading }, session);
    calls.retain(|call| is_text(call) && call.contains(&session));
    calls
}

/// The calls that answer the same from the archive.
pub(crate) fn calls_from_archive(session: &str) -> Vec<Vec<&str>> {
    each(|row| if row.answers_from_archive { row.reading } else { &[] }, session)
}

/// For every command that takes a session: one call with this one.
pub(crate) fn calls_about_session(session: &str) -> Vec<Vec<&str>> {
    let takes_session = |row: &&Exercise| {
        [row.reading, row.writing_home, row.writing_store, row.waiting]
            .into_iter()
            .flatten()
            .find(|call| call.contains(&SESSION))
    };
    let calls = EXERCISES.iter().filter_map(|row| takes_session(&row));
    calls.map(|call| with_session(call, session)).collect()
}

/// One call of every command that ends by itself and writes nothing.
pub(crate) fn plainest_reading_calls(session: &str) -> Vec<Vec<&str>> {
    each(|row| row.reading.get(..1).unwrap_or_default(), session)
}

/// One call of every command that ends by itself, leaves the store unchanged and is not refused, in
/// an order in which later ones find what earlier ones wrote to annals' home.
pub(crate) fn plainest_ending_calls(session: &str) -> Vec<Vec<&str>> {
    let plainest = |row: &'static Exercise| row.reading.iter().chain(row.writing_home).next();
    let calls = EXERCISES.iter().filter_map(plainest);
    calls.map(|call| with_session(call, session)).collect()
}

/// The simplest call of every command.
pub(crate) fn plainest_calls(session: &str) -> Vec<Vec<&str>> {
    let calls = EXERCISES.iter().filter_map(Exercise::plainest);
    calls.map(|call| with_session(call, session)).collect()
}

/// One call of every command with these output formats, without such an option.
pub(crate) fn calls_with_formats(formats: Formats, session: &str) -> Vec<Vec<&str>> {
    let rows = EXERCISES.iter().filter(|row| row.formats == formats);
    let calls = rows.filter_map(Exercise::plainest).map(|call| with_session(call, session));
    calls.map(|call| call.into_iter().filter(|word| !FORMATS.contains(word)).collect()).collect()
}

/// The calls on the demo of every command with these output formats.
pub(crate) fn demo_calls_with_formats(formats: Formats) -> Vec<Vec<&'static str>> {
    let mut calls = each(|row| if row.formats == formats { row.on_demo } else { &[] }, SESSION);
    // An explanation is one document whatever its command has.
    calls.retain(|call| !call.contains(&"--explain"));
    calls
}

fn each(calls: impl Fn(&Exercise) -> &'static [Call], session: &str) -> Vec<Vec<&str>> {
    EXERCISES.iter().flat_map(calls).map(|call| with_session(call, session)).collect()
}

/// Whether a call asks for text, and not for data or the transcript itself.
fn is_text(call: &[&str]) -> bool {
    !FORMATS.iter().chain(&["--raw"]).any(|format| call.contains(format))
}
