//! Interned texts: each text is stored once and referred to by number.

use std::collections::{HashMap, HashSet};

/// The number of a text. 0 means no text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(u32);

impl Name {
    /// No text.
    pub const NONE: Name = Name(0);

    /// Whether there is no text.
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
    /// The last text of each kind.
    last: [Name; KINDS],
}

/// The number of kinds.
const KINDS: usize = 16;

impl Names {
    /// The number of a text, which is added if new.
    pub fn add(&mut self, text: Option<&str>) -> Name {
        let Some(text) = text else { return Name::NONE };
        if let Some(name) = self.numbers.get(text) {
            return *name;
        }
        // Beyond this, texts share a number; they would not fit into memory.
        let number = u32::try_from(self.texts.len() + 1).unwrap_or(u32::MAX);
        let name = Name(number);
        self.texts.push(text.into());
        self.numbers.insert(text.into(), name);
        name
    }

    /// The same, for a kind of text that every line has: it is mostly equal to that of
    /// the line before.
    pub(crate) fn add_cached(&mut self, kind: usize, text: Option<&str>) -> Name {
        if text.is_none() {
            return Name::NONE;
        }
        let last = self.last[kind % KINDS];
        if !last.is_none() && self.get(last) == text {
            return last;
        }
        let name = self.add(text);
        self.last[kind % KINDS] = name;
        name
    }

    /// The text of a number.
    pub fn get(&self, name: Name) -> Option<&str> {
        let place = usize::try_from(name.0).ok()?.checked_sub(1)?;
        self.texts.get(place).map(|text| &**text)
    }

    /// The names whose texts are chosen.
    pub fn choose(&self, mut is_chosen: impl FnMut(&str) -> bool) -> HashSet<Name> {
        let names = (1..).map(Name).zip(&self.texts);
        names.filter(|(_, text)| is_chosen(text)).map(|(name, _)| name).collect()
    }

    /// All texts, in the order of their numbers.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| &**text)
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Adds the texts of another set, and maps its numbers to those of this set.
    pub(crate) fn add_all(&mut self, other: &Names) -> NameMap {
        NameMap(other.texts.iter().map(|text| self.add(Some(text))).collect())
    }
}

/// Maps the numbers of one set of names to another.
pub(crate) struct NameMap(Vec<Name>);

impl NameMap {
    pub(crate) fn get(&self, name: Name) -> Name {
        let place = usize::try_from(name.0).ok().and_then(|number| number.checked_sub(1));
        place.and_then(|place| self.0.get(place)).copied().unwrap_or(Name::NONE)
    }
}
