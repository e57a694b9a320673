//! Errors of setup.

use amend::ReplaceError;
use std::path::PathBuf;

/// The reason why setup cannot start, or cannot write.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The configuration folder does not exist.
    #[error("{} is not a folder", .0.display())]
    MissingFolder(PathBuf),
    /// The path of the configuration folder cannot be written as JSON.
    #[error("{} is not UTF-8", .0.display())]
    NotUtf8(PathBuf),
    /// The demo store has no root.
    #[error("the demo store could not be created")]
    NoDemoStore,
    /// There is no default configuration folder.
    #[error("no configuration folder: HOME is not set\nhint: pass --root DIR")]
    NoConfigFolder,
    /// A folder named with `--root` is of another kind.
    #[error("{} is not a Claude Code configuration folder", .0.display())]
    NotAConfigFolder(PathBuf),
    /// Several folders are named with `--root`.
    #[error("setup changes one configuration folder at a time\nhint: pass --root once")]
    SeveralFolders,
    /// The path of the running program is unknown.
    #[error("cannot find the path of the annals program\nhint: pass it with --command")]
    UnknownProgram,
    /// The path of the program cannot be written into settings.
    #[error(
        "the program path {} cannot be used in settings: it must be UTF-8 without control characters",
        .0.display()
    )]
    ProgramPath(PathBuf),
    /// Somebody else could change the program, or it cannot run.
    #[error("{0}")]
    UnsafeProgram(String),
    /// The program will not stay where it is.
    #[error(
        "{0}\nhint: install annals (docs/install.md lists the ways), or pass --command PATH with a \
         program that stays"
    )]
    VanishingProgram(String),
    /// A timer needs a home folder.
    #[error("no home folder for the timer: HOME is not set")]
    NoTimerHome,
    /// A variable of the timer cannot be written into its file.
    #[error("{0} contains a control character")]
    ControlCharacter(&'static str),
    /// The receipt is damaged or of another version.
    #[error(
        "{} is not a receipt of this version\nhint: move it away; setup then recognizes its parts \
         by their command",
        .0.display()
    )]
    Receipt(PathBuf),
    /// A backup has no free name.
    #[error("cannot back up {}: there are already a hundred backups from this second", .0.display())]
    Backups(PathBuf),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] ReplaceError),
    /// The receipt could not be serialized.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}
