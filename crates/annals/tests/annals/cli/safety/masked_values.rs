//! A value that is masked once is masked everywhere in its session: two passwords that the
//! rules find in one place each, in every other place of a session, are in no answer where
//! masking is on, and in no byte of the index.

use crate::cli::support::exercises::{
    home_writing_calls, reading_calls, refused_calls, with_folder,
};
use crate::cli::support::mcp_client::Talk;
use crate::cli::support::run::{annals, command, fed, run};
use crate::cli::support::web_server::{WebServer, base, get};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use testkit::{
    Line, Sandbox, answered, assistant, call, chained, metadata, session_id, tool_use, user,
};

const ID: &str = "00000007";

/// The first is also in the name of a folder, the second has what JSON and markup escape.
const PASSWORD: &str = "vK7#mQ2zLw9Rt4x";
const ESCAPED: &str = r#"tR5<kY>8"pW2!nV"#;

/// Parts of them, in small letters, which remain in every escaped form.
const PIECES: [&str; 4] = ["mq2zlw9", "w9rt4x", "pw2!n", "w2!nv"];

fn cwd() -> String {
    format!("/home/ada/{PASSWORD}/tidepool")
}

/// The working directory as it is in the names of transcripts.
fn folder() -> String {
    cwd().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// Places of a session that the passwords are in, as lines.
fn places() -> Vec<(&'static str, Vec<Line>)> {
    let both = format!("{PASSWORD} or {ESCAPED}");
    let html = ESCAPED.replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let answer = |id: &str, text: &str| {
        answered(id, "Bash", &json!({ "command": "cat x" }), text, json!({ "stdout": text }))
            .to_vec()
    };
    let patch = json!({"filePath": "/home/ada/x", "structuredPatch": [{"oldStart": 1,
        "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-x", format!("+{both}")]}]});
    let edit = json!({"file_path": "/home/ada/x", "old_string": "x", "new_string": both});
    let plan = json!({"plan": format!("# Plan\nuse {both}"),
        "planFilePath": "/home/ada/.claude/plans/calm-sea.md"});
    let backup = json!({"backupFileName": "0123456789abcdef@v1", "version": 1,
        "backupTime": "2026-01-02T03:04:05.000Z"});
    let read = format!("/home/ada/{PASSWORD}/x.rs");
    let snapshot = json!({"messageId": "u1", "trackedFileBackups": { read.as_str(): backup },
        "timestamp": "2026-01-02T03:04:05.000Z"});
    vec![
        ("prompt", vec![user(&format!("Open the kelp pool with {both}"))]),
        ("answer", vec![assistant(&format!("I try **{PASSWORD}** or `{ESCAPED}` now"))]),
        ("file with a name", answer("t1", &format!("DB_PASSWORD={PASSWORD}\n"))),
        ("JSON with a name", answer("t2", &json!({ "password": ESCAPED }).to_string())),
        ("input", {
            let input = json!({ "command": format!("./open '{both}'"), "description": both });
            vec![tool_use("t3", "Bash", &input)]
        }),
        ("HTML", answer("t4", &format!("<td>{PASSWORD}</td><td>{html}</td>"))),
        ("XML", answer("t5", &format!("<entry value='{PASSWORD}'>{html}</entry>"))),
        (
            "escaped JSON",
            answer("t6", &json!({ "body": json!({ "x": both }).to_string() }).to_string()),
        ),
        (
            "Markdown",
            vec![assistant(&format!("| pool | {PASSWORD} |\n|---|---|\n| b | {ESCAPED} |"))],
        ),
        ("diff", answered("t7", "Edit", &edit, "done", patch).to_vec()),
        ("file that was read", {
            let file = json!({"type": "text", "file": {"filePath": read, "content": both}});
            answered("t8", "Read", &json!({ "file_path": read }), &both, file).to_vec()
        }),
        ("plan", answered("t9", "ExitPlanMode", &plan, "approved", json!({})).to_vec()),
        (
            "queue",
            vec![metadata(
                "queue-operation",
                &[("operation", json!("enqueue")), ("content", json!(both))],
            )],
        ),
        (
            "snapshot",
            vec![metadata(
                "file-history-snapshot",
                &[("messageId", json!("u1")), ("snapshot", snapshot)],
            )],
        ),
        ("summary", vec![metadata("summary", &[("summary", json!(format!("About {both}")))])]),
        (
            "title",
            vec![metadata("custom-title", &[("customTitle", json!(format!("Pool {both}")))])],
        ),
        ("tag", vec![metadata("tag", &[("tag", json!(PASSWORD))])]),
        ("API call", vec![call("msg_1", [1, 2, 3, 4])]),
    ]
}

fn store() -> Sandbox {
    let sandbox = Sandbox::new();
    let own = |line: Line| {
        line.with("sessionId", session_id(7))
            .with("gitBranch", format!("fix/{PASSWORD}"))
            .with("slug", "salt-sea")
            .cwd(&cwd())
    };
    let lines: Vec<Line> = places().into_iter().flat_map(|(_, lines)| lines).collect();
    let lines = chained(lines).into_iter().map(own);
    sandbox.session(&cwd(), &session_id(7), lines.collect::<Vec<Line>>());
    let agent = chained([user(&format!("Open it with {PASSWORD}, {ESCAPED}")), assistant("Yes.")]);
    sandbox.agent(
        &cwd(),
        &session_id(7),
        "agent-a1",
        agent.into_iter().map(own).collect::<Vec<_>>(),
    );
    let below = format!("projects/{}/{}", folder(), session_id(7));
    let task = json!({"agentType": "Explore", "description": format!("with {PASSWORD}")});
    sandbox.write(&format!("{below}/subagents/agent-a1.meta.json"), task.to_string());
    sandbox.write(&format!("{below}/tool-results/t1.txt"), format!("got {PASSWORD} {ESCAPED}"));
    for plan in ["calm-sea", "salt-sea"] {
        sandbox.write(&format!("plans/{plan}.md"), format!("# Kelp\nuse {PASSWORD} {ESCAPED}\n"));
    }
    let backup = format!("file-history/{}/0123456789abcdef@v1", session_id(7));
    sandbox.write(&backup, format!("was {PASSWORD}"));
    let history = json!({"display": format!("say {PASSWORD}"), "timestamp": 1_768_000_000_000_u64,
        "project": cwd(), "sessionId": session_id(7)});
    sandbox.write("history.jsonl", format!("{history}\n"));
    // Facts of a few sessions are not stored.
    for number in 11..15 {
        let line = user("kelp").cwd("/home/ada/other").session(&session_id(number));
        sandbox.session("/home/ada/other", &session_id(number), [line]);
    }
    sandbox
}

/// What an answer shows of the passwords.
fn leak_of(shown: &str, what: &str) -> Option<String> {
    let small = shown.to_lowercase();
    let at = PIECES.iter().find_map(|piece| small.find(piece))?;
    let start = small.floor_char_boundary(at.saturating_sub(300));
    let end = small.ceil_char_boundary((at + 60).min(small.len()));
    Some(format!("{what}: … {} …", &small[start..end]))
}

fn assert_none(shown: &str, what: &str) {
    assert_eq!(leak_of(shown, what), None);
}

#[test]
fn no_command_shows_a_value_that_is_masked_elsewhere_in_its_session() {
    let sandbox = store();
    let target = sandbox.home().join("folder").display().to_string();
    let open = annals(&sandbox, &["show", ID, "--tools", "full"]).done().out;
    assert!(open.contains(PASSWORD) && open.contains(ESCAPED), "a person is shown what is there");
    run(command(&sandbox, &["search", "kelp"]).env("CLAUDECODE", "1")).done();
    annals(&sandbox, &["archive", "sync", "--redact"]);
    let more: [&[&str]; 14] = [
        &["search", "kelp", "--context", "2", "--json"],
        &["search", "mq2zlw9rt4x"],
        &["grep", "(?s)kelp.*", "--role", "plan"],
        &["grep", "use"],
        &["show", ID, "--tools", "full", "--thinking", "--agents", "inline"],
        &["show", ID, "--view", "sdk"],
        &["show", "a1"],
        &["prompts", "--csv"],
        &["plan", ID, "--versions", "--json"],
        &["doctor", "--secrets"],
        &["doctor", "--secrets", "--json"],
        &["export", ID, "-o", "-", "--format", "xml", "--tools", "full"],
        &["export", ID, "-o", "-", "--format", "txt", "--tools", "full"],
        &["export", ID, "-o", "-", "--format", "md", "--tools", "full", "--agents", "inline"],
    ];
    let more = more.iter().map(|call| call.to_vec()).collect();
    let (mut number, mut leaks) = (0, Vec::new());
    for call in [reading_calls(ID), refused_calls(ID), home_writing_calls(ID), more].concat() {
        let arguments = &with_folder(&call, &target)[..];
        // A person asked for this one, and it says so.
        if arguments.contains(&"off") {
            continue;
        }
        let what = arguments.join(" ");
        let answer = run(command(&sandbox, arguments).env("CLAUDECODE", "1"));
        let asked = annals(&sandbox, &[arguments, &["--redact"]].concat());
        for (shown, how) in [
            (&answer.out, "for an agent"),
            (&answer.err, "for an agent, on stderr"),
            (&asked.out, "--redact"),
            (&asked.err, "--redact, on stderr"),
        ] {
            leaks.extend(leak_of(shown, &format!("{what} {how}")));
        }
        number += usize::from(answer.code == 0);
    }
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n"));
    assert!(number > 90, "only {number} calls succeeded");
    for format in ["md", "txt", "html", "xml", "json", "jsonl"] {
        let masked = annals(&sandbox, &["export", ID, "-o", "-", "--format", format]);
        assert_none(&masked.out, format);
        assert_none(&masked.err, format);
        assert!(masked.out.contains("[redacted:"), "{format}");
    }
}

#[test]
fn hook_and_doctor_mask_the_values_of_sessions_for_everybody() {
    let sandbox = store();
    for arguments in [&["doctor", "--secrets"][..], &["doctor", "--secrets", "--json"]] {
        let answer = annals(&sandbox, arguments);
        assert!(answer.out.contains("repeated-secret"), "{}", answer.out);
        assert_none(&answer.out, &arguments.join(" "));
    }
    let unwritten = sandbox.config().join(format!("projects/{}/{}.jsonl", folder(), session_id(9)));
    let input = json!({"session_id": session_id(9), "transcript_path": unwritten, "cwd": cwd(),
        "hook_event_name": "SessionStart", "permission_mode": "default"});
    let arguments = ["hook", "--within", "20000", "--recall"];
    let recalled = fed(&mut command(&sandbox, &arguments), input.to_string().as_bytes()).done().out;
    assert!(recalled.contains("[redacted:repeated-secret:"), "{recalled}");
    assert_none(&recalled, "hook --recall");
}

#[test]
fn no_route_and_no_tool_shows_a_value_that_is_masked_elsewhere_in_its_session() {
    let sandbox = store();
    let server = WebServer::start(&mut command(&sandbox, &["serve", "--port", "0"]));
    let path = sandbox.annals_home().join(format!("web/{}.json", server.port()));
    let file: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let bearer = format!("Authorization: Bearer {}", file["token"].as_str().unwrap());
    let id = session_id(7);
    let data = [
        "state",
        "home",
        "sessions",
        "search?q=kelp",
        "search/facets?q=kelp",
        "usage?by=day,model",
        "usage?by=project,branch",
        "usage/blocks",
        "usage/hours",
        "usage/unused",
        "projects",
        "running",
        "prompts",
        "plans",
        "marks",
        "sessions/ID",
        "sessions/ID/outline",
        "sessions/ID/context",
        "sessions/ID/lanes",
        "sessions/ID/find?q=pool",
        "sessions/ID/agents",
        "sessions/ID/usage",
        "sessions/ID/plan",
        "sessions/ID/records",
        "sessions/ID/tools",
        "tools",
        "archive",
        "files",
        "doctor",
        "doctor/secrets",
        "configuration",
        "sql?q=SELECT%20*%20FROM%20sessions",
        "sql?q=SELECT%20*%20FROM%20calls",
    ];
    let csv = [
        "sessions",
        "search?q=kelp",
        "usage?by=project",
        "projects",
        "prompts",
        "plans",
        "files",
        "sql?q=SELECT%20*%20FROM%20sessions",
    ];
    let with_format =
        |path: &str| format!("{path}{}format=csv", if path.contains('?') { '&' } else { '?' });
    let data = data.map(|path| format!("api/1/{path}")).into_iter();
    let csv = csv.map(|path| format!("api/1/{}", with_format(path))).into_iter();
    let others = [
        "fragment/sessions/ID/turns",
        "fragment/sessions/ID/turns?tools=full&agents=inline",
        "fragment/sessions/ID/turns?agent=a1",
        "fragment/sessions/ID/output?call=t1",
        "export/ID",
        "export/ID?format=md",
        "export/ID?format=xml",
        "export/ID?format=jsonl",
        "s/ID",
        "sessions",
    ];
    let others = others.map(str::to_owned).into_iter();
    let mut answered = Vec::new();
    for path in data.chain(csv).chain(others) {
        let path = path.replace("ID", &id);
        let (status, head, body) = get(&format!("{}{path}", base(&server.address)), &bearer);
        assert_none(&body, &path);
        assert_none(&head, &path);
        if status != 200 {
            answered.push(format!("{status} {path}: {body}"));
        }
    }
    assert!(answered.len() < 4, "{answered:#?}");
    drop(server);
    let mut talk = Talk::greeted(&mut command(&sandbox, &["mcp", "--scope", "all"]));
    let calls = [
        ("search_sessions", json!({"query": "kelp"})),
        ("list_sessions", json!({})),
        ("read_session", json!({"session": id})),
        ("get_message", json!({"id": "t2", "session": id})),
        ("session_plan", json!({"session": id})),
        ("file_history", json!({"path": "x.rs"})),
        ("usage_report", json!({})),
    ];
    for (tool, arguments) in calls {
        let (text, is_error) = talk.call(tool, &arguments);
        assert!(!is_error, "{tool}: {text}");
        assert_none(&text, tool);
    }
}

/// The files below a folder, as text in small letters.
fn read_below(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_below(&path, text);
        } else {
            *text += &String::from_utf8_lossy(&fs::read(&path).unwrap()).to_lowercase();
        }
    }
}

#[test]
fn index_has_no_value_that_is_masked_in_a_session_but_in_paths_of_transcripts() {
    let sandbox = store();
    let all: [&[&str]; 8] = [
        &["search", "kelp"],
        &["ls"],
        &["tools"],
        &["files"],
        &["prompts"],
        &["usage"],
        &["usage", "project"],
        &["ls", "--redact"],
    ];
    for arguments in [all, all].concat() {
        annals(&sandbox, arguments).done();
    }
    let mut bytes = String::new();
    read_below(&sandbox.annals_home(), &mut bytes);
    assert!(bytes.contains("tidepool"));
    assert_none(&bytes.replace(&folder().to_lowercase(), "…"), "the index");
    assert_eq!(annals(&sandbox, &["search", "mq2zlw9rt4x"]).code, 1);
}

#[test]
fn archive_has_what_the_transcripts_have() {
    let sandbox = store();
    annals(&sandbox, &["archive", "sync"]);
    sandbox.remove_folder(&sandbox.projects().join(folder()));
    let shown = annals(&sandbox, &["show", ID, "--raw", "--redact", "off"]).done().out;
    assert!(shown.contains(PASSWORD), "{shown}");
    let masked = annals(&sandbox, &["show", ID, "--raw", "--redact"]).done().out;
    assert_none(&masked, "show --raw --redact from the archive");
}
