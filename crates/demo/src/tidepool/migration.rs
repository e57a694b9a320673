//! A plan, a rewind and a fork. The person approved a plan, went one step too
//! far, rewound, and tried the other way in a fork.

use jiff::Timestamp;

use super::setting;
use crate::exchange::Piece::{Say, Think};
use crate::files::{Files, days_before, later};
use crate::identity::{directory, project_folder, session};
use crate::object::Object;
use crate::tools;
use crate::transcript::{Setting, Transcript};

const SLUG: &str = "quiet-drifting-harbour";
const PROMPT: &str = "Plan the move of the station files into SQLite. No downtime, please.";
const PLAN: &str = "\
# Move station files into SQLite

1. Add `stations.db` beside `data/stations/*.json`; read from both, write to both.
2. Copy the 312 files once, in one transaction; compare counts and checksums.
3. Read from the database only, keep writing both for a week.
4. Remove the files.

Each step is one deployment, and each can be undone by deploying the one before.
";
const SWITCHED: &str = "    let station = match settings.stations_from {
        Source::Database => Database::station(id).await?,
        Source::Files => Files::station(id)?,
    };
";

pub(super) fn add_sessions(files: &mut Files, now: Timestamp) {
    let folder = project_folder(directory::TIDEPOOL);
    let start = days_before(now, 3);
    let setting = Setting { slug: Some(SLUG), ..setting(session::MIGRATION, "main") };

    let mut log = Transcript::new(setting, start);
    opening(&mut log);
    files.add(format!("plans/{SLUG}.md"), PLAN, log.now());
    // The step too far. The SDKs still show it; the app does not.
    let before = log.leaf();
    log.wait(200);
    log.prompt("Never mind the steps, just remove the old files now.");
    log.work(
        &[],
        &[tools::bash("git rm -r --quiet data/stations", "Remove the station files", "")],
    );
    log.reply(&[Say(
        "The 312 files are gone, and with them the way back. I would not deploy this.",
    )]);
    log.turn_duration();
    log.ai_title("Plan the move of stations to SQLite");
    let rewind =
        Object::new().with("lastPrompt", PROMPT).with("leafUuid", before).with("explicit", true);
    log.state("last-prompt", &rewind);
    files.add_transcript(format!("{folder}/{}.jsonl", session::MIGRATION), log);

    let mut fork = Transcript::fork_of(setting, session::MIGRATION_FORK, start);
    opening(&mut fork);
    fork.end_replay();
    fork.wait_until(later(start, 4 * 3_600_000));
    let last = "Keep the files behind a flag for one release instead.";
    fork.prompt(last);
    fork.work(
        &[Think(
            "A flag that only decides what is read. Writes keep going to both, so \
            switching back loses nothing.",
        )],
        &[tools::edit(
            "/home/ada/tidepool/src/stations.rs",
            9,
            "    let station = Database::station(id).await?;\n",
            SWITCHED,
            "// stations.rs, shortened\n",
        )],
    );
    fork.reply(&[Say("`stations_from = \"files\"` switches back without a deployment. I'd \
        remove it with the release after next.")]);
    fork.turn_duration();
    fork.custom_title("Plan the move of stations to SQLite (fork)");
    fork.last_prompt(last);
    files.add_transcript(format!("{folder}/{}.jsonl", session::MIGRATION_FORK), fork);
}

/// What both have in common.
fn opening(log: &mut Transcript) {
    log.state("permission-mode", &Object::new().with("permissionMode", "plan"));
    let mode = Object::new().with("permissionMode", "plan");
    log.add_typed_prompt(PROMPT);
    log.prompt_with(PROMPT.into(), &mode);
    log.work(
        &[],
        &[
            tools::bash(
                "ls data/stations | wc -l && du -sh data/stations",
                "Count the station files",
                "312\n4.6M\tdata/stations",
            ),
            tools::grep(
                "stations/",
                "/home/ada/tidepool/src",
                &[
                    "src/stations.rs:9:    let path = data.join(\"stations\").join(id);",
                    "src/admin.rs:44:    write_json(data.join(\"stations\"), &station)?;",
                ],
            ),
        ],
    );
    log.work(
        &[Say("One reader, one writer, 312 files. Four small steps will do.")],
        &[tools::exit_plan(PLAN, SLUG)],
    );
    log.reply(&[Say(
        "Then step 1 is next: reading and writing both. It changes two functions and nothing \
            anyone can see.",
    )]);
}
