//! Numbers that keep their last digit when they are read.
//!
//! Without its option `float_roundtrip`, `serde_json` may change the last digit of a long
//! fraction. What is read here is written again as it was, so the standard library
//! reads these numbers from their text.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::value::RawValue;

/// A number or `null`, for `deserialize_with`.
pub(crate) fn optional<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<f64>, D::Error> {
    let text = Option::<Box<RawValue>>::deserialize(deserializer)?;
    text.map(|text| text.get().parse().map_err(D::Error::custom)).transpose()
}

#[cfg(test)]
mod tests {
    #[test]
    fn long_fractions_keep_their_last_digit() {
        for text in ["0.9905009458227297", "0.39663133860414396", "97.0", "1e300"] {
            let mut reader = serde_json::Deserializer::from_str(text);
            let number = super::optional(&mut reader).expect("a number");
            assert_eq!(number, Some(text.parse().expect("a number")), "{text}");
        }
        let mut reader = serde_json::Deserializer::from_str("null");
        assert_eq!(super::optional(&mut reader).expect("null"), None);
    }
}
