//! The git actions of calls: commits, pushes, pull requests.
//!
//! New versions of the app record them in the structured result; otherwise git and
//! gh print them. Only the output of commands that perform such actions is used: a
//! log that shows a commit does not make one.

use crate::call::{Status, ToolCall};
use crate::tool_kind::ToolKind;
use transcript::json;

/// An action of a call on the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GitAction {
    /// A commit.
    Commit {
        /// Its hash, possibly abbreviated.
        hash: String,
        /// The branch it was made on.
        branch: Option<String>,
        /// Its first line.
        subject: Option<String>,
    },
    /// A push.
    Push {
        /// The branch.
        branch: Option<String>,
    },
    /// A pull request.
    PullRequest {
        /// Its number.
        number: Option<u64>,
        /// Its address.
        url: Option<String>,
    },
}

/// The git actions of a call.
pub fn git_actions(call: &ToolCall<'_>) -> Vec<GitAction> {
    let Some(answer) = call.answer.as_ref().filter(|_| call.status() == Status::Ok) else {
        return Vec::new();
    };
    // Of Claude Code's own shells, only Bash is known to print actions in this form.
    if call.kind() != ToolKind::Shell || matches!(&*call.tool, "BashOutput" | "PowerShell") {
        return Vec::new();
    }
    let command = call.command().unwrap_or_default();
    let recorded = answer.member("gitOperation");
    // Most commands have nothing to do with git; their output is not read.
    if recorded.is_none() && !command.contains("git") && !command.contains("gh ") {
        return Vec::new();
    }
    let mut actions = recorded.map(recorded_actions).unwrap_or_default();
    let output = answer.member_string("stdout").unwrap_or_else(|| answer.text());
    let has_commit = actions.iter().any(|action| matches!(action, GitAction::Commit { .. }));
    // The app records only the hash; git prints more.
    let printed: Vec<GitAction> = output.lines().filter_map(commit_line).collect();
    for action in &mut actions {
        let GitAction::Commit { hash, branch, subject } = action else { continue };
        let details = printed.iter().find_map(|commit| match commit {
            GitAction::Commit { hash: own, branch, subject }
                if own.starts_with(&**hash) || hash.starts_with(&**own) =>
            {
                Some((branch, subject))
            }
            _ => None,
        });
        if let Some((own_branch, own_subject)) = details {
            *branch = branch.take().or_else(|| own_branch.clone());
            *subject = subject.take().or_else(|| own_subject.clone());
        }
    }
    if !has_commit && mentions(&command, "commit", &["git"]) {
        actions.extend(printed);
    }
    let has_request = actions.iter().any(|action| matches!(action, GitAction::PullRequest { .. }));
    if !has_request && command.contains("gh pr create") {
        actions.extend(output.lines().find_map(request_line));
    }
    actions
}

/// Whether a command line runs `git … word`.
fn mentions(command: &str, word: &str, programs: &[&str]) -> bool {
    let separators = |c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|' | '(' | ')');
    let mut words = command.split(separators).filter(|word| !word.is_empty());
    let mut after_program = false;
    words.any(|next| {
        if programs.contains(&next) {
            after_program = true;
            return false;
        }
        after_program && next == word
    })
}

/// The actions that the app recorded: an object with `commit`, `push`, `pr`.
fn recorded_actions(recorded: &str) -> Vec<GitAction> {
    let string = |object: &str, key: &str| {
        json::member(object, key)
            .and_then(json::decode_string)
            .map(|decoded| decoded.text.into_owned())
    };
    let mut actions = Vec::new();
    if let Some(commit) = json::member(recorded, "commit").filter(|value| *value != "null") {
        let hash = string(commit, "sha").or_else(|| string(commit, "hash"));
        actions.extend(hash.map(|hash| GitAction::Commit {
            hash,
            branch: string(commit, "branch"),
            subject: string(commit, "message").or_else(|| string(commit, "subject")),
        }));
    }
    if let Some(push) = json::member(recorded, "push").filter(|value| *value != "null") {
        actions.push(GitAction::Push { branch: string(push, "branch") });
    }
    if let Some(request) = json::member(recorded, "pr").filter(|value| *value != "null") {
        actions.push(GitAction::PullRequest {
            number: json::member(request, "number").and_then(|number| number.parse().ok()),
            url: string(request, "url"),
        });
    }
    actions
}

/// A commit from git's output `[branch hash] subject`.
fn commit_line(line: &str) -> Option<GitAction> {
    let (inside, subject) = line.trim_start().strip_prefix('[')?.split_once(']')?;
    let (branch, hash) = inside.rsplit_once(' ')?;
    let is_hash =
        (7..=40).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let branch = branch.trim_end_matches("(root-commit)").trim();
    let plain = !branch.is_empty() && (!branch.contains(' ') || branch == "detached HEAD");
    (is_hash && plain).then(|| GitAction::Commit {
        hash: hash.to_owned(),
        branch: Some(branch.to_owned()),
        subject: Some(subject.trim().to_owned()).filter(|subject| !subject.is_empty()),
    })
}

/// A pull request from the address that `gh pr create` prints.
fn request_line(line: &str) -> Option<GitAction> {
    let url = line.trim();
    let path = url.strip_prefix("https://")?;
    let number = path.rsplit_once("/pull/").map(|(_, number)| number)?;
    let number: u64 = number.parse().ok()?;
    Some(GitAction::PullRequest { number: Some(number), url: Some(url.to_owned()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_read_from_the_output_of_git() {
        let table = [
            ("[main 1a2b3c4] fix: the thing", Some(("1a2b3c4", "main", "fix: the thing"))),
            ("[main (root-commit) 1a2b3c4] first", Some(("1a2b3c4", "main", "first"))),
            ("[detached HEAD 1a2b3c4d] x", Some(("1a2b3c4d", "detached HEAD", "x"))),
            ("[lint] $ golangci-lint run", None),
            ("[a b c 1a2b3c4] no branch", None),
            ("[main nothexx] y", None),
        ];
        for (line, expected) in table {
            let expected = expected.map(|(hash, branch, subject)| GitAction::Commit {
                hash: hash.to_owned(),
                branch: Some(branch.to_owned()),
                subject: Some(subject.to_owned()),
            });
            assert_eq!(commit_line(line), expected, "{line}");
        }
    }

    #[test]
    fn only_a_command_that_commits_makes_commits() {
        let table = [
            ("git commit -m x", true),
            ("cd a && git -C b commit", true),
            ("git add . && git commit", true),
            ("git log --grep commit-msg", false),
            ("echo commit", false),
        ];
        for (command, expected) in table {
            assert_eq!(mentions(command, "commit", &["git"]), expected, "{command}");
        }
    }

    #[test]
    fn pull_requests_are_read_from_their_address() {
        let found = request_line(" https://github.com/a/b/pull/12 \n");
        let url = "https://github.com/a/b/pull/12".to_owned();
        assert_eq!(found, Some(GitAction::PullRequest { number: Some(12), url: Some(url) }));
        assert_eq!(request_line("see https://github.com/a/b/pull/12"), None);
    }

    #[test]
    fn recorded_actions_are_read() {
        let recorded = r#"{"commit":{"sha":"abc1234","kind":"committed"},"push":{"branch":"b"},"pr":{"number":7,"url":"u"}}"#;
        assert_eq!(
            recorded_actions(recorded),
            [
                GitAction::Commit { hash: "abc1234".into(), branch: None, subject: None },
                GitAction::Push { branch: Some("b".into()) },
                GitAction::PullRequest { number: Some(7), url: Some("u".into()) },
            ]
        );
    }
}
