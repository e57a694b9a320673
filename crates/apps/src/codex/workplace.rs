//! Where Codex worked: the folder and the git branch, which can change when a thread is resumed.
//!
//! The newest line of the thread itself that names one counts. A fork that repeats the lines of
//! its parent has the parent's lines too; those say where the repeated lines were written.
//!
//! Every `turn_context` and every change of settings names the folder. A later `session_meta`
//! of the thread is often a copy of the first one, so it names a folder only if it names another
//! one than the `session_meta` before it.

use std::sync::Arc;

use crate::Workplace;
use jiff::Timestamp;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::codex::line::Peek;
use crate::codex::replay::Replay;
use crate::codex::text::Text;

/// What has to be remembered between lines.
#[derive(Debug, Default)]
pub(crate) struct Workplaces {
    pub(crate) replay: Replay,
    /// The thread of the file.
    own_thread: Option<String>,
    /// The folder in the thread's latest `session_meta`.
    latest_meta: Option<String>,
    /// Where the thread is now.
    pub(crate) own: Option<Arc<Workplace>>,
    /// Where the repeated lines were written.
    replayed: Option<Arc<Workplace>>,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    forked_from_id: Option<Text<'a>>,
    #[serde(borrow)]
    history_mode: Option<Text<'a>>,
    history_base: Option<IgnoredAny>,
    #[serde(borrow)]
    cwd: Option<Text<'a>>,
    #[serde(borrow)]
    git: Option<Git<'a>>,
}

#[derive(Deserialize)]
struct Git<'a> {
    #[serde(borrow)]
    branch: Option<Text<'a>>,
}

/// A line that names the folder: `turn_context`, or the settings of the thread.
#[derive(Deserialize)]
struct Settings<'a> {
    #[serde(borrow)]
    cwd: Option<Text<'a>>,
}

impl Workplaces {
    /// Where the current line was written.
    pub(crate) fn current(&self) -> Option<&Arc<Workplace>> {
        if self.replay.is_active { self.replayed.as_ref() } else { self.own.as_ref() }
    }

    /// Notes the time of an object.
    pub(crate) fn note_time(&mut self, time: Option<Timestamp>) {
        self.replay.note_time(time);
    }

    /// Notes a line that is passed over otherwise, as far as its first bytes tell.
    pub(crate) fn note_passed(&mut self, peeked: Option<&Peek<'_>>) {
        if let Some(peeked) = peeked
            && self.replay.waits_for_pause()
        {
            let time = std::str::from_utf8(peeked.time).ok();
            self.note_time(time.and_then(|time| time.parse().ok()));
        }
    }

    /// Takes one object: the type of its line and of its payload, the payload, and the current
    /// turn.
    pub(crate) fn read(
        &mut self,
        kind: &str,
        payload_kind: &str,
        payload: &str,
        turn: Option<&str>,
    ) {
        match (kind, payload_kind) {
            ("session_meta", _) => self.read_meta(payload),
            ("event_msg", "task_started" | "turn_started") => self.note_turn(turn),
            ("turn_context", _) => {
                self.note_turn(turn);
                if let Ok(Settings { cwd: Some(cwd) }) = serde_json::from_str(payload) {
                    self.move_to(&cwd);
                }
            }
            ("event_msg", "thread_settings_applied") => {
                #[derive(Deserialize)]
                struct Applied<'a> {
                    #[serde(borrow)]
                    thread_settings: Settings<'a>,
                }
                if let Ok(Applied { thread_settings: Settings { cwd: Some(cwd) } }) =
                    serde_json::from_str(payload)
                {
                    self.move_to(&cwd);
                }
            }
            _ => {}
        }
    }

    fn note_turn(&mut self, turn: Option<&str>) {
        if let Some(turn) = turn {
            self.replay.note_turn(turn);
        }
    }

    fn read_meta(&mut self, payload: &str) {
        let Ok(meta) = serde_json::from_str::<Meta<'_>>(payload) else { return };
        let directory = meta.cwd.filter(|cwd| !cwd.is_empty()).map(Text::into_string);
        let branch = |git: Git<'_>| git.branch.map(Text::into_string);
        match &self.own_thread {
            None => {
                let is_fork = meta.forked_from_id.is_some() && meta.history_base.is_none();
                let is_paginated = meta.history_mode.as_deref() == Some("paginated");
                self.replay.begin(&meta.id, is_fork, is_paginated);
                self.own_thread = Some(meta.id.into_string());
                self.latest_meta.clone_from(&directory);
                let branch = meta.git.and_then(branch);
                self.own = Some(Arc::new(Workplace { directory, branch }));
            }
            Some(own) if own == &*meta.id => {
                self.replay.note_meta(true);
                let before = self.own.as_deref().cloned().unwrap_or_default();
                let is_new = directory.is_some() && directory != self.latest_meta;
                let now = Workplace {
                    branch: meta.git.map_or_else(|| before.branch.clone(), branch),
                    directory: directory.clone().filter(|_| is_new).or(before.directory.clone()),
                };
                self.latest_meta = directory.or(self.latest_meta.take());
                if now != before {
                    self.own = Some(Arc::new(now));
                }
            }
            Some(_) => {
                self.replay.note_meta(false);
                let branch = meta.git.and_then(branch);
                self.replayed = Some(Arc::new(Workplace { directory, branch }));
            }
        }
    }

    /// Notes the folder of the current line.
    fn move_to(&mut self, directory: &str) {
        let place = if self.replay.is_active { &mut self.replayed } else { &mut self.own };
        let before = place.as_deref().cloned().unwrap_or_default();
        if !directory.is_empty() && before.directory.as_deref() != Some(directory) {
            let directory = Some(directory.to_owned());
            *place = Some(Arc::new(Workplace { directory, ..before }));
        }
    }
}
