//! Which program a test starts: the one that cargo built with the test, or one of a release.

use std::path::Path;

/// The variable with a folder of programs that are tested instead of those of this build.
const PROGRAMS: &str = "ANNALS_TEST_PROGRAMS";

/// The path of a program of the package that the test belongs to.
#[macro_export]
macro_rules! program {
    ($name:literal) => {
        $crate::program_under_test(env!(concat!("CARGO_BIN_EXE_", $name)))
    };
}

/// The program to test in place of one that cargo built; see [`program!`].
pub fn program_under_test(built: &'static str) -> &'static str {
    let Some(folder) = std::env::var_os(PROGRAMS) else { return built };
    let name = Path::new(built).file_name().expect("the path of a program");
    let path = Path::new(&folder).join(name);
    assert!(path.is_absolute() && path.is_file(), "{PROGRAMS}: no program at {}", path.display());
    // A few short texts in a process that ends soon.
    path.into_os_string().into_string().expect("a path that is text").leak()
}
