//! `workspace.yaml`: the flat keys that name a session.

use crate::Header;

/// What `workspace.yaml` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workspace {
    /// The session's id.
    pub id: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// The git branch.
    pub branch: Option<String>,
    /// The repository, as `owner/name`.
    pub repository: Option<String>,
    /// The session's name: what a person or the program called it, or its first prompt.
    pub name: Option<String>,
    /// Whether a person gave the name.
    pub is_user_named: bool,
}

impl Workspace {
    /// Adds what the events do not say. A name that only repeats the first prompt is not a title.
    pub fn complete(self, header: &mut Header) {
        if header.id.is_empty() {
            header.id = self.id.unwrap_or_default();
        }
        header.directory = header.directory.take().or(self.cwd);
        header.branch = header.branch.take().or(self.branch);
        header.repository = header.repository.take().or(self.repository);
        let prompt = header.first_prompt.as_deref().unwrap_or_default().trim();
        let repeats = |name: &str| {
            let name = name.trim().trim_end_matches('…').trim_end_matches("...");
            prompt.starts_with(name)
        };
        let name = self.name.filter(|name| !name.trim().is_empty());
        header.title = name.filter(|name| self.is_user_named || !repeats(name));
    }
}

/// Reads the keys that [`Workspace`] has; nothing else of YAML. Values are plain, in quotes, or
/// a block after `|`.
pub fn parse_workspace(bytes: &[u8]) -> Workspace {
    let text = String::from_utf8_lossy(bytes);
    let mut workspace = Workspace::default();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((key, value)) = line.split_once(':') else { continue };
        if key.starts_with([' ', '#', '-']) {
            continue;
        }
        let value = value.trim();
        let value = if value.starts_with(['|', '>']) {
            let is_inside = |line: &&str| line.is_empty() || line.starts_with(' ');
            let mut block = Vec::new();
            while let Some(line) = lines.next_if(is_inside) {
                block.push(line);
            }
            unindent(&block)
        } else {
            unquote(value)
        };
        let filled = Some(value.clone()).filter(|value| !value.is_empty() && value != "null");
        match key {
            "id" => workspace.id = filled,
            "cwd" => workspace.cwd = filled,
            "branch" => workspace.branch = filled,
            "repository" => workspace.repository = filled,
            "name" => workspace.name = filled,
            "user_named" => workspace.is_user_named = value == "true",
            _ => {}
        }
    }
    workspace
}

fn unindent(block: &[&str]) -> String {
    let indent = block.first().map_or(0, |line| line.len() - line.trim_start_matches(' ').len());
    let lines: Vec<&str> = block.iter().map(|line| line.get(indent..).unwrap_or("")).collect();
    lines.join("\n").trim_end().to_owned()
}

/// The value without its quotes. Of escapes only those are undone that the program writes.
fn unquote(value: &str) -> String {
    let inner = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(text) = inner('\'') {
        return text.replace("''", "'");
    }
    match inner('"') {
        Some(_) => crate::JsonText::parse(value)
            .and_then(crate::JsonText::as_string)
            .map_or_else(|| value.to_owned(), std::borrow::Cow::into_owned),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Workspace, parse_workspace};
    use crate::Header;

    #[test]
    fn plain_quoted_and_block_values_are_read() {
        let text = "id: s-1\ncwd: /home/kim/kelp: the second\nbranch: 'it''s'\n\
                    repository: \"kim\\/kelp\"\nname: |-\n  First line.\n    Second: line.\n\
                    user_named: true\nother:\n  cwd: /elsewhere\n# id: s-2\n";
        let expected = Workspace {
            id: Some("s-1".into()),
            cwd: Some("/home/kim/kelp: the second".into()),
            branch: Some("it's".into()),
            repository: Some("kim/kelp".into()),
            name: Some("First line.\n  Second: line.".into()),
            is_user_named: true,
        };
        assert_eq!(parse_workspace(text.as_bytes()), expected);
    }

    #[test]
    fn damaged_text_has_no_values() {
        for bytes in [&b""[..], b":", b"name: |", b"\xff\xfe: \xff", b"name: null"] {
            assert_eq!(parse_workspace(bytes), Workspace::default());
        }
    }

    #[test]
    fn a_name_that_repeats_the_prompt_is_not_a_title() {
        let title = |name: &str, is_user_named| {
            let mut header =
                Header { first_prompt: Some("Count the fish.".into()), ..Header::default() };
            let name = Some(name.to_owned());
            Workspace { name, is_user_named, ..Workspace::default() }.complete(&mut header);
            header.title
        };
        assert_eq!(title("Count the fish.", false), None);
        assert_eq!(title("Count the…", false), None);
        assert_eq!(title("Fish census", false).as_deref(), Some("Fish census"));
        assert_eq!(title("Count the fish.", true).as_deref(), Some("Count the fish."));
    }
}
