//! Usage, context and health.

use super::at;

#[test]
fn usage() {
    let Some(text) = at(80, &["usage", "--limit", "6"]) else { return };
    insta::assert_snapshot!(text, @"
    DAY         CALLS  INPUT  OUTPUT  WRITTEN  READ  TOKENS       COST
    2026-01-27     12     84     878      56k  173k    230k  $0.2114    █████████▍
    2026-01-28      4     30     350      11k   87k     98k  $0.0316    █▍
    2026-01-29      7     53     704      11k  162k    175k  $0.1378    ██████▏
    2026-01-30      3     17     317      10k   63k     73k  $0.1021    ████▌
    2026-01-31      8     61     796      13k  300k    313k  $0.1283    █████▋
    2026-02-01     14     78    1.4k      37k  257k    295k  $0.2259    ██████████
    ──────────────────────────────────────────────────────────────────────────────
    TOTAL          71    473    6.2k     234k  1.4M    1.7M  $1.17 + ?
    Showing 6 of 12 rows; TOTAL covers all rows (--limit 0 shows all)
    Costs at API prices, from the transcripts; days in UTC. Caching saved $3.20.
    ? 3 calls to claude-nova-7: price unknown (--prices FILE adds prices)
    2 lines could not be read (--explain shows details)
    ");
    let Some(text) = at(120, &["usage", "--limit", "6"]) else { return };
    insta::assert_snapshot!(text, @"
    DAY         CALLS  INPUT  OUTPUT  WRITTEN  READ  TOKENS   HIT       COST              MODELS
    2026-01-27     12     84     878      56k  173k    230k  75 %  $0.2114    █████████▍  haiku-4-5, opus-5-5, sonnet-5
    2026-01-28      4     30     350      11k   87k     98k  89 %  $0.0316    █▍          haiku-4-5
    2026-01-29      7     53     704      11k  162k    175k  93 %  $0.1378    ██████▏     opus-5-5
    2026-01-30      3     17     317      10k   63k     73k  86 %  $0.1021    ████▌       opus-5-5
    2026-01-31      8     61     796      13k  300k    313k  96 %  $0.1283    █████▋      sonnet-5
    2026-02-01     14     78    1.4k      37k  257k    295k  87 %  $0.2259    ██████████  haiku-4-5, opus-5-5, sonnet-5
    ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    TOTAL          71    473    6.2k     234k  1.4M    1.7M  86 %  $1.17 + ?
    Showing 6 of 12 rows; TOTAL covers all rows (--limit 0 shows all)
    Costs at API prices, from the transcripts; days in UTC. Caching saved $3.20.
    ? 3 calls to claude-nova-7: price unknown (--prices FILE adds prices)
    2 lines could not be read (--explain shows details)
    ");
}

#[test]
fn usage_by_model() {
    let Some(text) = at(80, &["usage", "--by", "model,agent", "--limit", "6"]) else { return };
    insta::assert_snapshot!(text, @"
    MODEL                       AGENT              OUTPUT  TOKENS       COST
    claude-opus-5-5             (main)               2.3k    557k  $0.5117
    claude-sonnet-5             (main)               1.6k    558k  $0.3043
    claude-haiku-4-5-20251001   (main)                531    171k  $0.0777
    claude-sonnet-4-20250514    (main)                284     74k  $0.0623
    claude-sonnet-4-5-20250929  (main)                279     73k  $0.0623
    claude-haiku-4-5-20251001   workflow-subagent     267     59k  $0.0480
    ────────────────────────────────────────────────────────────────────────
    TOTAL                                            6.2k    1.7M  $1.17 + ?
    Showing 6 of 12 rows; TOTAL covers all rows (--limit 0 shows all)
    Costs at API prices, from the transcripts. Caching saved $3.20.
    ? 3 calls to claude-nova-7: price unknown (--prices FILE adds prices)
    2 lines could not be read (--explain shows details)
    ");
    let Some(text) = at(120, &["usage", "--by", "model,agent", "--limit", "6"]) else { return };
    insta::assert_snapshot!(text, @"
    MODEL                       AGENT              CALLS  INPUT  OUTPUT  WRITTEN  READ  TOKENS   HIT       COST
    claude-opus-5-5             (main)                22    151    2.3k      45k  509k    557k  92 %  $0.5117    ██████████
    claude-sonnet-5             (main)                18    129    1.6k      44k  512k    558k  92 %  $0.3043    ██████
    claude-haiku-4-5-20251001   (main)                 7     50     531      31k  140k    171k  82 %  $0.0777    █▌
    claude-sonnet-4-20250514    (main)                 3     22     284      10k   63k     74k  86 %  $0.0623    █▎
    claude-sonnet-4-5-20250929  (main)                 3     22     279      10k   63k     73k  86 %  $0.0623    █▎
    claude-haiku-4-5-20251001   workflow-subagent      5     29     267      35k   23k     59k  40 %  $0.0480    ▉
    ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    TOTAL                                             71    473    6.2k     234k  1.4M    1.7M  86 %  $1.17 + ?
    Showing 6 of 12 rows; TOTAL covers all rows (--limit 0 shows all)
    Costs at API prices, from the transcripts. Caching saved $3.20.
    ? 3 calls to claude-nova-7: price unknown (--prices FILE adds prices)
    2 lines could not be read (--explain shows details)
    ");
}

#[test]
fn context() {
    let Some(text) = at(80, &["context", "flaky"]) else { return };
    insta::assert_snapshot!(text, @"
    Fix the flaky login test
    3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645

    window   27,429 tokens now (3 % of 1,000,000), 27,429 at its peak
    calls    9
    cache    94 % of all input was read from the cache

    Context window by call
    █████████

    Current content
    WHAT                                                    SHARE  TOKENS  ITEMS
    system and memory        ████████████████████████████▉   96 %  24,108      1
    · not in the transcript  ████████████████████████████▉   96 %  24,108      1
    tool inputs              ▍                                1 %     307      8
    · TodoWrite              ▏                               <1 %      84      1
    · Bash                   ▏                               <1 %      82      3
    · Agent                  ▏                               <1 %      50      1
    · Edit                   ▏                               <1 %      48      1
    · Grep                   ▏                               <1 %      29      1
    · Read                   ▏                               <1 %      14      1
    tool results             ▍                                1 %     294      8
    · Read                   ▏                               <1 %      98      1
    · Bash                   ▏                               <1 %      86      3
    · Agent                  ▏                               <1 %      50      1
    · Grep                   ▏                               <1 %      43      1
    · Edit                   ▏                               <1 %      11      1
    · TodoWrite              ▏                               <1 %       6      1
    assistant text           ▎                                1 %     182      4
    thinking                 ▏                               <1 %      83      2
    prompts                  ▏                               <1 %      48      3
    Estimated total: 25,022 tokens, at 4.0 characters per token (assumed) and 1,500
      tokens per image

    Largest items (estimated)
    TOKENS  BYTES  TURN  WHAT            NAME       LABEL
       106  421 B     2  assistant text             The test was right and the slee…
        98  407 B     1  tool results    Read       tests/login.rs
        84  336 B     1  tool inputs     TodoWrite  Reproduce the failure
        50  200 B     1  tool inputs     Agent      Trace how tokens expire
        50  198 B     1  tool results    Agent      Trace how tokens expire
        50  198 B     2  thinking                   Tokens carry whole seconds. Two…
        48  191 B     2  tool inputs     Edit       tests/login.rs
        43  171 B     1  tool results    Grep       Utc::now|Instant::now|SystemTime
        38  152 B     2  assistant text             Found it. Tokens are stamped in…
        34  136 B     1  tool results    Bash       cargo test --test login -- --te…
    ");
    let Some(text) = at(120, &["context", "flaky"]) else { return };
    insta::assert_snapshot!(text, @"
    Fix the flaky login test
    3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645

    window   27,429 tokens now (3 % of 1,000,000), 27,429 at its peak
    calls    9
    cache    94 % of all input was read from the cache

    Context window by call
    █████████

    Current content
    WHAT                                                                        SHARE  TOKENS  ITEMS
    system and memory        ████████████████████████████████████████████████▏   96 %  24,108      1
    · not in the transcript  ████████████████████████████████████████████████▏   96 %  24,108      1
    tool inputs              ▋                                                    1 %     307      8
    · TodoWrite              ▏                                                   <1 %      84      1
    · Bash                   ▏                                                   <1 %      82      3
    · Agent                  ▏                                                   <1 %      50      1
    · Edit                   ▏                                                   <1 %      48      1
    · Grep                   ▏                                                   <1 %      29      1
    · Read                   ▏                                                   <1 %      14      1
    tool results             ▋                                                    1 %     294      8
    · Read                   ▎                                                   <1 %      98      1
    · Bash                   ▏                                                   <1 %      86      3
    · Agent                  ▏                                                   <1 %      50      1
    · Grep                   ▏                                                   <1 %      43      1
    · Edit                   ▏                                                   <1 %      11      1
    · TodoWrite              ▏                                                   <1 %       6      1
    assistant text           ▍                                                    1 %     182      4
    thinking                 ▏                                                   <1 %      83      2
    prompts                  ▏                                                   <1 %      48      3
    Estimated total: 25,022 tokens, at 4.0 characters per token (assumed) and 1,500 tokens per image

    Largest items (estimated)
    TOKENS  BYTES  TURN  WHAT            NAME       LABEL
       106  421 B     2  assistant text             The test was right and the sleep was wrong.
        98  407 B     1  tool results    Read       tests/login.rs
        84  336 B     1  tool inputs     TodoWrite  Reproduce the failure
        50  200 B     1  tool inputs     Agent      Trace how tokens expire
        50  198 B     1  tool results    Agent      Trace how tokens expire
        50  198 B     2  thinking                   Tokens carry whole seconds. Two logins in the same second have the same…
        48  191 B     2  tool inputs     Edit       tests/login.rs
        43  171 B     1  tool results    Grep       Utc::now|Instant::now|SystemTime
        38  152 B     2  assistant text             Found it. Tokens are stamped in whole seconds, so two logins within one…
        34  136 B     1  tool results    Bash       cargo test --test login -- --test-threads=1
    ");
}

/// The text with the lines about the store joined: where they break depends on the length of
/// its path, and that of the temporary folder differs among machines.
fn with_joined_store(text: &str) -> String {
    let (before, store) = text.split_once("  [ROOT]").expect("the store");
    let mut joined = format!("{before}  [ROOT]");
    let mut lines = store.lines().peekable();
    joined += lines.next().unwrap_or_default();
    while let Some(line) = lines.next_if(|line| line.starts_with("    ")) {
        joined = format!("{joined} {}", line.trim_start());
    }
    lines.fold(joined, |text, line| format!("{text}\n{line}"))
}

#[test]
fn doctor() {
    let Some(text) = at(80, &["doctor"]) else { return };
    insta::assert_snapshot!(with_joined_store(&text), @r#"
    Stores
      [ROOT] (configuration folder, found by --demo): 15 sessions
      15 sessions, 3 hidden, 8 sub-agents; 267 lines in 27 files, 184 kB
    Cleanup
      Claude Code deletes transcripts 30 days after their last change (from
        settings), without notice.
      Claude Code will delete 2 sessions within 7 days; 2 not in the archive.
      hint: annals archive sync backs them up; to make Claude Code keep them longer,
        add "cleanupPeriodDays": 365 to
        [ROOT]/settings.json
      SESSION   DELETED  ARCHIVED  TITLE
      0c6d7b3a  due      no        Sketch of a tide table service
      e4a9d05f  in 2d    no        Requests got slow since there are 300 stations.…
    Archive
      No archive yet: sessions that Claude Code deletes are lost.
      hint: annals archive sync backs up all sessions
    Damage (5)
      projects/C--Users-ada-ledger/4ac15d90-e8b7-4236-9fd1-7c0e38a5b6f2.jsonl
        line 3 at byte 537: not JSON: EOF while parsing a string
        line 6 at byte 2627: 2 objects on one line
        line 8 at byte 5382: 24 NUL bytes before the object
        line 10 at byte 6730: blank line
        line 12 at byte 6903: the last line is incomplete
    Unknown record types and fields (3)
      type weather-report ×1: {type: string, outlook: {sky: string, wind: number},
        timestamp: string, sessionId: string}
      block soundscape ×1, since 2.3.0: {caption: string, seconds: number, type:
        string}
      key usage.sound_tokens ×1, since 2.3.0: number
    Sessions with several copies (2)
      a17e60b2-94cd-4f3a-8b15-2d6c7e90f1a4:
        pre-compact-session-histories/a17e60b2-94cd-4f3a-8b15-2d6c7e90f1a4-20260131-100037.jsonl
      5d17fa94-c08e-4b3d-8265-e7f9016ab4cd:
        projects/-home-ada-tidepool/5d17fa94-c08e-4b3d-8265-e7f9016ab4cd.jsonl
    Project folders shared by several paths (1)
      projects/-home-ada-a-b: /home/ada/a-b, /home/ada/a_b
    Files that are not sessions (2)
      projects/-home-ada-notes/draft-backup.jsonl: its name is not a session id
      projects/-home-ada-notes/notes.txt: not a transcript
    Outdated Claude Code caches (annals does not use them) (2)
      projects/-home-ada-tidepool/sessions-index.json: 1 of its sessions are gone, 8
        are missing from it, 1 changed since
      stats-cache.json: it counted 2 sessions up to 2025-12-19; there are 18
    "#);
    let Some(text) = at(120, &["doctor"]) else { return };
    insta::assert_snapshot!(with_joined_store(&text), @r#"
    Stores
      [ROOT] (configuration folder, found by --demo): 15 sessions
      15 sessions, 3 hidden, 8 sub-agents; 267 lines in 27 files, 184 kB
    Cleanup
      Claude Code deletes transcripts 30 days after their last change (from settings), without notice.
      Claude Code will delete 2 sessions within 7 days; 2 not in the archive.
      hint: annals archive sync backs them up; to make Claude Code keep them longer, add "cleanupPeriodDays": 365 to
        [ROOT]/settings.json
      SESSION   DELETED  ARCHIVED  TITLE
      0c6d7b3a  due      no        Sketch of a tide table service
      e4a9d05f  in 2d    no        Requests got slow since there are 300 stations. Cache the lookups?
    Archive
      No archive yet: sessions that Claude Code deletes are lost.
      hint: annals archive sync backs up all sessions
    Damage (5)
      projects/C--Users-ada-ledger/4ac15d90-e8b7-4236-9fd1-7c0e38a5b6f2.jsonl
        line 3 at byte 537: not JSON: EOF while parsing a string
        line 6 at byte 2627: 2 objects on one line
        line 8 at byte 5382: 24 NUL bytes before the object
        line 10 at byte 6730: blank line
        line 12 at byte 6903: the last line is incomplete
    Unknown record types and fields (3)
      type weather-report ×1: {type: string, outlook: {sky: string, wind: number}, timestamp: string, sessionId: string}
      block soundscape ×1, since 2.3.0: {caption: string, seconds: number, type: string}
      key usage.sound_tokens ×1, since 2.3.0: number
    Sessions with several copies (2)
      a17e60b2-94cd-4f3a-8b15-2d6c7e90f1a4:
        pre-compact-session-histories/a17e60b2-94cd-4f3a-8b15-2d6c7e90f1a4-20260131-100037.jsonl
      5d17fa94-c08e-4b3d-8265-e7f9016ab4cd: projects/-home-ada-tidepool/5d17fa94-c08e-4b3d-8265-e7f9016ab4cd.jsonl
    Project folders shared by several paths (1)
      projects/-home-ada-a-b: /home/ada/a-b, /home/ada/a_b
    Files that are not sessions (2)
      projects/-home-ada-notes/draft-backup.jsonl: its name is not a session id
      projects/-home-ada-notes/notes.txt: not a transcript
    Outdated Claude Code caches (annals does not use them) (2)
      projects/-home-ada-tidepool/sessions-index.json: 1 of its sessions are gone, 8 are missing from it, 1 changed since
      stats-cache.json: it counted 2 sessions up to 2025-12-19; there are 18
    "#);
}

#[test]
fn doctor_secrets() {
    let Some(text) = at(80, &["doctor", "--secrets"]) else { return };
    insta::assert_snapshot!(text, @"
    No secrets found in 18 sessions.
    ");
    assert_eq!(at(120, &["doctor", "--secrets"]), at(80, &["doctor", "--secrets"]));
}

#[test]
fn archive_ls() {
    let Some(text) = at(80, &["archive", "ls"]) else { return };
    insta::assert_snapshot!(text, @r"
    SESSION   CHANGED     PROJECT    FILES    SIZE  TITLE
    3f9c1d7e  20m ago     tidepool       6   37 kB  Fix the flaky login test
    a17e60b2  1d ago      tidepool       3   36 kB  Tide table endpoint
    5d17fa94  1d ago      tidepool       2   11 kB  Passkeys, in a worktree of thei…
    d80a35e1  2d ago      tidepool       1   15 kB  Plan the move of stations to SQ…
    c52b8f06  2d ago      tidepool       1   12 kB  Plan the move of stations to SQ…
    1e0b93c5  3d ago                     1     0 B
    f2c80b6d  3d ago      ~/notes        3  8.1 kB  Sourdough log
    7be4920f  4d ago      tidepool       9   17 kB  Compare the API docs with the r…
    b93e7f1a  5d ago      …\ledger       1  8.0 kB  Import the bank's CSV
    b6f8142c  5d ago      tidepool       1  3.3 kB  Blank dashboard in Safari, cont…
    91d3c7a8  5d ago      tidepool       1  7.7 kB  Blank dashboard in Safari
    29f5a8c3  6d ago      ~/a_b          1  4.0 kB  Convert a plot to PNG
    8d640e2b  7d ago      ~/a-b          1  1.7 kB  Harmless \u{1b}[2J\u{1b}]0;owne…
    4ac15d90  7d ago      …\ledger       1  7.3 kB  One cent off
    68b0e4d7  8d ago      ~/notes        1  4.3 kB  Five books about the sea
    e4a9d05f  27d ago     tidepool       3   10 kB  Requests got slow since there a…
    0c6d7b3a  2025-12-18  tidepool       1  8.6 kB  Sketch of a tide table service

    Archived: 43 files of 17 sessions, 198 kB stored in 52 kB (3.8:1). 0 sessions
      deleted from disk.
    Last sync: now. Last verified: never.
    ");
    let Some(text) = at(120, &["archive", "ls"]) else { return };
    insta::assert_snapshot!(text, @r"
    SESSION   CHANGED     PROJECT              FILES    SIZE  TITLE
    3f9c1d7e  20m ago     ~/tidepool               6   37 kB  Fix the flaky login test
    a17e60b2  1d ago      ~/tidepool               3   36 kB  Tide table endpoint
    5d17fa94  1d ago      ~/tidepool               2   11 kB  Passkeys, in a worktree of their own
    d80a35e1  2d ago      ~/tidepool               1   15 kB  Plan the move of stations to SQLite (fork)
    c52b8f06  2d ago      ~/tidepool               1   12 kB  Plan the move of stations to SQLite
    1e0b93c5  3d ago                               1     0 B
    f2c80b6d  3d ago      ~/notes                  3  8.1 kB  Sourdough log
    7be4920f  4d ago      ~/tidepool               9   17 kB  Compare the API docs with the routes
    b93e7f1a  5d ago      C:\Users\ada\ledger      1  8.0 kB  Import the bank's CSV
    b6f8142c  5d ago      ~/tidepool               1  3.3 kB  Blank dashboard in Safari, continued
    91d3c7a8  5d ago      ~/tidepool               1  7.7 kB  Blank dashboard in Safari
    29f5a8c3  6d ago      ~/a_b                    1  4.0 kB  Convert a plot to PNG
    8d640e2b  7d ago      ~/a-b                    1  1.7 kB  Harmless \u{1b}[2J\u{1b}]0;owned\u{7}title \u{202e}txt.exe
    4ac15d90  7d ago      C:\Users\ada\ledger      1  7.3 kB  One cent off
    68b0e4d7  8d ago      ~/notes                  1  4.3 kB  Five books about the sea
    e4a9d05f  27d ago     ~/tidepool               3   10 kB  Requests got slow since there are 300 stations. Cache the loo…
    0c6d7b3a  2025-12-18  ~/tidepool               1  8.6 kB  Sketch of a tide table service

    Archived: 43 files of 17 sessions, 198 kB stored in 52 kB (3.8:1). 0 sessions deleted from disk.
    Last sync: now. Last verified: never.
    ");
}

#[test]
fn archive_verify() {
    let Some(text) = at(80, &["archive", "verify"]) else { return };
    insta::assert_snapshot!(text, @"
    No damage found. Checked every stored byte of 43 files, 52 kB in 42 frames.
    ");
    assert_eq!(at(120, &["archive", "verify"]), at(80, &["archive", "verify"]));
}
