//! The platforms that annals is packaged for, and what each kind of package calls them.

use anyhow::{Context as _, Result};

/// A platform.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// Rust's name of it.
    pub(crate) triple: &'static str,
    /// The name of its npm package, after the scope.
    pub(crate) npm: &'static str,
    /// npm's `os`, `cpu` and `libc`.
    pub(crate) npm_limits: (&'static str, &'static str, Option<&'static str>),
    /// Debian's architecture, if there is a `.deb` for it.
    pub(crate) deb: Option<&'static str>,
    /// The platform tags of its wheel.
    pub(crate) wheel: &'static str,
    /// Which C library its programs may need.
    pub(crate) c_library: CLibrary,
}

/// The C library that programs of a platform need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CLibrary {
    /// glibc, of at most the version that packages promise.
    Glibc,
    /// None: musl is linked in.
    Static,
    /// The one of macOS.
    System,
}

/// The newest version of glibc that a program may need: that of 2012, which every Linux
/// distribution with support has.
pub(crate) const GLIBC: (u32, u32) = (2, 17);

/// All platforms.
pub(crate) const TARGETS: &[Target] = &[
    Target {
        triple: "x86_64-unknown-linux-gnu",
        npm: "linux-x64",
        npm_limits: ("linux", "x64", Some("glibc")),
        deb: Some("amd64"),
        wheel: "manylinux_2_17_x86_64.manylinux2014_x86_64",
        c_library: CLibrary::Glibc,
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        npm: "linux-arm64",
        npm_limits: ("linux", "arm64", Some("glibc")),
        deb: Some("arm64"),
        wheel: "manylinux_2_17_aarch64.manylinux2014_aarch64",
        c_library: CLibrary::Glibc,
    },
    Target {
        triple: "x86_64-unknown-linux-musl",
        npm: "linux-x64-musl",
        npm_limits: ("linux", "x64", Some("musl")),
        deb: None,
        wheel: "musllinux_1_1_x86_64",
        c_library: CLibrary::Static,
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        npm: "linux-arm64-musl",
        npm_limits: ("linux", "arm64", Some("musl")),
        deb: None,
        wheel: "musllinux_1_1_aarch64",
        c_library: CLibrary::Static,
    },
    Target {
        triple: "aarch64-apple-darwin",
        npm: "darwin-arm64",
        npm_limits: ("darwin", "arm64", None),
        deb: None,
        wheel: "macosx_11_0_arm64",
        c_library: CLibrary::System,
    },
    Target {
        triple: "x86_64-apple-darwin",
        npm: "darwin-x64",
        npm_limits: ("darwin", "x64", None),
        deb: None,
        wheel: "macosx_10_12_x86_64",
        c_library: CLibrary::System,
    },
];

impl Target {
    /// The platform with this name.
    pub(crate) fn find(triple: &str) -> Result<&'static Target> {
        TARGETS.iter().find(|target| target.triple == triple).with_context(|| {
            let known: Vec<&str> = TARGETS.iter().map(|target| target.triple).collect();
            format!("annals is not packaged for {triple}; known: {}", known.join(", "))
        })
    }

    /// The platform that runs this task.
    pub(crate) fn host() -> Result<&'static Target> {
        let system = if cfg!(target_os = "macos") { "apple-darwin" } else { "unknown-linux-gnu" };
        Target::find(&format!("{}-{system}", std::env::consts::ARCH))
    }

    /// Whether it is a platform of macOS.
    pub(crate) fn is_mac(&self) -> bool {
        self.c_library == CLibrary::System
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_platform_is_its_own() {
        for names in [
            TARGETS.iter().map(|target| target.triple).collect::<Vec<_>>(),
            TARGETS.iter().map(|target| target.npm).collect(),
            TARGETS.iter().map(|target| target.wheel).collect(),
            TARGETS.iter().filter_map(|target| target.deb).collect(),
        ] {
            let mut single = names.clone();
            single.sort_unstable();
            single.dedup();
            assert_eq!(single.len(), names.len(), "{names:?}");
        }
        assert!(Target::find("x86_64-pc-windows-msvc").unwrap_err().to_string().contains("known:"));
    }
}
