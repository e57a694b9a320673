//! The engines of `lake-test`, installed below the target folder and pinned by hash.
//!
//! The sources of packages are those that the machine is set up with (npm's registry, pip's
//! index). A part is there whole or not at all, and is used again by the next run.

use std::fmt::{Display, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fmt, fs, io};

use sha2::{Digest as _, Sha256};
use xtask::workspace::shown;

/// ClickHouse as a library whose main program can listen; the npm package, its file and its
/// SHA-256.
const CLICKHOUSE: &str = "@chdb/lib-linux-x64-gnu@26.7.3-stable.1";
const CLICKHOUSE_FILE: &str = "chdb-lib-linux-x64-gnu-26.7.3-stable.1.tgz";
const CLICKHOUSE_HASH: &str = "c0d32b129e988f2b9a9a31c9141aecf5e1e2453f9a079efc4d36ab8e3f92b2ad";

/// A part that cannot be had here, and why.
#[derive(Debug)]
pub(super) struct Missing(String);

impl Missing {
    fn new(part: &str, reason: impl Display) -> Self {
        Missing(format!("{part} is missing ({reason})"))
    }
}

impl Display for Missing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Installs DuckDB, Spark's client and moto. Returns the interpreter that has them.
pub(super) fn install_python(folder: &Path, sources: &Path) -> Result<PathBuf, Missing> {
    let missing = |reason: String| Missing::new("DuckDB, Spark or moto for Python", reason);
    let requirements = sources.join("requirements.txt");
    let pinned = fs::read_to_string(&requirements).map_err(|error| missing(error.to_string()))?;
    let python = folder.join("python");
    let interpreter = python.join("bin/python");
    // A virtual environment knows its own path, so it is not built elsewhere and renamed; a
    // file that is written last says that it is whole.
    let whole = python.join("installed.txt");
    if fs::read_to_string(&whole).is_ok_and(|text| text == pinned) {
        return Ok(interpreter);
    }
    let install = || -> Result<(), String> {
        let cannot = |error: io::Error| format!("cannot write {}: {error}", folder.display());
        fs::create_dir_all(folder).map_err(cannot)?;
        output(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&python))?;
        let mut pip = Command::new(&interpreter);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]);
        pip.args(["--timeout", "30", "--retries", "2"]);
        // Spark is published as sources only.
        pip.args(["--only-binary", ":all:", "--no-binary", "pyspark"]);
        output(pip.args(["--require-hashes", "--requirement"]).arg(&requirements))?;
        fs::write(&whole, &pinned).map_err(cannot)
    };
    install().map_err(missing)?;
    Ok(interpreter)
}

/// Installs ClickHouse. Returns its library.
pub(super) fn install_clickhouse(folder: &Path) -> Result<PathBuf, Missing> {
    let missing = |reason: String| Missing::new("ClickHouse", reason);
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(missing("it is pinned for Linux on x86-64".to_owned()));
    }
    let place = folder.join("clickhouse");
    let library = place.join("package/libchdb.so");
    let whole = place.join("installed.txt");
    if fs::read_to_string(&whole).is_ok_and(|text| text == CLICKHOUSE_HASH) {
        return Ok(library);
    }
    let install = || -> Result<(), String> {
        let cannot = |error: io::Error| format!("cannot write {}: {error}", place.display());
        fs::create_dir_all(&place).map_err(cannot)?;
        output(Command::new("npm").current_dir(&place).args(["pack", CLICKHOUSE]))?;
        let package = place.join(CLICKHOUSE_FILE);
        let found = sha256(&package).map_err(cannot)?;
        if found != CLICKHOUSE_HASH {
            return Err(format!(
                "{CLICKHOUSE_FILE} is not the pinned file: its SHA-256 is {found}"
            ));
        }
        output(Command::new("tar").current_dir(&place).arg("xzf").arg(&package))?;
        fs::remove_file(&package).map_err(cannot)?;
        fs::write(&whole, CLICKHOUSE_HASH).map_err(cannot)
    };
    install().map_err(missing)?;
    Ok(library)
}

/// Fails if there is no Java, which Spark needs.
pub(super) fn find_java() -> Result<(), Missing> {
    let asked = output(Command::new("java").arg("-version"));
    asked.map(drop).map_err(|reason| Missing::new("Java", reason))
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut digest = Sha256::new();
    digest.update(fs::read(path)?);
    let bytes = digest.finalize();
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// The output of a command that must succeed, or the last line it complained with.
fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot start {program}: {error}"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        let last = complaint.trim_end().lines().last().unwrap_or("no message").to_owned();
        return Err(format!("{} failed: {last}", shown(command)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
