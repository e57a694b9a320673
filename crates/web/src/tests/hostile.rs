//! A hostile store over every route: nothing runs, nothing breaks, no secret is shown.

use super::*;
use crate::routes::{ROUTES, Run};
use serde_json::json;
use testkit::{metadata, tool_error, tool_use};

/// Markup, control, bidi and tag characters, and a secret, in one text.
fn evil() -> String {
    format!(
        "EVIL <script>alert(1)</script><img src=x onerror=alert(1)>\"'><svg/onload=alert(1)>\
         </title></textarea></script><!-- javascript:alert(1) \u{202e}\u{2066}\u{e0041}\u{1b}]0;x\u{7}\
         \u{9b}2J\u{2028} {SECRET} &lt;b&gt;"
    )
}

/// A store in which every text is hostile, and one text has a megabyte.
fn hostile() -> Sandbox {
    let sandbox = Sandbox::new();
    let evil = evil();
    let cwd = format!("/home/ada/{}", evil.replace('/', " "));
    let [call, result] = answered(
        &evil,
        &evil,
        &json!({"file_path": evil, "command": evil, "description": evil, evil.as_str(): evil}),
        &evil,
        json!({"stdout": evil, "filePath": evil}),
    );
    let mut all = vec![
        user(&evil).with("gitBranch", evil.as_str()).with("version", evil.as_str()),
        call,
        result,
        tool_use("toolu_02", "Bash", &json!({"command": evil})),
        tool_error("toolu_02", &evil),
        tool_use(
            "toolu_03",
            "Task",
            &json!({"description": evil, "prompt": evil, "subagent_type": evil}),
        ),
        assistant(&evil).message("model", evil.as_str()),
        user(&"long ".repeat(200_000)),
        assistant(&format!(
            "```{evil}\n{evil}\n```\n[x](javascript:alert(1)) ![y](data:text/html,x) <b>{evil}</b>"
        )),
        user(&evil).with("type", evil.as_str()),
    ];
    all.extend([
        metadata("custom-title", &[("customTitle", json!(evil)), ("sessionId", json!(id()))]),
        metadata("tag", &[("tag", json!(evil)), ("sessionId", json!(id()))]),
    ]);
    sandbox.session("/home/ada/evil", &id(), lines(1, &cwd, all));
    let agent = vec![user(&evil).with("isSidechain", true), assistant(&evil)];
    let agent = lines(1, &cwd, agent).into_iter().map(|line| line.with("agentId", "a1"));
    sandbox.agent("/home/ada/evil", &id(), "agent-a1", agent);
    sandbox.write(
        "history.jsonl",
        json!({"display": evil, "project": cwd, "timestamp": 1}).to_string(),
    );
    sandbox
}

/// The calls of every route that answers with data or pages, and some with hostile
/// parameters.
fn calls(server: &TestServer) -> Vec<String> {
    let mut calls = Vec::new();
    for route in ROUTES {
        if matches!(route.run, Run::Page(_) | Run::Read(..) | Run::Asset | Run::Enter) {
            let call = server.call(route.call);
            let separator = if call.contains('?') { '&' } else { '?' };
            for name in route.parameters() {
                for value in
                    ["%3Cscript%3Ealert(1)%3C%2Fscript%3E%E2%80%AE%1B%00", "-99999999999999999999"]
                {
                    calls.push(format!("{call}{separator}{name}={value}"));
                }
            }
            calls.push(call);
        }
    }
    for path in [
        "s/%3Cscript%3E",
        "s/..%2F..%2Fetc%2Fpasswd",
        "s/@",
        "api/1/sessions/%00",
        "api/1/sessions/%2e%2e",
        "api/1/sessions/-rf",
        "assets/..%2f..%2fx",
        "s/%ff%fe",
    ] {
        calls.push(path.to_owned());
    }
    calls
}

fn check(call: &str, response: &Response) {
    let what = format!("{call}: {} {}", response.status, String::from_utf8_lossy(&response.body));
    let what = what.chars().take(3_000).collect::<String>();
    assert!(response.status < 500, "{what}");
    let text = std::str::from_utf8(&response.body).expect("text");
    let is_harmful = |c: char| render::untrusted::is_harmful(c) && !matches!(c, '\n' | '\t');
    assert!(!text.contains(is_harmful), "{what}");
    match response.headers["content-type"].as_str() {
        "application/json" => {
            response.json();
        }
        "text/html; charset=utf-8" => {
            // The page's own three, and none of anybody else's. An exported file has one, which
            // its own policy names by hash and ours forbids.
            let is_file = response.headers.contains_key("content-disposition");
            let policy = &response.headers["content-security-policy"];
            assert_eq!(policy.contains("sandbox"), is_file, "{what}");
            let own = text.matches("/assets/early-").count()
                + text.matches("<script type=module src=\"").count()
                + text.matches("<script type=application/json id=state>").count()
                + usize::from(is_file);
            assert_eq!(text.to_lowercase().matches("<script").count(), own, "{what}");
            for tag in ["<svg/onload", "onerror=alert(1)>\"", "href=\"javascript:", "<img src=x"] {
                assert!(!text.contains(tag), "{tag} in {what}");
            }
        }
        _ => {}
    }
}

#[test]
fn a_hostile_store_gives_valid_and_harmless_answers_on_every_route() {
    let sandbox = hostile();
    let server = TestServer::ordinary(&sandbox);
    let mut seen = 0;
    for call in calls(&server) {
        let response = server.get(&call);
        check(&call, &response);
        let text = String::from_utf8_lossy(&response.body).into_owned();
        assert!(!text.contains(SECRET), "{call}: {text}");
        seen += text.matches("EVIL").count();
    }
    // Without hostile text in the answers this test would prove nothing.
    assert!(seen > 20, "{seen}");
}

#[test]
fn only_a_revealing_server_shows_secrets_and_says_so() {
    let sandbox = hostile();
    let revealing = TestServer::start(settings(&sandbox, true));
    assert_eq!(revealing.get("api/1/state").json()["reveal"], true);
    let records = format!("api/1/sessions/{}/records?from=1&to=2", id());
    assert!(revealing.get(&records).text().contains(SECRET));
    for route in ROUTES.iter().filter(|route| matches!(route.run, Run::Page(_) | Run::Read(..))) {
        let call = revealing.call(route.call);
        check(&call, &revealing.get(&call));
    }
    let masking = TestServer::ordinary(&sandbox);
    assert_eq!(masking.get("api/1/state").json()["reveal"], false);
    assert!(!masking.get(&records).text().contains(SECRET));
}

/// A store in which folders, working directories, branches, paths and tools have a secret in
/// their names, of letters and digits alone: those are the same in the name of a folder.
fn named_store(name: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let cwd = format!("/home/ada/{name}");
    let path = format!("{cwd}/src/{name}.rs");
    let tool = format!("mcp__{name}__get");
    let [call, result] = answered(
        "toolu_01",
        &tool,
        &json!({"file_path": path, "path": path}),
        "KELP read",
        json!({"filePath": path}),
    );
    let all = vec![
        user("KELP question").with("gitBranch", format!("feature/{name}")),
        call,
        result,
        tool_use(
            "toolu_02",
            "Edit",
            &json!({"file_path": path, "old_string": "a", "new_string": "b"}),
        ),
        tool_error("toolu_02", &format!("no such file: {path}")),
        assistant("KELP answer"),
    ];
    sandbox.session(&cwd, &id(), lines(1, &cwd, all));
    let agent = vec![user("KELP agent").with("isSidechain", true), assistant("KELP done")];
    let agent = lines(1, &cwd, agent).into_iter().map(|line| line.with("agentId", "a1"));
    sandbox.agent(&cwd, &id(), "agent-a1", agent);
    let history = json!({"display": "KELP", "project": cwd, "timestamp": 1});
    sandbox.write("history.jsonl", history.to_string());
    sandbox
}

#[test]
fn secrets_in_names_are_masked_on_every_route() {
    // In two pieces, so that no scanner takes it for a leak.
    let name = format!("AKIA{}", "QYLPMN5HHHFPZAM2");
    let sandbox = named_store(&name);
    let server = TestServer::ordinary(&sandbox);
    let mut masked = 0;
    let mut shown = Vec::new();
    for call in calls(&server) {
        let text = String::from_utf8_lossy(&server.get(&call).body).into_owned();
        masked += text.matches("[redacted:").count();
        if let Some(at) = text.find(&name) {
            let start = text.floor_char_boundary(at.saturating_sub(120));
            shown.push(format!("{call}: {}", &text[start..at + name.len()]));
        }
    }
    assert!(shown.is_empty(), "{}", shown.join("\n"));
    // Without such names in the answers this test would prove nothing.
    assert!(masked > 20, "{masked}");
    let revealing = TestServer::start(settings(&sandbox, true));
    let records = format!("api/1/sessions/{}/records?from=1&to=2", id());
    assert!(revealing.get(&records).text().contains(&name));
}
