//! Server-sent events, over HTTP.

use super::*;
use testkit::assistant;

/// A stream of events that is being read.
pub(super) struct EventStream {
    stream: TcpStream,
    text: String,
}

/// Opens a stream.
pub(super) fn open(server: &TestServer, query: &str, last: Option<&str>) -> EventStream {
    let mut stream = server.connect();
    let last = last.map_or_else(String::new, |last| format!("Last-Event-ID: {last}\r\n"));
    let request = format!(
        "GET {}api/1/events?{query} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n{last}\r\n",
        server.base,
        server.host(),
        server.bearer.expose()
    );
    stream.write_all(request.as_bytes()).unwrap();
    EventStream { stream, text: String::new() }
}

impl EventStream {
    /// Reads until a text was sent, and returns everything so far.
    pub(super) fn until(&mut self, wanted: &str) -> String {
        let mut bytes = [0; 4096];
        while !self.text.contains(wanted) {
            let count = self.stream.read(&mut bytes).unwrap();
            assert!(count > 0, "{wanted:?} is not in {}", self.text);
            self.text += &String::from_utf8_lossy(&bytes[..count]);
        }
        self.text.clone()
    }

    pub(super) fn until_end(&mut self) {
        let mut rest = Vec::new();
        let _ = self.stream.read_to_end(&mut rest);
    }
}

fn append(sandbox: &Sandbox, text: &str) {
    let cwd = "/home/ada/tidepool";
    let line = assistant(text).cwd(cwd).with("sessionId", id()).link(text, None);
    let path = sandbox.projects().join(format!("-home-ada-tidepool/{}.jsonl", id()));
    assert!(path.exists());
    sandbox.append(&path, format!("{line}\n"));
}

#[test]
fn a_written_line_is_an_event_of_its_session_and_secrets_in_it_are_masked() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let mut of_session = open(&server, &format!("session={}", id()), None);
    let mut of_other = open(&server, &format!("session={}&list=1", session_id(2)), None);
    of_session.until("event: open");
    of_other.until("event: open");
    // The watcher may not have begun yet: then a later line is the first event.
    let mut seen = String::new();
    for attempt in 0..50 {
        append(&sandbox, &format!("tide{attempt} {SECRET}"));
        of_session.stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
        let mut bytes = [0; 8192];
        if let Ok(count) = of_session.stream.read(&mut bytes) {
            seen += &String::from_utf8_lossy(&bytes[..count]);
        }
        if seen.contains("event: watch") && seen.contains("tide") {
            break;
        }
    }
    assert!(seen.contains("event: watch") && seen.contains(&id()), "{seen}");
    assert!(!seen.contains(SECRET), "{seen}");
    let lists = of_other.until("event: list");
    assert!(!lists.contains("event: watch"), "{lists}");
}

#[test]
fn a_stream_of_another_process_begins_with_a_reset() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    open(&server, "list=1", Some("0123456789abcdef-7")).until("event: reset");
    open(&server, "list=1", Some("x")).until("event: reset");
    let process = server.get("api/1/state").json()["process"].as_str().unwrap().to_owned();
    let text = open(&server, "list=1", Some(&format!("{process}-0"))).until("event: open");
    assert!(!text.contains("reset"), "{text}");
}
