//! Reading one session.

use super::at;

#[test]
fn info() {
    let Some(text) = at(80, &["info", "flaky"]) else { return };
    insta::assert_snapshot!(text, @"
    Fix the flaky login test
    3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645

    project    ~/tidepool
    branch     fix/flaky-login
    time       2026-02-01 11:32:03 – 2026-02-01 11:39:23 (7m 19s, UTC)
    version    2.1.325
    prompts    3, answered by 9 messages
    records    assistant 14, user 10, attachment 3, ai-title 2,
               file-history-snapshot 2, queue-operation 2, system 2, last-prompt 1
    models     claude-opus-5-5 9, claude-sonnet-5 3, claude-haiku-4-5-20251001 2
    tokens     78 in, 1.4k out, 257k read from the cache, 37k written to it
    cost       $0.2259 (at API prices)
    tools      Bash 3, Agent 2, Grep 2, Read 2, Edit 1, TodoWrite 1
    agents     2 (8.7 kB)
    files      1 changed, 2 touched
               ~/tidepool/tests/login.rs
    commit     8c41d02 Move the clock in the login test instead of sleeping
    backups    1 file backup (327 B)
    size       27 kB in 36 lines
    file       [ROOT]/projects/-home-ada-tidepool/3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645.jsonl
    ");
    let Some(text) = at(120, &["info", "flaky"]) else { return };
    insta::assert_snapshot!(text, @"
    Fix the flaky login test
    3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645

    project    ~/tidepool
    branch     fix/flaky-login
    time       2026-02-01 11:32:03 – 2026-02-01 11:39:23 (7m 19s, UTC)
    version    2.1.325
    prompts    3, answered by 9 messages
    records    assistant 14, user 10, attachment 3, ai-title 2, file-history-snapshot 2, queue-operation 2, system 2,
               last-prompt 1
    models     claude-opus-5-5 9, claude-sonnet-5 3, claude-haiku-4-5-20251001 2
    tokens     78 in, 1.4k out, 257k read from the cache, 37k written to it
    cost       $0.2259 (at API prices)
    tools      Bash 3, Agent 2, Grep 2, Read 2, Edit 1, TodoWrite 1
    agents     2 (8.7 kB)
    files      1 changed, 2 touched
               ~/tidepool/tests/login.rs
    commit     8c41d02 Move the clock in the login test instead of sleeping
    backups    1 file backup (327 B)
    size       27 kB in 36 lines
    file       [ROOT]/projects/-home-ada-tidepool/3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645.jsonl
    ");
}

#[test]
fn show() {
    let Some(text) = at(80, &["show", "flaky", "--from", "2", "--to", "2"]) else { return };
    insta::assert_snapshot!(text, @r#"
    Fix the flaky login test
    3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645 · ~/tidepool · fix/flaky-login · UTC

    Showing 1 of 3 turns (--from 0 shows all)

    ━━ 2 ━━ 2026-02-01 11:33:36 · 42s (model 14s, tools 28s) · 428 tokens out
    ❯ (while the model worked) Please don't just sleep longer, CI is slow enough
      already.

    Found it. Tokens are stamped in whole seconds, so two logins within one second
    look equally old. No sleep needed: the test clock can simply be moved on.

    ⏺ Edit tests/login.rs +1 −1  11:33:40 · 3.0s
        @@ -5,1 +5,1 @@
        -    tokio::time::sleep(Duration::from_millis(50)).await;
        +    app.clock.advance(Duration::from_secs(1));
    ⏺ Bash cargo test --test login  11:33:50 · 25s
        test a_second_login_replaces_the_first ... ok
        passed 100 of 100 runs in 2.1 s

    The test was right and the sleep was wrong.

    - **Cause:** a token's age is kept in whole seconds, so two logins in one second
      were "equally old" and the first stayed valid.
    - **Fix:** the test moves its own clock by a second instead of sleeping 50 ms.
    - **Result:** 100 of 100 runs pass, and the suite is 50 ms faster.

    The same could happen to a person who double-clicks *Log in*. Shall I make
    tokens carry milliseconds?

    changed tests/login.rs +1 −1
    "#);
    let Some(text) = at(120, &["show", "flaky", "--from", "2", "--to", "2"]) else { return };
    insta::assert_snapshot!(text, @r#"
    Fix the flaky login test
    3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645 · ~/tidepool · fix/flaky-login · UTC

    Showing 1 of 3 turns (--from 0 shows all)

    ━━ 2 ━━ 2026-02-01 11:33:36 · 42s (model 14s, tools 28s) · 428 tokens out
    ❯ (while the model worked) Please don't just sleep longer, CI is slow enough already.

    Found it. Tokens are stamped in whole seconds, so two logins within one second look equally old. No sleep needed: the
    test clock can simply be moved on.

    ⏺ Edit tests/login.rs +1 −1  11:33:40 · 3.0s
        @@ -5,1 +5,1 @@
        -    tokio::time::sleep(Duration::from_millis(50)).await;
        +    app.clock.advance(Duration::from_secs(1));
    ⏺ Bash cargo test --test login  11:33:50 · 25s
        test a_second_login_replaces_the_first ... ok
        passed 100 of 100 runs in 2.1 s

    The test was right and the sleep was wrong.

    - **Cause:** a token's age is kept in whole seconds, so two logins in one second were "equally old" and the first stayed
      valid.
    - **Fix:** the test moves its own clock by a second instead of sleeping 50 ms.
    - **Result:** 100 of 100 runs pass, and the suite is 50 ms faster.

    The same could happen to a person who double-clicks *Log in*. Shall I make tokens carry milliseconds?

    changed tests/login.rs +1 −1
    "#);
}

#[test]
fn show_records() {
    let Some(text) = at(80, &["show", "c52b8f06", "--view", "all", "--limit", "6"]) else { return };
    insta::assert_snapshot!(text, @r#"
         1          permission-mode  plan
    ── 2026-01-29 (UTC)
         2 12:00:00 user             Plan the move of the station files into SQLite…
         3 12:00:02 assistant        → Bash ls data/stations | wc -l && du -sh data…
         4 12:00:03 assistant        → Grep content
         5 12:00:04 user             ← 312 4.6M data/stations
         6 12:00:06 user             ← src/stations.rs:9:    let path = data.join("…
    "#);
    let Some(text) = at(120, &["show", "c52b8f06", "--view", "all", "--limit", "6"]) else {
        return;
    };
    insta::assert_snapshot!(text, @r#"
         1          permission-mode              plan
    ── 2026-01-29 (UTC)
         2 12:00:00 user                         Plan the move of the station files into SQLite. No downtime, please.
         3 12:00:02 assistant                    → Bash ls data/stations | wc -l && du -sh data/stations
         4 12:00:03 assistant                    → Grep content
         5 12:00:04 user                         ← 312 4.6M data/stations
         6 12:00:06 user                         ← src/stations.rs:9:    let path = data.join("stations").join(id); src/adm…
    "#);
}

#[test]
fn tree() {
    let Some(text) = at(80, &["tree", "c52b8f06"]) else { return };
    insta::assert_snapshot!(text, @"
    Plan the move of stations to SQLite
    c52b8f06-1e7d-4c9a-b3f4-60a9d2e5178b
    ⑂ forked as d80a35e1-7c42-4b6f-9e08-f4517bc3a2d9 (9 lines): Plan the move of st…
      ● 1 · 9 messages · Plan the move of the station files into SQLite. No downtim…
      ⎇ 1 · abandoned branch (rewind) · 4 messages · Never mind the steps, just rem…
    ");
    let Some(text) = at(120, &["tree", "c52b8f06"]) else { return };
    insta::assert_snapshot!(text, @"
    Plan the move of stations to SQLite
    c52b8f06-1e7d-4c9a-b3f4-60a9d2e5178b
    ⑂ forked as d80a35e1-7c42-4b6f-9e08-f4517bc3a2d9 (9 lines): Plan the move of stations to SQLite (fork)
      ● 1 · 9 messages · Plan the move of the station files into SQLite. No downtime, please.
      ⎇ 1 · abandoned branch (rewind) · 4 messages · Never mind the steps, just remove the old files now.
    ");
}

#[test]
fn agents() {
    let Some(text) = at(80, &["agents", "flaky"]) else { return };
    insta::assert_snapshot!(text, @"
    AGENT         TYPE         MODEL      TIME  END   DESCRIPTION
    a6f20d91c3b…  Explore      sonnet-5    19s  done  Trace how tokens expire
    └ ae83b7104…  general-pu…  haiku-4-5  7.0s  done  Count the callers of the clock
    ");
    let Some(text) = at(120, &["agents", "flaky"]) else { return };
    insta::assert_snapshot!(text, @"
    AGENT                TYPE             MODEL      TIME  CALLS  TOKENS    SIZE  END   DESCRIPTION
    a6f20d91c3b87e45a    Explore          sonnet-5    19s      2     36k  5.5 kB  done  Trace how tokens expire
    └ ae83b7104fd29c60e  general-purpose  haiku-4-5  7.0s      1     24k  3.2 kB  done  Count the callers of the clock
    ");
}

#[test]
fn tools() {
    let Some(text) = at(80, &["tools", "flaky", "--limit", "6"]) else { return };
    insta::assert_snapshot!(text, @"
    WHEN                 AGENT         ENDED  TIME  CALL
    2026-02-01 11:32:10                       7.2s  Read tests/login.rs (9 lines)
    2026-02-01 11:32:14                       5.1s  Grep Utc::now|Instant::now|Syst…
    2026-02-01 11:32:20                       2.8s  TodoWrite 0 of 3 done
    2026-02-01 11:32:25                error   40s  Bash cargo test --test login --…
    2026-02-01 11:33:10                        22s  Agent Explore: Trace how tokens…
    2026-02-01 11:33:13  Explore a6f…         1.2s  Read src/clock.rs (5 lines)
    Showing 6 of 11 calls (--limit 0 shows all)
    ");
    let Some(text) = at(120, &["tools", "flaky", "--limit", "6"]) else { return };
    insta::assert_snapshot!(text, @"
    WHEN                 TURN  AGENT             ENDED  TIME  CALL
    2026-02-01 11:32:10     1                           7.2s  Read tests/login.rs (9 lines)
    2026-02-01 11:32:14     1                           5.1s  Grep Utc::now|Instant::now|SystemTime in src (3 found)
    2026-02-01 11:32:20     1                           2.8s  TodoWrite 0 of 3 done
    2026-02-01 11:32:25     1                    error   40s  Bash cargo test --test login -- --test-threads=1
    2026-02-01 11:33:10     1                            22s  Agent Explore: Trace how tokens expire
    2026-02-01 11:33:13     1  Explore a6f20d91         1.2s  Read src/clock.rs (5 lines)
    Showing 6 of 11 calls (--limit 0 shows all)
    ");
}

#[test]
fn plan() {
    let Some(text) = at(80, &["plan", "c52b8f06", "--versions"]) else { return };
    insta::assert_snapshot!(text, @"
    NO  WHEN    STATUS    SOURCE    LINE  BYTES  BEGINS
     1  2d ago  approved  proposed     8  360 B  Move station files into SQLite
    ");
    assert_eq!(
        at(120, &["plan", "c52b8f06", "--versions"]),
        at(80, &["plan", "c52b8f06", "--versions"])
    );
}

#[test]
fn resume() {
    let Some(text) = at(80, &["resume", "flaky", "--print"]) else { return };
    insta::assert_snapshot!(text, @"
    cd /home/ada/tidepool && claude --resume 3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645
    ");
    assert_eq!(at(120, &["resume", "flaky", "--print"]), at(80, &["resume", "flaky", "--print"]));
}
