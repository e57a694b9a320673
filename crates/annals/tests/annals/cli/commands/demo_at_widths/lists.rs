//! Lists: what there is.

use super::at;

#[test]
fn home() {
    let Some(text) = at(80, &[]) else { return };
    insta::assert_snapshot!(text, @r"
    15 sessions in 5 projects, 8 sub-agents, 141 kB; 1 changed today

    SESSION   CHANGED  PROJECT    BRANCH    AGENTS  TITLE
    3f9c1d7e  20m ago  tidepool   fix/fla…       2  Fix the flaky login test
    a17e60b2  1d ago   tidepool   tide-ta…          Tide table endpoint #tides
    5d17fa94  1d ago   tidepool   login             Passkeys, in a worktree of thei…
    d80a35e1  2d ago   tidepool   main              Plan the move of stations to SQ…
    c52b8f06  2d ago   tidepool   main              Plan the move of stations to SQ…
    f2c80b6d  3d ago   ~/notes                      Sourdough log (archived)
    7be4920f  4d ago   tidepool   main           3  Compare the API docs with the r…
    b93e7f1a  5d ago   …\ledger   main              Import the bank's CSV
    b6f8142c  5d ago   tidepool   main              Blank dashboard in Safari, cont…
    29f5a8c3  6d ago   ~/a_b                        Convert a plot to PNG
    8d640e2b  7d ago   ~/a-b                        Harmless \u{1b}[2J\u{1b}]0;owne…
    4ac15d90  7d ago   …\ledger   main              One cent off

    Claude Code will delete 2 sessions within 3 days (next: due)
    hint: `annals archive sync` backs them up, `annals doctor` lists them

    2 sessions known by prompts only: annals ls --deleted

    Browse, search and resume: annals tui
    ");
    let Some(text) = at(120, &[]) else { return };
    insta::assert_snapshot!(text, @r"
    15 sessions in 5 projects, 8 sub-agents, 141 kB; 1 changed today

    SESSION   CHANGED  PROJECT             BRANCH             SIZE  AGENTS  TITLE
    3f9c1d7e  20m ago  ~/tidepool          fix/flaky-login   27 kB       2  Fix the flaky login test
    a17e60b2  1d ago   ~/tidepool          tide-table        21 kB          Tide table endpoint #tides
    5d17fa94  1d ago   ~/tidepool          login            8.2 kB          Passkeys, in a worktree of their own
    d80a35e1  2d ago   ~/tidepool          main              15 kB          Plan the move of stations to SQLite (fork)
    c52b8f06  2d ago   ~/tidepool          main              12 kB          Plan the move of stations to SQLite
    f2c80b6d  3d ago   ~/notes                              8.0 kB          Sourdough log (archived)
    7be4920f  4d ago   ~/tidepool          main             6.3 kB       3  Compare the API docs with the routes
    b93e7f1a  5d ago   …\Users\ada\ledger  main             8.0 kB          Import the bank's CSV
    b6f8142c  5d ago   ~/tidepool          main             3.3 kB          Blank dashboard in Safari, continued
    29f5a8c3  6d ago   ~/a_b                                4.0 kB          Convert a plot to PNG
    8d640e2b  7d ago   ~/a-b                                1.7 kB          Harmless \u{1b}[2J\u{1b}]0;owned\u{7}title \u{2…
    4ac15d90  7d ago   …\Users\ada\ledger  main             7.3 kB          One cent off

    Claude Code will delete 2 sessions within 3 days (next: due)
    hint: `annals archive sync` backs them up, `annals doctor` lists them

    2 sessions known by prompts only: annals ls --deleted

    Browse, search and resume: annals tui
    ");
}

#[test]
fn ls() {
    let Some(text) = at(80, &["ls"]) else { return };
    insta::assert_snapshot!(text, @r"
    SESSION   CHANGED     PROJECT           AGENTS  TITLE
    3f9c1d7e  20m ago     ~/tidepool             2  Fix the flaky login test
    a17e60b2  1d ago      ~/tidepool                Tide table endpoint #tides
    5d17fa94  1d ago      ~/tidepool                Passkeys, in a worktree of thei…
    d80a35e1  2d ago      ~/tidepool                Plan the move of stations to SQ…
    c52b8f06  2d ago      ~/tidepool                Plan the move of stations to SQ…
    f2c80b6d  3d ago      ~/notes                   Sourdough log (archived)
    7be4920f  4d ago      ~/tidepool             3  Compare the API docs with the r…
    b93e7f1a  5d ago      …\ada\ledger              Import the bank's CSV
    b6f8142c  5d ago      ~/tidepool                Blank dashboard in Safari, cont…
    29f5a8c3  6d ago      ~/a_b                     Convert a plot to PNG
    8d640e2b  7d ago      ~/a-b                     Harmless \u{1b}[2J\u{1b}]0;owne…
    4ac15d90  7d ago      …\ada\ledger              One cent off
    68b0e4d7  8d ago      ~/notes                   Five books about the sea
    e4a9d05f  27d ago     ~/tidepool             2  Requests got slow since there a…
    0c6d7b3a  2025-12-18  ~/tidepool             1  Sketch of a tide table service
    ");
    let Some(text) = at(120, &["ls"]) else { return };
    insta::assert_snapshot!(text, @r"
    SESSION   CHANGED     PROJECT          BRANCH             SIZE  AGENTS  TITLE
    3f9c1d7e  20m ago     ~/tidepool       fix/flaky-login   27 kB       2  Fix the flaky login test
    a17e60b2  1d ago      ~/tidepool       tide-table        21 kB          Tide table endpoint #tides
    5d17fa94  1d ago      ~/tidepool       login            8.2 kB          Passkeys, in a worktree of their own
    d80a35e1  2d ago      ~/tidepool       main              15 kB          Plan the move of stations to SQLite (fork)
    c52b8f06  2d ago      ~/tidepool       main              12 kB          Plan the move of stations to SQLite
    f2c80b6d  3d ago      ~/notes                           8.0 kB          Sourdough log (archived)
    7be4920f  4d ago      ~/tidepool       main             6.3 kB       3  Compare the API docs with the routes
    b93e7f1a  5d ago      …\ada\ledger     main             8.0 kB          Import the bank's CSV
    b6f8142c  5d ago      ~/tidepool       main             3.3 kB          Blank dashboard in Safari, continued
    29f5a8c3  6d ago      ~/a_b                             4.0 kB          Convert a plot to PNG
    8d640e2b  7d ago      ~/a-b                             1.7 kB          Harmless \u{1b}[2J\u{1b}]0;owned\u{7}title \u{2…
    4ac15d90  7d ago      …\ada\ledger     main             7.3 kB          One cent off
    68b0e4d7  8d ago      ~/notes                           4.3 kB          Five books about the sea
    e4a9d05f  27d ago     ~/tidepool       main             6.3 kB       2  Requests got slow since there are 300 stations.…
    0c6d7b3a  2025-12-18  ~/tidepool       main             8.6 kB       1  Sketch of a tide table service
    ");
}

#[test]
fn ls_deleted() {
    let Some(text) = at(80, &["ls", "--deleted"]) else { return };
    insta::assert_snapshot!(text, @"
    SESSION   CHANGED     PROJECT     NOTE          TITLE
    77aaf0e2  2025-12-02  ~/tidepool  prompts_only  Is there a free source of harmo…
    d3b17c45  2025-11-18  ~/kites     prompts_only  How long should the tail of a t…
    ");
    let Some(text) = at(120, &["ls", "--deleted"]) else { return };
    insta::assert_snapshot!(text, @"
    SESSION   CHANGED     PROJECT     NOTE          TITLE
    77aaf0e2  2025-12-02  ~/tidepool  prompts_only  Is there a free source of harmonic constants for harbours?
    d3b17c45  2025-11-18  ~/kites     prompts_only  How long should the tail of a two metre kite be?
    ");
}

#[test]
fn ls_live() {
    let Some(text) = at(80, &["ls", "--live"]) else { return };
    insta::assert_snapshot!(text, @"
    No session is running.
    stale: pid 4242 of 3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645: its process is gone
    ");
    assert_eq!(at(120, &["ls", "--live"]), at(80, &["ls", "--live"]));
}

#[test]
fn projects() {
    let Some(text) = at(80, &["projects"]) else { return };
    insta::assert_snapshot!(text, @r"
    PROJECT              CHANGED  SESSIONS  AGENTS    SIZE  LATEST    BRANCHES
    ~/tidepool           20m ago         9       8  108 kB  3f9c1d7e         4
    ~/notes              3d ago          2           12 kB  f2c80b6d         0
    C:\Users\ada\ledger  5d ago          2           15 kB  b93e7f1a         1
    ~/a_b                6d ago          1          4.0 kB  29f5a8c3         0
    ~/a-b                7d ago          1          1.7 kB  8d640e2b         0
    ");
    assert_eq!(at(120, &["projects"]), at(80, &["projects"]));
}

#[test]
fn prompts() {
    let Some(text) = at(80, &["prompts", "--limit", "8"]) else { return };
    insta::assert_snapshot!(text, @"
    WHEN     SESSION   PROJECT                      PROMPT
    20m ago  3f9c1d7e  ~/tidepool                   Yes, but in a branch of its own…
    26m ago  3f9c1d7e  ~/tidepool           queued  Please don't just sleep longer,…
    27m ago  3f9c1d7e  ~/tidepool                   The login test fails about one…
    1d ago   a17e60b2  ~/tidepool                   Lovely. Open a pull request and…
    1d ago   a17e60b2  ~/tidepool                   Add an endpoint that gives a da…
    1d ago   5d17fa94  …/login                      Start with registration only. L…
    2d ago   5d17fa94  ~/tidepool                   How much work would it be to of…
    2d ago   d80a35e1  ~/tidepool                   Keep the files behind a flag fo…
    Showing 8 of 31 prompts (--limit 0 shows all)
    ");
    let Some(text) = at(120, &["prompts", "--limit", "8"]) else { return };
    insta::assert_snapshot!(text, @r#"
    WHEN     SESSION   PROJECT                             PROMPT
    20m ago  3f9c1d7e  ~/tidepool                          Yes, but in a branch of its own. Commit this one first.
    26m ago  3f9c1d7e  ~/tidepool                  queued  Please don't just sleep longer, CI is slow enough already.
    27m ago  3f9c1d7e  ~/tidepool                          The login test fails about one time in ten on CI. Find out why a…
    1d ago   a17e60b2  ~/tidepool                          Lovely. Open a pull request and call it "Tide tables by station".
    1d ago   a17e60b2  ~/tidepool                          Add an endpoint that gives a day's high and low water for a stat…
    1d ago   5d17fa94  ~/tidepool-worktrees/login          Start with registration only. Login can wait until tomorrow.
    2d ago   5d17fa94  ~/tidepool                          How much work would it be to offer passkeys next to passwords?
    2d ago   d80a35e1  ~/tidepool                          Keep the files behind a flag for one release instead.
    Showing 8 of 31 prompts (--limit 0 shows all)
    "#);
}

#[test]
fn where_is() {
    let Some(text) = at(80, &["where", "/home/ada/tidepool"]) else { return };
    insta::assert_snapshot!(text, @"
    [ROOT]/projects/-home-ada-tidepool
    matched  the folder's own project
    sessions 10
    latest   3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645
    ");
    assert_eq!(at(120, &["where", "/home/ada/tidepool"]), at(80, &["where", "/home/ada/tidepool"]));
}

#[test]
fn files() {
    let Some(text) = at(80, &["files"]) else { return };
    insta::assert_snapshot!(text, @r"
    FILE                                 READS  CHANGES  LINES  SESSIONS  LAST
    ~/tidepool/tests/login.rs                1        1  +1 −1         1  26m ago
    ~/tidepool/tests/tides.rs                         1  +6 −0         1  1d ago
    ~/tidepool/src/routes/tides.rs                    1  +6 −0         1  1d ago
    …/migrations/0007_credentials.sql                 1  +6 −0         1  1d ago
    ~/tidepool/src/stations.rs                        2  +5 −2         2  2d ago
    ~/notes/sourdough.md                     1        1  +2 −1         1  3d ago
    C:\Users\ada\ledger\import.py                     1  +1 −1         1  5d ago
    C:\Users\ada\ledger\total.py                      1  +1 −1         1  7d ago
    ~/notes/winter.md                                 1  +6 −0         1  8d ago
    ~/tidepool/src/main.rs                            1  +5 −0         1  2025-12-18
    ~/tidepool/src/clock.rs                  1                         1  26m ago
    ~/tidepool/docs/api/tides.md             1                         1  4d ago
    ~/tidepool/docs/api/stations.md          1                         1  4d ago
    C:\Users\ada\ledger\bank.csv             1                         1  5d ago
    ");
    let Some(text) = at(120, &["files"]) else { return };
    insta::assert_snapshot!(text, @r"
    FILE                                        READS  CHANGES  LINES  SESSIONS  LAST
    ~/tidepool/tests/login.rs                       1        1  +1 −1         1  26m ago
    ~/tidepool/tests/tides.rs                                1  +6 −0         1  1d ago
    ~/tidepool/src/routes/tides.rs                           1  +6 −0         1  1d ago
    ~/tidepool/migrations/0007_credentials.sql               1  +6 −0         1  1d ago
    ~/tidepool/src/stations.rs                               2  +5 −2         2  2d ago
    ~/notes/sourdough.md                            1        1  +2 −1         1  3d ago
    C:\Users\ada\ledger\import.py                            1  +1 −1         1  5d ago
    C:\Users\ada\ledger\total.py                             1  +1 −1         1  7d ago
    ~/notes/winter.md                                        1  +6 −0         1  8d ago
    ~/tidepool/src/main.rs                                   1  +5 −0         1  2025-12-18
    ~/tidepool/src/clock.rs                         1                         1  26m ago
    ~/tidepool/docs/api/tides.md                    1                         1  4d ago
    ~/tidepool/docs/api/stations.md                 1                         1  4d ago
    C:\Users\ada\ledger\bank.csv                    1                         1  5d ago
    ");
}

#[test]
fn mark() {
    let Some(text) = at(80, &["mark"]) else { return };
    insta::assert_snapshot!(text, @"
    No marks.
    hint: annals mark SESSION[:TURN] [NOTE] adds one
    ");
    assert_eq!(at(120, &["mark"]), at(80, &["mark"]));
}
