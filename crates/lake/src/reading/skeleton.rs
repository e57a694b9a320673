//! A session without text as transcripts: prompts without words, calls, tools and files.
//!
//! Tool calls keep their names, files, times and outcomes, and lose their inputs and results.
//! A prompt says that its text is not shared, so that prompts and turns can be counted.

use crate::reading::call_line::{call_line, folder};
use crate::rows::{
    AttributionRow, CallRow, CommitRow, PullRequestRow, SessionRow, ToolCallRow, TouchRow,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

/// The text of a prompt that is not shared.
const NOT_SHARED: &str = "[not shared]";
/// A row may say that it has any number of prompts and changed lines; this many are shown.
const MOST_PROMPTS: u64 = 10_000;
const MOST_CHANGED_LINES: u64 = 100_000;

/// The rows of a session.
#[derive(Debug, Default)]
pub(crate) struct Skeleton<'r> {
    pub(crate) session: Option<&'r SessionRow>,
    pub(crate) calls: Vec<&'r CallRow>,
    /// By the id and request of the call.
    pub(crate) attributions: HashMap<(&'r str, Option<&'r str>), &'r AttributionRow>,
    pub(crate) tool_calls: Vec<&'r ToolCallRow>,
    /// By sub-agent and place of the tool call.
    pub(crate) touches: HashMap<(Option<&'r str>, u64), &'r TouchRow>,
    pub(crate) commits: Vec<&'r CommitRow>,
    pub(crate) pull_requests: Vec<&'r PullRequestRow>,
}

/// A line that is to be written: its time, its place among lines of one time, and itself.
struct TimedLine {
    time: Option<Timestamp>,
    line: Value,
    /// A line that is not written as JSON values are: it has exact digits.
    text: Option<String>,
}

/// The lines of each transcript: the session's and those of agents.
type Transcripts<'r> = BTreeMap<Option<&'r str>, Vec<TimedLine>>;

impl<'r> Skeleton<'r> {
    /// The content of each transcript.
    pub(crate) fn transcripts(&self) -> BTreeMap<Option<&'r str>, String> {
        let mut transcripts = Transcripts::new();
        self.add_prompts(&mut transcripts);
        self.add_calls(&mut transcripts);
        for request in &self.pull_requests {
            add_pull_request(request, &mut transcripts);
        }
        let texts = transcripts.into_iter().map(|(agent, mut lines)| {
            lines.sort_by_key(|line| line.time);
            (agent, joined(agent, lines))
        });
        texts.collect()
    }

    /// The types of the sub-agents.
    pub(crate) fn agent_types(&self) -> BTreeMap<&'r str, &'r str> {
        let by_tools = self.tool_calls.iter().map(|row| (&row.agent_id, &row.agent_type));
        let by_calls = self.attributions.values().map(|row| (&row.agent_id, &row.agent_type));
        let known = by_calls.chain(by_tools);
        known.filter_map(|(id, name)| Some((id.as_deref()?, name.as_deref()?))).collect()
    }

    /// A prompt for each that was typed, before the first tool call that follows it.
    fn add_prompts(&self, transcripts: &mut Transcripts<'r>) {
        let Some(session) = self.session else { return };
        let mut begins: BTreeMap<u64, Timestamp> = BTreeMap::new();
        for row in self.tool_calls.iter().filter(|row| row.agent_id.is_none()) {
            if let Some(time) = row.time {
                let first = begins.entry(row.prompt).or_insert(time);
                *first = time.min(*first);
            }
        }
        let mut last = session.first_time;
        for number in 1..=session.prompts.min(MOST_PROMPTS) {
            let time = if number == 1 { session.first_time } else { begins.get(&number).copied() };
            last = time.max(last);
            let mut line = json!({
                "type": "user",
                "message": {"role": "user", "content": NOT_SHARED},
            });
            envelope(&mut line, session);
            transcripts.entry(None).or_default().push(timed(last, line));
        }
        if session.prompts == 0 || session.last_time > last {
            // The last time of the session, even if nothing else is known of it.
            let mut line = json!({"type": "system", "subtype": "not_shared", "content": ""});
            envelope(&mut line, session);
            transcripts.entry(None).or_default().push(timed(session.last_time, line));
        }
    }

    fn add_calls(&self, transcripts: &mut Transcripts<'r>) {
        let mut by_call: HashMap<&str, Vec<&ToolCallRow>> = HashMap::new();
        let mut alone = Vec::new();
        let known: HashMap<&str, &CallRow> =
            self.calls.iter().map(|row| (row.id.as_str(), *row)).collect();
        for row in &self.tool_calls {
            match row.call_id.as_deref().filter(|id| known.contains_key(id)) {
                Some(id) => by_call.entry(id).or_default().push(row),
                None => alone.push(*row),
            }
        }
        for row in &self.calls {
            let key = (row.id.as_str(), row.request_id.as_deref());
            let attribution = self.attributions.get(&key).copied();
            let agent = attribution.and_then(|own| own.agent_id.as_deref());
            let own = transcripts.entry(agent).or_default();
            own.push(exact(row.time, call_line(row, attribution, &[])));
            for tool in by_call.remove(row.id.as_str()).unwrap_or_default() {
                let mut later = (*row).clone();
                later.time = tool.time;
                let text = call_line(&later, attribution, &[self.tool_use(tool)]);
                let own = transcripts.entry(tool.agent_id.as_deref()).or_default();
                own.push(exact(tool.time, text));
                self.add_result(tool, transcripts);
            }
        }
        for tool in alone {
            let mut line = json!({
                "type": "assistant",
                "message": {"role": "assistant", "content": [self.tool_use(tool)]},
            });
            if let Some(id) = &tool.call_id {
                line["message"]["id"] = Value::from(id.as_str());
            }
            tool_envelope(&mut line, tool);
            let own = transcripts.entry(tool.agent_id.as_deref()).or_default();
            own.push(timed(tool.time, line));
            self.add_result(tool, transcripts);
        }
    }

    fn touch(&self, tool: &ToolCallRow) -> Option<&'r TouchRow> {
        let id = tool.agent_id.as_deref();
        self.touches.get(&(id, tool.number)).copied()
    }

    fn commits_of(&self, tool: &ToolCallRow) -> impl Iterator<Item = &&'r CommitRow> {
        let id = tool.tool_use_id.clone();
        self.commits.iter().filter(move |row| id.is_some() && row.tool_use_id == id)
    }

    fn tool_use(&self, tool: &ToolCallRow) -> Value {
        let mut input = json!({});
        if let Some(touch) = self.touch(tool) {
            let name = if touch.operation == "notebook" { "notebook_path" } else { "file_path" };
            input[name] = Value::from(folder(&tool.project, Some(&touch.file)));
        } else if self.commits_of(tool).next().is_some() {
            input["command"] = Value::from("git commit");
        }
        json!({"type": "tool_use", "id": use_id(tool), "name": tool.name, "input": input})
    }

    fn add_result(&self, tool: &'r ToolCallRow, transcripts: &mut Transcripts<'r>) {
        if !tool.is_answered {
            return;
        }
        let mut line = json!({
            "type": "user",
            "message": {"role": "user", "content": [{
                "type": "tool_result",
                "tool_use_id": use_id(tool),
                "content": "",
                "is_error": tool.is_error || tool.status == "denied",
            }]},
        });
        match tool.status.as_str() {
            "denied" => line["toolDenialKind"] = Value::from("not_shared"),
            "interrupted" => line["toolUseResult"] = json!({"interrupted": true}),
            _ => {}
        }
        if let Some(touch) = self.touch(tool).filter(|touch| touch.is_done) {
            line["toolUseResult"] = patch(touch);
        }
        let printed: Vec<String> = self
            .commits_of(tool)
            .map(|row| {
                let branch = row.branch.as_deref().unwrap_or("detached HEAD");
                format!("[{branch} {}]", row.hash)
            })
            .collect();
        if !printed.is_empty() {
            line["toolUseResult"] = json!({"stdout": printed.join("\n")});
        }
        tool_envelope(&mut line, tool);
        let milliseconds = tool.milliseconds.and_then(|took| i64::try_from(took).ok());
        let time = tool
            .time
            .zip(milliseconds)
            .and_then(|(time, took)| time.checked_add(SignedDuration::from_millis(took)).ok());
        set_time(&mut line, time);
        let place = time.or(tool.time);
        let own = transcripts.entry(tool.agent_id.as_deref()).or_default();
        own.push(TimedLine { time: place, line, text: None });
    }
}

/// Lines follow each other: the one before is the parent of each.
fn joined(agent: Option<&str>, lines: Vec<TimedLine>) -> String {
    let mut text = String::new();
    let mut parent = Value::Null;
    for (number, TimedLine { line, text: exact, .. }) in lines.into_iter().enumerate() {
        let uuid = Value::from(format!("{}-{number}", agent.unwrap_or("line")));
        let added = json!({"uuid": uuid, "parentUuid": parent});
        let rest = exact.unwrap_or_else(|| line.to_string());
        let mut whole = added.to_string();
        whole.pop();
        whole.push(',');
        whole.push_str(rest.strip_prefix('{').unwrap_or("}"));
        text.push_str(&whole);
        text.push('\n');
        parent = uuid;
    }
    text
}

fn add_pull_request(row: &PullRequestRow, transcripts: &mut Transcripts<'_>) {
    let mut line = json!({"type": "pr-link", "sessionId": row.session_id});
    let texts = [("prUrl", &row.url), ("prRepository", &row.repository)];
    for (name, value) in texts {
        if let Some(value) = value {
            line[name] = Value::from(value.as_str());
        }
    }
    if let Some(number) = row.number {
        line["prNumber"] = Value::from(number);
    }
    let own = transcripts.entry(None).or_default();
    own.push(timed(row.time, line));
}

fn use_id(tool: &ToolCallRow) -> String {
    let place = || format!("{}-{}", tool.agent_id.as_deref().unwrap_or("call"), tool.number);
    tool.tool_use_id.clone().unwrap_or_else(place)
}

fn timed(time: Option<Timestamp>, mut line: Value) -> TimedLine {
    set_time(&mut line, time);
    TimedLine { time, line, text: None }
}

fn exact(time: Option<Timestamp>, text: String) -> TimedLine {
    TimedLine { time, line: Value::Null, text: Some(text) }
}

fn set_time(line: &mut Value, time: Option<Timestamp>) {
    match (time, line.as_object_mut()) {
        (Some(time), Some(line)) => {
            line.insert("timestamp".to_owned(), time.to_string().into());
        }
        (None, Some(line)) => {
            line.remove("timestamp");
        }
        (_, None) => {}
    }
}

/// What every line of a session has.
fn envelope(line: &mut Value, session: &SessionRow) {
    line["sessionId"] = Value::from(session.session_id.as_str());
    line["cwd"] = Value::from(folder(&session.project, None));
    line["isSidechain"] = Value::from(false);
    line["userType"] = Value::from("external");
    let members = [
        ("gitBranch", &session.branch),
        ("version", &session.app_version),
        ("entrypoint", &session.entrypoint),
    ];
    for (name, value) in members {
        if let Some(value) = value {
            line[name] = Value::from(value.as_str());
        }
    }
}

fn tool_envelope(line: &mut Value, tool: &ToolCallRow) {
    line["sessionId"] = Value::from(tool.session_id.as_str());
    line["cwd"] = Value::from(folder(&tool.project, tool.folder.as_deref()));
    line["isSidechain"] = Value::from(tool.agent_id.is_some());
    let members = [
        ("gitBranch", &tool.branch),
        ("agentId", &tool.agent_id),
        ("attributionSkill", &tool.skill),
        ("attributionPlugin", &tool.plugin),
    ];
    for (name, value) in members {
        if let Some(value) = value {
            line[name] = Value::from(value.as_str());
        }
    }
    if let (Some(model), Some(message)) = (&tool.model, line["message"].as_object_mut())
        && message.get("role").is_some_and(|role| role == "assistant")
    {
        message.insert("model".to_owned(), Value::from(model.as_str()));
    }
}

/// A change of as many lines, without their text.
fn patch(touch: &TouchRow) -> Value {
    let kind = match touch.operation.as_str() {
        "read" => return json!({"type": "text"}),
        "create" => "create",
        _ => "update",
    };
    let lines = |mark: &str, count: u64| {
        let count = usize::try_from(count.min(MOST_CHANGED_LINES)).unwrap_or_default();
        vec![Value::from(mark); count]
    };
    let mut changed = lines("-", touch.removed);
    changed.extend(lines("+", touch.added));
    let hunk = json!({
        "oldStart": 1, "oldLines": touch.removed, "newStart": 1, "newLines": touch.added,
        "lines": changed,
    });
    json!({"type": kind, "structuredPatch": [hunk]})
}
