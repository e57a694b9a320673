//! Names of files and folders below `.gemini`.

use crate::{JsonText, Lineage};

/// How a session is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileForm {
    /// A log of operations, one per line.
    Log,
    /// One JSON document, before 0.40.
    Document,
}

/// The parts of a session file's path.
///
/// ```
/// let file = apps::gemini::SessionFile::parse("demo/chats/session-2026-01-02T03-04-0a1b2c3d.jsonl");
/// let file = file.unwrap();
/// assert_eq!((file.slug, file.id), ("demo", "0a1b2c3d"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionFile<'a> {
    /// The project's folder: a short name, or in older versions the SHA-256 of its path.
    pub slug: &'a str,
    /// The start of the session's id, or for a sub-agent the whole of it.
    pub id: &'a str,
    /// The id of the session that started this sub-agent.
    pub parent: Option<&'a str>,
    /// How it is stored.
    pub form: FileForm,
}

impl<'a> SessionFile<'a> {
    /// Parses a path below `.gemini/tmp`, with `/` between its parts. `None` if no session is
    /// stored under such a name.
    pub fn parse(path: &'a str) -> Option<Self> {
        let (slug, rest) = path.split_once("/chats/")?;
        if slug.is_empty() || slug.contains('/') {
            return None;
        }
        if let Some((parent, name)) = rest.split_once('/') {
            let id = name.strip_suffix(".jsonl")?;
            let is_plain = !parent.is_empty() && !id.is_empty() && !id.contains('/');
            let form = FileForm::Log;
            return is_plain.then_some(SessionFile { slug, id, parent: Some(parent), form });
        }
        let (name, form) = match rest.strip_suffix(".jsonl") {
            Some(name) => (name, FileForm::Log),
            None => (rest.strip_suffix(".json")?, FileForm::Document),
        };
        let stamped = name.strip_prefix("session-")?;
        let shape = "0000-00-00T00-00-";
        let id = stamped.get(shape.len()..).filter(|id| !id.is_empty())?;
        let is_time = stamped.bytes().zip(shape.bytes()).all(|(byte, shape)| match shape {
            b'0' => byte.is_ascii_digit(),
            _ => byte == shape,
        });
        is_time.then_some(SessionFile { slug, id, parent: None, form })
    }

    /// Where the session comes from, if its name tells.
    pub fn lineage(&self) -> Option<Lineage> {
        self.parent.map(|parent| Lineage::Agent { of: parent.to_owned(), call: None })
    }
}

/// Reads `projects.json`: the directories of projects with the names of their folders.
pub fn parse_projects(bytes: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(bytes);
    let projects = JsonText::parse(&text).and_then(|document| document.get("projects"));
    let members = projects.into_iter().flat_map(JsonText::members);
    members
        .filter_map(|(directory, slug)| Some((directory.into_owned(), slug.as_string()?.into())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{FileForm, SessionFile, parse_projects};

    #[test]
    fn names_of_sessions_documents_and_agents_parse() {
        let parse = |path| SessionFile::parse(path).map(|f| (f.slug, f.id, f.parent, f.form));
        let log = FileForm::Log;
        let table = [
            ("p/chats/session-2026-01-02T03-04-abcd.jsonl", Some(("p", "abcd", None, log))),
            (
                "p/chats/session-2026-01-02T03-04-abcd.json",
                Some(("p", "abcd", None, FileForm::Document)),
            ),
            ("p/chats/par/kid.jsonl", Some(("p", "kid", Some("par"), log))),
            ("p/chats/par/kid.json", None),
            ("p/chats/par/deep/kid.jsonl", None),
            ("p/chats/session-2026-01-02T03-04-.jsonl", None),
            ("p/chats/session-latest.jsonl", None),
            ("p/chats/session-2026-01-02T03-04-abcd.jsonl.unreadable-1", None),
            ("p/logs.json", None),
            ("a/b/chats/session-2026-01-02T03-04-abcd.jsonl", None),
        ];
        for (path, expected) in table {
            assert_eq!(parse(path), expected, "{path}");
        }
    }

    #[test]
    fn projects_name_the_folders_of_directories() {
        let projects = parse_projects(br#"{"projects":{"/home/x/kelp":"kelp","/y":3}}"#);
        assert_eq!(projects, [("/home/x/kelp".to_owned(), "kelp".to_owned())]);
        assert!(parse_projects(b"{").is_empty());
    }
}
