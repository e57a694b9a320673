//! Names of session files.

/// The parts of a session file's path.
///
/// ```
/// let file = apps::pi::SessionFile::parse("--home-kim--/2026-01-02T03-04-05-678Z_0a1b.jsonl").unwrap();
/// assert_eq!((file.folder, file.id), ("--home-kim--", "0a1b"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionFile<'a> {
    /// The folder, named after the working directory with `-` for separators.
    pub folder: &'a str,
    /// The session's id.
    pub id: &'a str,
}

impl<'a> SessionFile<'a> {
    /// Parses a path below `sessions`, or any longer one. `None` if no session is stored under
    /// such a name.
    pub fn parse(path: &'a str) -> Option<Self> {
        let (folder, name) = path.rsplit_once(['/', '\\'])?;
        let folder = folder.rsplit(['/', '\\']).next()?;
        let (time, id) = name.strip_suffix(".jsonl")?.split_once('_')?;
        let is_time = time.starts_with(|first: char| first.is_ascii_digit()) && time.contains('T');
        (is_time && !id.is_empty()).then_some(SessionFile { folder, id })
    }
}

#[cfg(test)]
mod tests {
    use super::SessionFile;

    #[test]
    fn names_with_a_time_and_an_id_are_sessions() {
        let table = [
            ("--k--/2026-01-02T03-04-05-678Z_ab-c.jsonl", Some(("--k--", "ab-c"))),
            (r"C:\x\--k--\2026-01-02T03-04-05-678Z_a.jsonl", Some(("--k--", "a"))),
            ("/home/kim/--k--/2026-01-02T03-04-05-678Z_a.jsonl", Some(("--k--", "a"))),
            ("--k--/2026-01-02T03-04-05-678Z_.jsonl", None),
            ("--k--/notes_a.jsonl", None),
            ("--k--/2026-01-02T03-04-05-678Z_a.json", None),
            ("settings.json", None),
        ];
        for (path, expected) in table {
            let found = SessionFile::parse(path).map(|file| (file.folder, file.id));
            assert_eq!(found, expected, "{path}");
        }
    }
}
