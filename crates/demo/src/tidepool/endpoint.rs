//! Yesterday's session: a new endpoint, long enough to be compacted. Also a
//! web search, an MCP tool, a result too large for its line, a tag, a title
//! given by hand and a pull request. A tool of another maker kept a copy of
//! the file as it was before the compaction.

use std::fmt::Write as _;

use jiff::Timestamp;
use serde_json::json;

use super::setting;
use crate::exchange::Piece::{Say, Think};
use crate::files::{Files, iso, minutes_before};
use crate::identity::{directory, model, project_folder, session};
use crate::object::Object;
use crate::tools::{self, Tool};
use crate::transcript::{Setting, Transcript};

const OUTPUT: &str = "bq7m2x4k1.txt";

const ROUTE: &str = "\
//! High and low water for one day at one station.

pub async fn tides(Path(id): Path<String>, Query(day): Query<Day>) -> Result<Json<Tides>> {
    let station = Station::find(&id).await?.ok_or(NotFound)?;
    Ok(Json(predict(&station, day.in_zone(station.zone))))
}
";
const TEST: &str = "\
#[tokio::test]
async fn roscoff_agrees_with_the_published_table() {
    let tides = get(\"/stations/roscoff/tides?day=2026-03-21\").await;
    assert_eq!(tides.events.len(), 4);
    assert_close(tides.events[0].height, 8.9, 0.1);
}
";
const SUMMARY: &str = "\
The conversation so far, in short.

1. Asked for: GET /stations/{id}/tides, high and low water for a day.
2. Done: the route, in src/routes/tides.rs; constants are read from the stations table.
3. Learned: times are wanted in the station's own zone, heights above chart datum.
4. Next: a test against the published table for Roscoff, then a pull request.
";

pub(super) fn add_sessions(files: &mut Files, now: Timestamp) {
    let folder = project_folder(directory::TIDEPOOL);
    let begin = || opening(minutes_before(now, 26 * 60));
    let mut log = begin();

    // The same lines again, under the name the other tool gives its copies.
    let before = begin();
    let name = before.now().strftime("%Y%m%d-%H%M%S");
    let copy = format!("pre-compact-session-histories/{}-{name}.jsonl", session::ENDPOINT);
    files.add_transcript(copy, before);

    log.compact(158_430, SUMMARY);
    log.set_context(21_300);
    log.work(
        &[Say("Continuing with the test against the published table.")],
        &[tools::write("/home/ada/tidepool/tests/tides.rs", TEST)],
    );
    log.work(
        &[],
        &[tools::bash(
            "cargo test --test tides",
            "Run the new test",
            "test roscoff_agrees_with_the_published_table ... ok\n\n\
            test result: ok. 1 passed; 0 failed",
        )
        .taking(14)],
    );
    log.wait(240);
    let last = "Lovely. Open a pull request and call it \"Tide tables by station\".";
    log.prompt(last);
    log.work(
        &[],
        &[tools::bash(
            "gh pr create --fill --title 'Tide tables by station'",
            "Open the pull request",
            "https://github.com/ada-example/tidepool/pull/17",
        )
        .taking(5)],
    );
    let link = Object::new()
        .with("type", "pr-link")
        .with("sessionId", session::ENDPOINT)
        .with("prNumber", 17)
        .with("prUrl", "https://github.com/ada-example/tidepool/pull/17")
        .with("prRepository", "ada-example/tidepool")
        .with("timestamp", iso(log.now()));
    log.line(&link);
    log.reply(&[Say("Pull request 17 is open: https://github.com/ada-example/tidepool/pull/17")]);
    log.turn_duration();
    log.custom_title("Tide table endpoint");
    log.tag("tides");
    log.ai_title("Add a tide table endpoint");
    log.last_prompt(last);

    let results = format!("{folder}/{}/tool-results", session::ENDPOINT);
    files.add(format!("{results}/{OUTPUT}"), predictions(), minutes_before(now, 26 * 60 - 1));
    files.add_transcript(format!("{folder}/{}.jsonl", session::ENDPOINT), log);
}

/// Up to the moment the context was full.
fn opening(start: Timestamp) -> Transcript {
    let mut log = Transcript::new(
        Setting { model: model::SONNET, ..setting(session::ENDPOINT, "tide-table") },
        start,
    );
    log.prompt("Add an endpoint that gives a day's high and low water for a station, as JSON.");
    log.ai_title("Add a tide table endpoint");
    log.work(
        &[Think(
            "I need the conventions first: heights above which datum, and how harmonic \
                constants are summed.",
        )],
        &[
            tools::web_search(
                "harmonic tide prediction chart datum high low water",
                &[
                    ("How tides are predicted", "https://example.org/tides/prediction"),
                    ("Chart datum explained", "https://example.org/tides/datum"),
                ],
            ),
            Tool::new(
                "mcp__postgres__query",
                json!({ "sql": "select id, name, zone from stations order by name limit 3" }),
                json!([{ "type": "text", "text": "brest | Brest | Europe/Paris\n\
                    porto | Porto | Europe/Lisbon\nroscoff | Roscoff | Europe/Paris" }]),
            ),
        ],
    );
    log.work(&[], &[persisted_run()]);
    log.work(&[], &[tools::write("/home/ada/tidepool/src/routes/tides.rs", ROUTE)]);
    log.set_context(149_700);
    log.reply(&[Say("The route is in place: `GET /stations/{id}/tides?day=2026-03-21`. \
        Heights are metres above chart datum, times are local to the station. Roscoff has the \
        largest range, 8.4 m at springs, so I would test against its published table.")]);
    log.turn_duration();
    log
}

/// A command whose output was too large for the line.
fn persisted_run() -> Tool {
    let path = format!(
        "/home/ada/.claude/{}/{}/tool-results/{OUTPUT}",
        project_folder(directory::TIDEPOOL),
        session::ENDPOINT
    );
    let output = predictions();
    let preview: String =
        output.lines().take(5).fold(String::new(), |text, line| text + line + "\n");
    let content = format!(
        "<persisted-output>\nOutput too large ({:.1}KB). Full output saved to: \
            {path}\n\nPreview (first 2KB):\n{preview}...\n</persisted-output>",
        f64::from(u32::try_from(output.len()).unwrap_or(u32::MAX)) / 1024.0
    );
    let input = json!({
        "command": "cargo run -- predict roscoff --days 31",
        "description": "Predict a month of tides",
    });
    Tool::new("Bash", input, content)
        .structured(json!({
            "stdout": preview, "stderr": "", "interrupted": false, "isImage": false,
            "persistedOutputPath": path, "persistedOutputSize": output.len(),
        }))
        .taking(9)
}

fn predictions() -> String {
    let mut text = String::from("day  event  time   height\n");
    for event in 0..124_u32 {
        let (day, kind) = (event / 4 + 1, if event % 2 == 0 { "high" } else { "low " });
        // Tides come about fifty minutes later each day.
        let minute = (event % 4 * 373 + day * 50) % 1440;
        let height = if event % 2 == 0 { 71 + day * 7 % 19 } else { 9 + day * 5 % 17 };
        let _ = writeln!(
            text,
            "{day:>3}  {kind}   {:02}:{:02}  {:>2}.{} m",
            minute / 60,
            minute % 60,
            height / 10,
            height % 10
        );
    }
    text
}
