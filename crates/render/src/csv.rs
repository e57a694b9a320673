//! CSV rows.

use std::borrow::Cow;

/// One row with a newline. Cells that a spreadsheet would run as a formula get a leading
/// `'`, except negative numbers. Control characters stay: a file is not a terminal.
pub fn row<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let cells: Vec<_> = cells.into_iter().map(cell).collect();
    cells.join(",") + "\n"
}

fn cell(text: &str) -> Cow<'_, str> {
    let text = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_negative(text) {
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
}
