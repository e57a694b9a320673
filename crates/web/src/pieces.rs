//! Large documents in pieces, so that no answer is larger than a page can take at once.
//!
//! A document that is too large is divided at the elements of its lists: each piece has all
//! other members, and the next elements. The lists of all pieces, one after the other, are
//! those of the document. `X-Next-Piece` names the next piece; its name contains the digest of
//! the whole, so that pieces of different states are never put together.
//!
//! Deliberately not here: which documents are kept between pieces (`answer_cache`).

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The largest document that is sent whole, and the size of a piece, in bytes.
pub(crate) const PIECE_BYTES: usize = 96_000;

/// The name of a piece: which document, and how many elements come before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PieceName {
    pub(crate) tag: String,
    pub(crate) first: usize,
}

impl PieceName {
    pub(crate) fn parse(text: &str) -> Option<PieceName> {
        let (tag, first) = text.split_once('.')?;
        let is_tag = !tag.is_empty() && tag.bytes().all(|byte| byte.is_ascii_hexdigit());
        Some(PieceName { tag: is_tag.then(|| tag.to_owned())?, first: first.parse().ok()? })
    }
}

impl fmt::Display for PieceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.tag, self.first)
    }
}

/// The members of a document, in order.
struct Members<'d>(Vec<(String, &'d RawValue)>);

impl<'d> Members<'d> {
    fn of(document: &'d str) -> Option<Members<'d>> {
        struct InOrder;
        impl<'d> Visitor<'d> for InOrder {
            type Value = Vec<(String, &'d RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'d>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }
        let mut document = serde_json::Deserializer::from_str(document);
        document.deserialize_map(InOrder).ok().map(Members)
    }
}

/// The piece of a document that begins with the element `first`, counted over all its
/// lists, and the number of the element after it, if there is one. `None` if the document
/// cannot be divided. A piece has at least one element, however large that is.
pub(crate) fn piece(document: &str, first: usize) -> Option<(String, Option<usize>)> {
    let members = Members::of(document)?.0;
    let mut lists: Vec<Option<Vec<&RawValue>>> = Vec::with_capacity(members.len());
    let mut size = 2;
    for (name, value) in &members {
        let list = value.get().starts_with('[').then(|| serde_json::from_str(value.get()).ok());
        let list = list.flatten();
        size += name.len() + 4 + if list.is_some() { 2 } else { value.get().len() };
        lists.push(list);
    }
    let mut place = 0;
    let mut next = None;
    let mut text = String::with_capacity(PIECE_BYTES + 1024);
    text.push('{');
    for (number, ((name, value), list)) in members.iter().zip(&lists).enumerate() {
        if number > 0 {
            text.push(',');
        }
        text += &serde_json::to_string(name).ok()?;
        text.push(':');
        let Some(list) = list else {
            text += value.get();
            continue;
        };
        text.push('[');
        let mut is_first = true;
        for element in list {
            let is_wanted = place >= first && next.is_none();
            if is_wanted && place > first && size + element.get().len() + 1 > PIECE_BYTES {
                next = Some(place);
            } else if is_wanted {
                if !is_first {
                    text.push(',');
                }
                is_first = false;
                text += element.get();
                size += element.get().len() + 1;
            }
            place += 1;
        }
        text.push(']');
    }
    text.push('}');
    (first == 0 || first < place).then_some((text, next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn together(document: &str) -> (Value, Vec<usize>) {
        let (mut whole, mut sizes, mut first) = (Value::Null, Vec::new(), Some(0));
        while let Some(at) = first {
            let (text, next) = piece(document, at).expect("a piece");
            sizes.push(text.len());
            let part: Value = serde_json::from_str(&text).unwrap();
            if at == 0 {
                whole = part;
            } else {
                for (name, value) in part.as_object().unwrap() {
                    match value {
                        Value::Array(own) => {
                            whole[name].as_array_mut().unwrap().extend(own.iter().cloned());
                        }
                        value => assert_eq!(whole[name], *value, "other members are repeated"),
                    }
                }
            }
            first = next;
        }
        (whole, sizes)
    }

    #[test]
    fn pieces_together_are_the_document_and_each_is_small() {
        let row = |number: usize| json!({"number": number, "text": "é\"[,]{}".repeat(40)});
        let document = json!({
            "schema": "annals/x/1",
            "turns": (0..700).map(row).collect::<Vec<_>>(),
            "total": {"list": [1, 2]},
            "empty": [],
            "agents": (0..300).map(row).collect::<Vec<_>>(),
        });
        let (whole, sizes) = together(&document.to_string());
        assert_eq!(whole, document);
        assert!(sizes.len() > 3, "{sizes:?}");
        assert!(sizes.iter().all(|size| *size <= PIECE_BYTES), "{sizes:?}");
    }

    #[test]
    fn members_keep_their_order_and_small_documents_are_one_piece() {
        let document = r#"{"schema":"x","b":[1,2],"a":{"z":1,"y":[3]},"c":null}"#;
        assert_eq!(piece(document, 0), Some((document.to_owned(), None)));
        let last = r#"{"schema":"x","b":[2],"a":{"z":1,"y":[3]},"c":null}"#;
        assert_eq!(piece(document, 1), Some((last.to_owned(), None)));
        assert_eq!(piece(document, 2), None, "beyond the end");
        for document in ["", "[]", "{\"a\":", "7"] {
            assert_eq!(piece(document, 0), None, "{document}");
        }
    }

    #[test]
    fn an_element_that_is_too_large_is_alone_in_its_piece() {
        let large = "x".repeat(2 * PIECE_BYTES);
        let (whole, sizes) = together(&json!({"rows": ["a", large, "b"]}).to_string());
        assert_eq!(whole["rows"].as_array().map(Vec::len), Some(3));
        assert_eq!(sizes.len(), 3);
    }

    #[test]
    fn names_of_pieces_are_read_back() {
        let name = PieceName { tag: "0af1".to_owned(), first: 700 };
        assert_eq!(PieceName::parse(&name.to_string()), Some(name));
        for text in ["", "7", ".7", "xyz.7", "0af1.", "0af1.-1", "0af1.7.8"] {
            assert_eq!(PieceName::parse(text), None, "{text}");
        }
    }
}
