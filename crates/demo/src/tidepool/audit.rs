//! A workflow: a script that starts agents in phases, with its run record and
//! journal. The record counts one agent too few, as real ones do.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::setting;
use crate::exchange::Piece::Say;
use crate::files::{Files, days_before, iso};
use crate::identity::{directory, model, project_folder, session};
use crate::object::Object;
use crate::tools::{self, Tool};
use crate::transcript::{Setting, Transcript};

const RUN: &str = "wf_4c19e7b2-8d0";
const TASK: &str = "w7k2pdr9x";
const SCRIPT: &str = "\
const found = await parallel(['stations', 'tides'].map(name =>
  agent(`Compare the documentation of ${name} with its route.`, { label: `read:${name}` })));
return agent('Check these findings: ' + JSON.stringify(found), { label: 'check' });
";

struct Worker {
    agent: &'static str,
    label: &'static str,
    phase: &'static str,
    prompt: &'static str,
    file: Option<&'static str>,
    finding: &'static str,
    key: &'static str,
}

const WORKERS: [Worker; 3] = [
    Worker {
        agent: "a0d4e81f5b27c936d",
        label: "read:stations",
        phase: "Read",
        prompt: "Compare the documentation of stations with its route.",
        file: Some("/home/ada/tidepool/docs/api/stations.md"),
        finding: "The page says `limit` defaults to 50; the route uses 20.",
        key: "v2:4f0c7d1be2a95836c01d7fe4b8a3920657de1c8bf4a90d3627e5b8c1f06a94d2",
    },
    Worker {
        agent: "a71bc93e0d6f5824a",
        label: "read:tides",
        phase: "Read",
        prompt: "Compare the documentation of tides with its route.",
        file: Some("/home/ada/tidepool/docs/api/tides.md"),
        finding: "The page does not say that heights are above chart datum.",
        key: "v2:b81e6a3d90f2c74e58d1b60a7c9f3e25841d07bc6fe92a3d5c0478e1b9a6f2d3",
    },
    Worker {
        agent: "af5e260b8c17d93e4",
        label: "check",
        phase: "Check",
        prompt: "Check these findings: limit defaults to 20, not 50; heights lack their datum.",
        file: None,
        finding: "Both findings hold.",
        key: "v2:07d9c2f5e18ab34690fe5d7c1b28a4f6e3905d8c7ab16f42e09d3c5871fb6ea4",
    },
];

pub(super) fn add_sessions(files: &mut Files, now: Timestamp) {
    let folder = format!("{}/{}", project_folder(directory::TIDEPOOL), session::AUDIT);
    let setting = setting(session::AUDIT, "main");
    let mut log = Transcript::new(setting, days_before(now, 5));
    let prompt = "Do the API docs still agree with the routes? Use a workflow.";
    log.prompt(prompt);
    log.work(&[Say("One agent a page, then one that checks what they found.")], &[launch()]);
    let started = log.now();
    log.reply(&[Say("Two pages are being read. I'll report when the check is done.")]);

    let mut journal = Vec::new();
    let mut progress = vec![
        json!({ "type": "workflow_phase", "index": 1, "title": "Read" }),
        json!({ "type": "workflow_phase", "index": 2, "title": "Check" }),
    ];
    let mut ended = started;
    for (index, worker) in WORKERS.iter().enumerate() {
        let begin = if worker.phase == "Read" { started } else { ended };
        let inside = format!("{folder}/subagents/workflows/{RUN}");
        let agent = run(worker, setting, begin);
        ended = ended.max(agent.now());
        progress.push(worker.progress(index + 1, begin, agent.now()));
        journal.extend(worker.journal());
        let meta = Object::new()
            .with("agentType", "workflow-subagent")
            .with("description", worker.label)
            .with("spawnDepth", 1)
            .with("model", "haiku")
            .with("workflowPhase", worker.phase);
        files.add_document(
            format!("{inside}/agent-{}.meta.json", worker.agent),
            &meta,
            agent.now(),
        );
        files.add_transcript(format!("{inside}/agent-{}.jsonl", worker.agent), agent);
    }
    files.add(format!("{folder}/subagents/workflows/{RUN}/journal.jsonl"), journal, ended);

    let record = Object::new()
        .with("runId", RUN)
        .with("taskId", TASK)
        .with("status", "completed")
        .with("workflowName", "compare-docs")
        .with("timestamp", iso(ended))
        .with("startTime", started.as_millisecond())
        .with("durationMs", ended.as_millisecond() - started.as_millisecond())
        .with("agentCount", WORKERS.len() - 1)
        .with("totalTokens", 39_480)
        .with("totalToolCalls", 2)
        .with("script", SCRIPT)
        .with("args", json!({ "pages": ["stations", "tides"] }))
        .with("summary", "Compare two pages of the API docs with their routes")
        .with(
            "phases",
            json!([{ "title": "Read", "detail": "one agent a page" }, { "title": "Check" }]),
        )
        .with("workflowProgress", Value::from(progress));
    files.add_document(format!("{folder}/workflows/{RUN}.json"), &record, ended);

    log.wait_until(ended);
    let notification = format!(
        "<task-notification>\n<task-id>{TASK}</task-id>\n<status>completed</status>\n\
        <summary>Workflow \"compare-docs\" completed</summary>\n\
        <result>Both findings hold.</result>\n</task-notification>"
    );
    let origin = Object::new().with("origin", json!({ "kind": "task-notification" }));
    log.prompt_with(notification.into(), &origin);
    log.reply(&[Say("Two disagreements, both confirmed:\n\n1. `docs/api/stations.md`: `limit` \
        defaults to **20**, not 50.\n2. `docs/api/tides.md`: say that heights are above chart \
        datum.")]);
    log.turn_duration();
    log.ai_title("Compare the API docs with the routes");
    log.last_prompt(prompt);
    files.add_transcript(format!("{folder}.jsonl"), log);
}

fn launch() -> Tool {
    let text = format!("The workflow runs in the background. Task {TASK}, run {RUN}");
    let input = json!({ "name": "compare-docs", "script": SCRIPT });
    Tool::new("Workflow", input, text).structured(json!({
        "status": "async_launched", "taskId": TASK, "runId": RUN, "workflowName": "compare-docs",
    }))
}

fn run(worker: &Worker, setting: Setting, start: Timestamp) -> Transcript {
    let mut log =
        Transcript::of_agent(Setting { model: model::HAIKU, ..setting }, worker.agent, start);
    log.prompt(worker.prompt);
    if let Some(file) = worker.file {
        let page = tools::read(file, "# Excerpt\n\nlimit: how many rows, 50 unless given\n");
        log.work(&[], &[page]);
    }
    log.reply(&[Say(worker.finding)]);
    log
}

impl Worker {
    fn journal(&self) -> Vec<u8> {
        let line = |kind: &str| {
            Object::new().with("type", kind).with("key", self.key).with("agentId", self.agent)
        };
        let started = line("started").with("label", self.label).with("phase", self.phase);
        let result = line("result").with("result", self.finding);
        format!("{}\n{}\n", started.to_json(), result.to_json()).into_bytes()
    }

    /// `phaseIndex` counts from one, unlike the record's own list of phases.
    fn progress(&self, index: usize, begin: Timestamp, end: Timestamp) -> Value {
        json!({
            "type": "workflow_agent", "index": index, "label": self.label, "agentId": self.agent,
            "phaseIndex": if self.phase == "Read" { 1 } else { 2 }, "phaseTitle": self.phase,
            "model": model::HAIKU, "state": "done", "attempt": 1, "tokens": 13_160,
            "toolCalls": u8::from(self.file.is_some()),
            "startedAt": begin.as_millisecond(),
            "durationMs": end.as_millisecond() - begin.as_millisecond(),
        })
    }
}
