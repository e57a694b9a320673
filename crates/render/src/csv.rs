//! CSV rows.

use std::borrow::Cow;

/// One row with a newline. Cells that a spreadsheet would run as a formula get a leading
/// `'`, except negative numbers. Control characters stay, so that secrets can be found
/// around them; the caller escapes them.
pub fn row<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let cells: Vec<_> = cells.into_iter().map(cell).collect();
    cells.join(",") + "\n"
}

fn cell(text: &str) -> Cow<'_, str> {
    let text = if is_formula(text) && !is_negative(text) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    };
    if text.contains([',', '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", text.replace('"', "\"\"")))
    } else {
        text
    }
}

/// Whether a spreadsheet could run a text. Some take the wide and small forms of a sign for
/// the sign, and drop characters before it that nobody sees.
fn is_formula(text: &str) -> bool {
    text.starts_with(['\t', '\r'])
        || text
            .trim_start_matches(is_hidden)
            .starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫', '−'])
}

/// Whether a character is not visible: a space, a control or a format character.
fn is_hidden(character: char) -> bool {
    character.is_whitespace()
        || crate::untrusted::is_harmful(character)
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0080}'..='\u{e0fff}')
}

/// Whether a text is a negative number: `-12.5`.
fn is_negative(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.strip_prefix('-').is_some_and(|number| {
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        digits(whole) && digits(fraction)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_disarmed_and_commas_quoted() {
        assert_eq!(row(["a", "b,c", "say \"x\""]), "a,\"b,c\",\"say \"\"x\"\"\"\n");
        assert_eq!(row(["=cmd()", "+1", "-x", "@x", "\tx"]), "'=cmd(),'+1,'-x,'@x,'\tx\n");
        assert_eq!(row(["-1", "-0.5", "-1+1", "-", "-1.", "--1"]), "-1,-0.5,'-1+1,'-,'-1.,'--1\n");
        assert_eq!(row(["two\nlines"]), "\"two\nlines\"\n");
    }

    #[test]
    fn a_formula_behind_hidden_or_wide_characters_is_disarmed() {
        for text in [
            "＝cmd()",
            "＋1",
            "－1",
            "＠x",
            "﹦x",
            "−1",
            " =x",
            "\u{a0}=x",
            "\u{feff}=x",
            "\u{200b}\u{ad}+x",
            "\u{2060}@x",
            "\u{fe0f}-1",
            "\u{3164}=x",
            "\u{0}=x",
            "\u{202e}=x",
            "\u{e0041}=x",
        ] {
            assert_eq!(row([text]), format!("'{text}\n"), "{text:?}");
        }
        assert_eq!(row(["a=b", "\u{feff}a", ""]), "a=b,\u{feff}a,\n");
    }
}
