//! Which calls a filter selects, and which are excluded.

use super::fixture::{CWD, by, open, report};
use library::catalog::{Filter, ProjectScope};
use library::usage::Dimension;
use library::{Library, Options};
use store::{PathCase, RootOrigin};
use testkit::{Line, Sandbox, call, metadata, session_id};

fn line(id: &str, output: u64) -> Line {
    call(id, [0, output, 0, 0]).session(&session_id(1))
}

/// Calls whose outputs are powers of two, so that a sum shows which were
/// counted.
fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.session(
        CWD,
        &session_id(1),
        [
            line("a", 1).at("2026-01-01T00:00:00Z"),
            line("b", 2)
                .at("2026-01-02T00:00:00Z")
                .model("claude-opus-5")
                .with("gitBranch", "feature/tides"),
            line("c", 4)
                .at("2026-01-03T00:00:00Z")
                .calls_tools(&[("1", "Read"), ("2", "mcp__git__log")]),
            line("d", 8).without("timestamp"),
            line("e", 16).at("2026-01-02T12:00:00Z").cwd("/home/ada/tidepool/src"),
        ],
    );
    sandbox.agent(
        CWD,
        &session_id(1),
        "agent-a1",
        [line("f", 32)
            .of_agent("a1")
            .at("2026-01-02T13:00:00Z")
            .with("attributionAgent", "Explore")
            .cwd("/tmp/elsewhere")],
    );
    sandbox.session(
        "/home/ada/notes",
        &session_id(2),
        [line("g", 64).session(&session_id(2)).cwd("/home/ada/notes").at("2026-01-02T14:00:00Z")],
    );
    sandbox
}

fn output(sandbox: &Sandbox, filter: Filter) -> u64 {
    let mut options = by(&[Dimension::Day]);
    options.filter = filter;
    report(&open(sandbox), &options).report.total.sums.counters.output
}

#[test]
fn filters_select_calls() {
    let sandbox = store();
    let text = |text: &str| Some(text.to_owned());
    let moment = |text: &str| Some(text.parse().unwrap());
    let scope = |folder: &str, exact| {
        Some(ProjectScope {
            folders: vec![folder.to_owned()],
            exact,
            case: PathCase::Exact,
            within: None,
        })
    };
    let table: [(&str, Filter, u64); 19] = [
        ("all", Filter::default(), 127),
        ("model", Filter { model: text("OPUS"), ..Filter::default() }, 2),
        ("no such model", Filter { model: text("haiku"), ..Filter::default() }, 0),
        ("branch", Filter { branch: text("feature/*"), ..Filter::default() }, 2),
        ("a whole branch", Filter { branch: text("main"), ..Filter::default() }, 125),
        ("part of a branch is none", Filter { branch: text("mai"), ..Filter::default() }, 0),
        ("agent", Filter { agent: text("explore"), ..Filter::default() }, 32),
        ("no such agent", Filter { agent: text("plan"), ..Filter::default() }, 0),
        ("tool", Filter { tool: text("Read"), ..Filter::default() }, 4),
        ("tools by pattern", Filter { tool: text("mcp__*"), ..Filter::default() }, 4),
        ("no such tool", Filter { tool: text("read"), ..Filter::default() }, 0),
        (
            "since, which is in it",
            Filter { since: moment("2026-01-02T00:00:00Z"), ..Filter::default() },
            118,
        ),
        (
            "until, which is not",
            Filter { until: moment("2026-01-02T00:00:00Z"), ..Filter::default() },
            1,
        ),
        (
            "a span",
            Filter {
                since: moment("2026-01-02T00:00:00Z"),
                until: moment("2026-01-02T12:00:00.001Z"),
                ..Filter::default()
            },
            18,
        ),
        (
            "project, its agents wherever they were",
            Filter { project: scope(CWD, false), ..Filter::default() },
            63,
        ),
        (
            "another project",
            Filter { project: scope("/home/ada/notes", false), ..Filter::default() },
            64,
        ),
        (
            "a folder of it",
            Filter { project: scope("/home/ada/tidepool/src", false), ..Filter::default() },
            16,
        ),
        (
            "the very folder",
            Filter { project: scope("/home/ada/notes", true), ..Filter::default() },
            64,
        ),
        (
            "all together",
            Filter {
                model: text("opus"),
                branch: text("feature/*"),
                since: moment("2026-01-02T00:00:00Z"),
                project: scope(CWD, false),
                ..Filter::default()
            },
            2,
        ),
    ];
    for (what, filter, expected) in table {
        assert_eq!(output(&sandbox, filter), expected, "{what}");
    }
}

#[test]
fn filters_do_not_change_blocks() {
    let sandbox = store();
    let mut options = by(&[Dimension::Block]);
    options.filter.tool = Some("Read".to_owned());
    let all = report(&open(&sandbox), &by(&[Dimension::Block])).blocks;
    assert_eq!(report(&open(&sandbox), &options).blocks, all);
}

#[test]
fn excluded_sessions_do_not_exist() {
    let sandbox = store();
    let excluding = |pattern: &str| {
        let mut set = globset::GlobSet::builder();
        set.add(globset::Glob::new(pattern).unwrap());
        let roots = vec![(sandbox.config(), RootOrigin::Flag)];
        let library =
            Library::open(Options { roots, exclude: set.build().unwrap(), ..Options::default() });
        report(&library, &by(&[Dimension::Day])).report.total.sums.counters.output
    };
    assert_eq!(excluding("/home/ada/notes"), 63, "by where it was");
    assert_eq!(excluding("/home/ada/tidepool/**"), 111, "by where it was, below a folder");
    assert_eq!(excluding(&format!("**/{}.jsonl", session_id(2))), 63, "by transcript");
    assert_eq!(excluding("/nowhere"), 127);
}

#[test]
fn moved_folders_count_for_the_current_project() {
    let sandbox = Sandbox::new();
    sandbox.session("/old/pool", &session_id(1), [line("a", 1).cwd("/old/pool")]);
    sandbox.session(CWD, &session_id(2), [line("b", 2).session(&session_id(2))]);
    let library = Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Flag)],
        aliases: vec![("/old/pool".to_owned(), CWD.to_owned())],
        ..Options::default()
    });
    let rows = |dimension| super::fixture::rows(&report(&library, &by(&[dimension])));
    assert_eq!(rows(Dimension::Project), [format!("{CWD}: 2 calls, 3 out")]);
    assert_eq!(rows(Dimension::Worktree).len(), 2, "the very folders are two");
}

#[test]
fn a_relocated_session_keeps_its_calls_together() {
    let sandbox = Sandbox::new();
    let moved = metadata("relocated", &[("relocatedCwd", "/home/ada/new".into())]);
    sandbox.session(CWD, &session_id(1), [line("a", 1), moved, line("b", 2).cwd("/home/ada/new")]);
    let rows = super::fixture::row_texts(&sandbox, Dimension::Project);
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert!(rows[0].ends_with(": 2 calls, 3 out"));
}
