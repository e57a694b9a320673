//! All text files of a session, and the owners of plans.

use library::search::SourceKind;
use library::session::Session;
use library::stores::Tier;
use library::{Library, Options};
use store::RootOrigin;
use testkit::{Sandbox, session_id, user};

fn library(sandbox: &Sandbox) -> Library {
    let roots = vec![(sandbox.config(), RootOrigin::Flag)];
    Library::open(Options { roots, ..Options::default() })
}

#[test]
fn sources_are_exactly_the_files_that_hold_text() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let own = format!("projects/-p/{id}");
    sandbox.session("/p", &id, [user("Hello").cwd("/p")]);
    sandbox.agent("/p", &id, "agent-a1", [user("Go").cwd("/p")]);
    sandbox.write(&format!("{own}/tool-results/b.txt"), "four");
    sandbox.write(&format!("{own}/tool-results/a.json"), "[]");
    sandbox.write(&format!("{own}/tool-results/below/c.txt"), "not directly there");
    sandbox.write(&format!("{own}/custom-title.json"), "{}");
    let copy = format!("pre-compact-session-histories/{id}-20260119-100000.jsonl");
    sandbox.write(&copy, user("Hello").to_string() + "\n");
    sandbox.write("plans/slug-agent-a1.md", "plan");
    sandbox.write("history.jsonl", "");
    let library = library(&sandbox);
    let list = library.catalog().all_sessions();
    let sessions: Vec<&Session> = list.sessions.iter().collect();
    let sources = library.catalog().sources(&sessions, Tier::DiskAndArchive);
    let found: Vec<_> = sources.sessions[0]
        .iter()
        .chain(&sources.plans)
        .map(|source| {
            let path = source.path.strip_prefix(sandbox.config()).expect("below the store");
            let path = path.display().to_string().replace(&id, "ID");
            let agent = source.agent_id.as_deref().unwrap_or("-");
            assert_eq!(source.session_id.is_some(), source.kind != SourceKind::Plan);
            assert!(source.bytes > 0);
            format!("{:?} {agent} {path}", source.kind)
        })
        .collect();
    assert_eq!(
        found,
        [
            "Main - projects/-p/ID.jsonl",
            "Agent a1 projects/-p/ID/subagents/agent-a1.jsonl",
            "Copy - pre-compact-session-histories/ID-20260119-100000.jsonl",
            "Output - projects/-p/ID/tool-results/a.json",
            "Output - projects/-p/ID/tool-results/b.txt",
            "Plan a1 plans/slug-agent-a1.md",
        ]
    );
}

#[test]
fn a_plan_belongs_to_the_newest_session_with_its_slug() {
    let sandbox = Sandbox::new();
    let line = |slug: &str| user("The plan is in calm-tide").cwd("/p").with("slug", slug);
    let write = |number: u32, slug: &str| {
        let path = sandbox.session("/p", &session_id(number), [line(slug), line(slug)]);
        sandbox.set_modified(&path, 1_770_000_000 + i64::from(number));
    };
    write(1, "/x/calm-tide");
    write(2, "calm-tide");
    // It only mentions that plan, and has another ending.
    write(3, "very-calm-tide");
    write(4, "");
    sandbox.agent("/p", &session_id(3), "agent-a1", [line("calm-tide")]);
    for name in ["calm-tide", "calm-tide-agent-a1", "calm-tide-agent-a2", "tide", "-agent-a1"] {
        sandbox.write(&format!("plans/{name}.md"), "plan");
    }
    let library = library(&sandbox);
    let list = library.catalog().all_sessions();
    let sessions: Vec<&Session> = list.sessions.iter().collect();
    let sources = library.catalog().sources(&sessions, Tier::DiskAndArchive);
    let (owners, read_errors) = library.catalog().plan_owners(&sources.plans, &sources.sessions);
    assert_eq!(read_errors, []);
    let found: Vec<(String, Option<String>)> = sources
        .plans
        .iter()
        .zip(owners)
        .map(|(plan, owner)| {
            let name = plan.path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, owner.map(|number| sessions[number].id.clone()))
        })
        .collect();
    let expected = [
        ("-agent-a1", None),
        ("calm-tide-agent-a1", Some(3)),
        ("calm-tide-agent-a2", Some(2)),
        ("calm-tide", Some(2)),
        ("tide", None),
    ];
    assert_eq!(found, expected.map(|(name, owner)| (name.to_owned(), owner.map(session_id))));
}
