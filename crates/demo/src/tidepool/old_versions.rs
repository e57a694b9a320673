//! How it began, in the formats of the time: 45 days ago with version 1.0,
//! whose sub-agents are lines of the main file, and 28 days ago with 2.0,
//! whose sub-agents are files beside it. The first is past the day on which
//! Claude Code deletes, the second is two days from it.

use jiff::Timestamp;

use super::setting;
use crate::exchange::Piece::{Say, Think};
use crate::files::{Files, days_before};
use crate::identity::{directory, model, project_folder, session};
use crate::object::Object;
use crate::tools::{self, AgentCall};
use crate::transcript::{Setting, Transcript};

const MAIN: &str = "\
#[tokio::main]
async fn main() -> std::io::Result<()> {
    let app = Router::new().route(\"/stations\", get(stations));
    axum::serve(TcpListener::bind(\"127.0.0.1:8080\").await?, app).await
}
";
const SURVEYOR: &str = "b41e0c7d";
const WARMUP: &str = "09fd52a6";

pub(super) fn add_sessions(files: &mut Files, now: Timestamp) {
    let ended = sketch(files, days_before(now, 45));
    stations(files, days_before(now, 28), ended);
}

/// Returns the last message's uuid.
fn sketch(files: &mut Files, start: Timestamp) -> Option<String> {
    let mut log = Transcript::new(
        Setting {
            version: "1.0.98",
            model: model::SONNET_OF_1_0,
            ..setting(session::SKETCH, "main")
        },
        start,
    );
    let call = AgentCall {
        tool: "Task",
        agent: "",
        kind: "general-purpose",
        description: "Compare web frameworks",
        prompt: "Compare three Rust web frameworks for a small JSON service. Five lines at most.",
        report: "axum: smallest step from hyper, good extractors. actix-web: fast, larger. \
            rocket: pleasant, more magic. For a small JSON service: axum.",
    };
    log.prompt("I want a small web service that serves tide tables. Sketch it in Rust.");
    let task = [call.tool(false)];
    let calls = log
        .respond(&[Say("I'll have the frameworks compared while I think about the data.")], &task);
    let main = log.enter_sidechain();
    log.prompt(call.prompt);
    log.work(
        &[],
        &[tools::bash(
            "cargo search axum --limit 1",
            "Look up the newest version",
            "axum = \"0.8.4\"    # a web framework",
        )],
    );
    log.reply(&[Say(call.report)]);
    log.leave_sidechain(main);
    log.answer(&calls, &task);
    log.work(&[], &[tools::write("/home/ada/tidepool/src/main.rs", MAIN)]);
    log.reply(&[Say(
        "A first sketch: axum, one route, stations as JSON files. It answers on port 8080.",
    )]);
    log.summary("Sketch of a tide table service");
    let path = format!("{}/{}.jsonl", project_folder(directory::TIDEPOOL), session::SKETCH);
    let ended = log.leaf();
    files.add_transcript(path, log);
    ended
}

fn stations(files: &mut Files, start: Timestamp, earlier: Option<String>) {
    let folder = project_folder(directory::TIDEPOOL);
    let setting = Setting {
        version: "2.0.64",
        model: model::SONNET_OF_2_0,
        slug: Some("gentle-counting-gull"),
        ..setting(session::STATIONS, "main")
    };
    let mut log = Transcript::new(setting, start);
    // A title line of the time may speak of a message in another file.
    let title = Object::new()
        .with("type", "summary")
        .with("summary", "Cache the station lookups")
        .with("leafUuid", earlier);
    log.line(&title);

    // Agents that only warm a cache: one word in, one sentence out.
    let quick = Setting { model: model::HAIKU, ..setting };
    let mut warmup = Transcript::of_agent(quick, WARMUP, start);
    warmup.prompt("Warmup");
    warmup.reply(&[Say("Ready to look around the code when you are.")]);
    files.add_transcript(format!("{folder}/agent-{WARMUP}.jsonl"), warmup);

    let call = AgentCall {
        tool: "Task",
        agent: SURVEYOR,
        kind: "Explore",
        description: "Find slow lookups",
        prompt: "Find where stations are looked up in /home/ada/tidepool and how often a \
            request does it.",
        report: "src/stations.rs reads the file anew for every event of a day: four reads a \
            request.",
    };
    log.prompt("Requests got slow since there are 300 stations. Cache the lookups?");
    let task = [call.tool(true)];
    let calls = log.respond(
        &[Think("Measure before caching: how often is a file read in one request?")],
        &task,
    );
    let mut agent = Transcript::of_agent(quick, SURVEYOR, log.now());
    agent.prompt(call.prompt);
    agent.work(
        &[],
        &[tools::grep(
            "read_to_string",
            "/home/ada/tidepool/src",
            &["src/stations.rs:11:    let text = fs::read_to_string(path)?;"],
        )],
    );
    agent.reply(&[Say(call.report)]);
    log.wait_until(agent.now());
    files.add_transcript(format!("{folder}/agent-{SURVEYOR}.jsonl"), agent);
    log.answer(&calls, &task);
    log.work(
        &[],
        &[tools::edit(
            "/home/ada/tidepool/src/stations.rs",
            11,
            "    let text = fs::read_to_string(path)?;\n",
            "    let text = CACHE.get_or_read(path)?;\n",
            "// stations.rs, shortened\n",
        )],
    );
    log.reply(&[Say(
        "One read a station instead of four a request. The slowest route went from 38 ms to 3 ms.",
    )]);
    files.add_transcript(format!("{folder}/{}.jsonl", session::STATIONS), log);
}
