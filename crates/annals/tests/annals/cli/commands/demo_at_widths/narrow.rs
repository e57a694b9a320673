//! A narrow terminal: 60 columns.

use super::{at, at_size};

#[test]
fn home() {
    let Some(text) = at(60, &[]) else { return };
    insta::assert_snapshot!(text, @r"
    15 sessions in 5 projects, 8 sub-agents, 141 kB; 1 changed
      today

    SESSION   CHANGED  PROJECT          TITLE
    3f9c1d7e  20m ago  ~/tidepool       Fix the flaky login test
    a17e60b2  1d ago   ~/tidepool       Tide table endpoint #ti…
    5d17fa94  1d ago   ~/tidepool       Passkeys, in a worktree…
    d80a35e1  2d ago   ~/tidepool       Plan the move of statio…
    c52b8f06  2d ago   ~/tidepool       Plan the move of statio…
    f2c80b6d  3d ago   ~/notes          Sourdough log (archived)
    7be4920f  4d ago   ~/tidepool       Compare the API docs wi…
    b93e7f1a  5d ago   …\ada\ledger     Import the bank's CSV
    b6f8142c  5d ago   ~/tidepool       Blank dashboard in Safa…
    29f5a8c3  6d ago   ~/a_b            Convert a plot to PNG

    Claude Code will delete 2 sessions within 3 days (next: due)
    hint: `annals archive sync` backs them up, `annals doctor`
      lists them

    2 sessions known by prompts only: annals ls --deleted

    Browse, search and resume: annals tui
    ");
}

#[test]
fn ls() {
    let Some(text) = at(60, &["ls"]) else { return };
    insta::assert_snapshot!(text, @r"
    SESSION   CHANGED     PROJECT       TITLE
    3f9c1d7e  20m ago     ~/tidepool    Fix the flaky login test
    a17e60b2  1d ago      ~/tidepool    Tide table endpoint #ti…
    5d17fa94  1d ago      ~/tidepool    Passkeys, in a worktree…
    d80a35e1  2d ago      ~/tidepool    Plan the move of statio…
    c52b8f06  2d ago      ~/tidepool    Plan the move of statio…
    f2c80b6d  3d ago      ~/notes       Sourdough log (archived)
    7be4920f  4d ago      ~/tidepool    Compare the API docs wi…
    b93e7f1a  5d ago      …\ada\ledger  Import the bank's CSV
    b6f8142c  5d ago      ~/tidepool    Blank dashboard in Safa…
    29f5a8c3  6d ago      ~/a_b         Convert a plot to PNG
    8d640e2b  7d ago      ~/a-b         Harmless \u{1b}[2J\u{1b…
    4ac15d90  7d ago      …\ada\ledger  One cent off
    68b0e4d7  8d ago      ~/notes       Five books about the sea
    e4a9d05f  27d ago     ~/tidepool    Requests got slow since…
    0c6d7b3a  2025-12-18  ~/tidepool    Sketch of a tide table…
    ");
}

#[test]
fn prompts() {
    let Some(text) = at(60, &["prompts", "--limit", "8"]) else { return };
    insta::assert_snapshot!(text, @"
    WHEN     SESSION           PROMPT
    20m ago  3f9c1d7e          Yes, but in a branch of its own.…
    26m ago  3f9c1d7e  queued  Please don't just sleep longer,…
    27m ago  3f9c1d7e          The login test fails about one t…
    1d ago   a17e60b2          Lovely. Open a pull request and…
    1d ago   a17e60b2          Add an endpoint that gives a day…
    1d ago   5d17fa94          Start with registration only. Lo…
    2d ago   5d17fa94          How much work would it be to off…
    2d ago   d80a35e1          Keep the files behind a flag for…
    Showing 8 of 31 prompts (--limit 0 shows all)
    ");
}

#[test]
fn info() {
    let Some(text) = at(60, &["info", "flaky"]) else { return };
    insta::assert_snapshot!(text, @"
    Fix the flaky login test
    3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645

    project    ~/tidepool
    branch     fix/flaky-login
    time       2026-02-01 11:32:03 – 2026-02-01 11:39:23 (7m
               19s, UTC)
    version    2.1.325
    prompts    3, answered by 9 messages
    records    assistant 14, user 10, attachment 3, ai-title 2,
               file-history-snapshot 2, queue-operation 2,
               system 2, last-prompt 1
    models     claude-opus-5-5 9, claude-sonnet-5 3,
               claude-haiku-4-5-20251001 2
    tokens     78 in, 1.4k out, 257k read from the cache, 37k
               written to it
    cost       $0.2259 (at API prices)
    tools      Bash 3, Agent 2, Grep 2, Read 2, Edit 1,
               TodoWrite 1
    agents     2 (8.7 kB)
    files      1 changed, 2 touched
               ~/tidepool/tests/login.rs
    commit     8c41d02 Move the clock in the login test instead
               of sleeping
    backups    1 file backup (327 B)
    size       27 kB in 36 lines
    file       [ROOT]/projects/-home-ada-tidepool/3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645.jsonl
    ");
}

#[test]
fn search() {
    let Some(text) = at(60, &["search", "flaky", "clock"]) else { return };
    insta::assert_snapshot!(text, @"
    3f9c1d7e  ~/tidepool  Fix the flaky login test
      result Bash  20m ago  annals show 3f9c1d7e:3
        [fix/flaky-login 8c41d02] Move the clock in the login
        test instead of sleeping 1 file changed, 1 insertion(+),
        1 deletion(-)
      annals show 3f9c1d7e   annals resume 3f9c1d7e

    1 of 1 hit
    ");
}

#[test]
fn doctor() {
    let Some(text) = at(60, &["doctor"]) else { return };
    insta::assert_snapshot!(text, @r#"
    Stores
      [ROOT]
        (configuration folder, found by --demo): 15 sessions
      15 sessions, 3 hidden, 8 sub-agents; 267 lines in 27
        files, 184 kB
    Cleanup
      Claude Code deletes transcripts 30 days after their last
        change (from settings), without notice.
      Claude Code will delete 2 sessions within 7 days; 2 not in
        the archive.
      hint: annals archive sync backs them up; to make Claude
        Code keep them longer, add "cleanupPeriodDays": 365 to
        [ROOT]/settings.json
      SESSION   DELETED  ARCHIVED  TITLE
      0c6d7b3a  due      no        Sketch of a tide table servi…
      e4a9d05f  in 2d    no        Requests got slow since ther…
    Archive
      No archive yet: sessions that Claude Code deletes are
        lost.
      hint: annals archive sync backs up all sessions
    Damage (5)
      projects/C--Users-ada-ledger/4ac15d90-e8b7-4236-9fd1-7c0e38a5b6f2.jsonl
        line 3 at byte 537: not JSON: EOF while parsing a string
        line 6 at byte 2627: 2 objects on one line
        line 8 at byte 5382: 24 NUL bytes before the object
        line 10 at byte 6730: blank line
        line 12 at byte 6903: the last line is incomplete
    Unknown record types and fields (3)
      type weather-report ×1: {type: string, outlook: {sky:
        string, wind: number}, timestamp: string, sessionId:
        string}
      block soundscape ×1, since 2.3.0: {caption: string,
        seconds: number, type: string}
      key usage.sound_tokens ×1, since 2.3.0: number
    Sessions with several copies (2)
      a17e60b2-94cd-4f3a-8b15-2d6c7e90f1a4:
        pre-compact-session-histories/a17e60b2-94cd-4f3a-8b15-2d6c7e90f1a4-20260131-100037.jsonl
      5d17fa94-c08e-4b3d-8265-e7f9016ab4cd:
        projects/-home-ada-tidepool/5d17fa94-c08e-4b3d-8265-e7f9016ab4cd.jsonl
    Project folders shared by several paths (1)
      projects/-home-ada-a-b: /home/ada/a-b, /home/ada/a_b
    Files that are not sessions (2)
      projects/-home-ada-notes/draft-backup.jsonl: its name is
        not a session id
      projects/-home-ada-notes/notes.txt: not a transcript
    Outdated Claude Code caches (annals does not use them) (2)
      projects/-home-ada-tidepool/sessions-index.json: 1 of its
        sessions are gone, 8 are missing from it, 1 changed
        since
      stats-cache.json: it counted 2 sessions up to 2025-12-19;
        there are 18
    "#);
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let calls: [&[&str]; 16] = [
        &[],
        &["ls"],
        &["ls", "--hidden"],
        &["ls", "--deleted"],
        &["ls", "--live"],
        &["projects"],
        &["prompts"],
        &["files"],
        &["info", "flaky"],
        &["search", "the"],
        &["grep", "the"],
        &["grep", "-c", "the"],
        &["tools", "flaky"],
        &["agents", "flaky"],
        &["doctor", "--all"],
        &["archive", "ls"],
    ];
    for width in [60, 80, 120] {
        for call in calls {
            let Some(text) = at(width, call) else { return };
            for line in text.lines() {
                let columns = render_width(line);
                // A path stays whole, so that it can be copied.
                let is_path = line.rsplit(' ').next().is_some_and(|word| word.contains('/'));
                assert!(columns <= width || is_path, "{call:?}: {columns} in {width}: {line}");
            }
        }
    }
}

/// Characters are counted: the demo has few wide ones, which tables measure.
fn render_width(line: &str) -> usize {
    line.chars().filter(|character| !matches!(character, '\u{300}'..='\u{36f}')).count()
}

#[test]
fn rows_fit_the_height_of_the_terminal() {
    let calls: [&[&str]; 4] = [&["ls"], &["prompts"], &["files"], &["tools"]];
    for height in [10, 15, 40] {
        for call in calls {
            let Some(text) = at_size(80, Some(height), call) else { return };
            let lines = text.lines().count();
            assert!(lines < height, "{call:?}: {lines} lines in {height}:\n{text}");
            assert!(lines + 2 >= height.min(14), "{call:?}: {lines} lines in {height}:\n{text}");
        }
    }
    let Some(text) = at_size(80, Some(10), &["ls"]) else { return };
    assert!(text.ends_with("Showing 6 of 15 sessions (--limit 0 shows all)"), "{text}");
}

#[test]
fn home_page_fills_the_height_of_the_terminal() {
    for height in [18, 20, 22] {
        let Some(text) = at_size(80, Some(height), &[]) else { return };
        let lines = text.lines().count();
        assert!((height - 2..height).contains(&lines), "{lines} lines in {height}:\n{text}");
    }
}
