//! The app's scripts and style, embedded. Their names contain hashes of their contents.
//!
//! They are found in a table that the bundler writes: the first scripts and the style are named
//! here, the other scripts by the bundler, because scripts name each other. Nothing is looked
//! up by a path from a request. The table also has the bar above each page, which the bundler
//! renders from the app's own code.

use crate::answer::{Answer, compress};
use crate::limits::COMPRESSED_FROM;
use crate::secret::hexadecimal;
use axum::body::Bytes;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::OnceLock;

// `FILES` (name, content), `PAGES` (first part of a path, names of scripts) and `HEADERS` (first
// part of a path, the bar above the page).
include!("../ui/dist/table.rs");

/// The script that every page begins with.
const SCRIPT: &str = "app.js";
const STYLE: &str = "app.css";

/// The small script that every page runs before it is painted.
const EARLY: &str = "early.js";

/// The files whose names get their hashes here.
const NAMED: [&str; 3] = [SCRIPT, STYLE, EARLY];

/// The app's files.
#[derive(Debug)]
pub(crate) struct Assets {
    early: String,
    script: String,
    style: String,
    /// What large ones are after compression, by their places in the table: a page asks for
    /// several at once, and the thread that serves them must not compress each again.
    compressed: Vec<OnceLock<Option<Bytes>>>,
    /// A folder to read them from instead, for work on the app.
    folder: Option<PathBuf>,
}

impl Assets {
    pub(crate) fn new(folder: Option<PathBuf>) -> Assets {
        let hashed = |name| hashed_name(name, embedded(name).unwrap_or_default());
        Assets {
            early: hashed(EARLY),
            script: hashed(SCRIPT),
            style: hashed(STYLE),
            compressed: FILES.iter().map(|_| OnceLock::new()).collect(),
            folder,
        }
    }

    /// The name of the script that runs before the page is painted.
    pub(crate) fn early(&self) -> String {
        self.current_name(EARLY, &self.early)
    }

    /// The name of the script that starts the app.
    pub(crate) fn script(&self) -> String {
        self.current_name(SCRIPT, &self.script)
    }

    /// The name of the style.
    pub(crate) fn style(&self) -> String {
        self.current_name(STYLE, &self.style)
    }

    /// The bar above the pages whose addresses begin with this part, below `base`.
    pub(crate) fn header(page: &str, base: &str) -> String {
        let header = HEADERS.iter().find(|(name, _)| *name == page);
        header.map_or_else(String::new, |(_, markup)| markup.replace("{base}", base))
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
        let named = [self.script(), self.style(), self.early()];
        let file = if let Some(place) = named.iter().position(|known| known == name) {
            NAMED[place].to_owned()
        } else {
            let is_chosen = |file: &str| file == name && !NAMED.contains(&file);
            self.names().into_iter().find(|file| is_chosen(file))?.into_owned()
        };
        let (bytes, compressed) = match self.current(&file) {
            Some(bytes) => (bytes, None),
            None => (embedded(&file)?.to_vec(), self.compressed(&file)),
        };
        let is_style = file == STYLE;
        let content_type =
            if is_style { "text/css; charset=utf-8" } else { "text/javascript; charset=utf-8" };
        Some(Answer::asset(content_type, bytes, compressed))
    }

    /// An embedded file after compression, if it is large.
    fn compressed(&self, name: &str) -> Option<Bytes> {
        let place = FILES.iter().position(|(file, _)| *file == name)?;
        let (_, bytes) = FILES.get(place).filter(|(_, bytes)| bytes.len() > COMPRESSED_FROM)?;
        self.compressed.get(place)?.get_or_init(|| compress(bytes)).clone()
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

    /// The name of a file with the hash of its content, which the folder may replace.
    fn current_name(&self, file: &str, embedded: &str) -> String {
        let current = self.current(file);
        current.map_or_else(|| embedded.to_owned(), |bytes| hashed_name(file, &bytes))
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
        let early = assets.find(&assets.early()).unwrap();
        assert_eq!(early.body, embedded(EARLY).unwrap());
        for name in ["app.js", "app.css", "early.js", "../app.js", "table.rs", "BUILT_FROM", ""] {
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
    fn large_assets_are_compressed_once() {
        let assets = Assets::new(None);
        let style = || assets.find(&assets.style()).unwrap();
        let compressed = style().compressed.expect("the style is large");
        assert_eq!(zstd::decode_all(&compressed[..]).unwrap(), style().body);
        assert_eq!(style().compressed.unwrap().as_ptr(), compressed.as_ptr());
        assert!(assets.find(&assets.early()).unwrap().compressed.is_none());
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
    fn every_page_has_a_bar_whose_links_lie_below_the_base_path() {
        for route in ROUTES.iter().filter(|route| matches!(route.run, Run::Page(_))) {
            let page = route.path.split('/').next().unwrap();
            let header = Assets::header(page, "/b/");
            assert_eq!(header.matches("aria-current").count(), 1, "{page}: {header}");
            assert!(header.contains(" href=\"/b/usage\""), "{header}");
            assert!(!header.contains('{'), "{header}");
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
