//! Tests with hostile and random Markdown.

use super::*;
use proptest::prelude::*;

#[test]
fn embedded_text_does_not_affect_the_page() {
    let table = [
        ("plain words", "plain words"),
        ("# Title\n\ntext", "#### Title\n\ntext"),
        ("###### six", "###### six"),
        ("</details><script>x</script>", "\\</details>\\<script>x\\</script>"),
        ("a <b>bold</b> c", "a \\<b>bold\\</b> c"),
        ("`<b>` stays", "`<b>` stays"),
        ("```\n<b> # [x](javascript:1)\n```", "```\n<b> # [x](javascript:1)\n```"),
        ("```rust\nfn main() {", "```rust\nfn main() {\n```"),
        ("~~~~\nx\n~~~", "~~~~\nx\n~~~\n~~~~"),
        ("```", "```\n```"),
        ("<!-- never closed\n\n# more", "\\<!-- never closed\n\n#### more"),
        ("<div>\n```", "\\<div>\n```\n```"),
        ("<!--\n\n[a](javascript:1)\n\n# x", "\\<!--\n\n\\[a](javascript:1)\n\n#### x"),
        ("> ```\n> code", "> ```\n> code"),
        ("- ```\n  code", "- ```\n  code"),
        ("```\n    ```", "```\n    ```\n```"),
        ("Title\n=====\ntext", "#### Title\n\ntext"),
        ("> Title\n> -", "> ##### Title\n>"),
        ("two\nlines\n---\nc", "two\nlines\n\\---\nc"),
        ("a\n\n---\n\nb", "a\n\n---\n\nb"),
        ("[a][x]\n\n[x]: javascript:1", "[a][x]\n\n\\[x]: javascript:1"),
        (
            "[x]: https://a\n[x]: https://b\n\n[^1]: some words",
            "\\[x]: https://a\n[x]: https://b\n\n\\[^1]: some words",
        ),
        ("[x]: /a\n===\n[x]", "#### \\[x]: /a\n\n[x]"),
        ("[a](javascript:alert(1))", "\\[a](javascript:alert(1))"),
        ("![a](https://example.org/x.png)", "\\![a](https://example.org/x.png)"),
        ("![a](javascript:x)", "\\!\\[a](javascript:x)"),
        ("![a](JAVA\tSCRIPT:alert(1))", "![a](JAVA\tSCRIPT:alert(1))"),
        (
            "[a](https://example.org) [b](#x) [c](x/y:z)",
            "[a](https://example.org) [b](#x) [c](x/y:z)",
        ),
        ("\u{1b}[2J gone", "\\u{1b}[2J gone"),
    ];
    for (text, expected) in table {
        assert_eq!(contained(text), expected, "{text:?}");
    }
}

#[test]
fn text_that_needs_too_many_passes_is_shown_verbatim() {
    let text = "[x]: /a\n\n".repeat(40);
    assert_eq!(contained(&text), format!("```\n{}\n```", text.trim_end()));
    let deep = format!("{}[a](javascript:1)", "> ".repeat(500));
    assert_eq!(contained(&deep), format!("```\n{deep}\n```"));
}

#[test]
fn quoted_text_keeps_its_meaning() {
    let table = [
        ("a\n\n# b", "> a\n>\n> #### b\n"),
        ("\tplain", "> \tplain\n"),
        ("\t<b>", "> ```\n> \t<b>\n> ```\n"),
    ];
    for (text, expected) in table {
        assert_eq!(quoted(text), expected, "{text:?}");
    }
}

/// Describes markup in a text that affects the rest of the page.
fn outside_effect(text: &str) -> Option<String> {
    let page = format!("{text}\n\nX");
    let mut parser = Parser::new_ext(&page, OPTIONS);
    let events: Vec<Event<'_>> = parser.by_ref().collect();
    let mut depth = 0;
    let mut last = None;
    for (at, event) in events.iter().enumerate() {
        match event {
            Event::Html(_) | Event::InlineHtml(_) => return Some(format!("{event:?}")),
            Event::Start(Tag::Heading { level, .. }) if *level as usize <= OWN_LEVELS => {
                return Some(format!("{event:?}"));
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. })
                if !is_allowed_link(dest_url) =>
            {
                return Some(format!("{event:?}"));
            }
            _ => {}
        }
        match event {
            Event::Start(_) => {
                if depth == 0 {
                    last = Some(at);
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    if parser.reference_definitions().iter().next().is_some() {
        return Some("a definition".to_owned());
    }
    let last = events.get(last?..)?;
    let stands = matches!(last, [Event::Start(Tag::Paragraph), Event::Text(x), Event::End(_)] if &**x == "X");
    (!stands).then(|| format!("{last:?}"))
}

proptest! {
    #[test]
    fn no_text_affects_the_rest_of_the_page(
        text in prop_oneof![
            any::<String>(),
            "([-=#<>`~\\[\\]()!:*+|\\\\ \t\na\"'/&]|```|~~~|<!--|-->|<div>|<b>|</script>|javascript:|\\[x\\]: |    |> |- |1\\. |\n\n|\n===\n|\n---\n){0,40}",
        ],
    ) {
        let shown = contained(&text);
        prop_assert_eq!(outside_effect(&shown), None, "{}", shown);
        let shown = quoted(&text);
        prop_assert_eq!(outside_effect(&shown), None, "{}", shown);
    }
}

#[test]
fn literal_lines_contain_no_markdown() {
    let table = [
        ("a [redacted:jwt:12ab] b", "a [redacted:jwt:12ab] b"),
        ("[a](javascript:x) ![b][c]", "[a\\](javascript:x) ![b\\][c]"),
        ("<b>*x*</b> & `y`", "&lt;b>\\*x\\*&lt;/b> &amp; \\`y\\`"),
        ("two\nlines", "two lines"),
    ];
    for (text, expected) in table {
        assert_eq!(literal(text), expected);
    }
}

#[test]
fn fence_is_longer_than_any_in_the_text() {
    for (text, expected) in [("", "```"), ("a `b`", "```"), ("```` x", "`````")] {
        assert_eq!(fence(text), expected);
    }
}

#[test]
fn only_web_mail_and_relative_links_are_allowed() {
    let table = [
        ("https://x", true),
        ("HTTP://x", true),
        ("mailto:a@b", true),
        ("a.md", true),
        ("./a:b", true),
        ("#a:b", true),
        ("javascript:x", false),
        (" java\nscript:x", false),
        ("data:text/html,x", false),
        ("vbscript:x", false),
        ("file:///etc/passwd", false),
        ("/a//b", true),
        ("//host/x", false),
        (" /\n/host:80/x", false),
        (r"/\host", false),
        (r"\\host", false),
    ];
    for (url, expected) in table {
        assert_eq!(is_allowed_link(url), expected, "{url}");
    }
}
