//! Names of rollout files.
//!
//! `rollout-<local time>-<thread>.jsonl`; after an undo `…-<thread>_<rollout>.jsonl`; compressed
//! with `.zst` after it. Archived ones have the same names in another folder.

use std::collections::BTreeSet;

/// The parts of a rollout file's name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// The local time at which the file was created, as written: `2026-01-31T12-00-00`.
    pub time: String,
    /// The thread.
    pub thread: String,
    /// The rollout, if the file is not the thread's first one.
    pub rollout: Option<String>,
    /// Whether the file is compressed.
    pub is_compressed: bool,
}

impl Name {
    /// Reads a file's name, without its folder. Other files have none.
    ///
    /// ```
    /// let name = apps::codex::Name::parse(
    ///     "rollout-2026-01-31T12-00-00-0198f2a0-0000-7000-8000-000000000001.jsonl.zst",
    /// );
    /// let name = name.expect("a rollout file");
    /// assert_eq!(name.thread, "0198f2a0-0000-7000-8000-000000000001");
    /// assert_eq!(name.time, "2026-01-31T12-00-00");
    /// assert!(name.is_compressed);
    /// ```
    pub fn parse(file_name: &str) -> Option<Name> {
        const TIME: usize = "2026-01-31T12-00-00".len();
        let rest = file_name.strip_prefix("rollout-")?;
        let (rest, is_compressed) = match rest.strip_suffix(".zst") {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let rest = rest.strip_suffix(".jsonl")?;
        let (time, ids) = rest.split_at_checked(TIME)?;
        let ids = ids.strip_prefix('-')?;
        let (thread, rollout) = match ids.split_once('_') {
            Some((thread, rollout)) => (thread, Some(rollout)),
            None => (ids, None),
        };
        let is_time = time.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 | 13 | 16 => byte == b'-',
            10 => byte == b'T',
            _ => byte.is_ascii_digit(),
        });
        let is_id = |id: &str| {
            !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        (is_time && is_id(thread) && rollout.is_none_or(is_id)).then(|| Name {
            time: time.to_owned(),
            thread: thread.to_owned(),
            rollout: rollout.map(str::to_owned),
            is_compressed,
        })
    }

    /// The id by which other files refer to this one: the rollout's, or for a thread's first
    /// file the thread's.
    pub fn id(&self) -> &str {
        self.rollout.as_deref().unwrap_or(&self.thread)
    }
}

/// Whether each file counts, in the order given: a plain file hides its compressed twin.
pub fn find_visible(names: &[Name]) -> Vec<bool> {
    let key = |name: &Name| (name.time.clone(), name.thread.clone(), name.rollout.clone());
    let plain: BTreeSet<_> = names.iter().filter(|name| !name.is_compressed).map(key).collect();
    names.iter().map(|name| !name.is_compressed || !plain.contains(&key(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREAD: &str = "0198f2a0-0000-7000-8000-000000000001";
    const ROLLOUT: &str = "0198f2a0-0000-7000-8000-000000000002";

    #[test]
    fn names_are_read_with_and_without_a_rollout() {
        let first = Name::parse(&format!("rollout-2026-01-31T12-00-00-{THREAD}.jsonl")).unwrap();
        assert_eq!((first.id(), first.rollout.as_deref()), (THREAD, None));
        assert!(!first.is_compressed);
        let second =
            Name::parse(&format!("rollout-2026-01-31T12-00-00-{THREAD}_{ROLLOUT}.jsonl")).unwrap();
        assert_eq!((second.thread.as_str(), second.id()), (THREAD, ROLLOUT));
    }

    #[test]
    fn other_files_have_no_name() {
        for name in [
            "session_index.jsonl",
            "rollout-.jsonl",
            "rollout-2026-01-31T12-00-00-.jsonl",
            "rollout-2026-01-31T12-00-00-a/b.jsonl",
            "rollout-2026-01-31T12-00-00-a_.jsonl",
            "rollout-2026-01-31 12-00-00-a.jsonl",
            "rollout-2026-01-31T12-00-00-a.json",
            "rollout-ä026-01-31T12-00-0-a.jsonl",
        ] {
            assert_eq!(Name::parse(name), None, "{name}");
        }
    }

    #[test]
    fn a_plain_file_hides_its_compressed_twin() {
        let parse = |name: String| Name::parse(&name).unwrap();
        let names = [
            parse(format!("rollout-2026-01-31T12-00-00-{THREAD}.jsonl.zst")),
            parse(format!("rollout-2026-01-31T12-00-00-{THREAD}.jsonl")),
            parse(format!("rollout-2026-01-31T12-00-00-{ROLLOUT}.jsonl.zst")),
        ];
        assert_eq!(find_visible(&names), [false, true, true]);
    }
}
