//! Names in transcripts are written by strangers: whatever they contain, only a
//! regular file with that final component inside the session's own
//! `tool-results/` opens.

use std::io::Read;
use std::path::Path;
use store::SessionFolder;
use testkit::{Sandbox, session_id};

/// These files are all on disk.
static DISK: store::Files = store::Files::disk();

/// A session folder with one real output in it, and a secret outside.
struct HostileHints {
    sandbox: Sandbox,
    own: String,
}

impl HostileHints {
    fn new() -> HostileHints {
        let fixture =
            HostileHints { sandbox: Sandbox::new(), own: format!("projects/-p/{}", session_id(1)) };
        fixture.sandbox.write(&format!("{}/tool-results/out.txt", fixture.own), "own");
        fixture.sandbox.write("secret.txt", "secret");
        fixture.sandbox.write(&format!("{}/archived.json", fixture.own), "sidecar");
        fixture
            .sandbox
            .write(&format!("projects/-p/{}/tool-results/theirs.txt", session_id(2)), "theirs");
        fixture
    }

    fn secret(&self) -> std::path::PathBuf {
        self.sandbox.config().join("secret.txt")
    }

    fn folder(&self) -> SessionFolder {
        SessionFolder::find(&DISK, self.sandbox.config().join(&self.own)).unwrap()
    }

    fn open(&self, hint: &str) -> Option<String> {
        let mut text = String::new();
        self.folder().open_tool_result(&DISK, hint)?.read_to_string(&mut text).unwrap();
        Some(text)
    }
}

#[test]
fn only_the_final_component_of_a_hint_counts() {
    let fixture = HostileHints::new();
    let absolute = fixture.sandbox.config().join(&fixture.own).join("tool-results/out.txt");
    let table = [
        "out.txt",
        "tool-results/out.txt",
        "/somewhere/else/entirely/out.txt",
        "../../out.txt",
        r"C:\Users\eve\tool-results\out.txt",
        r"..\..\out.txt",
        r"mixed/..\out.txt",
        absolute.to_str().unwrap(),
    ];
    for hint in table {
        assert_eq!(fixture.open(hint).as_deref(), Some("own"), "{hint}");
    }
}

#[test]
fn an_absolute_path_to_a_real_file_outside_does_not_open() {
    let fixture = HostileHints::new();
    assert_eq!(fixture.open(fixture.secret().to_str().unwrap()), None);
    assert_eq!(fixture.open("/etc/passwd"), None);
}

#[test]
fn a_path_that_climbs_out_does_not_open() {
    let fixture = HostileHints::new();
    for hint in [
        "../../../../secret.txt",
        "../archived.json",
        "x/../../archived.json",
        r"..\archived.json",
        r"..\..\..\..\secret.txt",
    ] {
        assert_eq!(fixture.open(hint), None, "{hint}");
    }
}

#[test]
fn the_output_of_another_session_does_not_open() {
    let fixture = HostileHints::new();
    let theirs = format!("../../{}/tool-results/theirs.txt", session_id(2));
    assert_eq!(fixture.open(&theirs), None);
}

#[test]
fn invalid_file_names_do_not_open() {
    let fixture = HostileHints::new();
    fixture.sandbox.folder(&format!("{}/tool-results/folder", fixture.own));
    let long = "x".repeat(5000);
    for hint in [
        "",
        ".",
        "..",
        "/",
        r"\",
        "out.txt/",
        r"out.txt\",
        "a/.",
        "a/..",
        "\0",
        "out.txt\0",
        "out\0.txt",
        "\0/..",
        "folder",
        &long,
    ] {
        assert_eq!(fixture.open(hint), None, "{hint:?}");
    }
}

#[test]
fn a_link_inside_tool_results_is_not_followed() {
    let fixture = HostileHints::new();
    fixture.sandbox.link(&format!("{}/tool-results/link.txt", fixture.own), &fixture.secret());
    fixture.sandbox.link(&format!("{}/tool-results/inner.txt", fixture.own), Path::new("out.txt"));
    assert_eq!(fixture.open("link.txt"), None);
    assert_eq!(fixture.open("inner.txt"), None, "not even to a neighbour");
}

#[test]
fn a_pipe_inside_tool_results_neither_opens_nor_blocks() {
    let fixture = HostileHints::new();
    fixture.sandbox.pipe(&format!("{}/tool-results/pipe.txt", fixture.own));
    assert_eq!(fixture.open("pipe.txt"), None);
    assert_eq!(fixture.folder().count_tool_results(&DISK), (1, 3), "and it is not counted");
}

#[test]
fn tool_results_that_is_itself_a_link_opens_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("outside/out.txt", "secret");
    sandbox.link("s/tool-results", &sandbox.config().join("outside"));
    let folder = SessionFolder::find(&DISK, sandbox.config().join("s")).unwrap();
    assert!(folder.open_tool_result(&DISK, "out.txt").is_none());
}

#[test]
fn tool_results_that_is_a_file_or_missing_opens_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("s/tool-results", "a file");
    sandbox.folder("t");
    for name in ["s", "t"] {
        let folder = SessionFolder::find(&DISK, sandbox.config().join(name)).unwrap();
        assert!(folder.open_tool_result(&DISK, "out.txt").is_none(), "{name}");
        assert_eq!(folder.count_tool_results(&DISK), (0, 0), "{name}");
    }
}

#[test]
fn a_link_or_a_file_is_not_a_session_folder() {
    let sandbox = Sandbox::new();
    let real = sandbox.folder("real");
    assert!(SessionFolder::find(&DISK, real.clone()).is_some());
    assert_eq!(SessionFolder::find(&DISK, sandbox.link("link", &real)), None);
    assert_eq!(SessionFolder::find(&DISK, sandbox.write("file", "")), None);
    assert_eq!(SessionFolder::find(&DISK, sandbox.config().join("missing")), None);
}

#[test]
fn sidecars_that_are_links_or_pipes_are_not_read() {
    let sandbox = Sandbox::new();
    let elsewhere = sandbox.write(
        "elsewhere.json",
        r#"{"customTitle":"stolen","archived":true,"at":"2026-01-03T00:00:00Z"}"#,
    );
    sandbox.link("s/custom-title.json", &elsewhere);
    sandbox.link("s/archived.json", &elsewhere);
    sandbox.pipe("t/custom-title.json");
    sandbox.pipe("t/archived.json");
    for name in ["s", "t"] {
        let folder = SessionFolder::find(&DISK, sandbox.config().join(name)).unwrap();
        assert_eq!((folder.custom_title(&DISK), folder.archived(&DISK)), (None, None), "{name}");
    }
}

#[test]
fn slugs_and_backup_names_open_nothing_but_their_own_files() {
    let sandbox = Sandbox::new();
    let id = testkit::session_id(1);
    sandbox.write("plans/quiet-harbour.md", "plan");
    sandbox.write(&format!("file-history/{id}/0123456789abcdef@v1"), "backup");
    sandbox.write("secret.md", "secret");
    sandbox.link("plans/linked.md", &sandbox.config().join("secret.md"));
    let config = sandbox.config();
    let plan = |slug: &str| store::find_plan(&DISK, &config, slug);
    assert_eq!(plan("quiet-harbour"), Some(config.join("plans/quiet-harbour.md")));
    let absolute = config.join("secret").to_string_lossy().into_owned();
    for slug in ["../secret", "..\\secret", &absolute, "linked", "", "..", "quiet-harbour\0"] {
        assert_eq!(plan(slug), None, "{slug:?}");
    }
    let backup = |id: &str, name: &str| store::open_backup(&DISK, &config, id, name).is_some();
    assert!(backup(&id, "0123456789abcdef@v1"));
    for (id, name) in [
        (id.as_str(), "../../secret.md"),
        (id.as_str(), "missing@v1"),
        ("..", "secret.md"),
        ("../..", "secret.md"),
        ("", "secret.md"),
    ] {
        assert!(!backup(id, name), "{id:?} {name:?}");
    }
}

#[test]
fn plan_files_are_regular_files_named_by_slug_and_agent() {
    let sandbox = Sandbox::new();
    sandbox.write("plans/quiet-harbour.md", "# One");
    sandbox.write("plans/quiet-harbour-agent-a1-b2.md", b"# Tw\xffo");
    sandbox.write("plans/notes.txt", "no plan");
    sandbox.write("plans/.md", "no name");
    sandbox.write("secret.md", "secret");
    sandbox.link("plans/linked.md", &sandbox.config().join("secret.md"));
    sandbox.pipe("plans/pipe.md");
    sandbox.folder("plans/folder.md");
    let files = store::plan_files(&DISK, &sandbox.config());
    let found: Vec<_> = files
        .iter()
        .map(|file| (file.slug.as_str(), file.agent_id.as_deref(), file.read(&DISK).unwrap()))
        .collect();
    assert_eq!(
        found,
        [
            ("quiet-harbour", Some("a1-b2"), "# Tw\u{fffd}o".to_owned()),
            ("quiet-harbour", None, "# One".to_owned()),
        ]
    );
    // Replaced by a link between listing and reading.
    sandbox.remove(&files[1].path);
    sandbox.link("plans/quiet-harbour.md", &sandbox.config().join("secret.md"));
    assert!(files[1].read(&DISK).is_err());
    let large = sandbox.write("plans/large.md", vec![b'x'; 5 * 1024 * 1024]);
    let files = store::plan_files(&DISK, &sandbox.config());
    let file = files.iter().find(|file| file.path == large).unwrap();
    assert!(file.read(&DISK).is_err(), "too large for a plan");
    assert!(store::plan_files(&DISK, &sandbox.config().join("nowhere")).is_empty());
}

#[test]
fn a_folder_of_plans_that_is_a_link_is_not_followed() {
    let sandbox = Sandbox::new();
    sandbox.write("elsewhere/plan.md", "# Plan");
    sandbox.link("plans", &sandbox.config().join("elsewhere"));
    assert!(store::plan_files(&DISK, &sandbox.config()).is_empty());
}
