//! Looking on, and the list of what runs.

use crate::cli::support::run::{annals, command, exchange};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use testkit::{Line, Sandbox, assistant, chained, session_id, tool_result, tool_use, user};

/// The binary, looking on; ended by its number.
pub(crate) struct Looking {
    child: Child,
    lines: Receiver<String>,
}

impl Looking {
    pub(crate) fn start(command: &mut Command) -> Looking {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let lines = lines_of(&mut child);
        Looking { child, lines }
    }

    /// The same where nothing is written yet, once it waits.
    fn start_waiting(command: &mut Command) -> Looking {
        let mut looking = Looking {
            child: command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap(),
            lines: channel().1,
        };
        let mut message = String::new();
        BufReader::new(looking.child.stderr.take().unwrap()).read_line(&mut message).unwrap();
        assert!(message.contains("waiting"), "{message}");
        looking.lines = lines_of(&mut looking.child);
        looking
    }

    /// The next line that is printed within 20 seconds.
    fn next(&self) -> String {
        self.lines.recv_timeout(Duration::from_secs(20)).expect("a line is printed")
    }

    /// The events up to the first with a name.
    pub(crate) fn events_until(&self, name: &str) -> Vec<Value> {
        let mut events: Vec<Value> = Vec::new();
        while events.last().is_none_or(|event| event["event"] != name) {
            events.push(serde_json::from_str(&self.next()).unwrap());
        }
        events
    }

    /// The next event of a name.
    fn event(&self, name: &str) -> Value {
        loop {
            let line = self.next();
            crate::cli::commands::documents::assert_reads_back(&line);
            let event: Value = serde_json::from_str(&line).unwrap();
            if event["event"] == name {
                return event;
            }
        }
    }
}

/// The lines that a process tells.
fn lines_of(child: &mut Child) -> Receiver<String> {
    let out = BufReader::new(child.stdout.take().unwrap());
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    lines
}

impl Drop for Looking {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn home(sandbox: &Sandbox) -> String {
    sandbox.home().canonicalize().unwrap().display().to_string()
}

/// A session of these lines in the project that commands run in.
fn session(sandbox: &Sandbox, number: u32, lines: Vec<Line>) -> std::path::PathBuf {
    let cwd = home(sandbox);
    let lines = lines.into_iter().map(|line| line.cwd(&cwd));
    sandbox.session(&cwd, &session_id(number), lines)
}

#[test]
fn new_session_is_followed_from_its_first_line() {
    let sandbox = Sandbox::new();
    let looking = Looking::start_waiting(&mut command(&sandbox, &["watch", "--jsonl"]));
    let input = json!({"command": "cargo test"});
    let lines = chained([
        user("Count the tides"),
        tool_use("t1", "Bash", &input),
        tool_result("t1", "2"),
        assistant("Two."),
    ]);
    let path = session(&sandbox, 1, lines[..1].to_vec());
    assert_eq!(looking.event("session_started")["is_past"], false);
    let message = looking.event("message");
    assert_eq!((&message["text"], &message["after"]), (&json!("Count the tides"), &Value::Null));
    sandbox.append(&path, lines[1].to_string() + "\n");
    let call = looking.event("call_started");
    assert_eq!((&call["id"], &call["title"]), (&json!("t1"), &json!("Bash cargo test")));
    sandbox.append(&path, lines[2].to_string() + "\n");
    let call = looking.event("call_ended");
    assert_eq!(
        (&call["id"], &call["status"], &call["result"]),
        (&json!("t1"), &json!("ok"), &json!("2"))
    );
    sandbox.append(&path, lines[3].to_string() + "\n");
    let message = looking.event("message");
    assert_eq!((&message["text"], &message["after"]), (&json!("Two."), &json!("u3")));
    assert_eq!(looking.event("usage")["calls"], 2);
    // Its agents, whatever comes first.
    sandbox.agent(
        &home(&sandbox),
        &session_id(1),
        "agent-a1",
        [user("Look").with("isSidechain", true)],
    );
    assert_eq!(looking.event("agent_started")["agent_id"], "a1");
    assert_eq!(looking.event("message")["agent_id"], "a1");
    sandbox.remove(&path);
    assert_eq!(looking.event("session_ended")["reason"], "deleted");
}

#[test]
fn past_events_are_printed_on_request() {
    let sandbox = Sandbox::new();
    let lines = chained([user("One"), assistant("Yes."), user("Two"), assistant("No.")]);
    let path = session(&sandbox, 1, lines.clone());
    let table: [(&[&str], &[&str]); 4] = [
        (&[], &[]),
        (&["--last", "1"], &["Two", "No."]),
        (&["--last", "9"], &["One", "Yes.", "Two", "No."]),
        (&["--from-start"], &["One", "Yes.", "Two", "No."]),
    ];
    for (arguments, expected) in table {
        let arguments = [&["watch", "@", "--json"], arguments].concat();
        let looking = Looking::start(&mut command(&sandbox, &arguments));
        let started = looking.event("session_started");
        assert_eq!(
            (&started["is_past"], &started["session"]["id"]),
            (&json!(true), &json!(session_id(1)))
        );
        for text in expected {
            let message = looking.event("message");
            assert_eq!(
                (&message["text"], &message["is_past"]),
                (&json!(text), &json!(true)),
                "{arguments:?}"
            );
        }
        // The past ends with what was used so far.
        let usage = looking.event("usage");
        assert_eq!(
            (&usage["is_past"], &usage["calls"]),
            (&json!(true), &json!(2)),
            "{arguments:?}"
        );
        sandbox.append(&path, user("Three").link("u5", Some("u4")).to_string() + "\n");
        let message = looking.event("message");
        assert_eq!((&message["text"], &message["is_past"]), (&json!("Three"), &json!(false)));
        session(&sandbox, 1, lines.clone());
    }
}

#[test]
fn secrets_are_masked_and_escape_sequences_escaped() {
    let sandbox = Sandbox::new();
    let secret = ["ghp_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let path = session(&sandbox, 1, chained([user("Hello")]));
    let looking = Looking::start(command(&sandbox, &["watch", "@"]).env("CLAUDECODE", "1"));
    while !looking.next().contains("Hello") {}
    let line = user(&format!("red \u{1b}[31m and {secret}\u{202e}")).link("u2", Some("u1"));
    sandbox.append(&path, line.to_string() + "\n");
    let shown_text =
        std::iter::from_fn(|| Some(looking.next())).find(|line| line.contains("red")).unwrap();
    assert!(
        !shown_text.contains('\u{1b}')
            && !shown_text.contains('\u{202e}')
            && !shown_text.contains(&secret),
        "{shown_text}"
    );
    assert!(shown_text.contains("main") && shown_text.contains("❯"), "{shown_text}");
}

#[test]
fn missing_store_is_awaited_without_a_name_and_refused_with_one() {
    let sandbox = Sandbox::new();
    sandbox.remove_folder(&sandbox.config());
    let answer = annals(&sandbox, &["watch", "@"]);
    assert!(answer.complaint(2).contains("No Claude Code data found"), "{answer:?}");
    let looking = Looking::start(&mut command(&sandbox, &["watch", "--json"]));
    assert_eq!(
        looking.lines.recv_timeout(Duration::from_millis(400)),
        Err(RecvTimeoutError::Timeout)
    );
    session(&sandbox, 1, chained([user("At last")]));
    assert_eq!(looking.event("session_started")["session_id"], session_id(1));
}

#[test]
fn other_projects_are_followed_on_request() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, chained([user("Here")]));
    let here = Looking::start(&mut command(&sandbox, &["watch", "--json"]));
    let all = Looking::start(&mut command(&sandbox, &["watch", "--json", "--all"]));
    for looking in [&here, &all] {
        looking.event("usage");
    }
    sandbox.session("/elsewhere", &session_id(2), exchange(2, "/elsewhere", "There"));
    assert_eq!(all.event("session_started")["session_id"], session_id(2));
    session(&sandbox, 3, chained([user("Here too")]));
    assert_eq!(here.event("session_started")["session_id"], session_id(3), "and not 2");
}

#[test]
fn wrong_use_is_refused_at_once() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, chained([user("Salt and tides")]));
    let answer = annals(&sandbox, &["watch", "ffffffff"]);
    assert!(answer.complaint(1).contains("no session matches"), "{answer:?}");
    assert!(annals(&sandbox, &["watch", "--csv"]).complaint(2).contains("--jsonl"));
    assert!(annals(&sandbox, &["watch", "@", "--all"]).complaint(2).contains("--all"));
}

/// A process that does nothing, ended by its number.
struct Idle(Child);

impl Idle {
    fn start() -> Idle {
        let mut child =
            Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        // What runs before it has become the program has another name.
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"x").unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        Idle(child)
    }
}

impl Drop for Idle {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn register(sandbox: &Sandbox, pid: u32, session: u32, started: i64, status: &str) {
    let entry = json!({"pid": pid, "sessionId": session_id(session), "cwd": home(sandbox), "startedAt": started, "kind": "interactive", "status": status});
    sandbox.write(&format!("sessions/{pid}.json"), entry.to_string());
}

#[test]
fn running_sessions_are_listed_and_ended_ones_are_stale() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, chained([user("Count the tides")]));
    let (written, unwritten) = (Idle::start(), Idle::start());
    let now = jiff::Timestamp::now().as_millisecond();
    register(&sandbox, written.0.id(), 1, now, "busy");
    register(&sandbox, unwritten.0.id(), 2, now, "idle");
    register(&sandbox, 4_000_000_000, 3, now, "busy");
    // Opening it would wait for a writer that never comes.
    sandbox.pipe(&format!("sessions/{}.key", written.0.id()));
    let document = annals(&sandbox, &["ls", "--live", "--json"]).done().json();
    assert_eq!((&document["schema"], &document["total"]), (&json!("annals/running/1"), &json!(3)));
    let find = |number: u32| {
        let mut running = document["running"].as_array().unwrap().iter();
        running.find(|one| one["session_id"] == session_id(number)).unwrap()
    };
    let state =
        |number: u32| ["status", "is_stale", "stale_reason"].map(|name| find(number)[name].clone());
    assert_eq!(state(1), [json!("busy"), json!(false), Value::Null]);
    assert_eq!(state(2), [json!("idle"), json!(false), Value::Null]);
    assert_eq!(state(3), [json!("busy"), json!(true), json!("process_gone")]);
    assert_eq!(find(1)["session"]["first_prompt"], "Count the tides");
    assert_eq!((&find(2)["session"], &find(2)["pid"]), (&Value::Null, &json!(unwritten.0.id())));
    let text = annals(&sandbox, &["ls", "--live"]).done().out;
    for part in [
        "busy",
        "Count the tides",
        "(no transcript yet)",
        "stale: pid 4000000000",
        "its process is gone",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let csv = annals(&sandbox, &["ls", "--live", "--csv"]).done().out;
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert_eq!(
        annals(&sandbox, &["ls", "--live", "--project", "/elsewhere", "--json"]).done().json()["total"],
        0
    );
}

#[cfg(target_os = "linux")]
#[test]
fn reused_process_id_is_stale() {
    let sandbox = Sandbox::new();
    let idle = Idle::start();
    register(&sandbox, idle.0.id(), 1, 1_000_000_000_000, "busy");
    let document = annals(&sandbox, &["ls", "--live", "--json"]).done().json();
    assert_eq!(document["running"][0]["stale_reason"], "pid_reused");
    let text = annals(&sandbox, &["ls", "--live"]).done().out;
    assert!(text.starts_with("No session is running.\n"), "{text}");
}

#[test]
fn process_with_a_future_start_is_stale() {
    let sandbox = Sandbox::new();
    let idle = Idle::start();
    let tomorrow = jiff::Timestamp::now().as_millisecond() + 86_400_000;
    register(&sandbox, idle.0.id(), 1, tomorrow, "busy");
    let document = annals(&sandbox, &["ls", "--live", "--json"]).done().json();
    assert_eq!(document["running"][0]["stale_reason"], "pid_reused");
}

#[test]
fn session_ends_with_its_process() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, chained([user("Count the tides")]));
    let idle = Idle::start();
    let now = jiff::Timestamp::now().as_millisecond();
    register(&sandbox, idle.0.id(), 1, now, "busy");
    let looking = Looking::start(&mut command(&sandbox, &["watch", "--json"]));
    assert_eq!(looking.event("session_started")["process"]["status"], "busy");
    register(&sandbox, idle.0.id(), 1, now, "idle");
    assert_eq!(looking.event("status")["status"], "idle");
    drop(idle);
    assert_eq!(looking.event("session_ended")["reason"], "process_ended");
}
