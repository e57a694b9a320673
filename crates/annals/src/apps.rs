//! Which apps besides Claude Code are read, and where they keep their sessions.
//!
//! An app is read if its folder exists and neither `--app` nor `[apps]` in the configuration
//! says otherwise. What is served to agents is narrower: only apps that `[apps]` names.

use crate::configuration::Configuration;
use crate::environment::Environment;
use crate::failure::CliError;
use library::apps::{App, AppHome};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The section `[apps]`: whether each app is read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct AppSettings(BTreeMap<String, bool>);

impl AppSettings {
    fn of(&self, app: App) -> Option<bool> {
        self.0.get(app.name()).copied()
    }

    /// Whether somebody reads an app.
    fn admits(&self, app: App, reader: AppReader) -> bool {
        let usual = app == App::Claude || reader == AppReader::Person;
        let is_possible = app == App::Claude || reader != AppReader::ClaudeCode;
        is_possible && self.of(app).unwrap_or(usual)
    }

    /// An error for a name that no app has.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        self.0.keys().try_for_each(|name| parse_app(name).map(drop).map_err(Into::into))
    }
}

/// Who reads the sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AppReader {
    /// The person, with every app that is not switched off.
    Person,
    /// Somebody else, with the apps that are switched on.
    Others,
    /// Something that is about Claude Code alone.
    ClaudeCode,
}

/// The apps that are read, from options and configuration.
#[derive(Clone, Debug)]
pub(crate) struct ChosenApps {
    /// Whether Claude Code is among them.
    pub(crate) has_claude: bool,
    /// The others.
    pub(crate) homes: Vec<AppHome>,
}

impl ChosenApps {
    pub(crate) fn resolve(
        asked: &[String],
        roots: &[PathBuf],
        reader: AppReader,
        environment: &Environment,
        configuration: &Configuration,
    ) -> anyhow::Result<ChosenApps> {
        let settings = &configuration.apps;
        configuration.blame(settings.check())?;
        let mut asked = asked.iter().map(|name| parse_app(name)).collect::<Result<Vec<_>, _>>()?;
        asked.sort_unstable();
        asked.dedup();
        if let Some(app) = asked.iter().find(|app| !settings.admits(**app, reader)) {
            return Err(switched_off(*app, reader).into());
        }
        let is_asked = |app: App| asked.is_empty() || asked.contains(&app);
        let has_claude = is_asked(App::Claude) && settings.admits(App::Claude, reader);
        let private = environment.data_home().map(|home| home.join("apps"));
        let home_of = |app: App, path: PathBuf| AppHome {
            app,
            path,
            database: None,
            private: private.clone(),
        };
        if !roots.is_empty() {
            // The folders that were named belong to the app that was named.
            let homes = match asked[..] {
                [] | [App::Claude] => Vec::new(),
                [app] => roots.iter().map(|root| home_of(app, absolute(root))).collect(),
                _ => {
                    let message = "--root with several apps: pass one --app NAME";
                    return Err(CliError::Misuse(message.to_owned()).into());
                }
            };
            return Ok(ChosenApps { has_claude: homes.is_empty(), homes });
        }
        let homes = App::ALL.into_iter().filter(|app| *app != App::Claude);
        let homes = homes.filter(|app| is_asked(*app) && settings.admits(*app, reader));
        let homes = homes.filter_map(|app| {
            let path = folder_of(app, environment)?;
            let database = database_of(app, environment, &path);
            Some(AppHome { database, ..home_of(app, path) })
        });
        Ok(ChosenApps { has_claude, homes: homes.collect() })
    }
}

/// Refuses to read nothing in silence.
fn switched_off(app: App, reader: AppReader) -> CliError {
    let name = app.name();
    CliError::Misuse(match reader {
        AppReader::Person => {
            format!(
                "--app {name}: the configuration switches it off\nhint: {name} = true in [apps]"
            )
        }
        _ => format!("--app {name} is served only if {name} = true stands in [apps]"),
    })
}

/// The app with a name.
fn parse_app(name: &str) -> Result<App, CliError> {
    App::from_name(name).ok_or_else(|| {
        let names = App::ALL.map(App::name).join(", ");
        CliError::Misuse(format!("unknown app {name:?}: use one of {names}"))
    })
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The database that the person's environment names for OpenCode. A name without a folder is in
/// the app's own; `:memory:` is not a file.
fn database_of(app: App, environment: &Environment, folder: &Path) -> Option<PathBuf> {
    let named = environment.opencode_database.as_ref().filter(|_| app == App::OpenCode)?;
    (named != Path::new(":memory:")).then(|| folder.join(named))
}

/// The folder of an app, by the variables that the app itself obeys.
fn folder_of(app: App, environment: &Environment) -> Option<PathBuf> {
    let home = environment.home.as_ref();
    let of_home = |name: &str| home.map(|home| home.join(name));
    let folder = match app {
        App::Codex => environment.codex_home.clone().or_else(|| of_home(".codex")),
        App::Copilot => environment.copilot_home.clone().or_else(|| of_home(".copilot")),
        App::Gemini => {
            let above = environment.gemini_cli_home.as_ref().or(home);
            above.map(|above| above.join(".gemini"))
        }
        App::OpenCode => {
            let above = environment.xdg_data_home.clone().filter(|path| path.is_absolute());
            above.or_else(|| of_home(".local/share")).map(|above| above.join("opencode"))
        }
        App::Pi => of_home(".pi/agent"),
        _ => None,
    };
    folder.map(|folder| absolute(&folder))
}
