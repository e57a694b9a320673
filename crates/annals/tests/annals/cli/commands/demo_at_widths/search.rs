//! Finding text.

use super::at;

#[test]
fn search() {
    let Some(text) = at(80, &["search", "flaky", "clock"]) else { return };
    insta::assert_snapshot!(text, @"
    3f9c1d7e  ~/tidepool  Fix the flaky login test
      result Bash  20m ago  annals show 3f9c1d7e:3
        [fix/flaky-login 8c41d02] Move the clock in the login test instead of
        sleeping 1 file changed, 1 insertion(+), 1 deletion(-)
      annals show 3f9c1d7e   annals resume 3f9c1d7e

    1 of 1 hit
    ");
    let Some(text) = at(120, &["search", "flaky", "clock"]) else { return };
    insta::assert_snapshot!(text, @"
    3f9c1d7e  ~/tidepool  Fix the flaky login test
      result Bash  20m ago  annals show 3f9c1d7e:3
        [fix/flaky-login 8c41d02] Move the clock in the login test instead of sleeping 1 file changed, 1 insertion(+), 1
        deletion(-)
      annals show 3f9c1d7e   annals resume 3f9c1d7e

    1 of 1 hit
    ");
}

#[test]
fn grep_counts() {
    let Some(text) = at(80, &["grep", "-c", "clock"]) else { return };
    insta::assert_snapshot!(text, @"
    SESSION   HITS  PROJECT     TITLE
    3f9c1d7e    13  ~/tidepool  Fix the flaky login test
    ");
    assert_eq!(at(120, &["grep", "-c", "clock"]), at(80, &["grep", "-c", "clock"]));
}

#[test]
fn sql() {
    let Some(text) = at(
        80,
        &[
            "sql",
            "SELECT tool, count(*) AS calls FROM tool_calls GROUP BY tool ORDER BY calls DESC, tool LIMIT 5",
        ],
    ) else {
        return;
    };
    insta::assert_snapshot!(text, @"
    tool   calls
    Bash      12
    Grep       7
    Edit       6
    Read       6
    Write      5
    ");
    assert_eq!(
        at(
            120,
            &[
                "sql",
                "SELECT tool, count(*) AS calls FROM tool_calls GROUP BY tool ORDER BY calls DESC, tool LIMIT 5"
            ]
        ),
        at(
            80,
            &[
                "sql",
                "SELECT tool, count(*) AS calls FROM tool_calls GROUP BY tool ORDER BY calls DESC, tool LIMIT 5"
            ]
        )
    );
}

#[test]
fn file_history() {
    let Some(text) = at(80, &["files", "login.rs"]) else { return };
    insta::assert_snapshot!(text, @"
    ~/tidepool/tests/login.rs
      1 change, +1 −1, 1 read, 1 session

    2026-02-01 11:33:43  3f9c1d7e:2  Edit  +1 −1
      › Please don't just sleep longer, CI is slow enough already.
      @@ -5,1 +5,1 @@
      -    tokio::time::sleep(Duration::from_millis(50)).await;
      +    app.clock.advance(Duration::from_secs(1));
    ");
    assert_eq!(at(120, &["files", "login.rs"]), at(80, &["files", "login.rs"]));
}

#[test]
fn tools_stats() {
    let Some(text) = at(80, &["tools", "--stats"]) else { return };
    insta::assert_snapshot!(text, @"
    TOOL                  CALLS                ERRORS     P50     P95
    Bash                     11  ████████████       1    3.9s     40s
    Edit                      6  ██████▌                 2.7s    3.8s
    Grep                      6  ██████▌                 2.1s    5.1s
    Read                      6  ██████▌                 2.4s    7.2s
    Write                     5  █████▌                  3.2s    3.5s
    Agent                     2  ██▏                     8.9s     22s
    Task                      2  ██▏                     6.9s    7.5s
    ExitPlanMode              1  █▏                    1m 17s  1m 17s
    TodoWrite                 1  █▏                      2.8s    2.8s
    WebSearch                 1  █▏                      8.9s    8.9s
    Workflow                  1  █▏                      2.5s    2.5s
    bash                      1  █▏                      1.0s    1.0s
    mcp__postgres__query      1  █▏                      8.3s    8.3s

    AGENT              CALLS                ERRORS   P50   P95
    (main)                37  ████████████       1  3.5s   40s
    Explore                3  █                     1.6s  8.9s
    general-purpose        2  ▋                     1.6s  2.2s
    workflow-subagent      2  ▋                     2.4s  4.0s

    MCP SERVER  CALLS                 P50   P95
    postgres        1  ████████████  8.3s  8.3s

    BY DAY (UTC)
    2025-12-18       3 ████████▏
    2026-01-04       3 ████████▏
    2026-01-23       1 ██▊
    2026-01-24       2 █████▌
    2026-01-25       1 ██▊
    2026-01-26       3 ████████▏
    2026-01-27       5 █████████████▋
    2026-01-28       2 █████▌
    2026-01-29       5 █████████████▋
    2026-01-30       1 ██▊
    2026-01-31       7 ███████████████████▏
    2026-02-01      11 ██████████████████████████████

    BY HOUR (UTC)
             6       2 ██▊
            10       7 █████████▌
            11      11 ███████████████
            12      22 ██████████████████████████████
            14       1 █▍
            16       1 █▍
    ");
    assert_eq!(at(120, &["tools", "--stats"]), at(80, &["tools", "--stats"]));
}
