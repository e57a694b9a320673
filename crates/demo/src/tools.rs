//! Tool calls with their results, in the shapes Claude Code records: the text
//! the model received, and the structured result of Claude Code.

use serde_json::{Value, json};

use super::object::Object;

/// One call and its result.
pub(super) struct Tool {
    pub(super) name: &'static str,
    /// Fixed if another file names the call, generated otherwise.
    pub(super) id: Option<&'static str>,
    input: Value,
    content: Value,
    pub(super) structured: Option<Value>,
    failed: bool,
    pub(super) seconds: i64,
}

impl Tool {
    pub(super) fn new(name: &'static str, input: Value, content: impl Into<Value>) -> Self {
        Self {
            name,
            id: None,
            input,
            content: content.into(),
            structured: None,
            failed: false,
            seconds: 0,
        }
    }

    pub(super) fn structured(mut self, structured: Value) -> Self {
        self.structured = Some(structured);
        self
    }

    pub(super) fn id(mut self, id: &'static str) -> Self {
        self.id = Some(id);
        self
    }

    /// How long the result took.
    pub(super) fn taking(mut self, seconds: i64) -> Self {
        self.seconds = seconds;
        self
    }

    pub(super) fn block(&self, id: &str) -> Object {
        Object::new()
            .with("type", "tool_use")
            .with("id", id)
            .with("name", self.name)
            .with("input", self.input.clone())
    }

    pub(super) fn result_block(&self, id: &str) -> Object {
        let block = Object::new()
            .with("tool_use_id", id)
            .with("type", "tool_result")
            .with("content", self.content.clone());
        match (self.failed, self.name) {
            (true, _) => block.with("is_error", true),
            (false, "Bash") => block.with("is_error", false),
            (false, _) => block,
        }
    }
}

pub(super) fn bash(command: &str, description: &str, output: &str) -> Tool {
    let input = json!({ "command": command, "description": description });
    Tool::new("Bash", input, output).structured(json!({
        "stdout": output, "stderr": "", "interrupted": false, "isImage": false,
    }))
}

/// A command that ended with an exit code other than zero.
pub(super) fn bash_failing(command: &str, description: &str, code: u8, output: &str) -> Tool {
    let content = format!("Exit code {code}\n{output}");
    let structured = json!(format!("Error: {content}"));
    let input = json!({ "command": command, "description": description });
    let mut tool = Tool::new("Bash", input, content).structured(structured);
    tool.failed = true;
    tool
}

pub(super) fn read(path: &str, content: &str) -> Tool {
    let numbered: Vec<String> = content
        .lines()
        .enumerate()
        .map(|(index, line)| format!("{:>6}→{line}", index + 1))
        .collect();
    let lines = numbered.len();
    Tool::new("Read", json!({ "file_path": path }), numbered.join("\n")).structured(json!({
        "type": "text",
        "file": {
            "filePath": path, "content": content,
            "numLines": lines, "startLine": 1, "totalLines": lines,
        },
    }))
}

pub(super) fn write(path: &str, content: &str) -> Tool {
    let input = json!({ "file_path": path, "content": content });
    let text = format!("Created {path}");
    Tool::new("Write", input, text).structured(json!({
        "type": "create", "filePath": path, "content": content,
        "structuredPatch": [], "originalFile": null,
    }))
}

/// An edit of whole lines; `line` is their first line in `original`.
pub(super) fn edit(path: &str, line: usize, old: &str, new: &str, original: &str) -> Tool {
    let removed = old.lines().map(|text| format!("-{text}"));
    let added = new.lines().map(|text| format!("+{text}"));
    let changed: Vec<String> = removed.chain(added).collect();
    let input = json!({ "file_path": path, "old_string": old, "new_string": new });
    let text = format!("Updated {path}");
    Tool::new("Edit", input, text).structured(json!({
        "filePath": path, "oldString": old, "newString": new, "originalFile": original,
        "structuredPatch": [{
            "oldStart": line, "oldLines": old.lines().count(),
            "newStart": line, "newLines": new.lines().count(),
            "lines": changed,
        }],
        "userModified": false, "replaceAll": false,
    }))
}

pub(super) fn grep(pattern: &str, path: &str, matches: &[&str]) -> Tool {
    let content = matches.join("\n");
    let input = json!({ "pattern": pattern, "path": path, "output_mode": "content", "-n": true });
    Tool::new("Grep", input, content.as_str()).structured(json!({
        "mode": "content", "numFiles": 0, "filenames": [],
        "content": content, "numLines": matches.len(),
    }))
}

/// A to-do list: each item and its status.
pub(super) fn todo(items: &[(&str, &str)]) -> Tool {
    let todos: Vec<Value> = items
        .iter()
        .map(|(what, status)| json!({ "content": what, "status": status, "activeForm": what }))
        .collect();
    let text = "The list was updated.";
    Tool::new("TodoWrite", json!({ "todos": todos }), text)
        .structured(json!({ "oldTodos": [], "newTodos": todos }))
}

pub(super) fn web_search(query: &str, links: &[(&str, &str)]) -> Tool {
    let found: Vec<Value> =
        links.iter().map(|(title, url)| json!({ "title": title, "url": url })).collect();
    let text = format!("Results for \"{query}\": {}", Value::from(found.clone()));
    Tool::new("WebSearch", json!({ "query": query }), text)
        .structured(json!({
            "query": query,
            "results": [{ "tool_use_id": "srvtoolu_01Demo7SearchOfTides2", "content": found }],
            "durationSeconds": 6.25,
        }))
        .taking(6)
}

/// A plan the person approved. The file is in `plans/`.
pub(super) fn exit_plan(plan: &str, slug: &str) -> Tool {
    let text = "The plan was approved. Go ahead.";
    Tool::new("ExitPlanMode", json!({ "plan": plan }), text)
        .structured(json!({
            "plan": null, "isAgent": false,
            "filePath": format!("/home/ada/.claude/plans/{slug}.md"),
        }))
        .taking(75)
}

/// A sub-agent, started by `Task` before 2.1.63 and by `Agent` since.
pub(super) struct AgentCall {
    pub(super) tool: &'static str,
    pub(super) agent: &'static str,
    pub(super) kind: &'static str,
    pub(super) description: &'static str,
    pub(super) prompt: &'static str,
    pub(super) report: &'static str,
}

impl AgentCall {
    /// `named`: whether the result says which agent it came from (1.0 did not).
    pub(super) fn tool(&self, named: bool) -> Tool {
        let report = json!({ "type": "text", "text": self.report });
        let input = json!({
            "description": self.description, "prompt": self.prompt, "subagent_type": self.kind,
        });
        let mut content = vec![report.clone()];
        let mut structured = json!({
            "content": [report], "totalDurationMs": 48_210,
            "totalTokens": 17_450, "totalToolUseCount": 2,
        });
        if named {
            let trailer = format!("agentId: {} (for resuming this agent)", self.agent);
            content.push(json!({ "type": "text", "text": trailer }));
            structured["status"] = json!("completed");
            structured["prompt"] = json!(self.prompt);
            structured["agentId"] = json!(self.agent);
        }
        Tool::new(self.tool, input, content).structured(structured)
    }
}
