//! The values that were masked somewhere in a session, so that they are masked everywhere
//! in it: a rule finds a password by what stands around it, and the next copy stands alone.
//!
//! Only values that are random by the rules' own tests count: masking each `error` because a
//! page says `password: error` would destroy the text. They are kept as keyed digests with
//! their lengths, never as text, so that they can be stored and merged. One pass of a
//! rolling hash over the first [`SHORTEST`] bytes of every position finds the places that
//! are worth a digest; without values there is no pass.
//!
//! Deliberately not here: which texts belong to a session.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::escapes::DecodedText;
use crate::value_forms::{forms, is_value, readings, without_backslashes};
use crate::{Redactor, Report, invisible, json};

/// The kind of a value that only another place of its session shows to be a secret.
pub(crate) const REPEATED: &str = "repeated-secret";

/// The shortest value, which is also how much of each value the rolling hash covers.
pub(crate) const SHORTEST: usize = 10;

/// How far a byte was rotated when it leaves the rolling hash.
const ROLLED: u32 = 9;
const _: () = assert!(SHORTEST == ROLLED as usize + 1);

/// The longest value: longer ones are whole files, whose lines are values.
pub(crate) const LONGEST: usize = 1024;

/// Bits of the rolling hash that choose a bit of the filter.
const FILTER_BITS: u32 = 16;

/// Bits of the rolling hash that are kept with a value.
const START_BITS: u32 = 24;

/// How many bytes a packed value has.
const PACKED: usize = 2 + 3 + DIGEST;
const DIGEST: usize = 16;

/// The key of digests. Without it they reveal nothing but lengths.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ValueKey([u8; 32]);

impl ValueKey {
    /// A key of random bytes.
    pub fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// What distinguishes packed values of this key from those of another.
    fn mark(&self) -> [u8; 8] {
        let hash = blake3::keyed_hash(&self.0, b"mark");
        hash.as_bytes().first_chunk().copied().unwrap_or_default()
    }
}

impl fmt::Debug for ValueKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ValueKey")
    }
}

/// A masked value, without its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Value {
    /// Bits of the rolling hash of its first bytes.
    start: u32,
    length: u16,
    digest: [u8; DIGEST],
}

/// The values that were masked in the texts of a session.
#[derive(Clone)]
pub struct SessionValues {
    key: ValueKey,
    /// By the rolling hash of their first bytes.
    values: BTreeSet<Value>,
    matcher: Option<Arc<Matcher>>,
}

impl fmt::Debug for SessionValues {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SessionValues")
            .field("count", &self.values.len())
            .finish_non_exhaustive()
    }
}

impl PartialEq for SessionValues {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.values == other.values
    }
}

impl Eq for SessionValues {}

impl SessionValues {
    /// No values yet.
    pub fn new(key: ValueKey) -> Self {
        Self { key, values: BTreeSet::new(), matcher: None }
    }

    /// Removes all values.
    pub fn clear(&mut self) {
        self.values.clear();
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Adds the values of other texts of the session; says whether any was new.
    pub fn merge(&mut self, other: &Self) -> bool {
        let before = self.values.len();
        if self.key == other.key {
            self.values.extend(&other.values);
        }
        self.values.len() > before
    }

    /// The values as bytes, for [`SessionValues::unpack`].
    pub fn pack(&self) -> Vec<u8> {
        let mut packed = self.key.mark().to_vec();
        for value in &self.values {
            packed.extend(value.length.to_le_bytes());
            packed.extend(&value.start.to_le_bytes()[..3]);
            packed.extend(value.digest);
        }
        packed
    }

    /// Reads packed values; `None` if they have another key or are not values.
    pub fn unpack(key: ValueKey, packed: &[u8]) -> Option<Self> {
        let (mark, rest) = packed.split_first_chunk()?;
        let (values, rest) = rest.as_chunks::<PACKED>();
        if *mark != key.mark() || !rest.is_empty() {
            return None;
        }
        let values = values.iter().map(|value| {
            let [low, high, first, second, third, digest @ ..] = *value;
            let length = u16::from_le_bytes([low, high]);
            Value { start: u32::from_le_bytes([first, second, third, 0]), length, digest }
        });
        Some(Self { key, values: values.collect(), matcher: None })
    }

    /// Distinguishes these values from others, without revealing them.
    pub fn fingerprint(&self) -> [u8; DIGEST] {
        short(&blake3::keyed_hash(&self.key.0, &self.pack()))
    }

    /// Adds the values of a masked text: the text itself, or the parts between its blanks, as
    /// they are written and without the backslashes that escape them there.
    fn note(&mut self, masked: &str) {
        self.note_parts(masked);
        for text in without_backslashes(masked) {
            self.note_parts(&text.text);
        }
    }

    fn note_parts(&mut self, text: &str) {
        for part in text.split_whitespace() {
            for value in readings(part) {
                if is_value(value) {
                    self.add_forms(value);
                }
            }
        }
    }

    fn add_forms(&mut self, value: &str) {
        for form in forms(value) {
            self.add(&form);
        }
    }

    fn add(&mut self, value: &str) {
        let Ok(length) = u16::try_from(value.len()) else { return };
        let rolls = Rolls::of(self.key);
        let Some(start) = rolls.each(value.as_bytes()).next() else { return };
        let digest = digest_of(self.key, value.as_bytes());
        self.values.insert(Value { start: start >> (32 - START_BITS), length, digest });
    }
}

fn short(hash: &blake3::Hash) -> [u8; DIGEST] {
    hash.as_bytes().first_chunk().copied().unwrap_or_default()
}

fn digest_of(key: ValueKey, value: &[u8]) -> [u8; DIGEST] {
    short(&blake3::keyed_hash(&key.0, value))
}

/// Rolling hashes, keyed by the numbers they give to bytes.
struct Rolls([u32; 256]);

impl Rolls {
    fn of(key: ValueKey) -> Self {
        let mut bytes = [0; 1024];
        blake3::Hasher::new_keyed(&key.0).update(b"rolling hash").finalize_xof().fill(&mut bytes);
        let (numbers, _) = bytes.as_chunks::<4>();
        let mut rolls = [0; 256];
        for (roll, number) in rolls.iter_mut().zip(numbers) {
            *roll = u32::from_le_bytes(*number);
        }
        Self(rolls)
    }

    /// The hashes of the bytes from each position on.
    fn each<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = u32> + 't {
        let number = |byte: &u8| self.0[usize::from(*byte)];
        let (first, rest) = text.split_at(text.len().min(SHORTEST - 1));
        let mut hash = first.iter().fold(0, |hash: u32, byte| hash.rotate_left(1) ^ number(byte));
        rest.iter().zip(text).map(move |(last, first)| {
            let whole = hash.rotate_left(1) ^ number(last);
            hash = whole ^ number(first).rotate_left(ROLLED);
            whole
        })
    }
}

/// Finds values in texts.
struct Matcher {
    rolls: Rolls,
    filter: Box<[u64; 1 << (FILTER_BITS - 6)]>,
}

impl Matcher {
    fn new(values: &SessionValues) -> Self {
        let mut filter = Box::new([0; 1 << (FILTER_BITS - 6)]);
        for value in &values.values {
            let (word, bit) = Self::place(value.start << (32 - START_BITS));
            filter[word] |= bit;
        }
        Self { rolls: Rolls::of(values.key), filter }
    }

    fn place(roll: u32) -> (usize, u64) {
        let bits = (roll >> (32 - FILTER_BITS)) as usize;
        (bits >> 6, 1 << (bits & 63))
    }
}

impl SessionValues {
    /// Makes these values searchable.
    pub(crate) fn searchable(self) -> Arc<Self> {
        let matcher = Some(Arc::new(Matcher::new(&self)));
        Arc::new(Self { matcher, ..self })
    }

    /// Those of these values that stand in a text, in all their forms.
    pub(crate) fn found_in(&self, text: &str) -> Self {
        let mut found = Self::new(self.key);
        for place in self.find(text) {
            found.add_forms(&text[place]);
        }
        found
    }

    /// Where values stand in a text, also with backslashes in them.
    pub(crate) fn find(&self, text: &str) -> Vec<Range<usize>> {
        let Some(matcher) = &self.matcher else { return Vec::new() };
        let mut found = self.find_plain(matcher, text);
        let mut views: Vec<DecodedText> = Vec::new();
        for view in without_backslashes(text) {
            let in_view = self.find_plain(matcher, &view.text);
            views.push(view);
            let source =
                |range| views.iter().rev().fold(range, |range, view| view.source_range(range));
            found.extend(in_view.into_iter().map(source));
        }
        found
    }

    /// Where values stand in a text as they are, from left to right; of several at one place,
    /// the longest.
    fn find_plain(&self, matcher: &Matcher, text: &str) -> Vec<Range<usize>> {
        let bytes = text.as_bytes();
        let mut found = Vec::new();
        let mut done = 0;
        for (at, roll) in matcher.rolls.each(bytes).enumerate() {
            let (word, bit) = Matcher::place(roll);
            if at < done || matcher.filter[word] & bit == 0 {
                continue;
            }
            if let Some(end) = self.find_end(bytes, at, roll >> (32 - START_BITS)) {
                found.push(at..end);
                done = end;
            }
        }
        found
    }

    /// The end of the longest value at a position.
    fn find_end(&self, bytes: &[u8], at: usize, start: u32) -> Option<usize> {
        let first = Value { start, length: 0, digest: [0; DIGEST] };
        let mut end = None;
        for value in self.values.range(first..).take_while(|value| value.start == start) {
            let text = bytes.get(at..at + usize::from(value.length));
            if text.is_some_and(|text| digest_of(self.key, text) == value.digest) {
                // Values with the same start are ordered by length.
                end = Some(at + usize::from(value.length));
            }
        }
        end
    }
}

impl Redactor {
    /// The redactor for the texts of one session: it also masks the values that were masked
    /// anywhere in the session. Cheap, and what readers of sessions have to use.
    #[must_use]
    pub fn for_session(&self, values: &SessionValues) -> Redactor {
        let mut redactor = self.clone();
        redactor.values = (!values.is_empty()).then(|| values.clone().searchable());
        redactor.masks_name_values = false;
        redactor
    }

    /// Distinguishes the values of its session; `None` if there are none.
    pub fn values_fingerprint(&self) -> Option<[u8; DIGEST]> {
        self.values.as_ref().map(|values| values.fingerprint())
    }

    /// How many values of its session it masks.
    pub fn value_count(&self) -> usize {
        self.values.as_ref().map_or(0, |values| values.len())
    }

    /// Whether a text has values that were masked elsewhere in its session.
    pub fn has_values(&self, text: &str) -> bool {
        self.values.is_some() && self.find(text).iter().any(|span| span.rule == REPEATED)
    }

    /// Adds the values that are masked in a text.
    pub fn note_values(&self, text: &str, values: &mut SessionValues) {
        let mut note = |masked: &str| values.note(&invisible::strip(masked));
        self.mask_noting(text, &mut Report::default(), &mut note);
    }

    /// Adds the values that are masked in JSON by [`Redactor::mask_json`].
    pub fn note_json_values(&self, text: &str, values: &mut SessionValues) {
        let mut note = |masked: &str| values.note(&invisible::strip(masked));
        json::mask_noting(self, text, &mut Report::default(), &mut note);
    }
}

#[cfg(test)]
mod tests;
