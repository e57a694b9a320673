//! `annals web` and `annals serve`: starting, finding one that runs, stopping.

use crate::cli::support::full_store;
use crate::cli::support::run::{annals, command};
use crate::cli::support::web_server::{WebServer, base, enter, get, json, port};
use rustix::process::Signal;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};
use testkit::{Sandbox, session_id};

fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    full_store::build(&sandbox);
    sandbox
}

/// The names of the files of servers.
fn run_files(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(sandbox.annals_home().join("web")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name != "path").collect();
    names.sort();
    names
}

#[test]
fn serve_prints_an_address_that_opens_the_app_once_and_ends_on_a_signal() {
    let sandbox = store();
    for signal in [Signal::TERM, Signal::INT] {
        let server = WebServer::start(&mut command(&sandbox, &["serve", "--port", "0"]));
        let cookie = enter(&server.address);
        let base = base(&server.address).to_owned();
        let state = json(&base, "api/1/state", &cookie);
        assert_eq!((&state["reveal"], &state["read_only"]), (&false.into(), &false.into()));
        let (status, _, page) = get(&format!("{base}s/{}", session_id(1)), &cookie);
        assert_eq!(status, 200, "{page}");
        assert_eq!(get(&base, "").0, 401);
        let name = format!("{}.json", server.port());
        assert_eq!(run_files(&sandbox), [name.as_str()]);
        let path = sandbox.annals_home().join("web").join(name);
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        let (status, rest, errors) = server.stop(signal);
        assert!(status.success() && errors.is_empty(), "{status} {errors}");
        assert!(rest.contains("works once"), "{rest}");
        assert!(run_files(&sandbox).is_empty());
    }
}

#[test]
fn the_bearer_token_of_the_run_file_opens_the_api_for_scripts() {
    let sandbox = store();
    let server = WebServer::start(&mut command(&sandbox, &["serve", "--port", "0"]));
    let path = sandbox.annals_home().join(format!("web/{}.json", server.port()));
    let file: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let address = file["address"].as_str().unwrap();
    assert_eq!(address, base(&server.address));
    let bearer = format!("Authorization: Bearer {}", file["token"].as_str().unwrap());
    assert_eq!(json(address, "api/1/projects", &bearer)["schema"], "annals/projects/1");
    assert_eq!(get(&format!("{address}api/1/projects"), "Authorization: Bearer 0").0, 401);
}

/// With glibc, each thread would keep its own memory.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_server_begins_again_with_one_memory_arena_in_the_same_process() {
    let sandbox = store();
    let arenas = |chosen: Option<&str>| {
        let mut command = command(&sandbox, &["serve", "--port", "0"]);
        command.envs(chosen.map(|chosen| ("MALLOC_ARENA_MAX", chosen)));
        let server = WebServer::start(&mut command);
        let path = sandbox.annals_home().join(format!("web/{}.json", server.port()));
        let file: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        assert_eq!(file["pid"], server.id(), "the process that was started");
        let environment = fs::read(format!("/proc/{}/environ", server.id())).unwrap();
        let environment = String::from_utf8(environment).unwrap();
        let own = environment.split('\0').find_map(|it| it.strip_prefix("MALLOC_ARENA_MAX="));
        own.map(str::to_owned)
    };
    // The programs under test may be static ones, which have another allocator.
    let program = fs::read(testkit::program!("annals")).unwrap();
    let has_glibc = program.windows(8).any(|bytes| bytes == b"GLIBC_2.");
    assert_eq!(arenas(None).as_deref(), has_glibc.then_some("1"));
    assert_eq!(arenas(Some("3")).as_deref(), Some("3"), "what a person chose");
}

#[test]
fn bookmarks_last_because_the_base_path_does() {
    let sandbox = store();
    let path = |sandbox: &Sandbox| {
        let server = WebServer::start(&mut command(sandbox, &["serve", "--port", "0"]));
        base(&server.address).rsplit('/').nth(1).unwrap().to_owned()
    };
    let first = path(&sandbox);
    assert_eq!(first.len(), 32);
    assert_eq!(path(&sandbox), first);
    assert_ne!(path(&store()), first);
}

#[test]
fn a_second_web_opens_the_server_that_runs_only_if_it_serves_the_same() {
    let sandbox = store();
    let server = WebServer::start(&mut command(&sandbox, &["serve", "--port", "0"]));
    let second = annals(&sandbox, &["web", "--no-open"]).done().out;
    let address = second.lines().next().unwrap();
    assert_eq!(port(address), server.port(), "{second}");
    assert!(second.contains("running already"), "{second}");
    let cookie = enter(address);
    assert_eq!(get(base(address), &cookie).0, 200);
    let id = session_id(1);
    let at_turn = annals(&sandbox, &["web", &format!("{id}:1"), "--no-open"]).done().out;
    assert!(at_turn.contains(&format!("&to=s/{id}%23t1\n")), "{at_turn}");
    for other in [
        &["--read-only"][..],
        &["--reveal"],
        &["--since", "9w"],
        &["--project", "/home/ada/tidepool"],
        &["--timezone", "Asia/Tokyo"],
        &["--exclude", "/x"],
    ] {
        let arguments = [&["web", "--no-open", "--exit-after-start"], other].concat();
        let own = annals(&sandbox, &arguments).done();
        assert!(own.out.is_empty(), "{other:?}: it started its own: {}", own.out);
    }
    let elsewhere = ["web", "--no-open", "--exit-after-start", "--port", "0"];
    assert!(annals(&sandbox, &elsewhere).done().out.is_empty(), "another port");
}

#[test]
fn a_stranger_at_the_port_of_a_server_that_crashed_is_not_opened() {
    let sandbox = store();
    let server = WebServer::start(&mut command(&sandbox, &["serve", "--port", "0"]));
    let path = sandbox.annals_home().join(format!("web/{}.json", server.port()));
    let file = fs::read_to_string(&path).unwrap();
    drop(server);
    let stranger = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = stranger.local_addr().unwrap().port();
    let mut file: serde_json::Value = serde_json::from_str(&file).unwrap();
    file["port"] = port.into();
    fs::remove_file(path).unwrap();
    let stale = sandbox.annals_home().join(format!("web/{port}.json"));
    fs::write(&stale, file.to_string()).unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = stranger.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]);
        let body = format!("{{\"code\":\"{0}\",\"proof\":\"{0}\"}}", "0".repeat(64));
        let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    });
    let answer = annals(&sandbox, &["web", "--no-open", "--exit-after-start"]).done();
    assert!(answer.out.is_empty(), "it opened the stranger: {}", answer.out);
}

/// A browser that writes the address it opens into a file.
fn browser(sandbox: &Sandbox) -> (String, std::path::PathBuf) {
    let opened = sandbox.path().join("opened");
    let program = sandbox.path().join("browser");
    fs::write(&program, format!("#!/bin/sh\nprintf %s \"$1\" > {}\n", opened.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    (program.display().to_string(), opened)
}

#[test]
fn web_opens_the_browser_and_prints_no_code() {
    let sandbox = store();
    let (program, opened) = browser(&sandbox);
    let mut command = command(&sandbox, &["web", "--port", "0"]);
    let server = WebServer::start(command.env("BROWSER", program));
    assert_eq!(server.address, base(&server.address), "no code");
    let began = Instant::now();
    let address = loop {
        match fs::read_to_string(&opened) {
            Ok(address) if !address.is_empty() => break address,
            _ => assert!(began.elapsed() < Duration::from_mins(1), "nothing was opened"),
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let cookie = enter(&address);
    assert_eq!(get(&server.address, &cookie).0, 200);
}

#[test]
fn under_an_agent_no_browser_opens_and_secrets_stay_masked() {
    let sandbox = store();
    let (program, opened) = browser(&sandbox);
    let mut agent = command(&sandbox, &["web", "--port", "0"]);
    let server = WebServer::start(agent.env("BROWSER", program).env("CLAUDECODE", "1"));
    let cookie = enter(&server.address);
    assert_eq!(json(base(&server.address), "api/1/state", &cookie)["reveal"], false);
    drop(server);
    assert!(!opened.exists());
    for name in ["web", "serve"] {
        let mut agent = command(&sandbox, &[name, "--reveal", "--exit-after-start"]);
        let refused = crate::cli::support::run::run(agent.env("CLAUDECODE", "1"));
        assert!(refused.complaint(2).contains("not allowed for agents"), "{refused:?}");
    }
}

#[test]
fn without_a_browser_web_prints_the_one_time_address() {
    let sandbox = store();
    let mut command = command(&sandbox, &["web", "--port", "0"]);
    let server = WebServer::start(command.env("BROWSER", "/nowhere").env("PATH", "/nowhere"));
    assert_eq!(get(base(&server.address), &enter(&server.address)).0, 200);
}

#[test]
fn a_taken_port_is_an_error_only_if_it_was_asked_for() {
    let sandbox = store();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let refused = annals(&sandbox, &["serve", "--port", &port]);
    assert!(refused.complaint(2).contains(&format!("cannot listen at port {port}")), "{refused:?}");
    annals(&sandbox, &["serve", "--exit-after-start"]).done();
}

#[test]
fn a_code_that_is_used_twice_is_reported_in_the_terminal() {
    let sandbox = store();
    let server = WebServer::start(&mut command(&sandbox, &["serve", "--port", "0"]));
    let cookie = enter(&server.address);
    assert_eq!(get(&server.address, "").0, 403);
    assert_eq!(get(base(&server.address), &cookie).0, 401);
    let (_, _, errors) = server.stop(Signal::TERM);
    assert!(errors.contains("opened a second time"), "{errors}");
}

#[test]
fn the_demo_is_served_and_removed_at_the_end() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path().join("temporary");
    fs::create_dir(&folder).unwrap();
    let mut command = command(&sandbox, &["--demo", "serve", "--port", "0"]);
    let server = WebServer::start(command.env("TMPDIR", &folder));
    let cookie = enter(&server.address);
    let state = json(base(&server.address), "api/1/state", &cookie);
    assert_eq!(state["demo"], true, "{state}");
    let rows = json(base(&server.address), "api/1/sessions", &cookie);
    assert!(rows["total"].as_u64().unwrap() > 3, "{rows}");
    server.stop(Signal::TERM);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "the made-up store stayed behind");
}

#[test]
fn without_a_store_the_app_says_so() {
    let sandbox = Sandbox::new();
    fs::remove_dir_all(sandbox.config()).unwrap();
    let server = WebServer::start(&mut command(&sandbox, &["serve", "--port", "0"]));
    let cookie = enter(&server.address);
    assert_eq!(json(base(&server.address), "api/1/state", &cookie)["has_store"], false);
}

#[test]
fn as_root_no_server_starts_on_another_users_store() {
    use std::os::unix::fs::{MetadataExt as _, chown};
    let sandbox = store();
    if fs::metadata(sandbox.config()).unwrap().uid() != 0 {
        let _ = writeln!(std::io::stderr(), "SKIPPED: only root can give a store to somebody else");
        return;
    }
    annals(&sandbox, &["serve", "--port", "0", "--exit-after-start"]).done();
    chown(sandbox.config(), Some(65534), Some(65534)).unwrap();
    for name in ["web", "serve"] {
        let refused = annals(&sandbox, &[name, "--port", "0", "--exit-after-start"]);
        let complaint = refused.complaint(2);
        assert!(complaint.contains("does not run as root on another user's store"), "{complaint}");
        assert!(complaint.contains("hint: run it as that user"), "{complaint}");
    }
    // Reading it is allowed: only a server would show it to others.
    annals(&sandbox, &["ls"]).done();
}
