//! The context that a command runs in: settings, and the stores that they name.

use crate::cli::{Command, FilterArgs, GlobalArgs};
use crate::environment::Environment;
use crate::failure::{CliError, notice};
use crate::lake_view::LakeReading;
use crate::marks::Marks;
use crate::not_found::{explain, no_project};
use crate::output::{Output, OutputOptions};
use crate::progress::Bar;
use crate::settings::Settings;
use crate::{data_home, demo_cleanup, failure, redaction};
use anyhow::Context as _;
use archive::Ledger;
use demo::DemoStore;
use document::MarkDocument;
use jiff::Timestamp;
use library::catalog::{Filter, FoundSession, NamedProject};
use library::time_expression::{DayEdge, TimeExpressionError};
use library::{Library, Options};
use redact::{Level, Redactor};
use std::io::IsTerminal;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};
use store::{RootOrigin, real_path};

/// The context of a command.
pub(crate) struct Context {
    pub(crate) settings: Settings,
    pub(crate) library: Library,
    /// Masks secrets, if requested.
    pub(crate) redactor: Option<Arc<Redactor>>,
    /// The folder of the masking key, if it may be written.
    key_home: Option<PathBuf>,
    pub(crate) output: Output,
    /// The data folder of annals, if known.
    data_home: Option<PathBuf>,
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
        let settings = Settings::resolve(global, command, environment)?;
        Context::open(settings, command.is_some_and(Command::ends_on_signals))
    }

    /// Opens what the settings name: the demo store, the lake, the stores of this machine. A command
    /// that `ends_itself` on signals removes the demo store then.
    fn open(settings: Settings, ends_itself: bool) -> anyhow::Result<Self> {
        let environment = &settings.environment;
        let begun = |remover| {
            if ends_itself {
                return Ok(());
            }
            demo_cleanup::remove_on_signals(&remover).context("cannot handle signals")
        };
        let demo =
            if settings.is_demo { Some(DemoStore::create(settings.now, begun)?) } else { None };
        let own_home = environment.data_home().filter(|_| demo.is_none());
        if let Some(home) = &own_home {
            // Before anything is read or written there.
            data_home::check_owner(home)?;
        }
        let mut lake = match &settings.lake {
            Some((scope, question)) => Some(LakeReading::open(
                scope.clone(),
                question.clone(),
                &settings.configuration,
                environment,
            )?),
            None => None,
        };
        let roots = match (&demo, &lake) {
            (_, Some(lake)) => lake.roots(),
            (Some(folder), None) => vec![(folder.path().to_owned(), RootOrigin::Demo)],
            (None, None) => settings.roots.clone(),
        };
        let data_home = match &demo {
            // Marks in the demo store are dropped with it.
            Some(folder) => Some(folder.path().join("annals")),
            None => own_home,
        };
        let key_home = data_home.clone();
        // Nothing of this machine's archive, ledger and index belongs to the lake.
        let data_home = lake.as_ref().map(LakeReading::home).or(data_home);
        let library = Library::open(Options {
            roots,
            exclude: settings.exclude.clone(),
            aliases: settings.aliases.clone(),
            path_case: environment.path_case,
            current_session: settings.current_session.clone(),
            home: data_home.clone(),
            shelf: None,
            no_index: settings.no_index,
            own_only: settings.own_only,
            without_claude: !settings.apps.has_claude,
            without_inline_agents: false,
            apps: settings.apps.homes.clone(),
            lake: lake.as_ref().map(LakeReading::sources).transpose()?.map(Arc::new),
        });
        let key_home =
            key_home.filter(|home| demo.is_some() || store_around(home, &library).is_none());
        if let Some(home) = key_home.as_deref().filter(|_| demo.is_none()) {
            data_home::keep_private(home)?;
        }
        let redactor = match settings.masking {
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
            format: settings.format,
            color: settings.color.unwrap_or_default(),
            no_color: environment.no_color,
            is_dumb: environment.is_dumb,
            is_agent: environment.is_agent,
            columns: environment.columns,
            lines: environment.lines,
            pager: environment.pager.clone().or(settings.configuration.pager.clone()),
            no_pager: settings.no_pager,
            redactor: redactor.clone(),
            unread: library.catalog().apps().unread(),
            large_lines: library.health().noted_lines(),
        });
        output.hold(lake.as_mut().and_then(LakeReading::take_lock));
        let marks = OnceLock::new();
        Ok(Context { settings, library, redactor, key_home, output, data_home, marks, demo, lake })
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
        let (what, reasons) = match (
            reasons.is_empty(),
            &self.settings.named_roots[..],
            &self.settings.environment.home,
        ) {
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
        text.map(|text| {
            library::time_expression::parse_time(text, edge, self.settings.now, &self.settings.zone)
        })
        .transpose()
    }

    /// The filter that the arguments describe.
    pub(crate) fn filter(&self, args: &FilterArgs) -> anyhow::Result<Filter> {
        let catalog = self.library.catalog();
        let project = match (&args.project, args.here) {
            (Some(path), _) => {
                let name = &*path.to_string_lossy();
                let here = Some(&*self.settings.here);
                let named = NamedProject { name, exact: args.exact, here, within: None };
                Some(catalog.project_of(named).ok_or_else(|| no_project(name))?)
            }
            (None, true) => Some(catalog.project_scope(&self.settings.here, args.exact)),
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
        let here = name
            .starts_with('@')
            .then(|| self.library.catalog().project_scope(&self.settings.here, false));
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
        Ok(Ledger::open(self.data_home()?.join(library::stores::LEDGER))?)
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
        let home = if self.is_demo() {
            Some(Path::new(demo::HOME))
        } else {
            self.settings.environment.home.as_deref()
        };
        let home =
            home.map(|home| home.to_string_lossy().into_owned()).filter(|home| home.len() > 1);
        match home.as_deref().and_then(|home| path.strip_prefix(home)) {
            Some("") => "~".to_owned(),
            Some(rest) if rest.starts_with('/') => format!("~{rest}"),
            _ => path.to_owned(),
        }
    }
}

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
