//! Names that no part of the lake writes and that can harm who lists them.
//!
//! Objects of other programs are ignored. A name with a control character is none of theirs: some
//! storage refuses whole listings because of it. It is named, and the rest counts.

use crate::bucket::{Bucket, BucketError, Created};
use crate::reading::UnusableObject;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// A lake without strange names, which are noted.
#[derive(Debug)]
pub(crate) struct WithoutStrangeNames<'a, B> {
    bucket: &'a B,
    strange: RefCell<BTreeSet<String>>,
}

impl<'a, B: Bucket> WithoutStrangeNames<'a, B> {
    pub(crate) fn new(bucket: &'a B) -> Self {
        WithoutStrangeNames { bucket, strange: RefCell::default() }
    }

    /// The strange names that were listed.
    pub(crate) fn unusable(&self) -> impl Iterator<Item = UnusableObject> {
        self.strange.take().into_iter().map(|name| UnusableObject {
            name: name.escape_debug().to_string(),
            reason: "its name is none of the lake's".to_owned(),
        })
    }

    fn usual(&self, prefix: &str, names: Vec<String>) -> Vec<String> {
        let is_strange = |name: &str| {
            name.contains(|letter: char| {
                letter.is_control() || letter == char::REPLACEMENT_CHARACTER
            })
        };
        let (strange, usual): (Vec<String>, Vec<String>) =
            names.into_iter().partition(|name| is_strange(name));
        let whole = |name: String| {
            if name.starts_with(prefix) { name } else { format!("{prefix}{name}/") }
        };
        self.strange.borrow_mut().extend(strange.into_iter().map(whole));
        usual
    }
}

impl<B: Bucket> Bucket for WithoutStrangeNames<'_, B> {
    async fn create(&self, name: &str, bytes: Vec<u8>) -> Result<Created, BucketError> {
        self.bucket.create(name, bytes).await
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, BucketError> {
        self.bucket.get(name).await
    }

    async fn get_at_most(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, BucketError> {
        self.bucket.get_at_most(name, limit).await
    }

    async fn list(&self, prefix: &str, after: Option<&str>) -> Result<Vec<String>, BucketError> {
        Ok(self.usual(prefix, self.bucket.list(prefix, after).await?))
    }

    async fn folders(&self, prefix: &str) -> Result<Vec<String>, BucketError> {
        Ok(self.usual(prefix, self.bucket.folders(prefix).await?))
    }

    async fn delete(&self, name: &str) -> Result<(), BucketError> {
        self.bucket.delete(name).await
    }
}
