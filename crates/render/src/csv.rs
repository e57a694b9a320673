//! Rows for spreadsheets.

use std::borrow::Cow;

/// One row, ended with a newline. Cells that a spreadsheet would run as a
/// formula get a leading `'`; harmful characters stay, a file is no terminal.
pub fn row<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let cells: Vec<_> = cells.into_iter().map(cell).collect();
    cells.join(",") + "\n"
}

fn cell(text: &str) -> Cow<'_, str> {
    let text = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_defused_and_commas_quoted() {
        assert_eq!(row(["a", "b,c", "say \"x\""]), "a,\"b,c\",\"say \"\"x\"\"\"\n");
        assert_eq!(row(["=cmd()", "+1", "-1", "@x", "\tx"]), "'=cmd(),'+1,'-1,'@x,'\tx\n");
        assert_eq!(row(["two\nlines"]), "\"two\nlines\"\n");
    }
}
