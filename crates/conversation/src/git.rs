//! What calls did to the repository: commits, pushes, pull requests.
//!
//! New versions of the app note them beside the result; otherwise git and gh
//! say them on standard output. Only the output of commands that ask for them
//! is believed: a log that shows a commit does not make one.

use crate::call::{Status, ToolCall};
use transcript::json;

/// Something a call did to the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GitDeed {
    /// A commit.
    Commit {
        /// Its hash, as short as it was said.
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

/// What a call did to the repository.
pub fn deeds(call: &ToolCall<'_>) -> Vec<GitDeed> {
    let Some(answer) = call.answer.as_ref().filter(|_| call.status() == Status::Ok) else {
        return Vec::new();
    };
    if &*call.tool != "Bash" {
        return Vec::new();
    }
    let command = call.argument("command").unwrap_or_default();
    let noted = answer.member("gitOperation");
    // Most commands have nothing to do with it; their output is not looked at.
    if noted.is_none() && !command.contains("git") && !command.contains("gh ") {
        return Vec::new();
    }
    let mut deeds = noted.map(noted_deeds).unwrap_or_default();
    let output = answer.member_string("stdout").unwrap_or_else(|| answer.text());
    let has_commit = deeds.iter().any(|deed| matches!(deed, GitDeed::Commit { .. }));
    // The app notes the hash alone; git says more.
    let said: Vec<GitDeed> = output.lines().filter_map(commit_line).collect();
    for deed in &mut deeds {
        let GitDeed::Commit { hash, branch, subject } = deed else { continue };
        let fuller = said.iter().find_map(|said| match said {
            GitDeed::Commit { hash: own, branch, subject }
                if own.starts_with(&**hash) || hash.starts_with(&**own) =>
            {
                Some((branch, subject))
            }
            _ => None,
        });
        if let Some((own_branch, own_subject)) = fuller {
            *branch = branch.take().or_else(|| own_branch.clone());
            *subject = subject.take().or_else(|| own_subject.clone());
        }
    }
    if !has_commit && mentions(&command, "commit", &["git"]) {
        deeds.extend(said);
    }
    let has_request = deeds.iter().any(|deed| matches!(deed, GitDeed::PullRequest { .. }));
    if !has_request && command.contains("gh pr create") {
        deeds.extend(output.lines().find_map(request_line));
    }
    deeds
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

/// What the app noted: an object with `commit`, `push`, `pr`.
fn noted_deeds(noted: &str) -> Vec<GitDeed> {
    let string = |object: &str, key: &str| {
        json::member(object, key)
            .and_then(json::decode_string)
            .map(|decoded| decoded.text.into_owned())
    };
    let mut deeds = Vec::new();
    if let Some(commit) = json::member(noted, "commit").filter(|value| *value != "null") {
        let hash = string(commit, "sha").or_else(|| string(commit, "hash"));
        deeds.extend(hash.map(|hash| GitDeed::Commit {
            hash,
            branch: string(commit, "branch"),
            subject: string(commit, "message").or_else(|| string(commit, "subject")),
        }));
    }
    if let Some(push) = json::member(noted, "push").filter(|value| *value != "null") {
        deeds.push(GitDeed::Push { branch: string(push, "branch") });
    }
    if let Some(request) = json::member(noted, "pr").filter(|value| *value != "null") {
        deeds.push(GitDeed::PullRequest {
            number: json::member(request, "number").and_then(|number| number.parse().ok()),
            url: string(request, "url"),
        });
    }
    deeds
}

/// git's `[branch hash] subject`.
fn commit_line(line: &str) -> Option<GitDeed> {
    let (inside, subject) = line.trim_start().strip_prefix('[')?.split_once(']')?;
    let (branch, hash) = inside.rsplit_once(' ')?;
    let is_hash =
        (7..=40).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let branch = branch.trim_end_matches("(root-commit)").trim();
    let plain = !branch.is_empty() && (!branch.contains(' ') || branch == "detached HEAD");
    (is_hash && plain).then(|| GitDeed::Commit {
        hash: hash.to_owned(),
        branch: Some(branch.to_owned()),
        subject: Some(subject.trim().to_owned()).filter(|subject| !subject.is_empty()),
    })
}

/// The address `gh pr create` prints.
fn request_line(line: &str) -> Option<GitDeed> {
    let url = line.trim();
    let path = url.strip_prefix("https://")?;
    let number = path.rsplit_once("/pull/").map(|(_, number)| number)?;
    let number: u64 = number.parse().ok()?;
    Some(GitDeed::PullRequest { number: Some(number), url: Some(url.to_owned()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_says_after_a_commit() {
        let table = [
            ("[main 1a2b3c4] fix: the thing", Some(("1a2b3c4", "main", "fix: the thing"))),
            ("[main (root-commit) 1a2b3c4] first", Some(("1a2b3c4", "main", "first"))),
            ("[detached HEAD 1a2b3c4d] x", Some(("1a2b3c4d", "detached HEAD", "x"))),
            ("[lint] $ golangci-lint run", None),
            ("[a b c 1a2b3c4] no branch", None),
            ("[main nothexx] y", None),
        ];
        for (line, expected) in table {
            let expected = expected.map(|(hash, branch, subject)| GitDeed::Commit {
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
    fn pull_requests_are_told_by_their_address() {
        let found = request_line(" https://github.com/a/b/pull/12 \n");
        let url = "https://github.com/a/b/pull/12".to_owned();
        assert_eq!(found, Some(GitDeed::PullRequest { number: Some(12), url: Some(url) }));
        assert_eq!(request_line("see https://github.com/a/b/pull/12"), None);
    }

    #[test]
    fn notes_of_the_app_are_read() {
        let noted = r#"{"commit":{"sha":"abc1234","kind":"committed"},"push":{"branch":"b"},"pr":{"number":7,"url":"u"}}"#;
        assert_eq!(
            noted_deeds(noted),
            [
                GitDeed::Commit { hash: "abc1234".into(), branch: None, subject: None },
                GitDeed::Push { branch: Some("b".into()) },
                GitDeed::PullRequest { number: Some(7), url: Some("u".into()) },
            ]
        );
    }
}
