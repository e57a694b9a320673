//! What a session is called, where it was, and when: from head, tail and stat.
//!
//! These are the official list's rules, because people compare: titles, prompts
//! and branches here are the ones they see in the app's own session list. Some
//! of them look into raw text on purpose (a branch is the last `"gitBranch":"…"`
//! anywhere in the tail, nested or not), others into parsed lines; where we
//! differ, `docs/listing.md` says so and why.

use crate::files::{Files, ShelfStat};
use crate::head_and_tail::HeadAndTail;
use crate::needles::{self, has, lines_from_end};
use crate::prompt;
use crate::raw_text::{first_string, has_string, last_string, name_of};
use crate::session_folder::SessionFolder;
use jiff::Timestamp;
use memchr::memmem::{self, Finder};
use std::borrow::Cow;
use std::io;
use std::path::Path;
use transcript::{json, parse_timestamp};

/// What is known of a session without reading it whole.
#[derive(Clone, Debug)]
pub struct SessionMetadata {
    /// The size of its transcript.
    pub bytes: u64,
    /// When its transcript was last modified.
    pub modified: Timestamp,
    /// The first time written in it.
    pub created: Option<Timestamp>,
    /// The title a person gave, else the one a model gave.
    pub title: Option<String>,
    /// What the official list shows: the title, the last prompt, a summary, or
    /// the first prompt.
    pub summary: Option<String>,
    /// The first thing a person said.
    pub first_prompt: Option<String>,
    /// The last thing a person said, as far as the tail tells.
    pub last_prompt: Option<String>,
    /// The last git branch.
    pub branch: Option<String>,
    /// The folder it moved to last, else the first it was in.
    pub cwd: Option<String>,
    /// The folder it was in before it moved into a git worktree.
    pub original_cwd: Option<String>,
    /// A person's tag.
    pub tag: Option<String>,
    /// The version of Claude Code that wrote last.
    pub version: Option<String>,
    /// How Claude Code was started.
    pub entrypoint: Option<String>,
    /// What kind of session it is.
    pub kind: SessionKind,
    /// Pull requests it made or met.
    pub pull_requests: Vec<PullRequest>,
    /// The app's own flag; `None` if it was never archived.
    pub archived: Option<bool>,
    /// Why the official list does not show it.
    pub hidden: Option<HiddenReason>,
    /// The session that goes on with this one, if it says so.
    pub continued_in: Option<String>,
    /// Whether it holds lines of a conversation: only then can it go on with
    /// another.
    pub has_messages: bool,
}

/// What kind of session it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SessionKind {
    /// A person's.
    Interactive,
    /// Started by a program: an SDK or a daemon.
    Programmatic,
    /// The app warming up a cache.
    Warmup,
    /// A copy made before a compaction that stands for its session, of which
    /// nothing else is left.
    PreCompactCopy,
}

impl SessionKind {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            SessionKind::Interactive => "interactive",
            SessionKind::Programmatic => "programmatic",
            SessionKind::Warmup => "warmup",
            SessionKind::PreCompactCopy => "pre_compact_copy",
        }
    }
}

/// Why the official list does not show a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HiddenReason {
    /// It has no title and nobody said anything.
    Empty,
    /// Its first line belongs to a sub-agent.
    Sidechain,
    /// Another session in its folder goes on with it.
    Continued,
}

impl HiddenReason {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            HiddenReason::Empty => "empty",
            HiddenReason::Sidechain => "sidechain",
            HiddenReason::Continued => "continued",
        }
    }
}

/// A pull request named by a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PullRequest {
    /// Its number.
    pub number: Option<u64>,
    /// Its address.
    pub url: Option<String>,
    /// Its repository, as `owner/name`.
    pub repository: Option<String>,
}

impl SessionMetadata {
    /// Facts of a session whose transcript is gone: nothing but a time.
    pub fn unknown(modified: Timestamp) -> SessionMetadata {
        SessionMetadata {
            bytes: 0,
            modified,
            created: None,
            title: None,
            summary: None,
            first_prompt: None,
            last_prompt: None,
            branch: None,
            cwd: None,
            original_cwd: None,
            tag: None,
            version: None,
            entrypoint: None,
            kind: SessionKind::Interactive,
            pull_requests: Vec::new(),
            archived: None,
            hidden: None,
            continued_in: None,
            has_messages: false,
        }
    }

    /// Reads the facts of a transcript. `folder` is the session's own folder
    /// beside it, where there is one.
    pub fn read(
        files: &Files,
        path: &Path,
        folder: Option<&SessionFolder>,
        chunks: &mut HeadAndTail,
    ) -> io::Result<SessionMetadata> {
        let mut file = files.open(path)?;
        chunks.read(&mut file)?;
        // What lies beside a living transcript and is gone was taken away.
        let disk = Files::disk();
        let sidecars = Sidecars { files: if file.is_kept() { files } else { &disk }, folder };
        Ok(SessionMetadata::new(file.stat(), chunks.head(), chunks.tail(), &sidecars))
    }

    fn new(stat: ShelfStat, head: &[u8], tail: &[u8], sidecars: &Sidecars<'_>) -> SessionMetadata {
        let first_line = needles::lines(head).next().unwrap_or_default();
        let mut tail_metadata = TailMetadata::read(tail);
        let title = title(&mut tail_metadata, head, tail, sidecars);
        let mut first_prompt = prompt::first_prompt(head);
        let recorded_prompt = non_empty(tail_metadata.last_prompt);
        let summary = title
            .clone()
            .or_else(|| recorded_prompt.clone())
            .or_else(|| non_empty(tail_metadata.summary))
            .or_else(|| first_prompt.clone())
            .or_else(|| prompt::first_picture(head).map(str::to_owned))
            .or_else(|| {
                // Nobody would see this session; damage is no reason for that.
                first_prompt = prompt::first_prompt_behind_damage(head);
                first_prompt.clone()
            });
        let hidden = if is_sidechain(first_line) {
            Some(HiddenReason::Sidechain)
        } else if summary.is_none() || stat.bytes == 0 {
            Some(HiddenReason::Empty)
        } else {
            None
        };
        let archived = sidecars
            .folder
            .and_then(|folder| folder.archived(sidecars.files))
            .map(|archived| archived.archived && !prompted_since(archived.at, head, tail));
        let entrypoint = non_empty(first_string(beginning(head), &needles::ENTRYPOINT));
        SessionMetadata {
            bytes: stat.bytes,
            modified: whole_milliseconds(stat.modified),
            created: first_string(head, &needles::TIMESTAMP)
                .and_then(|text| parse_timestamp(&text)),
            last_prompt: recorded_prompt.or_else(|| prompt::last_prompt(tail)),
            branch: non_empty(last_string(tail, &needles::GIT_BRANCH))
                .or_else(|| non_empty(first_string(head, &needles::GIT_BRANCH))),
            cwd: non_empty(tail_metadata.relocated)
                .or_else(|| non_empty(first_string(head, &needles::CWD))),
            original_cwd: tail_metadata.original_cwd,
            tag: non_empty(tail_metadata.tag),
            version: non_empty(last_string(tail, &needles::VERSION))
                .or_else(|| non_empty(first_string(head, &needles::VERSION))),
            kind: session_kind(head, entrypoint.as_deref(), first_prompt.as_deref()),
            entrypoint,
            pull_requests: tail_metadata.pull_requests,
            continued_in: tail_metadata.continued_in,
            has_messages: has_messages(head, tail),
            title,
            summary,
            first_prompt,
            archived,
            hidden,
        }
    }
}

/// Where the files beside a transcript are read from.
struct Sidecars<'a> {
    files: &'a Files,
    folder: Option<&'a SessionFolder>,
}

/// The official list rounds modification times, and orders by the result.
fn whole_milliseconds(time: Timestamp) -> Timestamp {
    let nanoseconds = time.as_nanosecond() + 500_000;
    i64::try_from(nanoseconds.div_euclid(1_000_000))
        .ok()
        .and_then(|milliseconds| Timestamp::from_millisecond(milliseconds).ok())
        .unwrap_or(time)
}

fn non_empty(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

/// A title in the tail counts even if it is empty: then the person took it
/// back, and the sidecar is older than that.
fn title(
    tail_metadata: &mut TailMetadata,
    head: &[u8],
    tail: &[u8],
    sidecars: &Sidecars<'_>,
) -> Option<String> {
    let from_tail = tail_metadata.custom_title.take();
    let own = from_tail
        .or_else(|| sidecars.folder.and_then(|folder| folder.custom_title(sidecars.files)));
    let in_head = |key: &Finder<'_>, kind: &str| {
        let elsewhere = !std::ptr::eq(head, tail);
        let there = elsewhere && has(head, &needles::ANY_TITLE_KEY);
        there.then(|| lines_from_end(head).find_map(|line| name_on_line(line, key, kind))).flatten()
    };
    non_empty(own)
        .or_else(|| non_empty(in_head(&needles::CUSTOM_TITLE, "custom-title")))
        .or_else(|| non_empty(tail_metadata.ai_title.take()))
        .or_else(|| non_empty(in_head(&needles::AI_TITLE, "ai-title")))
}

/// What the lines of a tail say about the session. The last one of each wins.
#[derive(Default)]
struct TailMetadata {
    custom_title: Option<String>,
    ai_title: Option<String>,
    last_prompt: Option<String>,
    summary: Option<String>,
    tag: Option<String>,
    relocated: Option<String>,
    original_cwd: Option<String>,
    continued_in: Option<String>,
    pull_requests: Vec<PullRequest>,
}

impl TailMetadata {
    fn read(tail: &[u8]) -> TailMetadata {
        let mut tail_metadata = TailMetadata::default();
        let mut continued_until = 0;
        for line in transcript::lines(tail) {
            let end = usize::try_from(line.offset).unwrap_or_default() + line.bytes.len();
            let line = line.bytes;
            tail_metadata.note_prompt(line);
            if line.starts_with(b"{\"parentUuid\":") {
                // A message line, and long. It can only name the session by
                // something glued to its end.
                let glued = &line[line.len().saturating_sub(GLUED)..];
                if has(glued, &needles::ANY_TITLE_TYPE) || has(glued, &needles::TAG) {
                    tail_metadata.note_names(line);
                }
                continue;
            }
            tail_metadata.note_names(line);
            let Some(text) = metadata(line) else { continue };
            match member(text, "type").as_deref() {
                Some("relocated") if has(line, &needles::RELOCATED) => {
                    replace(
                        &mut tail_metadata.relocated,
                        member(text, "relocatedCwd").map(Cow::into_owned),
                    );
                }
                Some("continued-in") if has(line, &needles::CONTINUED_IN) => {
                    tail_metadata.continued_in =
                        member(text, "continuedInSessionId").map(Cow::into_owned);
                    continued_until = end;
                }
                Some("worktree-state") => {
                    let state = json::member(text, "worktreeSession").unwrap_or_default();
                    tail_metadata.original_cwd = member(state, "originalCwd").map(Cow::into_owned);
                }
                Some("pr-link") => tail_metadata.note_pull_request(text),
                _ => {}
            }
        }
        if tail_metadata.continued_in.is_some() && prompt::has_prompt(&tail[continued_until..]) {
            tail_metadata.continued_in = None;
        }
        tail_metadata
    }

    fn note_prompt(&mut self, line: &[u8]) {
        for (key, slot) in
            [(&needles::LAST_PROMPT, &mut self.last_prompt), (&needles::SUMMARY, &mut self.summary)]
        {
            if has_string(line, key)
                && let Some(text) = metadata(line)
            {
                replace(slot, member(text, name_of(key)).map(Cow::into_owned));
            }
        }
    }

    fn note_names(&mut self, line: &[u8]) {
        replace(&mut self.custom_title, name_on_line(line, &needles::CUSTOM_TITLE, "custom-title"));
        replace(&mut self.ai_title, name_on_line(line, &needles::AI_TITLE, "ai-title"));
        replace(&mut self.tag, name_on_line(line, &needles::TAG, "tag"));
    }

    fn note_pull_request(&mut self, text: &str) {
        let pull_request = PullRequest {
            number: json::member(text, "prNumber").and_then(|number| number.parse().ok()),
            url: member(text, "prUrl").map(Cow::into_owned),
            repository: member(text, "prRepository").map(Cow::into_owned),
        };
        if !self.pull_requests.contains(&pull_request) {
            self.pull_requests.push(pull_request);
        }
    }
}

/// How far from the end of a message line a name may be glued to it.
const GLUED: usize = 8 * 1024;

fn replace(slot: &mut Option<String>, value: Option<String>) {
    if value.is_some() {
        *slot = value;
    }
}

/// A line as text, if it is one whole JSON object.
fn metadata(line: &[u8]) -> Option<&str> {
    let text = str::from_utf8(line).ok()?.trim_ascii();
    if !text.starts_with('{') {
        return None;
    }
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok().then_some(text)
}

fn member<'a>(text: &'a str, key: &str) -> Option<Cow<'a, str>> {
    json::member(text, key).and_then(json::decode_string).map(|decoded| decoded.text)
}

/// The title or tag a line gives. A line that is no JSON as a whole may still
/// end with one glued behind something torn.
fn name_on_line(line: &[u8], key: &Finder<'_>, kind: &str) -> Option<String> {
    if !has_string(line, key) {
        return None;
    }
    let text = metadata(line).or_else(|| {
        let start = memmem::rfind(line, format!("{{\"type\":\"{kind}\"").as_bytes())?;
        metadata(&line[start..])
    })?;
    let named = member(text, "type").as_deref() == Some(kind);
    named.then(|| member(text, name_of(key)).map(Cow::into_owned)).flatten()
}

fn is_sidechain(first_line: &[u8]) -> bool {
    has(first_line, &needles::IS_SIDECHAIN) || has(first_line, &needles::IS_SIDECHAIN_SPACED)
}

/// Enough of a head to hold a message line. What is asked here stands on all of
/// them or on none.
fn beginning(head: &[u8]) -> &[u8] {
    &head[..head.len().min(16 * 1024)]
}

fn session_kind(head: &[u8], entrypoint: Option<&str>, first_prompt: Option<&str>) -> SessionKind {
    let daemon = || {
        let kind = first_string(beginning(head), &needles::SESSION_KIND);
        kind.is_some_and(|kind| kind.starts_with("daemon"))
    };
    if first_prompt == Some("Warmup") {
        SessionKind::Warmup
    } else if entrypoint.is_some_and(|entrypoint| entrypoint.starts_with("sdk-")) || daemon() {
        SessionKind::Programmatic
    } else {
        SessionKind::Interactive
    }
}

/// Whether a person said something after a moment, as far as head and tail
/// tell: that undoes archiving.
fn prompted_since(moment: Timestamp, head: &[u8], tail: &[u8]) -> bool {
    [head, tail].into_iter().flat_map(transcript::lines).any(|line| {
        let mut entries = transcript::parse_line(line);
        let (Some(entry), None) = (entries.next(), entries.next()) else { return false };
        let said = match &entry.record.body {
            transcript::Body::User(_) => prompt::is_person_prompt(&entry.record),
            transcript::Body::Attachment(attachment) => {
                attachment.kind.as_deref() == Some("queued_command")
                    && attachment.command_mode.as_deref().is_none_or(|mode| mode == "prompt")
                    && !entry.record.envelope.is_sidechain
            }
            _ => false,
        };
        said && entry.record.time().is_some_and(|time| time > moment)
    })
}

/// Whether a transcript has lines of a conversation, and not only notes.
fn has_messages(head: &[u8], tail: &[u8]) -> bool {
    has(head, &needles::PARENT_UUID) || has(tail, &needles::PARENT_UUID)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_glued_behind_something_torn_counts() {
        let torn =
            br#"{"type":"user","message":{"content":"ab{"type":"custom-title","customTitle":"T"}"#;
        assert_eq!(
            name_on_line(torn, &needles::CUSTOM_TITLE, "custom-title").as_deref(),
            Some("T")
        );
        let nested = br#"{"type":"z","o":{"type":"custom-title","customTitle":"T"}}"#;
        assert_eq!(name_on_line(nested, &needles::CUSTOM_TITLE, "custom-title"), None);
        let cut = br#"{"type":"custom-title","customTitle":"T"} tail"#;
        assert_eq!(name_on_line(cut, &needles::CUSTOM_TITLE, "custom-title"), None);
    }

    #[test]
    fn a_later_prompt_undoes_being_continued() {
        let continued = r#"{"type":"continued-in","continuedInSessionId":"next"}"#;
        let prompt = r#"{"type":"user","message":{"content":"more"}}"#;
        let tail_metadata =
            |lines: &[&str]| TailMetadata::read(lines.join("\n").as_bytes()).continued_in;
        assert_eq!(tail_metadata(&[continued]).as_deref(), Some("next"));
        assert_eq!(
            tail_metadata(&[prompt, continued, r#"{"type":"mode"}"#]).as_deref(),
            Some("next")
        );
        assert_eq!(tail_metadata(&[continued, prompt]), None);
    }
}
