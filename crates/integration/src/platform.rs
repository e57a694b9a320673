//! What differs between systems. Each function gets the system as an argument, so that tests on
//! any machine can ask about every system.

use std::path::{Path, PathBuf};

/// An operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    /// Linux, and systems like it.
    Linux,
    /// macOS.
    MacOs,
}

impl System {
    /// The system that runs this program.
    pub(crate) const fn current() -> System {
        if cfg!(target_os = "macos") { System::MacOs } else { System::Linux }
    }

    /// Whether every member of a group can become root anyway.
    pub(crate) fn is_group_of_administrators(self, group: u32) -> bool {
        match self {
            System::Linux => group == 0,
            // `wheel` and `admin`.
            System::MacOs => matches!(group, 0 | 80),
        }
    }

    /// Whether `/etc/passwd` and `/etc/group` list the people of the system. On macOS they are
    /// in a directory service, and every one of them is in `staff`, which looks empty in the
    /// file.
    pub(crate) fn lists_people_in_files(self) -> bool {
        self == System::Linux
    }

    /// The file with the settings that an organisation manages for Claude Code.
    pub(crate) fn managed_settings(self) -> &'static Path {
        Path::new(match self {
            System::Linux => "/etc/claude-code/managed-settings.json",
            System::MacOs => "/Library/Application Support/ClaudeCode/managed-settings.json",
        })
    }

    /// The property lists through which device management (MDM) sets Claude Code's settings:
    /// for everybody, and for the owner of this home.
    pub(crate) fn managed_preferences(self, home: Option<&Path>) -> Vec<PathBuf> {
        const FOLDER: &str = "/Library/Managed Preferences";
        const LIST: &str = "com.anthropic.claudecode.plist";
        if self != System::MacOs {
            return Vec::new();
        }
        let person = home.and_then(Path::file_name);
        let own = person.map(|person| Path::new(FOLDER).join(person).join(LIST));
        [Path::new(FOLDER).join(LIST)].into_iter().chain(own).collect()
    }
}

/// A property list as JSON; `None` if it does not exist or cannot be read. Most are binary, and
/// `plutil` is a part of macOS.
pub(crate) fn property_list_as_json(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let output = std::process::Command::new("/usr/bin/plutil")
        .args(["-convert", "json", "-o", "-", "--"])
        .arg(path)
        .stdin(std::process::Stdio::null())
        .output()
        .ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether `launchctl bootout` failed only because the agent is not loaded, judging by its exit
/// status and output.
pub(crate) fn is_not_loaded(failure: &str) -> bool {
    ["3: No such process", "113: Could not find", "Could not find service"]
        .iter()
        .any(|reason| failure.contains(reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_that_is_not_loaded_is_distinguished_from_other_failures() {
        let table = [
            ("exit status: 3: Boot-out failed: 3: No such process", true),
            ("exit status: 113: Boot-out failed: 113: Could not find specified service", true),
            (
                "exit status: 113: Could not find service \"annals.archive\" in domain for user gui: 501",
                true,
            ),
            ("exit status: 1: Boot-out failed: 1: Operation not permitted", false),
            ("exit status: 5: Boot-out failed: 5: Input/output error", false),
            (
                "exit status: 125: Boot-out failed: 125: Domain does not support specified action",
                false,
            ),
            ("launchctl is not on PATH", false),
        ];
        for (failure, expected) in table {
            assert_eq!(is_not_loaded(failure), expected, "{failure}");
        }
    }

    #[test]
    fn only_macos_has_managed_preferences() {
        let home = Some(Path::new("/Users/ada"));
        let lists = System::MacOs.managed_preferences(home);
        let expected = [
            "/Library/Managed Preferences/com.anthropic.claudecode.plist",
            "/Library/Managed Preferences/ada/com.anthropic.claudecode.plist",
        ];
        assert_eq!(lists, expected.map(PathBuf::from));
        assert_eq!(System::Linux.managed_preferences(home), Vec::<PathBuf>::new());
        assert_eq!(property_list_as_json(Path::new("/nowhere.plist")), None);
    }
}
