//! What the terminal UI needs of the binary: resuming, exports and the web app.
//!
//! Exports and the web app run as separate processes, with the same stores: what they
//! print must not reach the screen, and the server must not wait for it.

use crate::allocator;
use crate::cli::{GlobalArgs, Redact};
use crate::commands::resume;
use crate::context::Context;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use tui::{Host, ResumeProblem};

/// The binary behind the screens.
pub(crate) struct TuiHost<'c> {
    context: &'c Context,
    global: &'c GlobalArgs,
    /// Servers that were started from here, which end with it.
    servers: Mutex<Vec<Child>>,
}

impl<'c> TuiHost<'c> {
    pub(crate) fn new(context: &'c Context, global: &'c GlobalArgs) -> Self {
        TuiHost { context, global, servers: Mutex::default() }
    }

    /// annals itself, with the same stores.
    fn annals(&self) -> Result<Command, String> {
        let program = self
            .context
            .settings
            .environment
            .executable
            .as_ref()
            .ok_or("annals does not know its own path")?;
        let mut command = Command::new(program);
        allocator::without_settings(&mut command).stdin(Stdio::null());
        for root in self.context.library.catalog().roots().iter().filter(|_| self.context.is_demo())
        {
            command.arg("--root").arg(&root.path);
        }
        for root in &self.global.root {
            command.arg("--root").arg(root);
        }
        for app in &self.global.app {
            command.arg("--app").arg(app);
        }
        for pattern in &self.global.exclude {
            command.arg("--exclude").arg(pattern);
        }
        for alias in &self.global.alias {
            command.arg("--alias").arg(alias);
        }
        if let Some(zone) = &self.global.timezone {
            command.arg("--timezone").arg(zone);
        }
        Ok(command)
    }
}

/// The last line that a process printed on standard error, without its hint.
fn message(errors: &[u8]) -> String {
    let text = String::from_utf8_lossy(errors);
    let line = text.lines().find(|line| line.starts_with("annals:")).or(text.lines().next());
    line.unwrap_or_default().trim_start_matches("annals: ").to_owned()
}

impl Host for TuiHost<'_> {
    fn resume_problem(
        &self,
        session: &str,
        is_fork: bool,
        folder: Option<&Path>,
    ) -> Option<ResumeProblem> {
        let args = resume::Args::of(session.to_owned(), is_fork, folder.map(Path::to_owned));
        let (text, is_folder) = resume::problem(self.context, &args)?;
        Some(ResumeProblem { text, is_folder })
    }

    fn resume_command(&self, session: &str, is_fork: bool) -> Result<String, String> {
        resume::command_of(self.context, session, is_fork).map_err(|error| error.to_string())
    }

    fn export(&self, session: &str) -> Result<String, String> {
        let mut command = self.annals()?;
        // Exports are masked, whatever the screen shows.
        let level = if self.global.redact == Some(Redact::Strict) { "strict" } else { "on" };
        command.args(["export", session, "--json", &format!("--redact={level}")]);
        let output = command.output().map_err(|error| format!("cannot start annals: {error}"))?;
        if !output.status.success() {
            return Err(message(&output.stderr));
        }
        let document: serde_json::Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("cannot read the report of the export: {error}"))?;
        let path = document["files"][0]["path"].as_str().unwrap_or_default();
        let here = std::path::absolute(path).unwrap_or_else(|_| path.into());
        Ok(self.context.short_path(&here.to_string_lossy()))
    }

    fn open_in_web(&self, session: &str, turn: Option<&str>) -> Result<String, String> {
        let mut command = self.annals()?;
        let name = turn.map_or_else(|| session.to_owned(), |turn| format!("{session}:{turn}"));
        command.args(["web", &name]).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child =
            command.spawn().map_err(|error| format!("cannot start annals web: {error}"))?;
        let address = first_line(&mut child)?;
        self.servers.lock().unwrap_or_else(PoisonError::into_inner).push(child);
        // An address with a code means that no browser was opened.
        if address.contains("enter?code=") {
            return Err("no browser could be opened: run `annals web` for an address".to_owned());
        }
        Ok(address)
    }

    fn web_link(&self, session: &str, turn: Option<&str>) -> Result<String, String> {
        crate::commands::web::running_address(self.context, session, turn)
            .ok_or_else(|| "the web app is not running: w opens it".to_owned())
    }
}

/// The first line that a process prints.
fn first_line(child: &mut Child) -> Result<String, String> {
    use std::io::BufRead as _;
    let output = child.stdout.take().ok_or("annals web printed nothing")?;
    let mut line = String::new();
    let read = std::io::BufReader::new(output).read_line(&mut line);
    match read {
        Ok(count) if count > 0 => Ok(line.trim_end().to_owned()),
        _ => {
            let _ = child.wait();
            Err("annals web did not start\nhint: run it in a shell to see why".to_owned())
        }
    }
}

impl Drop for TuiHost<'_> {
    fn drop(&mut self) {
        let servers = self.servers.get_mut().unwrap_or_else(PoisonError::into_inner);
        for server in servers {
            // One that opened a running server has ended already.
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}
