//! `--lake`: what `annals-lake` brought onto this machine takes the place of its stores, and
//! the ordinary command answers from there.
//!
//! Nothing of it counts as the person's own: there is no archive, ledger or bookmark behind
//! it, and its index is its own.

use crate::configuration::Configuration;
use crate::environment::Environment;
use crate::failure::{CliError, notice};
use crate::lake_program::{ProgramPlace, VERSION};
use crate::{lake_settings, whole_file};
use anyhow::Context as _;
use document::{
    LakeAction, LakeAnswer, LakeDaySums, LakeFailure, LakeQuestion, LakeRequest, LakeView,
};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use library::stores::{DaySum, LakeSources, OwnerSums};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use store::RootOrigin;
use usage::{Counters, PicoUsd};

/// The option of commands that can read the lake.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct LakeArgs {
    /// Read the team lake instead of this machine: your own rows (the default), those
    /// shared with a team, or those shared with everyone
    #[arg(long, value_name = "mine|team:NAME|org", help_heading = "Where")]
    #[arg(num_args = 0..=1, default_missing_value = "mine", require_equals = true)]
    #[arg(conflicts_with_all = ["root", "app", "demo", "exclude"])]
    pub(crate) lake: Option<LakeScope>,
}

impl LakeArgs {
    /// The question, if the lake is asked.
    pub(crate) fn asks(
        &self,
        question: impl FnOnce() -> LakeQuestion,
    ) -> Option<(LakeScope, LakeQuestion)> {
        self.lake.clone().map(|scope| (scope, question()))
    }
}

/// Whose rows: `mine`, `team:NAME` or `org`. What names are allowed, `annals-lake` checks.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct LakeScope(String);

impl LakeScope {
    /// Whether only one's own rows are asked for.
    pub(crate) fn is_mine(&self) -> bool {
        self.0 == "mine"
    }

    /// Everyone's.
    pub(crate) fn org() -> Self {
        LakeScope("org".to_owned())
    }
}

impl FromStr for LakeScope {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_team = text.strip_prefix("team:").is_some_and(|name| !name.is_empty());
        if is_team || matches!(text, "mine" | "org") {
            Ok(LakeScope(text.to_owned()))
        } else {
            Err("use mine, team:NAME or org")
        }
    }
}

/// The lake in place of the stores of this machine.
#[derive(Debug)]
pub(crate) struct LakeReading {
    scope: LakeScope,
    pub(crate) view: LakeView,
    /// Held while an answer is made of it.
    lock: Option<File>,
}

impl LakeReading {
    /// Asks `annals-lake` for what a question needs.
    pub(crate) fn open(
        scope: LakeScope,
        question: LakeQuestion,
        configuration: &Configuration,
        environment: &Environment,
    ) -> anyhow::Result<Self> {
        if environment.is_agent && !configuration.lake.agents {
            let message = "--lake is not for agents\nhint: run it yourself in a terminal, or set \
                lake.agents = true in the configuration";
            return Err(CliError::Misuse(message.to_owned()).into());
        }
        let data_home = environment.data_home();
        let settings = lake_settings::resolve(
            configuration,
            environment.managed_configuration.as_deref(),
            environment.home.as_deref(),
            data_home.as_deref(),
        )?;
        if settings.url.is_none() || settings.owner.is_none() {
            let message = "no lake is configured\nhint: run annals lake init URL";
            return Err(CliError::Misuse(message.to_owned()).into());
        }
        let data_home = data_home.ok_or_else(|| {
            CliError::Misuse("no data folder: HOME and ANNALS_HOME are not set".to_owned())
        })?;
        let action = LakeAction::Read {
            data_home: data_home.to_string_lossy().into_owned(),
            question,
            scope: scope.0.clone(),
        };
        let lock = lock(&data_home)?;
        let executable = environment.executable.as_deref();
        let request = LakeRequest { version: VERSION.to_owned(), settings, action };
        match (ProgramPlace { configuration, executable }).ask(&request)? {
            Ok(LakeAnswer::Read(view)) => Ok(LakeReading { scope, view, lock: Some(lock) }),
            Ok(_) => anyhow::bail!("annals-lake answers another question"),
            Err(failure) => Err(explained(configuration, failure)),
        }
    }

    /// The lock, for who knows when the answer is complete.
    pub(crate) fn take_lock(&mut self) -> Option<File> {
        self.lock.take()
    }

    /// The option as it was given.
    pub(crate) fn option(&self) -> String {
        match self.scope.0.as_str() {
            "mine" => "--lake".to_owned(),
            scope => format!("--lake={}", render::shell_quoted(scope)),
        }
    }

    /// The stores. One without sessions does not exist.
    pub(crate) fn roots(&self) -> Vec<(PathBuf, RootOrigin)> {
        self.stores().map(|(root, _)| (root, RootOrigin::Lake)).collect()
    }

    fn stores(&self) -> impl Iterator<Item = (PathBuf, String)> {
        let owners = self.view.owners.iter().filter(|owner| owner.sessions > 0);
        owners.filter_map(|it| Some((PathBuf::from(it.root.as_ref()?), it.owner.clone())))
    }

    /// The folder in place of annals' own.
    pub(crate) fn home(&self) -> PathBuf {
        PathBuf::from(&self.view.home)
    }

    /// The stores with their owners, and the sums of other people.
    pub(crate) fn sources(&self) -> anyhow::Result<LakeSources> {
        let mut sums = Vec::new();
        for owner in &self.view.owners {
            let Some(path) = owner.days.as_ref().map(PathBuf::from) else { continue };
            let days = read_sums(&path)?;
            sums.push(OwnerSums { owner: owner.owner.clone(), path, days });
        }
        let mut projects = HashMap::new();
        for owner in &self.view.owners {
            let Some(root) = owner.root.as_ref().map(PathBuf::from) else { continue };
            let folder = |name: &String| root.join("projects").join(name);
            projects.extend(owner.projects.iter().map(|(name, key)| (folder(name), key.clone())));
        }
        Ok(LakeSources { stores: self.stores().collect(), projects, sums })
    }

    /// What an answer may lack.
    pub(crate) fn gap(&self) -> Option<String> {
        if let Some(problem) = &self.view.problem {
            return Some(format!("the lake does not answer: {problem}"));
        }
        let (name, reason) = self.view.unusable.first()?;
        Some(format!("an object of the lake cannot be used: {name}: {reason}"))
    }

    /// Says what an answer does not have: the newest rows, or objects that are damaged.
    pub(crate) fn report(&self, now: Timestamp, zone: &TimeZone) {
        if let Some(problem) = &self.view.problem {
            let age = render::time::ago(self.view.as_of, now, zone);
            let problem = render::untrusted::line(problem);
            notice(&format!(
                "annals: the lake does not answer: {problem}; this is what it had {age}"
            ));
        }
        let unusable = &self.view.unusable;
        for (name, reason) in unusable.iter().take(MOST_OBJECTS) {
            let object = format!("{name}: {reason}");
            let object = render::untrusted::line(&object);
            notice(&format!("annals: an object of the lake cannot be used, the rest is: {object}"));
        }
        if let Some(more) = unusable.len().checked_sub(MOST_OBJECTS).filter(|more| *more > 0) {
            notice(&format!("annals: {more} more objects of the lake cannot be used"));
        }
    }
}

/// One question at a time: what it brings takes the place of what another one has brought,
/// and an answer must not be made of parts of both.
#[expect(clippy::disallowed_methods, reason = "a lock below annals' own folder")]
fn lock(data_home: &Path) -> anyhow::Result<File> {
    let path = data_home.join(LOCK);
    let cannot = || format!("cannot lock {}", path.display());
    whole_file::make_folder(&data_home.join("lake"))?;
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.with_context(cannot)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            notice("annals: waiting for another question about the lake");
            file.lock().with_context(cannot)?;
        }
        Err(TryLockError::Error(error)) => return Err(error).with_context(cannot),
    }
    Ok(file)
}

const LOCK: &str = "lake/read.lock";
/// How many unusable objects are named.
const MOST_OBJECTS: usize = 3;

fn read_sums(path: &Path) -> anyhow::Result<Vec<DaySum>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let sums = LakeDaySums::parse(&bytes);
    let sums = sums.with_context(|| format!("{} is damaged: delete it", path.display()))?;
    let day = |sum: document::LakeDaySum| DaySum {
        day: sum.day.and_then(|day| day.parse().ok()),
        project: sum.project,
        model: sum.model,
        calls: sum.calls,
        unpriced_calls: sum.unpriced_calls,
        counters: Counters {
            input: sum.input_tokens,
            output: sum.output_tokens,
            thinking: sum.thinking_tokens,
            write_5m: sum.cache_write_5m_tokens,
            write_1h: sum.cache_write_1h_tokens,
            read: sum.cache_read_tokens,
            web_searches: sum.web_searches,
        },
        cost: PicoUsd(sum.cost_pico),
    };
    Ok(sums.sums.into_iter().map(day).collect())
}

/// What `annals-lake` says about a request. A setting is named with its file.
pub(crate) fn explained(configuration: &Configuration, failure: LakeFailure) -> anyhow::Error {
    let message = match &failure.setting {
        Some(setting) => format!(
            "invalid configuration file {}: {setting}: {}",
            configuration.path.display(),
            failure.message
        ),
        None => failure.message,
    };
    CliError::Misuse(message).into()
}
