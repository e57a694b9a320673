//! The environment, read once.

#![expect(clippy::disallowed_methods, reason = "this is the one module that reads the environment")]

use crate::allocator::SETTINGS;
use jiff::Timestamp;
use std::ffi::OsString;
use std::path::PathBuf;
use store::PathCase;

/// The environment variables. Empty ones count as not set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    pub(crate) home: Option<PathBuf>,
    pub(crate) claude_config_dir: Option<PathBuf>,
    pub(crate) project_dir_name: Option<String>,
    pub(crate) xdg_config_home: Option<PathBuf>,
    pub(crate) xdg_data_home: Option<PathBuf>,
    pub(crate) annals_home: Option<PathBuf>,
    /// The folders of other apps, by the variables of those.
    pub(crate) codex_home: Option<PathBuf>,
    pub(crate) copilot_home: Option<PathBuf>,
    pub(crate) gemini_cli_home: Option<PathBuf>,
    /// The database of OpenCode, as its variable names it.
    pub(crate) opencode_database: Option<PathBuf>,
    pub(crate) session: Option<String>,
    /// Whether an agent runs the command: no pager, no colour, short output.
    pub(crate) is_agent: bool,
    pub(crate) no_color: bool,
    /// Whether the terminal supports plain text only.
    pub(crate) is_dumb: bool,
    pub(crate) columns: Option<usize>,
    pub(crate) lines: Option<usize>,
    pub(crate) pager: Option<String>,
    /// The browser, or several separated by colons.
    pub(crate) browser: Option<String>,
    /// The folders in which programs are searched.
    pub(crate) search_path: Option<OsString>,
    /// The running program.
    pub(crate) executable: Option<PathBuf>,
    /// The managed settings of an organisation, if a test sets their path.
    pub(crate) managed_settings: Option<PathBuf>,
    /// The managed configuration of annals, if a test sets its path.
    pub(crate) managed_configuration: Option<PathBuf>,
    /// The name of the person's account.
    pub(crate) user: Option<String>,
    /// The time zone that the environment sets.
    pub(crate) zone: Option<OsString>,
    /// Whether it sets another time zone database.
    pub(crate) has_zone_database: bool,
    /// Whether the environment sets how glibc divides memory among threads.
    pub(crate) has_arenas_set: bool,
    /// Whether those settings are annals' own, from when it began again.
    pub(crate) has_own_arenas: bool,
    /// The current time, if a test or a demonstration sets it.
    pub(crate) now: Option<Timestamp>,
    /// How paths are compared, if a test sets it.
    pub(crate) path_case: PathCase,
}

impl Environment {
    pub(crate) fn read() -> Self {
        let text = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let path = |name: &str| {
            std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
        };
        let claude_config_dir = path("CLAUDE_CONFIG_DIR");
        Environment {
            home: path("HOME"),
            // Claude Code uses this only together with `CLAUDE_CONFIG_DIR`.
            project_dir_name: claude_config_dir
                .as_ref()
                .and_then(|_| text("CLAUDE_CODE_PROJECT_DIR_NAME")),
            claude_config_dir,
            xdg_config_home: path("XDG_CONFIG_HOME"),
            xdg_data_home: path("XDG_DATA_HOME"),
            annals_home: path("ANNALS_HOME"),
            codex_home: path("CODEX_HOME"),
            copilot_home: path("COPILOT_HOME"),
            gemini_cli_home: path("GEMINI_CLI_HOME"),
            opencode_database: path("OPENCODE_DB"),
            session: text("CLAUDE_CODE_SESSION_ID").or_else(|| text("CLAUDE_SESSION_ID")),
            is_agent: text("CLAUDECODE").or_else(|| text("ANNALS_AGENT")).is_some(),
            is_dumb: text("TERM").as_deref() == Some("dumb"),
            no_color: text("NO_COLOR").is_some() || text("TERM").as_deref() == Some("dumb"),
            columns: text("COLUMNS").and_then(|columns| columns.parse().ok()),
            lines: text("LINES").and_then(|lines| lines.parse().ok()),
            pager: text("ANNALS_PAGER").or_else(|| text("PAGER")),
            browser: text("BROWSER"),
            search_path: std::env::var_os("PATH"),
            executable: std::env::current_exe().ok(),
            managed_settings: path("ANNALS_MANAGED_SETTINGS"),
            managed_configuration: path("ANNALS_MANAGED_CONFIG"),
            user: text("USER").or_else(|| text("LOGNAME")),
            zone: std::env::var_os("TZ"),
            has_zone_database: std::env::var_os("TZDIR").is_some(),
            has_arenas_set: std::env::var_os("MALLOC_ARENA_MAX").is_some(),
            has_own_arenas: SETTINGS
                .iter()
                .all(|(name, value)| std::env::var_os(name).is_some_and(|set| set == *value)),
            now: text("ANNALS_NOW").and_then(|now| now.parse().ok()),
            path_case: match text("ANNALS_PATH_CASE").as_deref() {
                Some("exact") => PathCase::Exact,
                Some("folded") => PathCase::Folded,
                _ => PathCase::default(),
            },
        }
    }

    /// The configuration folder.
    pub(crate) fn config_home(&self) -> Option<PathBuf> {
        let default = || self.home.as_ref().map(|home| home.join(".config"));
        self.xdg_config_home.clone().filter(|path| path.is_absolute()).or_else(default)
    }

    /// The data folder of annals.
    pub(crate) fn data_home(&self) -> Option<PathBuf> {
        if let Some(path) = &self.annals_home {
            return std::path::absolute(path).ok();
        }
        let default = || self.home.as_ref().map(|home| home.join(".local/share"));
        let above = self.xdg_data_home.clone().filter(|path| path.is_absolute()).or_else(default);
        above.map(|above| above.join("annals"))
    }
}
