//! Which records of a transcript are prompts, and which of them are the same prompt.
//!
//! A prompt is recorded as a message, as an addition to the queue (typed while the model
//! worked), and as a command taken from the queue. Most prompts are recorded in several of
//! these ways; each counts once, as the first of them. The prompt history may have it too.
//!
//! The count of a transcript's prompts is this module's, in the index as in lists, so that
//! all of them agree. Texts are compared by digests, because the index stores none.

use crate::facts::Digest;
use jiff::{SignedDuration, Timestamp};
use std::borrow::Cow;
use std::collections::HashMap;
use transcript::{Body, Content, Record, prompt};

/// Where a prompt is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PromptSource {
    /// A message of the conversation.
    Typed,
    /// Typed while the model worked.
    Queued,
    /// Only in `history.jsonl`.
    History,
}

impl PromptSource {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            PromptSource::Typed => "typed",
            PromptSource::Queued => "queued",
            PromptSource::History => "history",
        }
    }
}

/// How a transcript records a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptRecordKind {
    /// As a message of the conversation.
    Message,
    /// As an addition to the queue.
    Queued,
    /// As a command taken from the queue and sent to the model.
    Taken,
}

impl PromptRecordKind {
    const ALL: [PromptRecordKind; 3] =
        [PromptRecordKind::Message, PromptRecordKind::Queued, PromptRecordKind::Taken];

    /// The source of a prompt that is recorded like this first.
    pub fn source(self) -> PromptSource {
        match self {
            PromptRecordKind::Message => PromptSource::Typed,
            PromptRecordKind::Queued | PromptRecordKind::Taken => PromptSource::Queued,
        }
    }
}

/// What a person typed, if a record has it, and how.
pub fn recorded_prompt<'r>(record: &'r Record<'_>) -> Option<(PromptRecordKind, Cow<'r, str>)> {
    let typed = |content: &Option<Content<'_>>| {
        let text = prompt::typed_text(content.as_ref()?.text())?;
        Some(Cow::Owned(text.into_owned()))
    };
    let (kind, text) = match &record.body {
        Body::User(_) => (PromptRecordKind::Message, prompt::typed_prompt(record)),
        Body::QueueOperation(operation) if operation.operation.as_deref() == Some("enqueue") => {
            (PromptRecordKind::Queued, typed(&operation.content))
        }
        Body::Attachment(attachment) if attachment.kind.as_deref() == Some("queued_command") => {
            let by_person = attachment.command_mode.as_deref().is_none_or(|mode| mode == "prompt")
                && !record.envelope.is_sidechain
                && prompt::is_queued_by_person(record);
            let text = if by_person { typed(&attachment.prompt) } else { None };
            (PromptRecordKind::Taken, text)
        }
        _ => return None,
    };
    Some((kind, text?))
}

/// The digest by which records of a prompt are compared. White space around the text is not
/// part of it, nor is that after a command's name or the name of its plugin: Claude Code
/// writes a queued command as it was typed, and what it ran with one space and the full name.
pub fn prompt_digest(text: &str) -> Digest {
    let text = text.trim();
    let Some(command) = text.strip_prefix('/') else { return Digest::of(text.as_bytes()) };
    let (name, arguments) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let name = name.rsplit_once(':').map_or(name, |(_, name)| name);
    Digest::of(format!("/{name} {}", arguments.trim_start()).as_bytes())
}

/// The digests of commands that were queued one after another and became one message: a
/// command on each line. Empty for other texts.
pub fn joined_commands(text: &str) -> Vec<Digest> {
    let lines: Vec<&str> = text.trim().lines().collect();
    let is_joined = lines.len() > 1 && lines.iter().all(|line| line.starts_with('/'));
    lines.into_iter().filter(|_| is_joined).map(prompt_digest).collect()
}

/// What is needed of a prompt to find its duplicates.
pub trait RecordedPrompt {
    /// The session, where known.
    fn session_id(&self) -> Option<&str>;
    /// When it was recorded.
    fn time(&self) -> Option<Timestamp>;
    /// Where it is recorded.
    fn source(&self) -> PromptSource;
    /// [`prompt_digest`] of its text.
    fn digest(&self) -> Digest;
    /// [`joined_commands`] of its text.
    fn joined(&self) -> Cow<'_, [Digest]>;
    /// Notes another record of the same prompt.
    fn note_duplicate(&mut self, duplicate: Self);
}

/// The records of prompts in a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptRecords<P> {
    /// Messages.
    messages: Vec<P>,
    /// Additions to the queue.
    queued: Vec<P>,
    /// Commands taken from the queue.
    taken: Vec<P>,
}

impl<P> Default for PromptRecords<P> {
    fn default() -> Self {
        PromptRecords { messages: Vec::new(), queued: Vec::new(), taken: Vec::new() }
    }
}

impl<P: RecordedPrompt> PromptRecords<P> {
    /// Adds a record; in the order of the file.
    pub fn add(&mut self, kind: PromptRecordKind, prompt: P) {
        self.of_kind(kind).push(prompt);
    }

    fn of_kind(&mut self, kind: PromptRecordKind) -> &mut Vec<P> {
        match kind {
            PromptRecordKind::Message => &mut self.messages,
            PromptRecordKind::Queued => &mut self.queued,
            PromptRecordKind::Taken => &mut self.taken,
        }
    }

    /// All records.
    pub fn into_records(self) -> impl Iterator<Item = P> {
        self.messages.into_iter().chain(self.queued).chain(self.taken)
    }

    /// All prompts, each once.
    pub fn merged(self) -> Vec<P> {
        let PromptRecords { messages: mut prompts, queued, taken } = self;
        add_missing(&mut prompts, queued);
        // Most prompts taken from the queue were recorded when they were queued.
        add_missing(&mut prompts, taken);
        prompts
    }
}

/// Adds those of `others` that are missing. Each prompt matches one other with the same
/// session and text, and each of the commands that became one message; one from the history,
/// where pasted text is only a placeholder, also matches one sent at the same moment. History
/// entries without a session are compared with all.
pub fn add_missing<P: RecordedPrompt>(prompts: &mut Vec<P>, others: Vec<P>) {
    let known = PromptIndex::new(prompts);
    let mut free: Vec<usize> = prompts.iter().map(|prompt| prompt.joined().len().max(1)).collect();
    let mut missing = Vec::new();
    let mut duplicates = Vec::new();
    for other in others {
        let found = known
            .candidates(&other)
            .into_iter()
            .find(|number| free[*number] > 0 && stands_for(&prompts[*number], &other));
        match found {
            Some(number) => {
                free[number] -= 1;
                duplicates.push((number, other));
            }
            None => missing.push(other),
        }
    }
    drop(known);
    for (number, duplicate) in duplicates {
        prompts[number].note_duplicate(duplicate);
    }
    prompts.extend(missing);
}

/// The longest time between two records of one prompt.
const MOMENT: SignedDuration = SignedDuration::from_secs(2);

fn stands_for(prompt: &impl RecordedPrompt, other: &impl RecordedPrompt) -> bool {
    let times = prompt.time().zip(other.time());
    let close = times.is_some_and(|(one, two)| one.duration_since(two).abs() <= MOMENT);
    let same_text =
        || prompt.digest() == other.digest() || prompt.joined().contains(&other.digest());
    // A queued prompt is sent later, never earlier.
    let before = times.is_some_and(|(one, two)| one < two && !close);
    match (other.source(), other.session_id()) {
        (PromptSource::History, None) => close && same_text(),
        (PromptSource::History, Some(_)) => close || same_text(),
        _ if prompt.source() == PromptSource::Typed => !before && same_text(),
        _ => same_text(),
    }
}

/// Prompts by the keys that find their duplicates, so that merging two long lists does not
/// compare every pair.
#[derive(Default)]
struct PromptIndex<'p> {
    by_text: HashMap<(Option<&'p str>, Digest), Vec<usize>>,
    by_moment: HashMap<(Option<&'p str>, i64), Vec<usize>>,
    of_any_session: HashMap<Digest, Vec<usize>>,
}

impl<'p> PromptIndex<'p> {
    fn new<P: RecordedPrompt>(prompts: &'p [P]) -> Self {
        let mut known = PromptIndex::default();
        for (number, prompt) in prompts.iter().enumerate() {
            let session = prompt.session_id();
            for text in std::iter::once(prompt.digest()).chain(prompt.joined().iter().copied()) {
                known.of_any_session.entry(text).or_default().push(number);
                known.by_text.entry((session, text)).or_default().push(number);
            }
            if let Some(time) = prompt.time() {
                known.by_moment.entry((session, time.as_second())).or_default().push(number);
            }
        }
        known
    }

    /// The possible duplicates of a prompt, in order.
    fn candidates<P: RecordedPrompt>(&self, other: &P) -> Vec<usize> {
        let text = other.digest();
        if other.source() == PromptSource::History && other.session_id().is_none() {
            return self.of_any_session.get(&text).cloned().unwrap_or_default();
        }
        let session = other.session_id();
        let mut found = self.by_text.get(&(session, text)).cloned().unwrap_or_default();
        if let Some(time) = other.time().filter(|_| other.source() == PromptSource::History) {
            for second in -3..=3 {
                let key = (session, time.as_second() + second);
                found.extend(self.by_moment.get(&key).into_iter().flatten());
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The records of prompts in a transcript without their texts, to count the prompts. Can be
/// stored, so that only new lines of a growing transcript have to be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptCounter(Vec<PromptMark>);

/// The record of a prompt without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PromptMark {
    offset: u64,
    kind: PromptRecordKind,
    time: Option<Timestamp>,
    digest: Digest,
    joined: Vec<Digest>,
}

impl RecordedPrompt for &PromptMark {
    fn session_id(&self) -> Option<&str> {
        None
    }

    fn time(&self) -> Option<Timestamp> {
        self.time
    }

    fn source(&self) -> PromptSource {
        self.kind.source()
    }

    fn digest(&self) -> Digest {
        self.digest
    }

    fn joined(&self) -> Cow<'_, [Digest]> {
        Cow::Borrowed(&self.joined)
    }

    fn note_duplicate(&mut self, _: Self) {}
}

impl PromptCounter {
    /// Notes the record at an offset of its file.
    pub fn note(&mut self, record: &Record<'_>, offset: u64) {
        if let Some((kind, text)) = recorded_prompt(record) {
            let (time, digest) = (record.time(), prompt_digest(&text));
            let joined = joined_commands(&text);
            self.0.push(PromptMark { offset, kind, time, digest, joined });
        }
    }

    /// Forgets the records from an offset on.
    pub(crate) fn retract(&mut self, from: u64) {
        self.0.retain(|mark| mark.offset < from);
    }

    /// How many prompts there are.
    pub fn count(&self) -> u64 {
        if self.0.iter().all(|mark| mark.kind == PromptRecordKind::Message) {
            return self.0.len() as u64;
        }
        let mut records = PromptRecords::default();
        for mark in &self.0 {
            records.add(mark.kind, mark);
        }
        records.merged().len() as u64
    }

    /// Its stored form.
    pub(crate) fn pack(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.0.len() * (19 + Digest::LENGTH));
        for PromptMark { offset, kind, time, digest, joined } in &self.0 {
            bytes.extend(offset.to_le_bytes());
            let place = PromptRecordKind::ALL.iter().position(|known| known == kind);
            bytes.push(u8::try_from(place.unwrap_or_default()).unwrap_or_default());
            // Transcripts have milliseconds; no time is one that no timestamp has.
            let time = time.map_or(i64::MIN, Timestamp::as_microsecond);
            bytes.extend(time.to_le_bytes());
            bytes.extend(u16::try_from(joined.len()).unwrap_or(u16::MAX).to_le_bytes());
            for digest in std::iter::once(digest).chain(joined).take(1 + usize::from(u16::MAX)) {
                bytes.extend(digest.as_bytes());
            }
        }
        bytes
    }

    /// Reads the stored form.
    pub(crate) fn unpack(mut bytes: &[u8]) -> Option<PromptCounter> {
        fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
            let (first, rest) = bytes.split_first_chunk::<N>()?;
            *bytes = rest;
            Some(*first)
        }
        let mut marks = Vec::new();
        while !bytes.is_empty() {
            let offset = u64::from_le_bytes(take(&mut bytes)?);
            let [kind] = take(&mut bytes)?;
            let time = i64::from_le_bytes(take(&mut bytes)?);
            let joined = u16::from_le_bytes(take(&mut bytes)?);
            let mut digest = || take(&mut bytes).map(Digest::from_bytes);
            marks.push(PromptMark {
                offset,
                kind: *PromptRecordKind::ALL.get(usize::from(kind))?,
                time: Timestamp::from_microsecond(time).ok(),
                digest: digest()?,
                joined: (0..joined).map(|_| digest()).collect::<Option<_>>()?,
            });
        }
        Some(PromptCounter(marks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter(lines: &[&str]) -> PromptCounter {
        let mut counter = PromptCounter::default();
        for (number, line) in lines.iter().enumerate() {
            for entry in transcript::entries(line.as_bytes()) {
                counter.note(&entry.record, number as u64);
            }
        }
        counter
    }

    fn typed(text: &str, second: u32) -> String {
        format!(
            r#"{{"type":"user","timestamp":"2026-01-31T12:00:{second:02}Z","message":{{"content":"{text}"}}}}"#
        )
    }

    fn queued(text: &str, second: u32) -> String {
        format!(
            r#"{{"type":"queue-operation","operation":"enqueue","timestamp":"2026-01-31T12:00:{second:02}Z","content":"{text}"}}"#
        )
    }

    fn taken(text: &str, second: u32) -> String {
        format!(
            r#"{{"type":"attachment","timestamp":"2026-01-31T12:00:{second:02}Z","attachment":{{"type":"queued_command","prompt":"{text}"}}}}"#
        )
    }

    fn command(name: &str, arguments: &str, second: u32) -> String {
        let tags = format!(
            "<command-message>x</command-message><command-name>{name}</command-name><command-args>{arguments}</command-args>"
        );
        typed(&tags, second)
    }

    #[test]
    fn queued_command_and_the_message_that_it_becomes_are_one_prompt() {
        let table = [
            (vec![queued("/review 12", 1), command("/review", "12", 9)], 1),
            (vec![queued("/review\\n12\\n13 ", 1), command("/review", "12\\n13", 9)], 1),
            (vec![queued("/review   12", 1), command("/tide:review", "12", 9)], 1),
            (
                vec![
                    queued("/review\\n12", 1),
                    taken("/review\\n12", 5),
                    command("/review", "12", 9),
                ],
                1,
            ),
            (vec![queued("/exit", 1), queued("/exit", 4), typed("/exit\\n/exit", 9)], 1),
            (vec![queued("/review 12", 1), command("/review", "13", 9)], 2),
            (vec![queued("/review", 1), command("/commit", "", 9)], 2),
            // A command that ran before another one was queued is another prompt.
            (vec![command("/review", "12", 1), queued("/review 12", 9)], 2),
            (vec![queued("same", 1), queued("same", 2), typed("same", 9)], 2),
            (vec![typed("one", 1), typed("one", 2)], 2),
        ];
        for (lines, expected) in table {
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            assert_eq!(counter(&lines).count(), expected, "{lines:#?}");
        }
    }

    #[test]
    fn stored_records_are_read_back_and_retracted() {
        let lines = [
            queued("/exit", 1),
            queued("/exit", 2),
            typed("/exit\\n/exit", 3),
            r#"{"type":"user","message":{"content":"no time"}}"#.to_owned(),
            taken("later", 4),
        ];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let whole = counter(&lines);
        assert_eq!(PromptCounter::unpack(&whole.pack()), Some(whole.clone()));
        assert_eq!(PromptCounter::unpack(&whole.pack()[1..]), None);
        let mut part = whole;
        part.retract(2);
        assert_eq!(part, counter(&lines[..2]));
    }
}
