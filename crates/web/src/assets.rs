//! The app's scripts and style, embedded. Their names contain hashes of their contents.
//!
//! They are found in a table that the bundler writes: the first script and the style are named
//! here, the other scripts by the bundler, because scripts name each other. Nothing is looked
//! up by a path from a request.

use crate::answer::Answer;
use crate::secret::hexadecimal;
use std::borrow::Cow;
use std::path::PathBuf;

// `FILES` (name, content) and `PAGES` (first part of a path, names of scripts).
include!("../ui/dist/table.rs");

/// The script that every page begins with.
const SCRIPT: &str = "app.js";
const STYLE: &str = "app.css";

/// The app's files.
#[derive(Debug)]
pub(crate) struct Assets {
    script: String,
    style: String,
    /// A folder to read them from instead, for work on the app.
    folder: Option<PathBuf>,
}

impl Assets {
    pub(crate) fn new(folder: Option<PathBuf>) -> Assets {
        let hashed = |name| hashed_name(name, embedded(name).unwrap_or_default());
        Assets { script: hashed(SCRIPT), style: hashed(STYLE), folder }
    }

    /// The name of the script that starts the app.
    pub(crate) fn script(&self) -> String {
        let current = self.current(SCRIPT);
        current.map_or_else(|| self.script.clone(), |bytes| hashed_name(SCRIPT, &bytes))
    }

    /// The name of the style.
    pub(crate) fn style(&self) -> String {
        let current = self.current(STYLE);
        current.map_or_else(|| self.style.clone(), |bytes| hashed_name(STYLE, &bytes))
    }

    /// The names of the other scripts of a page, whose address begins with this part: a browser
    /// that knows them at once need not find them one after the other.
    pub(crate) fn scripts_of(&self, page: &str) -> &'static [&'static str] {
        if self.folder.is_some() {
            return &[];
        }
        PAGES.iter().find(|(name, _)| *name == page).map_or(&[], |(_, scripts)| scripts)
    }

    /// The file with a name.
    pub(crate) fn find(&self, name: &str) -> Option<Answer> {
        let file = if name == self.script() {
            SCRIPT.to_owned()
        } else if name == self.style() {
            STYLE.to_owned()
        } else {
            let is_chosen = |file: &str| file == name && file != SCRIPT && file != STYLE;
            self.names().into_iter().find(|file| is_chosen(file))?.into_owned()
        };
        let bytes = match self.current(&file) {
            Some(bytes) => bytes,
            None => embedded(&file)?.to_vec(),
        };
        let is_style = file == STYLE;
        let content_type =
            if is_style { "text/css; charset=utf-8" } else { "text/javascript; charset=utf-8" };
        Some(Answer::asset(content_type, bytes))
    }

    /// The names in the table, or in the table of the folder.
    fn names(&self) -> Vec<Cow<'static, str>> {
        let Some(table) = self.current("table.rs") else {
            return FILES.iter().map(|(name, _)| (*name).into()).collect();
        };
        let table = String::from_utf8_lossy(&table);
        let rows = table.lines().filter(|line| line.contains("include_bytes!"));
        rows.filter_map(|row| Some(row.split('"').nth(1)?.to_owned().into())).collect()
    }

    /// The file in the folder, if there is one.
    fn current(&self, file: &str) -> Option<Vec<u8>> {
        std::fs::read(self.folder.as_ref()?.join(file)).ok()
    }
}

fn embedded(name: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(file, _)| *file == name).map(|(_, bytes)| *bytes)
}

/// `app-0123456789abcdef.js`.
fn hashed_name(name: &str, bytes: &[u8]) -> String {
    let hash = hexadecimal(&blake3::hash(bytes).as_bytes()[..8]);
    match name.split_once('.') {
        Some((stem, extension)) => format!("{stem}-{hash}.{extension}"),
        None => hash,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::{ROUTES, Run};
    use std::collections::BTreeSet;

    #[test]
    fn assets_have_the_hash_of_their_content_in_their_names() {
        let assets = Assets::new(None);
        let script = assets.find(&assets.script()).unwrap();
        assert_eq!(script.body, embedded(SCRIPT).unwrap());
        for name in ["app.js", "app.css", "../app.js", "table.rs", "BUILT_FROM", ""] {
            assert!(assets.find(name).is_none(), "{name}");
        }
        let folder = testkit::Sandbox::new();
        folder.write("app.js", "1");
        let replaced = Assets::new(Some(folder.config()));
        assert_ne!(replaced.script(), assets.script());
        assert_eq!(replaced.find(&replaced.script()).unwrap().body, b"1");
        assert_eq!(replaced.style(), assets.style());
    }

    #[test]
    fn every_page_names_scripts_that_are_served() {
        let assets = Assets::new(None);
        let pages = ROUTES.iter().filter(|route| matches!(route.run, Run::Page(_)));
        for route in pages {
            let page = route.path.split('/').next().unwrap();
            let scripts = assets.scripts_of(page);
            assert!(!scripts.is_empty(), "{page:?} has no scripts");
            for name in scripts {
                let asset = assets.find(name).unwrap_or_else(|| panic!("{page}: no {name}"));
                assert_eq!(asset.content_type, "text/javascript; charset=utf-8");
            }
        }
    }

    #[test]
    fn every_script_that_a_script_names_is_in_the_table() {
        let names: BTreeSet<&str> = FILES.iter().map(|(name, _)| *name).collect();
        for (file, bytes) in FILES {
            let text = std::str::from_utf8(bytes).unwrap();
            let imported = text.split("\"./").skip(1).filter_map(|rest| rest.split('"').next());
            for name in imported {
                assert!(names.contains(name), "{file} imports {name}");
            }
        }
    }

    #[test]
    fn a_folder_serves_the_files_of_the_table_in_it_and_no_others() {
        let folder = testkit::Sandbox::new();
        folder.write("table.rs", "    (\"page-X.js\", include_bytes!(\"page-X.js\")),\n");
        folder.write("page-X.js", "2");
        folder.write("secret.js", "3");
        let assets = Assets::new(Some(folder.config()));
        assert_eq!(assets.find("page-X.js").unwrap().body, b"2");
        assert!(assets.find("secret.js").is_none());
    }
}
