//! What only the binary can do, through a trait that it implements.

use std::path::Path;

/// Why a session cannot be resumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResumeProblem {
    /// The reason, for people.
    pub text: String,
    /// Whether another folder would help.
    pub is_folder: bool,
}

/// The binary behind the screens. Its functions are called by the worker, never while
/// something is drawn, and print nothing.
pub trait Host: Sync {
    /// Why a session cannot be resumed in a folder, in the words of `annals resume`; `None`
    /// if it can. Without a folder: in the session's own.
    fn resume_problem(
        &self,
        session: &str,
        is_fork: bool,
        folder: Option<&Path>,
    ) -> Option<ResumeProblem>;

    /// The command that resumes a session, quoted for a shell.
    fn resume_command(&self, session: &str, is_fork: bool) -> Result<String, String>;

    /// Exports a session with secrets masked; returns the path of the file.
    fn export(&self, session: &str) -> Result<String, String>;

    /// Opens a session, or a turn of it, in the web app; returns its address.
    fn open_in_web(&self, session: &str, turn: Option<&str>) -> Result<String, String>;

    /// The address of a session, or a turn of it, in the web app that runs, without opening
    /// it.
    fn web_link(&self, session: &str, turn: Option<&str>) -> Result<String, String>;
}
