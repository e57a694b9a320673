//! Arguments, environment and configuration, resolved into the context that a
//! command runs in.

use crate::apps::{AppReader, ChosenApps};
use crate::cli::{Color, Command, FilterArgs, GlobalArgs, Redact};
use crate::configuration::{Configuration, HookSettings, StatuslineSettings};
use crate::environment::Environment;
use crate::failure::{CliError, notice};
use crate::lake_view::LakeReading;
use crate::marks::Marks;
use crate::not_found::{explain, no_project};
use crate::output::{Format, Output, OutputOptions};
use crate::progress::Bar;
use crate::{data_home, demo_cleanup, failure, redaction, zone};
use anyhow::Context as _;
use archive::Ledger;
use demo::DemoStore;
use document::MarkDocument;
use globset::{Glob, GlobSet, GlobSetBuilder};
use integration::SearchPath;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use library::catalog::{Filter, FoundSession};
use library::time_expression::{DayEdge, TimeExpressionError};
use library::{Library, Options};
use redact::{Level, Redactor};
use std::io::IsTerminal;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};
use store::{RootOrigin, real_path};
use usage::Budget;

/// The context of a command.
pub(crate) struct Context {
    pub(crate) library: Library,
    /// Masks secrets, if requested.
    pub(crate) redactor: Option<Arc<Redactor>>,
    /// The folder of the masking key, if it may be written.
    key_home: Option<PathBuf>,
    pub(crate) output: Output,
    pub(crate) zone: TimeZone,
    pub(crate) now: Timestamp,
    /// The time, if the environment sets it: a program that runs long must not use `now`.
    pub(crate) fixed_now: Option<Timestamp>,
    /// `--color`, otherwise that of the configuration.
    pub(crate) asked_color: Option<Color>,
    /// Whether the environment asks for no colours.
    pub(crate) no_color: bool,
    /// Whether the terminal supports plain text only.
    pub(crate) is_dumb: bool,
    /// The current folder.
    pub(crate) here: PathBuf,
    pub(crate) home: Option<PathBuf>,
    /// The project folder name from `CLAUDE_CODE_PROJECT_DIR_NAME`.
    pub(crate) project_dir_name: Option<String>,
    /// The configuration folder that Claude Code itself would use.
    pub(crate) claude_folder: Option<PathBuf>,
    /// The value of `CLAUDE_CONFIG_DIR`.
    pub(crate) claude_config_dir: Option<PathBuf>,
    /// The stores named with `--root`.
    pub(crate) named_roots: Vec<PathBuf>,
    /// Whether `--current-session` names the session that runs this command.
    pub(crate) is_session_named: bool,
    /// The folder for configuration of all programs.
    pub(crate) config_home: Option<PathBuf>,
    /// The running program.
    pub(crate) executable: Option<PathBuf>,
    /// Whether the environment has settings of memory that annals made for itself.
    pub(crate) has_own_arenas: bool,
    /// The managed settings of an organisation, if not in the usual place.
    pub(crate) managed_settings: Option<PathBuf>,
    /// The managed configuration of annals, if not in the usual place.
    pub(crate) managed_configuration: Option<PathBuf>,
    /// The name of the person's account.
    pub(crate) user: Option<String>,
    /// The folders in which programs are searched.
    pub(crate) search_path: SearchPath,
    /// The browser of `export --open`, or several separated by colons.
    pub(crate) browser: Option<String>,
    /// The data folder of annals, if known.
    data_home: Option<PathBuf>,
    /// The colour setting of the configuration.
    pub(crate) color: Option<Color>,
    /// The hook settings of the configuration.
    pub(crate) hook: HookSettings,
    /// The status line settings of the configuration.
    pub(crate) statusline: StatuslineSettings,
    /// The budget of the configuration.
    pub(crate) budget: Budget,
    /// The configuration file.
    pub(crate) configuration: Configuration,
    /// `archive.max_age`, and the file that sets it.
    configured_age: Option<(String, PathBuf)>,
    /// The bookmarks, read on first use.
    marks: OnceLock<Marks>,
    /// The demo store; dropped with the context.
    demo: Option<DemoStore>,
    /// The team's lake, if it is read in place of this machine.
    pub(crate) lake: Option<LakeReading>,
}

impl Context {
    pub(crate) fn new(
        global: &GlobalArgs,
        command: Option<&Command>,
        environment: Environment,
    ) -> anyhow::Result<Self> {
        let context = Context::resolve(global, command, environment)?;
        // These wait for a store to appear.
        let is_lake = context.lake.is_some();
        if !is_lake && !command.is_some_and(Command::runs_until_stopped) {
            context.check_roots()?;
        }
        Ok(context)
    }

    /// Like `new`, without messages and without requiring a store.
    pub(crate) fn resolve(
        global: &GlobalArgs,
        command: Option<&Command>,
        environment: Environment,
    ) -> anyhow::Result<Self> {
        let configuration = Configuration::read(&environment)?;
        let now = environment.now.unwrap_or_else(Timestamp::now);
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
        // These end on signals by themselves.
        let ends_itself = command.is_some_and(Command::ends_on_signals);
        let begun = |remover| {
            if ends_itself {
                return Ok(());
            }
            demo_cleanup::remove_on_signals(&remover).context("cannot handle signals")
        };
        let demo = if global.demo { Some(DemoStore::create(now, begun)?) } else { None };
        let own_home = environment.data_home().filter(|_| demo.is_none());
        if let Some(home) = &own_home {
            // Before anything is read or written there.
            data_home::check_owner(home)?;
        }
        let mut lake = match command.and_then(Command::lake) {
            Some((scope, question)) => {
                Some(LakeReading::open(scope, question, &configuration, &environment)?)
            }
            None => None,
        };
        let reader = command.map_or(AppReader::Person, Command::app_reader);
        let mut apps =
            ChosenApps::resolve(&global.app, &global.root, reader, &environment, &configuration)?;
        let roots = match (&demo, &lake) {
            (_, Some(lake)) => lake.roots(),
            (Some(folder), None) => vec![(folder.path().to_owned(), RootOrigin::Demo)],
            (None, None) if !apps.has_claude => Vec::new(),
            (None, None) => roots(global, &environment, &configuration)?,
        };
        let has_others = !apps.has_claude || !apps.homes.is_empty();
        if demo.is_some() && !global.app.is_empty() && has_others {
            let message = format!(
                "--demo has only sessions of Claude Code: --app {} finds none\nhint: leave out --app or --demo",
                global.app.join(" --app ")
            );
            return Err(CliError::Misuse(message).into());
        }
        if demo.is_some() || lake.is_some() {
            apps = ChosenApps { has_claude: true, homes: Vec::new() };
        }
        let data_home = match &demo {
            // Marks in the demo store are dropped with it.
            Some(folder) => Some(folder.path().join("annals")),
            None => own_home,
        };
        let key_home = data_home.clone();
        // Nothing of this machine's archive, ledger and index belongs to the lake.
        let data_home = lake.as_ref().map(LakeReading::home).or(data_home);
        let mut aliases: Vec<(String, String)> =
            configuration.aliases.clone().into_iter().collect();
        for alias in &global.alias {
            let Some((old, new)) = alias.split_once('=') else {
                return Err(
                    CliError::Misuse(format!("invalid --alias {alias:?}: use OLD=NEW")).into()
                );
            };
            aliases.push((old.to_owned(), new.to_owned()));
        }
        let library = Library::open(Options {
            roots,
            exclude: match lake {
                // Folders of this machine say nothing about those of others.
                Some(_) => GlobSet::empty(),
                None => exclude(&configuration, &global.exclude)?,
            },
            aliases,
            path_case: environment.path_case,
            current_session: global.current_session.clone().or(environment.session.clone()),
            home: data_home.clone(),
            shelf: None,
            no_index: global.no_index,
            own_only: command.is_some_and(Command::serves_own_only)
                || (!apps.has_claude && !global.root.is_empty()),
            without_claude: !apps.has_claude,
            without_inline_agents: false,
            apps: apps.homes,
            lake: lake.as_ref().map(LakeReading::sources).transpose()?.map(Arc::new),
        });
        let masks = environment.is_agent || command.is_some_and(Command::masks_by_default);
        let by_default = if masks { Redact::On } else { Redact::Off };
        let level = match global.redact.unwrap_or(by_default) {
            Redact::Off => None,
            Redact::On => Some(Level::Standard),
            Redact::Strict => Some(Level::Strict),
        };
        let key_home =
            key_home.filter(|home| demo.is_some() || store_around(home, &library).is_none());
        if let Some(home) = key_home.as_deref().filter(|_| demo.is_none()) {
            data_home::keep_private(home)?;
        }
        let redactor = match level {
            Some(level) => Some(Arc::new(redaction::redactor(level, key_home.as_deref())?)),
            None => None,
        };
        if let Some(redactor) = &redactor {
            failure::mask_messages(redactor);
        }
        let library = match &redactor {
            Some(redactor) => library.masking(Arc::clone(redactor)),
            None => library,
        };
        let output = Output::new(OutputOptions {
            format,
            color: global.color.or(configuration.color).unwrap_or_default(),
            no_color: environment.no_color,
            is_dumb: environment.is_dumb,
            is_agent: environment.is_agent,
            columns: environment.columns,
            lines: environment.lines,
            pager: environment.pager.clone().or(configuration.pager.clone()),
            no_pager: global.no_pager,
            redactor: redactor.clone(),
            unread: library.catalog().apps().unread(),
            large_lines: library.health().noted_lines(),
        });
        output.hold(lake.as_mut().and_then(LakeReading::take_lock));
        Ok(Context {
            library,
            redactor,
            key_home,
            output,
            zone,
            now,
            fixed_now: environment.now,
            asked_color: global.color.or(configuration.color),
            no_color: environment.no_color,
            is_dumb: environment.is_dumb,
            here: if demo.is_some() {
                // With --demo, the current folder is the project of the demo store.
                PathBuf::from(demo::PROJECT)
            } else {
                std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"))
            },
            claude_folder: environment
                .claude_config_dir
                .clone()
                .or_else(|| environment.home.as_ref().map(|home| home.join(".claude"))),
            config_home: environment.config_home(),
            claude_config_dir: environment.claude_config_dir,
            named_roots: global.root.clone(),
            is_session_named: global.current_session.is_some(),
            executable: environment.executable,
            has_own_arenas: environment.has_own_arenas,
            managed_settings: environment.managed_settings,
            managed_configuration: environment.managed_configuration,
            user: environment.user,
            search_path: SearchPath::new(environment.search_path),
            browser: environment.browser,
            home: environment.home,
            project_dir_name: environment.project_dir_name,
            data_home,
            color: configuration.color,
            hook: configuration.hook.clone(),
            statusline: configuration.statusline.clone(),
            budget: configuration.budget.budget(),
            configured_age: configuration
                .archive
                .max_age
                .clone()
                .map(|age| (age, configuration.path.clone())),
            configuration,
            marks: OnceLock::new(),
            demo,
            lake,
        })
    }

    /// Reports the roots that cannot be used; fails if none can.
    pub(crate) fn check_roots(&self) -> anyhow::Result<()> {
        let unusable = self.library.health().unusable_roots();
        // A machine may have only the archive of another machine.
        let has_apps = !self.library.catalog().apps().homes().is_empty();
        if has_apps
            || !self.library.catalog().roots().is_empty()
            || !self.library.archive().archived_roots().is_empty()
            || self.library.catalog().apps().is_any_archived()
        {
            for error in unusable {
                notice(&format!("annals: {error}; skipping this store"));
            }
            return Ok(());
        }
        let reasons: Vec<String> = unusable.iter().map(ToString::to_string).collect();
        let (what, reasons) = match (reasons.is_empty(), &self.named_roots[..], &self.home) {
            (false, ..) => ("Claude Code data", reasons.join("; ")),
            // Only other apps were asked for.
            (true, [named, ..], _) => ("sessions", format!("{} is not a folder", named.display())),
            (true, [], Some(_)) => ("sessions", "the app has no folder here".to_owned()),
            (true, [], None) => ("Claude Code data", "HOME is not set".to_owned()),
        };
        Err(CliError::Misuse(format!(
            "No {what} found: {reasons}\nhint: pass --root DIR to read another folder, or try the demo store with `annals --demo`"
        ))
        .into())
    }

    /// Parses a time argument.
    pub(crate) fn time(
        &self,
        text: Option<&str>,
        edge: DayEdge,
    ) -> Result<Option<Timestamp>, TimeExpressionError> {
        text.map(|text| library::time_expression::parse_time(text, edge, self.now, &self.zone))
            .transpose()
    }

    /// The filter that the arguments describe.
    pub(crate) fn filter(&self, args: &FilterArgs) -> anyhow::Result<Filter> {
        let scope = |folder: &Path| self.library.catalog().project_scope(folder, args.exact);
        let project = match (&args.project, args.here) {
            (Some(path), _) if is_name(path) => {
                let name = path.to_string_lossy();
                let named = self.library.catalog().project_named(&name, args.exact);
                Some(named.ok_or_else(|| no_project(&name))?)
            }
            (Some(path), _) => Some(scope(&real_path(path))),
            (None, true) => Some(scope(&self.here)),
            (None, false) => None,
        };
        Ok(Filter {
            project,
            since: self.time(args.since.as_deref(), DayEdge::Start)?,
            until: self.time(args.until.as_deref(), DayEdge::End)?,
            branch: args.git_branch.clone(),
            model: args.model.clone(),
            agent: args.agent.clone(),
            tool: args.tool.clone(),
            session: args.session.as_deref().map(|name| self.session_id(name)).transpose()?,
        })
    }

    /// The id of the session that a filter names.
    fn session_id(&self, name: &str) -> anyhow::Result<String> {
        let found = self.find(name)?;
        match found.agent_id() {
            None => Ok(found.session.id),
            Some(_) => Err(CliError::Misuse(format!(
                "--session {name:?} is a sub-agent\nhint: --session {} is its session",
                found.session.id
            ))
            .into()),
        }
    }

    /// Finds the session that the user named.
    pub(crate) fn find(&self, name: &str) -> anyhow::Result<FoundSession> {
        let here =
            name.starts_with('@').then(|| self.library.catalog().project_scope(&self.here, false));
        self.library.catalog().find(name, here.as_ref()).map_err(|error| explain(&error).into())
    }

    /// The data folder of annals.
    pub(crate) fn data_home(&self) -> Result<&Path, CliError> {
        self.data_home.as_deref().ok_or_else(|| {
            let message =
                "no data folder: HOME and ANNALS_HOME are not set\nhint: set ANNALS_HOME to a folder for the archive";
            CliError::Misuse(message.to_owned())
        })
    }

    /// The redactor of this run, or a standard one if masking was not requested.
    pub(crate) fn any_redactor(&self) -> anyhow::Result<Arc<Redactor>> {
        if let Some(redactor) = &self.redactor {
            return Ok(Arc::clone(redactor));
        }
        redaction::redactor(Level::Standard, self.key_home.as_deref()).map(Arc::new)
    }

    /// Whether this is the demo store.
    pub(crate) fn is_demo(&self) -> bool {
        self.demo.is_some()
    }

    /// With the demo store: an example of what Claude Code tells a status line.
    pub(crate) fn demo_status_input(&self) -> Option<String> {
        self.demo.as_ref().map(DemoStore::status_input)
    }

    /// Refuses a data folder inside a store: annals never writes below one.
    pub(crate) fn check_data_home(&self) -> Result<(), CliError> {
        let own = self.data_home()?;
        match store_around(own, &self.library).filter(|_| self.demo.is_none()) {
            None => Ok(()),
            Some(root) => Err(CliError::Misuse(format!(
                "{} is inside the Claude Code folder {}, where annals never writes\nhint: set ANNALS_HOME to another folder",
                own.display(),
                root.display()
            ))),
        }
    }

    /// The ledger.
    pub(crate) fn ledger(&self) -> anyhow::Result<Ledger> {
        Ok(Ledger::open(self.data_home()?.join(LEDGER))?)
    }

    /// The age beyond which sessions are not archived: the requested one, otherwise
    /// the one of the configuration.
    pub(crate) fn max_age(&self, asked: Option<&str>) -> anyhow::Result<Option<SignedDuration>> {
        match (asked, &self.configured_age) {
            (Some(text), _) => Ok(Some(library::time_expression::parse_age(text)?)),
            (None, Some((text, path))) => {
                let parsed = library::time_expression::parse_age(text);
                parsed
                    .map(Some)
                    .with_context(|| format!("invalid configuration file {}", path.display()))
            }
            (None, None) => Ok(None),
        }
    }

    /// The bookmarks in a session, for JSON. Transcripts are read only if turns in
    /// them are marked.
    pub(crate) fn mark_documents(&self, session: &str) -> Vec<MarkDocument> {
        self.marks().documents(&self.library, session)
    }

    /// The bookmarks. Without a readable ledger there are none, and the command goes
    /// on.
    pub(crate) fn marks(&self) -> &Marks {
        self.marks.get_or_init(|| {
            if self.data_home.is_none() {
                return Marks::default();
            }
            match self.ledger() {
                Ok(ledger) => Marks::new(ledger.marks()),
                Err(error) => {
                    notice(&format!("annals: {error:#}; bookmarks are not shown"));
                    Marks::default()
                }
            }
        })
    }

    /// A command that continues this one: also in the lake, if this one reads it.
    pub(crate) fn in_lake(&self, command: String) -> String {
        match &self.lake {
            Some(lake) => format!("{command} {}", lake.option()),
            None => command,
        }
    }

    /// A progress bar for a long scan.
    pub(crate) fn progress(&self, label: &'static str) -> Bar {
        Bar::new(label, std::io::stderr().is_terminal() && !self.output.is_agent)
    }

    /// A path with the home folder abbreviated to `~`.
    pub(crate) fn short_path(&self, path: &str) -> String {
        // The paths in the demo store are those of a made-up person.
        let home = if self.is_demo() { Some(Path::new(demo::HOME)) } else { self.home.as_deref() };
        let home =
            home.map(|home| home.to_string_lossy().into_owned()).filter(|home| home.len() > 1);
        match home.as_deref().and_then(|home| path.strip_prefix(home)) {
            Some("") => "~".to_owned(),
            Some(rest) if rest.starts_with('/') => format!("~{rest}"),
            _ => path.to_owned(),
        }
    }
}

/// Whether `--project` has the name of a project, or part of it, and not a path.
fn is_name(path: &Path) -> bool {
    let mut parts = path.components();
    let is_one = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    is_one && !path.is_dir()
}

/// The folder of the ledger in the data folder.
const LEDGER: &str = "ledger";

/// The store that contains a folder.
pub(crate) fn store_around<'l>(folder: &Path, library: &'l Library) -> Option<&'l Path> {
    // Twice: the target of `..` may be a link again.
    let real = real_folder(&real_folder(folder));
    let roots = library.catalog().roots().iter();
    roots.map(|root| root.config().unwrap_or(&root.path)).find(|root| {
        let root = real_path(root);
        real.starts_with(&root) || folder.starts_with(&root)
    })
}

/// The real path of a folder, or the one it would have if it were created.
fn real_folder(folder: &Path) -> PathBuf {
    let there = folder.ancestors().find(|above| above.exists()).unwrap_or(folder);
    let mut real = real_path(there);
    // A path that does not exist yet has no links: `..` is the parent.
    for part in folder.strip_prefix(there).into_iter().flat_map(Path::components) {
        match part {
            Component::ParentDir => drop(real.pop()),
            part => real.push(part),
        }
    }
    real
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
