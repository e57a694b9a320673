//! `cargo xtask portability`: runs the tests as they would run elsewhere.
//!
//! Many mistakes show only on another machine: where the temporary folder is behind a link and
//! paths ignore case (macOS), in the C locale, without `HOME` (a service), and for an ordinary
//! user, whom permissions stop. This imitates all of them at once. The tests are compiled as
//! usual and then started directly, because the ordinary user has no cargo.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use xtask::conformance;
use xtask::empty_home::EmptyHome;
use xtask::workspace::{Workspace, shown};

/// The number of `nobody` on Linux.
const NOBODY: &str = "65534";

/// The variables that tests and the commands they start get. `TMPDIR` is added.
const VARIABLES: [(&str, &str); 4] = [
    ("LC_ALL", "C"),
    ("ANNALS_PATH_CASE", "folded"),
    ("ANNALS_TEST_PASSES_ON", "TMPDIR LC_ALL ANNALS_PATH_CASE"),
    // As in `cargo xtask test`, so that the result depends only on the code.
    ("PROPTEST_RNG_SEED", "1"),
];

pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let (mut packages, mut filters) = (Vec::new(), Vec::new());
    let mut words = arguments.iter().map(|word| word.to_string_lossy().into_owned());
    while let Some(word) = words.next() {
        if word == "--package" || word == "-p" {
            packages.push(words.next().context("--package needs a name")?);
        } else {
            filters.push(word);
        }
    }
    check(&Workspace::locate()?, &packages, &filters)
}

/// Compiles and runs the tests of these packages, or of all that are shipped: the tests of tasks
/// need cargo.
pub(crate) fn check(workspace: &Workspace, packages: &[String], filters: &[String]) -> Result<()> {
    let programs = compile(workspace, packages)?;
    if programs.is_empty() {
        bail!("there are no tests");
    }
    let place = TestPlace::create()?;
    let user = User::find(&place, &programs[0].path);
    println!("{}", user.description());
    let mut failed = Vec::new();
    for program in &programs {
        let mut command = user.command(&program.path);
        place.prepare(&mut command);
        // Snapshots are found from the workspace, which insta would ask cargo for.
        command.env("INSTA_WORKSPACE_ROOT", &workspace.root).env("INSTA_UPDATE", "no");
        command.current_dir(&program.folder).args(filters).arg("--quiet");
        println!("{} {}", program.package, shown(&command));
        let status = command.stdin(Stdio::null()).status();
        if !status.with_context(|| format!("cannot start {}", shown(&command)))?.success() {
            failed.push(program.package.clone());
        }
    }
    if !failed.is_empty() {
        bail!("tests that pass here would fail elsewhere: {}", failed.join(", "));
    }
    Ok(())
}

/// A program with tests.
#[derive(Debug, PartialEq, Eq)]
struct TestProgram {
    package: String,
    path: PathBuf,
    /// The folder in which cargo would start it.
    folder: PathBuf,
}

fn compile(workspace: &Workspace, packages: &[String]) -> Result<Vec<TestProgram>> {
    let home = EmptyHome::new()?;
    let mut command = workspace.cargo();
    command.args(["test", "--no-run", "--locked", "--message-format", "json"]);
    command.args(["--lib", "--bins", "--tests"]);
    if packages.is_empty() {
        command.args(conformance::shipped());
    }
    command.args(packages.iter().flat_map(|package| ["--package", package]));
    home.hide_real_home(&mut command);
    let output = command.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    if !output.status.success() {
        bail!("{} ended with {}", shown(&command), output.status);
    }
    Ok(parse_messages(&String::from_utf8_lossy(&output.stdout)))
}

/// The test programs in cargo's messages.
fn parse_messages(text: &str) -> Vec<TestProgram> {
    let program = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_test =
            message["reason"] == "compiler-artifact" && message["profile"]["test"] == true;
        let path = message["executable"].as_str().filter(|_| is_test)?;
        let folder = Path::new(message["manifest_path"].as_str()?).parent()?;
        let name = format!(
            "{} {}",
            folder.file_name()?.to_string_lossy(),
            message["target"]["name"].as_str().unwrap_or_default()
        );
        Some(TestProgram { package: name, path: path.into(), folder: folder.to_owned() })
    };
    text.lines().filter_map(program).collect()
}

/// A temporary folder behind a link, which everybody may write.
struct TestPlace {
    _folder: tempfile::TempDir,
    link: PathBuf,
}

impl TestPlace {
    fn create() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("annals-elsewhere-").tempdir()?;
        let real = folder.path().join("real");
        fs::create_dir(&real)?;
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))?;
        fs::set_permissions(&real, fs::Permissions::from_mode(0o1777))?;
        let link = folder.path().join("link");
        symlink(&real, &link)?;
        Ok(Self { _folder: folder, link })
    }

    /// Gives a command this place and nothing else of this machine except its programs.
    fn prepare(&self, command: &mut Command) {
        command.env_clear().envs(VARIABLES).env("TMPDIR", &self.link);
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    }
}

/// Who runs the tests.
#[derive(Debug, PartialEq, Eq)]
enum User {
    /// The ordinary user who started this task.
    Own,
    /// `nobody`, because root started this task.
    Nobody,
    /// Root, because `nobody` cannot.
    Root(String),
}

impl User {
    fn find(place: &TestPlace, program: &Path) -> User {
        if !rustix::process::geteuid().is_root() {
            return User::Own;
        }
        // They must reach the program, and be able to write to the folder.
        let mut command = User::Nobody.command(program);
        place.prepare(&mut command);
        command.arg("--list").stdout(Stdio::null()).stderr(Stdio::null());
        match command.status() {
            Ok(status) if status.success() => User::Nobody,
            Ok(status) => User::Root(format!("nobody cannot start the tests: {status}")),
            Err(error) => User::Root(format!("setpriv cannot be started: {error}")),
        }
    }

    fn command(&self, program: &Path) -> Command {
        if *self != User::Nobody {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "--"]).arg(program);
        command
    }

    fn description(&self) -> String {
        match self {
            User::Own => "the tests run as you".to_owned(),
            User::Nobody => "the tests run as nobody".to_owned(),
            User::Root(reason) => format!("SKIPPED: the tests as an ordinary user: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_test_programs_are_run() {
        let messages = r#"{"reason":"compiler-artifact","manifest_path":"/w/crates/store/Cargo.toml","target":{"name":"store"},"profile":{"test":true},"executable":"/t/store-1"}
{"reason":"compiler-artifact","manifest_path":"/w/crates/annals/Cargo.toml","target":{"name":"annals"},"profile":{"test":false},"executable":"/t/annals"}
{"reason":"compiler-artifact","manifest_path":"/w/crates/store/Cargo.toml","target":{"name":"store"},"profile":{"test":true},"executable":null}
{"reason":"build-finished","success":true}
not json"#;
        assert_eq!(
            parse_messages(messages),
            [TestProgram {
                package: "store store".to_owned(),
                path: "/t/store-1".into(),
                folder: "/w/crates/store".into(),
            }]
        );
    }

    #[test]
    fn the_place_is_behind_a_link_and_has_no_home() {
        let place = TestPlace::create().expect("a folder");
        let real = fs::canonicalize(&place.link).expect("a folder");
        assert_ne!(real, place.link);
        let mut command = Command::new("sh");
        command.args(["-c", "echo \"$TMPDIR ${HOME-none} $LC_ALL\""]);
        place.prepare(&mut command);
        let said = String::from_utf8(command.output().expect("sh").stdout).expect("text");
        assert_eq!(said.trim(), format!("{} none C", place.link.display()));
    }
}
