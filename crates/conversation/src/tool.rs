//! Typed summaries of calls to the well-known tools.
//!
//! Every tool has its own JSON for arguments and answers. Here those of the
//! well-known tools become types: files read, files changed, commands run.

use crate::call::{Answer, Status, ToolCall};
use crate::diff::Diff;
use crate::git_actions::{GitAction, git_actions};
use crate::tool_kind::ToolKind;
use std::borrow::Cow;
use transcript::json;

/// The summary of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Summary<'c> {
    /// A file read.
    Read {
        /// The file.
        path: Cow<'c, str>,
        /// The first line, unless it is the first of the file.
        from: Option<u64>,
        /// How many lines.
        lines: Option<u64>,
    },
    /// A file change.
    Change {
        /// The file.
        path: Cow<'c, str>,
        /// Whether it is new.
        is_new: bool,
        /// The change.
        diff: Diff,
    },
    /// A command.
    Shell {
        /// The command line.
        command: Cow<'c, str>,
        /// Its description.
        description: Option<Cow<'c, str>>,
        /// Its exit code.
        exit_code: Option<i64>,
        /// Its standard output.
        stdout: Cow<'c, str>,
        /// Its standard error.
        stderr: Cow<'c, str>,
        /// The background task it became.
        background: Option<Cow<'c, str>>,
        /// The git actions found in it.
        git_actions: Vec<GitAction>,
    },
    /// A search for files or lines.
    Search {
        /// The pattern.
        pattern: Cow<'c, str>,
        /// The directory or file searched.
        path: Option<Cow<'c, str>>,
        /// How many files or lines were found.
        found: Option<u64>,
    },
    /// The start of a sub-agent.
    Agent {
        /// Its type.
        kind: Option<Cow<'c, str>>,
        /// Its task in a few words.
        description: Option<Cow<'c, str>>,
        /// Its id, if the answer has it.
        agent_id: Option<Cow<'c, str>>,
        /// Tokens it used, if the answer has them.
        tokens: Option<u64>,
        /// How many tools it called, if the answer has it.
        calls: Option<u64>,
    },
    /// A web request.
    Web {
        /// The address or the query.
        target: Cow<'c, str>,
        /// The HTTP status.
        code: Option<u64>,
    },
    /// A todo list.
    Todos(Vec<Todo<'c>>),
    /// A proposed plan.
    Plan(Cow<'c, str>),
    /// Questions to the person.
    Questions(Vec<Question<'c>>),
    /// The use of a skill.
    Skill {
        /// The skill.
        name: Cow<'c, str>,
        /// Its arguments.
        arguments: Option<Cow<'c, str>>,
    },
    /// Any other tool, including those of MCP servers.
    Other {
        /// The most descriptive argument.
        argument: Option<Cow<'c, str>>,
    },
}

/// An item of a todo list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Todo<'c> {
    /// Its text.
    pub text: Cow<'c, str>,
    /// `pending`, `in_progress`, `completed`.
    pub status: Cow<'c, str>,
}

/// A question with the person's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question<'c> {
    /// The question.
    pub question: Cow<'c, str>,
    /// The answer.
    pub answer: Option<Cow<'c, str>>,
}

impl ToolCall<'_> {
    /// The summary of the call.
    pub fn summary(&self) -> Summary<'_> {
        let answer = self.answer.as_ref();
        match self.kind() {
            ToolKind::Read => self.read(answer),
            ToolKind::Change => self.change(answer),
            ToolKind::Shell => self.shell(answer),
            ToolKind::Search => self.search(answer),
            ToolKind::Agent => self.agent(answer),
            ToolKind::Web => self.web(answer),
            ToolKind::Todos => self.todos(),
            ToolKind::Plan => {
                let answered = answer.and_then(|answer| answer.member_string("plan"));
                Summary::Plan(self.argument("plan").or(answered).unwrap_or_default())
            }
            ToolKind::Questions => self.questions(answer),
            ToolKind::Skill => Summary::Skill {
                name: self
                    .argument("skill")
                    .or_else(|| self.argument("command"))
                    .unwrap_or_default(),
                arguments: self.argument("args"),
            },
            ToolKind::Other => Summary::Other { argument: self.main_argument() },
        }
    }

    /// The file that it reads or changes.
    fn path(&self) -> Cow<'_, str> {
        self.files().into_iter().next().unwrap_or_default()
    }

    fn number(&self, key: &str) -> Option<u64> {
        self.input.as_ref()?.member(key)?.parse().ok()
    }

    fn read(&self, answer: Option<&Answer<'_>>) -> Summary<'_> {
        let file = answer.and_then(|answer| answer.member("file"));
        let answered = |key| file.and_then(|file| json::member(file, key)?.parse().ok());
        Summary::Read {
            path: self.path(),
            from: answered("startLine").or_else(|| self.number("offset")).filter(|line| *line > 1),
            lines: answered("numLines").or_else(|| self.number("limit")),
        }
    }

    fn change(&self, answer: Option<&Answer<'_>>) -> Summary<'_> {
        let path = self.path();
        let kind = answer.and_then(|answer| answer.member_string("type"));
        let is_new = kind.as_deref() == Some("create");
        let mut diff = Diff::of_file(&path, is_new);
        let hunks = answer.and_then(|answer| answer.member("structuredPatch"));
        if let Some(hunks) = hunks.filter(|hunks| json::elements(hunks).next().is_some()) {
            diff.add_patch(hunks);
        } else {
            self.add_own_texts(&mut diff, answer);
            self.add_other_changes(&mut diff);
        }
        Summary::Change { path, is_new, diff }
    }

    /// Adds the change from the arguments of the call.
    fn add_own_texts(&self, diff: &mut Diff, answer: Option<&Answer<'_>>) {
        let Some(input) = &self.input else { return };
        if let Some(edits) = input.member("edits") {
            for edit in json::elements(edits) {
                let text = |key| json::member(edit, key).and_then(json::decode_string);
                if let (Some(old), Some(new)) = (text("old_string"), text("new_string")) {
                    diff.add_texts(&old.text, &new.text);
                }
            }
            return;
        }
        if let Some(content) = input.member_string("content") {
            let before = answer.and_then(|answer| answer.member_string("originalFile"));
            diff.add_texts(&before.unwrap_or_default(), &content);
            return;
        }
        let new = input
            .member_string("new_string")
            .or_else(|| input.member_string("new_str"))
            .or_else(|| input.member_string("new_source"))
            .or_else(|| input.member_string("newString"))
            .or_else(|| input.member_string("newText"));
        let old = input
            .member_string("old_string")
            .or_else(|| input.member_string("old_str"))
            .or_else(|| input.member_string("oldString"))
            .or_else(|| input.member_string("oldText"));
        if old.is_some() || new.is_some() {
            diff.add_texts(&old.unwrap_or_default(), &new.unwrap_or_default());
        }
    }

    fn shell<'c>(&'c self, answer: Option<&'c Answer<'_>>) -> Summary<'c> {
        let member = |key| answer.and_then(|answer| answer.member_string(key));
        let background = member("backgroundTaskId");
        let text = answer.map(Answer::text).unwrap_or_default();
        let printed_code = text
            .strip_prefix("Exit code ")
            .and_then(|rest| rest.split(['\n', '\r', ' ']).next()?.parse().ok());
        let recorded_code = answer.and_then(Answer::recorded_exit_code);
        let is_special = member("returnCodeInterpretation").is_some();
        let succeeded = self.status() == Status::Ok && background.is_none() && !is_special;
        // Claude Code records the output of a command apart, and a code only if it is not 0.
        let is_recorded_apart = member("stdout").is_some();
        let exit_code =
            recorded_code.or(printed_code).or((succeeded && is_recorded_apart).then_some(0));
        Summary::Shell {
            command: self.command().or_else(|| self.argument("bash_id")).unwrap_or_default(),
            description: self.argument("description"),
            exit_code,
            stdout: member("stdout").unwrap_or(text),
            stderr: member("stderr").unwrap_or_default(),
            background,
            git_actions: git_actions(self),
        }
    }

    fn search(&self, answer: Option<&Answer<'_>>) -> Summary<'_> {
        let number = |key| answer?.member(key)?.parse().ok();
        let found = match self.argument("output_mode").as_deref() {
            Some("content") => number("numLines").or_else(|| number("numMatches")),
            Some("count") => number("numMatches"),
            _ => number("numFiles"),
        };
        Summary::Search {
            pattern: self.argument("pattern").unwrap_or_default(),
            path: self.argument("path"),
            found: found.or_else(|| number("numFiles")),
        }
    }

    fn agent<'c>(&'c self, answer: Option<&'c Answer<'_>>) -> Summary<'c> {
        let number = |key| answer?.member(key)?.parse().ok();
        Summary::Agent {
            kind: self.argument("subagent_type"),
            description: self.argument("description"),
            agent_id: answer.and_then(|answer| answer.member_string("agentId")),
            tokens: number("totalTokens"),
            calls: number("totalToolUseCount"),
        }
    }

    fn web(&self, answer: Option<&Answer<'_>>) -> Summary<'_> {
        Summary::Web {
            target: self.argument("url").or_else(|| self.argument("query")).unwrap_or_default(),
            code: answer.and_then(|answer| answer.member("code")?.parse().ok()),
        }
    }

    fn todos(&self) -> Summary<'_> {
        let list = self.input.as_ref().and_then(|input| input.member("todos"));
        let todos = json::elements(list.unwrap_or_default()).map(|item| {
            let text = |key| {
                json::member(item, key)
                    .and_then(json::decode_string)
                    .map(|decoded| decoded.text)
                    .unwrap_or_default()
            };
            Todo { text: text("content"), status: text("status") }
        });
        Summary::Todos(todos.collect())
    }

    fn questions<'c>(&'c self, answer: Option<&'c Answer<'_>>) -> Summary<'c> {
        let answers = answer.and_then(|answer| answer.member("answers"));
        let list = self.input.as_ref().and_then(|input| input.member("questions"));
        let questions = json::elements(list.unwrap_or_default()).filter_map(|item| {
            let question = json::decode_string(json::member(item, "question")?)?.text;
            let answer = answers
                .and_then(|answers| member_by_text(answers, &question))
                .and_then(json::decode_string)
                .map(|decoded| decoded.text);
            Some(Question { question, answer })
        });
        Summary::Questions(questions.collect())
    }

    /// The most descriptive argument: one of the well-known ones, else the first
    /// string.
    fn main_argument(&self) -> Option<Cow<'_, str>> {
        const MAIN_ARGUMENTS: [&str; 9] = [
            "file_path",
            "path",
            "command",
            "query",
            "url",
            "pattern",
            "subject",
            "prompt",
            "name",
        ];
        MAIN_ARGUMENTS.iter().find_map(|key| self.argument(key)).or_else(|| {
            let mut first = None;
            json::string_values(self.input.as_ref()?.as_str(), |text| {
                first.get_or_insert(text);
            });
            first
        })
    }
}

/// The member whose decoded key is this text.
fn member_by_text<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    json::Members::new(object.as_bytes()).find_map(|(name, value)| {
        let quoted = format!("\"{}\"", str::from_utf8(name).ok()?);
        let decoded = json::decode_string(&quoted)?;
        (decoded.text == key).then(|| object.get(value))?
    })
}
