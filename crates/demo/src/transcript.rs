//! Builds one transcript line by line: the envelope of each era, the chain of
//! parents, the clock, and token counts that grow with the conversation.
//!
//! Prompts and responses are in `exchange`, lines that hold state rather than
//! conversation in `state`, tools in `tools`.

use jiff::Timestamp;

use super::files::{iso, later};
use super::identity::Ids;
use super::object::Object;

/// Values that are the same on all lines of a session.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    pub(super) session: &'static str,
    pub(super) cwd: &'static str,
    pub(super) branch: &'static str,
    pub(super) version: &'static str,
    pub(super) slug: Option<&'static str>,
    pub(super) model: &'static str,
}

/// The last line of the main conversation when a side chain began in its file.
pub(super) struct MainLeaf(Option<String>);

/// A prompt as written to `history.jsonl`.
#[derive(Clone, PartialEq)]
pub(super) struct TypedPrompt {
    pub(super) at: Timestamp,
    pub(super) session: &'static str,
    pub(super) cwd: &'static str,
    pub(super) text: String,
}

pub(super) struct Transcript {
    pub(super) setting: Setting,
    pub(super) ids: Ids,
    pub(super) agent: Option<&'static str>,
    pub(super) sidechain: bool,
    pub(super) forked_from: Option<&'static str>,
    pub(super) clock: Timestamp,
    pub(super) turn_started: Timestamp,
    pub(super) parent: Option<String>,
    pub(super) prompt_id: Option<String>,
    /// Tokens of the last call's context, which the next call reads from the cache.
    pub(super) context: u64,
    /// Tokens added since.
    pub(super) fresh: u64,
    pub(super) typed: Vec<TypedPrompt>,
    bytes: Vec<u8>,
}

impl Transcript {
    pub(super) fn new(setting: Setting, start: Timestamp) -> Self {
        Self {
            setting,
            ids: Ids::named(setting.session),
            agent: None,
            sidechain: false,
            forked_from: None,
            clock: start,
            turn_started: start,
            parent: None,
            prompt_id: None,
            context: 14_200,
            fresh: 9_800,
            typed: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// A sub-agent's own file. Its lines carry the session id of the parent.
    pub(super) fn of_agent(setting: Setting, agent: &'static str, start: Timestamp) -> Self {
        let mut transcript = Self::new(setting, start);
        transcript.ids = Ids::named(agent);
        transcript.agent = Some(agent);
        transcript.sidechain = true;
        transcript.context = 0;
        transcript.fresh = 11_600;
        transcript
    }

    /// A fork replays another session's lines: same ids, same times, and a
    /// `forkedFrom` on each until [`Transcript::end_replay`].
    pub(super) fn fork_of(original: Setting, session: &'static str, start: Timestamp) -> Self {
        let mut transcript = Self::new(original, start);
        transcript.setting.session = session;
        transcript.forked_from = Some(original.session);
        transcript
    }

    pub(super) fn end_replay(&mut self) {
        self.forked_from = None;
        self.ids = Ids::named(self.setting.session);
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock
    }

    pub(super) fn wait(&mut self, seconds: i64) {
        self.clock = later(self.clock, 1_000 * seconds);
    }

    pub(super) fn wait_until(&mut self, moment: Timestamp) {
        self.clock = self.clock.max(moment);
    }

    /// For conversations whose earlier part is left out, and for compactions.
    pub(super) fn set_context(&mut self, tokens: u64) {
        self.context = tokens;
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    pub(super) fn typed(&self) -> &[TypedPrompt] {
        &self.typed
    }

    /// The uuid of the next line's parent.
    pub(super) fn leaf(&self) -> Option<String> {
        self.parent.clone()
    }

    /// Lines of a sub-agent inside the main file, as 1.0 wrote them.
    pub(super) fn enter_sidechain(&mut self) -> MainLeaf {
        self.sidechain = true;
        MainLeaf(self.parent.take())
    }

    pub(super) fn leave_sidechain(&mut self, main_leaf: MainLeaf) {
        self.sidechain = false;
        self.parent = main_leaf.0;
    }

    /// Appends a line of the conversation's graph and returns its uuid. `own`
    /// has the members of this kind of line, `after` those after the timestamp.
    pub(super) fn chain(&mut self, parent: Option<String>, own: &Object, after: &Object) -> String {
        let uuid = self.ids.uuid();
        let setting = self.setting;
        let location = Object::new()
            .with("cwd", setting.cwd)
            .with("sessionId", setting.session)
            .with("version", setting.version)
            .with("gitBranch", setting.branch);
        let stamp = Object::new().with("uuid", uuid.as_str()).with("timestamp", iso(self.clock));
        let start = Object::new().with("parentUuid", parent).with("isSidechain", self.sidechain);
        let line = if self.is_new() {
            start
                .with_some("agentId", self.agent)
                .and(own)
                .and(&stamp)
                .and(after)
                .with("userType", "external")
                .with("entrypoint", "cli")
                .and(&location)
                .with_some("slug", setting.slug)
        } else {
            start
                .with("userType", "external")
                .and(&location)
                .with_some("agentId", self.agent)
                .with_some("slug", setting.slug)
                .and(own)
                .and(&stamp)
                .and(after)
        };
        let line = match self.forked_from {
            Some(original) => line.with_object(
                "forkedFrom",
                &Object::new().with("sessionId", original).with("messageUuid", uuid.as_str()),
            ),
            None => line,
        };
        self.fresh += tokens(&own.to_json());
        self.parent = Some(uuid.clone());
        self.line(&line);
        uuid
    }

    /// Appends any line.
    pub(super) fn line(&mut self, line: &Object) {
        self.bytes.extend_from_slice(line.to_json().as_bytes());
        self.bytes.push(b'\n');
    }

    pub(super) fn tick(&mut self) {
        let spread = self.ids.number() % 3_200;
        let milliseconds = i64::try_from(spread).unwrap_or_default();
        self.clock = later(self.clock, 900 + milliseconds);
    }

    /// Since about 2.1.90 the members of this kind of line come before the working directory.
    pub(super) fn is_new(&self) -> bool {
        !["1.", "2.0."].iter().any(|old| self.setting.version.starts_with(old))
    }
}

/// An estimate: four characters per token.
pub(super) fn tokens(json: &str) -> u64 {
    u64::try_from(json.len() / 4).unwrap_or_default()
}
