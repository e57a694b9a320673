//! Connections of other users of the machine. On Linux the kernel says whose a socket is.

use super::*;
use std::process::{Command, Output, Stdio};

/// A user that is neither root nor the one who runs the tests.
const NOBODY: u32 = 65534;

/// A client that connects, sends what it is given and prints the answer. It ends when the
/// server closes the connection, or with status 124 after a minute.
fn client(port: u16, sends: &str, user: Option<u32>) -> Option<Output> {
    let script = format!(
        "exec 3<>/dev/tcp/127.0.0.1/{port} && printf '{sends}' >&3 && exec timeout 60 cat <&3"
    );
    let mut command = match user {
        None => Command::new("bash"),
        Some(user) => {
            let mut command = Command::new("setpriv");
            let ids = [format!("--reuid={user}"), format!("--regid={user}")];
            command.args(ids).args(["--clear-groups", "bash"]);
            command
        }
    };
    command.args(["-c", &script]).current_dir("/").stdin(Stdio::null()).output().ok()
}

/// Prints why a test is skipped. Not with `println!`, which a passing test hides.
fn skip(reason: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {reason}");
}

/// Limits under which a served client that sends nothing waits for longer than the test.
fn patient() -> TimeLimits {
    TimeLimits { header: Duration::from_hours(1), ..TimeLimits::default() }
}

#[test]
fn a_connection_of_another_user_is_closed_before_a_byte_is_read() {
    let sandbox = ordinary();
    if owner(&sandbox) != 0 {
        return skip("only root can start a client of another user");
    }
    let server = TestServer::start_within(settings(&sandbox, false), patient());
    let request = "GET / HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n";
    let of_root = client(server.port, request, None).expect("bash");
    let answer = String::from_utf8_lossy(&of_root.stdout);
    assert!(answer.starts_with("HTTP/1.1 404"), "a client of root is served: {of_root:?}");
    assert_eq!(*server.notices.lock().unwrap(), []);
    for sends in ["", request] {
        let Some(closed) = client(server.port, sends, Some(NOBODY)) else {
            return skip("setpriv is not installed");
        };
        assert_ne!(closed.status.code(), Some(124), "it was not closed: {closed:?}");
        assert!(closed.stdout.is_empty(), "{closed:?}");
        let errors = String::from_utf8_lossy(&closed.stderr);
        assert!(!errors.contains("refused"), "it did connect: {errors}");
    }
    assert_eq!(*server.notices.lock().unwrap(), [Notice::OtherUser], "reported once");
    assert_eq!(server.get("api/1/state").status, 200);
}

/// The same without root: the server believes that it runs as somebody else.
#[test]
fn a_server_of_another_user_closes_our_connections() {
    let sandbox = ordinary();
    let own = owner(&sandbox);
    if own == 0 {
        return skip("connections of root are always served");
    }
    let server = TestServer::start(Settings { user: own + 1, ..settings(&sandbox, false) });
    let mut stream = server.connect();
    let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(answer.is_empty());
    assert_eq!(*server.notices.lock().unwrap(), [Notice::OtherUser]);
}
