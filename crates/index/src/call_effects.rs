//! The effects of tool calls: touched files, commits, pull requests.
//!
//! A call is remembered until its result arrives, with its line if its effects are
//! recorded. The line of a result can also stand before that of its call: such a result is
//! remembered until the call arrives. Effects belong to the later of the two lines, so that
//! the rows of a line never depend on later lines.

use crate::read::{EarlierCall, FileState};
use crate::repeated_agents::{SpawnCall, asked_type};
use crate::rows::{Block, BlockKind, GitActionRow, Touch, milliseconds};
use crate::text::call_hash;
use conversation::recall::is_recall;
use conversation::{Calls, GitAction, Status, Summary, ToolCall, ToolKind, is_spawn};
use std::sync::Arc;
use transcript::{Entry, Role, ToolUse};

/// A call that may still get a result.
#[derive(Clone, Debug)]
pub(crate) struct KnownCall {
    pub(crate) tool: String,
    pub(crate) is_recall: bool,
    /// Its line, if its effects are recorded.
    pub(crate) line: CallLine,
}

#[derive(Clone, Debug)]
pub(crate) enum CallLine {
    /// Not needed.
    None,
    /// The line itself.
    Here(Arc<[u8]>),
    /// The offset of the line.
    At(u64),
    /// The offset of the line, needed only if Claude Code records a git operation with
    /// the result.
    IfNoted(u64),
}

/// The member in which Claude Code records what a command did to the repository.
const NOTED: &[u8] = b"gitOperation";

/// The most calls or results of one line whose effects are recorded; real lines have
/// far fewer.
const MOST_EFFECTS: usize = 256;

/// The line of an entry, for calls whose results come later.
pub(crate) struct EntryLine<'e, 'a> {
    pub(crate) entry: &'e Entry<'a>,
    shared: Option<Arc<[u8]>>,
    remaining: usize,
}

impl<'e, 'a> EntryLine<'e, 'a> {
    pub(crate) fn new(entry: &'e Entry<'a>) -> Self {
        EntryLine { entry, shared: None, remaining: MOST_EFFECTS }
    }

    fn takes_one(&mut self) -> bool {
        let takes = self.remaining > 0;
        self.remaining = self.remaining.saturating_sub(1);
        takes
    }

    /// The line, shared by all its calls.
    fn shared(&mut self) -> Arc<[u8]> {
        self.shared.get_or_insert_with(|| self.entry.bytes.into()).clone()
    }
}

impl FileState<'_> {
    /// Takes over the calls that were read earlier.
    pub(crate) fn take_earlier_calls(&mut self) {
        for EarlierCall { offset, id, call } in std::mem::take(&mut self.earlier) {
            match call {
                Some((tool, is_recall)) => {
                    if is_spawn(&tool) {
                        self.spawns.insert(id, SpawnCall::At(offset));
                    }
                    let is_answered = self.early_results.remove(&id).is_some();
                    let line = if has_recorded_effects(&tool) && !is_answered {
                        CallLine::At(offset)
                    } else {
                        CallLine::None
                    };
                    self.calls.insert(id, KnownCall { tool, is_recall, line });
                }
                // Only the first result of a call records its effects.
                None => match self.calls.get_mut(&id) {
                    Some(call) => call.line = CallLine::None,
                    None => {
                        self.early_results.entry(id).or_insert(offset);
                    }
                },
            }
        }
    }

    pub(crate) fn call(
        &mut self,
        line: &mut EntryLine<'_, '_>,
        base: &Block,
        first: usize,
        number: usize,
        call: &ToolUse<'_>,
    ) {
        let tool = call.name.as_deref().unwrap_or_default();
        let is_recall = is_recall(tool, call.input.as_ref());
        let name = (!tool.is_empty()).then(|| self.part.names.add(tool, self.texts));
        let id = call.id.as_ref().map(|id| call_hash(id.as_str()));
        let row = self.row(base, first, number, Role::ToolUse);
        row.class.kind = if is_recall { BlockKind::Recall } else { BlockKind::Call };
        row.tool = name;
        row.call = id;
        if let Some(id) = id {
            if is_spawn(tool) {
                self.spawns.insert(id, SpawnCall::Type(asked_type(call)));
            }
            let may_matter = !is_shell(tool)
                || call.input.as_ref().is_some_and(|input| {
                    let text = input.as_str();
                    text.contains("git") || text.contains("gh ")
                });
            let has_effects = has_recorded_effects(tool) && line.takes_one();
            let early_result = self.early_results.remove(&id);
            if let Some(result) = early_result.filter(|_| has_effects)
                && let Some(result) = self.line_at(result)
            {
                self.add_effects(line.entry, base, number, Some(id), &result);
            }
            let line = match (has_effects && early_result.is_none(), may_matter) {
                (false, _) => CallLine::None,
                (true, true) => CallLine::Here(line.shared()),
                (true, false) => CallLine::IfNoted(line.entry.offset),
            };
            self.calls.insert(id, KnownCall { tool: tool.to_owned(), is_recall, line });
        }
    }

    pub(crate) fn answer(
        &mut self,
        own: &mut EntryLine<'_, '_>,
        base: &Block,
        first: usize,
        number: usize,
        id: Option<i64>,
        is_error: bool,
    ) {
        let known = id.and_then(|id| self.calls.get_mut(&id));
        let (tool, is_recall, line) = if let Some(call) = known {
            // Later results of the same call need only its name.
            let line = std::mem::replace(&mut call.line, CallLine::None);
            (Some(call.tool.clone()), call.is_recall, line)
        } else {
            if let Some(id) = id {
                self.early_results.entry(id).or_insert(own.entry.offset);
            }
            (None, false, CallLine::None)
        };
        let tool =
            tool.filter(|tool| !tool.is_empty()).map(|tool| self.part.names.add(&tool, self.texts));
        let row = self.row(base, first, number, Role::ToolResult);
        row.class.kind = if is_recall { BlockKind::Recall } else { BlockKind::Result };
        row.class.is_error = is_error;
        row.tool = tool;
        row.call = id;
        let is_noted = || memchr::memmem::find(own.entry.bytes, NOTED).is_some();
        let line = match line {
            CallLine::Here(line) => Some(line),
            CallLine::At(offset) => self.line_at(offset),
            CallLine::IfNoted(offset) if is_noted() => self.line_at(offset),
            CallLine::None | CallLine::IfNoted(_) => None,
        };
        if let Some(line) = line.filter(|_| own.takes_one()) {
            self.add_effects(own.entry, base, number, id, &line);
        }
    }

    fn line_at(&self, offset: u64) -> Option<Arc<[u8]>> {
        self.texts.line_at(&self.source.path, offset).map(Arc::from)
    }

    /// Records what a call did to files and to the repository. `entry` has the call or its
    /// result, whichever is later, and `line` is the line of the other.
    fn add_effects(
        &mut self,
        entry: &Entry<'_>,
        base: &Block,
        number: usize,
        id: Option<i64>,
        line: &[u8],
    ) {
        let mut calls = Calls::default();
        if let Some(other) = transcript::entries(line).next() {
            let other = other.agent_line().unwrap_or(other);
            calls.note(other.line, other.record);
        }
        calls.note(entry.line, entry.record.clone());
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        for call in calls.all() {
            // A line may contain other calls, which have other results.
            let is_this_call = call.id.as_deref().map(call_hash) == id;
            let Some(answer) = call.answer.as_ref().filter(|_| is_this_call) else { continue };
            if call.status() != Status::Ok {
                continue;
            }
            let base = Block { time: milliseconds(answer.origin.time), ..base.clone() };
            let touch = Touch {
                offset: entry.offset,
                number,
                path: 0,
                operation: "read",
                added: 0,
                removed: 0,
                time: base.time,
                prompt: base.prompt,
            };
            match call.kind() {
                ToolKind::Change => self.add_changes(&touch, call),
                _ => match call.summary() {
                    Summary::Read { path, .. } => {
                        let path = self.part.names.add(&path, self.texts);
                        self.part.touches.push(Touch { path, ..touch });
                    }
                    Summary::Shell { git_actions, .. } => {
                        self.add_git_actions(&base, number, git_actions);
                    }
                    _ => {}
                },
            }
        }
    }

    /// Records each file that a call changed.
    fn add_changes(&mut self, touch: &Touch, call: &ToolCall<'_>) {
        for change in call.file_changes() {
            let path = self.part.names.add(&change.path, self.texts);
            let operation = if change.is_new { "create" } else { "change" };
            let (added, removed) = (change.diff.added, change.diff.removed);
            self.part.touches.push(Touch { path, operation, added, removed, ..touch.clone() });
        }
    }

    fn add_git_actions(&mut self, base: &Block, number: u32, git_actions: Vec<GitAction>) {
        for action in git_actions {
            let (kind, name, url, branch, subject) = match action {
                GitAction::Commit { hash, branch, subject } => {
                    ("commit", Some(hash), None, branch, subject)
                }
                GitAction::PullRequest { number, url } => {
                    ("pull_request", number.map(|number| number.to_string()), url, None, None)
                }
                GitAction::Push { .. } => continue,
            };
            let mask =
                |text: Option<String>| text.map(|text| self.texts.line_without_secrets(&text));
            let (url, branch, subject) = (mask(url), mask(branch), mask(subject));
            self.part.git_actions.push(GitActionRow {
                offset: base.offset,
                number,
                kind,
                name,
                url,
                branch,
                subject,
                time: base.time,
                prompt: base.prompt,
            });
        }
    }
}

/// Whether the effects of a tool on files or the repository are recorded.
pub(crate) fn has_recorded_effects(tool: &str) -> bool {
    is_shell(tool) || matches!(ToolKind::of(tool), ToolKind::Read | ToolKind::Change)
}

/// Whether a tool runs commands. `BashOutput` only prints the output of an earlier one.
fn is_shell(tool: &str) -> bool {
    ToolKind::of(tool) == ToolKind::Shell && tool != "BashOutput"
}
