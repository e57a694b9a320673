//! Tests of Markdown on a terminal, one per rule.

use super::*;
use crate::style::unpainted;
use crate::untrusted;
use proptest::prelude::*;
use pulldown_cmark::{Event, Tag};
use unicode_width::UnicodeWidthStr;

const PLAIN: Paint = Paint { enabled: false };
const PAINTED: Paint = Paint { enabled: true };

fn holds(width: Option<usize>, table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(markdown(text, width, PLAIN), *expected, "{text:?}");
    }
}

#[test]
fn paragraphs_are_wrapped_if_there_is_a_width() {
    let text = "one two\nthree four\n\nfive\\\nsix";
    assert_eq!(markdown(text, Some(14), PLAIN), "one two\nthree four\n\nfive\nsix\n");
    assert_eq!(markdown(text, None, PLAIN), "one two\nthree four\n\nfive\nsix\n");
    assert_eq!(markdown("", Some(10), PLAIN), "");
}

#[test]
fn markup_stays_without_colours() {
    holds(
        Some(60),
        &[
            ("**a** *b* ~~c~~ `d`", "**a** *b* ~~c~~ `d`\n"),
            ("__a__ _b_ ***c***", "**a** *b* ***c***\n"),
            ("`` a`b `` ``` `` ```", "``a`b`` ``` `` ```\n"),
            ("# One\nTwo\n---", "# One\n\n## Two\n"),
            ("a\n\n***\n\nb", "a\n\n---\n\nb\n"),
            (r"1 \* 2 &amp; 3", "1 * 2 & 3\n"),
        ],
    );
}

#[test]
fn styles_replace_markup() {
    let table = [
        ("**a**", "\u{1b}[1ma\u{1b}[0m\n"),
        ("*a*", "\u{1b}[3ma\u{1b}[0m\n"),
        ("~~a~~", "\u{1b}[9ma\u{1b}[0m\n"),
        ("`a`", "\u{1b}[36ma\u{1b}[0m\n"),
        ("***a***", "\u{1b}[1;3ma\u{1b}[0m\n"),
        ("## a `b`", "\u{1b}[1m## a \u{1b}[0m\u{1b}[1;36mb\u{1b}[0m\n"),
        ("> a", "\u{1b}[2m│\u{1b}[0m a\n"),
        ("a **b**\n**c**", "a \u{1b}[1mb\u{1b}[0m\n\u{1b}[1mc\u{1b}[0m\n"),
        ("```rust\nlet x;\n```", "  \u{1b}[35mlet\u{1b}[0m x;\n"),
        ("```\nlet x;\n```", "  let x;\n"),
    ];
    for (text, expected) in table {
        assert_eq!(markdown(text, Some(60), PAINTED), expected, "{text:?}");
    }
    let broken = markdown("**one two**", Some(5), PAINTED);
    assert_eq!(broken, "\u{1b}[1mone\u{1b}[0m\n\u{1b}[1mtwo\u{1b}[0m\n");
}

#[test]
fn list_items_are_indented_below_their_markers() {
    holds(
        Some(16),
        &[
            ("- one\n- two three four\n- x", "- one\n- two three four\n- x\n"),
            ("* one two three four", "- one two three\n  four\n"),
            ("9. nine\n10. ten eleven twelve", "9. nine\n10. ten eleven\n    twelve\n"),
            ("- a\n  - b\n    - c\n- d", "- a\n  - b\n    - c\n- d\n"),
            ("- a\n\n- b", "- a\n\n- b\n"),
            ("- a\n\n  b\n- c", "- a\n\n  b\n\n- c\n"),
            ("a\n- b\n\nc", "a\n\n- b\n\nc\n"),
            ("- a\n\nb", "- a\n\nb\n"),
            ("-\n- a\n-", "-\n- a\n-\n"),
            ("- - a", "- - a\n"),
            ("- [ ] to do\n- [x] done", "- [ ] to do\n- [x] done\n"),
            ("- [ ] a\n\n- [x] b", "- [ ] a\n\n- [x] b\n"),
            ("- a\n  ```\n  b\n  ```\n- c", "- a\n    b\n- c\n"),
        ],
    );
}

#[test]
fn quotes_have_a_bar() {
    holds(
        Some(16),
        &[
            ("> one two three four", "> one two three\n> four\n"),
            ("a\n> b\n>\n> c\n\nd", "a\n\n> b\n>\n> c\n\nd\n"),
            ("> a\n> > b", "> a\n>\n> > b\n"),
            ("> - a\n>   b", "> - a\n>   b\n"),
            ("- a\n  > b", "- a\n  > b\n"),
            (">", ""),
        ],
    );
}

#[test]
fn links_and_images_show_their_address() {
    holds(
        Some(60),
        &[
            ("[a *b*](https://x.y)", "a *b* (https://x.y)\n"),
            ("<https://x.y>", "https://x.y\n"),
            ("[https://x.y](https://x.y)", "https://x.y\n"),
            ("[https://x.y](https://z)", "https://x.y (https://z)\n"),
            ("[a][b]\n\n[b]: https://x.y", "a (https://x.y)\n\n[b]: https://x.y\n"),
            ("[a](https://x.y 'z')", "a (https://x.y \"z\")\n"),
            ("[x:y](x:y 'z')", "x:y (\"z\")\n"),
            ("[](https://x.y)", "(https://x.y)\n"),
            ("[a]()", "a\n"),
            ("![a b](c.png)", "[image: a b (c.png)]\n"),
            ("![](c.png)", "[image: (c.png)]\n"),
            ("[![a](b)](c)", "[image: a (b)] (c)\n"),
        ],
    );
    let data = markdown(&format!("![a](data:image/png;base64,{})", "A".repeat(999)), None, PLAIN);
    assert_eq!(data, "[image: a (data:image/png;base64,AAAAAAAAAAAAAAAAAA…)]\n");
}

#[test]
fn link_definitions_are_shown() {
    holds(
        Some(60),
        &[
            ("[INFO]: started", "[INFO]: started\n"),
            ("[INFO]: a\n[INFO]: b\nthen *c*", "[INFO]: a\n[INFO]: b\n\nthen *c*\n"),
            ("a\n\n[b]: c\n\n# d\n\n[^1]: e", "a\n\n[b]: c\n\n# d\n\n[^1]: e\n"),
            ("> [a]: b\n\nc", "> [a]: b\n\nc\n"),
            ("> [a]:\n> b\n> 'c'\n> d", "> [a]:\n> b\n> 'c'\n>\n> d\n"),
            ("- [a]: b\n- c", "- [a]: b\n- c\n"),
            ("[a]: b c d `e`", "[a]: b c d `e`\n"),
            ("```\n[a]: b\n```", "  [a]: b\n"),
            ("[a]: b\u{1b}", "[a]: b\\u{1b}\n"),
        ],
    );
}

#[test]
fn code_is_not_changed() {
    holds(
        Some(12),
        &[
            ("```\na  b\n\n\tlong line of code\n```", "  a  b\n\n  \tlong line of code\n"),
            ("    indented code is long", "  indented code is long\n"),
            ("> ```\n> a\n>\n> b\n> ```", ">   a\n>\n>   b\n"),
            ("a\n```js\nb\n```\nc", "a\n\n  b\n\nc\n"),
            ("```\r\na\r\nb\r\n```", "  a\n  b\n"),
            ("``` two words\na\n```", "  two words\n  a\n"),
        ],
    );
}

#[test]
fn html_is_shown() {
    holds(
        Some(30),
        &[
            ("<div>\n  <b>x</b>\n</div>\n\na", "<div>\n  <b>x</b>\n</div>\n\na\n"),
            ("a <b>c</b> <!-- d -->", "a <b>c</b> <!-- d -->\n"),
        ],
    );
}

#[test]
fn tables_are_aligned_and_wrapped_if_narrow() {
    let table = "|name|n|\n|:--|--:|\n|one **two** three|1|\n|日本|22|";
    let whole = "| name              |  n |\n|:------------------|---:|\n\
                 | one **two** three |  1 |\n| 日本              | 22 |\n";
    let narrow = "| name      |  n |\n|:----------|---:|\n| one       |  1 |\n\
                  | **two**   |    |\n| three     |    |\n| 日本      | 22 |\n";
    assert_eq!(markdown(table, None, PLAIN), whole);
    assert_eq!(markdown(table, Some(27), PLAIN), whole);
    assert_eq!(markdown(table, Some(18), PLAIN), narrow);
    assert_eq!(markdown(table, Some(14), PLAIN), "name | n\none **two**\nthree | 1\n日本 | 22\n");
    let painted = markdown("|a|\n|:-:|\n|bcd|", None, PAINTED);
    assert_eq!(unpainted(&painted), "│  a  │\n├─────┤\n│ bcd │\n");
}

#[test]
fn columns_share_a_narrow_page() {
    let text = "|a|b|c|\n|-|-|-|\n|x|one two three four|five six seven eight nine|";
    let expected = "| a | b           | c           |\n|---|-------------|-------------|\n\
                    | x | one two     | five six    |\n|   | three four  | seven eight |\n\
                    |   |             | nine        |\n";
    let shown = markdown(text, Some(33), PLAIN);
    assert_eq!(shown, expected);
}

#[test]
fn entities_cannot_produce_harmful_characters() {
    holds(
        Some(60),
        &[
            ("&#27;[2J &#155; &#x202e;", "\\u{1b}[2J \\u{9b} \\u{202e}\n"),
            ("a&#10;b&#9;c", "a b c\n"),
            ("[a](<b\u{1b}]8;;c>)", "a (b\\u{1b}]8;;c)\n"),
            ("`\u{1b}c`", "`\\u{1b}c`\n"),
            ("```\n\u{1b}c\n```", "  \\u{1b}c\n"),
            ("<b \u{7}>", "<b \\u{7}>\n"),
            ("|\u{1b}|\n|-|", "| \\u{1b} |\n|--------|\n"),
        ],
    );
}

#[test]
fn depth_is_bounded() {
    let quotes = markdown(&(">".repeat(50) + " a"), Some(80), PLAIN);
    assert_eq!(quotes, "> ".repeat(12) + "a\n");
    let lists = markdown(&("- ".repeat(50) + "a\n\n" + &"  ".repeat(49) + "- b"), Some(80), PLAIN);
    assert_eq!(lists, "- ".repeat(13) + "a\n\n" + &"  ".repeat(12) + "- b\n");
    let narrow = markdown(&("- ".repeat(50) + "a"), Some(20), PLAIN);
    assert_eq!(narrow, "- ".repeat(6) + "a\n");
    // Text nested too deeply is shown verbatim, and quickly.
    let deep = 100_000;
    assert_eq!(markdown(&">".repeat(deep), Some(80), PLAIN), (">".repeat(80) + "\n").repeat(1_250));
    for marker in [">", "- "] {
        markdown(&(marker.repeat(deep) + "```\n" + &"\n".repeat(deep)), Some(80), PAINTED);
    }
    for sign in ["*a ", "**a ", "[", "![", "![a](", "`", "<", "&", "|", "~~a ", "[a](b ", "1) "] {
        markdown(&sign.repeat(deep), Some(80), PAINTED);
    }
}

#[test]
fn plain_prose_needs_no_parser() {
    assert!(prose::is_plain("Some words, (and) \"more\".\n\n   A paragraph: it's 100% plain!\n"));
    for text in ["a *b*", "- a", "1. a", "# a", "    a", "a  \nb", "a\n===", "a\n:-", "a\tb", "a&b"]
    {
        assert!(!prose::is_plain(text), "{text:?}");
    }
}

/// Text with much Markdown.
fn marked() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,12}",
        Just(" ".to_owned()),
        Just("\n".to_owned()),
        Just("日本".to_owned()),
        "[\\*_`~#>|\\-+=:<!\\[\\]()&\\\\0-9.\t]{1,3}",
        "\n( {0,6})([-*>]|[0-9]{1,9}[.)])[ ]",
        Just("\n|a|b|c|\n|-|:-:|-:|\n|".to_owned()),
        Just("\n```rust\n".to_owned()),
        Just("\n<div>\n".to_owned()),
        Just("&#27;".to_owned()),
        Just("[x](y)".to_owned()),
        Just("\n[x]: y".to_owned()),
        "\\PC",
        "[\u{1b}\u{9b}\u{202e}\u{7}\r]",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn shown_text_is_harmless(
        text in prop_oneof![any::<String>(), marked()],
        width in prop::option::of(0usize..90),
    ) {
        prop_assert!(!markdown(&text, width, PLAIN).contains(untrusted::is_harmful));
        let painted = markdown(&text, width, PAINTED);
        prop_assert!(!unpainted(&painted).contains(untrusted::is_harmful));
    }

    #[test]
    fn no_line_is_wider_than_the_page(text in marked(), width in 3usize..60) {
        // Code is not wrapped, so there is none here.
        let text = text.replace('`', "").replace("~~~", "").replace('\t', "").replace("    ", "");
        let is_code = |event| matches!(event, Event::Start(Tag::CodeBlock(_)));
        prop_assume!(!Parser::new_ext(&text, OPTIONS).any(is_code));
        for paint in [PLAIN, PAINTED] {
            let shown = unpainted(&markdown(&text, Some(width), paint));
            for line in shown.lines() {
                prop_assert!(line.width() <= width, "{line:?} in {width}");
            }
        }
    }

    /// Except the language on a fence, so there are no fences here.
    #[test]
    fn no_word_is_lost(
        pieces in prop::collection::vec(("(\n|\n\n| |)(- |> |[#]{1,3} |[1-9]\\. |\\[x\\]: |    |[*]|_|`|<|\\[|\\]|)", "[a-z]{4}"), 0..20),
    ) {
        let text: String = pieces.iter().flat_map(|(sign, word)| [&**sign, word]).collect();
        let shown = markdown(&text, None, PLAIN);
        for (_, word) in &pieces {
            prop_assert!(shown.contains(word), "{word} of {text:?} in {shown:?}");
        }
    }

    #[test]
    fn fast_path_equals_the_parser(
        text in "([a-z日\u{a0}\u{feff}\u{202e}.,!?\"'():;/%@^$ \n-]|word |\n\n){0,60}",
        width in prop::option::of(2usize..40),
    ) {
        prop_assume!(prose::is_plain(&text));
        let page = Page::new(width, PLAIN, 0);
        prop_assert_eq!(markdown(&text, width, PLAIN), parsed(&text, page));
    }
}
