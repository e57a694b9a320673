//! What routes answer on an ordinary store.

use super::*;
use crate::routes::{ROUTES, Run};
use serde_json::json;

#[test]
fn every_route_answers_its_call() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    for route in ROUTES {
        match route.run {
            Run::Page(_) | Run::Read(..) | Run::Asset => {}
            Run::Enter | Run::Code(_) | Run::Events | Run::Action(..) => continue,
        }
        let response = server.get(&server.call(route.call));
        // The store has neither images, commits nor calls, and no file of a session exists.
        let is_missing = ["image/", "api/1/commits/", "blame", "usage/explain"]
            .iter()
            .any(|missing| route.call.contains(missing));
        let expected = if is_missing { 404 } else { 200 };
        assert_eq!(response.status, expected, "{}: {response:?}", route.path);
        if route.path.starts_with("api/") {
            let schema = response.json()["schema"].as_str().unwrap().to_owned();
            assert!(schema.starts_with("annals/"), "{schema}");
            assert!(response.text().starts_with("{\"schema\":"), "{}", route.path);
            let documents = document::DOCUMENTS.iter();
            let document = documents.clone().find(|document| document.schema == schema);
            let document = document.unwrap_or_else(|| panic!("{schema} is not documented"));
            let again = (document.rewritten)(&response.text()).unwrap();
            assert_eq!(again, response.text(), "{} reads back", route.path);
            let cache = &response.headers["cache-control"];
            assert_eq!(cache, "no-store", "{}", route.path);
        }
    }
}

#[test]
fn unknown_and_repeated_parameters_are_refused() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    for query in ["flavour=1", "limit=1&limit=2", "limit=x", "sort=colour", "since=soon", "kind="] {
        let expected = if query == "kind=" { 200 } else { 400 };
        let response = server.get(&format!("api/1/sessions?{query}"));
        assert_eq!(response.status, expected, "{query}: {response:?}");
    }
}

#[test]
fn a_relative_path_of_a_file_is_refused() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    for (path, expected) in [("a.rs", 400), ("./a.rs", 400), ("", 400), ("/gone.rs", 404)] {
        for call in ["files/history", "files/blame"] {
            let response = server.get(&format!("api/1/{call}?path={path}"));
            assert_eq!(response.status, expected, "{call} {path}: {response:?}");
        }
    }
    for (hash, expected) in [("abc", 400), ("abcd", 404), ("wxyz", 400)] {
        assert_eq!(server.get(&format!("api/1/commits/{hash}")).status, expected, "{hash}");
    }
}

/// A store in which every list has something.
fn full() -> Sandbox {
    let sandbox = ordinary();
    let notice = json!({
        "id": "msg_limit",
        "model": "<synthetic>",
        "role": "assistant",
        "content": [{"type": "text", "text": "Claude AI usage limit reached|1769950800"}],
        "usage": {"input_tokens": 0, "output_tokens": 0},
    });
    let third = vec![
        user("Plan the sea"),
        assistant("With a chart.").message("id", "msg_chart").with("attributionSkill", "chart"),
        tool_use("toolu_03", "ExitPlanMode", &json!({"plan": "# Sea"})),
        assistant("").with("message", notice),
    ];
    sandbox.session(INSIDE, &session_id(3), lines(3, INSIDE, third));
    // It is used, so it is missing from what is not.
    sandbox.write("skills/chart/SKILL.md", "---\ndescription: Draws charts\n---\n");
    let running = json!({"pid": 1, "sessionId": session_id(3), "cwd": INSIDE}).to_string();
    sandbox.write("sessions/1.json", running);
    sandbox
}

const INSIDE: &str = "/home/ada/tidepool";

#[test]
fn filters_change_the_answer_or_are_refused() {
    let sandbox = full();
    let server = TestServer::ordinary(&sandbox);
    let marked = server.act("api/1/mark", &json!({"session": session_id(3)}));
    assert_eq!(marked.status, 200, "{marked:?}");
    let values = [
        ("project", "/nowhere"),
        ("since", "2999-01-01"),
        ("until", "1999-01-01"),
        ("branch", "none"),
        ("model", "none"),
        ("agent", "none"),
        ("tool", "none"),
    ];
    let (mut changed, mut refused) = (0, 0);
    let mut useless = Vec::new();
    for route in ROUTES.iter().filter(|route| matches!(route.run, Run::Read(..))) {
        let whole = server.get(&server.call(route.call));
        for (name, value) in values {
            let joint = if route.call.contains('?') { '&' } else { '?' };
            let call = format!("{}{joint}{name}={value}", route.call);
            let narrow = server.get(&server.call(&call));
            let own = route.call.contains(&format!("{name}="));
            if !route.takes(name) || own {
                assert_eq!(narrow.status, 400, "{call}: {narrow:?}");
                refused += 1;
            } else if (narrow.status, &narrow.body) == (whole.status, &whole.body) {
                // Nothing is missing from what is not there.
                useless.extend((whole.status == 200).then_some(call));
            } else {
                changed += 1;
            }
        }
    }
    assert!(useless.is_empty(), "{useless:#?}");
    assert!(changed > 80 && refused > 150, "{changed} changed, {refused} refused");
    for query in ["exact=1", "session=SESSION&model=opus", "session=SESSION&project=gulls"] {
        let response = server.get(&server.call(&format!("api/1/prompts?{query}")));
        assert_eq!(response.status, 400, "{query}: {response:?}");
    }
}

#[test]
fn answers_name_the_files_that_they_lack() {
    let sandbox = ordinary();
    // Not even an administrator can read it.
    sandbox.pipe("history.jsonl");
    let server = TestServer::ordinary(&sandbox);
    for path in ["api/1/sessions/SESSION", "api/1/prompts?session=SESSION", "api/1/prompts"] {
        let document = server.get(&server.call(path)).json();
        let warnings = document["warnings"].to_string();
        assert!(warnings.contains("history.jsonl"), "{path}: {document}");
    }
}

#[test]
fn a_limit_of_zero_asks_for_all_rows() {
    let sandbox = ordinary();
    let prompts = (0..250).map(|number| {
        let prompt = json!({"display": format!("Prompt {number}"), "timestamp": number,
            "project": INSIDE, "sessionId": session_id(9)});
        format!("{prompt}\n")
    });
    sandbox.write("history.jsonl", prompts.collect::<String>());
    let server = TestServer::ordinary(&sandbox);
    let rows = |path: &str, name: &str| {
        let document = server.get(path).json();
        document[name].as_array().unwrap_or_else(|| panic!("{path}: {document}")).len()
    };
    assert_eq!(rows("api/1/prompts", "prompts"), 200);
    assert_eq!(rows("api/1/prompts?limit=3", "prompts"), 3);
    let all = rows("api/1/prompts?limit=0", "prompts");
    assert!(all >= 250, "{all}");
    for path in ["api/1/usage?by=session", "api/1/usage/blocks"] {
        let joint = if path.contains('?') { '&' } else { '?' };
        assert_eq!(rows(&format!("{path}{joint}limit=0"), "rows"), rows(path, "rows"), "{path}");
    }
}

#[test]
fn the_filter_of_the_server_cannot_be_left() {
    let sandbox = ordinary();
    let library = library(&sandbox);
    let project = library.catalog().project_of(named("gulls")).unwrap();
    let filter = Filter { project: Some(project), ..Filter::default() };
    let filters = vec![("project".to_owned(), "gulls".to_owned())];
    let server = TestServer::start(Settings { filter, filters, ..settings(&sandbox, false) });
    let other = session_id(2);
    assert_eq!(server.get(&format!("api/1/sessions/{other}")).status, 200);
    let outside = server.get(&format!("api/1/sessions/{}", id()));
    assert_eq!(outside.status, 404);
    let missing = server.get("api/1/sessions/ffffffff-0000-4000-8000-000000000000");
    assert_eq!(outside.text(), missing.text(), "the same as for a session that does not exist");
    assert_eq!(server.get("api/1/sessions?project=tidepool").status, 400);
    for route in ROUTES {
        if !matches!(route.run, Run::Page(_) | Run::Read(..)) {
            continue;
        }
        let response = server.get(&server.call(route.call));
        let text = String::from_utf8_lossy(&response.body).into_owned();
        assert!(!text.contains("tidepool") && !text.contains("sea is"), "{}: {text}", route.path);
    }
}

#[test]
fn actions_write_what_they_say() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let renamed = server.act("api/1/rename", &json!({"session": id(), "title": "Deep sea"}));
    assert_eq!(renamed.status, 200, "{renamed:?}");
    let tagged = server.act("api/1/tag", &json!({"session": id(), "tag": "wet"}));
    assert_eq!(tagged.status, 200, "{tagged:?}");
    let marked = server.act("api/1/mark", &json!({"session": id(), "turn": "1", "note": "here"}));
    assert_eq!(marked.json()["marks"][0]["note"], "here", "{marked:?}");
    let info = server.get(&format!("api/1/sessions/{}", id())).json();
    assert_eq!(info["session"]["title"], "Deep sea", "{info}");
    let marks = server.get("api/1/marks").json();
    assert_eq!((&marks["total"], &marks["marks"][0]["turn"]), (&json!(1), &json!(1)), "{marks}");
    let missing = server.act("api/1/mark", &json!({"session": id(), "turn": "99"}));
    assert_eq!(missing.status, 404, "{missing:?}");
    let remove = json!({"session": id(), "turn": "1", "remove": true});
    assert_eq!(server.act("api/1/mark", &remove).status, 200);
    assert_eq!(server.act("api/1/mark", &remove).status, 404);
    let synced = server.act("api/1/archive/sync", &json!({}));
    assert_eq!(synced.json()["schema"], "annals/archive-sync/1", "{synced:?}");
    let verified = server.act("api/1/archive/verify", &json!({}));
    assert_eq!(verified.json()["is_intact"], true, "{verified:?}");
    sandbox.remove(&sandbox.projects().join(format!("-home-ada-tidepool/{}.jsonl", id())));
    let restored = server.act("api/1/archive/restore", &json!({"session": id()}));
    assert_eq!(restored.status, 200, "{restored:?}");
    assert!(sandbox.projects().join(format!("-home-ada-tidepool/{}.jsonl", id())).exists());
}

#[test]
fn answers_have_tags_and_are_not_sent_again() {
    let sandbox = ordinary();
    let server = TestServer::ordinary(&sandbox);
    let first = server.get("api/1/projects");
    let tag = &first.headers["etag"];
    let bearer = format!("Bearer {}", server.bearer.expose());
    let headers = [("Authorization", bearer.as_str()), ("If-None-Match", tag)];
    let again = server.request("GET", &format!("{}api/1/projects", server.base), &headers, "");
    assert_eq!((again.status, again.body.len()), (304, 0));
}
