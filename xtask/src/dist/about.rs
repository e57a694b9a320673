//! What packages say about annals: its version, who maintains it and where it comes from.
//!
//! All of it is in the workspace's `Cargo.toml`.

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use xtask::workspace::Workspace;

use super::install_script::check_address;

/// Facts for the metadata of packages.
#[derive(Clone, Debug)]
pub(crate) struct About {
    /// The version of the package `annals`.
    pub(crate) version: String,
    /// A name and an address, as Debian wants them.
    pub(crate) maintainer: String,
    /// The address of the project.
    pub(crate) homepage: String,
}

impl About {
    /// Asks cargo. Another address than that of `Cargo.toml` may be given.
    pub(crate) fn read(workspace: &Workspace, homepage: Option<&str>) -> Result<About> {
        let output = workspace
            .cargo()
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .output()
            .context("cannot start cargo")?;
        let mut about = About::of(&serde_json::from_slice(&output.stdout)?)?;
        if let Some(homepage) = homepage {
            homepage.clone_into(&mut about.homepage);
        }
        check_address(&about.homepage)?;
        Ok(about)
    }

    fn of(metadata: &Value) -> Result<About> {
        let packages = metadata["packages"].as_array().context("no packages")?;
        let annals = packages.iter().find(|package| package["name"] == "annals");
        let annals = annals.context("there is no package annals")?;
        let text = |value: &Value, name: &str| {
            let text = value.as_str().map(str::to_owned);
            text.with_context(|| format!("annals has no {name} in Cargo.toml"))
        };
        let maintainer = text(&annals["authors"][0], "author")?;
        if !maintainer.ends_with('>') || !maintainer.contains(" <") {
            bail!("the author {maintainer} is not of the form NAME <ADDRESS>");
        }
        Ok(About {
            version: text(&annals["version"], "version")?,
            maintainer,
            homepage: text(&annals["repository"], "repository")?,
        })
    }
}

#[cfg(test)]
pub(crate) fn made_up() -> About {
    About {
        version: "1.2.3".to_owned(),
        maintainer: "Ada <ada@example.org>".to_owned(),
        homepage: "https://example.org/annals".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn facts_come_from_the_package_annals() {
        let annals = json!({
            "name": "annals",
            "version": "1.2.3",
            "authors": ["Ada <ada@example.org>", "Bob"],
            "repository": "https://example.org/annals",
        });
        let read = |annals: &Value| {
            let other = json!({"name": "annals-lake", "version": "9.9.9"});
            About::of(&json!({"packages": [other, annals]})).map_err(|error| error.to_string())
        };
        let about = read(&annals).expect("facts");
        assert_eq!(
            (about.version, about.maintainer, about.homepage),
            (made_up().version, made_up().maintainer, made_up().homepage)
        );
        for (field, value, expected) in [
            ("authors", json!(["Ada"]), "the author Ada is not of the form NAME <ADDRESS>"),
            ("authors", json!([]), "annals has no author in Cargo.toml"),
            ("repository", Value::Null, "annals has no repository in Cargo.toml"),
        ] {
            let mut annals = annals.clone();
            annals[field] = value;
            assert_eq!(read(&annals).expect_err(expected), expected);
        }
    }
}
