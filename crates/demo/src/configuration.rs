//! The configuration folder around the projects: settings, the prompt history (which
//! outlives transcripts), two outdated caches, and a transcript of another tool.

use jiff::Timestamp;
use serde_json::json;

use super::files::{Files, days_before, iso, later};
use super::identity::{directory, model, project_folder, session};
use super::object::Object;

pub(super) fn add_files(files: &mut Files, now: Timestamp) {
    let settings = Object::new().with("cleanupPeriodDays", 30).with("model", "opus");
    files.add_document("settings.json".to_owned(), &settings, days_before(now, 10));
    history(files, now);
    stale_index(files, now);
    stale_statistics(files, now);
    foreign_transcript(files, days_before(now, 6));
}

fn history(files: &mut Files, now: Timestamp) {
    let gone = [
        (
            75,
            session::KITES_PROMPTS,
            directory::KITES,
            "How long should the tail of a two metre kite be?",
        ),
        (75, session::KITES_PROMPTS, directory::KITES, "And in a strong wind?"),
        (
            61,
            session::HARBOUR_PROMPTS,
            directory::TIDEPOOL,
            "Is there a free source of harmonic constants for harbours?",
        ),
    ];
    let mut lines = String::new();
    let mut add_line = |text: &str, at: Timestamp, cwd: &str, session: &str| {
        let line = Object::new()
            .with("display", text)
            .with("pastedContents", json!({}))
            .with("timestamp", at.as_millisecond())
            .with("project", cwd)
            .with("sessionId", session);
        lines.push_str(&line.to_json());
        lines.push('\n');
    };
    for (place_in_line, (days, session, cwd, text)) in (0..).zip(gone) {
        let at = later(days_before(now, days), 95_000 * place_in_line);
        add_line(text, at, cwd, session);
    }
    let typed = files.typed();
    for prompt in &typed {
        add_line(&prompt.text, prompt.at, prompt.cwd, prompt.session);
    }
    let modified = typed.last().map_or(now, |prompt| prompt.at);
    files.add("history.jsonl".to_owned(), lines, modified);
}

/// Lists one deleted session and one with an old title, and no others.
fn stale_index(files: &mut Files, now: Timestamp) {
    let folder = project_folder(directory::TIDEPOOL);
    let entry = |session: &str, days: i64, prompt: &str, summary: &str| {
        Object::new()
            .with("sessionId", session)
            .with("fullPath", format!("/home/ada/.claude/{folder}/{session}.jsonl"))
            .with("fileMtime", days_before(now, days).as_millisecond())
            .with("firstPrompt", prompt)
            .with("summary", summary)
            .with("messageCount", 2)
            .with("created", iso(days_before(now, days)))
            .with("modified", iso(days_before(now, days)))
            .with("gitBranch", "main")
            .with("projectPath", directory::TIDEPOOL)
            .with("isSidechain", false)
    };
    let entries = [
        entry(
            session::HARBOUR_PROMPTS,
            61,
            "Is there a free source of harmonic constants for harbours?",
            "Sources of harmonic constants",
        ),
        entry(
            session::STATIONS,
            29,
            "Requests got slow since there are 300 stations. Cache the lookups?",
            "Slow requests",
        ),
    ];
    let index = Object::new().with("version", 1).with_list("entries", &entries);
    files.add_document(format!("{folder}/sessions-index.json"), &index, days_before(now, 28));
}

fn stale_statistics(files: &mut Files, now: Timestamp) {
    let day = days_before(now, 44).strftime("%Y-%m-%d").to_string();
    let statistics = Object::new()
        .with("version", 1)
        .with("lastComputedDate", day.as_str())
        .with(
            "dailyActivity",
            json!([{ "date": day, "messageCount": 12, "sessionCount": 2, "toolCallCount": 3 }]),
        )
        .with(
            "dailyModelTokens",
            json!([{ "date": day, "tokensByModel": { model::SONNET_OF_1_0: 1_204 } }]),
        )
        .with(
            "modelUsage",
            json!({ model::SONNET_OF_1_0: {
                "inputTokens": 61, "outputTokens": 1_143, "cacheReadInputTokens": 48_200,
                "cacheCreationInputTokens": 21_700, "costUSD": 0,
            } }),
        )
        .with("totalSessions", 2)
        .with("totalMessages", 12)
        .with("hourCounts", json!({ "9": 1, "16": 1 }));
    files.add_document("stats-cache.json".to_owned(), &statistics, days_before(now, 44));
}

/// Written by a tool that is not Claude Code: the file's name is the only id.
fn foreign_transcript(files: &mut Files, start: Timestamp) {
    let line = |seconds: i64, kind: &str| {
        Object::new().with("type", kind).with("timestamp", iso(later(start, 1_000 * seconds)))
    };
    let command = json!({ "command": "cal 3 2026" });
    let lines = [
        line(0, "user").with("content", "Which weekday is the spring equinox this year?"),
        line(4, "tool_use").with("tool_name", "bash").with("tool_input", command.clone()),
        line(5, "tool_result")
            .with("tool_name", "bash")
            .with("tool_input", command)
            .with("tool_output", json!({ "output": "20 March is a Friday" })),
        line(9, "assistant").with("content", "A Friday: 20 March 2026."),
    ];
    let text: String = lines.iter().map(|line| line.to_json() + "\n").collect();
    files.add("transcripts/ses_demo1.jsonl".to_owned(), text, later(start, 9_000));
}
