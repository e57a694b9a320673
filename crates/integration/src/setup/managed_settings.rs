//! The managed settings of an organisation, which override the user's settings:
//! whether they stop hooks from running. They are only read.

use amend::ObservedFile;
use amend::settings::is_true;
use std::path::{Path, PathBuf};

/// The path of the managed settings.
const FILE: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode/managed-settings.json"
} else {
    "/etc/claude-code/managed-settings.json"
};

/// The members that stop hooks and status lines.
const MEMBERS: [&str; 2] = ["disableAllHooks", "allowManagedHooksOnly"];

/// One sentence for each managed setting that stops hooks.
pub(super) fn notes(named: Option<&Path>) -> Vec<String> {
    let file = named.unwrap_or(Path::new(FILE));
    let mut files = vec![file.to_owned()];
    // Settings of several teams are in a folder beside it.
    let folder = file.with_extension("d");
    let beside = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut beside: Vec<PathBuf> = beside.map(|entry| entry.path()).collect();
    beside.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    beside.sort();
    files.extend(beside);
    files.iter().flat_map(|file| notes_of(file)).collect()
}

fn notes_of(file: &Path) -> Vec<String> {
    let bytes = match ObservedFile::read(file) {
        Ok(seen) => seen.bytes.unwrap_or_default(),
        Err(error) => return vec![format!("cannot read the managed settings: {error}")],
    };
    let text = String::from_utf8_lossy(&bytes);
    let set = MEMBERS.into_iter().filter(|member| is_true(&text, member));
    set.map(|member| {
        let file = file.display();
        format!("{file} sets {member}: hooks and the status line will not run")
    })
    .collect()
}
