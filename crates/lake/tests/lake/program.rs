//! `annals-lake` as `annals` meets it: one request on standard input, lines of JSON back.

mod counted_server;

use counted_server::Server;
use document::{
    LakeAction, LakeAnswer, LakeFailure, LakeLevel, LakeMachine, LakePushDocument, LakeRequest,
    LakeSettings, LakeTakenBack,
};
use lake::{
    Bucket as _, CheckDepth, Format as _, Manifest, ObjectBucket, ObjectChecker, ParquetFormat,
    Segment, SegmentName, StorageOptions, StorageUrl, Table,
};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use testkit::{Line, Sandbox, call, chained, session_id, user};

fn program(sandbox: &Sandbox) -> Command {
    sandbox.command(testkit::program!("annals-lake"))
}

/// What the program answers to these bytes.
fn answers(command: &mut Command, input: &[u8]) -> Vec<LakeAnswer> {
    let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = started.expect("the program starts");
    // It may end before it has read all.
    let _ = child.stdin.take().expect("an input").write_all(input);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn ask(command: &mut Command, settings: LakeSettings, action: LakeAction) -> LakeAnswer {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let request = LakeRequest { version, settings, action };
    let mut answers = answers(command, &serde_json::to_vec(&request).expect("JSON"));
    assert!(matches!(&answers[0], LakeAnswer::Hello { version } if *version == request.version));
    answers.pop().expect("an answer")
}

fn failure(answer: LakeAnswer) -> LakeFailure {
    match answer {
        LakeAnswer::Failure(failure) => failure,
        other => panic!("{other:?}"),
    }
}

/// Settings of a lake in the home of a sandbox.
fn in_folder(sandbox: &Sandbox) -> LakeSettings {
    LakeSettings {
        url: Some(format!("file://{}", sandbox.home().display())),
        owner: Some("ada".to_owned()),
        installation: Some("i1".to_owned()),
        ..LakeSettings::default()
    }
}

#[test]
fn version_comes_first_whatever_is_asked() {
    let sandbox = Sandbox::new();
    let other = br#"{"version":"9.9.9","settings":{},"action":"status"}"#;
    for input in [&b""[..], b"{", b"\xff\xfe", b"[1]", other] {
        let answers = answers(&mut program(&sandbox), input);
        assert!(
            matches!(&answers[..], [LakeAnswer::Hello { .. }, LakeAnswer::Failure(_)]),
            "{answers:?}"
        );
    }
    let settings = LakeSettings::default();
    let request = LakeRequest {
        version: "9.9.9".to_owned(),
        settings,
        action: LakeAction::Status { machine: None },
    };
    let bytes = serde_json::to_vec(&request).expect("JSON");
    let failure = failure(answers(&mut program(&sandbox), &bytes).remove(1));
    assert!(failure.message.starts_with("annals is 9.9.9, but annals-lake is "), "{failure:?}");
}

#[test]
fn program_with_arguments_refuses_and_names_annals() {
    let sandbox = Sandbox::new();
    let output = program(&sandbox).arg("status").output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("hint: run annals lake"));
}

#[test]
fn program_reads_objects_for_another_process_of_itself() {
    let checker = ObjectChecker::new(env!("CARGO_BIN_EXE_annals-lake").into());
    let bytes = ParquetFormat.encode(Table::Lines, &[]).expect("a segment");
    for depth in [CheckDepth::Entries, CheckDepth::Rows] {
        let answer = |table, bytes: &[u8]| checker.check(table, depth, bytes).expect("an answer");
        assert_eq!(answer(Table::Lines, &bytes), Ok(0));
        assert!(answer(Table::Calls, &bytes).is_err(), "another table");
        assert!(answer(Table::Lines, b"PAR1").is_err(), "no Parquet file");
        assert_eq!(answer(Table::Lines, &bytes), Ok(0), "it goes on");
    }
}

#[test]
fn wrong_settings_are_named_by_their_keys() {
    let sandbox = Sandbox::new();
    let right = in_folder(&sandbox);
    let rule = |level, with: &str| document::LakeShareDocument {
        project: "~/x".to_owned(),
        level,
        with: with.to_owned(),
    };
    let table = [
        (LakeSettings { url: None, ..right.clone() }, "lake.url"),
        (LakeSettings { url: Some("ftp://x".to_owned()), ..right.clone() }, "lake.url"),
        (LakeSettings { owner: None, ..right.clone() }, "lake.owner"),
        (LakeSettings { owner: Some("../eve".to_owned()), ..right.clone() }, "lake.owner"),
        (
            LakeSettings { share: vec![rule(LakeLevel::Usage, "everyone")], ..right.clone() },
            "lake.share.with",
        ),
        (LakeSettings { level: LakeLevel::Text, ..right.clone() }, "lake.level"),
        (LakeSettings { share: vec![rule(LakeLevel::Text, "org")], ..right.clone() }, "lake.level"),
    ];
    for (settings, key) in table {
        let failure = failure(ask(
            &mut program(&sandbox),
            settings.clone(),
            LakeAction::Status { machine: None },
        ));
        assert_eq!(failure.setting.as_deref(), Some(key), "{failure:?} of {settings:?}");
    }
    let open = LakeSettings { level: LakeLevel::Text, everyone_may_read: true, ..right };
    let answer = ask(&mut program(&sandbox), open, LakeAction::Status { machine: None });
    assert!(matches!(answer, LakeAnswer::Status(_)), "{answer:?}");
}

#[tokio::test]
async fn status_counts_the_segments_of_every_chain_of_the_owner() {
    let sandbox = Sandbox::new();
    let url = StorageUrl::File(sandbox.home());
    let bucket = ObjectBucket::open(&url, &StorageOptions::default()).expect("a folder");
    let digest = "0".repeat(32);
    let segment = |table: &str, rows| {
        let name = format!("00000001/{table}-202601-{digest}.parquet");
        Segment { name: name.parse::<SegmentName>().expect("a name"), rows, bytes: rows * 10 }
    };
    let mut private = Manifest::default();
    private.segments = vec![segment("lines", 7)];
    private.audiences = ["org", "team:tides"].map(|it| it.parse().expect("an audience")).into();
    let mut org = Manifest::default();
    org.segments = vec![segment("calls", 5), segment("days", 1)];
    let empty = Manifest::default();
    for (name, manifest) in [
        ("v1/private/ada/i1/m/00000003.json", &private),
        ("v1/org/ada/i1/m/00000002.json", &org),
        ("v1/private/ada/i2/m/00000001.json", &empty),
        ("v1/private/eve/i3/m/00000001.json", &private),
    ] {
        bucket.create(name, manifest.to_bytes()).await.expect("created");
    }
    let answer =
        ask(&mut program(&sandbox), in_folder(&sandbox), LakeAction::Status { machine: None });
    let LakeAnswer::Status(status) = answer else { panic!("{answer:?}") };
    assert_eq!((status.reachable, &status.problem), (Some(true), &None));
    let chains: Vec<_> = status
        .chains
        .iter()
        .map(|it| {
            (
                it.audience.as_str(),
                it.installation.as_str(),
                it.is_own,
                it.manifest,
                it.segments,
                it.rows,
                it.bytes,
            )
        })
        .collect();
    assert_eq!(
        chains,
        [
            ("private", "i1", true, 3, 1, 7, 70),
            ("org", "i1", true, 2, 2, 6, 60),
            ("private", "i2", false, 1, 0, 0, 0),
        ]
    );
    assert!(status.chains.iter().all(|it| it.readers == "everyone with access to the folder"));

    // A manifest that somebody damaged is a problem that is shown.
    bucket.create("v1/private/ada/i1/m/00000004.json", b"{".to_vec()).await.expect("created");
    let answer =
        ask(&mut program(&sandbox), in_folder(&sandbox), LakeAction::Status { machine: None });
    let LakeAnswer::Status(status) = answer else { panic!("{answer:?}") };
    let problem = status.problem.expect("a problem");
    assert!(problem.starts_with("v1/private/ada/i1/m/00000004.json: not a manifest"), "{problem}");
}

#[test]
fn storage_that_does_not_answer_is_a_problem_and_no_failure() {
    let sandbox = Sandbox::new();
    let url = Some("file:///nowhere/at/all".to_owned());
    let settings = LakeSettings { url, ..in_folder(&sandbox) };
    let answer =
        ask(&mut program(&sandbox), settings.clone(), LakeAction::Status { machine: None });
    let LakeAnswer::Status(status) = answer else { panic!("{answer:?}") };
    assert_eq!(status.reachable, Some(false));
    assert!(status.problem.is_some_and(|it| it.contains("cannot open the folder")));
    let failure = failure(ask(&mut program(&sandbox), settings, LakeAction::Init));
    assert!(failure.message.contains("cannot open the folder"), "{failure:?}");
}

#[tokio::test]
async fn init_leaves_no_object_behind() {
    let sandbox = Sandbox::new();
    for installation in [None, Some("i1".to_owned())] {
        let settings = LakeSettings { installation: installation.clone(), ..in_folder(&sandbox) };
        let answer = ask(&mut program(&sandbox), settings, LakeAction::Init);
        let LakeAnswer::Init(init) = answer else { panic!("{answer:?}") };
        assert_eq!(init.leaves.len(), 2, "{:?}", init.leaves);
        match installation {
            Some(known) => assert_eq!(init.installation, known),
            None => assert_eq!(init.installation.len(), 17),
        }
    }
    let url = StorageUrl::File(sandbox.home());
    let bucket = ObjectBucket::open(&url, &StorageOptions::default()).expect("a folder");
    assert_eq!(bucket.list("v1/", None).await.expect("names"), Vec::<String>::new());
}

#[test]
fn proxy_of_the_environment_is_asked_for_a_tunnel() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let proxy = format!("http://{}", listener.local_addr().expect("an address"));
    let asked = std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().expect("a connection");
        let mut bytes = [0; 1024];
        let length = socket.read(&mut bytes).expect("a request");
        String::from_utf8_lossy(&bytes[..length]).into_owned()
        // The socket and the port are closed here, so that every repetition fails at once.
    });
    let sandbox = Sandbox::new();
    let url = Some("s3://acme-annals?region=eu-central-1".to_owned());
    let settings = LakeSettings { url, ..in_folder(&sandbox) };
    let mut command = program(&sandbox);
    command.env("HTTPS_PROXY", proxy);
    command.env("AWS_ACCESS_KEY_ID", "AKIDTEST").env("AWS_SECRET_ACCESS_KEY", "none");
    let answer = ask(&mut command, settings, LakeAction::Status { machine: None });
    let LakeAnswer::Status(status) = answer else { panic!("{answer:?}") };
    assert_eq!(status.reachable, Some(false), "{status:?}");
    let asked = asked.join().expect("no panic");
    assert!(asked.starts_with("CONNECT s3.eu-central-1.amazonaws.com:443 "), "{asked}");
}

const WORK: &str = "/home/ada/work/tides";

/// A home that pushes to a server.
struct Home<'s> {
    server: &'s Server,
    sandbox: Sandbox,
    settings: LakeSettings,
    /// The lines of its one session.
    lines: Vec<Line>,
}

impl<'s> Home<'s> {
    fn new(server: &'s Server, installation: &str, level: LakeLevel) -> Home<'s> {
        let sandbox = Sandbox::new();
        sandbox.write("../annals/redaction.key", [7; 32]);
        let settings = LakeSettings {
            url: Some(server.url()),
            owner: Some("ada".to_owned()),
            installation: Some(installation.to_owned()),
            projects: vec!["/home/ada/work/**".to_owned()],
            level,
            ..LakeSettings::default()
        };
        let mut home = Home { server, sandbox, settings, lines: Vec::new() };
        home.write(user("Where does the tide come from?"));
        home.write(call("msg_1", [100, 20, 0, 0]));
        home
    }

    fn write(&mut self, line: Line) {
        let minute = self.lines.len();
        self.lines.push(line.cwd(WORK).at(&format!("2026-11-01T10:{minute:02}:00.000Z")));
        self.sandbox.session(WORK, &session_id(1), chained(self.lines.clone()));
    }

    fn ask(&self, action: LakeAction) -> LakeAnswer {
        let mut command = program(&self.sandbox);
        Server::admit(&mut command);
        ask(&mut command, self.settings.clone(), action)
    }

    /// Pushes. Returns what was sent, and the requests.
    fn push(&self) -> (LakePushDocument, Vec<String>) {
        let machine = LakeMachine {
            roots: vec![self.sandbox.config().display().to_string()],
            data_home: self.sandbox.annals_home().display().to_string(),
            ..LakeMachine::default()
        };
        self.server.requests();
        let answer = self.ask(LakeAction::Push { machine, is_dry_run: false, with_rows: false });
        match answer {
            LakeAnswer::Push(document) => (document, self.server.requests()),
            other => panic!("{other:?}"),
        }
    }

    fn push_of_nothing(&self) {
        let (document, requests) = self.push();
        assert!(document.leaves.is_empty(), "{:?}", document.leaves);
        assert_eq!(document.sessions, 1);
        assert_eq!(requests.len(), 1, "{requests:?}");
        assert!(requests[0].starts_with("GET /annals?"), "{requests:?}");
    }
}

#[test]
fn push_with_nothing_new_makes_one_request_and_notices_every_change() {
    let server = Server::start();
    let mut home = Home::new(&server, "i2", LakeLevel::Usage);
    assert!(!home.push().0.leaves.is_empty());
    for _ in 0..2 {
        home.push_of_nothing();
    }

    home.write(call("msg_2", [7, 30, 0, 0]));
    assert_eq!(home.push().0.leaves.len(), 2, "calls and days");
    home.push_of_nothing();

    // Its memory is lost.
    let memory = home.sandbox.annals_home().join("lake");
    home.sandbox.remove(&memory.join("idle.json"));
    assert!(home.push().0.leaves.is_empty());
    home.push_of_nothing();
    home.sandbox.remove(&memory.join("state.json"));
    let (document, requests) = home.push();
    assert!(document.leaves.is_empty() && requests.len() > 1, "{requests:?}");
    home.push_of_nothing();

    // Another installation has the same calls, and its name sorts first: they count there.
    let other = Home::new(&server, "i1", LakeLevel::Usage);
    other.push();
    let (document, requests) = home.push();
    let tables: Vec<&str> = document.leaves.iter().map(|row| &*row.table).collect();
    assert_eq!(tables, ["days"], "{requests:?}");
    home.push_of_nothing();

    // Other rules of sharing.
    home.settings.level = LakeLevel::Metadata;
    let (document, _) = home.push();
    assert!(document.leaves.iter().any(|row| row.table == "sessions"), "{document:?}");
    home.push_of_nothing();

    // An administrator takes rows back, and later ones are not sent.
    let before = "202612".to_owned();
    let what = LakeTakenBack::Expired { level: LakeLevel::Usage, before };
    let answer = home.ask(LakeAction::TakeBack { owner: Some("ada".to_owned()), what });
    assert!(matches!(answer, LakeAnswer::TakeBack(_)), "{answer:?}");
    let (document, requests) = home.push();
    assert!(document.leaves.is_empty() && requests.len() > 1, "{requests:?}");
    home.write(call("msg_3", [7, 30, 0, 0]));
    assert!(home.push().0.leaves.is_empty());
    home.push_of_nothing();
}

#[test]
fn push_of_one_line_makes_four_requests_and_one_for_each_table() {
    for level in [LakeLevel::Usage, LakeLevel::Metadata, LakeLevel::Text] {
        let server = Server::start();
        let mut home = Home::new(&server, "i1", level);
        home.push();
        for number in 2..5 {
            home.write(call(&format!("msg_{number}"), [7, 30, 0, 0]));
            let (document, requests) = home.push();
            let tables = document.leaves.len();
            assert!(tables >= 2, "{document:?}");
            assert_eq!(requests.len(), 4 + tables, "{level:?}: {requests:#?}");
            assert!(document.bytes <= 20_000, "{level:?}: {} bytes", document.bytes);
        }
    }
}
