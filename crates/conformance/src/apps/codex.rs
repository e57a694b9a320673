//! Codex: `thread/list` and `thread/read` against the reader of rollout files.
//!
//! The program shows less than the files hold: of the commands only those whose end it wrote
//! as an event or an item. What it shows has to be among the entries, in the same order; the
//! other calls are left out of the comparison.

mod compare;
mod generated;
mod home;
mod items;
mod usage;

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::findings::Findings;
use super::programs::CODEX;
use super::{Bench, copy_folder};
use compare::Databases::Rebuilt;
use compare::compare_home;

/// The corpora that are homes of Codex.
const HOMES: [&str; 2] = ["codex", "codex-migrated"];

pub(super) fn compare(bench: &Bench<'_>, findings: &mut Findings) -> Result<()> {
    usage::compare_truths(bench, findings)?;
    let Some(program) = bench.programs.find(CODEX, "lists and conversations of Codex") else {
        return Ok(());
    };
    for name in HOMES {
        if let Some(home) = bench.corpus(name) {
            compare_home(bench, &program, &home, &format!("corpus {name}"), Rebuilt, findings)?;
        }
    }
    if let Some(files) = bench.corpus("codex-old") {
        let home = bench.folder("codex-old")?;
        make_home(&files, &home)?;
        compare_home(bench, &program, &home, "corpus codex-old", Rebuilt, findings)?;
    }
    generated::compare(bench, &program, findings)
}

/// Puts loose files of old versions where the program looks for them, with ids as it writes
/// them.
fn make_home(files: &Path, home: &Path) -> Result<()> {
    let loose = home.with_extension("loose");
    copy_folder(files, &loose)?;
    let day = home.join("sessions/2025/10/30");
    fs::create_dir_all(&day)?;
    let sources = super::files_below(&loose)?;
    let rollouts =
        sources.iter().filter(|(_, path)| path.extension().is_some_and(|end| end == "jsonl"));
    for (number, (_, path)) in (1..).zip(rollouts) {
        let id = format!("019a0000-0000-7000-8000-{number:012}");
        let text = fs::read_to_string(path)?;
        let own = text.split_once(r#""id":""#).and_then(|(_, rest)| rest.split_once('"'));
        let text = match own {
            Some((own, _)) => text.replace(own, &id),
            None => text.clone(),
        };
        fs::write(day.join(format!("rollout-2025-10-30T10-00-0{number}-{id}.jsonl")), text)?;
    }
    Ok(fs::remove_dir_all(loose)?)
}
