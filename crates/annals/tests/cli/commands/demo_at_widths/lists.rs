//! Lists: what there is.

use super::at;

#[test]
fn home() {
    let Some(text) = at(80, &[]) else { return };
    insta::assert_snapshot!(text, @"
    15 sessions in 5 projects, 7 sub-agents, 141 kB; 1 changed today

    SESSION   CHANGED  PROJECT        BRANCH          SIZE  AGENTS  TITLE
    3f9c1d7e  20m ago  …ada/tidepool  fix/flaky-l…   27 kB       2  Fix the flaky l…
    a17e60b2  1d ago   …ada/tidepool  tide-table     21 kB          Tide table endp…
    5d17fa94  1d ago   …ada/tidepool  login         8.2 kB          Passkeys, in a…
    d80a35e1  2d ago   …ada/tidepool  main           15 kB          Plan the move o…
    c52b8f06  2d ago   …ada/tidepool  main           12 kB          Plan the move o…
    f2c80b6d  3d ago   …me/ada/notes                8.0 kB          Sourdough log (…

    Claude Code will delete 2 sessions within 3 days (next: due)
    hint: `annals archive sync` backs them up, `annals doctor` lists them

    2 sessions known by prompts only: annals ls --deleted
    ");
    let Some(text) = at(120, &[]) else { return };
    insta::assert_snapshot!(text, @"
    15 sessions in 5 projects, 7 sub-agents, 141 kB; 1 changed today

    SESSION   CHANGED  PROJECT             BRANCH             SIZE  AGENTS  TITLE
    3f9c1d7e  20m ago  /home/ada/tidepool  fix/flaky-login   27 kB       2  Fix the flaky login test
    a17e60b2  1d ago   /home/ada/tidepool  tide-table        21 kB          Tide table endpoint #tides
    5d17fa94  1d ago   /home/ada/tidepool  login            8.2 kB          Passkeys, in a worktree of their own
    d80a35e1  2d ago   /home/ada/tidepool  main              15 kB          Plan the move of stations to SQLite (fork)
    c52b8f06  2d ago   /home/ada/tidepool  main              12 kB          Plan the move of stations to SQLite
    f2c80b6d  3d ago   /home/ada/notes                      8.0 kB          Sourdough log (archived)

    Claude Code will delete 2 sessions within 3 days (next: due)
    hint: `annals archive sync` backs them up, `annals doctor` lists them

    2 sessions known by prompts only: annals ls --deleted
    ");
}

#[test]
fn ls() {
    let Some(text) = at(80, &["ls"]) else { return };
    insta::assert_snapshot!(text, @r"
    SESSION   CHANGED     PROJECT       BRANCH        SIZE  AGENTS  TITLE
    3f9c1d7e  20m ago     …da/tidepool  fix/flaky…   27 kB       2  Fix the flaky l…
    a17e60b2  1d ago      …da/tidepool  tide-table   21 kB          Tide table endp…
    5d17fa94  1d ago      …da/tidepool  login       8.2 kB          Passkeys, in a…
    d80a35e1  2d ago      …da/tidepool  main         15 kB          Plan the move o…
    c52b8f06  2d ago      …da/tidepool  main         12 kB          Plan the move o…
    f2c80b6d  3d ago      …e/ada/notes              8.0 kB          Sourdough log (…
    7be4920f  4d ago      …da/tidepool  main        6.3 kB       3  Compare the API…
    b93e7f1a  5d ago      …\ada\ledger  main        8.0 kB          Import the bank…
    b6f8142c  5d ago      …da/tidepool  main        3.3 kB          Blank dashboard…
    29f5a8c3  6d ago      …ome/ada/a_b              4.0 kB          Convert a plot…
    8d640e2b  7d ago      …ome/ada/a-b              1.7 kB          Harmless \u{1b}…
    4ac15d90  7d ago      …\ada\ledger  main        7.3 kB          One cent off
    68b0e4d7  8d ago      …e/ada/notes              4.3 kB          Five books abou…
    e4a9d05f  27d ago     …da/tidepool  main        6.3 kB       2  Cache the stati…
    0c6d7b3a  2025-12-18  …da/tidepool  main        8.6 kB          Sketch of a tid…
    ");
    let Some(text) = at(120, &["ls"]) else { return };
    insta::assert_snapshot!(text, @r"
    SESSION   CHANGED     PROJECT              BRANCH             SIZE  AGENTS  TITLE
    3f9c1d7e  20m ago     /home/ada/tidepool   fix/flaky-login   27 kB       2  Fix the flaky login test
    a17e60b2  1d ago      /home/ada/tidepool   tide-table        21 kB          Tide table endpoint #tides
    5d17fa94  1d ago      /home/ada/tidepool   login            8.2 kB          Passkeys, in a worktree of their own
    d80a35e1  2d ago      /home/ada/tidepool   main              15 kB          Plan the move of stations to SQLite (fork)
    c52b8f06  2d ago      /home/ada/tidepool   main              12 kB          Plan the move of stations to SQLite
    f2c80b6d  3d ago      /home/ada/notes                       8.0 kB          Sourdough log (archived)
    7be4920f  4d ago      /home/ada/tidepool   main             6.3 kB       3  Compare the API docs with the routes
    b93e7f1a  5d ago      C:\Users\ada\ledger  main             8.0 kB          Import the bank's CSV
    b6f8142c  5d ago      /home/ada/tidepool   main             3.3 kB          Blank dashboard in Safari, continued
    29f5a8c3  6d ago      /home/ada/a_b                         4.0 kB          Convert a plot to PNG
    8d640e2b  7d ago      /home/ada/a-b                         1.7 kB          Harmless \u{1b}[2J\u{1b}]0;owned\u{7}title…
    4ac15d90  7d ago      C:\Users\ada\ledger  main             7.3 kB          One cent off
    68b0e4d7  8d ago      /home/ada/notes                       4.3 kB          Five books about the sea
    e4a9d05f  27d ago     /home/ada/tidepool   main             6.3 kB       2  Cache the station lookups
    0c6d7b3a  2025-12-18  /home/ada/tidepool   main             8.6 kB          Sketch of a tide table service
    ");
}

#[test]
fn ls_deleted() {
    let Some(text) = at(80, &["ls", "--deleted"]) else { return };
    insta::assert_snapshot!(text, @"
    SESSION   CHANGED     PROJECT             NOTE          TITLE
    77aaf0e2  2025-12-02  /home/ada/tidepool  prompts_only  Is there a free source…
    d3b17c45  2025-11-18  /home/ada/kites     prompts_only  How long should the tai…
    ");
    let Some(text) = at(120, &["ls", "--deleted"]) else { return };
    insta::assert_snapshot!(text, @"
    SESSION   CHANGED     PROJECT             NOTE          TITLE
    77aaf0e2  2025-12-02  /home/ada/tidepool  prompts_only  Is there a free source of harmonic constants for harbours?
    d3b17c45  2025-11-18  /home/ada/kites     prompts_only  How long should the tail of a two metre kite be?
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
    /home/ada/tidepool   20m ago         9       7  108 kB  3f9c1d7e         4
    /home/ada/notes      3d ago          2           12 kB  f2c80b6d         0
    C:\Users\ada\ledger  5d ago          2           15 kB  b93e7f1a         1
    /home/ada/a_b        6d ago          1          4.0 kB  29f5a8c3         0
    /home/ada/a-b        7d ago          1          1.7 kB  8d640e2b         0
    ");
    assert_eq!(at(120, &["projects"]), at(80, &["projects"]));
}

#[test]
fn prompts() {
    let Some(text) = at(80, &["prompts", "--limit", "8"]) else { return };
    insta::assert_snapshot!(text, @"
    WHEN     SESSION   PROJECT                             PROMPT
    20m ago  3f9c1d7e  /home/ada/tidepool                  Yes, but in a branch of…
    26m ago  3f9c1d7e  /home/ada/tidepool          queued  Please don't just sleep…
    27m ago  3f9c1d7e  /home/ada/tidepool                  The login test fails abo…
    1d ago   a17e60b2  /home/ada/tidepool                  Lovely. Open a pull requ…
    1d ago   a17e60b2  /home/ada/tidepool                  Add an endpoint that giv…
    1d ago   5d17fa94  …/tidepool-worktrees/login          Start with registration…
    2d ago   5d17fa94  /home/ada/tidepool                  How much work would it b…
    2d ago   d80a35e1  /home/ada/tidepool                  Keep the files behind a…
    Showing 8 of 31 prompts (--limit 0 shows all)
    ");
    let Some(text) = at(120, &["prompts", "--limit", "8"]) else { return };
    insta::assert_snapshot!(text, @r#"
    WHEN     SESSION   PROJECT                                     PROMPT
    20m ago  3f9c1d7e  /home/ada/tidepool                          Yes, but in a branch of its own. Commit this one first.
    26m ago  3f9c1d7e  /home/ada/tidepool                  queued  Please don't just sleep longer, CI is slow enough alread…
    27m ago  3f9c1d7e  /home/ada/tidepool                          The login test fails about one time in ten on CI. Find o…
    1d ago   a17e60b2  /home/ada/tidepool                          Lovely. Open a pull request and call it "Tide tables by…
    1d ago   a17e60b2  /home/ada/tidepool                          Add an endpoint that gives a day's high and low water fo…
    1d ago   5d17fa94  /home/ada/tidepool-worktrees/login          Start with registration only. Login can wait until tomor…
    2d ago   5d17fa94  /home/ada/tidepool                          How much work would it be to offer passkeys next to pass…
    2d ago   d80a35e1  /home/ada/tidepool                          Keep the files behind a flag for one release instead.
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
    /home/ada/tidepool/tests/login.rs        1        1  +1 −1         1  26m ago
    /home/ada/tidepool/tests/tides.rs                 1  +6 −0         1  1d ago
    …e/ada/tidepool/src/routes/tides.rs               1  +6 −0         1  1d ago
    …ol/migrations/0007_credentials.sql               1  +6 −0         1  1d ago
    /home/ada/tidepool/src/stations.rs                2  +5 −2         2  2d ago
    /home/ada/notes/sourdough.md             1        1  +2 −1         1  3d ago
    C:\Users\ada\ledger\import.py                     1  +1 −1         1  5d ago
    C:\Users\ada\ledger\total.py                      1  +1 −1         1  7d ago
    /home/ada/notes/winter.md                         1  +6 −0         1  8d ago
    /home/ada/tidepool/src/main.rs                    1  +5 −0         1  2025-12-18
    /home/ada/tidepool/src/clock.rs          1                         1  26m ago
    …ome/ada/tidepool/docs/api/tides.md      1                         1  4d ago
    …/ada/tidepool/docs/api/stations.md      1                         1  4d ago
    C:\Users\ada\ledger\bank.csv             1                         1  5d ago
    ");
    let Some(text) = at(120, &["files"]) else { return };
    insta::assert_snapshot!(text, @r"
    FILE                                                READS  CHANGES  LINES  SESSIONS  LAST
    /home/ada/tidepool/tests/login.rs                       1        1  +1 −1         1  26m ago
    /home/ada/tidepool/tests/tides.rs                                1  +6 −0         1  1d ago
    /home/ada/tidepool/src/routes/tides.rs                           1  +6 −0         1  1d ago
    /home/ada/tidepool/migrations/0007_credentials.sql               1  +6 −0         1  1d ago
    /home/ada/tidepool/src/stations.rs                               2  +5 −2         2  2d ago
    /home/ada/notes/sourdough.md                            1        1  +2 −1         1  3d ago
    C:\Users\ada\ledger\import.py                                    1  +1 −1         1  5d ago
    C:\Users\ada\ledger\total.py                                     1  +1 −1         1  7d ago
    /home/ada/notes/winter.md                                        1  +6 −0         1  8d ago
    /home/ada/tidepool/src/main.rs                                   1  +5 −0         1  2025-12-18
    /home/ada/tidepool/src/clock.rs                         1                         1  26m ago
    /home/ada/tidepool/docs/api/tides.md                    1                         1  4d ago
    /home/ada/tidepool/docs/api/stations.md                 1                         1  4d ago
    C:\Users\ada\ledger\bank.csv                            1                         1  5d ago
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
