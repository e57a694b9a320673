//! A session that moved into a git worktree. The file it left behind is a copy:
//! the same id in another folder, older and shorter.

use jiff::Timestamp;
use serde_json::json;

use super::setting;
use crate::exchange::Piece::{Say, Think};
use crate::files::{Files, days_before};
use crate::identity::{directory, project_folder, session};
use crate::object::Object;
use crate::tools;
use crate::transcript::Transcript;

const CREDENTIALS: &str = "\
create table credentials (
    id bytea primary key,
    person uuid not null references people,
    public_key bytea not null,
    counter bigint not null default 0
);
";

pub(super) fn add_sessions(files: &mut Files, now: Timestamp) {
    let start = days_before(now, 2);
    let left_behind = opening(start);
    let path = |cwd| format!("{}/{}.jsonl", project_folder(cwd), session::PASSKEYS);
    files.add_transcript(path(directory::TIDEPOOL), left_behind);

    let mut log = opening(start);
    log.wait(90);
    let worktree = Object::new()
        .with("originalCwd", directory::TIDEPOOL)
        .with("worktreePath", directory::WORKTREE)
        .with("worktreeName", "login")
        .with("worktreeBranch", "login")
        .with("originalBranch", "main")
        .with("originalHeadCommit", "8c41d02f6a7be91530d4c8f2a96e7b1d05f3c4a8")
        .with("sessionId", session::PASSKEYS);
    log.state("worktree-state", &Object::new().with_object("worktreeSession", &worktree));
    log.state("relocated", &Object::new().with("relocatedCwd", directory::WORKTREE));
    log.setting.cwd = directory::WORKTREE;
    log.setting.branch = "login";
    let last = "Start with registration only. Login can wait until tomorrow.";
    log.prompt(last);
    log.work(
        &[Think(
            "Registration needs a challenge, the browser's answer and a table for \
            credentials.",
        )],
        &[tools::write(
            "/home/ada/tidepool-worktrees/login/migrations/0007_credentials.sql",
            CREDENTIALS,
        )],
    );
    log.reply(&[Say("Registration has its table and its two routes, `POST \
        /passkeys/challenge` and `POST /passkeys`. Nothing else changed, and `main` does not \
        know about it yet.")]);
    log.turn_duration();
    log.ai_title("Passkeys, in a worktree of their own");
    log.state("permission-mode", &Object::new().with("permissionMode", "acceptEdits"));
    log.last_prompt(last);
    files.add_transcript(path(directory::WORKTREE), log);
}

fn opening(start: Timestamp) -> Transcript {
    let mut log = Transcript::new(setting(session::PASSKEYS, "main"), start);
    log.prompt("How much work would it be to offer passkeys next to passwords?");
    log.attachment(&json!({
        "type": "file",
        "filename": "/home/ada/tidepool/docs/login.md", "displayPath": "docs/login.md",
        "content": { "type": "text", "file": {
            "filePath": "/home/ada/tidepool/docs/login.md",
            "content": "# Login\n\nPasswords only, for now.\n",
            "numLines": 3, "startLine": 1, "totalLines": 3,
        } },
    }));
    log.reply(&[Say("About two days: one table, four routes, a page. Registration and login \
        are independent, so they can be two steps. I suggest a worktree, so that the service \
        keeps running from `main`.")]);
    log.turn_duration();
    log
}
