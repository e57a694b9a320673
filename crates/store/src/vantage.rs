//! Looking at many files below one folder.
//!
//! A path is walked from its beginning for every look at it, and most of that is
//! the same for all files of a store: it is walked once, and the rest from there.

use crate::listings::FolderLook;
use crate::platform::{FileStat, Inode, Links, open_to_look};
use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// A folder that those below it are looked at from, if there is one.
#[derive(Debug, Default)]
pub struct Vantage(Option<(PathBuf, OwnedFd)>);

impl Vantage {
    /// Goes to a folder, unless it is the one where we are, or below that.
    pub fn go(&mut self, folder: &Path) {
        let is_here = self.0.as_ref().is_some_and(|(here, _)| here == folder);
        if !is_here && self.below(folder).is_none() {
            self.0 = open_to_look(folder).map(|open| (folder.to_owned(), open));
        }
    }

    /// The folder where we are and what is left of a path that leads through it.
    fn below<'p>(&self, path: &'p Path) -> Option<(&OwnedFd, &'p Path)> {
        let (here, open) = self.0.as_ref()?;
        let rest = path.as_os_str().as_bytes().strip_prefix(here.as_os_str().as_bytes())?;
        let rest = rest.strip_prefix(b"/").filter(|rest| !rest.is_empty())?;
        Some((open, Path::new(OsStr::from_bytes(rest))))
    }

    fn inode(&self, path: &Path, links: Links) -> io::Result<Inode> {
        match self.below(path) {
            Some((open, rest)) => Inode::below(open, rest, links),
            None => Inode::at(path, links),
        }
    }

    /// How a folder looks, which may be a link; nothing if none is there.
    pub fn folder(&self, path: &Path) -> io::Result<Option<FolderLook>> {
        FolderLook::of_inode(self.inode(path, Links::Followed))
    }

    /// How a file looks; nothing if what is there is something else.
    pub fn file(&self, path: &Path) -> io::Result<Option<FileStat>> {
        let inode = self.inode(path, Links::NotFollowed)?;
        Ok(inode.is_file.then(|| FileStat::of_inode(&inode)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Sandbox;

    #[test]
    fn from_wherever_one_looks_things_look_the_same() {
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
        for stand in [&projects, &folder, &projects.join("link"), &projects.join("gone"), &file] {
            let mut vantage = Vantage::default();
            vantage.go(stand);
            for path in &paths {
                let place = format!("{} from {}", path.display(), stand.display());
                let own = FolderLook::of(path);
                let seen = vantage.folder(path);
                assert_eq!(
                    seen.map_err(|error| error.kind()),
                    own.map_err(|error| error.kind()),
                    "{place}"
                );
                let own = std::fs::symlink_metadata(path)
                    .map(|found| found.is_file().then(|| FileStat::of(&found)));
                assert_eq!(kinds(vantage.file(path)), kinds(own), "{place}");
            }
        }
    }

    #[test]
    fn one_stays_while_folders_are_below() {
        let sandbox = Sandbox::new();
        let file = sandbox.write("projects/-one/a.jsonl", "{}\n");
        let folder = file.parent().expect("a folder");
        let projects = folder.parent().expect("a folder");
        let mut vantage = Vantage::default();
        vantage.go(projects);
        vantage.go(folder);
        if cfg!(target_os = "linux") {
            assert_eq!(vantage.0.as_ref().map(|(here, _)| here.as_path()), Some(projects));
        }
        vantage.go(&sandbox.home());
        vantage.go(&projects.join("gone"));
        assert!(vantage.file(&file).expect("a look").is_some());
    }
}
