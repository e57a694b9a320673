//! Names of branches, files, agents and tools: masked like text, and relative to the project.

use redact::Redactor;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// Masks names, each once: the same few come again and again.
#[derive(Debug)]
pub(crate) struct NameMasking {
    redactor: Arc<Redactor>,
    masked: RefCell<HashMap<String, String>>,
}

impl NameMasking {
    pub(crate) fn new(redactor: Arc<Redactor>) -> Self {
        NameMasking { redactor, masked: RefCell::default() }
    }

    pub(crate) fn mask(&self, name: &str) -> String {
        if let Some(masked) = self.masked.borrow().get(name) {
            return masked.clone();
        }
        let masked = self.redactor.mask(name).into_owned();
        self.masked.borrow_mut().insert(name.to_owned(), masked.clone());
        masked
    }

    /// The same for a name that does not come again, such as an id.
    pub(crate) fn mask_once(&self, name: &str) -> String {
        self.redactor.mask(name).into_owned()
    }
}

/// A path relative to a folder, if it lies in it; `None` for the folder itself.
pub(crate) fn relative(path: &str, folder: &str) -> Option<String> {
    let folder = folder.trim_end_matches('/');
    let path = path.trim_end_matches('/');
    if path == folder || path.is_empty() {
        return None;
    }
    let inside = path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
    Some(inside.filter(|_| !folder.is_empty()).unwrap_or(path).to_owned())
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn files_of_the_project_are_relative_to_it() {
        let table = [
            ("/home/ada/tides/src/moon.rs", Some("src/moon.rs")),
            ("/home/ada/tides", None),
            ("/home/ada/tides/", None),
            ("/home/ada/tides2/a", Some("/home/ada/tides2/a")),
            ("src/moon.rs", Some("src/moon.rs")),
            ("/etc/hosts", Some("/etc/hosts")),
        ];
        for (path, expected) in table {
            assert_eq!(relative(path, "/home/ada/tides").as_deref(), expected, "{path}");
        }
        assert_eq!(relative("/a", "").as_deref(), Some("/a"));
    }
}
