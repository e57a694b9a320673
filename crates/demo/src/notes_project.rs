//! `/home/ada/notes`: a baking log with a photograph, a session of a future version,
//! and files in a project folder that are not sessions.

use jiff::Timestamp;
use serde_json::json;

use super::exchange::Piece::{Say, Think};
use super::files::{Files, days_before, iso, later};
use super::identity::{directory, model, project_folder, session};
use super::object::Object;
use super::tools;
use super::transcript::{Setting, Transcript};

/// One pixel, the colour of a crust.
const PHOTOGRAPH: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM40eUNAAO7AZ7mbXLeAAAAAElFTkSuQmCC";

pub(super) fn add_sessions(files: &mut Files, now: Timestamp) {
    sourdough(files, days_before(now, 4));
    reading(files, days_before(now, 9));
    stray_files(files, now);
}

fn setting(session: &'static str, version: &'static str, model: &'static str) -> Setting {
    Setting { session, cwd: directory::NOTES, branch: "", version, slug: None, model }
}

/// Its title is in a separate file instead of a line, and it is archived in Claude Code.
fn sourdough(files: &mut Files, start: Timestamp) {
    let folder = project_folder(directory::NOTES);
    let mut log = Transcript::new(setting(session::SOURDOUGH, "2.1.325", model::HAIKU), start);
    let prompt = "Here is today's crumb. Was it proofed too short? Add a line to the log.";
    log.add_typed_prompt(prompt);
    log.prompt_with(
        json!([
            { "type": "text", "text": prompt },
            { "type": "image", "source": {
                "type": "base64", "media_type": "image/png", "data": PHOTOGRAPH,
            } },
        ]),
        &Object::new().with("imagePasteIds", json!([1])),
    );
    let page = "/home/ada/notes/sourdough.md";
    let written = "# Sourdough\n\n- Loaf 11: 76 % water, 4 h at 24 °C, dense below\n";
    log.work(&[], &[tools::read(page, written)]);
    let last = "- Loaf 11: 76 % water, 4 h at 24 °C, dense below\n";
    let both = "- Loaf 11: 76 % water, 4 h at 24 °C, dense below\n- Loaf 12: 76 % water, 5 h \
        at 24 °C, open, a little wild at the top\n";
    log.work(
        &[Think("Large holes above, tight below would mean too short. This one is even.")],
        &[tools::edit(page, 3, last, both, written)],
    );
    log.reply(&[Say("No, five hours were right: the holes are even all the way down. I added \
        loaf 12 to `sourdough.md`. For a calmer top, shape a little tighter.")]);
    log.wait(600);
    let last = "What should loaf 13 try?";
    log.prompt(last);
    log.reply(&[Say("Change one thing only: keep the five hours, take 72 % water. Then you \
        will know which of the two made the difference.")]);
    log.last_prompt(last);

    let modified = log.now();
    let own = format!("{folder}/{}", session::SOURDOUGH);
    let title = Object::new().with("customTitle", "Sourdough log");
    files.add_document(format!("{own}/custom-title.json"), &title, modified);
    let archived = Object::new()
        .with("archived", true)
        .with("at", iso(later(modified, 3_600_000)))
        .with("by", "user");
    files.add_document(format!("{own}/archived.json"), &archived, later(modified, 3_600_000));
    files.add_transcript(format!("{own}.jsonl"), log);
}

/// An unknown record type, block type and model. All are preserved, none is an error. One
/// string contains a Unicode line separator, which does not end the line.
fn reading(files: &mut Files, start: Timestamp) {
    let mut log = Transcript::new(setting(session::READING, "2.3.0", model::UNPRICED), start);
    let prompt = "Make a reading list for the winter: five books about the sea.";
    log.prompt(prompt);
    let weather = Object::new()
        .with("outlook", json!({ "sky": "overcast", "wind": 6 }))
        .with("timestamp", iso(log.now()));
    log.state("weather-report", &weather);
    log.work(
        &[],
        &[tools::write(
            "/home/ada/notes/winter.md",
            "# Winter reading\n\n1. A history of lighthouses\u{2028}2. Letters from a lightship\n\
            3. The knot book\n4. Tides for the curious\n5. A cook's year by the sea\n",
        )],
    );
    log.tick();
    let message = Object::new()
        .with("model", model::UNPRICED)
        .with("id", log.ids.labelled("msg_01", 22))
        .with("type", "message")
        .with("role", "assistant")
        .with(
            "content",
            json!([{ "type": "soundscape", "seconds": 12, "caption": "Waves on shingle" }]),
        )
        .with("stop_reason", "end_turn")
        .with("usage", json!({ "input_tokens": 6, "output_tokens": 41, "sound_tokens": 12 }));
    let own = Object::new()
        .with_object("message", &message)
        .with("requestId", log.ids.labelled("req_011C", 20))
        .with("type", "assistant");
    log.chain(log.leaf(), &own, &Object::new());
    log.reply(&[Say(
        "Five books, and twelve seconds of waves to read them by. The list is in `winter.md`.",
    )]);
    log.ai_title("Five books about the sea");
    log.last_prompt(prompt);
    let path = format!("{}/{}.jsonl", project_folder(directory::NOTES), session::READING);
    files.add_transcript(path, log);
}

fn stray_files(files: &mut Files, now: Timestamp) {
    let folder = project_folder(directory::NOTES);
    files.add(format!("{folder}/{}.jsonl", session::EMPTY), "", days_before(now, 3));
    files.add(
        format!("{folder}/notes.txt"),
        "Not a transcript. Somebody saved this in the wrong folder.\n",
        days_before(now, 6),
    );
    let line = Object::new()
        .with("type", "user")
        .with(
            "message",
            json!({ "role": "user", "content": "A line in a file that is no session." }),
        )
        .with("timestamp", iso(days_before(now, 6)));
    files.add(
        format!("{folder}/draft-backup.jsonl"),
        format!("{}\n", line.to_json()),
        days_before(now, 6),
    );
}
