//! Text in the few pages that this crate writes itself.
//!
//! Deliberately not here: conversations, which `render` turns into HTML.

use std::borrow::Cow;

/// The icon of every page, in the page itself: without it a browser asks for `/favicon.ico`,
/// which lies outside the path of the app.
pub(crate) const ICON: &str = "<link rel=icon href=\"data:image/svg+xml,\
     %3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E\
     %3Crect width='16' height='16' rx='3' fill='%239a4a22'/%3E\
     %3Cpath d='M4 5h8M4 8h8M4 11h5' stroke='%23fff' stroke-width='1.5' stroke-linecap='round'/%3E\
     %3C/svg%3E\">";

/// Text as the content of an element or of a quoted attribute, with control, bidi and tag
/// characters escaped.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    let safe = render::untrusted::text(text);
    if !safe.contains(['&', '<', '>', '"', '\'']) {
        return safe;
    }
    let mut html = String::with_capacity(safe.len() + 16);
    for character in safe.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
    Cow::Owned(html)
}

/// A JSON document as the content of a `script` element, which ends at the first `</script`
/// whatever the JSON says. In JSON, `<` occurs only in strings.
pub(crate) fn json_in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_element_or_attribute() {
        assert_eq!(escaped("a<b>&\"'\u{202e}"), "a&lt;b&gt;&amp;&quot;&#39;\\u{202e}");
        assert!(matches!(escaped("plain"), Cow::Borrowed("plain")));
    }

    #[test]
    fn json_cannot_end_its_script() {
        let json = serde_json::to_string("</script><!--\u{2028}").unwrap();
        let inside = json_in_script(&json);
        assert!(!inside.contains('<'));
        assert_eq!(serde_json::from_str::<String>(&inside).unwrap(), "</script><!--\u{2028}");
    }
}
