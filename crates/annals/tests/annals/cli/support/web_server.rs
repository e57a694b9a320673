//! A running `annals serve` or `annals web`, and requests to it.

use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;

/// Longer than any answer takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running server.
pub(crate) struct WebServer {
    child: Child,
    output: BufReader<ChildStdout>,
    /// The first line it printed.
    pub(crate) address: String,
}

impl WebServer {
    /// Starts a server and waits until it says where it is.
    pub(crate) fn start(command: &mut Command) -> WebServer {
        let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut address = String::new();
        output.read_line(&mut address).unwrap();
        assert!(address.starts_with("http://127.0.0.1:"), "{address}");
        WebServer { child, output, address: address.trim_end().to_owned() }
    }

    /// The port.
    pub(crate) fn port(&self) -> u16 {
        port(&self.address)
    }

    /// The id of its process.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal and waits for the end. Returns what was printed besides the first
    /// line, and the errors.
    pub(crate) fn stop(mut self, signal: rustix::process::Signal) -> (ExitStatus, String, String) {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, signal).unwrap();
        let (mut rest, mut errors) = (String::new(), String::new());
        self.output.read_to_string(&mut rest).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        (self.child.wait().unwrap(), rest, errors)
    }
}

impl Drop for WebServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The port of an address.
pub(crate) fn port(address: &str) -> u16 {
    let rest = address.strip_prefix("http://127.0.0.1:").expect("an address");
    rest.split('/').next().unwrap().parse().unwrap()
}

/// The address without the page and the code.
pub(crate) fn base(address: &str) -> &str {
    address.split("enter?").next().unwrap()
}

/// GETs an address. Returns the status, the headers and the body.
pub(crate) fn get(address: &str, header: &str) -> (u16, String, String) {
    let (_, rest) = address.split_once("://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let header = if header.is_empty() { String::new() } else { format!("{header}\r\n") };
    let request =
        format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\n{header}Connection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head.to_owned(), body.to_owned())
}

/// Enters with a one-time address. Returns the `Cookie` header of the browser.
pub(crate) fn enter(address: &str) -> String {
    let (status, head, _) = get(address, "");
    assert_eq!(status, 200, "{head}");
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
    format!("Cookie: {}", cookie.expect("a cookie").split(';').next().unwrap())
}

/// The JSON document at a path below the base path.
pub(crate) fn json(base: &str, path: &str, cookie: &str) -> Value {
    let (status, _, body) = get(&format!("{base}{path}"), cookie);
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error} in {body}"))
}
