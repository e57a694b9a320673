//! Arguments, environment and configuration, resolved: what a command was asked to do.
//!
//! Reads the configuration file and nothing else. Deliberately not here: stores, which
//! [`Context`](crate::context::Context) opens as these settings say; no process is started and no network read.

use crate::apps::{AppReader, ChosenApps};
use crate::cli::{Color, Command, GlobalArgs, Redact};
use crate::configuration::Configuration;
use crate::environment::Environment;
use crate::failure::CliError;
use crate::lake_view::LakeScope;
use crate::output::Format;
use crate::zone;
use anyhow::Context as _;
use document::LakeQuestion;
use globset::{Glob, GlobSet, GlobSetBuilder};
use integration::SearchPath;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use redact::Level;
use std::path::PathBuf;
use store::RootOrigin;
use usage::Budget;

/// What a command was asked to do.
pub(crate) struct Settings {
    pub(crate) environment: Environment,
    pub(crate) configuration: Configuration,
    pub(crate) format: Format,
    pub(crate) zone: TimeZone,
    pub(crate) now: Timestamp,
    /// `--color`, otherwise that of the configuration.
    pub(crate) color: Option<Color>,
    pub(crate) no_pager: bool,
    /// The folders in which programs are searched.
    pub(crate) search_path: SearchPath,
    /// How texts are masked, if they are.
    pub(crate) masking: Option<Level>,
    /// The current folder; with `--demo`, the project of the demo store.
    pub(crate) here: PathBuf,
    /// The configuration folder that Claude Code itself would use.
    pub(crate) claude_folder: Option<PathBuf>,
    /// The folder for configuration of all programs.
    pub(crate) config_home: Option<PathBuf>,
    /// The stores named with `--root`.
    pub(crate) named_roots: Vec<PathBuf>,
    /// The stores of this machine; none if only other apps are asked for.
    pub(crate) roots: Vec<(PathBuf, RootOrigin)>,
    pub(crate) apps: ChosenApps,
    /// Working directories and transcripts that are ignored.
    pub(crate) exclude: GlobSet,
    /// Folders that moved: (the recorded path, the present path).
    pub(crate) aliases: Vec<(String, String)>,
    /// The session that runs this command, if one does.
    pub(crate) current_session: Option<String>,
    /// Whether `--current-session` names it.
    pub(crate) is_session_named: bool,
    pub(crate) no_index: bool,
    /// Whether archived sessions of other stores are left out.
    pub(crate) own_only: bool,
    pub(crate) is_demo: bool,
    /// The lake that is read in place of this machine, and what of it.
    pub(crate) lake: Option<(LakeScope, LakeQuestion)>,
}

impl Settings {
    pub(crate) fn resolve(
        global: &GlobalArgs,
        command: Option<&Command>,
        environment: Environment,
    ) -> anyhow::Result<Self> {
        let configuration = Configuration::read(&environment)?;
        let format = match (global.json, global.jsonl, global.csv) {
            (true, _, _) => Format::Json,
            (_, true, _) => Format::Jsonl,
            (_, _, true) => Format::Csv,
            _ => Format::Text,
        };
        let zone = match (&global.timezone, &configuration.timezone) {
            (Some(name), _) => zone::named(name)?,
            (None, Some(name)) => configuration.blame(zone::named(name))?,
            (None, None) => zone::of_system(&environment),
        };
        if global.demo && !global.root.is_empty() {
            let message = "--demo and --root cannot be combined\nhint: --demo reads the demo store, --root DIR another one";
            return Err(CliError::Misuse(message.to_owned()).into());
        }
        let lake = command.and_then(Command::lake);
        let reader = command.map_or(AppReader::Person, Command::app_reader);
        let mut apps =
            ChosenApps::resolve(&global.app, &global.root, reader, &environment, &configuration)?;
        let has_others = !apps.has_claude || !apps.homes.is_empty();
        if global.demo && !global.app.is_empty() && has_others {
            let message = format!(
                "--demo has only sessions of Claude Code: --app {} finds none\nhint: leave out --app or --demo",
                global.app.join(" --app ")
            );
            return Err(CliError::Misuse(message).into());
        }
        let is_elsewhere = global.demo || lake.is_some();
        if is_elsewhere {
            apps = ChosenApps { has_claude: true, homes: Vec::new() };
        }
        let roots = if is_elsewhere || !apps.has_claude {
            Vec::new()
        } else {
            roots(global, &environment, &configuration)?
        };
        let masks = environment.is_agent || command.is_some_and(Command::masks_by_default);
        let by_default = if masks { Redact::On } else { Redact::Off };
        Ok(Settings {
            format,
            zone,
            now: environment.now.unwrap_or_else(Timestamp::now),
            color: global.color.or(configuration.color),
            no_pager: global.no_pager,
            search_path: SearchPath::new(environment.search_path.clone()),
            masking: match global.redact.unwrap_or(by_default) {
                Redact::Off => None,
                Redact::On => Some(Level::Standard),
                Redact::Strict => Some(Level::Strict),
            },
            here: if global.demo {
                PathBuf::from(demo::PROJECT)
            } else {
                std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"))
            },
            claude_folder: environment
                .claude_config_dir
                .clone()
                .or_else(|| environment.home.as_ref().map(|home| home.join(".claude"))),
            config_home: environment.config_home(),
            named_roots: global.root.clone(),
            roots,
            exclude: match lake {
                // Folders of this machine say nothing about those of others.
                Some(_) => GlobSet::empty(),
                None => exclude(&configuration, &global.exclude)?,
            },
            aliases: aliases(&configuration, &global.alias)?,
            current_session: global.current_session.clone().or(environment.session.clone()),
            is_session_named: global.current_session.is_some(),
            no_index: global.no_index,
            own_only: command.is_some_and(Command::serves_own_only)
                || (!apps.has_claude && !global.root.is_empty()),
            apps,
            is_demo: global.demo,
            lake,
            environment,
            configuration,
        })
    }

    /// The budget of the configuration.
    pub(crate) fn budget(&self) -> Budget {
        self.configuration.budget.budget()
    }

    /// The age beyond which sessions are not archived: the requested one, otherwise
    /// the one of the configuration.
    pub(crate) fn max_age(&self, asked: Option<&str>) -> anyhow::Result<Option<SignedDuration>> {
        match (asked, &self.configuration.archive.max_age) {
            (Some(text), _) => Ok(Some(library::time_expression::parse_age(text)?)),
            (None, Some(text)) => {
                let parsed = library::time_expression::parse_age(text);
                let path = self.configuration.path.display();
                parsed.map(Some).with_context(|| format!("invalid configuration file {path}"))
            }
            (None, None) => Ok(None),
        }
    }
}

fn aliases(
    configuration: &Configuration,
    flags: &[String],
) -> Result<Vec<(String, String)>, CliError> {
    let named = flags.iter().map(|alias| match alias.split_once('=') {
        Some((old, new)) => Ok((old.to_owned(), new.to_owned())),
        None => Err(CliError::Misuse(format!("invalid --alias {alias:?}: use OLD=NEW"))),
    });
    configuration.aliases.clone().into_iter().map(Ok).chain(named).collect()
}

fn exclude(configuration: &Configuration, flags: &[String]) -> anyhow::Result<GlobSet> {
    let glob = |pattern: &String| {
        Glob::new(pattern).with_context(|| format!("invalid exclude pattern {pattern:?}"))
    };
    let mut builder = GlobSetBuilder::new();
    for pattern in &configuration.exclude {
        builder.add(configuration.blame(glob(pattern))?);
    }
    for pattern in flags {
        builder.add(glob(pattern)?);
    }
    builder.build().context("invalid exclude patterns")
}

fn roots(
    global: &GlobalArgs,
    environment: &Environment,
    configuration: &Configuration,
) -> anyhow::Result<Vec<(PathBuf, RootOrigin)>> {
    let mut roots: Vec<(PathBuf, RootOrigin)> = Vec::new();
    if global.root.is_empty() {
        if let Some(path) = &environment.claude_config_dir {
            roots.push((path.clone(), RootOrigin::Environment));
        } else {
            roots.extend(
                environment.home.iter().map(|home| (home.join(".claude"), RootOrigin::Home)),
            );
            roots.extend(
                environment.config_home().map(|home| (home.join("claude"), RootOrigin::Legacy)),
            );
        }
        roots.extend(
            configuration.roots.iter().map(|path| (path.clone(), RootOrigin::Configuration)),
        );
    } else {
        roots.extend(global.root.iter().map(|path| (path.clone(), RootOrigin::Flag)));
    }
    roots
        .into_iter()
        .map(|(path, origin)| {
            let absolute = std::path::absolute(&path)
                .with_context(|| format!("invalid path {}", path.display()))?;
            Ok((absolute, origin))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::Parser as _;

    fn resolved(arguments: &[&str]) -> anyhow::Result<Settings> {
        let cli = Cli::try_parse_from(arguments).expect("a command");
        let home = PathBuf::from("/nowhere/ada");
        let environment = Environment { home: Some(home), ..Environment::default() };
        Settings::resolve(&cli.global, cli.command.as_ref(), environment)
    }

    #[test]
    fn settings_of_a_lake_and_of_the_demo_are_resolved_without_opening_either() {
        let lake = resolved(&["annals", "usage", "--lake=org"]).expect("settings");
        assert!(lake.lake.is_some(), "which would need annals-lake to be opened");
        assert!(lake.roots.is_empty(), "the stores of this machine are not read beside it");
        let demo = resolved(&["annals", "--demo", "ls"]).expect("settings");
        assert!(demo.is_demo && demo.roots.is_empty());
        assert_eq!(demo.here, PathBuf::from(demo::PROJECT));
    }

    #[test]
    fn flags_that_contradict_each_other_are_refused_before_anything_is_opened() {
        let refused = |arguments: &[&str]| resolved(arguments).err().map(|error| error.to_string());
        let both = refused(&["annals", "--demo", "--root", "/x", "ls"]);
        assert!(both.is_some_and(|text| text.contains("cannot be combined")));
        let other = refused(&["annals", "--demo", "--app", "codex", "ls"]);
        assert!(other.is_some_and(|text| text.contains("--app codex finds none")));
        let alias = refused(&["annals", "--alias", "nothing", "ls"]);
        assert!(alias.is_some_and(|text| text.contains("use OLD=NEW")));
    }
}
