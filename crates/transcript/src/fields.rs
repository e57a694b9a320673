//! One list of fields for two parsers.
//!
//! `fields!` turns a list of `name: Type = "key"` into a struct with optional
//! fields, a derived `Deserialize` (the fast parser), a [`LenientRead`] (the
//! lenient parser) and `KEYS`, the list of known keys for the drift report.
//! List the most frequent fields first: the derived code compares keys one after
//! another.

use crate::value::{FieldContext, LenientRead};

macro_rules! fields {
    ($(#[$meta:meta])* $vis:vis struct $name:ident<'a> { $($body:tt)* }) => {
        fields!(@emit [$(#[$meta])*] [$vis] $name ['a] ['a] ["'de: 'a"] $($body)*);
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($body:tt)* }) => {
        fields!(@emit [$(#[$meta])*] [$vis] $name [] ['a] [""] $($body)*);
    };
    (@emit [$(#[$meta:meta])*] [$vis:vis] $name:ident [$($lifetime:lifetime)?] [$read:lifetime] [$bound:literal]
        $($(#[$doc:meta])* $field:ident: $type:ty = $key:literal,)*) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, serde::Deserialize)]
        #[non_exhaustive]
        #[serde(bound(deserialize = $bound))]
        $vis struct $name<$($lifetime)?> {
            $($(#[$doc])* #[serde(rename = $key)] $vis $field: Option<$type>,)*
        }

        impl<$($lifetime)?> $name<$($lifetime)?> {
            /// The JSON keys of this struct.
            $vis const KEYS: &'static [&'static str] = &[$($key),*];
        }

        impl<$read> $crate::value::LenientRead<$read> for $name<$($lifetime)?> {
            const EXPECTED: &'static str = "an object";

            fn read(raw: &str, context: &mut $crate::value::FieldContext<'_>) -> Option<Self> {
                let Ok(pairs) = $crate::json::pairs(raw) else {
                    context.wrong_type(Self::EXPECTED, raw);
                    return None;
                };
                let mut value = Self::default();
                let mut seen = Vec::new();
                for (key, raw) in &pairs {
                    match &**key {
                        $($key => {
                            $crate::fields::note_duplicate(&mut seen, $key, context);
                            value.$field = $crate::fields::read_field($key, raw, context);
                        })*
                        _ => {}
                    }
                }
                Some(value)
            }
        }
    };
}
pub(crate) use fields;

/// Reads the value of one key; `null` counts as absent.
pub(crate) fn read_field<'a, T: LenientRead<'a>>(
    key: &str,
    raw: &str,
    context: &mut FieldContext<'_>,
) -> Option<T> {
    if raw == "null" {
        return None;
    }
    context.enter(key, |context| T::read(raw, context))
}

/// Adds `key` to those seen, or reports it as a duplicate.
pub(crate) fn note_duplicate(
    seen: &mut Vec<&'static str>,
    key: &'static str,
    context: &mut FieldContext<'_>,
) {
    if seen.contains(&key) {
        let path = context.enter(key, |context| Some(context.path.clone())).unwrap_or_default();
        context.note(crate::problem::Reason::DuplicateKey { path });
    } else {
        seen.push(key);
    }
}
