//! The newest session: a flaky test is found and fixed. Parallel calls, a
//! failing command, an edit with its backup, hooks, a prompt typed meanwhile,
//! and a sub-agent that starts another one.

use jiff::Timestamp;
use serde_json::json;

use super::setting;
use crate::exchange::Piece::{Say, Think};
use crate::files::{Files, iso, minutes_before};
use crate::identity::{directory, model, project_folder, session};
use crate::object::Object;
use crate::tools::{self, AgentCall};
use crate::transcript::{Setting, Transcript};

const TEST: &str = "/home/ada/tidepool/tests/login.rs";
const BACKUP: &str = "5c1f0e9ab27d4836@v1";
const SCOUT: &str = "a6f20d91c3b87e45a";
const SCOUT_CALL: &str = "toolu_01HnQ4tidepoolScoutK7vRz";
const CLERK: &str = "ae83b7104fd29c60e";
const CLERK_CALL: &str = "toolu_01Wm8tidepoolClerkP3xYs";

const TEST_BEFORE: &str = "\
#[tokio::test]
async fn a_second_login_replaces_the_first() {
    let app = spawn_app().await;
    let first = app.login(\"ada\").await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    let second = app.login(\"ada\").await;
    assert_ne!(first.token, second.token);
    assert!(app.is_revoked(&first.token).await);
}
";
const CLOCK: &str = "\
pub trait Clock {
    fn now(&self) -> DateTime<Utc>;
}

pub struct TestClock(Mutex<DateTime<Utc>>);
";
const SLEEP: &str = "    tokio::time::sleep(Duration::from_millis(50)).await;\n";
const VERDICT: &str = "\
The test was right and the sleep was wrong.

- **Cause:** a token's age is kept in whole seconds, so two logins in one second were \
\"equally old\" and the first stayed valid.
- **Fix:** the test moves its own clock by a second instead of sleeping 50 ms.
- **Result:** 100 of 100 runs pass, and the suite is 50 ms faster.

The same could happen to a person who double-clicks *Log in*. Shall I make tokens carry \
milliseconds?";
const ADVANCE: &str = "    app.clock.advance(Duration::from_secs(1));\n";

pub(super) fn add_sessions(files: &mut Files, now: Timestamp) {
    let folder = project_folder(directory::TIDEPOOL);
    let setting = setting(session::LOGIN, "fix/flaky-login");
    let mut log = Transcript::new(setting, minutes_before(now, 28));

    log.hook(
        "SessionStart",
        "startup",
        "just hello",
        "On fix/flaky-login, 2 commits ahead of main",
    );
    log.tick();
    let prompt = "The login test fails about one time in ten on CI. Find out why and fix it.";
    let asked = log.prompt(prompt);
    log.file_snapshot(&asked, json!({}), false);
    log.work(
        &[Think(
            "A test that fails one time in ten smells of time. I should read the test \
                and look for everything that asks the clock, both at once.",
        )],
        &[
            tools::read(TEST, TEST_BEFORE),
            tools::grep(
                "Utc::now|Instant::now|SystemTime",
                "/home/ada/tidepool/src",
                &[
                    "src/session.rs:41:        let issued = Utc::now().timestamp();",
                    "src/session.rs:58:        if issued <= self.newest { return Err(Stale); }",
                    "src/clock.rs:12:        Utc::now()",
                ],
            ),
        ],
    );
    log.ai_title("Fix the flaky login test");
    log.work(
        &[],
        &[tools::todo(&[
            ("Reproduce the failure", "in_progress"),
            ("Find where whole seconds matter", "pending"),
            ("Fix the test without sleeping", "pending"),
        ])],
    );
    log.work(
        &[],
        &[tools::bash_failing(
            "cargo test --test login -- --test-threads=1",
            "Run the login tests twenty times",
            101,
            "test a_second_login_replaces_the_first ... FAILED\n\
            assertion failed: app.is_revoked(&first.token).await\n\
            failed 3 of 20 runs",
        )
        .taking(38)],
    );
    ask_the_scout(files, &mut log, setting);

    log.queued_prompt("Please don't just sleep longer, CI is slow enough already.");
    log.work(
        &[
            Think(
                "Tokens carry whole seconds. Two logins in the same second have the same \
                age, so the first is not older and is not revoked. Sleeping longer would hide \
                it. There is a test clock already: advance that.",
            ),
            Say("Found it. Tokens are stamped in whole seconds, so two logins within one \
                second look equally old. No sleep needed: the test clock can simply be moved \
                on."),
        ],
        &[tools::edit(TEST, 5, SLEEP, ADVANCE, TEST_BEFORE)],
    );
    log.hook("PostToolUse", "Edit", "cargo fmt --check", "");
    let backup = json!({ "backupFileName": BACKUP, "version": 1, "backupTime": iso(log.now()) });
    log.file_snapshot(&asked, json!({ "tests/login.rs": backup }), true);
    files.add(format!("file-history/{}/{BACKUP}", session::LOGIN), TEST_BEFORE, log.now());
    log.work(
        &[],
        &[tools::bash(
            "cargo test --test login",
            "Run the login tests a hundred times",
            "test a_second_login_replaces_the_first ... ok\npassed 100 of 100 runs in 2.1 s",
        )
        .taking(21)],
    );
    log.reply(&[Say(VERDICT)]);
    log.turn_duration();
    commit(&mut log);

    let modified = log.now();
    files.add_transcript(format!("{folder}/{}.jsonl", session::LOGIN), log);
    let process = running_process(setting, minutes_before(now, 28), modified);
    files.add_document("sessions/4242.json".to_owned(), &process, modified);
}

/// The second turn.
fn commit(log: &mut Transcript) {
    log.wait(300);
    let last = "Yes, but in a branch of its own. Commit this one first.";
    log.prompt(last);
    log.work(
        &[],
        &[tools::bash(
            "git commit -am 'Move the clock in the login test instead of sleeping'",
            "Commit the fix",
            "[fix/flaky-login 8c41d02] Move the clock in the login test instead of sleeping\n \
            1 file changed, 1 insertion(+), 1 deletion(-)",
        )],
    );
    log.reply(&[Say(
        "Committed as `8c41d02`. I'll start the milliseconds in a new branch when you are ready.",
    )]);
    log.turn_duration();
    log.ai_title("Fix the flaky login test");
    log.last_prompt(last);
}

/// What the app says about itself while it runs.
fn running_process(setting: Setting, started: Timestamp, updated: Timestamp) -> Object {
    Object::new()
        .with("pid", 4242)
        .with("sessionId", setting.session)
        .with("cwd", setting.cwd)
        .with("startedAt", started.as_millisecond())
        .with("version", setting.version)
        .with("kind", "interactive")
        .with("entrypoint", "cli")
        .with("name", "tidepool-3f")
        .with("nameSource", "derived")
        .with("status", "idle")
        .with("updatedAt", updated.as_millisecond())
}

/// The main conversation asks an agent, which asks another.
fn ask_the_scout(files: &mut Files, log: &mut Transcript, setting: Setting) {
    let folder = format!("{}/{}/subagents", project_folder(setting.cwd), setting.session);
    let scout = AgentCall {
        tool: "Agent",
        agent: SCOUT,
        kind: "Explore",
        description: "Trace how tokens expire",
        prompt: "Trace how a login token is issued and revoked in /home/ada/tidepool. Report \
            the units of every timestamp on the way.",
        report: "Tokens are issued in src/session.rs with whole seconds, and compared with \
            `<=` in line 58. The test clock in src/clock.rs can be advanced by hand.",
    };
    let clerk = AgentCall {
        tool: "Agent",
        agent: CLERK,
        kind: "general-purpose",
        description: "Count the callers of the clock",
        prompt: "List every caller of Clock::now in /home/ada/tidepool/src, one a line.",
        report: "Three callers: session.rs:41, session.rs:77, limits.rs:19.",
    };
    let scouting = [scout.tool(true).id(SCOUT_CALL)];
    let calls = log.respond(
        &[Say("It does fail here. I'll have an agent trace the token's life.")],
        &scouting,
    );

    let mut inner =
        Transcript::of_agent(Setting { model: model::SONNET, ..setting }, SCOUT, log.now());
    inner.prompt(scout.prompt);
    inner.work(&[], &[tools::read("/home/ada/tidepool/src/clock.rs", CLOCK)]);
    let counting = [clerk.tool(true).id(CLERK_CALL)];
    let inner_calls = inner.respond(&[], &counting);
    let mut innermost =
        Transcript::of_agent(Setting { model: model::HAIKU, ..setting }, CLERK, inner.now());
    innermost.prompt(clerk.prompt);
    innermost.work(
        &[],
        &[tools::grep(
            "Clock::now|clock.now",
            "/home/ada/tidepool/src",
            &["src/session.rs:41", "src/session.rs:77", "src/limits.rs:19"],
        )],
    );
    innermost.reply(&[Say(clerk.report)]);
    inner.wait_until(innermost.now());
    inner.answer(&inner_calls, &counting);
    inner.reply(&[Say(scout.report)]);
    log.wait_until(inner.now());
    log.answer(&calls, &scouting);

    let meta = Object::new()
        .with("agentType", clerk.kind)
        .with("description", clerk.description)
        .with("toolUseId", CLERK_CALL)
        .with("parentAgentId", SCOUT)
        .with("spawnDepth", 2);
    files.add_document(format!("{folder}/agent-{CLERK}.meta.json"), &meta, innermost.now());
    files.add_transcript(format!("{folder}/agent-{CLERK}.jsonl"), innermost);
    let meta = Object::new()
        .with("agentType", scout.kind)
        .with("description", scout.description)
        .with("toolUseId", SCOUT_CALL)
        .with("spawnDepth", 1);
    files.add_document(format!("{folder}/agent-{SCOUT}.meta.json"), &meta, inner.now());
    files.add_transcript(format!("{folder}/agent-{SCOUT}.jsonl"), inner);
}
