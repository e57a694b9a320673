//! What annals stores: the index, the archive, and the programs that use both inside Claude
//! Code.

use std::path::Path;

use serde_json::json;

use super::{List, Measurement, Target, Work, at_home, find, is_installed, or_nothing, reading};
use crate::bench::survey::Survey;

impl List<'_> {
    /// The index: built for the first time, its size, and searched. The warm-up run builds
    /// the index that is searched.
    pub(super) fn index(&self, indexed: &Path, bytes: Option<u64>) -> Vec<Measurement> {
        let ask = |name, arguments: &[&str], seconds| {
            at_home(indexed, or_nothing(self.annals(name, arguments, seconds)))
        };
        let build = Target::Parse { megabytes_per_second: 90.0, memory_below: 256 << 20 };
        vec![
            Measurement {
                target: build,
                bytes,
                ..or_nothing(self.annals("index/build", &["search", "--wait", "quokka"], 0.0))
            },
            ask("index/rare", &["search", "zither"], 0.020),
            ask("index/common", &["search", "the"], 0.040),
            ask("index/phrase", &["search", "\"the file\""], 0.050),
            ask("index/fields", &["search", "error", "tool:Bash", "role:tool_result"], 0.050),
            ask("index/usage", &["usage", "--json"], 0.060),
            ask("index/ls", &["ls", "--hidden", "--json", "--limit", "0"], 0.2),
            ask("index/tools", &["tools"], 0.1),
            ask("index/files", &["files"], 0.1),
            ask("index/prompts", &["prompts"], 0.1),
            Measurement {
                name: "index/size",
                shown: "index.db".to_owned(),
                work: Work::FileSize(indexed.join("index.db")),
                target: Target::SizeBelow { bytes: bytes.unwrap_or_default() * 15 / 100 },
                bytes: None,
            },
        ]
    }

    /// Archiving the store: for the first time, and again without changes.
    pub(super) fn archive(&self, archived: &Path, bytes: Option<u64>) -> Vec<Measurement> {
        let sync = |name| Measurement { bytes, ..self.annals(name, &["archive", "sync"], 0.03) };
        // The warm-up run is the first sync of this folder.
        let again =
            |name, arguments: &[&str]| at_home(archived, self.annals(name, arguments, 0.03));
        let target = Target::Parse { megabytes_per_second: 80.0, memory_below: 128_000_000 };
        let mut rows = vec![
            Measurement { target, ..sync("archive/first") },
            again("archive/again", &["archive", "sync"]),
            Measurement {
                target: Target::None,
                bytes,
                ..again("archive/verify", &["archive", "verify", "--deep"])
            },
        ];
        if is_installed("zstd") {
            let script = find(" -print0 | xargs -0 cat | zstd -3 -T1 -c > /dev/null");
            rows.push(self.shell("archive/zstd", &script, bytes));
        }
        rows
    }

    /// The programs that Claude Code runs: the status line and a hook of the largest
    /// session, and the MCP server up to its first answer.
    pub(super) fn inside(
        &self,
        indexed: &Path,
        archived: &Path,
        survey: &Survey,
    ) -> Vec<Measurement> {
        let Some(path) = &survey.largest_path else { return Vec::new() };
        let input = json!({
            "session_id": path.file_stem().map(|stem| stem.to_string_lossy()),
            "transcript_path": path,
            "cwd": "/",
            "hook_event_name": "SessionEnd",
            "model": {"id": "claude-opus-5-5", "display_name": "Opus 5.5"},
        });
        let greeting = json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "bench", "version": "1"},
            },
        });
        let row = |name, word| self.annals(name, &[word], 0.0);
        let below = |seconds, row| Measurement { target: Target::CpuBelow { seconds }, ..row };
        vec![
            below(
                0.015,
                at_home(
                    indexed,
                    reading(input.to_string(), row("inside/statusline", "statusline")),
                ),
            ),
            below(0.050, at_home(archived, reading(input.to_string(), row("inside/hook", "hook")))),
            below(0.030, reading(format!("{greeting}\n"), row("inside/mcp", "mcp"))),
        ]
    }
}
