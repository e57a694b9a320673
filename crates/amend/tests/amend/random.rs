//! Random documents in random white space: installed parts are removed to the byte.

use super::*;
use proptest::prelude::*;

/// Tokens of a JSON value, to be joined by any white space.
fn value() -> impl Strategy<Value = Vec<String>> {
    let leaf = prop_oneof![
        Just("null"),
        Just("true"),
        Just("-1.5e+9"),
        Just("0"),
        Just(r#""\u00e9\n\"x""#),
        Just(r#""command""#),
        Just(r#""'/opt/annals' hook""#),
        Just(r#""[ ! -x '/opt/annals' ] || '/opt/annals' hook""#),
        Just(r#""'/opt/annals' statusline""#),
        Just(r#""[ ! -x '/opt/annals' ] || '/opt/annals' statusline""#),
    ]
    .prop_map(|token| vec![token.to_owned()]);
    leaf.prop_recursive(4, 40, 4, |inner| {
        let list = |open: &'static str, close: &'static str, children: Vec<Vec<String>>| {
            let mut tokens = vec![open.to_owned()];
            for (index, child) in children.into_iter().enumerate() {
                tokens.extend((index > 0).then(|| ",".to_owned()));
                tokens.extend(child);
            }
            tokens.push(close.to_owned());
            tokens
        };
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(move |it| list("[", "]", it)),
            prop::collection::vec((key(), inner), 0..4).prop_map(move |members| {
                let members = members.into_iter().map(|(key, mut value)| {
                    value.splice(0..0, [key.to_owned(), ":".to_owned()]);
                    value
                });
                list("{", "}", members.collect())
            }),
        ]
    })
}

fn key() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        r#""hooks""#,
        r#""SessionEnd""#,
        r#""SessionStart""#,
        r#""statusLine""#,
        r#""type""#,
        r#""command""#,
        r#""cleanupPeriodDays""#,
        r#""a""#,
        r#""\u0061""#,
        r#""é""#,
        r#""""#,
    ])
}

proptest! {
    #[test]
    fn any_settings_are_restored(
        members in prop::collection::vec((key(), value()), 0..6),
        spaces in prop::collection::vec("[ \t]{0,2}(\r?\n)?[ \t]{0,3}", 1..9),
    ) {
        let mut text = spaces[0].clone();
        let mut tokens = vec!["{".to_owned()];
        for (index, (key, value)) in members.into_iter().enumerate() {
            tokens.extend((index > 0).then(|| ",".to_owned()));
            tokens.extend([key.to_owned(), ":".to_owned()]);
            tokens.extend(value);
        }
        tokens.push("}".to_owned());
        for (index, token) in tokens.iter().enumerate() {
            text += token;
            text += &spaces[index % spaces.len()];
        }
        let original = open(Some(&text), InstalledParts::default());
        // Entries with our command are ours.
        let is_theirs = original.installed().is_empty();
        let (after, installed) = put_all(Some(&text));
        let after = after.expect("a file");
        prop_assert!(serde_json::from_str::<serde::de::IgnoredAny>(&after).is_ok(), "{after}");
        let (again, _) = {
            let mut settings = open(Some(&after), installed.clone());
            for part in PARTS {
                let _ = settings.put(part);
            }
            settings.close()
        };
        prop_assert_eq!(again.as_ref(), Some(&after));
        let taken = take_all(Some(&after), installed.clone());
        let edited = take_all(Some(&format!("{after}\n")), installed);
        if is_theirs {
            prop_assert_eq!(taken.as_ref(), Some(&text));
            // An empty list with white space in it becomes one without.
            let bare = |text: &str| text.replace([' ', '\t', '\r', '\n'], "");
            prop_assert_eq!(bare(&edited.expect("a file")), bare(&text));
        }
    }
}
