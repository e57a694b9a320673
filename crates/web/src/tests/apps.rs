//! Sessions of other apps: found by their ids, shown as their app shows them.

use super::*;
use crate::routes::{ROUTES, Run};
use library::apps::AppHome;
use serde_json::json;

const THREAD: &str = "0198f2a0-0000-7000-8000-000000000001";

/// A store of Claude Code, and a thread of Codex.
fn server(sandbox: &Sandbox) -> TestServer {
    let home = sandbox.home().join(".codex");
    let line = |kind: &str, second: u32, payload: Value| {
        let time = format!("2026-01-31T12:00:{second:02}.000Z");
        json!({"timestamp": time, "type": kind, "payload": payload}).to_string() + "\n"
    };
    let lines = [
        line(
            "session_meta",
            0,
            json!({"id": THREAD, "cwd": "/work/kelp", "cli_version": "0.120.0"}),
        ),
        line("event_msg", 1, json!({"type": "user_message", "message": "Raise the tide"})),
        line("event_msg", 2, json!({"type": "agent_message", "message": "The tide is high."})),
    ];
    let name = format!("sessions/2026/01/31/rollout-2026-01-31T12-00-00-{THREAD}.jsonl");
    sandbox.write(&home.join(name).to_string_lossy(), lines.concat());
    let apps =
        vec![AppHome { app: library::apps::App::Codex, path: home, database: None, private: None }];
    let library = Library::open(Options { apps, ..options(sandbox) });
    TestServer::start(Settings { library, ..settings(sandbox, true) })
}

#[test]
fn session_of_another_app_is_found_by_its_id_with_or_without_the_app() {
    let sandbox = ordinary();
    let server = server(&sandbox);
    for id in [format!("codex:{THREAD}"), format!("codex%3A{THREAD}"), THREAD.to_owned()] {
        let response = server.get(&format!("api/1/sessions/{id}"));
        assert_eq!(response.status, 200, "{id}: {response:?}");
        assert_eq!(response.json()["session"]["id"], format!("codex:{THREAD}"));
        let turns = server.get(&format!("fragment/sessions/{id}/turns"));
        assert!(turns.text().contains("The tide is high."), "{turns:?}");
    }
    for id in ["codex:", "codex:..", "crab:0198f2a0", "codex:a:b"] {
        assert_eq!(server.get(&format!("api/1/sessions/{id}")).status, 404, "{id}");
    }
}

#[test]
fn pages_and_documents_say_that_a_database_cannot_be_read() {
    let sandbox = ordinary();
    let home = sandbox.home().join("opencode");
    let database = home.join("opencode.db");
    sandbox.write(&database.to_string_lossy(), "no database ".repeat(1000));
    let private = Some(sandbox.annals_home().join("apps"));
    let app = library::apps::App::OpenCode;
    let apps = vec![AppHome { app, path: home, database: None, private }];
    let library = Library::open(Options { apps, ..options(&sandbox) });
    let server = TestServer::start(Settings { library, ..settings(&sandbox, true) });
    for path in ["api/1/state", "api/1/sessions", "api/1/home", "api/1/search?q=kelp"] {
        let document = server.get(path).json();
        let warnings = document["warnings"].as_array().cloned().unwrap_or_default();
        assert_eq!(warnings.len(), 1, "{path}: {document}");
        assert_eq!(warnings[0]["app"], "opencode");
        assert_eq!(warnings[0]["path"], database.to_str().unwrap());
    }
    // The state in a page has it too: the badge needs no request.
    let page = server.get("usage").text();
    assert!(page.contains("app_not_read"), "{page}");
}

#[test]
fn official_view_of_another_apps_session_is_refused() {
    let sandbox = ordinary();
    let server = server(&sandbox);
    let mut asked = 0;
    for route in ROUTES {
        if !matches!(route.run, Run::Read(..)) || !route.parameters().any(|name| name == "view") {
            continue;
        }
        asked += 1;
        let own = server.call(route.call);
        let sign = if own.contains('?') { '&' } else { '?' };
        let response = server.get(&format!("{own}{sign}view=sdk"));
        assert_eq!(response.status, 200, "{}: {response:?}", route.path);
        let of_app = own.replace(&id(), &format!("codex:{THREAD}"));
        let response = server.get(&format!("{of_app}{sign}view=sdk"));
        assert_eq!(response.status, 400, "{}: {response:?}", route.path);
        let refusal =
            format!("view=sdk is for sessions of Claude Code; codex:{THREAD} is of Codex");
        assert!(response.text().contains(&refusal), "{}: {response:?}", route.path);
    }
    assert!(asked >= 6, "{asked} routes have a view");
}

#[test]
fn tables_say_in_a_header_that_a_database_cannot_be_read() {
    let sandbox = ordinary();
    let home = sandbox.home().join("opencode");
    let database = home.join("opencode.db");
    sandbox.write(&database.to_string_lossy(), "no database ".repeat(1000));
    let private = Some(sandbox.annals_home().join("apps"));
    let app = library::apps::App::OpenCode;
    let apps = vec![AppHome { app, path: home, database: None, private }];
    let library = Library::open(Options { apps, ..options(&sandbox) });
    let server = TestServer::start(Settings { library, ..settings(&sandbox, true) });
    let mut asked = 0;
    for route in ROUTES.iter().filter(|route| route.has_table) {
        let call = server.call(route.call);
        let document = server.get(&call);
        let sign = if call.contains('?') { '&' } else { '?' };
        let table = server.get(&format!("{call}{sign}format=csv"));
        assert_eq!((document.status, table.status), (200, 200), "{call}: {table:?}");
        assert_eq!(table.headers["content-type"], "text/csv; charset=utf-8", "{call}");
        let message = document.json()["warnings"][0]["message"].as_str().map(str::to_owned);
        assert_eq!(table.headers.get("x-warning"), message.as_ref(), "{call}");
        asked += usize::from(message.is_some());
    }
    assert!(asked >= 10, "{asked} tables have a warning");
}

#[test]
fn tables_of_an_incomplete_index_are_refused_until_it_is_complete() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let calls = ["api/1/sql?q=SELECT%201", "api/1/search?q=kelp", "api/1/sessions?q=kelp"];
    for call in calls {
        assert_eq!(server.get(&format!("{call}&format=csv")).status, 200, "{call}");
    }
    let path = sandbox.annals_home().join("index.db.lock");
    let lock = std::fs::File::open(path).unwrap();
    lock.lock().unwrap();
    let later = lines(3, "/home/ada/pool", vec![user("kelp and barnacles")]);
    sandbox.session("/home/ada/pool", &session_id(3), later);
    for call in calls {
        assert_eq!(server.get(call).json()["index_complete"], false, "{call}");
        let refused = server.get(&format!("{call}&format=csv"));
        assert_eq!(refused.status, 503, "{call}: {refused:?}");
        assert_eq!(refused.headers["retry-after"], "5", "{call}");
        assert!(refused.text().contains("the index is not complete yet"), "{refused:?}");
    }
    drop(lock);
    for call in calls {
        let table = server.get(&format!("{call}&format=csv"));
        assert_eq!(table.status, 200, "{call}: {table:?}");
    }
}
