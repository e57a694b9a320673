//! A handle on a directory, to read the stamps of many files below it.
//!
//! The kernel resolves a path from its first component on every `stat`, and all
//! files of a store share most of that path. With a handle the shared part is
//! resolved once and only the rest of each path is resolved per file.

use crate::listings::FolderStamp;
use crate::platform::{FileStat, Inode, Links, open_to_look};
use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// An open directory. Paths below it are resolved relative to it, all others
/// from the root of the file system.
#[derive(Debug, Default)]
pub struct DirHandle(Option<(PathBuf, OwnedFd)>);

impl DirHandle {
    /// Opens a directory, unless it is the open one or lies below it.
    pub fn open(&mut self, folder: &Path) {
        let is_open = self.0.as_ref().is_some_and(|(path, _)| path == folder);
        if !is_open && self.below(folder).is_none() {
            self.0 = open_to_look(folder).map(|open| (folder.to_owned(), open));
        }
    }

    /// The open directory, and the part of a path below it.
    fn below<'p>(&self, path: &'p Path) -> Option<(&OwnedFd, &'p Path)> {
        let (folder, open) = self.0.as_ref()?;
        let rest = path.as_os_str().as_bytes().strip_prefix(folder.as_os_str().as_bytes())?;
        let rest = rest.strip_prefix(b"/").filter(|rest| !rest.is_empty())?;
        Some((open, Path::new(OsStr::from_bytes(rest))))
    }

    fn inode(&self, path: &Path, links: Links) -> io::Result<Inode> {
        match self.below(path) {
            Some((open, rest)) => Inode::below(open, rest, links),
            None => Inode::at(path, links),
        }
    }

    /// The stamp of a folder, or of the folder a link points to; `None` if there is no
    /// folder.
    pub fn folder_stamp(&self, path: &Path) -> io::Result<Option<FolderStamp>> {
        FolderStamp::of_inode(self.inode(path, Links::Followed))
    }

    /// Size, times and inode of a regular file; `None` if it is something else.
    pub fn file_stat(&self, path: &Path) -> io::Result<Option<FileStat>> {
        let inode = self.inode(path, Links::NotFollowed)?;
        Ok(inode.is_file.then(|| FileStat::of_inode(&inode)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Sandbox;

    #[test]
    fn stamps_are_the_same_from_every_open_directory() {
        let sandbox = Sandbox::new();
        let file = sandbox.write("projects/-one/a.jsonl", "{}\n");
        let folder = file.parent().expect("a folder").to_owned();
        let projects = folder.parent().expect("a folder").to_owned();
        sandbox.link("projects/link", &folder);
        sandbox.link("projects/-one/link.jsonl", &file);
        let beside = sandbox.link("projects-of-others", &folder);
        let paths = [
            file.clone(),
            folder.join("link.jsonl"),
            folder.join("gone.jsonl"),
            file.join("below-a-file"),
            folder.clone(),
            projects.join("link"),
            projects.join("link/a.jsonl"),
            projects.clone(),
            beside.join("a.jsonl"),
            beside,
        ];
        let kinds = |seen: io::Result<Option<FileStat>>| seen.map_err(|error| error.kind());
        for opened in [&projects, &folder, &projects.join("link"), &projects.join("gone"), &file] {
            let mut dir_handle = DirHandle::default();
            dir_handle.open(opened);
            for path in &paths {
                let context = format!("{} from {}", path.display(), opened.display());
                let own = FolderStamp::of(path);
                let seen = dir_handle.folder_stamp(path);
                assert_eq!(
                    seen.map_err(|error| error.kind()),
                    own.map_err(|error| error.kind()),
                    "{context}"
                );
                let own = std::fs::symlink_metadata(path)
                    .map(|found| found.is_file().then(|| FileStat::of(&found)));
                assert_eq!(kinds(dir_handle.file_stat(path)), kinds(own), "{context}");
            }
        }
    }

    #[test]
    fn a_directory_stays_open_for_folders_below_it() {
        let sandbox = Sandbox::new();
        let file = sandbox.write("projects/-one/a.jsonl", "{}\n");
        let folder = file.parent().expect("a folder");
        let projects = folder.parent().expect("a folder");
        let mut dir_handle = DirHandle::default();
        dir_handle.open(projects);
        dir_handle.open(folder);
        if cfg!(target_os = "linux") {
            assert_eq!(dir_handle.0.as_ref().map(|(path, _)| path.as_path()), Some(projects));
        }
        dir_handle.open(&sandbox.home());
        dir_handle.open(&projects.join("gone"));
        assert!(dir_handle.file_stat(&file).expect("a stat").is_some());
    }
}
