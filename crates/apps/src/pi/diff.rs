//! The diffs that pi records for edits.

/// Turns a diff with numbered lines into a unified diff.
///
/// pi writes a sign, the line's number and the line: new numbers for added lines, old numbers
/// for all others, and `...` where lines are left out. `None` if the text has another form.
pub(crate) fn to_unified(path: &str, numbered: &str) -> Option<String> {
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut is_open = false;
    // How much further new line numbers are than old ones.
    let mut shift = 0_i64;
    for line in numbered.lines() {
        if line.trim() == "..." && line.starts_with(' ') {
            is_open = false;
            continue;
        }
        let sign = line.chars().next().filter(|sign| matches!(sign, ' ' | '+' | '-'))?;
        let rest = line[1..].trim_start_matches(' ');
        let (number, text) = rest.split_once(' ').unwrap_or((rest, ""));
        let number: i64 = number.parse().ok()?;
        let old = if sign == '+' { number - shift } else { number };
        if !is_open {
            hunks.push(Hunk { old, new: old + shift, ..Hunk::default() });
            is_open = true;
        }
        let hunk = hunks.last_mut()?;
        hunk.text.push(sign);
        hunk.text.push_str(text);
        hunk.text.push('\n');
        if sign != '+' {
            hunk.old_lines += 1;
        }
        if sign != '-' {
            hunk.new_lines += 1;
        }
        shift += match sign {
            '+' => 1,
            '-' => -1,
            _ => 0,
        };
    }
    let mut unified = format!("--- {path}\n+++ {path}\n");
    for hunk in &hunks {
        unified.push_str(&format!(
            "@@ -{},{} +{},{} @@\n{}",
            hunk.old, hunk.old_lines, hunk.new, hunk.new_lines, hunk.text
        ));
    }
    (!hunks.is_empty()).then_some(unified)
}

#[derive(Default)]
struct Hunk {
    old: i64,
    new: i64,
    old_lines: u64,
    new_lines: u64,
    text: String,
}

#[cfg(test)]
mod tests {
    use super::to_unified;

    #[test]
    fn numbered_lines_become_hunks() {
        let numbered = "    ...\n  7 cod\n- 8 eel\n+ 8 ray\n+ 9  two words\n  9 hake\n    ...\n 30 \n-31 sole\n 32 tuna";
        let expected = "--- fish.md\n+++ fish.md\n\
                        @@ -7,3 +7,4 @@\n cod\n-eel\n+ray\n+ two words\n hake\n\
                        @@ -30,3 +31,2 @@\n \n-sole\n tuna\n";
        assert_eq!(to_unified("fish.md", numbered).as_deref(), Some(expected));
    }

    #[test]
    fn other_text_is_not_a_diff() {
        for text in ["", "@@ -1 +1 @@", "hello", "+x y", "é 1 a"] {
            assert_eq!(to_unified("a", text), None, "{text}");
        }
    }
}
