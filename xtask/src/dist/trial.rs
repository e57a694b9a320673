//! Installs each package for this platform in a scratch folder, runs it there, and takes it out
//! again.
//!
//! The programs may be any build: what is tried is the packages. Where the installer of a
//! package is missing on this machine, its part is skipped, and the report says so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;
use xtask::empty_home::EmptyHome;
use xtask::workspace::{Workspace, shown};

use super::about::About;
use super::formats::Effort;
use super::target::Target;
use super::{Release, contents};

/// Where packages of a trial claim to come from. Nothing is downloaded.
const ADDRESS: &str = "https://example.invalid/annals";

/// Makes the packages of this platform from the programs in a folder, and tries each. Returns a
/// line for each package that was installed, run and removed, or skipped.
pub(crate) fn check(workspace: &Workspace, programs: &Path) -> Result<Vec<String>> {
    let folder = tempfile::Builder::new().prefix("annals-packages-").tempdir()?;
    let target = Target::host()?;
    let out = folder.path().join("out");
    let about = About::read(workspace, None)?;
    let version = about.version.clone();
    let release = Release { workspace, out: &out, about, effort: Effort::Least };
    release.make(&[(target, programs.to_owned())], Some(ADDRESS))?;
    let trial = Trial { folder, home: EmptyHome::new()?, out, target, version };
    let mut lines = Vec::new();
    for (name, needs, part) in Trial::PARTS {
        if let Some(missing) = needs.iter().find(|program| !trial.has(program)) {
            lines.push(format!("{name}: SKIPPED, {missing} is not installed"));
            continue;
        }
        part(&trial).with_context(|| format!("the package \"{name}\" fails"))?;
        lines.push(format!("{name}: passed"));
    }
    Ok(lines)
}

struct Trial {
    folder: TempDir,
    home: EmptyHome,
    out: PathBuf,
    target: &'static Target,
    version: String,
}

/// A part: its name, the programs it needs, and its trial.
type Part = (&'static str, &'static [&'static str], fn(&Trial) -> Result<()>);

impl Trial {
    const PARTS: [Part; 6] = [
        ("checksums", &["sha256sum"], Trial::checksums),
        ("archive", &["tar", "gzip"], Trial::archive),
        ("install script", &["sh", "tar", "gzip"], Trial::install_script),
        ("Debian package", &["dpkg", "dpkg-deb"], Trial::debian),
        ("npm packages", &["node", "npm"], Trial::npm),
        ("wheel", &["python3"], Trial::wheel),
    ];

    fn has(&self, program: &str) -> bool {
        self.run(Path::new("sh"), &["-c", &format!("command -v {program}")]).is_ok()
    }

    /// A new folder.
    fn scratch(&self, name: &str) -> Result<PathBuf> {
        let folder = self.folder.path().join(name);
        fs::create_dir(&folder)?;
        Ok(folder)
    }

    /// The file that was made with this ending.
    fn file(&self, start: &str, end: &str) -> Result<PathBuf> {
        let entries = fs::read_dir(&self.out)?;
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names = names.filter(|name| name.starts_with(start) && name.ends_with(end));
        let name = names.next().with_context(|| format!("there is no {start}*{end}"))?;
        Ok(self.out.join(name))
    }

    fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder.path());
        self.home.clear_environment(&mut command);
        command
    }

    /// The output of a program that must succeed.
    fn run(&self, program: &Path, arguments: &[&str]) -> Result<String> {
        run(&mut self.command(program, arguments))
    }

    /// Runs the installed programs.
    fn check_programs(&self, bin: &Path) -> Result<()> {
        let version = self.run(&bin.join("annals"), &["--version"])?;
        if !version.starts_with(&format!("annals {}", self.version)) {
            bail!("annals --version prints {version}");
        }
        let projects = self.run(&bin.join("annals"), &["--demo", "projects"])?;
        if !projects.contains("tidepool") {
            bail!("annals --demo projects prints {projects}");
        }
        // The launcher of npm leaves the second program in the package of the platform.
        let lake = bin.join("annals-lake");
        if lake.exists() {
            let refused = self.command(&lake, &["--version"]).output()?;
            let said = String::from_utf8_lossy(&refused.stderr).into_owned();
            if !said.starts_with(&format!("annals-lake {}", self.version)) {
                bail!("annals-lake prints {said}");
            }
        }
        Ok(())
    }

    /// Checks that manual and completions are in a prefix.
    fn check_documentation(prefix: &Path, ending: &str, zsh: &str) -> Result<()> {
        for path in [
            format!("share/man/man1/annals.1{ending}"),
            format!("share/man/man1/annals-archive-sync.1{ending}"),
            "share/bash-completion/completions/annals".to_owned(),
            format!("share/zsh/{zsh}/_annals"),
            "share/fish/vendor_completions.d/annals.fish".to_owned(),
        ] {
            if !prefix.join(&path).is_file() {
                bail!("{path} is missing");
            }
        }
        Ok(())
    }

    fn checksums(&self) -> Result<()> {
        let mut command = self.command(Path::new("sha256sum"), &["-c", "--strict", "SHA256SUMS"]);
        run(command.current_dir(&self.out)).map(drop)
    }

    fn archive(&self) -> Result<()> {
        let folder = self.scratch("archive")?;
        let file = self.file("annals-", ".tar.gz")?;
        self.run(Path::new("tar"), &["-xzf", text(&file)?, "-C", text(&folder)?])?;
        let prefix = folder.join(format!("annals-{}-{}", self.version, self.target.triple));
        self.check_programs(&prefix.join("bin"))?;
        if !prefix.join("bin/annals-lake").is_file() {
            bail!("annals-lake is missing");
        }
        Trial::check_documentation(&prefix, "", "site-functions")
    }

    fn install_script(&self) -> Result<()> {
        let prefix = self.scratch("prefix")?;
        fs::write(prefix.join("own"), "mine")?;
        let script = self.file("install", ".sh")?;
        let archive = self.file("annals-", ".tar.gz")?;
        let call = |arguments: &[&str], archive: &Path| -> Result<Command> {
            let arguments = [&[text(&script)?], arguments].concat();
            let mut command = self.command(Path::new("sh"), &arguments);
            command.env("ANNALS_PREFIX", &prefix).env("ANNALS_ARCHIVE", archive);
            Ok(command)
        };
        // A changed archive is refused before it is unpacked.
        let changed = self.folder.path().join("changed.tar.gz");
        let mut bytes = fs::read(&archive)?;
        bytes.push(0);
        fs::write(&changed, bytes)?;
        match run(&mut call(&[], &changed)?) {
            Ok(_) => bail!("a changed archive was installed"),
            Err(error) if error.to_string().contains("has the checksum") => {}
            Err(error) => return Err(error),
        }
        if fs::read_dir(&prefix)?.count() != 1 {
            bail!("a changed archive was unpacked");
        }
        // The second time is an update.
        for _ in 0..2 {
            let said = run(&mut call(&[], &archive)?)?;
            if !said.contains("is not on PATH") {
                bail!("the script does not say that the folder is not on PATH: {said}");
            }
        }
        self.check_programs(&prefix.join("bin"))?;
        Trial::check_documentation(&prefix, "", "site-functions")?;
        run(&mut call(&["--remove"], &archive)?)?;
        let left: Vec<_> = fs::read_dir(&prefix)?.flatten().map(|entry| entry.path()).collect();
        if left != [prefix.join("own")] {
            bail!("after --remove there are {left:?}");
        }
        Ok(())
    }

    fn debian(&self) -> Result<()> {
        let root = self.scratch("root")?;
        for folder in ["var/lib/dpkg/info", "var/lib/dpkg/updates", "var/log"] {
            fs::create_dir_all(root.join(folder))?;
        }
        fs::write(root.join("var/lib/dpkg/status"), "")?;
        let package = self.file("annals_", ".deb")?;
        self.run(Path::new("dpkg-deb"), &["--info", text(&package)?])?;
        // Its only dependency is the C library, which the scratch root does not have.
        let root_option = format!("--root={}", root.display());
        let options = [root_option.as_str(), "--force-depends", "--force-not-root"];
        let dpkg = Path::new("dpkg");
        self.run(dpkg, &[&options[..], &["--install", text(&package)?]].concat())?;
        self.check_programs(&root.join("usr/bin"))?;
        Trial::check_documentation(&root.join("usr"), ".gz", "vendor-completions")?;
        self.run(dpkg, &[&options[..], &["--purge", "annals"]].concat())?;
        if root.join("usr/bin/annals").exists() || root.join("usr/share/doc/annals").exists() {
            bail!("files are left after the removal");
        }
        Ok(())
    }

    fn npm(&self) -> Result<()> {
        let project = self.scratch("npm")?;
        let platform = self.file("annals-cli-", ".tgz")?;
        let launcher = self.out.join(format!("annals-{}.tgz", self.version));
        let options = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"];
        let npm = |arguments: &[&str]| -> Result<String> {
            self.run(Path::new("npm"), &[&options[..], &[text(&project)?], arguments].concat())
        };
        npm(&["install", text(&platform)?, text(&launcher)?])?;
        let bin = project.join("node_modules/.bin");
        self.check_programs(&bin)?;
        let folder = project.join(format!("node_modules/@annals-cli/{}", self.target.npm));
        Trial::check_documentation(&folder, "", "site-functions")?;
        // A failure is passed on.
        let failed = self.command(&bin.join("annals"), &["--no-such-option"]).output()?;
        if failed.status.code() != Some(2) {
            bail!("the launcher ends with {} where annals ends with 2", failed.status);
        }
        // Setup registers the program, not the launcher.
        let plan = self.run(&bin.join("annals"), &["setup", "--dry-run", "--json"])?;
        let plan: serde_json::Value = serde_json::from_str(&plan)?;
        let program = fs::canonicalize(folder.join("bin/annals"))?;
        if plan["program"].as_str() != program.to_str() {
            bail!("setup would register {}", plan["program"]);
        }
        npm(&["uninstall", "annals", &format!("@annals-cli/{}", self.target.npm)])?;
        if bin.join("annals").exists() || folder.exists() {
            bail!("files are left after the removal");
        }
        Ok(())
    }

    fn wheel(&self) -> Result<()> {
        let environment = self.scratch("venv")?;
        let wheel = self.file("annals_cli-", ".whl")?;
        self.run(Path::new("python3"), &["-m", "venv", text(&environment)?])?;
        let python = environment.join("bin/python");
        let pip = |arguments: &[&str]| {
            let options = ["-m", "pip", "--disable-pip-version-check", "--quiet"];
            self.run(&python, &[&options[..], arguments].concat())
        };
        pip(&["install", "--no-index", "--no-deps", text(&wheel)?])?;
        self.check_programs(&environment.join("bin"))?;
        Trial::check_documentation(&environment, "", "site-functions")?;
        pip(&["check"])?;
        pip(&["uninstall", "--yes", "annals-cli"])?;
        for program in contents::PROGRAMS {
            if environment.join("bin").join(program).exists() {
                bail!("{program} is left after the removal");
            }
        }
        Ok(())
    }
}

fn run(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {}", shown(command)))?;
    if !output.status.success() {
        let streams = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&streams).into_owned();
        bail!("{} ended with {}: {}", shown(command), output.status, said.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("{} is not text", path.display()))
}
