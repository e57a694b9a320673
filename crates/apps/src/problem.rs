//! What a reader could not read, or does not know.

use std::collections::BTreeMap;

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// It is not JSON.
    NotJson,
    /// It is not UTF-8; it was read with replacement characters.
    NotUtf8,
    /// It is JSON, and not what the app writes at this place.
    UnexpectedShape,
    /// Several objects are on one line; all were read.
    GluedObjects,
    /// It is larger than readers accept.
    TooLarge,
}

/// Something wrong with a line. The line is kept, and reading goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, starting at 1.
    pub line: u64,
    /// What is wrong.
    pub kind: ProblemKind,
}

/// Kinds of lines and parts that this version of annals does not know, with how often each
/// occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownKinds(BTreeMap<String, u64>);

impl UnknownKinds {
    /// Different names beyond this are counted together, because names are untrusted.
    const MOST: usize = 100;

    /// Counts one.
    pub fn add(&mut self, kind: &str) {
        let is_new = !self.0.contains_key(kind);
        let name = if is_new && self.0.len() >= Self::MOST { "…" } else { kind };
        *self.0.entry(name.chars().take(100).collect()).or_default() += 1;
    }

    /// The kinds, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(kind, count)| (kind.as_str(), *count))
    }
}

#[cfg(test)]
mod tests {
    use super::UnknownKinds;

    #[test]
    fn kinds_beyond_the_limit_are_counted_together() {
        let mut kinds = UnknownKinds::default();
        for number in 0..150 {
            kinds.add(&format!("kind{number}"));
        }
        kinds.add("kind3");
        assert_eq!(kinds.iter().count(), 101);
        assert_eq!(kinds.iter().map(|(_, count)| count).sum::<u64>(), 151);
        assert_eq!(kinds.iter().find(|(kind, _)| *kind == "kind3"), Some(("kind3", 2)));
    }
}
