//! The rules of conversations, each with a small transcript. They stand in
//! tables beside the tests of `conversation`, which hold what annals does.

use crate::oracle::store::Store;

const SESSIONS: &str =
    include_str!("../../../../conversation/tests/conversation/official_rules.txt");
const AGENTS: &str =
    include_str!("../../../../conversation/tests/conversation/official_agent_rules.txt");

pub(super) fn add(store: &mut Store) {
    for (rule, lines) in cases(SESSIONS) {
        store.add_bytes(rule, lines.as_bytes());
    }
    for (rule, lines) in cases(AGENTS) {
        store.add_bytes(rule, b"{}\n").agent("x", &lines);
    }
}

/// The cases of a table: each is a rule, lines, and what is expected, which is
/// not looked at here.
fn cases(table: &str) -> impl Iterator<Item = (&str, String)> {
    let blocks = table.split("\n\n").filter(|block| !block.starts_with('#'));
    blocks.filter_map(|block| {
        let (rule, rest) = block.split_once('\n')?;
        let lines = rest.split_inclusive('\n').filter(|line| !line.starts_with('='));
        Some((rule, lines.collect()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_has_a_name_and_lines() {
        let found: Vec<_> = cases(SESSIONS).chain(cases(AGENTS)).collect();
        assert!(found.len() > 100);
        for (rule, lines) in found {
            assert!(!rule.starts_with('{'), "{rule}");
            assert!(!lines.is_empty() && lines.lines().all(|line| line.starts_with('{')), "{rule}");
        }
    }
}
