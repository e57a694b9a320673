//! The program that settings will name: an absolute path that no other user can
//! change.
//!
//! Claude Code runs that program at every session, so another user who can write the
//! file, or a folder above it, could run anything as this user.

use super::error::SetupError;
use crate::SearchPath;
use crate::platform::System;
use std::ffi::OsString;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use store::real_path;

/// Linux follows at most this many links.
const MOST_HOPS: usize = 40;

/// The program to write into settings: the named one, otherwise the running one.
pub(super) fn checked(named: Option<&Path>, running: Option<&Path>) -> Result<String, SetupError> {
    let text = path(named, running)?;
    check_on_system(Path::new(&text), IN_SETTINGS).map_err(SetupError::UnsafeProgram)?;
    Ok(text)
}

/// Checks that nobody else can change the program that `annals lake` starts.
pub fn check_lake_program(program: &Path) -> Result<(), String> {
    check_on_system(program, OF_LAKE)
}

fn check_on_system(program: &Path, purpose: Purpose) -> Result<(), String> {
    let group = std::fs::read_to_string("/etc/group").unwrap_or_default();
    let passwd = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let person = Person {
        id: rustix::process::geteuid().as_raw(),
        system: System::current(),
        group: &group,
        passwd: &passwd,
    };
    check(program, &person, purpose)
}

/// What a program is for, in messages.
#[derive(Clone, Copy)]
struct Purpose {
    use_of_it: &'static str,
    alternative: &'static str,
}

const IN_SETTINGS: Purpose = Purpose {
    use_of_it: "would run at every session",
    alternative: "pass --command PATH with a program that only you can change",
};

const OF_LAKE: Purpose = Purpose {
    use_of_it: "would run with access to your sessions",
    alternative: "set lake.program to a program that only you can change",
};

/// The path of the program, as text for a command. Who can write it is not checked.
pub(super) fn path(named: Option<&Path>, running: Option<&Path>) -> Result<String, SetupError> {
    let path = match (named, running) {
        (Some(named), _) => std::path::absolute(named).unwrap_or_else(|_| named.to_owned()),
        (None, Some(running)) => running.to_owned(),
        (None, None) => return Err(SetupError::UnknownProgram),
    };
    let text = path.to_str().filter(|text| !text.chars().any(char::is_control));
    text.map(str::to_owned).ok_or_else(|| SetupError::ProgramPath(path.clone()))
}

/// A note if a link on `PATH` points to the program: the link stays when annals is
/// updated.
pub(super) fn link_hint(search_path: &SearchPath, program: &str) -> Option<String> {
    let found = search_path.find_program("annals")?;
    let is_link = found != Path::new(program) && real_path(&found) == Path::new(program);
    let shown = found.display();
    is_link.then(|| {
        format!("{shown} is a link to this program (pass --command {shown} to use the link)")
    })
}

/// The user who should own the program, and the groups of the system.
struct Person<'a> {
    id: u32,
    system: System,
    group: &'a str,
    passwd: &'a str,
}

/// Checks that a program is safe to run. Every component of its path counts: the
/// folders above it, and each link with the folders above the link.
fn check(program: &Path, person: &Person<'_>, purpose: Purpose) -> Result<(), String> {
    let Purpose { use_of_it, alternative } = purpose;
    let shown = program.display();
    let mut hops = 0;
    let mut here = PathBuf::new();
    let mut ahead: Vec<OsString> = backwards(program);
    while let Some(part) = ahead.pop() {
        if part == ".." {
            here.pop();
            continue;
        }
        let component = here.join(part);
        let wrong = |error: io::Error| format!("{}: {error}", component.display());
        let metadata = std::fs::symlink_metadata(&component).map_err(wrong)?;
        if let Some(who) = other_writer(&metadata, person) {
            let component = component.display();
            let remedy = if metadata.uid() == 0 || metadata.uid() == person.id {
                format!("chmod go-w {component}")
            } else {
                format!("make {component} your own with chown")
            };
            return Err(format!(
                "{shown} {use_of_it}, but {who} {component}\nhint: {remedy}, or {alternative}"
            ));
        }
        if metadata.is_symlink() {
            hops += 1;
            if hops > MOST_HOPS {
                return Err(format!("{shown} has too many levels of links"));
            }
            // Relative to the folder of the link; an absolute target starts at the root.
            ahead.extend(backwards(&std::fs::read_link(&component).map_err(wrong)?));
        } else {
            here = component;
        }
    }
    let metadata = std::fs::metadata(&here).map_err(|error| format!("{shown}: {error}"))?;
    if !metadata.is_file() || metadata.mode() & 0o111 == 0 {
        return Err(format!("{shown} is not an executable file"));
    }
    Ok(())
}

/// The components of a path in reverse order.
fn backwards(path: &Path) -> Vec<OsString> {
    path.components().rev().map(|part| part.as_os_str().to_owned()).collect()
}

/// Who else can write a file, in words.
fn other_writer(metadata: &Metadata, person: &Person<'_>) -> Option<String> {
    let owner = metadata.uid();
    if owner != 0 && owner != person.id {
        return Some(format!("user {owner} can write"));
    }
    if metadata.is_symlink() {
        // A link has no mode: its owner and the writers of its folder can change it.
        return None;
    }
    // In a sticky folder, only the owner of a file can replace it.
    if metadata.is_dir() && metadata.mode() & 0o1000 != 0 {
        return None;
    }
    if metadata.mode() & 0o002 != 0 {
        return Some("everybody can write".to_owned());
    }
    let group = metadata.gid();
    if metadata.mode() & 0o020 != 0 && !is_own_group(group, person) {
        return Some(format!("group {group} can write"));
    }
    None
}

/// Whether only this user and root are in a group, by the files of users and groups: a
/// group that only a directory service knows counts as shared. Many systems give each user a
/// private group that can write their files.
fn is_own_group(group: u32, person: &Person<'_>) -> bool {
    if person.system.is_group_of_administrators(group) {
        return true;
    }
    if !person.system.lists_people_in_files() {
        return false;
    }
    let fields = |line: &str| line.split(':').map(str::to_owned).collect::<Vec<_>>();
    let users: Vec<Vec<String>> = person.passwd.lines().map(fields).collect();
    let number = |fields: &[String], index: usize| fields.get(index).and_then(|it| it.parse().ok());
    let own: Vec<&str> = users
        .iter()
        .filter(|user| matches!(number(user, 2), Some(id) if id == 0 || id == person.id))
        .filter_map(|user| user.first().map(String::as_str))
        .collect();
    let is_others = users.iter().any(|user| {
        let name = user.first().map_or("", String::as_str);
        number(user, 3) == Some(group) && !own.contains(&name)
    });
    let line = person.group.lines().map(fields).find(|line| number(line, 2) == Some(group));
    let Some(line) = line else { return false };
    let mut members = line.get(3).map_or("", String::as_str).split(',').filter(|it| !it.is_empty());
    !is_others && members.all(|member| own.contains(&member.trim()))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make the programs they check")]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    const PASSWD: &str = "root:x:0:0::/root:/bin/sh\nada:x:1000:1000::/home/ada:\nbob:x:1001:1001::/home/bob:\neve:x:1002:1000::/:\n";

    #[test]
    fn a_group_is_ones_own_if_nobody_else_is_in_it() {
        let person = |group| Person { id: 1001, system: System::Linux, group, passwd: PASSWD };
        let table = [
            (1001, "bob:x:1001:\n", true),
            (1001, "bob:x:1001:bob,root\n", true),
            (1001, "bob:x:1001:ada\n", false),
            (1000, "ada:x:1000:\n", false),
            (50, "staff:x:50:\n", true),
            (50, "staff:x:50:ada\n", false),
            (77, "staff:x:50:\n", false),
            (77, "", false),
            (0, "", true),
        ];
        for (group, file, expected) in table {
            assert_eq!(is_own_group(group, &person(file)), expected, "{group} {file}");
        }
    }

    #[test]
    fn on_macos_only_administrators_share_a_program() {
        // As macOS ships both files: people are in neither.
        let group = "nobody:*:-2:\nwheel:*:0:root\nstaff:*:20:root\nadmin:*:80:root\n_www:*:70:_devicemgr\n";
        let passwd = "nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false\nroot:*:0:0:System Administrator:/var/root:/bin/sh\n";
        let person = Person { id: 501, system: System::MacOs, group, passwd };
        for (group, expected) in [(0, true), (80, true), (20, false), (501, false), (70, false)] {
            assert_eq!(is_own_group(group, &person), expected, "{group}");
        }
    }

    #[test]
    fn a_program_that_others_can_write_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(folder.path()).unwrap();
        let (bin, program) = (real.join("bin"), real.join("bin/annals"));
        fs::create_dir(&bin).unwrap();
        fs::write(&program, "").unwrap();
        symlink(&program, real.join("link")).unwrap();
        let me = rustix::process::geteuid().as_raw();
        let gid = fs::metadata(&program).unwrap().gid();
        let group = format!("others:x:{gid}:mallory\n");
        let person = Person { id: me, system: System::Linux, group: &group, passwd: "" };
        // For root, the group of the test files is private.
        let by_group = if gid == 0 { None } else { Some("group") };
        let table = [
            (0o755, 0o755, None),
            (0o700, 0o500, None),
            (0o755, 0o644, Some("is not an executable file")),
            (0o755, 0o757, Some("everybody can write")),
            (0o777, 0o755, Some("everybody can write")),
            (0o1777, 0o755, None),
            (0o775, 0o755, by_group),
            (0o755, 0o775, by_group),
        ];
        for (folder_mode, mode, expected) in table {
            fs::set_permissions(&program, fs::Permissions::from_mode(mode)).unwrap();
            fs::set_permissions(&bin, fs::Permissions::from_mode(folder_mode)).unwrap();
            for path in [program.clone(), real.join("link")] {
                let found = check(&path, &person, IN_SETTINGS).err();
                let is_right = match (&found, expected) {
                    (None, None) => true,
                    (Some(found), Some(expected)) => found.contains(expected),
                    _ => false,
                };
                assert!(is_right, "{folder_mode:o} {mode:o}: {found:?}");
            }
        }
        let stranger = Person { id: me.wrapping_add(1), ..person };
        assert_eq!(check(&program, &stranger, IN_SETTINGS).is_err(), me != 0);
        assert!(check(&real.join("nowhere"), &stranger, IN_SETTINGS).is_err());
        assert!(check(&bin, &stranger, IN_SETTINGS).is_err());
    }

    #[test]
    fn every_link_on_the_way_to_a_program_counts() {
        let folder = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(folder.path()).unwrap();
        for (name, mode) in [("bin", 0o755), ("open", 0o777), ("shared", 0o1777)] {
            fs::create_dir(real.join(name)).unwrap();
            fs::set_permissions(real.join(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        fs::write(real.join("bin/annals"), "").unwrap();
        fs::set_permissions(real.join("bin/annals"), fs::Permissions::from_mode(0o755)).unwrap();
        let table = [
            ("bin/direct", "annals", None),
            ("bin/round", "../bin/./annals", None),
            ("shared/own", "../bin/annals", None),
            ("open/hop", "../bin/annals", Some("everybody can write")),
            ("bin/over", "../open/hop", Some("everybody can write")),
            ("bin/through", "../open/../bin/annals", Some("everybody can write")),
            ("bin/loop", "loop", Some("too many levels of links")),
            ("bin/gone", "nowhere", Some("No such file")),
        ];
        let me = rustix::process::geteuid().as_raw();
        let person = Person { id: me, system: System::Linux, group: "", passwd: "" };
        for (link, target, expected) in table {
            symlink(target, real.join(link)).unwrap();
            let found = check(&real.join(link), &person, IN_SETTINGS).err();
            assert_eq!(found.is_some(), expected.is_some(), "{link}: {found:?}");
            assert!(found.unwrap_or_default().contains(expected.unwrap_or_default()), "{link}");
        }
        // Only root can give a link to somebody else.
        if me == 0 {
            std::os::unix::fs::lchown(real.join("shared/own"), Some(4242), None).unwrap();
            let found = check(&real.join("shared/own"), &person, IN_SETTINGS).unwrap_err();
            assert!(found.contains("user 4242 can write"), "{found}");
        }
    }

    #[test]
    fn a_path_that_no_command_can_hold_is_refused() {
        assert!(path(Some(Path::new("/a\nb/annals")), None).is_err());
        assert!(path(None, None).is_err());
        assert_eq!(path(None, Some(Path::new("/a b/annals"))).unwrap(), "/a b/annals");
    }
}
