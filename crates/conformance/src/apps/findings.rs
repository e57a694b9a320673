//! What a comparison found.

use std::fmt::Display;

/// The sum of all comparisons.
#[derive(Debug, Default)]
pub(super) struct Findings {
    differences: usize,
}

impl Findings {
    /// Takes the result of one comparison: how many things of a kind were compared, and what
    /// differs.
    pub(super) fn take(&mut self, title: &str, count: usize, kind: &str, found: &[String]) {
        for difference in found {
            println!("  {difference}");
        }
        println!("{title}: {count} {kind}, {} differences", found.len());
        self.differences += found.len();
    }

    /// Compares two values that should be equal.
    pub(super) fn equal<T: PartialEq + Display>(&mut self, title: &str, ours: &T, theirs: &T) {
        if ours == theirs {
            println!("{title}: {ours}");
        } else {
            println!("  {title}: annals {ours}, the truth is {theirs}");
            self.differences += 1;
        }
    }

    pub(super) fn differences(&self) -> usize {
        self.differences
    }
}

/// The first place where two lists differ.
pub(super) fn first_difference(name: &str, ours: &[String], theirs: &[String]) -> Option<String> {
    let at = (0..ours.len().max(theirs.len())).find(|at| ours.get(*at) != theirs.get(*at))?;
    let shown = |list: &[String]| match list.get(at) {
        Some(text) => shorten(text),
        None => "nothing more".to_owned(),
    };
    let counts = format!("{} and {} rows", ours.len(), theirs.len());
    let (ours, theirs) = (shown(ours), shown(theirs));
    Some(format!("{name}, row {at} ({counts}):\n    annals   {ours}\n    program  {theirs}"))
}

/// A text on one line, cut.
pub(super) fn shorten(text: &str) -> String {
    const LONGEST: usize = 240;
    let line = text.replace('\n', "\\n");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn lists_differ_where_the_first_row_does() {
        assert_eq!(first_difference("x", &list(&["a"]), &list(&["a"])), None);
        let found = first_difference("x", &list(&["a", "b"]), &list(&["a"])).expect("a difference");
        assert!(found.contains("row 1") && found.contains("nothing more"), "{found}");
    }

    #[test]
    fn unequal_values_are_counted() {
        let mut findings = Findings::default();
        findings.equal("x", &1, &1);
        findings.equal("x", &1, &2);
        findings.take("y", 3, "rows", &list(&["z"]));
        assert_eq!(findings.differences(), 2);
    }
}
