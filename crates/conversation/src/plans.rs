//! The plans of a transcript, version by version.
//!
//! A plan is proposed by an `ExitPlanMode` call, carried by a line as
//! `planContent`, or written to a plan file. A slug alone is not a plan: most lines
//! of most sessions have one.
//!
//! Deliberately not here: files. A path in a transcript is only a hint; it stays
//! text and is never opened.

use jiff::Timestamp;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use transcript::{Body, Content, Json, Record, ToolResult, ToolUse, User, json};

/// Where the text of a plan comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanSource {
    /// Proposed by an `ExitPlanMode` call.
    ExitPlanMode,
    /// Carried by the prompt that starts the work on it.
    PlanContent,
    /// Written to a plan file by a tool.
    FileWrite,
}

impl PlanSource {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            PlanSource::ExitPlanMode => "exit_plan_mode",
            PlanSource::PlanContent => "plan_content",
            PlanSource::FileWrite => "file_write",
        }
    }
}

/// Whether the person accepted a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanStatus {
    /// The person approved it.
    Approved,
    /// The person rejected it.
    Rejected,
    /// There is no answer yet.
    Pending,
    /// The transcript does not record that the person was asked.
    Unknown,
}

impl PlanStatus {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            PlanStatus::Approved => "approved",
            PlanStatus::Rejected => "rejected",
            PlanStatus::Pending => "pending",
            PlanStatus::Unknown => "unknown",
        }
    }
}

/// One version of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanVersion {
    /// Where its text comes from.
    pub source: PlanSource,
    /// Whether the person accepted it.
    pub status: PlanStatus,
    /// Its Markdown.
    pub text: String,
    /// The call that proposed or wrote it.
    pub tool_use_id: Option<String>,
    /// The name of its file, without extension.
    pub slug: Option<String>,
    /// The file as the transcript names it.
    pub path: Option<String>,
    /// When its line was written.
    pub timestamp: Option<Timestamp>,
    /// The line.
    pub line: u64,
}

/// The plans of one transcript, collected record by record in file order.
#[derive(Clone, Debug, Default)]
pub struct Plans {
    versions: Vec<PlanVersion>,
    slugs: BTreeSet<String>,
    /// Calls whose result is still to come.
    open: HashMap<String, Open>,
    /// The latest version of each file.
    by_path: HashMap<String, usize>,
    /// The total bytes that edits have expanded to.
    expanded: usize,
}

/// The most bytes that edits may expand to: a short line can ask for an edit that
/// makes a text a million times as long.
const MOST_EXPANDED: usize = 16 * 1024 * 1024;

/// A call that waits for its result.
#[derive(Clone, Debug)]
enum Open {
    /// A proposal; the number of its version, if the call carried the text.
    Proposal(Option<usize>),
    /// A written file: the number of its version.
    Write(usize),
    /// Edits of a file, each (old text, new text, replace all).
    Edits { path: String, edits: Vec<(String, String, bool)> },
}

impl Plans {
    /// The versions in order; the same text twice in a row is one version.
    pub fn versions(&self) -> &[PlanVersion] {
        &self.versions
    }

    /// The names of the plan files that this transcript can have.
    pub fn slugs(&self) -> &BTreeSet<String> {
        &self.slugs
    }

    /// Adds the next record.
    pub fn note(&mut self, record: &Record<'_>, line: u64) {
        if let Some(slug) = record.envelope.slug.as_deref() {
            self.note_slug(slug);
        }
        match &record.body {
            Body::Assistant(_) => {
                for call in record.message().into_iter().flat_map(transcript::Message::tool_uses) {
                    self.call(call, record, line);
                }
            }
            Body::User(user) => {
                if let Some(text) = user.plan_content.as_deref() {
                    self.add(PlanVersion {
                        status: PlanStatus::Approved,
                        ..version(PlanSource::PlanContent, text, record, line)
                    });
                }
                for result in
                    record.message().into_iter().flat_map(transcript::Message::tool_results)
                {
                    self.result(result, user, record, line);
                }
            }
            _ => {}
        }
    }

    fn note_slug(&mut self, slug: &str) {
        if !slug.is_empty() && !self.slugs.contains(slug) {
            self.slugs.insert(slug.to_owned());
        }
    }

    fn call(&mut self, call: &ToolUse<'_>, record: &Record<'_>, line: u64) {
        let (Some(name), Some(input)) = (call.name.as_deref(), &call.input) else { return };
        let id = call.id.as_ref().map(ToString::to_string);
        let open = match name {
            "ExitPlanMode" | "exit_plan_mode" => {
                let path = input.member_string("planFilePath");
                let number = input.member_string("plan").and_then(|text| {
                    self.add(PlanVersion {
                        status: PlanStatus::Pending,
                        tool_use_id: id.clone(),
                        path: path.map(Cow::into_owned),
                        ..version(PlanSource::ExitPlanMode, &text, record, line)
                    })
                });
                Open::Proposal(number)
            }
            "Write" | "Edit" | "MultiEdit" => {
                let Some(path) = input.member_string("file_path") else { return };
                let Some(slug) = self.slug_of(&path) else { return };
                self.note_slug(&slug);
                if name != "Write" {
                    Open::Edits { path: path.into_owned(), edits: edits(input) }
                } else if let Some(text) = input.member_string("content")
                    && let Some(number) = self.add(PlanVersion {
                        tool_use_id: id.clone(),
                        slug: Some(slug),
                        path: Some(path.into_owned()),
                        ..version(PlanSource::FileWrite, &text, record, line)
                    })
                {
                    Open::Write(number)
                } else {
                    return;
                }
            }
            _ => return,
        };
        if let Some(id) = id {
            self.open.insert(id, open);
        }
    }

    fn result(&mut self, result: &ToolResult<'_>, user: &User<'_>, record: &Record<'_>, line: u64) {
        let Some(id) = &result.tool_use_id else { return };
        let Some(open) = self.open.remove(id.as_str()) else { return };
        let text = result.content.as_ref().map(Content::text).unwrap_or_default();
        let is_denied = result.is_error || user.tool_denial_kind.is_some() || is_denial(&text);
        let structured = user.tool_use_result.as_ref();
        match open {
            Open::Proposal(number) => {
                let waits = structured
                    .and_then(|result| result.member("awaitingLeaderApproval"))
                    .is_some_and(|waits| waits == "true");
                let status = match (is_denied, waits) {
                    (true, _) => PlanStatus::Rejected,
                    (false, true) => PlanStatus::Pending,
                    (false, false) => PlanStatus::Approved,
                };
                self.answer_proposal(number, status, id.as_str(), &text, structured, record, line);
            }
            Open::Write(number) => {
                if is_denied && self.versions[number].tool_use_id.as_deref() == Some(id.as_str()) {
                    self.versions[number].status = PlanStatus::Rejected;
                }
            }
            Open::Edits { path, edits } => {
                let original = structured.and_then(|result| result.member_string("originalFile"));
                if !is_denied {
                    let original = original.as_deref();
                    self.apply_edits(&path, &edits, original, id.as_str(), record, line);
                }
            }
        }
    }

    /// Handles the answer to a proposal. It can carry the text: of a plan that the
    /// call only named, or as edited by the person.
    #[expect(clippy::too_many_arguments, reason = "the parts of one answer")]
    fn answer_proposal(
        &mut self,
        number: Option<usize>,
        status: PlanStatus,
        id: &str,
        answer: &str,
        structured: Option<&Json<'_>>,
        record: &Record<'_>,
        line: u64,
    ) {
        let path = structured.and_then(|result| result.member_string("filePath"));
        let path = path.map(Cow::into_owned);
        let text = structured.and_then(|result| result.member_string("plan"));
        let text = text.as_deref().or_else(|| approved_text(answer));
        let text = text.filter(|_| status != PlanStatus::Rejected);
        match (number, text) {
            (Some(number), Some(text)) if !is_same_plan(&self.versions[number].text, text) => {
                // The person edited it while approving, so the proposed version has
                // no answer.
                self.versions[number].status = PlanStatus::Unknown;
                self.proposal(text, status, id, path, record, line);
            }
            (Some(number), _) => {
                let version = &mut self.versions[number];
                version.status = status;
                version.slug = path.as_deref().and_then(stem).or(version.slug.take());
                version.path = path.or(version.path.take());
            }
            (None, Some(text)) => self.proposal(text, status, id, path, record, line),
            (None, None) => {
                // Neither has a text: the plan is the file, if its write was recorded.
                let number = match path {
                    Some(path) => self.by_path.get(&path).copied(),
                    None => self.versions.len().checked_sub(1),
                };
                if let Some(number) = number {
                    self.versions[number].status = status;
                }
            }
        }
    }

    fn proposal(
        &mut self,
        text: &str,
        status: PlanStatus,
        id: &str,
        path: Option<String>,
        record: &Record<'_>,
        line: u64,
    ) {
        let plain = version(PlanSource::ExitPlanMode, text, record, line);
        self.add(PlanVersion {
            status,
            tool_use_id: Some(id.to_owned()),
            slug: path.as_deref().and_then(stem).or(plain.slug.clone()),
            path,
            ..plain
        });
    }

    /// Applies edits to a file whose text is known, from before or from the answer.
    fn apply_edits(
        &mut self,
        path: &str,
        edits: &[(String, String, bool)],
        original: Option<&str>,
        id: &str,
        record: &Record<'_>,
        line: u64,
    ) {
        let known = || Some(self.versions[*self.by_path.get(path)?].text.as_str());
        let Some(mut text) = original.or_else(known).map(str::to_owned) else { return };
        for (old, new, all) in edits {
            if old.is_empty() {
                continue;
            }
            let times = text.matches(old.as_str()).take(if *all { usize::MAX } else { 1 }).count();
            let length = text.len().saturating_add(times.saturating_mul(new.len()));
            self.expanded = self.expanded.saturating_add(length);
            if self.expanded > MOST_EXPANDED {
                return;
            }
            text = text.replacen(old, new, times);
        }
        self.add(PlanVersion {
            tool_use_id: Some(id.to_owned()),
            slug: stem(path),
            path: Some(path.to_owned()),
            ..version(PlanSource::FileWrite, &text, record, line)
        });
    }

    /// Adds a version, or completes the last one if it has the same text. Returns its
    /// number; `None` if there is no text.
    fn add(&mut self, new: PlanVersion) -> Option<usize> {
        if new.text.trim().is_empty() {
            return None;
        }
        if let Some(last) =
            self.versions.last_mut().filter(|last| is_same_plan(&last.text, &new.text))
        {
            let path = new.path.clone().or(last.path.take());
            let slug = new.slug.clone().or(last.slug.take());
            // A file written after the answer does not undo the answer.
            if new.status != PlanStatus::Unknown || last.status == PlanStatus::Unknown {
                *last = new;
            }
            last.path = path;
            last.slug = slug;
        } else {
            self.versions.push(new);
        }
        let number = self.versions.len() - 1;
        if let Some(path) = self.versions[number].path.clone() {
            self.by_path.insert(path, number);
        }
        Some(number)
    }

    /// The slug of a plan file: one in the app's own directory, or one named by a slug
    /// of this transcript. A project can also have a directory called `plans`.
    fn slug_of(&self, path: &str) -> Option<String> {
        let name = stem(path)?;
        let mut folders = path.rsplit(['/', '\\']).skip(2);
        let is_apps_own = folders.next() == Some(".claude");
        let slug = name.split_once("-agent-").map_or(name.as_str(), |(slug, _)| slug);
        (is_apps_own || self.slugs.contains(slug)).then_some(name)
    }
}

/// Whether two texts are the same plan.
fn is_same_plan(one: &str, two: &str) -> bool {
    one.trim() == two.trim()
}

/// The name of a file in a directory `plans`, without its extension.
fn stem(path: &str) -> Option<String> {
    let mut parts = path.rsplit(['/', '\\']);
    let name = parts.next()?.strip_suffix(".md")?;
    (parts.next() == Some("plans") && !name.is_empty()).then(|| name.to_owned())
}

fn version(source: PlanSource, text: &str, record: &Record<'_>, line: u64) -> PlanVersion {
    PlanVersion {
        source,
        status: PlanStatus::Unknown,
        text: text.to_owned(),
        tool_use_id: None,
        slug: record.envelope.slug.as_deref().map(str::to_owned),
        path: None,
        timestamp: record.time(),
        line,
    }
}

fn edits(input: &Json<'_>) -> Vec<(String, String, bool)> {
    let edit = |text: &str| {
        let string = |key| Some(json::decode_string(json::member(text, key)?)?.text.into_owned());
        let all = json::member(text, "replace_all") == Some("true");
        Some((string("old_string")?, string("new_string")?, all))
    };
    match input.member("edits") {
        Some(list) => json::elements(list).filter_map(edit).collect(),
        None => edit(input.as_str()).into_iter().collect(),
    }
}

/// Whether an answer is the text that the app writes when the person rejects a plan.
fn is_denial(answer: &str) -> bool {
    let denials = [
        "The user doesn't want to proceed",
        "The user doesn't want to take this action",
        "The agent proposed a plan that was rejected",
        "User rejected",
    ];
    let answer = answer.trim_start();
    denials.iter().any(|denial| answer.starts_with(denial))
}

/// The plan that an approval repeats.
fn approved_text(answer: &str) -> Option<&str> {
    let (_, rest) = answer.split_once("\n## Approved Plan")?;
    let (title, text) = rest.split_once('\n')?;
    // `:`, or `(edited by user):`.
    (title.len() < 40 && title.ends_with(':')).then_some(text)
}
