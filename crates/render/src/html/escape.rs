//! Text on its way into a page: the only place where anything from a
//! transcript becomes HTML.
//!
//! Characters that deceive are shown escaped (see `untrusted`), and what means
//! something to HTML becomes an entity. A transcript's text stands in elements
//! and, for links and pictures, in attributes with double quotes; never in
//! scripts, styles, comments or names.

use crate::untrusted;

/// Adds text between tags.
pub(super) fn push_text(page: &mut String, text: &str) {
    push(page, &untrusted::text(text), false);
}

/// Adds the value of an attribute, which stands in double quotes.
pub(super) fn push_attribute(page: &mut String, text: &str) {
    push(page, &untrusted::line(text), true);
}

fn push(page: &mut String, text: &str, is_attribute: bool) {
    let mut done = 0;
    for (at, byte) in text.bytes().enumerate() {
        let entity = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' if is_attribute => "&quot;",
            _ => continue,
        };
        page.push_str(&text[done..at]);
        page.push_str(entity);
        done = at + 1;
    }
    page.push_str(&text[done..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(text: &str) -> String {
        let mut page = String::new();
        push_text(&mut page, text);
        page
    }

    fn attribute(text: &str) -> String {
        let mut page = String::new();
        push_attribute(&mut page, text);
        page
    }

    #[test]
    fn what_means_something_to_html_becomes_an_entity() {
        assert_eq!(text("<a href=\"x\">&amp;\u{202e}é"), "&lt;a href=\"x\"&gt;&amp;amp;\\u{202e}é");
        assert_eq!(attribute("\"><b>\n'&"), "&quot;&gt;&lt;b&gt; '&amp;");
    }

    proptest! {
        #[test]
        fn nothing_leaves_the_place_it_stands_in(input in any::<String>()) {
            prop_assert!(!text(&input).contains(['<', '>']));
            prop_assert!(!attribute(&input).contains(['<', '>', '"', '\n']));
            prop_assert!(!text(&input).contains(untrusted::is_harmful));
        }
    }
}
