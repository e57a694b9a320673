//! Slow and greedy clients do not stop others.

use super::*;
use crate::limits::{CONNECTIONS, HEADER_BYTES};

#[test]
fn clients_that_send_nothing_do_not_keep_others_out() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let mut silent: Vec<TcpStream> = (0..CONNECTIONS + 8).map(|_| server.connect()).collect();
    for stream in &mut silent[..8] {
        // A request that never ends.
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ");
    }
    assert_eq!(server.get("api/1/state").status, 200);
    assert_eq!(server.get("api/1/state").status, 200);
}

#[test]
fn clients_that_do_not_read_do_not_keep_others_out() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let request = format!(
        "GET {}api/1/state HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n",
        server.base,
        server.host(),
        server.bearer.expose()
    );
    let mut greedy: Vec<TcpStream> = (0..8).map(|_| server.connect()).collect();
    for stream in &mut greedy {
        stream.write_all(request.repeat(200).as_bytes()).unwrap();
    }
    assert_eq!(server.get("api/1/state").status, 200);
}

#[test]
fn large_headers_are_refused() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let long = "x".repeat(2 * HEADER_BYTES);
    assert_eq!(server.request("GET", "/", &[("X-Long", &long)], "").status, 431);
    let many: Vec<(String, String)> = (0..200).map(|n| (format!("X-{n}"), n.to_string())).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(server.request("GET", "/", &many, "").status, 431);
    assert_eq!(server.get("api/1/state").status, 200);
}

#[test]
fn bytes_that_are_not_http_get_an_error() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let mut stream = server.connect();
    stream.write_all(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 400"), "{answer:?}");
    assert_eq!(server.get("api/1/state").status, 200);
}

#[test]
fn the_server_stops_while_a_stream_is_open() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let mut stream = streams::open(&server, "list=1", None);
    stream.until("event: open");
    let stopper = server.stopper.clone();
    stopper.stop();
    stream.until_end();
    drop(server);
}
