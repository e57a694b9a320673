//! The programs to compare with, installed below the target folder with npm.
//!
//! Each lies in a separate folder, in the version that the readers were written for. The
//! source of packages is the registry that npm is set up with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use xtask::workspace::shown;

/// A package with a program in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Program {
    /// The name of its folder.
    name: &'static str,
    package: &'static str,
    version: &'static str,
    /// Below `node_modules`. The wrappers of some packages need scripts that npm may be
    /// forbidden to run, so that the real program is called there.
    file: &'static str,
}

pub(super) const CODEX: Program =
    Program { name: "codex", package: "@openai/codex", version: "0.166.0", file: ".bin/codex" };
pub(super) const OPENCODE: Program = Program {
    name: "opencode",
    package: "opencode-ai",
    version: "1.18.33",
    file: "opencode-linux-x64/bin/opencode",
};
/// The last version that wrote a tree of JSON files.
pub(super) const OPENCODE_JSON: Program = Program {
    name: "opencode-json",
    package: "opencode-ai",
    version: "1.1.65",
    file: "opencode-linux-x64/bin/opencode",
};
pub(super) const COPILOT: Program = Program {
    name: "copilot",
    package: "@github/copilot",
    version: "1.0.102",
    file: ".bin/copilot",
};
pub(super) const GEMINI: Program = Program {
    name: "gemini",
    package: "@google/gemini-cli",
    version: "0.61.0",
    file: ".bin/gemini",
};
pub(super) const PI: Program = Program {
    name: "pi",
    package: "@mariozechner/pi-coding-agent",
    version: "0.73.1",
    file: ".bin/pi",
};
/// Checks documents against JSON schemas.
pub(super) const AJV: Program =
    Program { name: "ajv", package: "ajv", version: "8.20.0", file: "ajv/dist/ajv.js" };

/// The folder of the programs.
#[derive(Debug)]
pub(super) struct Programs {
    folder: PathBuf,
}

impl Programs {
    pub(super) fn new(folder: PathBuf) -> Programs {
        Programs { folder }
    }

    /// Installs a program where it is missing. The error says why it cannot be had.
    fn install(&self, program: Program) -> Result<PathBuf, String> {
        let folder = self.folder.join(program.name);
        let file = folder.join("node_modules").join(program.file);
        if installed_version(&folder, program.package).as_deref() == Some(program.version)
            && file.exists()
        {
            return Ok(file);
        }
        let io = |error: std::io::Error| format!("{} cannot be written: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(io)?;
        // Without a package.json here, npm would search the parent folders.
        fs::write(folder.join("package.json"), r#"{"private":true}"#).map_err(io)?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund"]);
        npm.arg(format!("{}@{}", program.package, program.version)).current_dir(&folder);
        // With the full environment, which configures access to the registry.
        let output = npm.output().map_err(|error| format!("npm cannot be run ({error})"))?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            let line = errors.lines().find(|line| line.starts_with("npm error")).unwrap_or("");
            return Err(format!("{} failed ({line})", shown(&npm)));
        }
        if file.exists() { Ok(file) } else { Err(format!("npm installed no {}", file.display())) }
    }

    /// The file of a program, or `None` with a note on what is skipped without it.
    pub(super) fn find(&self, program: Program, without: &str) -> Option<PathBuf> {
        match self.install(program) {
            Ok(file) => Some(file),
            Err(reason) => {
                println!("skipped: {without}, because {reason}");
                None
            }
        }
    }
}

fn installed_version(folder: &Path, package: &str) -> Option<String> {
    let path = folder.join("node_modules").join(package).join("package.json");
    let package: Value = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    package["version"].as_str().map(str::to_owned)
}
