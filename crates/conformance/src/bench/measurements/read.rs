//! What is read from every transcript: `grep` and exports.

use std::ffi::OsString;
use std::path::Path;

use super::{List, Measurement, Target, is_installed, or_nothing, reference};
use crate::bench::survey::Survey;

impl List<'_> {
    /// Patterns in every text: one that matches nothing, with and without case; one that
    /// requires no character, so that everything is decoded; one that matches everywhere.
    /// For comparison, a tool that only searches bytes, if it is installed.
    pub(super) fn grep(&self, bytes: Option<u64>) -> Vec<Measurement> {
        const RARE: &str = "quokka zither";
        const SHAPE: &str = "[A-Z]{5}[0-9]{7}";
        let or_nothing = |row| Measurement { bytes, ..or_nothing(row) };
        let rg = |name, arguments: &[&str]| {
            let files = ["--no-ignore", "--hidden", "-g", "*.jsonl"];
            let mut command: Vec<OsString> = vec!["rg".into()];
            command.extend(files.iter().chain(arguments).map(OsString::from));
            command.push(self.store.into());
            let shown = format!("rg --no-ignore --hidden {} STORE", arguments.join(" "));
            or_nothing(reference(name, &shown, command, bytes))
        };
        let own = |name, arguments: &[&str]| {
            or_nothing(self.annals(name, &[&["grep"], arguments].concat(), 2.5))
        };
        let mut rows = vec![
            own("grep/rare", &["-F", RARE]),
            own("grep/rare-any-case", &["-F", "-i", RARE]),
            own("grep/shape", &[SHAPE]),
            own("grep/common", &["-c", "the"]),
            Measurement {
                target: Target::Parse { megabytes_per_second: 50.0, memory_below: 100_000_000 },
                ..own("grep/everything", &["e", "--json"])
            },
        ];
        if is_installed("rg") {
            rows.extend([
                rg("grep/rg-rare", &["-c", "-F", RARE]),
                rg("grep/rg-rare-any-case", &["-c", "-F", "-i", RARE]),
                rg("grep/rg-shape", &["-c", SHAPE]),
                rg("grep/rg-common", &["-c", "the"]),
            ]);
        }
        rows
    }

    /// Exports: the largest session as a page, all sessions as Markdown, and a search for
    /// secrets in all sessions.
    pub(super) fn exports(&self, folder: &Path, survey: &Survey) -> Vec<Measurement> {
        let folder = folder.to_string_lossy();
        let every = ["export", "--every", "--force", "--format", "md", "--output", &*folder];
        let mut rows = vec![
            Measurement {
                shown: "annals --root STORE export --every --format md".to_owned(),
                bytes: Some(survey.transcript_bytes),
                ..self.annals("export/markdown", &every, 10.0)
            },
            Measurement {
                target: Target::Parse { megabytes_per_second: 300.0, memory_below: 128_000_000 },
                bytes: Some(survey.transcript_bytes),
                ..self.annals("export/secrets", &["doctor", "--secrets", "--json"], 0.0)
            },
        ];
        if let Some((id, bytes)) = &survey.largest_session {
            #[expect(clippy::cast_precision_loss, reason = "megabytes")]
            let seconds = 0.3 * (*bytes as f64 / 5e6).max(1.0);
            for (name, format) in [("export/html", "html"), ("export/xml", "xml")] {
                let arguments = ["export", id, "--format", format, "--output", "-"];
                rows.push(Measurement {
                    shown: format!("annals --root STORE export LARGEST --format {format}"),
                    bytes: Some(*bytes),
                    ..self.annals(name, &arguments, seconds)
                });
            }
        }
        rows
    }
}
