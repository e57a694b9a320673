//! Why setup cannot start, or cannot write.

use amend::ReplaceError;
use std::path::PathBuf;

/// Why setup cannot start, or cannot write.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The configuration folder does not exist.
    #[error("{} is no folder", .0.display())]
    MissingFolder(PathBuf),
    /// The path of the configuration folder cannot stand in JSON.
    #[error("{} is not UTF-8", .0.display())]
    NotUtf8(PathBuf),
    /// The made-up store has no root.
    #[error("there is no made-up store")]
    NoDemoStore,
    /// There is no default configuration folder.
    #[error("no home is known: name a configuration folder with --root DIR")]
    NoConfigFolder,
    /// A folder named with `--root` is of another kind.
    #[error("{} is no configuration folder", .0.display())]
    NotAConfigFolder(PathBuf),
    /// Several folders are named with `--root`.
    #[error("annals is set up in one configuration folder: name one with --root")]
    SeveralFolders,
    /// The path of the running program is unknown.
    #[error("where annals itself lies cannot be found out: name it with --command")]
    UnknownProgram,
    /// The path of the program cannot stand in settings.
    #[error(
        "{} cannot stand in settings: a path without control characters, in UTF-8, can",
        .0.display()
    )]
    ProgramPath(PathBuf),
    /// Somebody else could change the program, or it cannot run.
    #[error("{0}")]
    UnsafeProgram(String),
    /// A timer needs a home folder.
    #[error("no home is known, where a timer could lie")]
    NoTimerHome,
    /// A variable of the timer cannot stand in its file.
    #[error("{0} holds a control character")]
    ControlCharacter(&'static str),
    /// The receipt is damaged or of another version.
    #[error(
        "{} cannot be used: it is no receipt of this version; moved away, what is ours is known \
         by its command",
        .0.display()
    )]
    Receipt(PathBuf),
    /// A backup has no free name.
    #[error("{} has a hundred backups of this second", .0.display())]
    Backups(PathBuf),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] ReplaceError),
    /// The receipt could not be serialized.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}
