//! Programs that annals is compared with: the minimum the job needs, and other tools.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{List, Measurement, find, is_installed, reference};

/// How much of the store the slow Python reference reads.
const PYTHON_BYTES: u64 = 50_000_000;

const PYTHON_SCRIPT: &str = "\
import json, os, sys
left = int(sys.argv[2])
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        if name.endswith('.jsonl') and left > 0:
            for line in open(os.path.join(folder, name), 'rb'):
                left -= len(line)
                if left <= 0: break
                try: json.loads(line)
                except ValueError: pass
";

impl List<'_> {
    /// Only listing: the same condition as in `find`, without a shell.
    pub(super) fn find(&self) -> Measurement {
        let mut command: Vec<OsString> = vec!["find".into(), self.store.into()];
        command.extend(["-type", "f", "-name", "*.jsonl", "-size", "+0"].map(OsString::from));
        reference("ls/find", &find("").replace("\"$0\"", "STORE"), command, None)
    }

    /// A reference that needs a pipe: `sh` with the store as `$0`.
    pub(super) fn shell(
        &self,
        name: &'static str,
        script: &str,
        bytes: Option<u64>,
    ) -> Measurement {
        let command: [OsString; 4] = ["sh".into(), "-c".into(), script.into(), self.store.into()];
        reference(name, &script.replace("\"$0\"", "STORE"), command, bytes)
    }

    /// Other counters of usage, where they are installed.
    pub(super) fn peers(&self, bytes: Option<u64>) -> Vec<Measurement> {
        // Both write files or use the network, so they get a separate folder and store.
        const CCOST: &str = "cd \"$(mktemp -d)\" && ccost --claude-dir \"$0\" --per model --cost decimal --output json --filename o.json";
        const CCUSAGE: &str = "CLAUDE_CONFIG_DIR=\"$0\" ccusage claude daily --offline --json";
        let peers = [("usage/ccost", "ccost", CCOST), ("usage/ccusage", "ccusage", CCUSAGE)];
        let installed = peers.into_iter().filter(|(_, program, _)| is_installed(program));
        installed.map(|(name, _, script)| self.shell(name, script, bytes)).collect()
    }

    /// The official reader's list of the same store.
    pub(super) fn official(&self, script: &Path) -> Measurement {
        let command: [OsString; 4] =
            ["node".into(), script.into(), self.store.into(), "--no-messages".into()];
        reference("ls/official", "listSessions of the official SDK", command, None)
    }

    pub(super) fn python(&self, python: PathBuf, transcript_bytes: u64) -> Measurement {
        let command: [OsString; 5] = [
            python.into(),
            "-c".into(),
            PYTHON_SCRIPT.into(),
            self.store.into(),
            PYTHON_BYTES.to_string().into(),
        ];
        reference(
            "parse/python",
            &format!("python3 json.loads of {} MB", PYTHON_BYTES / 1_000_000),
            command,
            Some(transcript_bytes.min(PYTHON_BYTES)),
        )
    }
}
