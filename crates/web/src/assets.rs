//! The app's script and style, embedded, under names that contain a hash of their content.

use crate::answer::Answer;
use crate::secret::hexadecimal;
use std::path::PathBuf;

const SCRIPT: &[u8] = include_bytes!("../ui/dist/app.js");
const STYLE: &[u8] = include_bytes!("../ui/dist/app.css");

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
        Assets {
            script: format!("app-{}.js", short_hash(SCRIPT)),
            style: format!("app-{}.css", short_hash(STYLE)),
            folder,
        }
    }

    /// The name of the script.
    pub(crate) fn script(&self) -> String {
        self.current("app.js")
            .map_or_else(|| self.script.clone(), |bytes| format!("app-{}.js", short_hash(&bytes)))
    }

    /// The name of the style.
    pub(crate) fn style(&self) -> String {
        self.current("app.css")
            .map_or_else(|| self.style.clone(), |bytes| format!("app-{}.css", short_hash(&bytes)))
    }

    /// The file with a name.
    pub(crate) fn find(&self, name: &str) -> Option<Answer> {
        let (file, embedded, content_type) = if name == self.script() {
            ("app.js", SCRIPT, "text/javascript; charset=utf-8")
        } else if name == self.style() {
            ("app.css", STYLE, "text/css; charset=utf-8")
        } else {
            return None;
        };
        let bytes = self.current(file).unwrap_or_else(|| embedded.to_vec());
        Some(Answer::asset(content_type, bytes))
    }

    /// The file in the folder, if there is one.
    fn current(&self, file: &str) -> Option<Vec<u8>> {
        std::fs::read(self.folder.as_ref()?.join(file)).ok()
    }
}

fn short_hash(bytes: &[u8]) -> String {
    hexadecimal(&blake3::hash(bytes).as_bytes()[..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assets_have_the_hash_of_their_content_in_their_names() {
        let assets = Assets::new(None);
        let script = assets.find(&assets.script()).unwrap();
        assert_eq!(script.body, SCRIPT);
        assert!(assets.find("app.js").is_none() && assets.find("../app.js").is_none());
        let folder = testkit::Sandbox::new();
        folder.write("app.js", "1");
        let replaced = Assets::new(Some(folder.config()));
        assert_ne!(replaced.script(), assets.script());
        assert_eq!(replaced.find(&replaced.script()).unwrap().body, b"1");
        assert_eq!(replaced.style(), assets.style());
    }
}
