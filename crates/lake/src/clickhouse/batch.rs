//! Several objects of one table in one insert.
//!
//! Each insert makes a part on disk for every month and audience, which is merged later. Many small
//! inserts therefore cost more than few large ones. The rows of an insert are one block, so that what
//! a server keeps of it does not depend on the order in which it read the objects, and a
//! token for the whole insert is right: the same objects in the same attempt are written once.

use super::client::{EngineClient, EngineError, Form, Parameter};
use super::load::Wanted;
use super::schema;
use crate::names::{Audience, Month};
use std::collections::BTreeSet;

/// An insert has at most this many objects, unless it has only one.
const MAX_OBJECTS: usize = 100;
/// Their bytes.
const MAX_BYTES: u64 = 48 << 20;
/// The bytes of their values, which the server has in memory.
const MAX_VALUES: u64 = 256 << 20;
/// A server writes a part for each of these, and refuses too many at once.
const MAX_PARTITIONS: usize = 50;

/// An object that was fetched and checked.
#[derive(Debug)]
pub(super) struct ReadyObject<'w> {
    pub(super) object: &'w str,
    pub(super) wanted: Wanted<'w>,
    pub(super) bytes: Vec<u8>,
    /// The bytes of its values.
    pub(super) values: u64,
}

/// Objects of one table for one insert.
#[derive(Debug, Default)]
pub(super) struct Batch<'w> {
    objects: Vec<ReadyObject<'w>>,
    bytes: u64,
    values: u64,
    partitions: BTreeSet<(Month, Audience)>,
}

impl<'w> Batch<'w> {
    /// Whether one more object still fits. The first always does.
    pub(super) fn takes(&self, more: &ReadyObject<'_>) -> bool {
        let is_new = !self.partitions.contains(&partition(more));
        let partitions = self.partitions.len() + usize::from(is_new);
        self.objects.is_empty()
            || self.objects.len() < MAX_OBJECTS
                && self.bytes + more.bytes.len() as u64 <= MAX_BYTES
                && self.values.saturating_add(more.values) <= MAX_VALUES
                && partitions <= MAX_PARTITIONS
    }

    pub(super) fn push(&mut self, object: ReadyObject<'w>) {
        self.bytes += object.bytes.len() as u64;
        self.values = self.values.saturating_add(object.values);
        self.partitions.insert(partition(&object));
        self.objects.push(object);
    }

    pub(super) fn objects(&self) -> &[ReadyObject<'w>] {
        &self.objects
    }

    /// Each object alone.
    pub(super) fn split(self) -> impl Iterator<Item = Batch<'w>> {
        self.objects.into_iter().map(|object| {
            let mut alone = Batch::default();
            alone.push(object);
            alone
        })
    }

    /// Inserts the rows. Before and afterwards, the server notes which objects they are.
    pub(super) async fn insert(
        &self,
        shard: &EngineClient,
        attempt: &str,
    ) -> Result<(), EngineError> {
        let Some(first) = self.objects.first() else { return Ok(()) };
        self.note(shard, attempt, false).await?;
        let table = first.wanted.segment.name.table;
        let statement = schema::insert_statement(shard.url().database(), table, self.objects.len());
        let mut form = Form::new(&statement);
        for (number, ready) in self.objects.iter().enumerate() {
            let chain = ready.wanted.chain;
            let values = [
                ("audience", chain.audience.to_string()),
                ("owner", chain.owner.to_string()),
                ("installation", chain.installation.to_string()),
                ("object", ready.object.to_owned()),
                ("month", ready.wanted.segment.name.month.to_string()),
            ];
            for (name, value) in values {
                form.parameter(&format!("{name}_{number}"), &value);
            }
        }
        let structure = schema::structure(table);
        for (number, ready) in self.objects.iter().enumerate() {
            form.table(&schema::source(number), &structure, &ready.bytes);
        }
        shard.insert(form, &self.token(attempt)).await?;
        self.note(shard, attempt, true).await
    }

    /// Of these objects in this attempt: another set of objects is another insert.
    fn token(&self, attempt: &str) -> String {
        let mut names: Vec<&str> = self.objects.iter().map(|ready| ready.object).collect();
        names.sort_unstable();
        let digest = blake3::hash(names.join("\n").as_bytes()).to_hex();
        format!("{digest}#{attempt}")
    }

    async fn note(
        &self,
        shard: &EngineClient,
        attempt: &str,
        is_done: bool,
    ) -> Result<(), EngineError> {
        let statement = format!(
            "INSERT INTO {}.loads SELECT arrayJoin({{objects:Array(String)}}), {{attempt:String}}, {}",
            shard.url().database(),
            u8::from(is_done)
        );
        let parameters = [
            Parameter::texts("objects", self.objects.iter().map(|ready| ready.object)),
            Parameter::text("attempt", attempt),
        ];
        shard.bytes(&statement, &parameters).await.map(drop)
    }
}

fn partition(ready: &ReadyObject<'_>) -> (Month, Audience) {
    (ready.wanted.segment.name.month, ready.wanted.chain.audience.clone())
}

/// The name of an attempt.
pub(super) fn new_attempt() -> String {
    let mut bytes = [0; 8];
    // Without it two attempts have one token, which is what a second attempt has anyway.
    let _ = getrandom::fill(&mut bytes);
    u64::from_le_bytes(bytes).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Segment;
    use crate::names::{ChainName, ManifestNumber, SegmentName, Table};

    fn segment(month: &str, bytes: u64) -> Segment {
        let number = ManifestNumber::NONE.next().unwrap();
        let name = SegmentName::of(number, Table::Lines, month.parse().unwrap(), b"x");
        Segment { name, rows: 1, bytes }
    }

    fn ready<'w>(
        object: &'w str,
        chain: &'w ChainName,
        segment: &'w Segment,
        values: u64,
    ) -> ReadyObject<'w> {
        let wanted = Wanted { chain, segment };
        let bytes = vec![0; usize::try_from(segment.bytes).unwrap()];
        ReadyObject { object, wanted, bytes, values }
    }

    #[test]
    fn batch_ends_before_it_is_too_large_and_takes_any_first_object() {
        let chain = ChainName::of_prefix("v1/org/ada/i1/").unwrap();
        let small = segment("202611", 10);
        let mut batch = Batch::default();
        assert!(batch.takes(&ready("a", &chain, &small, 2 * MAX_VALUES)), "the first");
        batch.push(ready("a", &chain, &small, MAX_VALUES));
        assert!(!batch.takes(&ready("b", &chain, &small, 1)), "values");
        let mut batch = Batch::default();
        for _ in 0..MAX_OBJECTS {
            assert!(batch.takes(&ready("a", &chain, &small, 1)));
            batch.push(ready("a", &chain, &small, 1));
        }
        assert!(!batch.takes(&ready("b", &chain, &small, 1)), "objects");
        let months: Vec<Segment> =
            (0..=MAX_PARTITIONS).map(|year| segment(&format!("{}01", 1970 + year), 1)).collect();
        let mut batch = Batch::default();
        for month in &months[..MAX_PARTITIONS] {
            batch.push(ready("a", &chain, month, 1));
        }
        assert!(!batch.takes(&ready("b", &chain, &months[MAX_PARTITIONS], 1)), "months");
        assert!(batch.takes(&ready("b", &chain, &months[0], 1)), "a month it has");
    }

    #[test]
    fn token_is_that_of_a_set_of_objects_and_an_attempt() {
        let chain = ChainName::of_prefix("v1/org/ada/i1/").unwrap();
        let small = segment("202611", 10);
        let token = |names: &[&str], attempt: &str| {
            let mut batch = Batch::default();
            for name in names {
                batch.push(ready(name, &chain, &small, 1));
            }
            batch.token(attempt)
        };
        assert_eq!(token(&["a", "b"], "1"), token(&["b", "a"], "1"));
        assert_ne!(token(&["a", "b"], "1"), token(&["a", "b"], "2"));
        assert_ne!(token(&["a", "b"], "1"), token(&["a"], "1"));
    }
}
