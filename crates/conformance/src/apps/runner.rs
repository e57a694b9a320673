//! Running a program with prompts for the model on loopback, in a made-up home and project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use xtask::workspace::shown;

/// The longest that one run of a program may take.
const LONGEST: Duration = Duration::from_mins(5);

/// A made-up home with a project in it.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) home: PathBuf,
    pub(super) project: PathBuf,
}

impl Place {
    /// Makes the home, and in it a repository with a few files.
    pub(super) fn make(folder: &Path) -> Result<Place> {
        let folder = fs::canonicalize(folder)?;
        let place = Place { home: folder.join("home"), project: folder.join("home/demo") };
        fs::create_dir_all(&place.project)?;
        fs::write(place.project.join("README.md"), "# Demo\n\nKelp grows in cold water.\n")?;
        fs::write(place.project.join("numbers.txt"), "one\ntwo\nthree\n")?;
        fs::write(place.project.join("pixel.png"), PIXEL)?;
        for arguments in [
            &["init", "--quiet", "--initial-branch=main"][..],
            &["add", "."],
            &["-c", "user.name=dev", "-c", "user.email=dev@example.com", "commit", "-qm", "first"],
        ] {
            let mut git = Command::new("git");
            git.args(arguments).current_dir(&place.project).env("HOME", &place.home);
            git.env("GIT_CONFIG_NOSYSTEM", "1");
            let status = git.status().context("cannot start git")?;
            if !status.success() {
                bail!("{} ended with {status}", shown(&git));
            }
        }
        Ok(place)
    }

    /// A command in the project that sees nothing of the real home.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(&self.project).env("HOME", &self.home);
        for name in ["PATH", "LANG", "TMPDIR"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.stdin(Stdio::null());
        command
    }
}

/// A PNG image of one pixel.
const PIXEL: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\
\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";

/// Runs a command to its end. Its output is kept in a file beside the project, because some
/// programs cut what they write into a pipe.
pub(super) fn run(command: &mut Command, log: &Path) -> Result<String> {
    let output =
        fs::File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    command.stdout(output.try_clone()?).stderr(output);
    let mut child = command.spawn().with_context(|| format!("cannot start {}", shown(command)))?;
    let end = Instant::now() + LONGEST;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() > end {
            child.kill()?;
            child.wait()?;
            bail!("{} did not end; its output is in {}", shown(command), log.display());
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let text = String::from_utf8_lossy(&fs::read(log)?).into_owned();
    if !status.success() {
        bail!("{} ended with {status}:\n{text}", shown(command));
    }
    Ok(text)
}

/// Prompts that every program understands: tools, a failing command, long and unusual output,
/// thinking, and quotation.
pub(super) fn prompts(place: &Place) -> Vec<String> {
    let project = place.project.display();
    vec![
        format!(
            "List the files.\nRUN ls -la\nREAD {project}/README.md\nTHINK **Looking** around.\n\
             SAY There are three files."
        ),
        "Fail.\nRUN false\nRUN cat /nonexistent\nSAY Both failed.".to_owned(),
        format!(
            "Write.\nWRITE {project}/notes.txt some new notes\nRUN cat notes.txt\nSAY Written."
        ),
        "Print much.\nRUN seq 1 5000\nSAY Those were many lines.".to_owned(),
        "Ünïcode 🐟 «quoted» \"text\" with a\ttab.\nRUN printf 'naïve 🐠 \\\\ \"x\"\\n'\n\
         THINK Ω thought.\nSAY Gesagt: «ja» 🐡"
            .to_owned(),
        "Just talk.\nSAY Hello.".to_owned(),
    ]
}
