//! Texts that occur again and again, kept once.

use std::collections::HashMap;

/// The number of a text. 0 stands for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(u32);

impl Name {
    /// No text at all.
    pub const NONE: Name = Name(0);

    /// Whether there is none.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The number itself.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// Texts by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<Box<str>>,
    numbers: HashMap<Box<str>, Name>,
    /// What was added last for each use.
    last: [Name; USES],
}

/// How many uses of texts are remembered.
const USES: usize = 16;

impl Names {
    /// The number of a text.
    pub fn add(&mut self, text: Option<&str>) -> Name {
        let Some(text) = text else { return Name::NONE };
        if let Some(name) = self.numbers.get(text) {
            return *name;
        }
        // More texts than that are not told apart any more; they would not fit
        // into memory either.
        let number = u32::try_from(self.texts.len() + 1).unwrap_or(u32::MAX);
        let name = Name(number);
        self.texts.push(text.into());
        self.numbers.insert(text.into(), name);
        name
    }

    /// The number of a text whose like is asked for line after line: mostly it
    /// is the same as for the line before.
    pub(crate) fn add_again(&mut self, usage: usize, text: Option<&str>) -> Name {
        if text.is_none() {
            return Name::NONE;
        }
        let last = self.last[usage % USES];
        if !last.is_none() && self.get(last) == text {
            return last;
        }
        let name = self.add(text);
        self.last[usage % USES] = name;
        name
    }

    /// The text of a number.
    pub fn get(&self, name: Name) -> Option<&str> {
        let place = usize::try_from(name.0).ok()?.checked_sub(1)?;
        self.texts.get(place).map(|text| &**text)
    }

    /// All of them, in the order of their numbers.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| &**text)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The numbers here of another's texts, by their numbers there.
    pub(crate) fn adopt(&mut self, other: &Names) -> Adopted {
        Adopted(other.texts.iter().map(|text| self.add(Some(text))).collect())
    }
}

/// What the numbers of one set of names are in another.
pub(crate) struct Adopted(Vec<Name>);

impl Adopted {
    pub(crate) fn get(&self, name: Name) -> Name {
        let place = usize::try_from(name.0).ok().and_then(|number| number.checked_sub(1));
        place.and_then(|place| self.0.get(place)).copied().unwrap_or(Name::NONE)
    }
}
