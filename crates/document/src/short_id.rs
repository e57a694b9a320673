//! The beginnings of ids that tables and commands show.

use library::apps::App;
use std::collections::HashSet;

/// How much of an id is shown at least.
const SHORT: usize = 8;

/// How much of the id of another app's session: these begin with a time, so that their first
/// characters are alike.
const SHORT_OF_APP: usize = 13;

/// The longest id of Claude Code.
const WHOLE: usize = 36;

/// The beginning of an id. The name of an app before it stays, and does not count.
pub fn short_id(id: &str) -> &str {
    cut(id, SHORT)
}

/// The shortest beginnings, of eight characters or more, that distinguish these ids.
pub fn short_ids(ids: &[&str]) -> Vec<String> {
    let distinct: HashSet<&str> = ids.iter().copied().collect();
    let length = (SHORT..=WHOLE).find(|length| {
        let mut seen = HashSet::new();
        distinct.iter().all(|id| seen.insert(cut(id, *length)))
    });
    ids.iter().map(|id| cut(id, length.unwrap_or(WHOLE)).to_owned()).collect()
}

fn cut(id: &str, length: usize) -> &str {
    let (app, own) = App::split_id(id);
    let length = if app.is_some() { length.max(SHORT_OF_APP) } else { length };
    let end =
        own.char_indices().nth(length).map_or(id.len(), |(end, _)| id.len() - own.len() + end);
    &id[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_apps_stay_before_short_ids() {
        assert_eq!(short_id("1a2b3c4d-0000-4000-8000-000000000000"), "1a2b3c4d");
        assert_eq!(short_id("codex:019f9261-846e-7fc0"), "codex:019f9261-846e");
        assert_eq!(short_id("codex:019f"), "codex:019f");
        assert_eq!(short_id("notes"), "notes");
        assert_eq!(
            short_id("\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}").chars().count(),
            8
        );
    }

    #[test]
    fn ids_are_shortened_as_far_as_they_differ() {
        let ids = ["1a2b3c4d-0001", "1a2b3c4d-0002", "codex:019f9261-846e-7fc0"];
        assert_eq!(short_ids(&ids), ["1a2b3c4d-0001", "1a2b3c4d-0002", "codex:019f9261-846e"],);
    }
}
