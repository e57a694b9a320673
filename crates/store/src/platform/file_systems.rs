//! The mounted file systems: whether changes are reported there, and whose processes a store's
//! pids belong to.
//!
//! A folder that a host shares with this system (a Windows drive in WSL, a folder of a virtual
//! machine's host, an SMB share) is also changed by others, and those changes are never
//! reported here.

use std::path::{Path, PathBuf};

/// The types whose changes by others are not reported. NFS is left out on purpose: homes are
/// there, and the programs that change them run on this machine.
const UNREPORTED: [&str; 9] =
    ["9p", "cifs", "drvfs", "fuse.vmhgfs-fuse", "prl_fs", "smb3", "vboxsf", "virtiofs", "vmhgfs"];

/// The mounted file systems.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileSystems(Vec<Mount>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Mount {
    folder: PathBuf,
    kind: String,
    options: String,
}

impl FileSystems {
    /// Those of this system; none where it does not list them.
    pub(crate) fn read() -> FileSystems {
        FileSystems::parse(&std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default())
    }

    /// Parses `/proc/self/mountinfo`: `id parent device root FOLDER options [tags] - TYPE source
    /// OPTIONS`.
    pub(crate) fn parse(text: &str) -> FileSystems {
        let mount = |line: &str| {
            let (before, after) = line.split_once(" - ")?;
            let folder = PathBuf::from(unescaped(before.split(' ').nth(4)?));
            let mut fields = after.split(' ');
            let kind = fields.next()?.to_owned();
            let options = fields.nth(1).unwrap_or_default().to_owned();
            Some(Mount { folder, kind, options })
        };
        FileSystems(text.lines().filter_map(mount).collect())
    }

    /// The type of a folder's file system, if changes there are not always reported.
    pub(crate) fn find_unreported(&self, folder: &Path) -> Option<&str> {
        let mount = self.mount_of(folder)?;
        UNREPORTED.contains(&mount.kind.as_str()).then_some(&*mount.kind)
    }

    /// Whether a folder is on a drive of Windows, seen from WSL.
    pub(crate) fn is_windows_drive(&self, folder: &Path) -> bool {
        self.mount_of(folder).is_some_and(|mount| {
            mount.kind == "drvfs" || mount.options.split([',', ';']).any(|it| it == "aname=drvfs")
        })
    }

    /// The innermost mount of a folder. A later one hides an earlier one in the same place.
    fn mount_of(&self, folder: &Path) -> Option<&Mount> {
        let folder = crate::real_path(folder);
        let mounts = self.0.iter().filter(|mount| folder.starts_with(&mount.folder));
        mounts.max_by_key(|mount| mount.folder.as_os_str().len())
    }
}

/// A path without the octal escapes of the kernel (`\040` is a space).
fn unescaped(text: &str) -> String {
    let escapes = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
    escapes.iter().fold(text.to_owned(), |text, (escape, it)| text.replace(escape, it))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As WSL 2 lists its mounts.
    const WSL: &str = r"
67 0 8:32 / / rw,relatime - ext4 /dev/sdc rw,discard,errors=remount-ro,data=ordered
84 67 0:36 / /mnt/wsl rw,relatime shared:1 - tmpfs none rw
135 67 0:61 / /mnt/c rw,noatime - 9p C:\134 rw,dirsync,aname=drvfs;path=C:\;uid=1000;gid=1000;symlinkroot=/mnt/,cache=5,access=client,msize=65536,trans=fd,rfd=5,wfd=5
136 67 0:62 / /mnt/my\040disk rw,noatime - virtiofs drvfsaD7 rw
137 135 0:63 / /mnt/c/inner rw - ext4 /dev/sdd rw
138 67 0:64 / /srv rw - nfs4 server:/home rw
torn";

    #[test]
    fn mounts_of_wsl_are_distinguished() {
        let systems = FileSystems::parse(WSL);
        let table = [
            ("/mnt/c/Users/me/.claude", Some("9p"), true),
            ("/mnt/c", Some("9p"), true),
            ("/mnt/cc", None, false),
            ("/mnt/c/inner/x", None, false),
            ("/mnt/my disk/x", Some("virtiofs"), false),
            ("/home/me/.claude", None, false),
            ("/srv/me", None, false),
        ];
        for (folder, expected, is_windows) in table {
            assert_eq!(systems.find_unreported(Path::new(folder)), expected, "{folder}");
            assert_eq!(systems.is_windows_drive(Path::new(folder)), is_windows, "{folder}");
        }
        assert_eq!(FileSystems::default().find_unreported(Path::new("/mnt/c")), None);
    }

    #[test]
    fn the_mounts_of_this_system_are_read() {
        let systems = FileSystems::read();
        assert_eq!(systems.mount_of(Path::new("/")).is_some(), cfg!(target_os = "linux"));
    }
}
