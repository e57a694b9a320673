//! A session is found by every kind of name, and by none that could lead
//! outside a root.

use globset::{Glob, GlobSetBuilder};
use library::catalog::FindError;
use library::session::Presence;
use library::{Library, Options};
use serde_json::json;
use std::path::Path;
use store::RootOrigin;
use testkit::{Sandbox, metadata, session_id, user};

const CWD: &str = "/home/ada/tidepool";

/// Five sessions in two projects, the newest last, with agents and a history.
struct Fixture {
    sandbox: Sandbox,
    library: Library,
}

const IDS: [&str; 5] = [
    "aaaa1111-0000-4000-8000-000000000001",
    "aaaa2222-0000-4000-8000-000000000002",
    "bbbb3333-0000-4000-8000-000000000003",
    "cccc4444-0000-4000-8000-000000000004",
    "dddd5555-0000-4000-8000-000000000005",
];
const GONE: &str = "eeee6666-0000-4000-8000-000000000006";

impl Fixture {
    fn new() -> Fixture {
        let sandbox = Sandbox::new();
        let titles = ["Tides of spring", "Tides of autumn", "Moon phases", "A moon-lit walk", ""];
        for (number, (id, title)) in IDS.iter().zip(titles).enumerate() {
            let cwd = if number < 3 { CWD } else { "/home/ada/other" };
            let title = metadata("custom-title", &[("customTitle", json!(title))]);
            let path = sandbox.session(cwd, id, [user("hello").cwd(cwd), title]);
            sandbox.set_modified(&path, 1000 + i64::try_from(number).unwrap());
        }
        let line =
            |id: &str| user("look").with("sessionId", id).with("isSidechain", true).to_string();
        sandbox.write("projects/-home-ada-tidepool/agent-f1a2b3.jsonl", line(IDS[0]));
        sandbox.write(
            &format!("projects/-home-ada-tidepool/{}/subagents/agent-n1.jsonl", IDS[1]),
            line(IDS[1]),
        );
        sandbox.write(
            &format!("projects/-home-ada-tidepool/{}/subagents/agent-n12.jsonl", IDS[1]),
            line(IDS[1]),
        );
        let history = [
            json!({"display": "first words", "timestamp": 1000, "project": CWD, "sessionId": GONE}),
            json!({"display": "last words", "timestamp": 3000, "project": CWD, "sessionId": GONE}),
            json!({"display": "hello", "timestamp": 4000, "project": CWD, "sessionId": IDS[0]}),
            json!({"display": "no uuid", "timestamp": 4000, "project": CWD, "sessionId": "../../x"}),
            json!({"display": "nobody's", "timestamp": 4000, "project": CWD}),
        ];
        sandbox.write("history.jsonl", history.map(|line| line.to_string() + "\n").concat());
        let roots = vec![(sandbox.config(), RootOrigin::Flag)];
        let library = Library::open(Options { roots, ..Options::default() });
        Fixture { sandbox, library }
    }

    /// The id of the session, and that of the agent.
    fn find(&self, name: &str) -> Result<(String, Option<String>), FindError> {
        let found = self.library.catalog().find(name, None)?;
        Ok((found.session.id, found.agent.map(|agent| agent.id)))
    }
}

#[test]
fn session_is_found_by_id_or_prefix() {
    let fixture = Fixture::new();
    let table = [
        (IDS[0], IDS[0]),
        ("aaaa1", IDS[0]),
        ("AAAA1", IDS[0]),
        ("b", IDS[2]),
        ("BBBB3333-0000-4000-8000-000000000003", IDS[2]),
        ("cccc4444-0000-4000-8000-00000000000", IDS[3]),
        (GONE, GONE),
        ("eeee6", GONE),
    ];
    for (name, id) in table {
        assert_eq!(fixture.find(name).unwrap(), (id.to_owned(), None), "{name}");
    }
}

#[test]
fn transcript_of_a_full_id_is_that_of_its_session_if_there_is_one() {
    let fixture = Fixture::new();
    let catalog = fixture.library.catalog();
    for id in IDS {
        let found = catalog.find(id, None).unwrap();
        assert_eq!(catalog.find_transcript(id).as_deref(), found.path(), "{id}");
    }
    for name in ["aaaa1111", "@", GONE, "n1", "../../x", ""] {
        assert_eq!(catalog.find_transcript(name), None, "{name}");
    }
    // Of two files, the metadata decide.
    fixture.sandbox.session("/home/ada/other", IDS[0], [user("again")]);
    assert_eq!(catalog.find_transcript(IDS[0]), None);
    // Whether this one is excluded, its content decides.
    let mut exclude = GlobSetBuilder::new();
    exclude.add(Glob::new("/home/ada/other").unwrap());
    let library = Library::open(Options {
        roots: vec![(fixture.sandbox.config(), RootOrigin::Flag)],
        exclude: exclude.build().unwrap(),
        ..Options::default()
    });
    assert_eq!(library.catalog().find_transcript(IDS[3]), None);
}

#[test]
fn agent_is_found_by_its_id() {
    let fixture = Fixture::new();
    let table = [
        ("f1a2b3", IDS[0], "f1a2b3"),
        ("f1a", IDS[0], "f1a2b3"),
        ("n12", IDS[1], "n12"),
        ("n1", IDS[1], "n1"),
    ];
    for (name, session, agent) in table {
        assert_eq!(
            fixture.find(name).unwrap(),
            (session.to_owned(), Some(agent.to_owned())),
            "{name}"
        );
    }
    let found = fixture.library.catalog().find("n1", None).unwrap();
    assert!(found.path().unwrap().ends_with("subagents/agent-n1.jsonl"));
}

#[test]
fn session_is_found_by_the_path_of_its_transcript() {
    let fixture = Fixture::new();
    let folder = fixture.sandbox.projects().join("-home-ada-tidepool");
    let table = [
        (folder.join(format!("{}.jsonl", IDS[0])), IDS[0], None),
        (folder.join("agent-f1a2b3.jsonl"), IDS[0], Some("f1a2b3")),
        (folder.join(format!("{}/subagents/agent-n1.jsonl", IDS[1])), IDS[1], Some("n1")),
    ];
    for (path, session, agent) in table {
        let found = fixture.find(path.to_str().unwrap()).unwrap();
        assert_eq!(found, (session.to_owned(), agent.map(str::to_owned)), "{}", path.display());
    }
    let outside = fixture.sandbox.write("elsewhere/monday.jsonl", user("hello").to_string());
    assert_eq!(fixture.find(outside.to_str().unwrap()).unwrap().0, "monday");
}

#[test]
fn path_that_is_not_a_transcript_finds_nothing() {
    let fixture = Fixture::new();
    let real =
        fixture.sandbox.projects().join("-home-ada-tidepool").join(format!("{}.jsonl", IDS[0]));
    let paths = [
        fixture.sandbox.config().join("missing.jsonl"),
        fixture.sandbox.link("link.jsonl", &real),
        fixture.sandbox.pipe("pipe.jsonl"),
        fixture.sandbox.folder("folder.jsonl"),
    ];
    for path in paths {
        let error = fixture.find(path.to_str().unwrap()).unwrap_err();
        let refused = matches!(error, FindError::NotFound { .. } | FindError::Unreadable { .. });
        assert!(refused, "{} {error}", path.display());
    }
    let error =
        fixture.find(fixture.sandbox.config().join("link.jsonl").to_str().unwrap()).unwrap_err();
    assert!(error.to_string().contains("symbolic link"), "{error}");
}

#[test]
fn at_finds_the_latest_sessions_of_a_project() {
    let fixture = Fixture::new();
    let here = fixture.library.catalog().project_scope(Path::new(CWD), false);
    let table = [
        ("@", None, Some(4)),
        ("@2", None, Some(3)),
        ("@", Some(&here), Some(2)),
        ("@1", Some(&here), Some(2)),
        ("@3", Some(&here), Some(0)),
        ("@4", Some(&here), None),
    ];
    for (name, here, expected) in table {
        let found = fixture.library.catalog().find(name, here).ok().map(|found| found.session.id);
        assert_eq!(found.as_deref(), expected.map(|number: usize| IDS[number]), "{name} {here:?}");
    }
}

#[test]
fn session_is_found_by_words_of_its_title() {
    let fixture = Fixture::new();
    for (name, id) in [
        ("spring", IDS[0]),
        ("AUTUMN", IDS[1]),
        ("phases", IDS[2]),
        ("moon-lit", IDS[3]),
        ("spring tides", IDS[0]),
    ] {
        assert_eq!(fixture.find(name).unwrap().0, id, "{name}");
    }
    assert!(fixture.find("spri").is_err(), "whole words only");
}

#[test]
fn an_ambiguous_name_lists_its_candidates() {
    let fixture = Fixture::new();
    let table: [(&str, &[&str]); 3] =
        [("aaaa", &[IDS[0], IDS[1]]), ("tides", &[IDS[0], IDS[1]]), ("n", &["n1", "n12"])];
    for (name, expected) in table {
        let Err(FindError::Ambiguous { candidates, .. }) = fixture.find(name) else {
            panic!("{name}")
        };
        let mut ids: Vec<_> = candidates.iter().map(|candidate| candidate.id.as_str()).collect();
        ids.sort_unstable();
        assert_eq!(ids, expected, "{name}");
    }
}

#[test]
fn unknown_name_error_names_the_nearest() {
    let fixture = Fixture::new();
    for (name, nearest_id) in
        [("bbbb4", IDS[2]), ("cccc4444-0000-4000-8000-00000000000f", IDS[3]), ("eeee7", GONE)]
    {
        let Err(FindError::NotFound { nearest, .. }) = fixture.find(name) else { panic!("{name}") };
        assert_eq!(nearest[0].id, nearest_id, "{name}");
        assert!(nearest.len() <= 3, "a few, not all");
    }
    for name in ["octopus", "zzz", "0123456789", "no such session"] {
        let Err(FindError::NotFound { nearest, .. }) = fixture.find(name) else { panic!("{name}") };
        assert!(nearest.is_empty(), "{name}: {nearest:?}");
    }
}

#[test]
fn names_that_could_leave_the_root_are_refused() {
    let fixture = Fixture::new();
    // Would be found if a name were ever joined to a folder.
    fixture.sandbox.write("x.jsonl", user("secret").to_string());
    let refused = [
        "",
        "\0",
        "aaaa\0",
        "../../x",
        "a/b",
        r"..\..\x",
        r"a\b",
        "/etc/passwd",
        "/",
        "@0",
        "@x",
        "@-1",
        "@1.5",
        "@99999999999999999999999",
    ];
    for name in refused {
        let error = fixture.find(name).unwrap_err();
        assert!(matches!(error, FindError::NotAName { .. }), "{name:?} {error}");
    }
    for name in ["..", ".", "x", "*", "%", "aaaa1111-0000-4000-8000-00000000000/"] {
        assert!(fixture.find(name).is_err(), "{name:?}");
    }
}

#[test]
fn a_refusal_comes_before_any_file_is_touched() {
    let sandbox = Sandbox::new();
    let roots = vec![(sandbox.config().join("nowhere"), RootOrigin::Flag)];
    let library = Library::open(Options { roots, ..Options::default() });
    assert!(matches!(library.catalog().find("../../x", None), Err(FindError::NotAName { .. })));
    assert!(matches!(library.catalog().find("x", None), Err(FindError::NotFound { .. })));
}

#[test]
fn deleted_session_is_listed_as_prompts_only() {
    let fixture = Fixture::new();
    let list = fixture.library.catalog().sessions();
    let gone = fixture.library.catalog().prompts_only(&list).0;
    let [session] = &gone[..] else { panic!("{gone:?}") };
    assert_eq!((session.id.as_str(), session.presence), (GONE, Presence::PromptsOnly));
    assert_eq!((session.path.as_ref(), session.project.as_deref()), (None, Some(CWD)));
    assert_eq!(session.metadata.first_prompt.as_deref(), Some("first words"));
    assert_eq!(session.metadata.last_prompt.as_deref(), Some("last words"));
    assert_eq!(session.metadata.created.unwrap().as_millisecond(), 1000);
    assert_eq!(session.metadata.modified.as_millisecond(), 3000);
}

#[test]
fn copies_are_found_with_the_session_they_copy() {
    let sandbox = Sandbox::new();
    let old = sandbox.session("/a", &session_id(1), [user("hello").cwd("/a")]);
    let new = sandbox.session("/b", &session_id(1), [user("hello").cwd("/b")]);
    sandbox.set_modified(&old, 100);
    sandbox.set_modified(&new, 200);
    let roots = vec![(sandbox.config(), RootOrigin::Flag)];
    let library = Library::open(Options { roots, ..Options::default() });
    for name in [session_id(1), "00000001".to_owned(), "@".to_owned()] {
        let session = library.catalog().find(&name, None).unwrap().session;
        assert_eq!(
            (session.path, session.copies),
            (Some(new.clone()), vec![old.clone()]),
            "{name}"
        );
    }
}
