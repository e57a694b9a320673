//! What a call was about, for the tools everybody knows.
//!
//! The arguments and answers of a tool are JSON of the tool's own making. Here
//! the well-known ones become types: what was read, what changed, what was run.

use crate::call::{Answer, Status, ToolCall};
use crate::diff::Diff;
use crate::git::{self, GitDeed};
use std::borrow::Cow;
use transcript::json;

/// What a call was about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Summary<'c> {
    /// A file was read.
    Read {
        /// The file.
        path: Cow<'c, str>,
        /// The first line, where not the first of the file.
        from: Option<u64>,
        /// How many lines.
        lines: Option<u64>,
    },
    /// A file was changed.
    Change {
        /// The file.
        path: Cow<'c, str>,
        /// Whether it is new.
        is_new: bool,
        /// What changed.
        diff: Diff,
    },
    /// A command was run.
    Shell {
        /// The command line.
        command: Cow<'c, str>,
        /// What it was for.
        description: Option<Cow<'c, str>>,
        /// How it ended.
        exit_code: Option<i64>,
        /// What it said.
        stdout: Cow<'c, str>,
        /// What it complained of.
        stderr: Cow<'c, str>,
        /// The task it became in the background.
        background: Option<Cow<'c, str>>,
        /// What it did to the repository.
        deeds: Vec<GitDeed>,
    },
    /// Files or lines were looked for.
    Search {
        /// The pattern.
        pattern: Cow<'c, str>,
        /// Where.
        path: Option<Cow<'c, str>>,
        /// How much was found.
        found: Option<u64>,
    },
    /// A sub-agent was started.
    Agent {
        /// Its type.
        kind: Option<Cow<'c, str>>,
        /// What it was asked to do, in a few words.
        description: Option<Cow<'c, str>>,
        /// Its id, where the answer says it.
        agent_id: Option<Cow<'c, str>>,
        /// Tokens it used, where the answer says it.
        tokens: Option<u64>,
        /// Tools it called, where the answer says it.
        calls: Option<u64>,
    },
    /// The web was asked.
    Web {
        /// The address or the query.
        target: Cow<'c, str>,
        /// What the server answered.
        code: Option<u64>,
    },
    /// A list of things to do was written.
    Todos(Vec<Todo<'c>>),
    /// A plan was put forward.
    Plan(Cow<'c, str>),
    /// The person was asked.
    Questions(Vec<Question<'c>>),
    /// A skill was taken up.
    Skill {
        /// The skill.
        name: Cow<'c, str>,
        /// What it was given.
        arguments: Option<Cow<'c, str>>,
    },
    /// Any other tool, an MCP server's among them.
    Other {
        /// The argument that says most.
        argument: Option<Cow<'c, str>>,
    },
}

/// A thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Todo<'c> {
    /// What.
    pub text: Cow<'c, str>,
    /// `pending`, `in_progress`, `completed`.
    pub status: Cow<'c, str>,
}

/// A question, with the person's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question<'c> {
    /// What was asked.
    pub question: Cow<'c, str>,
    /// What was answered.
    pub answer: Option<Cow<'c, str>>,
}

impl ToolCall<'_> {
    /// What it was about.
    pub fn summary(&self) -> Summary<'_> {
        let answer = self.answer.as_ref();
        match &*self.tool {
            "Read" | "NotebookRead" => self.read(answer),
            "Edit" | "MultiEdit" | "Write" | "NotebookEdit" => self.change(answer),
            "Bash" | "BashOutput" | "PowerShell" => self.shell(answer),
            "Grep" | "Glob" | "LS" => self.search(answer),
            "Task" | "Agent" => self.agent(answer),
            "WebFetch" | "WebSearch" | "web_search" | "web_fetch" => self.web(answer),
            "TodoWrite" => self.todos(),
            "ExitPlanMode" => {
                let told = answer.and_then(|answer| answer.member_string("plan"));
                Summary::Plan(self.argument("plan").or(told).unwrap_or_default())
            }
            "AskUserQuestion" => self.questions(answer),
            "Skill" => Summary::Skill {
                name: self
                    .argument("skill")
                    .or_else(|| self.argument("command"))
                    .unwrap_or_default(),
                arguments: self.argument("args"),
            },
            _ => Summary::Other { argument: self.telling_argument() },
        }
    }

    /// The file it is about.
    fn path(&self) -> Cow<'_, str> {
        self.files().into_iter().next().unwrap_or_default()
    }

    fn number(&self, key: &str) -> Option<u64> {
        self.input.as_ref()?.member(key)?.parse().ok()
    }

    fn read(&self, answer: Option<&Answer<'_>>) -> Summary<'_> {
        let file = answer.and_then(|answer| answer.member("file"));
        let told = |key| file.and_then(|file| json::member(file, key)?.parse().ok());
        Summary::Read {
            path: self.path(),
            from: told("startLine").or_else(|| self.number("offset")).filter(|line| *line > 1),
            lines: told("numLines").or_else(|| self.number("limit")),
        }
    }

    fn change(&self, answer: Option<&Answer<'_>>) -> Summary<'_> {
        let path = self.path();
        let kind = answer.and_then(|answer| answer.member_string("type"));
        let is_new = kind.as_deref() == Some("create");
        let mut diff = Diff::of_file(&path, is_new);
        let hunks = answer.and_then(|answer| answer.member("structuredPatch"));
        match hunks.filter(|hunks| json::elements(hunks).next().is_some()) {
            Some(hunks) => diff.add_patch(hunks),
            None => self.add_own_texts(&mut diff, answer),
        }
        Summary::Change { path, is_new, diff }
    }

    /// The change as the call itself words it.
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
            .or_else(|| input.member_string("new_source"));
        let old = input.member_string("old_string").or_else(|| input.member_string("old_str"));
        if old.is_some() || new.is_some() {
            diff.add_texts(&old.unwrap_or_default(), &new.unwrap_or_default());
        }
    }

    fn shell<'c>(&'c self, answer: Option<&'c Answer<'_>>) -> Summary<'c> {
        let told = |key| answer.and_then(|answer| answer.member_string(key));
        let background = told("backgroundTaskId");
        let text = answer.map(Answer::text).unwrap_or_default();
        let said_code = text
            .strip_prefix("Exit code ")
            .and_then(|rest| rest.split(['\n', '\r', ' ']).next()?.parse().ok());
        let noted_code = answer.and_then(|answer| answer.member("exitCode")?.parse().ok());
        let odd = told("returnCodeInterpretation").is_some();
        let well = self.status() == Status::Ok && background.is_none() && !odd;
        let exit_code = noted_code
            .or(said_code)
            .or((well && answer.is_some_and(|answer| answer.structured.is_some())).then_some(0));
        Summary::Shell {
            command: self
                .argument("command")
                .or_else(|| self.argument("bash_id"))
                .unwrap_or_default(),
            description: self.argument("description"),
            exit_code,
            stdout: told("stdout").unwrap_or(text),
            stderr: told("stderr").unwrap_or_default(),
            background,
            deeds: git::deeds(self),
        }
    }

    fn search(&self, answer: Option<&Answer<'_>>) -> Summary<'_> {
        let told = |key| answer?.member(key)?.parse().ok();
        let found = match self.argument("output_mode").as_deref() {
            Some("content") => told("numLines").or_else(|| told("numMatches")),
            Some("count") => told("numMatches"),
            _ => told("numFiles"),
        };
        Summary::Search {
            pattern: self.argument("pattern").unwrap_or_default(),
            path: self.argument("path"),
            found: found.or_else(|| told("numFiles")),
        }
    }

    fn agent<'c>(&'c self, answer: Option<&'c Answer<'_>>) -> Summary<'c> {
        let told = |key| answer?.member(key)?.parse().ok();
        Summary::Agent {
            kind: self.argument("subagent_type"),
            description: self.argument("description"),
            agent_id: answer.and_then(|answer| answer.member_string("agentId")),
            tokens: told("totalTokens"),
            calls: told("totalToolUseCount"),
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
        let asked = self.input.as_ref().and_then(|input| input.member("questions"));
        let questions = json::elements(asked.unwrap_or_default()).filter_map(|item| {
            let question = json::decode_string(json::member(item, "question")?)?.text;
            let answer = answers
                .and_then(|answers| member_by_text(answers, &question))
                .and_then(json::decode_string)
                .map(|decoded| decoded.text);
            Some(Question { question, answer })
        });
        Summary::Questions(questions.collect())
    }

    /// The argument that says most: one that names the thing, else the first
    /// text.
    fn telling_argument(&self) -> Option<Cow<'_, str>> {
        const TELLING: [&str; 9] = [
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
        TELLING.iter().find_map(|key| self.argument(key)).or_else(|| {
            let mut first = None;
            json::string_values(self.input.as_ref()?.as_str(), |text| {
                first.get_or_insert(text);
            });
            first
        })
    }
}

/// The member whose key, decoded, is this text.
fn member_by_text<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    json::Members::new(object.as_bytes()).find_map(|(name, value)| {
        let quoted = format!("\"{}\"", str::from_utf8(name).ok()?);
        let decoded = json::decode_string(&quoted)?;
        (decoded.text == key).then(|| object.get(value))?
    })
}
