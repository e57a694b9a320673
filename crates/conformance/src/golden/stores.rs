//! The stores that are asked about, and a program that is asked.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context as _, Result, bail};
use jiff::Timestamp;
use serde_json::Value;
use xtask::workspace::Workspace;

use crate::oracle;

/// The moment at which every question is asked: 2026-11-15, soon after the newest sessions.
const NOW: &str = "2026-11-15T20:30:00Z";

/// The key of placeholders, so that masked texts are the same in every run.
const REDACTION_KEY: [u8; 32] = [7; 32];

/// How many stores with random graphs there are.
const GRAPHS: u64 = 2;

/// A store that does not change.
pub(super) struct GoldenStore {
    pub(super) name: String,
    /// What makes the program read it.
    arguments: Vec<OsString>,
    /// Its folder, which the texts do not name.
    pub(super) folder: PathBuf,
}

/// Makes the stores that are made, and finds the others.
pub(super) fn make(workspace: &Workspace, folder: &Path) -> Result<Vec<GoldenStore>> {
    let mut stores = Vec::new();
    let mut add = |name: &str, app: Option<&str>, folder: PathBuf| {
        let mut arguments: Vec<OsString> = vec!["--root".into(), folder.clone().into()];
        if let Some(app) = app {
            arguments.extend(["--app".into(), app.into()]);
        }
        stores.push(GoldenStore { name: name.to_owned(), arguments, folder });
    };
    let demo = folder.join("demo");
    if !demo.exists() {
        let now: Timestamp = NOW.parse().context("the fixed moment")?;
        let made = demo::DemoStore::create(now, |_| Ok::<_, demo::DemoError>(()))?;
        copy_folder(made.path(), &demo)?;
    }
    add("demo", None, demo);
    let odd = folder.join("odd");
    oracle::write_conversations(&odd, GRAPHS)?;
    for store in sorted_folders(&odd)? {
        let name = store.file_name().unwrap_or_default().to_string_lossy().into_owned();
        add(&name, None, store);
    }
    let corpus = workspace.root.join("../shared/corpus");
    for (name, app) in [
        ("claude", None),
        ("codex", Some("codex")),
        ("copilot", Some("copilot")),
        ("gemini", Some("gemini")),
        ("pi", Some("pi")),
    ] {
        let store = corpus.join(name);
        match fs::canonicalize(&store) {
            Ok(store) => add(name, app, store),
            Err(_) => println!("skipped: no real sessions in {}", store.display()),
        }
    }
    Ok(stores)
}

fn sorted_folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?
    {
        folders.push(entry?.path());
    }
    folders.sort();
    Ok(folders)
}

/// Copies a folder with the times of its files.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
            let changed = entry.metadata()?.modified()?;
            fs::File::options().append(true).open(&target)?.set_modified(changed)?;
        }
    }
    Ok(())
}

/// A program with a separate home that reads one store.
pub(super) struct Program<'s> {
    binary: PathBuf,
    home: PathBuf,
    store: &'s GoldenStore,
}

impl<'s> Program<'s> {
    /// The home is empty, and at the same path for every program.
    pub(super) fn new(binary: &Path, home: &Path, store: &'s GoldenStore) -> Result<Self> {
        if home.exists() {
            fs::remove_dir_all(home).context("cannot remove an earlier home")?;
        }
        let own = home.join("annals");
        fs::create_dir_all(&own)?;
        fs::write(own.join("redaction.key"), REDACTION_KEY)?;
        for path in [home, &own, &own.join("redaction.key")] {
            let is_file = path.is_file();
            let mode = if is_file { 0o600 } else { 0o700 };
            fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))?;
        }
        let binary = fs::canonicalize(binary)
            .with_context(|| format!("cannot find the program {}", binary.display()))?;
        Ok(Self { binary, home: home.to_owned(), store })
    }

    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    /// A call with the fixed surroundings.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(arguments).args(&self.store.arguments).env_clear();
        command.env("HOME", &self.home).env("ANNALS_HOME", self.home.join("annals"));
        command.env("CLAUDE_CONFIG_DIR", self.home.join("claude"));
        command.env("ANNALS_NOW", NOW).env("TZ", "Europe/Berlin").env("LANG", "C.UTF-8");
        command.env("PATH", "/usr/bin:/bin").current_dir(&self.home);
        command
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Result<Output> {
        let mut command = self.command(arguments);
        command.output().with_context(|| format!("cannot start {}", self.binary.display()))
    }

    /// The ids of all sessions, as the program lists them.
    pub(super) fn sessions(&self) -> Result<Vec<String>> {
        let output = self.run(&["ls", "--hidden", "--limit", "0", "--json"])?;
        if !output.status.success() {
            bail!("cannot list {}: {}", self.store.name, String::from_utf8_lossy(&output.stderr));
        }
        let document: Value = serde_json::from_slice(&output.stdout).context("the list")?;
        let sessions = document["sessions"].as_array().context("a list of sessions")?;
        let id = |session: &Value| session["id"].as_str().map(str::to_owned);
        let ids: Option<Vec<String>> = sessions.iter().map(id).collect();
        ids.context("a listed session has no id")
    }
}
