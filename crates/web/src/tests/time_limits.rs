//! How long clients, and work for them, may take. Limits are short or endless here, so that
//! what happens shows which limit there is, whatever the machine's speed.

use super::*;
use crate::limits::{HEAVY_PERMITS, LIGHT_PERMITS};
use std::time::Instant;

/// A query that never ends by itself and has no rows.
pub(super) const ENDLESS: &str = "api/1/sql?q=WITH%20RECURSIVE%20c(n)%20AS%20(SELECT%201%20UNION%20ALL%20\
     SELECT%20n%2B1%20FROM%20c)%20SELECT%20count(*)%20FROM%20c";

const SHORT: Duration = Duration::from_millis(150);
const ENDLESSLY: Duration = Duration::from_hours(1);

/// No limit that a test could reach.
pub(super) fn endless() -> TimeLimits {
    TimeLimits { header: ENDLESSLY, body: ENDLESSLY, write: ENDLESSLY, work: ENDLESSLY }
}

/// Waits until something is so. The time is only there to end a test that fails.
pub(super) fn until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_mins(2), "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a GET with the bearer token, and leaves the answer.
pub(super) fn send(server: &TestServer, path: &str) -> TcpStream {
    let mut stream = server.connect();
    stream.write_all(request(server, path).as_bytes()).unwrap();
    stream
}

fn request(server: &TestServer, path: &str) -> String {
    format!(
        "GET {}{path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n",
        server.base,
        server.host(),
        server.bearer.expose()
    )
}

/// Everything that comes until the server closes the connection.
fn read_all(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_header_that_takes_too_long_ends_the_connection() {
    let sandbox = ordinary();
    let times = TimeLimits { header: SHORT, ..endless() };
    let server = TestServer::start_within(settings(&sandbox, false), times);
    for begun in ["", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "] {
        let mut stream = server.connect();
        stream.write_all(begun.as_bytes()).unwrap();
        let answer = read_all(stream);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    }
    until("both are gone", || server.app.connections.count() == 0);
    // On a busy machine its header may take too long as well.
    until("a header that does not is read", || {
        let mut stream = server.connect();
        let sent = stream.write_all(request(&server, "api/1/state").as_bytes());
        sent.is_ok() && read_all(stream).starts_with("HTTP/1.1 200")
    });
}

#[test]
fn a_body_that_takes_too_long_is_refused() {
    let sandbox = ordinary();
    let times = TimeLimits { body: SHORT, ..endless() };
    let server = TestServer::start_within(settings(&sandbox, false), times);
    let token = server.action_token();
    let mut stream = server.connect();
    let header = format!(
        "POST {}api/1/mark HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nX-Annals: {token}\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{{",
        server.base,
        server.host(),
        server.bearer.expose()
    );
    stream.write_all(header.as_bytes()).unwrap();
    let answer = read_all(stream);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert_eq!(server.get("api/1/state").status, 200);
}

#[test]
fn a_client_that_does_not_read_its_answers_loses_its_connection() {
    let sandbox = ordinary();
    let times = TimeLimits { write: SHORT, ..endless() };
    let server = TestServer::start_within(settings(&sandbox, false), times);
    // Together more than the kernel keeps for a client.
    let style = server.call("assets/STYLE");
    let size = server.get(&style).body.len();
    let mut greedy = server.connect();
    // Before it can be closed, however long this takes.
    until("it is connected", || server.app.connections.count() == 1);
    let many = request(&server, &style).repeat((64 << 20) / size + 1);
    let mut sender = greedy.try_clone().unwrap();
    // The server stops reading requests while its answers wait.
    let sending = std::thread::spawn(move || drop(sender.write_all(many.as_bytes())));
    assert_eq!(server.get("api/1/state").status, 200, "others are served meanwhile");
    until("its connection is closed", || server.app.connections.count() == 0);
    drop(greedy.read(&mut [0; 16]));
    drop(greedy);
    sending.join().unwrap();
}

#[test]
fn work_that_takes_too_long_gets_an_error() {
    let sandbox = ordinary();
    let times = TimeLimits { work: Duration::from_secs(2), ..endless() };
    let server = TestServer::start_within(settings(&sandbox, false), times);
    let late = server.get(ENDLESS);
    assert_eq!(late.status, 503, "{late:?}");
    assert!(late.text().contains("took longer"), "{}", late.text());
    assert_eq!(late.headers["retry-after"], "5");
    until("its permit is back", || server.app.work.free() == (LIGHT_PERMITS, HEAVY_PERMITS));
}

#[test]
fn a_client_that_leaves_ends_the_work_for_it() {
    let sandbox = ordinary();
    let server = TestServer::start_within(settings(&sandbox, false), endless());
    let client = send(&server, ENDLESS);
    until("the query runs", || server.app.work.free().1 == HEAVY_PERMITS - 1);
    drop(client);
    // This query has no time limit, so only the departure of its client can end it.
    until("the query was cancelled", || server.app.work.free().1 == HEAVY_PERMITS);
}

#[test]
fn clients_that_ask_for_endless_work_do_not_stop_others() {
    let sandbox = ordinary();
    let server = TestServer::start_within(settings(&sandbox, false), endless());
    let greedy: Vec<TcpStream> = (0..8).map(|_| send(&server, ENDLESS)).collect();
    until("one of the queries runs", || server.app.work.free().1 == 0);
    for path in ["api/1/state", "api/1/sessions", "api/1/search?q=sea", "api/1/home"] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    let outline = server.get(&format!("api/1/sessions/{}/outline", id()));
    assert_eq!(outline.status, 200);
    drop(greedy);
    until("all queries were cancelled", || {
        server.app.work.free() == (LIGHT_PERMITS, HEAVY_PERMITS)
    });
    assert_eq!(server.get("api/1/tools").status, 200, "heavy work goes on");
}
