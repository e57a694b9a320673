//! The managed settings of an organisation, which override the user's settings:
//! whether they stop hooks from running. They are only read.

use crate::platform::{System, property_list_as_json};
use amend::ObservedFile;
use amend::settings::is_true;
use std::path::{Path, PathBuf};

/// The members that stop hooks and status lines.
const MEMBERS: [&str; 2] = ["disableAllHooks", "allowManagedHooksOnly"];

/// One sentence for each managed setting that stops hooks: in the named file, or where the
/// system has them.
pub(super) fn notes(named: Option<&Path>, home: Option<&Path>) -> Vec<String> {
    if let Some(named) = named {
        return notes_of_files(named);
    }
    let system = System::current();
    let mut notes = notes_of_files(system.managed_settings());
    notes.extend(notes_of_lists(&system.managed_preferences(home), property_list_as_json));
    notes
}

/// The same for property lists, which a function converts to JSON.
fn notes_of_lists(lists: &[PathBuf], as_json: impl Fn(&Path) -> Option<String>) -> Vec<String> {
    let texts = lists.iter().filter_map(|list| Some((list, as_json(list)?)));
    texts.flat_map(|(list, text)| notes_of_text(list, &text)).collect()
}

/// The same for a file and the folder beside it.
fn notes_of_files(file: &Path) -> Vec<String> {
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
    notes_of_text(file, &String::from_utf8_lossy(&bytes))
}

fn notes_of_text(file: &Path, text: &str) -> Vec<String> {
    let set = MEMBERS.into_iter().filter(|member| is_true(text, member));
    set.map(|member| {
        let file = file.display();
        format!("{file} sets {member}: hooks and the status line will not run")
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_device_management_are_read() {
        let lists = System::MacOs.managed_preferences(Some(Path::new("/Users/ada")));
        // As `plutil` prints the property list.
        let as_json = |list: &Path| {
            let is_own = list.parent().is_some_and(|folder| folder.ends_with("ada"));
            is_own.then(|| r#"{"disableAllHooks":true,"model":"opus"}"#.to_owned())
        };
        assert_eq!(
            notes_of_lists(&lists, as_json),
            [
                "/Library/Managed Preferences/ada/com.anthropic.claudecode.plist sets disableAllHooks: hooks and the status line will not run"
            ]
        );
        assert_eq!(notes_of_lists(&lists, |_| None), Vec::<String>::new());
    }
}
