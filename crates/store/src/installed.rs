//! The agents and skills that are installed: in a configuration folder, in the `.claude`
//! folder of a project, or in the folder of a plugin, which all look the same.
//!
//! Deliberately not here: which projects there are.

use crate::files::{EntryKind, FileEntry, Files};
use crate::session_folder::read_bounded;
use std::path::{Path, PathBuf};

/// An agent or a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledItem {
    /// The name by which Claude Code calls it.
    pub name: String,
    /// The file that describes it.
    pub path: PathBuf,
}

/// Descriptions are written for a prompt; a larger file is something else.
const LARGEST: u64 = 1024 * 1024;
/// The most files that are looked at, and how deep folders of agents may be nested.
const MOST: usize = 2_000;
const DEEPEST: usize = 4;

/// The plugins of a configuration folder: their names, and the folders they were installed
/// in. A folder that is elsewhere, or behind a link, is left out.
pub fn installed_plugins(files: &Files, config: &Path) -> Vec<(String, PathBuf)> {
    let home = config.join("plugins");
    let text = read_bounded(files, &home.join("installed_plugins.json"), LARGEST);
    let list: Option<serde_json::Value> = text.and_then(|text| serde_json::from_str(&text).ok());
    let plugins = list.as_ref().and_then(|list| list.get("plugins")?.as_object());
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for (id, installed) in plugins.into_iter().flatten().take(MOST) {
        // One object, or since version 2 a list of them.
        let installed = installed.as_array().map_or(std::slice::from_ref(installed), Vec::as_slice);
        let name = id.split('@').next().unwrap_or(id);
        for one in installed {
            let path = one.get("installPath").and_then(serde_json::Value::as_str).map(Path::new);
            let Some(path) = path.filter(|path| is_real_folder_below(files, &home, path)) else {
                continue;
            };
            let plugin = (name.to_owned(), path.to_owned());
            if !found.contains(&plugin) {
                found.push(plugin);
            }
        }
    }
    found
}

/// Whether a path leads to a folder below another one without a link.
fn is_real_folder_below(files: &Files, top: &Path, path: &Path) -> bool {
    let Ok(rest) = path.strip_prefix(top) else { return false };
    let mut folder = top.to_owned();
    rest.components().all(|part| {
        let std::path::Component::Normal(name) = part else { return false };
        let entries = files.list_real(&folder);
        folder.push(name);
        let is_folder = |entry: &FileEntry| entry.path == folder && entry.kind == EntryKind::Folder;
        entries.iter().any(is_folder)
    })
}

/// The agents: `agents/**/*.md`, by name.
pub fn installed_agents(files: &Files, config: &Path) -> Vec<InstalledItem> {
    let mut agents = Vec::new();
    let mut folders = vec![(config.join("agents"), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in files.list_real(&folder) {
            if entry.kind == EntryKind::Folder && depth < DEEPEST {
                folders.push((entry.path, depth + 1));
            } else if let Some(stem) = markdown_stem(&entry)
                && agents.len() < MOST
            {
                agents.push(item(files, stem, entry.path.clone()));
            }
        }
    }
    sorted(agents)
}

/// The skills: `skills/NAME/SKILL.md`, by name.
pub fn installed_skills(files: &Files, config: &Path) -> Vec<InstalledItem> {
    let folders = files.list_real(&config.join("skills")).into_iter();
    let skills = folders.filter(|entry| entry.kind == EntryKind::Folder).take(MOST);
    let skills = skills.filter_map(|entry| {
        let path = entry.path.join("SKILL.md");
        files.find(&path)?;
        Some(item(files, entry.name().to_str()?.to_owned(), path))
    });
    sorted(skills.collect())
}

fn markdown_stem(entry: &FileEntry) -> Option<String> {
    let stem = entry.name().to_str()?.strip_suffix(".md")?;
    (entry.kind == EntryKind::File && !stem.is_empty()).then(|| stem.to_owned())
}

/// An item with the name that its front matter gives, otherwise that of its file.
fn item(files: &Files, usual: String, path: PathBuf) -> InstalledItem {
    let text = read_bounded(files, &path, LARGEST).unwrap_or_default();
    InstalledItem { name: front_matter_name(&text).unwrap_or(usual), path }
}

/// The `name:` of front matter.
fn front_matter_name(text: &str) -> Option<String> {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    (lines.next()?.trim_end() == "---").then_some(())?;
    let mut lines = lines.take_while(|line| line.trim_end() != "---");
    let name = lines.find_map(|line| line.strip_prefix("name:"))?;
    let name = name.trim().trim_matches(['"', '\'']).trim();
    (!name.is_empty()).then(|| name.to_owned())
}

fn sorted(mut items: Vec<InstalledItem>) -> Vec<InstalledItem> {
    items.sort_by(|one, two| (&one.name, &one.path).cmp(&(&two.name, &two.path)));
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Sandbox;

    fn names(items: &[InstalledItem]) -> Vec<&str> {
        items.iter().map(|item| item.name.as_str()).collect()
    }

    fn sandbox(files: &[(&str, &str)]) -> Sandbox {
        let sandbox = Sandbox::new();
        for (path, text) in files {
            sandbox.write(path, text);
        }
        sandbox
    }

    #[test]
    fn agents_are_named_by_their_front_matter_or_their_file() {
        let sandbox = sandbox(&[
            ("agents/reviewer.md", "---\nname: \"code-reviewer\"\n---\nReview."),
            ("agents/team/writer.md", "Write.\nname: not-this"),
            ("agents/notes.txt", "no agent"),
        ]);
        let agents = installed_agents(&Files::disk(), &sandbox.config());
        assert_eq!(names(&agents), ["code-reviewer", "writer"]);
    }

    #[test]
    fn skills_are_folders_with_a_description() {
        let sandbox = sandbox(&[
            ("skills/pdf/SKILL.md", "---\ndescription: x\n---\n"),
            ("skills/empty/README.md", ""),
        ]);
        let skills = installed_skills(&Files::disk(), &sandbox.config());
        assert_eq!(names(&skills), ["pdf"]);
    }

    #[test]
    fn plugins_are_where_the_list_of_installed_ones_says() {
        let sandbox = Sandbox::new();
        let at = |name: &str| sandbox.config().join("plugins/cache").join(name);
        let list = serde_json::json!({"version": 2, "plugins": {
            "tide@shore": [{"scope": "user", "installPath": at("shore/tide/1.0")}],
            "old@shore": {"installPath": at("shore/old/1.0")},
            "gone@shore": [{"installPath": at("shore/gone/1.0")}],
            "evil@shore": [{"installPath": "/etc"}, {"installPath": at("../../..")}, {}, 7],
            "linked@shore": [{"installPath": at("shore/linked/1.0")}],
        }});
        sandbox.write("plugins/installed_plugins.json", list.to_string());
        sandbox.write("plugins/cache/shore/tide/1.0/agents/pilot.md", "Steer.");
        sandbox.write("plugins/cache/shore/old/1.0/skills/knots/SKILL.md", "Tie.");
        sandbox.write("elsewhere/1.0/agents/spy.md", "");
        sandbox.link("plugins/cache/shore/linked", &sandbox.config().join("elsewhere"));
        let files = Files::disk();
        let mut plugins = installed_plugins(&files, &sandbox.config());
        plugins.sort();
        let expected =
            [("old".to_owned(), at("shore/old/1.0")), ("tide".to_owned(), at("shore/tide/1.0"))];
        assert_eq!(plugins, expected);
        assert_eq!(names(&installed_agents(&files, &plugins[1].1)), ["pilot"]);
        assert_eq!(names(&installed_skills(&files, &plugins[0].1)), ["knots"]);
    }

    #[test]
    fn without_folders_nothing_is_installed() {
        let sandbox = Sandbox::new();
        assert!(installed_agents(&Files::disk(), &sandbox.config()).is_empty());
        assert!(installed_skills(&Files::disk(), &sandbox.config()).is_empty());
    }
}
