//! Line authors, from recorded changes alone.

use super::*;

fn edit(old: &str, new: &str) -> Edit {
    Edit { old: old.to_owned(), new: new.to_owned(), everywhere: false }
}

fn edits(before: Option<&str>, edits: &[Edit]) -> Recorded {
    Recorded::Edits { before: before.map(str::to_owned), edits: edits.to_vec(), hunks: Vec::new() }
}

fn patched(old: &str, new: &str, lines: &[&str]) -> Recorded {
    let lines = lines.iter().map(|line| (*line).to_owned()).collect();
    let hunks = vec![Hunk { new_start: 1, lines }];
    Recorded::Edits { before: None, edits: vec![edit(old, new)], hunks }
}

fn write(before: Option<&str>, after: &str) -> Recorded {
    Recorded::Whole {
        before: before.map(str::to_owned),
        after: after.to_owned(),
        hunks: Vec::new(),
    }
}

/// The authors of today's lines: the number of a change, `b` for before, `-`
/// for elsewhere.
fn authors_today(steps: &[Recorded], today: &str) -> String {
    let lines = authors(steps.iter(), today).lines;
    assert_eq!(lines.len(), today.lines().count());
    let marks = lines.iter().map(|(_, author)| match author {
        Author::Change(number) => number.to_string(),
        Author::Before => "b".to_owned(),
        Author::Elsewhere => "-".to_owned(),
    });
    marks.collect::<Vec<_>>().join(" ")
}

#[test]
fn line_keeps_its_author_until_it_is_rewritten() {
    let create = || write(Some(""), "a\n\nb\nc\n");
    let table: [(&str, Vec<Recorded>, &str, &str); 9] = [
        ("written", vec![create()], "a\n\nb\nc\n", "0 0 0 0"),
        (
            "and edited",
            vec![create(), edits(None, &[edit("b", "x\ny")])],
            "a\n\nx\ny\nc\n",
            "0 0 1 1 0",
        ),
        ("and changed today", vec![create()], "a\n\nb2\nc\nd\n", "0 0 - 0 -"),
        (
            "what was there before",
            vec![edits(Some("a\nb\nc\n"), &[edit("b", "x")])],
            "a\nx\nc\n",
            "b 0 b",
        ),
        (
            "somebody else was at it in between",
            vec![create(), edits(Some("a\n\nb\nelse\nc\n"), &[edit("c", "d")])],
            "a\n\nb\nelse\nd\n",
            "0 0 0 - 1",
        ),
        (
            "and a later edit wrote that again",
            vec![
                create(),
                edits(Some("A\n\nb\nc\n"), &[edit("c", "d")]),
                edits(None, &[edit("A", "B")]),
            ],
            "B\n\nb\nd\n",
            "2 0 0 1",
        ),
        (
            "several edits in one",
            vec![create(), edits(None, &[edit("b", "x"), edit("x\nc", "x\ny\nz")])],
            "a\n\nx\ny\nz\n",
            "0 0 1 1 1",
        ),
        ("written anew", vec![create(), write(None, "a\n\nq\nc\n")], "a\n\nq\nc\n", "0 0 1 0"),
        ("emptied", vec![create(), write(None, "")], "\n", "-"),
    ];
    for (name, steps, today, expected) in table {
        assert_eq!(authors_today(&steps, today), expected, "{name}");
    }
}

#[test]
fn replace_all_writes_every_occurrence() {
    let everywhere = Edit { everywhere: true, ..edit("x", "y") };
    let steps = [write(Some(""), "x\nk\nx\n"), edits(None, &[everywhere])];
    assert_eq!(authors_today(&steps, "y\nk\ny\n"), "1 0 1");
}

#[test]
fn edit_without_its_file_explains_lines_that_occur_once() {
    // The app writes tabs at the beginning of lines as two spaces.
    let island = || patched("\tb", "\tx\n\ty", &[" a", "-  b", "+  x", "+  y", " c"]);
    let table = [
        ("0\na\n\tx\n\ty\nc\n9\n", "- - 0 0 - -"),
        // No longer complete.
        ("0\na\n\tx\n\tz\nc\n9\n", "- - - - - -"),
        // It is unknown which of the two it is.
        ("a\n\tx\n\ty\nc\na\n\tx\n\ty\nc\n", "- - - - - - - -"),
    ];
    for (today, expected) in table {
        assert_eq!(authors_today(&[island()], today), expected, "{today}");
    }
    // KnownContent content stays, and a later edit continues from what was written.
    let steps = [write(Some(""), "0\na\n"), island(), edits(None, &[edit("\ty", "\tw")])];
    assert_eq!(authors_today(&steps, "0\na\n\tx\n\tw\nc\n"), "0 0 1 2 -");
}

#[test]
fn patch_of_a_rewritten_file_separates_old_lines_from_new() {
    let patch = |lines: &[&str]| Recorded::Whole {
        before: None,
        after: "a\n\tb\nc\n".to_owned(),
        hunks: vec![Hunk {
            new_start: 1,
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
        }],
    };
    assert_eq!(authors_today(&[patch(&[" a", "+  b", " c"])], "a\n\tb\nc\n"), "b 0 b");
    // A patch that does not fit is ignored.
    assert_eq!(authors_today(&[patch(&[" z", "+  b", " c"])], "a\n\tb\nc\n"), "0 0 0");
    assert_eq!(authors_today(&[patch(&[" a", "+  b", " c", " d", " e"])], "a\n\tb\nc\n"), "0 0 0");
}

#[test]
fn nothing_is_explained_after_an_unknown_change() {
    let steps = [write(Some(""), "a\n"), Recorded::Unknown];
    assert_eq!(authors_today(&steps, "a\n"), "-");
    assert_eq!(authors_today(&[], ""), "");
}

#[test]
fn large_file_with_many_edits_is_explained() {
    let lines: Vec<String> = (0..50_000).map(|number| format!("line {}", number % 7_000)).collect();
    let text = lines.join("\n") + "\n";
    let mut steps = vec![write(Some(""), &text)];
    for number in 0..200 {
        let island = format!("+island {number}");
        steps.push(patched("nowhere", "x", &[" line 1", &island]));
    }
    let today = text.replace("line 13\n", "line 13\nisland 13\n");
    let Authors { lines, is_coarse } = authors(steps.iter(), &today);
    assert!(!is_coarse);
    assert!(lines.iter().filter(|(_, author)| author.is_explained()).count() >= 49_000);
}

#[test]
fn change_of_too_many_lines_says_that_not_all_were_compared() {
    // Every other line stays, so nothing is common at the edges but the first and the last.
    let version = |name: &str| {
        let lines = (0..70_000).map(|number| format!("{number}\n{name} {number}\n"));
        "first\n".to_owned() + &lines.collect::<String>() + "last\n"
    };
    let (old, new) = (version("old"), version("new"));
    let found = authors([write(Some(""), &old), write(Some(&old), &new)].iter(), &new);
    assert!(found.is_coarse);
    // Lines that occur once are found all the same.
    let mut of_lines = found.lines.iter().map(|(_, author)| author);
    assert!(matches!(of_lines.next(), Some(Author::Change(0))));
    assert!(
        of_lines.clone().step_by(2).take(70_000).all(|author| matches!(author, Author::Change(0)))
    );
    assert!(
        of_lines.skip(1).step_by(2).take(70_000).all(|author| matches!(author, Author::Change(1)))
    );
    let small = [write(Some(""), "a\n"), write(Some("a\n"), "b\n")];
    assert!(!authors(small.iter(), "b\n").is_coarse);
}

fn other_patch(after: Option<&str>, hunks: &[(usize, &[&str])]) -> Recorded {
    let hunks = hunks.iter().map(|(new_start, lines)| Hunk {
        new_start: *new_start,
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
    });
    Recorded::Patch { after: after.map(str::to_owned), hunks: hunks.collect() }
}

#[test]
fn hunk_without_a_place_is_placed_only_where_it_occurs_once() {
    let create = || write(Some(""), "a\n\tb\nc\nb\na\n");
    let table: [(&str, Vec<Recorded>, &str, &str); 8] = [
        (
            "its lines occur once",
            vec![create(), other_patch(None, &[(0, &[" c", "-b", "+x"])])],
            "a\n\tb\nc\nx\na\n",
            "0 0 0 1 0",
        ),
        (
            "its lines occur twice, and so does its result",
            vec![create(), other_patch(None, &[(0, &["-a", "+c"])])],
            "c\n\tb\nc\nb\na\n",
            "- 0 0 0 0",
        ),
        (
            "its lines occur twice, but it has a place",
            vec![create(), other_patch(None, &[(5, &["-a", "+z"])])],
            "a\n\tb\nc\nb\nz\n",
            "0 0 0 0 1",
        ),
        (
            "hunks are in the order of the file",
            vec![create(), other_patch(None, &[(0, &[" c", "+d"]), (0, &["-a", "+z"])])],
            "a\n\tb\nc\nd\nb\nz\n",
            "0 0 0 1 0 1",
        ),
        (
            "nothing is known of the file, tabs are",
            vec![other_patch(None, &[(0, &[" c", "-b", "+\tx"])])],
            "a\nc\n\tx\n",
            "- - 0",
        ),
        (
            "lines of which one changed since are not found",
            vec![other_patch(None, &[(0, &[" c", "+x", "+y"])])],
            "a\nc\nx\nz\n",
            "- - - -",
        ),
        (
            "the content after it is recorded",
            vec![other_patch(Some("a\nb\na\n"), &[(3, &["+a"])])],
            "a\nb\na\n",
            "b b 0",
        ),
        (
            "the file was deleted and written again",
            vec![create(), write(None, ""), write(Some(""), "a\n")],
            "a\n",
            "2",
        ),
    ];
    for (what, steps, today, expected) in table {
        assert_eq!(authors_today(&steps, today), expected, "{what}");
    }
}
