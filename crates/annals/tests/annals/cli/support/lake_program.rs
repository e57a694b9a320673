//! The program `annals-lake`, which has to lie beside the tested `annals`.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// Its path. A run of all tests has built it; a run of this package alone builds it here if
/// it is missing.
pub(crate) fn lake_program() -> PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let build = || {
        let program = PathBuf::from(testkit::program!("annals")).with_file_name("annals-lake");
        if !program.exists() {
            let built = Command::new(env!("CARGO"))
                .args(["build", "--locked", "--package", "annals-lake"])
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .status();
            let is_built = built.is_ok_and(|it| it.success()) && program.exists();
            assert!(is_built, "{} cannot be built", program.display());
        }
        program
    };
    PROGRAM.get_or_init(build).clone()
}
