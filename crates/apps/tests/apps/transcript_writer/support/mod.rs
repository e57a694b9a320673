//! Reads transcripts back with the engine and compares them with the entries they come from.

use apps::transcript_writer::{SessionTranscript, SourceEntry, SourceSession, write_transcript};
use apps::{App, CallInput, EntryKind, EntryState, Header};
use conversation::{
    AgentFile, AgentNode, AgentScan, Conversation, Evidence, StepKind, Turns, View, link_agents,
};
use std::collections::{BTreeMap, HashSet};
use transcript::{Reason, RecordKind};
use usage::{Fold, UsageLine};

/// What a conversation shows, in order; results are compared separately.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shown {
    Prompt(String),
    Text(String),
    Thinking(String),
    Call(String, String),
    Attachment(String),
    Compaction,
    Summary(String),
    Interruption,
    Error(String),
    Notice(String),
}

/// Counts of one or more sessions, for reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) sessions: usize,
    pub(crate) prompts: usize,
    pub(crate) texts: usize,
    pub(crate) thinking: usize,
    pub(crate) calls: usize,
    pub(crate) results: usize,
    pub(crate) answered: usize,
    pub(crate) generations: usize,
    pub(crate) branches: usize,
    pub(crate) api_calls: usize,
    pub(crate) tokens: u64,
    pub(crate) bytes: usize,
    /// Changes of files by tools for changes, and by other tools.
    pub(crate) changes: (usize, usize),
    /// Sub-agents that calls started, and those that are linked to their calls.
    pub(crate) agents: (usize, usize),
}

fn is_live(entry: &SourceEntry<'_>) -> bool {
    matches!(entry.state, EntryState::Live | EntryState::Replayed)
}

fn plain_prompt(text: &str) -> String {
    let mut text = text;
    while let Some(rest) =
        text.strip_suffix("\n[image]").or_else(|| text.strip_suffix("\n[document]"))
    {
        text = rest;
    }
    text.to_owned()
}

/// The letters of a text without its tags.
fn letters(text: &str) -> String {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let mut letters = String::new();
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        letters.push_str(before);
        let name = tag.strip_prefix('/').unwrap_or(tag).trim_start_matches(is_name);
        rest = name.strip_prefix('>').unwrap_or(tag);
    }
    letters.push_str(rest);
    letters.retain(char::is_alphanumeric);
    letters
}

/// Whether a text has the letters of another one, in order. The engine shows the tags of a notice
/// as names.
fn has_letters(text: &str, of: &str) -> bool {
    let mut letters = text.chars();
    of.chars().all(|letter| letters.any(|other| other == letter))
}

fn is_same(found: &Shown, expected: &Shown) -> bool {
    match (found, expected) {
        (Shown::Notice(found), Shown::Notice(expected)) => has_letters(found, expected),
        _ => found == expected,
    }
}

fn title(kind: &str, bytes: u64) -> String {
    let kind = if kind.is_empty() { "attachment" } else { kind };
    match bytes {
        0 => kind.to_owned(),
        1 => format!("{kind}, 1 byte"),
        _ => format!("{kind}, {bytes} bytes"),
    }
}

/// What the conversation of some entries has to show.
fn expected<'e>(entries: impl Iterator<Item = &'e SourceEntry<'e>>) -> (Vec<Shown>, Vec<String>) {
    let (mut shown, mut results) = (Vec::new(), Vec::new());
    for entry in entries {
        match &entry.entry.kind {
            EntryKind::Prompt(text) => shown.push(Shown::Prompt(plain_prompt(text))),
            EntryKind::Text(text) if !text.trim().is_empty() => {
                shown.push(Shown::Text(text.clone()));
            }
            EntryKind::Thinking(text) => shown.push(Shown::Thinking(text.clone())),
            EntryKind::Call { tool, input, .. } => {
                let (CallInput::Json(input) | CallInput::Text(input)) = input;
                shown.push(Shown::Call(tool.clone(), letters(input)));
            }
            EntryKind::Result { text, .. } => results.push(text.clone()),
            EntryKind::Attachment { kind, bytes } => {
                shown.push(Shown::Attachment(title(kind, *bytes)));
            }
            EntryKind::Compaction(summary) => {
                shown.extend([Shown::Compaction, Shown::Summary(summary.clone())]);
            }
            EntryKind::Interruption => shown.push(Shown::Interruption),
            EntryKind::Error(text) if !text.trim().is_empty() => {
                shown.push(Shown::Error(text.clone()));
            }
            EntryKind::Notice(_, text) => shown.push(Shown::Notice(letters(text))),
            _ => {}
        }
    }
    results.sort();
    (shown, results)
}

/// What turns show.
fn found(turns: &Turns<'_>) -> (Vec<Shown>, Vec<String>) {
    let (mut shown, mut results) = (Vec::new(), Vec::new());
    for step in turns.turns.iter().flat_map(|turn| &turn.steps) {
        shown.push(match &step.kind {
            StepKind::Prompt { text, .. } => Shown::Prompt(plain_prompt(text)),
            StepKind::Text(text) => Shown::Text(text.to_string()),
            StepKind::Thinking(text) => Shown::Thinking(text.to_string()),
            StepKind::Call(number) => {
                let call = turns.calls.get(*number).expect("a call");
                let input = call.input.as_ref().map_or("null", transcript::Json::as_str);
                let text = match transcript::json::member(input, "input") {
                    // A text is written as one member.
                    Some(text) if input.starts_with("{\"input\":") => {
                        let text = transcript::json::decode_string(text);
                        text.map_or(input.to_owned(), |text| text.text.into_owned())
                    }
                    _ => input.to_owned(),
                };
                if let Some(answer) = &call.answer {
                    results.push(answer.text().into_owned());
                }
                Shown::Call(call.tool.to_string(), letters(&text))
            }
            StepKind::UnmatchedResult { content, .. } => {
                results.push(content.as_ref().expect("content").text().into_owned());
                continue;
            }
            StepKind::Image(source) => {
                Shown::Attachment(source.media_type.as_deref().unwrap_or_default().to_owned())
            }
            StepKind::Document { title, .. } => {
                Shown::Attachment(title.as_deref().unwrap_or_default().to_owned())
            }
            StepKind::Summary(text) => Shown::Summary(text.to_string()),
            StepKind::Compaction { .. } => Shown::Compaction,
            StepKind::Interruption => Shown::Interruption,
            StepKind::ApiError(text) if text.starts_with("no reason recorded") => continue,
            StepKind::ApiError(text) => Shown::Error(text.to_string()),
            StepKind::Notice(_, text) => Shown::Notice(letters(text)),
        });
    }
    results.sort();
    (shown, results)
}

/// The tokens and the number of API calls that the engine counts in transcripts.
pub(crate) fn counted<'b>(transcripts: impl IntoIterator<Item = &'b [u8]>) -> (usize, u64) {
    let mut fold = Fold::default();
    for (file, bytes) in (0..).zip(transcripts) {
        for line in transcript::lines(bytes) {
            usage::read_line(line, |read| match read {
                UsageLine::Call(call) => fold.note(file, &call),
                UsageLine::Other => {}
                UsageLine::Damaged(offset) => assert!(line.bytes.is_empty(), "at {offset}"),
            });
        }
    }
    let calls = fold.finish();
    let total = calls.calls.iter().map(|call| call.counters.total()).sum();
    (calls.calls.len(), total)
}

/// Checks that records are readable, unique and on the lines they come from.
fn check_records(bytes: &[u8], transcript: &SessionTranscript, entries: &[SourceEntry<'_>]) {
    let sources: HashSet<(usize, u64)> =
        entries.iter().map(|entry| (entry.file, entry.entry.place.line)).collect();
    let mut uuids = HashSet::new();
    for entry in transcript::entries(bytes) {
        for problem in &entry.problems {
            assert!(
                matches!(problem.reason, Reason::BlankLine | Reason::SeveralObjects(_)),
                "{problem}: {}",
                String::from_utf8_lossy(entry.bytes)
            );
        }
        if let Some(uuid) = &entry.record.envelope.uuid {
            assert!(uuids.insert(uuid.to_string()), "a uuid occurs twice");
            if !transcript.file_starts.is_empty() {
                let source = transcript.source_line(entry.line);
                assert!(source.is_some_and(|source| sources.contains(&source)), "{}", entry.line);
            }
        } else {
            assert!(matches!(
                entry.record.kind,
                RecordKind::Blank | RecordKind::LastPrompt | RecordKind::Relocated
            ));
        }
    }
}

/// Writes a session, reads it back and compares. Returns what was counted.
pub(crate) fn check(app: App, id: &str, header: &Header, entries: &[SourceEntry<'_>]) -> Counts {
    let source = SourceSession::new(app, id, header, entries);
    let transcript = write_transcript(&source);
    assert_eq!(transcript, write_transcript(&source), "the same session gives the same bytes");
    check_records(&transcript.main, &transcript, entries);

    let own = || entries.iter().filter(|entry| entry.entry.agent.is_none());
    let conversation = Conversation::read(&transcript.main, View::App);
    let turns = conversation.all_turns();
    let (shown, results) = found(&turns);
    let (expected_shown, expected_results) = expected(own().filter(|entry| is_live(entry)));
    similar_lists(&shown, &expected_shown);
    assert_eq!(results, expected_results);
    let answered = turns.calls.all().iter().filter(|call| call.answer.is_some()).count();
    assert!(conversation.orphaned_segments.is_empty());
    check_branches(&conversation, own());
    let changes = check_changes(&turns, own().filter(|entry| is_live(entry)));

    for (agent, bytes) in &transcript.agents {
        check_records(bytes, &SessionTranscript::default(), entries);
        let turns = Conversation::read_agent(bytes, View::App).all_turns();
        let of_agent = entries.iter().filter(|entry| entry.entry.agent.as_ref() == Some(agent));
        let of_agent: Vec<_> = of_agent.collect();
        let of_agent = of_agent.into_iter().filter(|entry| is_live(entry));
        let (expected_shown, expected_results) = expected(of_agent);
        let (shown, results) = found(&turns);
        similar_lists(&shown, &expected_shown);
        assert_eq!(results, expected_results);
    }

    let calls: BTreeMap<&str, u64> = entries
        .iter()
        .flat_map(|entry| &entry.calls)
        .rev()
        .map(|call| (call.key.as_str(), call.tokens.total()))
        .collect();
    let all = [&transcript.main].into_iter().chain(transcript.agents.values());
    let (api_calls, tokens) = counted(all.map(Vec::as_slice));
    assert_eq!((api_calls, tokens), (calls.len(), calls.values().sum()));

    let count = |is: fn(&Shown) -> bool| shown.iter().filter(|shown| is(shown)).count();
    Counts {
        sessions: 1,
        prompts: count(|shown| matches!(shown, Shown::Prompt(_))),
        texts: count(|shown| matches!(shown, Shown::Text(_))),
        thinking: count(|shown| matches!(shown, Shown::Thinking(_))),
        calls: count(|shown| matches!(shown, Shown::Call(..))),
        results: results.len(),
        answered,
        generations: conversation.generations().count(),
        branches: conversation.branches.len(),
        api_calls,
        tokens,
        changes,
        agents: linked_agents(&transcript.main, entries),
        bytes: transcript.main.len() + transcript.agents.values().map(Vec::len).sum::<usize>(),
    }
}

/// Every change that a tool for changes recorded is one of its turn's; the files that other tools
/// changed are only counted. Returns the numbers of both.
fn check_changes<'e>(
    turns: &Turns<'_>,
    entries: impl Iterator<Item = &'e SourceEntry<'e>>,
) -> (usize, usize) {
    let mut recorded = Vec::new();
    for call in turns.calls.all() {
        let changes = call.recorded_changes();
        if call.is_change() {
            let files = call.files();
            assert!(changes.is_empty() || !files.is_empty(), "{:?}", call.id);
            if changes.len() > 1 {
                let paths = changes.iter().map(|change| &change.path);
                assert!(paths.eq(&files));
            }
        }
        recorded.extend(changes.iter().map(|change| (change.path.to_string(), call.is_change())));
    }
    let mut expected: Vec<String> = entries
        .filter_map(|entry| match &entry.entry.kind {
            EntryKind::Result { changes, .. } => Some(changes),
            _ => None,
        })
        .flatten()
        .flat_map(|change| [Some(&change.path), change.moved_to.as_ref()])
        .flatten()
        .cloned()
        .collect();
    let shown = recorded.iter().filter(|(_, is_change)| *is_change).count();
    let others = recorded.len() - shown;
    let paths: Vec<String> = recorded.into_iter().map(|(path, _)| path).collect();
    for path in &paths {
        let at = expected.iter().position(|expected| expected == path);
        expected.swap_remove(at.expect("a change of the session"));
    }
    // The changes of a result without a call are not shown.
    assert!(expected.is_empty() || turns.calls.unmatched_answers() > 0, "{expected:?}");
    (shown, others)
}

/// The sub-agents that calls of the session started, and how many of them the engine links to the
/// call by its result.
fn linked_agents(bytes: &[u8], entries: &[SourceEntry<'_>]) -> (usize, usize) {
    let mut scan = AgentScan::default();
    for entry in transcript::entries(bytes) {
        scan.note(entry.line, &entry.record, true);
    }
    let started: BTreeMap<&str, &str> = entries
        .iter()
        .filter_map(|entry| match &entry.entry.kind {
            EntryKind::AgentStart { agent, call: Some(call) } => Some((&**agent, &**call)),
            _ => None,
        })
        .collect();
    let file = |agent: &&str| AgentFile { id: (*agent).to_owned(), ..AgentFile::default() };
    let files = started.keys().map(|agent| (file(agent), AgentScan::default())).collect();
    let nodes = link_agents(&scan, files);
    let is_linked = |node: &&AgentNode| {
        node.evidence == Some(Evidence::Result)
            && node.tool_use_id.as_deref() == started.get(&*node.id).copied()
    };
    (started.len(), nodes.iter().filter(is_linked).count())
}

/// Every prompt that was undone or left is on an abandoned branch.
fn check_branches<'e>(
    conversation: &Conversation<'_>,
    entries: impl Iterator<Item = &'e SourceEntry<'e>>,
) {
    let mut abandoned: Vec<String> = entries
        .filter(|entry| !is_live(entry))
        .filter_map(|entry| match &entry.entry.kind {
            EntryKind::Prompt(text) => Some(plain_prompt(text)),
            _ => None,
        })
        .collect();
    let mut on_branches = Vec::new();
    for branch in &conversation.branches {
        let chain = conversation.chain_of_branch(branch);
        let own: HashSet<_> = branch.messages.iter().copied().collect();
        let steps = conversation.turns_of(&chain).turns.into_iter().flat_map(|turn| turn.steps);
        on_branches.extend(steps.filter(|step| own.contains(&step.node)).filter_map(|step| {
            match step.kind {
                StepKind::Prompt { text, .. } => Some(plain_prompt(&text)),
                _ => None,
            }
        }));
    }
    abandoned.sort();
    on_branches.sort();
    assert_eq!(on_branches, abandoned);
}

/// Compares lists and says where they begin to differ.
fn similar_lists(found: &[Shown], expected: &[Shown]) {
    let short = |shown: Option<&Shown>| format!("{shown:?}").chars().take(300).collect::<String>();
    let steps = 0..found.len().max(expected.len());
    for (at, (found, expected)) in steps.map(|at| (at, (found.get(at), expected.get(at)))) {
        let is_same = found.zip(expected).is_some_and(|(found, expected)| is_same(found, expected));
        assert!(is_same, "step {at}: found {}, expected {}", short(found), short(expected));
    }
}
