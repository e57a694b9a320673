//! A session with bad luck: the service overloaded, the request interrupted,
//! the call given up. The conversation goes on in a second session, which the
//! first one names in its last line.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::setting;
use crate::exchange::Piece::{Say, Think};
use crate::files::{Files, days_before, later};
use crate::identity::{directory, model, project_folder, session};
use crate::object::Object;
use crate::tools;
use crate::transcript::{Setting, Transcript};

pub(super) fn add_sessions(files: &mut Files, now: Timestamp) {
    let folder = project_folder(directory::TIDEPOOL);
    let start = days_before(now, 6);
    let mut log = Transcript::new(
        Setting { version: "2.1.207", model: model::SONNET, ..setting(session::DASHBOARD, "main") },
        start,
    );
    log.meta("What follows was typed as a command to the app, not asked of the model.");
    log.prompt(
        "<command-name>/model</command-name>\n<command-message>model</command-message>\n\
        <command-args>sonnet</command-args>",
    );
    log.prompt("The dashboard is blank in Safari. Other browsers are fine. Why?");
    log.api_error(1);
    log.api_error(2);
    log.work(
        &[Think(
            "Blank, and only there: a script error at start-up, most likely a regular expression.",
        )],
        &[tools::grep(
            "(?<=",
            "/home/ada/tidepool/web",
            &["web/format.js:7:const grouped = text.replace(/(?<=\\d)(?=(\\d{3})+$)/g, ' ');"],
        )],
    );
    log.interrupt();
    log.wait(30);
    let last = "Is that the only place?";
    log.prompt(last);
    log.api_error(1);
    give_up(&mut log);
    log.ai_title("Blank dashboard in Safari");
    log.last_prompt(last);
    let next = Object::new().with("continuedInSessionId", session::DASHBOARD_NEXT);
    log.state("continued-in", &next);
    files.add_transcript(format!("{folder}/{}.jsonl", session::DASHBOARD), log);

    let mut log = Transcript::new(
        Setting { model: model::SONNET, ..setting(session::DASHBOARD_NEXT, "main") },
        later(start, 2 * 3_600_000),
    );
    let prompt =
        "Carry on with the blank dashboard: is web/format.js the only place with a look-behind?";
    log.prompt(prompt);
    log.work(
        &[],
        &[tools::bash("grep -rn '(?<[=!]' web --include=*.js | wc -l", "Count look-behinds", "1")],
    );
    log.reply(&[Say("It is the only one. `Intl.NumberFormat` groups digits without a regular \
        expression, in every browser we support.")]);
    log.ai_title("Blank dashboard in Safari, continued");
    log.last_prompt(prompt);
    files.add_transcript(format!("{folder}/{}.jsonl", session::DASHBOARD_NEXT), log);
}

/// What the app writes in the model's place when a request keeps failing.
fn give_up(log: &mut Transcript) {
    log.tick();
    let text = "The service is overloaded (529). Ask again in a moment.";
    let message = Object::new()
        .with("model", "<synthetic>")
        .with("id", log.ids.uuid())
        .with("type", "message")
        .with("role", "assistant")
        .with("content", json!([{ "type": "text", "text": text }]))
        .with("stop_reason", "stop_sequence")
        .with("stop_sequence", "")
        .with(
            "usage",
            json!({ "input_tokens": 0, "output_tokens": 0, "service_tier": Value::Null }),
        );
    let own = Object::new()
        .with_object("message", &message)
        .with("type", "assistant")
        .with("isApiErrorMessage", true)
        .with("error", "overloaded");
    log.chain(log.leaf(), &own, &Object::new());
}
