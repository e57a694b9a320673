//! Claude Code's `settings.json` as text: the parts that `setup` installs, and
//! how exactly they are removed again.
//!
//! The installed parts are recorded ([`InstalledParts`]). If the file has not
//! changed since, removing everything restores exactly the original bytes. If
//! somebody has changed it, only annals' own parts are removed, wherever they
//! are now. Everything else keeps its bytes. The path of the file, and asking
//! for permission, are not here.

mod command;
mod hooks;
mod members;
mod status_line;

use crate::json_text::{
    BYTE_ORDER_MARK, JsonError, Node, SPACE, check, members, quoted, replaced_by, with_member,
};
use command::{OwnCommand, calls, is_annals};
use hooks::{Hook, InstalledHooks, hooks_in, put_hook, take_hooks};
use members::{kind, only, root, top, without_member};
use serde::{Deserialize, Serialize};
use status_line::{InstalledStatusLine, status_line_in, take_status_line};

/// The events that run `annals hook`.
pub const HOOK_EVENTS: [&str; 3] = ["SessionStart", "SessionEnd", "PreCompact"];

/// A part that can be installed into settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// `annals hook` at [`HOOK_EVENTS`].
    Hooks,
    /// `annals statusline`, in front of the existing command.
    StatusLine,
    /// At least this many days before transcripts are deleted.
    Cleanup(u64),
}

/// The result of installing a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PutOutcome {
    /// The text changed.
    Changed,
    /// It was already installed.
    Already,
    /// It is left unchanged, for this reason.
    LeftAlone(&'static str),
}

/// Why settings are not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The bytes are not text.
    #[error("it is not UTF-8")]
    NotText,
    /// The text is not JSON.
    #[error("it is not JSON: {0}")]
    NotJson(JsonError),
    /// It is JSON, but not an object.
    #[error("it should be an object, but is {0}")]
    NotAnObject(&'static str),
    /// A member has the wrong type.
    #[error("{member} should be {expected}, but is {found}")]
    Unexpected {
        /// Its name.
        member: String,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// A member occurs twice.
    #[error("it contains {0} twice")]
    Twice(String),
}

/// The parts installed in a settings file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstalledParts {
    /// The text without them; `None` if there was no file.
    original: Option<String>,
    /// The text with them.
    left: Option<String>,
    hooks: Option<InstalledHooks>,
    status_line: Option<InstalledStatusLine>,
    cleanup: Option<InstalledCleanup>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct InstalledCleanup {
    days: u64,
    /// The JSON of the previous number.
    replaced: Option<String>,
}

impl InstalledParts {
    /// Whether nothing is installed.
    pub fn is_empty(&self) -> bool {
        self.hooks.is_none() && self.status_line.is_none() && self.cleanup.is_none()
    }
}

/// A settings file being edited.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The text on disk.
    before: Option<String>,
    /// The text without annals.
    base: Option<String>,
    /// The text that editing started from: an object, even if there is no file.
    start: String,
    text: String,
    installed: InstalledParts,
    program: String,
}

impl Settings {
    /// Opens settings from a file's bytes, the recorded installed parts, and
    /// the program to install. An empty or missing file counts as an empty
    /// object.
    pub fn open(
        bytes: Option<&[u8]>,
        installed: InstalledParts,
        program: &str,
    ) -> Result<Settings, SettingsError> {
        let before = match bytes {
            None => None,
            Some(bytes) => Some(str::from_utf8(bytes).map_err(|_| SettingsError::NotText)?),
        };
        let text = before.filter(|text| !is_blank(text)).unwrap_or("{}\n");
        let root = check(text).map_err(SettingsError::NotJson)?;
        if !text[root.start..].starts_with('{') {
            return Err(SettingsError::NotAnObject(kind(text, &root)));
        }
        let mut settings = Settings {
            before: before.map(str::to_owned),
            base: None,
            start: text.to_owned(),
            text: text.to_owned(),
            installed,
            program: program.to_owned(),
        };
        settings.adopt();
        settings.base = settings.without_annals();
        Ok(settings)
    }

    /// The text to write.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The parts known to be installed.
    pub fn installed(&self) -> &InstalledParts {
        &self.installed
    }

    /// Whether a top-level member is `true`.
    pub fn is_true(&self, key: &str) -> bool {
        is_true(&self.text, key)
    }

    /// Installs a part.
    pub fn put(&mut self, part: Part) -> Result<PutOutcome, SettingsError> {
        match part {
            Part::Hooks => self.put_hooks(),
            Part::StatusLine => self.put_status_line(),
            Part::Cleanup(days) => self.put_cleanup(days),
        }
    }

    /// Removes a part. Returns whether the text changed.
    pub fn take(&mut self, part: Part) -> bool {
        let (installed, text) = (&mut self.installed, &self.text);
        let taken = match part {
            Part::Hooks => installed.hooks.take().and_then(|it| take_hooks(text, &it)),
            Part::StatusLine => {
                installed.status_line.take().and_then(|it| take_status_line(text, &it))
            }
            Part::Cleanup(_) => installed.cleanup.take().and_then(|it| take_cleanup(text, &it)),
        };
        let is_changed = taken.is_some();
        self.text = taken.unwrap_or(std::mem::take(&mut self.text));
        is_changed
    }

    /// The final text, `None` if there should be no file; and the installed
    /// parts.
    pub fn close(mut self) -> (Option<String>, InstalledParts) {
        let after = match (self.text == self.start, self.installed.is_empty()) {
            (true, _) => self.before,
            (false, true) => self.base.clone(),
            (false, false) => Some(self.text),
        };
        if self.installed.is_empty() {
            return (after, InstalledParts::default());
        }
        self.installed.original = self.base;
        self.installed.left.clone_from(&after);
        (after, self.installed)
    }

    /// Drops parts that somebody else removed. Without a record, a part is
    /// annals' own if it has exactly the command that is installed, with this
    /// program or another annals.
    fn adopt(&mut self) {
        let mut hooks = hooks_in(&self.text);
        hooks.retain(Hook::is_at_our_events);
        let line = status_line_in(&self.text).ok().flatten();
        let installed = &mut self.installed;
        installed.hooks.take_if(|own| hooks.iter().all(|hook| hook.command != own.command));
        installed
            .status_line
            .take_if(|own| line.as_ref().is_none_or(|line| line.command != own.command));
        installed.cleanup.take_if(|own| take_cleanup(&self.text, own).is_none());
        if self.installed.hooks.is_none() {
            let command = OwnCommand::Hook.written(&self.program);
            let is_exact = |hook: &&Hook| hook.command == command;
            let found = hooks.iter().find(is_exact);
            let found = found.or_else(|| hooks.iter().find(|hook| is_own_hook(&hook.command)));
            let made = ["hooks"].into_iter().chain(HOOK_EVENTS).map(str::to_owned).collect();
            self.installed.hooks =
                found.map(|hook| InstalledHooks { command: hook.command.clone(), made });
        }
        if self.installed.status_line.is_none()
            && let Some(line) = line
            && let Some((program, OwnCommand::StatusLine(then))) = OwnCommand::read(&line.command)
            && (program == self.program || is_annals(&program))
        {
            let replaced = then.as_deref().map(quoted);
            self.installed.status_line =
                Some(InstalledStatusLine { command: line.command, replaced });
        }
    }

    /// The file's content without annals.
    fn without_annals(&self) -> Option<String> {
        self.before.as_ref()?;
        if self.installed.left.is_some() && self.installed.left == self.before {
            return self.installed.original.clone();
        }
        let mut clean = self.clone();
        for part in [Part::Cleanup(0), Part::StatusLine, Part::Hooks] {
            clean.take(part);
        }
        let is_nothing = top(&clean.text).is_empty();
        let knows_nothing = self.installed.original.as_deref().is_none_or(is_blank);
        if is_nothing && knows_nothing && self.installed.left.is_some() {
            return self.installed.original.clone();
        }
        if clean.text == self.text { self.before.clone() } else { Some(clean.text) }
    }

    fn put_hooks(&mut self) -> Result<PutOutcome, SettingsError> {
        let command = OwnCommand::Hook.written(&self.program);
        let former = self.installed.hooks.take();
        let mut made = former.as_ref().map(|it| it.made.clone()).unwrap_or_default();
        let is_former = |other: &str| {
            former.as_ref().is_some_and(|it| it.command == other) || is_own_hook(other)
        };
        let mut text = self.text.clone();
        for event in HOOK_EVENTS {
            match put_hook(&text, event, &command, is_former, &mut made) {
                Ok(Some(changed)) => text = changed,
                Ok(None) => {}
                Err(error) => {
                    self.installed.hooks = former;
                    return Err(error);
                }
            }
        }
        // If somebody already runs it with their own options, it is not annals'
        // own.
        let is_in = hooks_in(&text).iter().any(|hook| hook.command == command);
        self.installed.hooks = is_in.then_some(InstalledHooks { command, made });
        Ok(self.changed_to(text))
    }

    fn put_status_line(&mut self) -> Result<PutOutcome, SettingsError> {
        let former = self.installed.status_line.clone();
        let own = |then: Option<String>| OwnCommand::StatusLine(then).written(&self.program);
        let Some(line) = status_line_in(&self.text)? else {
            let command = own(None);
            let value = Node::Object(vec![
                ("type", Node::Text("command".to_owned())),
                ("command", Node::Text(command.clone())),
            ]);
            let text = with_member(&self.text, &root(&self.text), "statusLine", &value);
            self.installed.status_line = Some(InstalledStatusLine { command, replaced: None });
            return Ok(self.changed_to(text));
        };
        let replaced = match former.filter(|it| it.command == line.command) {
            Some(former) => former.replaced,
            // With somebody's own options it stays theirs.
            None if calls(&line.command, "statusline") => return Ok(PutOutcome::Already),
            None => Some(self.text[line.value.clone()].to_owned()),
        };
        let then = replaced.as_deref().and_then(|json| serde_json::from_str(json).ok());
        let command = own(then);
        let text = if command == line.command {
            self.text.clone()
        } else {
            replaced_by(&self.text, &line.value, &quoted(&command))
        };
        self.installed.status_line = Some(InstalledStatusLine { command, replaced });
        Ok(self.changed_to(text))
    }

    fn put_cleanup(&mut self, days: u64) -> Result<PutOutcome, SettingsError> {
        const KEY: &str = "cleanupPeriodDays";
        let Some(member) = only(&top(&self.text), KEY)? else {
            let text = with_member(&self.text, &root(&self.text), KEY, &Node::Number(days));
            self.installed.cleanup = Some(InstalledCleanup { days, replaced: None });
            return Ok(self.changed_to(text));
        };
        let found = &self.text[member.value.clone()];
        let number: f64 = found.parse().unwrap_or(-1.0);
        if number == 0.0 {
            return Ok(PutOutcome::LeftAlone(
                "cleanupPeriodDays is 0, so Claude Code keeps no transcripts at all",
            ));
        }
        if number < 0.0 {
            let found = kind(&self.text, &member.value);
            let expected = "a number of days";
            return Err(SettingsError::Unexpected { member: KEY.to_owned(), expected, found });
        }
        #[expect(clippy::cast_precision_loss, reason = "days are few")]
        let is_enough = number >= days as f64;
        if is_enough {
            return Ok(PutOutcome::Already);
        }
        let replaced = Some(found.to_owned());
        let text = replaced_by(&self.text, &member.value, &days.to_string());
        self.installed.cleanup = Some(InstalledCleanup { days, replaced });
        Ok(self.changed_to(text))
    }

    fn changed_to(&mut self, text: String) -> PutOutcome {
        let put = if text == self.text { PutOutcome::Already } else { PutOutcome::Changed };
        self.text = text;
        put
    }
}

/// Whether a top-level member is `true`, in any text.
pub fn is_true(text: &str, key: &str) -> bool {
    let Ok(root) = check(text) else { return false };
    let members = if text[root.start..].starts_with('{') { members(text, &root) } else { vec![] };
    // If there are several, Claude Code uses the last.
    let member = members.into_iter().rfind(|member| member.key == key);
    member.is_some_and(|member| &text[member.value] == "true")
}

/// The annals programs that hooks and the status line of settings run, also those that people added.
/// Names and paths are as written.
pub fn named_programs(text: &str) -> Vec<(Part, String)> {
    if check(text).is_err() {
        return Vec::new();
    }
    let hooks = hooks_in(text)
        .into_iter()
        .filter_map(|hook| Some((Part::Hooks, command::called_program(&hook.command, "hook")?)));
    let line = status_line_in(text).ok().flatten();
    let line = line.and_then(|line| {
        Some((Part::StatusLine, command::called_program(&line.command, "statusline")?))
    });
    let mut programs: Vec<(Part, String)> = hooks.chain(line).collect();
    let mut seen = std::collections::HashSet::new();
    programs.retain(|(part, program)| seen.insert((matches!(part, Part::Hooks), program.clone())));
    programs
}

/// Whether a command is the hook of any annals program.
fn is_own_hook(command: &str) -> bool {
    OwnCommand::read(command)
        .is_some_and(|(program, own)| own == OwnCommand::Hook && is_annals(&program))
}

fn is_blank(text: &str) -> bool {
    text.trim_start_matches(BYTE_ORDER_MARK).trim_matches(SPACE).is_empty()
}

fn take_cleanup(text: &str, installed: &InstalledCleanup) -> Option<String> {
    let member = only(&top(text), "cleanupPeriodDays").ok().flatten()?;
    if text[member.value.clone()] != installed.days.to_string() {
        return None;
    }
    match &installed.replaced {
        Some(former) => Some(replaced_by(text, &member.value, former)),
        None => without_member(text, "cleanupPeriodDays"),
    }
}
