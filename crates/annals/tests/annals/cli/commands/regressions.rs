//! Bugs that were, each named after the fact it broke.

use crate::cli::support::hostile_text::is_forbidden;
use crate::cli::support::run::{annals, command, demo, exchange, history, modified, run, session};
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;
use testkit::{Sandbox, metadata, session_id, user};

const CWD: &str = "/home/ada/tidepool";

/// `prompts` takes every filter and heeds only project and time.
#[test]
fn prompts_apply_every_filter() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "Hello");
    for filter in [
        ["--git-branch", "no-such-branch"],
        ["--model", "no-such-model"],
        ["--tool", "NoSuchTool"],
        ["--agent", "no-such-agent"],
    ] {
        let document = annals(&sandbox, &["prompts", "--json", filter[0], filter[1]]).json();
        assert_eq!(document["total"], 0, "{filter:?}");
    }
}

/// A queued prompt is another one too, when the same words came before.
#[test]
fn queued_prompt_with_repeated_text_is_shown() {
    let sandbox = Sandbox::new();
    let typed = user("continue").at("2026-01-02T03:00:00.000Z");
    let queued = metadata(
        "queue-operation",
        &[
            ("operation", "enqueue".into()),
            ("timestamp", "2026-01-02T09:00:00.000Z".into()),
            ("content", "continue".into()),
        ],
    );
    sandbox.session(CWD, &session_id(1), [typed, queued]);
    assert_eq!(annals(&sandbox, &["prompts", "00000001", "--json"]).done().json()["total"], 2);
}

/// `--exact` undoes aliases.
#[test]
fn exact_does_not_follow_aliases() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, "/home/ada/old", "Hello");
    session(&sandbox, 2, "/home/ada/new", "Hello");
    let answer = annals(
        &sandbox,
        &[
            "ls",
            "--json",
            "--project",
            "/home/ada/new",
            "--exact",
            "--alias",
            "/home/ada/old=/home/ada/new",
        ],
    )
    .done();
    assert_eq!(answer.ids(), [session_id(2)]);
}

/// `--exact` ignores worktrees, also those recorded in a transcript.
#[test]
fn exact_does_not_follow_recorded_worktrees() {
    let sandbox = Sandbox::new();
    let state = json!({"originalCwd": "/home/ada/repo", "worktreePath": "/home/ada/trees/x"});
    let state = metadata(
        "worktree-state",
        &[("worktreeSession", state), ("sessionId", session_id(1).into())],
    );
    sandbox.session(
        "/home/ada/trees/x",
        &session_id(1),
        exchange(1, "/home/ada/trees/x", "Hello").into_iter().chain([state]),
    );
    let ls = |arguments: &[&str]| {
        annals(&sandbox, &[&["ls", "--json", "--project", "/home/ada/repo"], arguments].concat())
            .done()
            .ids()
    };
    assert_eq!(ls(&[]), [session_id(1)], "the worktree counts to its repository");
    assert!(ls(&["--exact"]).is_empty());
}

/// A file in the current folder needs no `./`.
#[test]
fn file_name_counts_as_a_path() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "Hello");
    fs::copy(path, sandbox.home().join("kept.jsonl")).unwrap();
    annals(&sandbox, &["show", "kept.jsonl"]).done();
}

/// The zone is named wherever a time of day is.
#[test]
fn prompts_of_one_session_name_the_zone() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "Hello");
    let answer = annals(&sandbox, &["prompts", "00000001", "--timezone", "Asia/Tokyo"]).done();
    assert!(answer.out.contains("Asia/Tokyo"), "{}", answer.out);
}

/// A gone session is a session: a beginning it shares is not unique.
#[test]
fn prefix_shared_with_a_deleted_session_is_ambiguous() {
    let sandbox = Sandbox::new();
    session(&sandbox, 0xa1, CWD, "Hello");
    sandbox.write("history.jsonl", history(&[("Gone", 1_767_225_600, 0xa2)]));
    let answer = annals(&sandbox, &["prompts", "000000a"]);
    let complaint = answer.complaint(2);
    assert!(
        complaint.contains(&session_id(0xa1)) && complaint.contains(&session_id(0xa2)),
        "{complaint}"
    );
}

/// What `prompts` shows is what there is to count.
#[test]
fn info_counts_the_prompts_that_are_shown() {
    for id in ["d3b17c45", "3f9c1d7e"] {
        let shown = demo(&["prompts", id, "--json"]).done().json();
        let card = demo(&["info", id, "--json"]).done().json();
        let counted = ["prompts", "history_prompts"].map(|key| card[key].as_u64().unwrap());
        assert_eq!(counted.iter().sum::<u64>(), shown["total"].as_u64().unwrap(), "{id}");
    }
}

/// A session can only go on in a session; a stray of that name is none.
#[test]
fn continuation_in_a_stray_file_hides_nothing() {
    let sandbox = Sandbox::new();
    let next = metadata("continued-in", &[("continuedInSessionId", "backup".into())]);
    let path =
        sandbox.session(CWD, &session_id(1), exchange(1, CWD, "Hello").into_iter().chain([next]));
    fs::copy(&path, path.with_file_name("backup.jsonl")).unwrap();
    let listed =
        annals(&sandbox, &["ls", "--hidden", "--json"]).done().json()["sessions"][0].clone();
    let card =
        annals(&sandbox, &["info", &session_id(1), "--json"]).done().json()["session"].clone();
    assert_eq!((&listed["hidden"], &card["hidden"]), (&json!(null), &json!(null)));
}

/// clap's own messages are printed as they are, arguments and all.
#[test]
fn wrong_arguments_are_escaped_in_errors() {
    let evil = "x\u{202e}\u{9b}31m\u{e0041}y";
    let cases: [&[&str]; 5] = [
        &[evil],
        &["ls", &format!("--{evil}")],
        &["ls", "--limit", evil],
        &["completions", evil],
        &["ls", "--color", evil],
    ];
    for arguments in cases {
        let answer = annals(&Sandbox::new(), arguments);
        let complaint = answer.complaint(2);
        assert!(!complaint.contains(is_forbidden), "{arguments:?}: {complaint:?}");
    }
}

/// A last line without a newline has no byte more than it has.
#[test]
fn doctor_counts_existing_bytes() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "Hello");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, bytes.trim_ascii_end()).unwrap();
    let doctor = annals(&sandbox, &["doctor", "--json"]).done().json();
    assert_eq!(doctor["counts"]["bytes"].as_u64(), Some(fs::metadata(&path).unwrap().len()));
}

/// A broken zone or pattern in the configuration names the file, as other
/// broken values do.
#[test]
fn broken_value_error_names_its_file() {
    for configuration in ["timezone = \"Mars/Olympus\"", "exclude = [\"[\"]"] {
        let sandbox = Sandbox::new();
        fs::create_dir_all(sandbox.path().join("xdg/annals")).unwrap();
        fs::write(sandbox.path().join("xdg/annals/config.toml"), configuration).unwrap();
        let answer =
            run(command(&sandbox, &["ls"]).env("XDG_CONFIG_HOME", sandbox.path().join("xdg")));
        let complaint = answer.complaint(2);
        assert!(complaint.contains("config.toml"), "{complaint}");
    }
}

/// Folders inside a store that are links lead out of it as well.
#[test]
fn linked_folders_of_a_store_are_skipped_and_reported() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "Hello");
    let outside = sandbox.path().join("outside");
    fs::create_dir_all(&outside).unwrap();
    for name in ["ses_outside.jsonl", "agent-outside.jsonl"] {
        fs::write(outside.join(name), user("what lies outside").to_string() + "\n").unwrap();
    }
    let own = sandbox.projects().join("-home-ada-tidepool").join(session_id(1));
    fs::create_dir_all(&own).unwrap();
    let links = [
        sandbox.config().join("transcripts"),
        sandbox.config().join("pre-compact-session-histories"),
        own.join("subagents"),
    ];
    for link in &links {
        symlink(&outside, link).unwrap();
    }
    let listed = annals(&sandbox, &["ls", "--hidden", "--json"]).done();
    let agents = annals(&sandbox, &["agents", "00000001", "--json"]).done().json();
    let doctor = annals(&sandbox, &["doctor", "--json"]).done().out;
    let reported: Vec<_> = links
        .iter()
        .filter(|link| doctor.contains(&format!("{:?}", link.display().to_string())))
        .collect();
    assert_eq!(
        (listed.ids(), agents["agents"].as_array().unwrap().len(), reported.len()),
        (vec![session_id(1)], 0, 3)
    );
}

/// Links deeper in are not followed, and should be reported.
#[test]
fn links_among_agents_and_a_linked_history_are_reported() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "Hello");
    let outside = sandbox.path().join("outside.jsonl");
    fs::write(&outside, history(&[("what lies outside", 1_767_225_600, 9)])).unwrap();
    let own = sandbox.projects().join("-home-ada-tidepool").join(session_id(1)).join("subagents");
    fs::create_dir_all(&own).unwrap();
    let links = [own.join("agent-x.jsonl"), sandbox.config().join("history.jsonl")];
    for link in &links {
        symlink(&outside, link).unwrap();
    }
    assert!(!annals(&sandbox, &["prompts"]).out.contains("outside"));
    let doctor = annals(&sandbox, &["doctor", "--json"]).done().out;
    let silent: Vec<_> =
        links.iter().filter(|link| !doctor.contains(&link.display().to_string())).collect();
    assert!(silent.is_empty(), "{silent:?}");
}

/// Each store has its own clean-up setting.
#[test]
fn doctor_names_the_settings_of_the_store_that_loses_sessions() {
    let (kept, losing) = (Sandbox::new(), Sandbox::new());
    kept.write("settings.json", r#"{"cleanupPeriodDays": 3650}"#);
    let path = session(&losing, 1, CWD, "Hello");
    modified(&losing, &path, "2026-01-05T12:00:00Z");
    let roots = [kept.config(), losing.config()].map(|path| path.display().to_string());
    let text = annals(&kept, &["doctor", "--root", &roots[0], "--root", &roots[1]]).done().out;
    let advice =
        text.lines().find(|line| line.contains("to make Claude Code keep them longer")).unwrap();
    assert!(advice.contains(&format!("{}/settings.json", roots[1])), "{advice}");
}

/// Lines of the history can be damaged like any other.
#[test]
fn damage_in_the_history_is_reported() {
    let sandbox = Sandbox::new();
    let path = sandbox.write("history.jsonl", "{\"display\":\"torn\n");
    let doctor = annals(&sandbox, &["doctor", "--json"]).done().json();
    let problems = doctor["problems"].as_array().unwrap();
    assert!(
        problems.iter().any(|problem| problem["path"] == path.display().to_string()),
        "{problems:?}"
    );
}

/// A number of days can be larger than any span of time.
#[test]
fn out_of_range_dates_do_not_panic() {
    for days in ["300000000000000000", "9223372036854775807", "18446744073709551615"] {
        let sandbox = Sandbox::new();
        session(&sandbox, 1, CWD, "Hello");
        sandbox.write("settings.json", format!(r#"{{"cleanupPeriodDays": {days}}}"#));
        annals(&sandbox, &[]).done();
        annals(&sandbox, &["doctor"]).done();
    }
}

/// A line can hold two records: one may be a prompt, the other a result.
#[test]
fn prompt_in_the_same_record_as_a_result_is_a_prompt() {
    let sandbox = Sandbox::new();
    let glued = format!("{}{}", user("second"), testkit::tool_result("t", "x"));
    sandbox.session(CWD, &session_id(1), [user("first").to_string(), glued]);
    assert_eq!(annals(&sandbox, &["prompts", "00000001", "--json"]).done().json()["total"], 2);
}

/// `where` answers for every kind of root that `ls` answers for.
#[test]
fn where_understands_a_project_folder_as_root() {
    let sandbox = Sandbox::new();
    let path = session(&sandbox, 1, CWD, "Hello");
    for root in [path.parent().unwrap(), path.as_path()] {
        let root = root.to_str().unwrap();
        let found = annals(&sandbox, &["--root", root, "where", CWD, "--json"]).done().json();
        assert_eq!((&found["matched"], &found["sessions"]), (&json!("exact"), &json!(1)), "{root}");
        let above = format!("{CWD}/src");
        let found = annals(&sandbox, &["--root", root, "where", &above, "--json"]).done().json();
        assert_eq!(found["matched"], "parent", "{root}");
    }
}

/// What is excluded does not exist, for `where` and `agents` too.
#[test]
fn exclusion_applies_to_where_and_agents() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "Hello");
    let own = format!("projects/-home-ada-tidepool/{}/subagents/agent-a1.jsonl", session_id(1));
    sandbox.write(&own, user("x").to_string());
    let found = annals(&sandbox, &["--exclude", CWD, "where", CWD, "--json"]);
    assert_eq!(found.json()["matched"], json!(null));
    let agents = annals(&sandbox, &["--exclude", "**/agent-a1*", "agents", "00000001", "--json"]);
    assert_eq!(agents.done().json()["agents"], json!([]));
}

/// Roots may overlap; what lies in both is examined once.
#[test]
fn overlapping_roots_count_their_agents_once() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "Hello");
    let own = format!("projects/-home-ada-tidepool/{}/subagents/agent-a1.jsonl", session_id(1));
    sandbox.write(&own, "{torn\n");
    let (config, projects) = (sandbox.config(), sandbox.projects());
    let roots = [config.to_str().unwrap(), projects.to_str().unwrap()];
    let doctor = annals(&sandbox, &["--root", roots[0], "--root", roots[1], "doctor", "--json"])
        .done()
        .json();
    assert_eq!(doctor["counts"]["agents"], 1);
    assert_eq!(doctor["problems"].as_array().unwrap().len(), 1);
}

/// A whole id is that session, even if a longer one begins with it.
#[test]
fn exact_id_wins_over_a_longer_one() {
    let sandbox = Sandbox::new();
    for name in ["a", "ab"] {
        sandbox.write(&format!("loose/{name}.jsonl"), user("Hello").to_string() + "\n");
    }
    let root = sandbox.config().join("loose");
    let card =
        annals(&sandbox, &["--root", root.to_str().unwrap(), "info", "a", "--json"]).done().json();
    assert_eq!(card["session"]["id"], "a");
}

/// Agents may claim any depth, and lie at any.
#[test]
fn very_deep_agents_are_listed() {
    let sandbox = Sandbox::new();
    session(&sandbox, 1, CWD, "Hello");
    let own = format!("projects/-home-ada-tidepool/{}/subagents", session_id(1));
    let deep = format!("{own}{}/agent-deep.jsonl", "/x".repeat(40));
    sandbox.write(&deep, user("x").to_string());
    sandbox.write(&format!("{own}/agent-far.jsonl"), user("x").to_string());
    sandbox.write(&format!("{own}/agent-far.meta.json"), r#"{"spawnDepth":18446744073709551615}"#);
    let agents = annals(&sandbox, &["agents", "00000001", "--json"]).done().json();
    assert_eq!(agents["agents"].as_array().unwrap().len(), 2);
    annals(&sandbox, &["agents", "00000001"]).done();
}
