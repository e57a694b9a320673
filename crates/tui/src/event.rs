//! Events: keys, pasted text, the mouse, the terminal's size, and answers of the worker.
//!
//! Deliberately not here: how bytes become events (`input.rs`), and what a key means
//! (`keymap.rs`).

use crate::overlay::Goto;
use crate::worker::Answer;
use std::fmt;
use std::str::FromStr;

/// Something that a screen reacts to.
#[derive(Clone, Debug)]
pub enum Event {
    /// A key.
    Key(Key),
    /// Pasted text, as the terminal passed it on.
    Paste(String),
    /// The mouse.
    Mouse(Mouse),
    /// The terminal has another size; the area comes with the view.
    Resize,
    /// An answer of the worker; stale ones never arrive.
    Answer(Answer),
    /// Something was chosen in a window over a session.
    Goto(Goto),
}

/// A key with its modifiers. Shift is part of a letter: `R`, not Shift-r.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The key.
    pub code: KeyCode,
    /// Whether Control is held.
    pub is_control: bool,
    /// Whether Alt is held.
    pub is_alt: bool,
}

/// A key without its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum KeyCode {
    Char(char),
    Enter,
    Escape,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Insert,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    Function(u8),
}

/// The names of keys in the configuration, and in hints.
const NAMES: &[(&str, KeyCode, &str)] = &[
    ("enter", KeyCode::Enter, "↵"),
    ("esc", KeyCode::Escape, "esc"),
    ("tab", KeyCode::Tab, "tab"),
    ("backtab", KeyCode::BackTab, "⇧tab"),
    ("backspace", KeyCode::Backspace, "⌫"),
    ("delete", KeyCode::Delete, "del"),
    ("insert", KeyCode::Insert, "ins"),
    ("up", KeyCode::Up, "↑"),
    ("down", KeyCode::Down, "↓"),
    ("left", KeyCode::Left, "←"),
    ("right", KeyCode::Right, "→"),
    ("home", KeyCode::Home, "home"),
    ("end", KeyCode::End, "end"),
    ("pageup", KeyCode::PageUp, "pgup"),
    ("pagedown", KeyCode::PageDown, "pgdn"),
    ("space", KeyCode::Char(' '), "space"),
];

impl Key {
    /// A key without modifiers.
    pub const fn plain(code: KeyCode) -> Key {
        Key { code, is_control: false, is_alt: false }
    }

    /// A character without modifiers.
    pub const fn char(character: char) -> Key {
        Key::plain(KeyCode::Char(character))
    }

    /// A character with Control.
    pub const fn control(character: char) -> Key {
        Key { code: KeyCode::Char(character), is_control: true, is_alt: false }
    }

    /// The character that the key types into a text.
    pub fn typed(self) -> Option<char> {
        match self {
            Key { code: KeyCode::Char(character), is_control: false, is_alt: false } => {
                Some(character)
            }
            _ => None,
        }
    }
}

/// As hints show it: `^R`, `↵`, `space`.
impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_alt {
            formatter.write_str("M-")?;
        }
        if self.is_control {
            formatter.write_str("^")?;
        }
        if let Some((.., label)) = NAMES.iter().find(|(_, code, _)| *code == self.code) {
            return formatter.write_str(label);
        }
        match self.code {
            KeyCode::Char(character) if self.is_control => {
                write!(formatter, "{}", character.to_ascii_uppercase())
            }
            KeyCode::Char(character) => write!(formatter, "{character}"),
            KeyCode::Function(number) => write!(formatter, "F{number}"),
            _ => Ok(()),
        }
    }
}

/// A name that is not one of a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid key {0:?}: use a character, `ctrl-x`, `alt-x`, `f2`, `enter`, `space`, `up` …")]
pub struct InvalidKey(String);

/// As the configuration writes it: `r`, `R`, `ctrl-r`, `alt-x`, `f2`, `enter`.
impl FromStr for Key {
    type Err = InvalidKey;

    fn from_str(name: &str) -> Result<Self, InvalidKey> {
        let invalid = || InvalidKey(name.to_owned());
        let (mut is_control, mut is_alt) = (false, false);
        let mut rest = name;
        loop {
            if let Some(after) = rest.strip_prefix("ctrl-").filter(|after| !after.is_empty()) {
                (is_control, rest) = (true, after);
            } else if let Some(after) = rest.strip_prefix("alt-").filter(|after| !after.is_empty())
            {
                (is_alt, rest) = (true, after);
            } else {
                break;
            }
        }
        let mut characters = rest.chars();
        let code = match (characters.next(), characters.next()) {
            (Some(single), None) if !single.is_control() => KeyCode::Char(single),
            _ => {
                let lower = rest.to_ascii_lowercase();
                let named = NAMES.iter().find(|(known, ..)| *known == lower);
                let number = lower.strip_prefix('f').and_then(|number| number.parse().ok());
                match (named, number) {
                    (Some((_, code, _)), _) => *code,
                    (None, Some(number @ 1..=12)) => KeyCode::Function(number),
                    (None, _) => return Err(invalid()),
                }
            }
        };
        let code = match code {
            // A terminal sends the same byte for both.
            KeyCode::Char(letter) if is_control => KeyCode::Char(letter.to_ascii_lowercase()),
            code => code,
        };
        Ok(Key { code, is_control, is_alt })
    }
}

/// What the mouse did, and where: columns and rows from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mouse {
    /// What it did.
    pub kind: MouseKind,
    /// The column.
    pub column: u16,
    /// The row.
    pub row: u16,
}

/// What the mouse did. Other buttons are left to the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseKind {
    /// The left button was pressed.
    Press,
    /// The mouse moved with the left button held.
    Drag,
    /// The left button was released.
    Release,
    /// The wheel turned up.
    WheelUp,
    /// The wheel turned down.
    WheelDown,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_keys_are_read_and_shown() {
        let table = [
            ("r", Key::char('r'), "r"),
            ("R", Key::char('R'), "R"),
            ("ctrl-r", Key::control('r'), "^R"),
            ("ctrl-R", Key::control('r'), "^R"),
            ("ctrl--", Key::control('-'), "^-"),
            ("-", Key::char('-'), "-"),
            ("f2", Key::plain(KeyCode::Function(2)), "F2"),
            ("f", Key::char('f'), "f"),
            ("enter", Key::plain(KeyCode::Enter), "↵"),
            ("space", Key::char(' '), "space"),
            ("ctrl-space", Key::control(' '), "^space"),
            ("PageUp", Key::plain(KeyCode::PageUp), "pgup"),
        ];
        for (name, key, label) in table {
            assert_eq!(name.parse(), Ok(key), "{name}");
            assert_eq!(key.to_string(), label, "{name}");
        }
        let alt = Key { is_alt: true, ..Key::char('x') };
        assert_eq!("alt-x".parse(), Ok(alt));
        assert_eq!(alt.to_string(), "M-x");
        for wrong in ["", "f13", "hyper-x", "ctrl-", "\u{1b}"] {
            assert!(wrong.parse::<Key>().is_err(), "{wrong:?}");
        }
    }
}
