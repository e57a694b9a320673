//! Where annals is set up: exactly one configuration folder.

use crate::context::{Context, absolute};
use crate::failure::Ending;
use std::path::{Path, PathBuf};

/// A configuration folder, and the program that is put into it.
pub(super) struct Place {
    pub(super) config: PathBuf,
    /// Its path as the receipt has it.
    pub(super) key: String,
    /// Where Claude Code keeps its MCP servers, with this folder.
    pub(super) state_file: PathBuf,
    /// What `CLAUDE_CONFIG_DIR` has to be for Claude Code to use this folder, if
    /// it has to be set to anything that it is not.
    pub(super) config_variable: Option<String>,
    /// The same for programs that do not share this environment.
    pub(super) timer_variable: Option<String>,
    pub(super) program: String,
}

impl Place {
    pub(super) fn of(context: &Context, program: String) -> Result<Place, Ending> {
        let given = config(context)?;
        let config = absolute(&given);
        if !config.is_dir() {
            let message = format!("{} is no folder", given.display());
            return Err(Ending::NotFound(message));
        }
        let Some(key) = config.to_str().map(str::to_owned) else {
            let message = format!("{} is not UTF-8", config.display());
            return Err(Ending::Misuse(message));
        };
        let is_same = |other: Option<&Path>| other.is_some_and(|it| absolute(it) == config);
        let home = context.home.as_deref();
        let is_default = is_same(home.map(|home| home.join(".claude")).as_deref());
        // As long as the variable is set, the state lies in the folder itself.
        let is_set = is_same(context.claude_config_dir.as_deref());
        let is_plain = is_default && context.claude_config_dir.is_none();
        let state_file = match home {
            Some(home) if is_plain => home.join(".claude.json"),
            _ => config.join(".claude.json"),
        };
        Ok(Place {
            state_file,
            config_variable: (!is_set && !is_plain).then(|| key.clone()),
            timer_variable: (!is_plain).then(|| key.clone()),
            config,
            key,
            program,
        })
    }

    pub(super) fn settings(&self) -> PathBuf {
        self.config.join("settings.json")
    }
}

fn config(context: &Context) -> Result<PathBuf, Ending> {
    match context.named_roots.as_slice() {
        [] if context.is_demo() => {
            let roots = context.library.roots().iter();
            let found = roots.map(|root| root.path.clone()).next();
            found.ok_or_else(|| Ending::Misuse("there is no made-up store".to_owned()))
        }
        [] => context.claude_folder.clone().ok_or_else(|| {
            let message = "no home is known: name a configuration folder with --root DIR";
            Ending::Misuse(message.to_owned())
        }),
        [one] => {
            let mut roots = context.library.roots().iter();
            let is_config =
                roots.any(|root| absolute(&root.path) == absolute(one) && root.config().is_some());
            is_config.then(|| one.clone()).ok_or_else(|| {
                let message = format!("{} is no configuration folder", one.display());
                Ending::Misuse(message)
            })
        }
        [..] => {
            let message = "annals is set up in one configuration folder: name one with --root";
            Err(Ending::Misuse(message.to_owned()))
        }
    }
}
