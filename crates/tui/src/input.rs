//! Bytes of a terminal → keys, mouse, pasted text.
//!
//! A pure state machine that is fed with whatever a read returned. Answers of the terminal,
//! such as its background colour, are taken out here however late they come, so that they are
//! never keys. Unknown sequences are dropped.
//!
//! Deliberately not here: reading, and time. The caller says when nothing more came after an
//! escape byte ([`Input::flush`]).

use crate::event::{Event, Key, KeyCode, Mouse, MouseKind};

/// Where a paste begins and ends.
const PASTE_END: &[u8] = b"\x1b[201~";

/// The largest paste that is passed on, in bytes.
const LONGEST_PASTE: usize = 64 << 10;

/// The longest sequence: a longer one is not one.
const LONGEST_SEQUENCE: usize = 256;

/// What was decoded.
#[derive(Clone, Debug)]
pub(crate) enum Decoded {
    /// An event for the screens.
    Event(Event),
    /// The background colour that the terminal has, as it says it: `rgb:1111/2222/3333`.
    Background(String),
    /// The terminal's answer that ends every round of questions.
    Attributes,
}

/// The decoder.
#[derive(Debug, Default)]
pub(crate) struct Input {
    bytes: Vec<u8>,
    paste: Option<Vec<u8>>,
}

/// What the bytes at the front are.
enum Step {
    /// This number of bytes, which mean this.
    Took(usize, Option<Decoded>),
    /// The beginning of something.
    NeedsMore,
}

impl Input {
    /// Takes bytes and returns what they mean.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<Decoded> {
        self.bytes.extend_from_slice(bytes);
        self.decode(false)
    }

    /// Whether an escape byte waits for what follows.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.bytes.is_empty() && self.paste.is_none()
    }

    /// Nothing more came: a lone escape byte is the key.
    pub(crate) fn flush(&mut self) -> Vec<Decoded> {
        self.decode(true)
    }

    fn decode(&mut self, is_end: bool) -> Vec<Decoded> {
        let mut decoded = Vec::new();
        loop {
            if self.paste.is_some() && !self.paste_bytes(&mut decoded) {
                return decoded;
            }
            if self.bytes.is_empty() {
                return decoded;
            }
            if self.bytes.starts_with(b"\x1b[200~") {
                self.bytes.drain(..6);
                self.paste = Some(Vec::new());
                continue;
            }
            match step(&self.bytes) {
                Step::Took(count, found) => {
                    self.bytes.drain(..count);
                    decoded.extend(found);
                }
                Step::NeedsMore if is_end || self.bytes.len() > LONGEST_SEQUENCE => {
                    // An answer that was cut is still none of the keys.
                    let is_answer = matches!(self.bytes.get(1), Some(b']' | b'P' | b'_' | b'^'));
                    if self.bytes.len() == 1 || !is_answer {
                        decoded.push(key(KeyCode::Escape));
                        self.bytes.drain(..1);
                    } else if self.bytes.len() > LONGEST_SEQUENCE {
                        self.bytes.clear();
                    } else {
                        return decoded;
                    }
                }
                Step::NeedsMore => return decoded,
            }
        }
    }

    /// Moves bytes into the paste; whether it has ended.
    fn paste_bytes(&mut self, decoded: &mut Vec<Decoded>) -> bool {
        let Some(paste) = &mut self.paste else { return true };
        let end = self.bytes.windows(PASTE_END.len()).position(|part| part == PASTE_END);
        // The end may be cut between two reads.
        let safe = end.unwrap_or_else(|| self.bytes.len().saturating_sub(PASTE_END.len() - 1));
        let room = LONGEST_PASTE.saturating_sub(paste.len());
        paste.extend_from_slice(&self.bytes[..safe.min(room)]);
        self.bytes.drain(..safe + end.map_or(0, |_| PASTE_END.len()));
        if end.is_none() {
            return false;
        }
        let text = String::from_utf8_lossy(&self.paste.take().unwrap_or_default()).into_owned();
        decoded.push(Decoded::Event(Event::Paste(text)));
        true
    }
}

fn key(code: KeyCode) -> Decoded {
    Decoded::Event(Event::Key(Key::plain(code)))
}

/// The first thing that the bytes mean; they are not empty.
fn step(bytes: &[u8]) -> Step {
    match bytes {
        [0x1b] | [0x1b, b'O'] => Step::NeedsMore,
        [0x1b, b'[', ..] => control_sequence(bytes),
        [0x1b, b'O', letter, ..] => Step::Took(3, letter_key(*letter).map(key)),
        [0x1b, b']' | b'P' | b'_' | b'^', ..] => string_sequence(bytes),
        [0x1b, 0x1b, ..] => Step::Took(1, Some(key(KeyCode::Escape))),
        [0x1b, ..] => match step(&bytes[1..]) {
            Step::Took(count, Some(Decoded::Event(Event::Key(key)))) => {
                let key = Key { is_alt: true, ..key };
                Step::Took(count + 1, Some(Decoded::Event(Event::Key(key))))
            }
            Step::Took(count, other) => Step::Took(count + 1, other),
            Step::NeedsMore => Step::NeedsMore,
        },
        [byte, ..] if *byte < 0x20 || *byte == 0x7f => Step::Took(1, Some(control_byte(*byte))),
        _ => character(bytes),
    }
}

fn control_byte(byte: u8) -> Decoded {
    let code = match byte {
        b'\r' | b'\n' => KeyCode::Enter,
        b'\t' => KeyCode::Tab,
        0x08 | 0x7f => KeyCode::Backspace,
        0 => return Decoded::Event(Event::Key(Key::control(' '))),
        byte @ 1..=26 => {
            return Decoded::Event(Event::Key(Key::control(char::from(b'a' + byte - 1))));
        }
        byte => return Decoded::Event(Event::Key(Key::control(char::from(byte + 0x40)))),
    };
    key(code)
}

/// A character of UTF-8.
fn character(bytes: &[u8]) -> Step {
    let length = match bytes[0] {
        0..0x80 => 1,
        0xc2..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf5 => 4,
        _ => return Step::Took(1, None),
    };
    let Some(whole) = bytes.get(..length) else {
        let is_beginning = bytes[1..].iter().all(|byte| byte & 0xc0 == 0x80);
        return if is_beginning { Step::NeedsMore } else { Step::Took(1, None) };
    };
    let decoded = std::str::from_utf8(whole).ok().and_then(|text| text.chars().next());
    match decoded {
        Some(character) => Step::Took(length, Some(key(KeyCode::Char(character)))),
        None => Step::Took(1, None),
    }
}

/// `ESC [ parameters letter`.
fn control_sequence(bytes: &[u8]) -> Step {
    let body = &bytes[2..];
    let Some(end) = body.iter().position(|byte| !(0x20..=0x3f).contains(byte)) else {
        return Step::NeedsMore;
    };
    let (parameters, letter) = (&body[..end], body[end]);
    if !(0x40..=0x7e).contains(&letter) {
        // Nothing else may be inside one.
        return Step::Took(2 + end, None);
    }
    let took = end + 3;
    let text = std::str::from_utf8(parameters).unwrap_or_default();
    if let Some(mouse) = text.strip_prefix('<') {
        return Step::Took(took, mouse_event(mouse, letter));
    }
    if text.starts_with('?') {
        return Step::Took(took, (letter == b'c').then_some(Decoded::Attributes));
    }
    let mut numbers = text.split(';').map(|number| number.split(':').next().unwrap_or_default());
    let first: Option<u16> = numbers.next().and_then(|number| number.parse().ok());
    let modifiers: u16 = numbers.next().and_then(|number| number.parse().ok()).unwrap_or(1);
    let code = match letter {
        b'~' => match first {
            Some(1 | 7) => Some(KeyCode::Home),
            Some(2) => Some(KeyCode::Insert),
            Some(3) => Some(KeyCode::Delete),
            Some(4 | 8) => Some(KeyCode::End),
            Some(5) => Some(KeyCode::PageUp),
            Some(6) => Some(KeyCode::PageDown),
            Some(number @ 11..=15) => Some(KeyCode::Function(small(number - 10))),
            Some(number @ 17..=21) => Some(KeyCode::Function(small(number - 11))),
            Some(number @ 23..=24) => Some(KeyCode::Function(small(number - 12))),
            _ => None,
        },
        b'Z' => Some(KeyCode::BackTab),
        letter => letter_key(letter),
    };
    let held = modifiers.saturating_sub(1);
    let found = code.map(|code| {
        let key = Key { code, is_alt: held & 2 != 0, is_control: held & 4 != 0 };
        Decoded::Event(Event::Key(key))
    });
    Step::Took(took, found)
}

fn small(number: u16) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

fn letter_key(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'M' => KeyCode::Enter,
        b'P'..=b'S' => KeyCode::Function(letter - b'P' + 1),
        _ => return None,
    })
}

/// `button;column;row` of an SGR mouse report.
fn mouse_event(text: &str, letter: u8) -> Option<Decoded> {
    let mut numbers = text.split(';').map(str::parse::<u16>);
    let mut next = || numbers.next()?.ok();
    let (button, column, row) = (next()?, next()?, next()?);
    // Shift, Alt and Control do not change what a click means.
    let kind = match (button & !0b1_1100, letter) {
        (0, b'M') => MouseKind::Press,
        (0, b'm') => MouseKind::Release,
        (32, b'M') => MouseKind::Drag,
        (64, b'M') => MouseKind::WheelUp,
        (65, b'M') => MouseKind::WheelDown,
        _ => return None,
    };
    let mouse = Mouse { kind, column: column.saturating_sub(1), row: row.saturating_sub(1) };
    Some(Decoded::Event(Event::Mouse(mouse)))
}

/// `ESC ] … BEL`, or ending in `ESC \`.
fn string_sequence(bytes: &[u8]) -> Step {
    let end = bytes.iter().enumerate().skip(2).find_map(|(at, byte)| match byte {
        0x07 => Some((at, at + 1)),
        0x1b if bytes.get(at + 1) == Some(&b'\\') => Some((at, at + 2)),
        _ => None,
    });
    let Some((end, took)) = end else { return Step::NeedsMore };
    let text = String::from_utf8_lossy(&bytes[2..end]);
    let background = (bytes[1] == b']').then(|| text.strip_prefix("11;")).flatten();
    Step::Took(took, background.map(|color| Decoded::Background(color.to_owned())))
}

#[cfg(test)]
mod tests;
