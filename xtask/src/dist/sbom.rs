//! The bill of materials: every crate that is linked into the programs of a platform, as a
//! `CycloneDX` document.
//!
//! It comes from the lock file and cargo's own resolution. Crates that only tests use are not
//! in it.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use xtask::workspace::Workspace;

use super::contents::PROGRAMS;

/// The document for a platform.
pub(crate) fn write(workspace: &Workspace, triple: &str) -> Result<String> {
    let output = workspace
        .cargo()
        .args(["metadata", "--locked", "--format-version", "1", "--filter-platform", triple])
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!("cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let lock = std::fs::read_to_string(workspace.root.join("Cargo.lock"))?;
    Ok(serde_json::to_string_pretty(&document(&metadata, &checksums(&lock))?)? + "\n")
}

/// The checksums in a lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let mut found = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let field = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(&format!("{name} = \"")));
            line.and_then(|line| line.strip_suffix('"')).map(str::to_owned)
        };
        if let (Some(name), Some(version), Some(sum)) =
            (field("name"), field("version"), field("checksum"))
        {
            found.insert((name, version), sum);
        }
    }
    found
}

fn document(metadata: &Value, checksums: &BTreeMap<(String, String), String>) -> Result<Value> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages: BTreeMap<String, Value> = list(&metadata["packages"])
        .into_iter()
        .map(|package| (text(&package["id"]), package))
        .collect();
    let nodes: BTreeMap<String, Value> = list(&metadata["resolve"]["nodes"])
        .into_iter()
        .map(|node| (text(&node["id"]), node))
        .collect();
    let is_program = |package: &&Value| PROGRAMS.contains(&text(&package["name"]).as_str());
    let mut waiting: Vec<String> =
        packages.values().filter(is_program).map(|package| text(&package["id"])).collect();
    if waiting.len() != PROGRAMS.len() {
        bail!("cargo metadata does not list {}", PROGRAMS.join(" and "));
    }
    let mut seen: BTreeSet<String> = waiting.iter().cloned().collect();
    let mut dependencies = Vec::new();
    while let Some(id) = waiting.pop() {
        let node = nodes.get(&id).with_context(|| format!("{id} is not resolved"))?;
        let mut names = Vec::new();
        for dependency in list(&node["deps"]) {
            // `null` is an ordinary dependency. Build scripts run on the machine that builds.
            let is_linked =
                list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
            let other = text(&dependency["pkg"]);
            if is_linked {
                names.push(reference(packages.get(&other).context("a package is missing")?));
                if seen.insert(other.clone()) {
                    waiting.push(other);
                }
            }
        }
        names.sort();
        dependencies.push(json!({"ref": reference(&packages[&id]), "dependsOn": names}));
    }
    dependencies.sort_by_key(|dependency| text(&dependency["ref"]));
    let mut components: Vec<Value> =
        seen.iter().map(|id| component(&packages[id], checksums)).collect();
    components.sort_by_key(|component| text(&component["bom-ref"]));
    let annals = packages.values().find(|package| package["name"] == PROGRAMS[0]);
    let annals = annals.context("annals is missing")?;
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {
            "type": "application",
            "name": "annals",
            "version": annals["version"],
        }},
        "components": components,
        "dependencies": dependencies,
    }))
}

/// The package URL of a crate.
fn reference(package: &Value) -> String {
    let text = |name: &str| package[name].as_str().unwrap_or_default().to_owned();
    format!("pkg:cargo/{}@{}", text("name"), text("version").replace('+', "%2B"))
}

fn component(package: &Value, checksums: &BTreeMap<(String, String), String>) -> Value {
    let text = |name: &str| package[name].as_str().unwrap_or_default().to_owned();
    let mut component = json!({
        "type": "library",
        "bom-ref": reference(package),
        "name": package["name"],
        "version": package["version"],
        "purl": reference(package),
    });
    if let Some(license) = package["license"].as_str() {
        // Older crates separate licences by a slash.
        let expression = license.replace('/', " OR ");
        component["licenses"] = json!([{"expression": expression}]);
    }
    if let Some(sum) = checksums.get(&(text("name"), text("version"))) {
        component["hashes"] = json!([{"alg": "SHA-256", "content": sum}]);
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linked_crates_are_listed_and_those_of_tests_are_not() {
        let package = |name: &str| json!({"id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0"});
        let depends = |name: &str, kind: Value| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let packages = ["annals", "annals-lake", "serde", "insta", "cc"].map(package);
        let metadata = json!({
            "packages": packages,
            "resolve": {"nodes": [
                {"id": "annals", "deps": [
                    depends("serde", Value::Null), depends("insta", json!("dev")), depends("cc", json!("build")),
                ]},
                {"id": "annals-lake", "deps": [depends("serde", Value::Null)]},
                {"id": "serde", "deps": []},
            ]},
        });
        let sums = checksums(
            "[[package]]\nname = \"serde\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n\n[[package]]\nname = \"annals\"\nversion = \"1.0.0\"\n",
        );
        let document = document(&metadata, &sums).expect("a document");
        let names: Vec<&str> = document["components"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|component| component["purl"].as_str())
            .collect();
        assert_eq!(
            names,
            ["pkg:cargo/annals-lake@1.0.0", "pkg:cargo/annals@1.0.0", "pkg:cargo/serde@1.0.0"]
        );
        let serde = &document["components"][2];
        assert_eq!(serde["hashes"][0]["content"], "abc");
        assert_eq!(serde["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(document["dependencies"][1]["dependsOn"][0], "pkg:cargo/serde@1.0.0");
    }
}
