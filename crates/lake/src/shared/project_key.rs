//! The name under which a project is known to everybody: the same on each machine.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Larger files are not a git configuration that a person wrote.
const MAX_BYTES: u64 = 1 << 20;

/// The address of the folder's git origin, without credentials, or the folder's name.
pub(crate) fn project_key(folder: &str) -> String {
    let origin = git_folder(Path::new(folder)).and_then(|git| origin(&read(&git.join("config"))?));
    origin.as_deref().and_then(without_credentials).unwrap_or_else(|| last_name(folder))
}

fn last_name(folder: &str) -> String {
    let name = folder.rsplit(['/', '\\']).find(|name| !name.is_empty());
    name.unwrap_or("(root)").to_owned()
}

fn read(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    let is_small = file.metadata().is_ok_and(|stat| stat.is_file() && stat.len() <= MAX_BYTES);
    if !is_small {
        return None;
    }
    let mut text = String::new();
    file.take(MAX_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The folder with the configuration of the repository that a folder lies in.
fn git_folder(folder: &Path) -> Option<PathBuf> {
    let git = folder.ancestors().map(|folder| folder.join(".git")).find(|git| git.exists())?;
    if git.is_dir() {
        return Some(git);
    }
    // A worktree or submodule names its folder in a file; a worktree's configuration is in
    // the repository that it shares.
    let own = git.parent()?.join(read(&git)?.strip_prefix("gitdir:")?.trim());
    let common = read(&own.join("commondir")).map(|common| own.join(common.trim()));
    Some(common.unwrap_or(own))
}

/// The address of the remote named origin.
fn origin(config: &str) -> Option<String> {
    let mut is_origin = false;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            is_origin = line == "[remote \"origin\"]";
        } else if is_origin
            && let Some((name, value)) = line.split_once('=')
            && name.trim().eq_ignore_ascii_case("url")
        {
            return Some(value.trim().trim_matches('"').to_owned());
        }
    }
    None
}

/// The host and path of an address. `None` for a folder of this machine.
fn without_credentials(address: &str) -> Option<String> {
    let rest = match address.split_once("://") {
        Some(("file", _)) => return None,
        Some((_, rest)) => rest.to_owned(),
        // As scp writes it: user@host:path.
        None => {
            let (host, path) = address.split_once(':')?;
            if host.contains('/') || host.len() < 2 {
                return None;
            }
            format!("{host}/{}", path.trim_start_matches('/'))
        }
    };
    let (authority, path) = rest.split_once('/')?;
    let host = authority.rsplit('@').next()?.split(':').next()?.to_lowercase();
    let path = path.split(['?', '#']).next()?.trim_matches('/').trim_end_matches(".git");
    (!host.is_empty() && !path.is_empty()).then(|| format!("{host}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Sandbox;

    #[test]
    fn all_addresses_of_a_repository_are_one_key() {
        for address in [
            "https://github.com/acme/tides.git",
            "https://ada:ghp_token@github.com/acme/tides",
            "https://github.com:443/acme/tides/",
            "git@github.com:acme/tides.git",
            "ssh://git@GitHub.com:22/acme/tides.git",
            "git://github.com/acme/tides.git?x=1",
        ] {
            let key = without_credentials(address);
            assert_eq!(key.as_deref(), Some("github.com/acme/tides"), "{address}");
        }
    }

    #[test]
    fn addresses_of_folders_are_not_keys() {
        for address in ["/srv/git/tides.git", "../tides", "file:///srv/tides", "C:/tides", ""] {
            assert_eq!(without_credentials(address), None, "{address}");
        }
    }

    #[test]
    fn a_project_is_known_by_its_origin_or_its_folder() {
        let sandbox = Sandbox::new();
        let path = sandbox.folder("tides").to_str().unwrap().to_owned();
        sandbox.folder("tides/src");
        assert_eq!(project_key(&path), "tides");
        assert_eq!(project_key("C:\\Users\\ada\\moon\\"), "moon");
        let config = "[core]\n\turl = no\n[remote \"origin\"]\n\turl = git@github.com:acme/t.git\n";
        sandbox.write("tides/.git/config", config);
        assert_eq!(project_key(&path), "github.com/acme/t");
        assert_eq!(project_key(&format!("{path}/src")), "github.com/acme/t");
    }

    #[test]
    fn a_worktree_has_the_key_of_its_repository() {
        let sandbox = Sandbox::new();
        sandbox.write("tides/.git/config", "[remote \"origin\"]\nurl=git@h.io:a/b\n");
        let own = sandbox.write("tides/.git/worktrees/elsewhere/commondir", "../..\n");
        let own = own.parent().unwrap().display().to_string();
        let file = sandbox.write("elsewhere/.git", format!("gitdir: {own}\n"));
        assert_eq!(project_key(file.parent().unwrap().to_str().unwrap()), "h.io/a/b");
    }
}
