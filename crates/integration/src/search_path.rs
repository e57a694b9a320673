//! The folders in which programs are searched: the value of `PATH`, which the binary
//! reads.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

/// The folders of `PATH`.
#[derive(Clone, Debug, Default)]
pub struct SearchPath(Option<OsString>);

impl SearchPath {
    /// From the value of the variable, if it is set.
    pub fn new(path: Option<OsString>) -> SearchPath {
        SearchPath(path)
    }

    /// The first executable file of this name. Relative folders are skipped: they would
    /// depend on the current working directory.
    pub fn find_program(&self, name: &str) -> Option<PathBuf> {
        let folders = std::env::split_paths(self.0.as_ref()?).filter(|folder| folder.is_absolute());
        let mut programs = folders.map(|folder| folder.join(name));
        programs.find(|program| {
            std::fs::metadata(program).is_ok_and(|metadata| {
                metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
            })
        })
    }
}
