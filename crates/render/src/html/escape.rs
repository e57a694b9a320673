//! Escaping: the only place where transcript text becomes HTML.
//!
//! Deceptive characters are shown escaped (see `untrusted`), and HTML's special
//! characters become entities. Transcript text occurs in elements and, for links and
//! images, in attributes with double quotes; never in scripts, styles, comments or names.

use crate::untrusted;

/// Adds text between tags.
pub(super) fn push_text(page: &mut String, text: &str) {
    push(page, &untrusted::text(text), false);
}

/// Adds the value of an attribute with double quotes.
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
    fn special_characters_become_entities() {
        assert_eq!(text("<a href=\"x\">&amp;\u{202e}é"), "&lt;a href=\"x\"&gt;&amp;amp;\\u{202e}é");
        assert_eq!(attribute("\"><b>\n'&"), "&quot;&gt;&lt;b&gt; '&amp;");
    }

    proptest! {
        #[test]
        fn text_cannot_leave_its_element_or_attribute(input in any::<String>()) {
            prop_assert!(!text(&input).contains(['<', '>']));
            prop_assert!(!attribute(&input).contains(['<', '>', '"', '\n']));
            prop_assert!(!text(&input).contains(untrusted::is_harmful));
        }
    }
}
