//! One list of fields, two readers.
//!
//! `fields!` turns a list of `name: Type = "key"` into a struct whose fields are
//! all optional, a derived `Deserialize` (the fast tier) and a [`Lenient`] (the
//! slow tier), plus `KEYS`, by which the drift report knows what is known.
//! Fields stand in order of frequency: the derived code compares keys one after
//! the other.

use crate::value::{Lenient, Place};

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
        #[serde(bound(deserialize = $bound))]
        $vis struct $name<$($lifetime)?> {
            $($(#[$doc])* #[serde(rename = $key)] $vis $field: Option<$type>,)*
        }

        impl<$($lifetime)?> $name<$($lifetime)?> {
            /// The JSON keys this struct knows.
            $vis const KEYS: &'static [&'static str] = &[$($key),*];
        }

        impl<$read> $crate::value::Lenient<$read> for $name<$($lifetime)?> {
            const EXPECTED: &'static str = "an object";

            fn read(raw: &str, at: &mut $crate::value::Place<'_>) -> Option<Self> {
                let Ok(pairs) = $crate::json::pairs(raw) else {
                    at.wrong_type(Self::EXPECTED, raw);
                    return None;
                };
                let mut value = Self::default();
                let mut seen = Vec::new();
                for (key, raw) in &pairs {
                    match &**key {
                        $($key => {
                            $crate::fields::note_duplicate(&mut seen, $key, at);
                            value.$field = $crate::fields::read_field($key, raw, at);
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

/// Reads the value of one key; `null` is the same as no key.
pub(crate) fn read_field<'a, T: Lenient<'a>>(
    key: &str,
    raw: &str,
    at: &mut Place<'_>,
) -> Option<T> {
    if raw == "null" {
        return None;
    }
    at.within(key, |at| T::read(raw, at))
}

/// Remembers that `key` was met, and notes it if that is the second time.
pub(crate) fn note_duplicate(seen: &mut Vec<&'static str>, key: &'static str, at: &mut Place<'_>) {
    if seen.contains(&key) {
        let path = at.within(key, |at| Some(at.path.clone())).unwrap_or_default();
        at.note(crate::problem::Reason::DuplicateKey { path });
    } else {
        seen.push(key);
    }
}
