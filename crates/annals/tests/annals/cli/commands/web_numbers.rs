//! The numbers that the web app's server answers with are those of the command line.

use crate::cli::support::full_store;
use crate::cli::support::run::{annals, command};
use crate::cli::support::web_server::{WebServer, base, enter, get, json};
use serde_json::Value;
use testkit::{Sandbox, session_id};

/// A path, and the call that prints the same document.
fn pairs() -> Vec<(String, Vec<String>)> {
    let id = session_id(1);
    let pair = |path: &str, call: &str| {
        let call = call.split(' ').map(|word| word.replace("ID", &id)).collect();
        (path.replace("ID", &id), call)
    };
    vec![
        pair("api/1/usage?by=day,model&models=1", "usage --by day,model --json"),
        pair("api/1/usage?by=project&models=1", "usage --by project --json"),
        pair("api/1/usage?by=model&models=1&since=9w", "usage --by model --since 9w --json"),
        pair("api/1/usage/blocks?models=1", "usage block --json"),
        pair("api/1/projects", "projects --json"),
        pair("api/1/running", "ls --live --json"),
        pair("api/1/prompts", "prompts --json"),
        pair("api/1/sessions/ID", "info ID --json"),
        pair("api/1/sessions/ID/agents", "agents ID --json"),
        pair("api/1/sessions/ID/context", "context ID --json"),
        pair("api/1/sessions/ID/tools", "tools ID --json"),
        pair("api/1/tools", "tools --json"),
        pair("api/1/tools/stats", "tools --stats --json"),
        pair("api/1/files", "files --json"),
        pair(
            "api/1/files/history?path=/home/ada/tidepool/README.md",
            "files /home/ada/tidepool/README.md --json",
        ),
        pair("api/1/doctor", "doctor --json"),
        pair("api/1/sql/schema", "sql --schema --json"),
        pair(
            "api/1/sql?q=SELECT+count(*)+FROM+sessions",
            "sql SELECT\u{a0}count(*)\u{a0}FROM\u{a0}sessions --json",
        ),
    ]
}

/// A document without what differs between two runs.
fn comparable(mut document: Value) -> Value {
    if let Some(members) = document.as_object_mut() {
        members.remove("took_ms");
    }
    document
}

#[test]
fn answers_over_http_equal_the_documents_of_the_command_line() {
    let sandbox = Sandbox::new();
    full_store::build(&sandbox);
    // Both mask: the server by default, the command line on request.
    annals(&sandbox, &["search", "--wait", "sea"]);
    let server = WebServer::start(&mut command(&sandbox, &["serve", "--port", "0"]));
    let cookie = enter(&server.address);
    for (path, call) in pairs() {
        let over_http = json(base(&server.address), &path, &cookie);
        let call: Vec<String> = call.iter().map(|word| word.replace('\u{a0}', " ")).collect();
        let mut arguments: Vec<&str> = call.iter().map(String::as_str).collect();
        arguments.push("--redact");
        let printed = annals(&sandbox, &arguments);
        let printed: Value = serde_json::from_slice(&printed.bytes)
            .unwrap_or_else(|error| panic!("{path}: {error} {printed:?}"));
        assert_eq!(comparable(over_http), comparable(printed), "{path}");
    }
}

/// A path, and the call that prints the same table.
const TABLES: [(&str, &str); 10] = [
    ("api/1/usage?by=day,model", "usage --by day,model"),
    ("api/1/usage?by=model,day", "usage --by model,day"),
    ("api/1/projects?", "projects"),
    ("api/1/prompts?", "prompts"),
    ("api/1/files?", "files"),
    ("api/1/marks?", "mark"),
    ("api/1/tools?", "tools"),
    ("api/1/tools/stats?", "tools --stats"),
    ("api/1/archive?", "archive ls"),
    ("api/1/sql?q=SELECT+kind,line+FROM+blocks", "sql SELECT\u{a0}kind,line\u{a0}FROM\u{a0}blocks"),
];

#[test]
fn tables_over_http_are_the_bytes_that_the_command_line_prints() {
    let sandbox = Sandbox::new();
    full_store::build(&sandbox);
    annals(&sandbox, &["search", "--wait", "sea"]);
    annals(&sandbox, &["archive", "sync"]).done();
    annals(&sandbox, &["mark", &session_id(1)]).done();
    let server = WebServer::start(&mut command(&sandbox, &["serve", "--port", "0"]));
    let cookie = enter(&server.address);
    for (path, call) in TABLES {
        let over_http = get(&format!("{}{path}&format=csv", base(&server.address)), &cookie);
        let call: Vec<String> = call.split(' ').map(|word| word.replace('\u{a0}', " ")).collect();
        let mut arguments: Vec<&str> = call.iter().map(String::as_str).collect();
        arguments.extend(["--csv", "--redact"]);
        let printed = annals(&sandbox, &arguments).done().out;
        assert!(printed.lines().count() > 1, "{path}: {printed}");
        assert_eq!((over_http.0, over_http.2), (200, printed), "{path}");
    }
}
