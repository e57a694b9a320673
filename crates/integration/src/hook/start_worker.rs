//! The process that does the jobs, started from a hook.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The command line of the worker, with the settings of this process.
#[derive(Clone, Copy, Debug)]
pub struct WorkerCommand<'c> {
    /// The running program.
    pub program: Option<&'c Path>,
    /// The stores named with `--root`.
    pub roots: &'c [PathBuf],
    /// The patterns named with `--exclude`.
    pub exclude: &'c [String],
    /// The configuration folder that Claude Code itself would use.
    pub claude_folder: Option<&'c Path>,
}

impl WorkerCommand<'_> {
    /// Starts it. It outlives this process.
    pub(super) fn start(&self, data_home: &Path) -> io::Result<()> {
        let program = self.program.map(existing_program);
        let program = program.ok_or_else(|| io::Error::other("the program's path is unknown"))?;
        let mut command = Command::new(program);
        command.args(["hook", "--work"]).current_dir("/").env("ANNALS_HOME", data_home);
        // It runs in another folder, so relative paths are made absolute.
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        for root in self.roots {
            command.arg("--root").arg(absolute(root));
        }
        if let Some(folder) = self.claude_folder.filter(|folder| folder.is_relative()) {
            command.env("CLAUDE_CONFIG_DIR", absolute(folder));
        }
        for pattern in self.exclude {
            command.arg("--exclude").arg(pattern);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // In a separate process group from the start: Claude Code kills the group of a
        // hook, and a closing terminal kills the foreground group.
        command.process_group(0).spawn().map(drop)
    }
}

/// The path of the running program. Linux adds a suffix to it when the file was
/// replaced; the new program is at the old path.
fn existing_program(running: &Path) -> PathBuf {
    let before = running.as_os_str().as_bytes().strip_suffix(b" (deleted)");
    let before = before.map(|path| PathBuf::from(OsStr::from_bytes(path)));
    before.filter(|_| !running.exists()).unwrap_or_else(|| running.to_owned())
}
