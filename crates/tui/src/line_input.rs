//! A line of text that a person edits.

use crate::event::{Event, Key, KeyCode};
use crate::text;

/// The longest line, in characters.
const LONGEST: usize = 2000;

/// A line with a cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineInput {
    characters: Vec<char>,
    cursor: usize,
}

impl LineInput {
    pub(crate) fn new(text: &str) -> LineInput {
        let mut line = LineInput::default();
        line.insert(text);
        line
    }

    pub(crate) fn text(&self) -> String {
        self.characters.iter().collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.characters.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        *self = LineInput::default();
    }

    /// Inserts text: line breaks and tabs become spaces, other control characters nothing.
    fn insert(&mut self, text: &str) {
        for character in text.trim_end_matches(['\n', '\r']).chars() {
            let character = if character.is_whitespace() { ' ' } else { character };
            if self.characters.len() < LONGEST && !render::untrusted::is_harmful(character) {
                self.characters.insert(self.cursor, character);
                self.cursor += 1;
            }
        }
    }

    /// Takes an event; whether it was for the line.
    pub(crate) fn handle(&mut self, event: &Event) -> bool {
        match event {
            Event::Paste(text) => {
                self.insert(text);
                true
            }
            Event::Key(key) => self.key(*key),
            _ => false,
        }
    }

    fn key(&mut self, key: Key) -> bool {
        if let Some(character) = key.typed() {
            self.insert(character.encode_utf8(&mut [0; 4]));
            return true;
        }
        let control = |letter| key == Key::control(letter);
        match key.code {
            KeyCode::Backspace if key.is_alt => self.delete_word(),
            KeyCode::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.characters.remove(self.cursor);
            }
            KeyCode::Delete if self.cursor < self.characters.len() => {
                self.characters.remove(self.cursor);
            }
            KeyCode::Backspace | KeyCode::Delete => {}
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.characters.len()),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.characters.len(),
            _ if control('a') => self.cursor = 0,
            _ if control('e') => self.cursor = self.characters.len(),
            _ if control('k') => self.characters.truncate(self.cursor),
            _ if control('u') => {
                self.characters.drain(..self.cursor);
                self.cursor = 0;
            }
            _ if control('w') => self.delete_word(),
            _ => return false,
        }
        true
    }

    fn delete_word(&mut self) {
        let before = &self.characters[..self.cursor];
        let end = before.iter().rposition(|c| *c != ' ').map_or(0, |place| place + 1);
        let start = before[..end].iter().rposition(|c| *c == ' ').map_or(0, |place| place + 1);
        self.characters.drain(start..self.cursor);
        self.cursor = start;
    }

    /// The part that fits into this number of columns around the cursor, and the cursor's column.
    pub(crate) fn visible(&self, columns: usize) -> (String, u16) {
        let width = |characters: &[char]| render::columns(&characters.iter().collect::<String>());
        let mut start = 0;
        while start < self.cursor && width(&self.characters[start..self.cursor]) >= columns.max(1) {
            start += 1;
        }
        let shown: String = self.characters[start..].iter().collect();
        let column = width(&self.characters[start..self.cursor]);
        (text::cut(&shown, columns), u16::try_from(column).unwrap_or(u16::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &str) -> LineInput {
        let mut line = LineInput::default();
        for key in keys.split(' ') {
            line.handle(&Event::Key(key.parse().unwrap()));
        }
        line
    }

    #[test]
    fn keys_edit_the_line() {
        let table = [
            ("a b left c", "acb"),
            ("a b backspace", "a"),
            ("a b home delete", "b"),
            ("a space b space ctrl-w", "a "),
            ("a b c left ctrl-k", "ab"),
            ("a b c left ctrl-u", "c"),
            ("backspace delete left ctrl-w x", "x"),
            ("a ctrl-a b ctrl-e c", "bac"),
        ];
        for (keys, expected) in table {
            assert_eq!(typed(keys).text(), expected, "{keys}");
        }
    }

    #[test]
    fn pasted_text_is_one_harmless_line() {
        let mut line = LineInput::new("x");
        line.handle(&Event::Paste("two\nlines\t\u{1b}[2J\u{202e}!\n".to_owned()));
        assert_eq!(line.text(), "xtwo lines [2J!");
    }

    #[test]
    fn the_cursor_stays_visible() {
        let line = LineInput::new("0123456789");
        assert_eq!(line.visible(20), ("0123456789".to_owned(), 10));
        assert_eq!(line.visible(5), ("6789".to_owned(), 4));
        assert_eq!(LineInput::new("日本語").visible(5), ("本語".to_owned(), 4));
    }
}
