//! A value that is masked once is masked everywhere in its session: in what is shown of it,
//! in lists and searches, and in the index, which has none of its words.

use index::Query;
use library::catalog::Filter;
use library::pattern::{Pattern, PatternOptions};
use library::progress::NoProgress;
use library::search::{
    ContextLines, GrepDemand, GrepOptions, IndexOptions, IndexWait, Order, SearchOptions,
};
use library::{Library, Options};
use redact::{Level, Redactor};
use serde_json::json;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::RootOrigin;
use testkit::{Line, Sandbox, answered, assistant, chained, metadata, session_id, tool_use, user};

const CWD: &str = "/home/ada/tidepool";
const PASSWORD: &str = "vK7#mQ2zLw9Rt4x";
/// A word that only the password has.
const PART: &str = "mq2zlw9rt4x";

fn library(sandbox: &Sandbox, is_masking: bool) -> Library {
    let library = Library::open(Options {
        roots: vec![(sandbox.config(), RootOrigin::Flag)],
        home: Some(sandbox.annals_home()),
        ..Options::default()
    });
    let redactor = Arc::new(Redactor::new(Level::Standard, [7; 32]));
    if is_masking { library.masking(redactor) } else { library }
}

/// A session with copies of a password in ten positions, of which a rule finds one, in an
/// output of a tool.
fn ten_copies(sandbox: &Sandbox) -> PathBuf {
    let id = session_id(1);
    let mut lines = vec![
        user(&format!("{PASSWORD} is what the pool wants")),
        assistant(&format!("I try **{PASSWORD}** now")),
        tool_use(
            "t1",
            "Bash",
            &json!({ "command": format!("./open {PASSWORD}"), "description": PASSWORD }),
        ),
    ];
    lines.extend(answered(
        "t2",
        "Bash",
        &json!({ "command": "ls" }),
        &format!("got {PASSWORD}.\n"),
        json!({ "stdout": PASSWORD }),
    ));
    lines.push(assistant(&format!("```\nx{PASSWORD}x\n```")));
    let mut lines = chained(lines);
    lines.push(metadata("custom-title", &[("customTitle", json!(format!("pool {PASSWORD}")))]));
    for line in &mut lines {
        *line = std::mem::replace(line, user("")).cwd(CWD).with("sessionId", id.as_str());
    }
    let path = sandbox.session(CWD, &id, &lines);
    let agent = chained([user(&format!("open it with ({PASSWORD})")), assistant("Yes.")]);
    let agent = agent.into_iter().map(|line| line.cwd(CWD).with("sessionId", id.as_str()));
    sandbox.agent(CWD, &id, "agent-a1", agent.collect::<Vec<Line>>());
    let folder = path.with_extension("");
    let output = folder.join("tool-results/t9.txt");
    let output = output.strip_prefix(sandbox.config()).expect("in the sandbox");
    sandbox.write(output.to_str().expect("a path"), format!("DB_PASSWORD={PASSWORD}\n"));
    path
}

fn search(library: &Library, words: &str) -> (usize, String) {
    let query = Query::parse(words).expect("a query");
    let filter = Filter::default();
    let marked = HashSet::new();
    let options = SearchOptions {
        query: &query,
        filter: &filter,
        marked: &marked,
        order: Order::Score,
        offset: 0,
        limit: 50,
        around: 2,
        now: jiff::Timestamp::UNIX_EPOCH,
    };
    let index = IndexOptions { memory: 32 << 20, wait: IndexWait::UntilWhole };
    let answer = |answer: library::search::SearchAnswer, _: &library::search::Freshness| {
        (answer.total, format!("{answer:?}"))
    };
    library.search().query(index, &options, &NoProgress, answer).expect("an answer")
}

/// Every byte of the index.
fn index_bytes(sandbox: &Sandbox) -> Vec<u8> {
    fn read(folder: &Path, bytes: &mut Vec<u8>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                read(&path, bytes);
            } else {
                bytes.extend(fs::read(&path).expect("a file"));
            }
        }
    }
    let mut bytes = Vec::new();
    read(&sandbox.annals_home(), &mut bytes);
    bytes.make_ascii_lowercase();
    bytes
}

fn assert_not_in_index(sandbox: &Sandbox) {
    let bytes = index_bytes(sandbox);
    assert!(memchr::memmem::find(&bytes, b"tidepool").is_some());
    assert!(memchr::memmem::find(&bytes, PART.as_bytes()).is_none());
    assert!(memchr::memmem::find(&bytes, PASSWORD.to_lowercase().as_bytes()).is_none());
}

#[test]
fn copies_of_a_masked_value_are_in_no_answer_of_its_session() {
    let sandbox = Sandbox::new();
    ten_copies(&sandbox);
    let library = library(&sandbox, true);
    let catalog = library.catalog();
    let found = catalog.find(&session_id(1), None).expect("a session");
    let session = library.sessions().open_session(&found).expect("a session");
    let mut shown = vec![
        format!("{:?}", found.session.metadata),
        String::from_utf8_lossy(session.bytes()).into_owned(),
        format!("{:?}", session.calls()),
        format!("{:?}", library.sessions().agents(&found).agents),
        format!("{:?}", catalog.sessions().sessions),
        format!("{:?}", library.prompts().prompts_of(&found)),
        format!("{:?}", library.prompts().prompts(&Filter::default(), &NoProgress)),
        format!("{:?}", session.tool_output("t9.txt")),
    ];
    for agent in &session.agents().agents {
        let conversation =
            session.agent_conversation(agent, library::sessions::View::App).expect("an agent");
        shown.push(format!("{:?}", conversation.masked()));
    }
    for text in &shown {
        assert!(!text.contains(&PASSWORD[4..]), "{text}");
    }
    assert!(shown[1].matches("[redacted:repeated-secret:").count() >= 7, "{}", shown[1]);
}

#[test]
fn copies_of_a_masked_value_are_in_no_search_and_no_byte_of_the_index() {
    let sandbox = Sandbox::new();
    ten_copies(&sandbox);
    for is_masking in [false, true] {
        let library = library(&sandbox, is_masking);
        assert_eq!(search(&library, PART).0, 0);
        let (hits, text) = search(&library, "pool");
        assert!(hits > 0);
        assert_eq!(text.contains(&PASSWORD[4..]), !is_masking, "{text}");
        assert_not_in_index(&sandbox);
    }
    let library = library(&sandbox, true);
    for (pattern, count) in [(&PASSWORD[..12], 0), ("redacted:repeated", 1)] {
        let options = PatternOptions { fixed: true, ..PatternOptions::default() };
        let pattern = Pattern::new(pattern, options).expect("a pattern");
        assert_eq!(grep(&library, &pattern).min(1), count);
    }
}

fn grep(library: &Library, pattern: &Pattern) -> usize {
    let filter = Filter::default();
    let around = ContextLines::lines(1);
    let options = GrepOptions { pattern, roles: &[], filter: &filter, around, most: 50 };
    let (sessions, _) = library.search().sessions_to_grep(&options, &NoProgress);
    let sessions: Vec<_> = sessions.iter().collect();
    let mut count = 0;
    let errors = library.search().grep(&sessions, &options, &NoProgress, |_, hits| {
        count += hits.count;
        GrepDemand::Hits
    });
    assert!(errors.is_empty(), "{errors:?}");
    count
}

#[test]
fn new_value_removes_earlier_words_from_the_index() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let line = |text: &str| user(text).cwd(CWD).with("sessionId", id.as_str());
    let path = sandbox.session(CWD, &id, [line(&format!("is {PASSWORD} right for the pool?"))]);
    sandbox.agent(CWD, &id, "agent-a1", [line(&format!("agent of the pool: {PASSWORD}"))]);
    let library = |is_masking| self::library(&sandbox, is_masking);
    assert_eq!(search(&library(true), PART).0, 2);
    sandbox.append(&path, format!("{}\n", line(&format!("DB_PASSWORD={PASSWORD}"))));
    assert_eq!(search(&library(true), PART).0, 0);
    assert_eq!(search(&library(true), "pool").0, 2);
    assert_not_in_index(&sandbox);
}

#[test]
fn word_that_a_page_calls_a_password_stays() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let text = "password: error\npassword='authentication-failed'\nan error: error";
    let line = user(text).cwd(CWD).with("sessionId", id.as_str());
    sandbox.session(CWD, &id, [line]);
    let library = library(&sandbox, true);
    let found = library.catalog().find(&id, None).expect("a session");
    let session = library.sessions().open_session(&found).expect("a session");
    let shown = String::from_utf8_lossy(session.bytes()).into_owned();
    assert!(shown.contains("an error: error"), "{shown}");
    assert!(search(&library, "error").0 > 0);
}

#[test]
fn values_of_a_session_are_not_those_of_another() {
    let sandbox = Sandbox::new();
    ten_copies(&sandbox);
    let id = session_id(2);
    let line =
        user(&format!("hash {PASSWORD} of the pool")).cwd(CWD).with("sessionId", id.as_str());
    sandbox.session(CWD, &id, [line]);
    let library = library(&sandbox, true);
    let found = library.catalog().find(&id, None).expect("a session");
    let session = library.sessions().open_session(&found).expect("a session");
    assert!(String::from_utf8_lossy(session.bytes()).contains(PASSWORD));
    assert_eq!(search(&library, PART).0, 1);
}

#[test]
fn followed_session_masks_earlier_lines_from_a_new_value_on() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let line = |text: &str| user(text).cwd(CWD).with("sessionId", id.as_str());
    let path = sandbox.session(CWD, &id, [line(&format!("is {PASSWORD} right?")), line("or not")]);
    let library = library(&sandbox, true);
    let found = library.catalog().find(&id, None).expect("a session");
    let mut growing = library.watch().growing_session(found.clone()).expect("a file");
    let text = |session: &library::sessions::OpenSession| {
        String::from_utf8_lossy(session.bytes()).into_owned()
    };
    let first = growing.read_on().expect("a file").expect("a session");
    assert!(text(&first).contains(PASSWORD));
    sandbox.append(&path, format!("{}\n", line(&format!("DB_PASSWORD={PASSWORD}"))));
    let second = growing.read_on().expect("a file").expect("a session");
    assert!(!text(&second).contains(PASSWORD));
    let opened = library.sessions().open_session(&found).expect("a session");
    assert_eq!((text(&second), second.masked()), (text(&opened), opened.masked()));
}

/// Sessions without a secret: facts of one or two are not stored.
fn plain_sessions(sandbox: &Sandbox) {
    for number in 11..15 {
        let id = session_id(number);
        let line = user("the pool").cwd(CWD).with("sessionId", id.as_str());
        sandbox.session(CWD, &id, [line]);
    }
}

/// Lets each kind of list store its facts.
fn store_facts(sandbox: &Sandbox) {
    for is_masking in [false, true] {
        let library = library(sandbox, is_masking);
        let catalog = library.catalog();
        let list = catalog.sessions();
        let sessions: Vec<_> = list.sessions.iter().collect();
        library.prompts().prompts(&Filter::default(), &NoProgress);
        library.facts().call_facts(&sessions, &NoProgress, |_, calls| calls.len());
    }
}

#[test]
fn facts_have_no_value_of_their_session_before_and_after_it_is_masked() {
    let sandbox = Sandbox::new();
    plain_sessions(&sandbox);
    let id = session_id(1);
    let of_session = |line: Line| line.cwd(CWD).with("sessionId", id.as_str());
    let title = metadata("custom-title", &[("customTitle", json!(format!("pool {PASSWORD}")))]);
    let lines = [user("the pool"), tool_use("t1", PASSWORD, &json!({})), title].map(of_session);
    let path = sandbox.session(CWD, &id, lines);
    search(&library(&sandbox, false), "pool");
    store_facts(&sandbox);
    let has_password = || {
        let bytes = index_bytes(&sandbox);
        memchr::memmem::find(&bytes, PASSWORD.to_lowercase().as_bytes()).is_some()
    };
    assert!(has_password(), "nothing shows yet that it is one");
    let line = of_session(user(&format!("DB_PASSWORD={PASSWORD}")));
    sandbox.append(&path, format!("{line}\n"));
    search(&library(&sandbox, false), "pool");
    assert_not_in_index(&sandbox);
    store_facts(&sandbox);
    assert_not_in_index(&sandbox);
}

#[test]
fn metadata_of_a_session_that_was_not_searched_for_values_is_not_stored() {
    let sandbox = Sandbox::new();
    search(&library(&sandbox, false), "pool");
    plain_sessions(&sandbox);
    ten_copies(&sandbox);
    store_facts(&sandbox);
    assert_not_in_index(&sandbox);
}

#[test]
fn plan_is_masked_with_the_values_of_the_session_whose_lines_name_it() {
    let proposal = json!({ "plan": "x", "planFilePath": "/home/ada/.claude/plans/calm-sea.md" });
    let lines = [
        user("the pool").with("slug", "calm-sea"),
        tool_use("t1", "ExitPlanMode", &proposal),
        user("see /home/ada/.claude/plans/calm-sea.md"),
    ];
    for line in lines {
        let sandbox = Sandbox::new();
        plain_sessions(&sandbox);
        sandbox.write("plans/calm-sea.md", format!("the pool wants {PASSWORD}"));
        sandbox.write("plans/other.md", "the pool of nobody");
        assert_eq!(search(&library(&sandbox, true), PART).0, 1, "nothing shows yet that it is one");
        let id = session_id(1);
        let password = user(&format!("DB_PASSWORD={PASSWORD}"));
        let lines = [line, password].map(|line| line.cwd(CWD).with("sessionId", id.as_str()));
        sandbox.session(CWD, &id, lines);
        let library = library(&sandbox, true);
        let pattern = |text| Pattern::new(text, PatternOptions::default()).expect("a pattern");
        assert_eq!(grep(&library, &pattern("pool wants vK7")), 0);
        assert_eq!(grep(&library, &pattern("pool wants .redacted:repeated-secret")), 1);
        assert_eq!(search(&library, PART).0, 0);
        let (hits, text) = search(&library, "wants");
        assert_eq!(hits, 1);
        assert!(!text.contains(&PASSWORD[4..]), "{text}");
        assert_not_in_index(&sandbox);
    }
}

#[test]
fn session_is_masked_with_the_values_of_a_plan_that_it_names() {
    let sandbox = Sandbox::new();
    let id = session_id(1);
    let line = user(&format!("is {PASSWORD} right for the pool?")).with("slug", "calm-sea");
    sandbox.session(CWD, &id, [line.cwd(CWD).with("sessionId", id.as_str())]);
    assert_eq!(search(&library(&sandbox, true), PART).0, 1);
    sandbox.write("plans/calm-sea.md", format!("DB_PASSWORD={PASSWORD}"));
    let library = library(&sandbox, true);
    let found = library.catalog().find(&id, None).expect("a session");
    let session = library.sessions().open_session(&found).expect("a session");
    assert!(!String::from_utf8_lossy(session.bytes()).contains(PASSWORD));
    assert_eq!(search(&library, PART).0, 0);
    assert_not_in_index(&sandbox);
}

#[test]
fn value_in_the_name_of_a_folder_is_masked_by_what_writes_the_answer() {
    let sandbox = Sandbox::new();
    let cwd = format!("/home/ada/{PASSWORD}/tidepool");
    let id = session_id(1);
    let line = user(&format!("DB_PASSWORD={PASSWORD}")).cwd(&cwd).with("sessionId", id.as_str());
    let path = sandbox.session(&cwd, &id, [line]);
    let answers = Arc::new(Redactor::new(Level::Standard, [7; 32]));
    let library = library(&sandbox, false).masking(Arc::clone(&answers));
    let path = path.to_str().expect("a path");
    assert!(path.contains("vK7-mQ2zLw9Rt4x"), "{path}");
    let list = library.catalog().sessions();
    assert_eq!(list.sessions[0].project.as_deref(), Some(cwd.as_str()), "sessions are found by it");
    for name in [path, &cwd] {
        let masked = answers.mask(name);
        assert!(!masked.contains("mQ2z") && masked.contains("tidepool"), "{masked}");
    }
}
