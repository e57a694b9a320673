//! Asks a server that runs for a one-time code.
//!
//! The answer is trusted only with a proof that the server has the token of its run file:
//! after a crash, any program can listen at its port.

use super::run_file::RunFile;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;
use web::{BasePath, Secret};

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long an answer may be.
const LONGEST: u64 = 64 << 10;

/// A one-time code of the server that a file names, if it runs.
pub(super) fn request_code(file: &RunFile, base: &BasePath) -> Option<Secret> {
    let token = file.token()?;
    let nonce = Secret::random().ok()?;
    let body = format!("{{\"nonce\":\"{}\"}}", nonce.expose());
    let answer = post(file.port, &format!("{base}api/1/code"), &token, &body)?;
    let answer: serde_json::Value = serde_json::from_str(&answer).ok()?;
    let code = Secret::parse(answer["code"].as_str()?)?;
    let expected = web::proof(&token, nonce.expose(), code.expose());
    Secret::parse(&expected)?.matches(answer["proof"].as_str()?).then_some(code)
}

/// The body of the answer to a POST, if it succeeds.
fn post(port: u16, path: &str, token: &Secret, body: &str) -> Option<String> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.set_write_timeout(Some(PATIENCE)).ok()?;
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        token.expose(),
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.take(LONGEST).read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    head.starts_with("HTTP/1.1 200 ").then(|| body.to_owned())
}
