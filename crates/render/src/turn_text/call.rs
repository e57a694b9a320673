//! A tool call as text for a terminal.

use super::{Annotations, Detail, TextOptions, milliseconds, shortened};
use crate::style::Style;
use crate::{bytes, counted, cut, diff, hanging, untrusted};
use conversation::{Answer, GitAction, Status, Summary, ToolCall};

/// Lines of a diff that are shown in brief mode.
const BRIEF_DIFF_LINES: usize = 14;

/// A call on one line: the tool and its main argument. Harmless.
pub fn call_title(call: &ToolCall<'_>, folder: Option<&str>) -> String {
    let about = about(call, folder);
    let name = call
        .mcp()
        .map_or_else(|| call.tool.to_string(), |(server, tool)| format!("{server}:{tool}"));
    untrusted::line(format!("{name} {about}").trim_end()).into_owned()
}

fn about(call: &ToolCall<'_>, folder: Option<&str>) -> String {
    match call.summary() {
        Summary::Read { path, from, lines } => {
            let from_line = from.unwrap_or(1);
            let span = match (from, lines) {
                (Some(_), Some(lines)) => {
                    format!(" ({from_line}–{})", from_line.saturating_add(lines).saturating_sub(1))
                }
                (None, Some(1)) => " (1 line)".to_owned(),
                (None, Some(lines)) => format!(" ({lines} lines)"),
                (Some(from), None) => format!(" (from {from})"),
                (None, None) => String::new(),
            };
            format!("{}{span}", shortened(&path, folder))
        }
        Summary::Change { path, is_new, diff } => {
            let new = if is_new { " (new)" } else { "" };
            format!("{}{new} +{} −{}", shortened(&path, folder), diff.added, diff.removed)
        }
        Summary::Shell { command, .. } => first_line(&command),
        Summary::Search { pattern, path, found } => {
            let place =
                path.map(|path| format!(" in {}", shortened(&path, folder))).unwrap_or_default();
            let found = found.map(|found| format!(" ({found} found)")).unwrap_or_default();
            format!("{pattern}{place}{found}")
        }
        Summary::Agent { kind, description, .. } => {
            let names = [kind, description].into_iter().flatten().filter(|name| !name.is_empty());
            names.collect::<Vec<_>>().join(": ")
        }
        Summary::Web { target, code } => {
            let code = code.map(|code| format!(" ({code})")).unwrap_or_default();
            format!("{target}{code}")
        }
        Summary::Todos(todos) => {
            let done = todos.iter().filter(|todo| todo.status == "completed").count();
            format!("{done} of {} done", todos.len())
        }
        Summary::Plan(text) => first_line(&text),
        Summary::Questions(questions) => {
            questions.first().map(|first| first.question.to_string()).unwrap_or_default()
        }
        Summary::Skill { name, arguments } => format!("{name} {}", arguments.unwrap_or_default()),
        Summary::Other { argument } => argument.map(|text| first_line(&text)).unwrap_or_default(),
    }
}

/// The first line, with `…` if there are more.
fn first_line(text: &str) -> String {
    let text = text.trim();
    match text.split_once('\n') {
        Some((first, _)) => format!("{first} …"),
        None => text.to_owned(),
    }
}

impl TextOptions<'_> {
    /// A call: its title line, its diff or output, and its annotations.
    pub(super) fn call(&self, call: &ToolCall<'_>, annotations: &dyn Annotations) -> String {
        let status = call.status();
        let (mark, style) = match status {
            Status::Ok => ("⏺", Style::Accent),
            Status::Error => ("✗", Style::Bad),
            Status::Denied => ("⊘", Style::Warning),
            Status::Interrupted => ("⏹", Style::Warning),
            Status::Missing => ("?", Style::Warning),
        };
        let mut facts: Vec<String> = Vec::new();
        match status {
            Status::Ok => {}
            Status::Error => facts.extend(exit_of(call).or(Some("failed".to_owned()))),
            Status::Denied => facts.push("denied".to_owned()),
            Status::Interrupted => facts.push("interrupted".to_owned()),
            Status::Missing => facts.push("no answer".to_owned()),
        }
        facts.extend(self.clock(call.origin.time));
        facts.extend(call.milliseconds().filter(|took| *took >= 100).map(milliseconds));
        let facts = facts.join(" · ");
        let room = self.width.map(|width| width.saturating_sub(facts.chars().count() + 5).max(16));
        let title = call_title(call, self.folder);
        let (name, about) = title.split_once(' ').unwrap_or((&title, ""));
        let about = cut(about, room.map(|room| room.saturating_sub(name.chars().count() + 1)));
        let mut text = format!(
            "{} {} {about}  {}",
            self.paint.paint(style, mark),
            self.paint.paint(Style::Heading, name),
            self.paint.paint(Style::Dim, &facts)
        );
        text.truncate(text.trim_end().len());
        text.push('\n');
        text += &self.detail(call, status, annotations);
        text + &annotations.at_call(call).unwrap_or_default()
    }

    fn detail(&self, call: &ToolCall<'_>, status: Status, annotations: &dyn Annotations) -> String {
        let full = self.tools == Detail::Full;
        let answer = call.answer.as_ref();
        let mut text = String::new();
        let has_diff = self.diffs && call.is_change();
        if !self.outputs && !has_diff {
            return text;
        }
        match call.summary() {
            Summary::Change { .. } if !self.diffs => {}
            Summary::Change { diff: change, .. } if !change.is_empty() => {
                let max_lines = if full { usize::MAX } else { BRIEF_DIFF_LINES };
                // The file is named in the line above.
                let hunks = change.text.splitn(3, '\n').nth(2).unwrap_or_default();
                let room = self.width.map(|width| width.saturating_sub(4).max(8));
                let hunks: Vec<String> = hunks.lines().map(|line| cut(line, room)).collect();
                let shown = diff(&hunks.join("\n"), self.paint, max_lines);
                text.extend(shown.lines().map(|line| format!("    {line}\n")));
            }
            Summary::Shell { command, stdout, stderr, git_actions, background, .. } => {
                if full && command.trim().contains('\n') {
                    text += &self.output(&command, 0, 0);
                }
                for action in git_actions {
                    // Wrapped, not cut: the end of an address is the number of a pull request.
                    let line = self.paint.paint(Style::Good, &git_action_line(&action));
                    text += &hanging(&format!("    {line}\n"), 2, self.width);
                }
                if let Some(task) = background {
                    text += &format!("    {}\n", self.dim(&format!("in the background as {task}")));
                }
                let output = answer.and_then(conversation::Answer::persisted_name);
                let name = output.as_deref().filter(|_| full);
                let whole = name.and_then(|name| annotations.persisted(name));
                match &whole {
                    Some(whole) => text += &self.output(whole, 4, 4),
                    None if full => text += &self.output(&stdout, 4, 4),
                    None => text += &self.output(&stdout, 3, 2),
                }
                text += &self.output(&stderr, 3, 2);
                let elsewhere = output.filter(|_| whole.is_none());
                text.extend(
                    answer.map(|answer| self.attachments_note(answer, elsewhere.as_deref())),
                );
                return text;
            }
            Summary::Todos(todos) => {
                for todo in todos {
                    let mark = match &*todo.status {
                        "completed" => "☑",
                        "in_progress" => "▶",
                        _ => "☐",
                    };
                    let line = untrusted::line(&todo.text).into_owned();
                    let room = self.width.map(|width| width.saturating_sub(6));
                    text += &format!("    {mark} {}\n", cut(&line, room));
                }
                return text;
            }
            Summary::Questions(questions) => {
                for question in questions {
                    let answer = question.answer.as_deref().unwrap_or("(not answered)");
                    let line = format!("{} → {answer}", question.question);
                    text += &format!("    {}\n", cut(&untrusted::line(&line), self.width));
                }
                return text;
            }
            Summary::Plan(plan) => {
                let plan = crate::markdown(
                    &plan,
                    self.width.map(|width| width.saturating_sub(4)),
                    self.paint,
                );
                text.extend(plan.lines().map(|line| format!("    {line}\n")));
                return text;
            }
            _ => {
                if full && let Some(input) = &call.input {
                    text += &self.output(input.as_str(), 0, 0);
                }
            }
        }
        let Some(answer) = answer.filter(|_| self.outputs) else { return text };
        let answer_text = answer.text();
        let name = answer.persisted_name();
        if let Some(whole) =
            name.as_deref().filter(|_| full).and_then(|name| annotations.persisted(name))
        {
            return text + &self.output(&whole, 0, 0);
        }
        match status {
            _ if full => text += &self.output(&answer_text, 0, 0),
            Status::Error | Status::Interrupted => text += &self.output(&answer_text, 4, 2),
            Status::Denied => {
                text += &self.output(answer_text.lines().next().unwrap_or_default(), 1, 0);
            }
            Status::Ok | Status::Missing => {}
        }
        text + &self.attachments_note(answer, name.as_deref())
    }

    /// Notes on the parts of an answer that are not shown: an output saved in a separate
    /// file, and images.
    fn attachments_note(&self, answer: &Answer<'_>, persisted: Option<&str>) -> String {
        let mut text = String::new();
        if let Some(name) = persisted {
            let size = answer.member("persistedOutputSize").and_then(|size| size.parse().ok());
            let size = size.map(|size| format!(" ({})", bytes(size))).unwrap_or_default();
            text += &format!("    {}\n", self.dim(&format!("full output in {name}{size}")));
        }
        let images = answer.content.as_ref().map_or(0, |content| {
            let blocks = content.blocks().iter();
            blocks.filter(|block| matches!(block, transcript::Block::Image(_))).count()
        });
        if images > 0 {
            text += &format!("    {}\n", self.dim(&format!("[{}]", counted(images, "image"))));
        }
        text
    }
}

/// The exit code of a failed command.
fn exit_of(call: &ToolCall<'_>) -> Option<String> {
    match call.summary() {
        Summary::Shell { exit_code: Some(code), .. } => Some(format!("exit {code}")),
        _ => None,
    }
}

/// A git action of a call, on one line. Harmless.
pub(crate) fn git_action_line(action: &GitAction) -> String {
    let line = match action {
        GitAction::Commit { hash, subject, .. } => {
            format!("commit {hash} {}", subject.as_deref().unwrap_or_default())
        }
        GitAction::Push { branch } => format!("push {}", branch.as_deref().unwrap_or_default()),
        GitAction::PullRequest { number, url } => {
            let number = number.map(|number| format!("#{number} ")).unwrap_or_default();
            format!("pull request {number}{}", url.as_deref().unwrap_or_default())
        }
    };
    untrusted::line(line.trim_end()).into_owned()
}
