//! Tests of every route, over HTTP.

mod apps;
mod clients;
mod crowds;
mod entering;
mod facts;
mod forged;
mod hostile;
#[cfg(target_os = "linux")]
mod other_users;
mod routes;
mod sizes;
mod streams;
mod time_limits;

use crate::app::App;
use crate::limits::TimeLimits;
use crate::{BasePath, Notice, Secret, Server, Settings, Stopper, Target};
use document::ConfigurationDocument;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use library::catalog::{Filter, NamedProject};
use library::usage::Budget;
use library::{Library, Options};
use redact::{Level, Redactor};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;
use testkit::{Line, Sandbox, answered, assistant, chained, session_id, tool_use, user};

/// A secret that masking knows.
const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

/// The projects with this text in their paths.
fn named(name: &str) -> NamedProject<'_> {
    NamedProject { name, exact: false, here: None, within: None }
}

/// The sessions of a sandbox.
pub(crate) fn library(sandbox: &Sandbox) -> Library {
    Library::open(options(sandbox))
}

fn options(sandbox: &Sandbox) -> Options {
    Options {
        roots: vec![(sandbox.config(), store::RootOrigin::Flag)],
        home: Some(sandbox.annals_home()),
        ..Options::default()
    }
}

/// The id of the session that calls of routes name.
fn id() -> String {
    session_id(1)
}

fn lines(number: u32, cwd: &str, lines: Vec<Line>) -> Vec<Line> {
    let id = session_id(number);
    chained(lines.into_iter().map(|line| line.cwd(cwd).with("sessionId", id.as_str())))
}

/// A store with two ordinary sessions, one with a sub-agent.
fn ordinary() -> Sandbox {
    let sandbox = Sandbox::new();
    let cwd = "/home/ada/tidepool";
    let [call, result] = answered(
        "toolu_01",
        "Read",
        &serde_json::json!({"file_path": "/home/ada/tidepool/a.rs"}),
        "1\tfn main() {}",
        Value::Null,
    );
    let first = vec![user("Measure the sea"), call, result, assistant("The sea is deep.")];
    sandbox.session(cwd, &session_id(1), lines(1, cwd, first));
    let agent = vec![user("Look at the sea").with("isSidechain", true), assistant("Wet.")];
    let agent = lines(1, cwd, agent).into_iter().map(|line| line.with("agentId", "a1"));
    sandbox.agent(cwd, &session_id(1), "agent-a1", agent);
    let second = vec![user("Count the gulls"), assistant("Seven.")];
    sandbox.session("/home/ada/gulls", &session_id(2), lines(2, "/home/ada/gulls", second));
    sandbox
}

fn settings(sandbox: &Sandbox, is_revealing: bool) -> Settings {
    let redactor = Arc::new(Redactor::new(Level::Standard, [7; 32]));
    let redactor = (!is_revealing).then_some(redactor);
    let library = library(sandbox);
    Settings {
        library: match &redactor {
            Some(redactor) => library.masking(Arc::clone(redactor)),
            None => library,
        },
        redactor,
        filter: Filter::default(),
        filters: Vec::new(),
        base: BasePath::random().unwrap(),
        port: Some(0),
        is_read_only: false,
        is_demo: false,
        home_folder: Some("/home/ada".to_owned()),
        zone: TimeZone::UTC,
        now: "2026-11-17T12:00:00Z".parse::<Timestamp>().unwrap(),
        version: "0.0.0",
        max_age: None,
        budget: Budget::default(),
        configuration: ConfigurationDocument::new(None, false, None, Vec::new()),
        user: owner(sandbox),
        assets: None,
        notify: Box::new(|_| ()),
    }
}

/// The user who runs the tests.
fn owner(sandbox: &Sandbox) -> u32 {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(sandbox.path()).unwrap().uid()
}

/// A server that runs until it is dropped.
struct TestServer {
    port: u16,
    base: BasePath,
    bearer: Secret,
    app: Arc<App>,
    notices: Arc<Mutex<Vec<Notice>>>,
    stopper: Stopper,
    /// An address with a code that is not used yet.
    address: String,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    fn start(settings: Settings) -> TestServer {
        TestServer::start_within(settings, TimeLimits::default())
    }

    fn start_within(mut settings: Settings, times: TimeLimits) -> TestServer {
        let notices: Arc<Mutex<Vec<Notice>>> = Arc::default();
        let seen = Arc::clone(&notices);
        settings.notify = Box::new(move |notice| seen.lock().unwrap().push(notice));
        let base = settings.base.clone();
        let server = Server::bind_within(settings, times).unwrap();
        let app = Arc::clone(&server.app);
        let (port, bearer, stopper) = (server.port(), server.bearer().clone(), server.stopper());
        let address = server.one_time_address(&Target::Home).unwrap();
        let thread = Some(std::thread::spawn(move || server.run().unwrap()));
        TestServer { port, base, bearer, app, notices, stopper, address, thread }
    }

    /// A server on an ordinary store.
    fn ordinary(sandbox: &Sandbox) -> TestServer {
        TestServer::start(settings(sandbox, false))
    }

    /// The path of the address with the code.
    fn entry_path(&self) -> String {
        self.address.split_once(&format!(":{}", self.port)).unwrap().1.to_owned()
    }

    /// Enters, and returns the `Cookie` header of the browser.
    fn enter(&self) -> String {
        let entered = self.request("GET", &self.entry_path(), &[], "");
        assert_eq!(entered.status, 200);
        entered.headers["set-cookie"].split(';').next().unwrap().to_owned()
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Sends a request with the right `Host`, unless the headers have one.
    fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let host = self.host();
        let mut text = format!("{method} {path} HTTP/1.1\r\n");
        let has_host = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host"));
        if !has_host {
            text += &format!("Host: {host}\r\n");
        }
        for (name, value) in headers.iter().filter(|(_, value)| *value != ABSENT) {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
        self.send(text.as_bytes())
    }

    /// Sends bytes and reads until the server closes the connection.
    fn send(&self, bytes: &[u8]) -> Response {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        Response::parse(&answer)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        stream
    }

    /// A GET with the bearer token, of a path below the base path.
    fn get(&self, path: &str) -> Response {
        let path = format!("{}{path}", self.base);
        let bearer = format!("Bearer {}", self.bearer.expose());
        self.request("GET", &path, &[("Authorization", &bearer)], "")
    }

    /// The token for actions.
    fn action_token(&self) -> String {
        self.get("api/1/state").json()["token"].as_str().unwrap().to_owned()
    }

    /// An action with everything it needs.
    fn act(&self, path: &str, body: &Value) -> Response {
        let bearer = format!("Bearer {}", self.bearer.expose());
        let token = self.action_token();
        let headers = [
            ("Authorization", bearer.as_str()),
            ("X-Annals", &token),
            ("Content-Type", "application/json"),
        ];
        self.request("POST", &format!("{}{path}", self.base), &headers, &body.to_string())
    }

    /// A call from the table of routes.
    fn call(&self, call: &str) -> String {
        let style = self.get("");
        let text = String::from_utf8_lossy(&style.body).into_owned();
        let style = text.split("assets/").nth(1).unwrap().split('"').next().unwrap().to_owned();
        call.replace("STYLE", &style)
            .replace("SESSION", &id())
            .replace("AGENT", "a1")
            .replace("MESSAGE", "10000000-0000-4000-8000-000000000000")
            .replace("COMMIT", "abcdef1")
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking());
        }
    }
}

/// A header that is not sent.
const ABSENT: &str = "\0absent";

#[derive(Debug)]
struct Response {
    status: u16,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Response {
    fn parse(bytes: &[u8]) -> Response {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or_else(|| {
            panic!("not an answer: {:?}", String::from_utf8_lossy(bytes));
        });
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        Response { status, headers, body: bytes[end + 4..].to_vec() }
    }

    fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("text")
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}
