//! Sessions outside the scope are invisible to every tool, resource and cursor.

use super::*;
use crate::{cursor, resources};
use library::apps::{App, AppHome};

#[test]
fn session_outside_the_scope_is_answered_like_a_missing_one() {
    let sandbox = hostile();
    let settings = settings(&sandbox, false);
    let missing = id(9);
    for tool in ["read_session", "session_plan"] {
        let outside = error_of(&settings, tool, &json!({"session": id(2)}));
        let nowhere = error_of(&settings, tool, &json!({"session": missing}));
        assert_eq!(outside.text.replace(&id(2), &missing), nowhere.text);
        let near: Vec<&str> = outside.candidates.iter().map(|it| it.id.as_str()).collect();
        assert!(!near.is_empty() && !near.contains(&id(2).as_str()), "{near:?}");
    }
    let outside = error_of(&settings, "get_message", &json!({"id": "toolu_05outside"}));
    let nowhere = error_of(&settings, "get_message", &json!({"id": "toolu_05nothing"}));
    assert_eq!(outside.text.replace("outside", "nothing"), nowhere.text);
}

#[test]
fn unknown_message_id_suggests_ids_inside_the_scope() {
    let sandbox = hostile();
    let settings = settings(&sandbox, false);
    let given = json!({"id": "10000000-0000-4000-8000-000000000099"});
    let error = error_of(&settings, "get_message", &given);
    assert!(error.text.starts_with("not found"), "{}", error.text);
    assert_eq!(error.messages.len(), 8);
    assert!(error.messages.iter().all(|(_, session)| *session == id(1)));
    let text = answer_text(&settings, "get_message", &given);
    let (_, body) = quotes(&text).pop().unwrap();
    let near = format!("10000000-0000-4000-8000-000000000000  session {}", id(1));
    assert!(text.contains("Closest ids:") && body.contains(&near), "{text}");
    for outside in ["20000000-0000-4000-8000-000000000099", "toolu_05outsidf", "toolu_05"] {
        let error = error_of(&settings, "get_message", &json!({"id": outside}));
        assert_eq!(error.messages, [], "{outside}");
    }
}

#[test]
fn no_call_reveals_a_session_outside_the_scope() {
    let sandbox = hostile();
    let inside = settings(&sandbox, false);
    let path = sandbox.projects().join(store_folder()).join(format!("{}.jsonl", id(2)));
    let cursor = |session: &str| {
        let uuid = cursor::short_hash("20000000-0000-4000-8000-000000000000");
        cursor::encode("read_session", &[session, &uuid, "0", "0"])
    };
    let calls = [
        ("search_sessions", json!({"query": OUTSIDE_WORD})),
        ("search_sessions", json!({"query": format!("{OUTSIDE_WORD} session:{}", id(2))})),
        ("search_sessions", json!({"query": "kelp", "project": OUTSIDE, "limit": 50})),
        ("search_sessions", json!({"query": "kelp project:other", "include_tool_results": true})),
        ("search_sessions", json!({"query": "zanzibra"})),
        ("list_sessions", json!({})),
        ("list_sessions", json!({"project": OUTSIDE})),
        ("read_session", json!({"session": id(2)})),
        ("read_session", json!({"session": &id(2)[..8]})),
        ("read_session", json!({"session": OUTSIDE_WORD})),
        ("read_session", json!({"session": path.to_string_lossy()})),
        ("read_session", json!({"session": "../../etc/passwd"})),
        ("read_session", json!({"session": "@2"})),
        ("read_session", json!({"session": id(2), "cursor": cursor(&id(2))})),
        ("read_session", json!({"session": id(4), "cursor": cursor(&id(2))})),
        ("get_message", json!({"id": "20000000-0000-4000-8000-000000000000"})),
        ("get_message", json!({"id": "toolu_05outside", "include_tool_results": true})),
        ("get_message", json!({"id": "toolu_05outside", "session": id(2)})),
        ("get_message", json!({"id": "toolu_05outside", "session": id(4)})),
        (
            "file_history",
            json!({"path": format!("{INSIDE}/shared.rs"), "include_tool_results": true}),
        ),
        ("usage_report", json!({"by": "session"})),
        ("usage_report", json!({"by": "project"})),
        ("session_plan", json!({"session": id(2)})),
        ("session_plan", json!({"session": id(4)})),
    ];
    for (tool, given) in calls {
        let answer = answer_text(&inside, tool, &given);
        // Words from the call itself may be repeated in the answer.
        let echoed = given.to_string().contains(OUTSIDE_WORD);
        let quoted = quotes(&answer).into_iter().map(|(head, body)| head + &body);
        let quoted: String = quoted.collect();
        assert!(!quoted.contains(OUTSIDE_WORD), "{tool} {given}: {answer}");
        assert!(echoed || !answer.contains(OUTSIDE_WORD), "{tool} {given}: {answer}");
        assert!(!quoted.contains(&id(2)) && !quoted.contains(OUTSIDE), "{tool} {given}: {answer}");
    }
    let context = ToolContext::new(&inside, now(), CancellationToken::default());
    let listed = serde_json::to_string(&resources::recent(&context)).unwrap();
    assert!(!listed.contains(&id(2)) && listed.contains(&id(4)), "{listed}");
    assert_eq!(resources::complete(&context, &id(2)), Vec::<String>::new());
    for uri in [
        format!("annals://session/{}", id(2)),
        format!("annals://session/../{}", id(2)),
        format!("annals://session/%2e%2e/{}", id(2)),
        format!("file://{}", path.display()),
        "annals://session/".to_owned(),
    ] {
        assert!(resources::read(&context, &uri).is_err(), "{uri}");
    }
}

#[test]
fn project_is_a_path_or_a_name_and_never_leaves_the_scope() {
    let sandbox = hostile();
    let name = OUTSIDE.rsplit('/').next().unwrap();
    for all in [true, false] {
        let settings = settings(&sandbox, all);
        for project in [INSIDE, "/home/ada/../ada/tidepool", "TIDEPOOL"] {
            for (tool, query) in [("list_sessions", None), ("search_sessions", Some("kelp"))] {
                let mut given = json!({"project": project});
                given.as_object_mut().unwrap().extend(query.map(|it| ("query".into(), json!(it))));
                let answer = answer_text(&settings, tool, &given);
                assert!(answer.contains(&id(4)) && !answer.contains(&id(2)), "{given}: {answer}");
            }
        }
        for project in [OUTSIDE, name] {
            let given = json!({"project": project});
            let answer = answer_text(&settings, "list_sessions", &given);
            assert_eq!(answer.contains(&id(2)), all, "{answer}");
        }
    }
    let settings = settings(&sandbox, false);
    for (outside, nowhere) in [(OUTSIDE, "/home/ada/nowhere"), (name, "nowhere")] {
        for tool in ["list_sessions", "search_sessions"] {
            let error = |project: &str| {
                let given = match tool {
                    "list_sessions" => json!({"project": project}),
                    _ => json!({"project": project, "query": "kelp"}),
                };
                error_of(&settings, tool, &given).text
            };
            assert_eq!(error(outside).replace(outside, nowhere), error(nowhere), "{tool}");
        }
    }
}

fn store_folder() -> String {
    OUTSIDE.replace('/', "-")
}

#[test]
fn scope_all_shows_every_session() {
    let sandbox = hostile();
    let all = settings(&sandbox, true);
    let calls = [
        ("search_sessions", json!({"query": OUTSIDE_WORD})),
        ("list_sessions", json!({})),
        ("read_session", json!({"session": id(2)})),
        ("get_message", json!({"id": "20000000-0000-4000-8000-000000000000"})),
        ("file_history", json!({"path": format!("{INSIDE}/shared.rs")})),
        ("usage_report", json!({"by": "session"})),
        ("session_plan", json!({"session": id(2)})),
    ];
    for (tool, given) in calls {
        let answer = answer_text(&all, tool, &given);
        assert!(answer.contains(&id(2)), "{tool} {given}: {answer}");
    }
}

#[test]
fn answers_say_that_an_apps_database_cannot_be_read() {
    let sandbox = hostile();
    let home = sandbox.home().join("opencode");
    sandbox.write(&home.join("opencode.db").to_string_lossy(), "no database ".repeat(1000));
    let whole = settings(&sandbox, false);
    let private = Some(sandbox.annals_home().join("apps"));
    let apps = vec![AppHome { app: App::OpenCode, path: home, database: None, private }];
    let library = Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Environment)],
        home: Some(sandbox.annals_home()),
        own_only: true,
        apps,
        ..Options::default()
    });
    let unread = Settings { library, ..settings(&sandbox, false) };
    let warning = "Warning: sessions of OpenCode may be missing";
    let calls = [
        ("search_sessions", json!({"query": "kelp"})),
        ("search_sessions", json!({"query": "volcano"})),
        ("list_sessions", json!({})),
        ("read_session", json!({"session": id(4)})),
        ("read_session", json!({"session": "volcano"})),
        ("usage_report", json!({})),
        ("session_plan", json!({"session": id(1)})),
        ("file_history", json!({"path": "src/main.rs"})),
    ];
    for (tool, given) in calls {
        let text = answer_text(&unread, tool, &given);
        assert_eq!(text.matches(warning).count(), 1, "{tool} {given}: {text}");
        let text = answer_text(&whole, tool, &given);
        assert!(!text.contains(warning), "{tool} {given}: {text}");
    }
}
