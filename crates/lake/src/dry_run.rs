//! A bucket that is read and not written.

use crate::bucket::{Bucket, BucketError, Created};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Reads another bucket and keeps what is written to itself, so that a push against it
/// shows exactly what would leave.
#[derive(Debug)]
pub struct DryRun<'a, B> {
    bucket: &'a B,
    created: RefCell<BTreeMap<String, Vec<u8>>>,
    deleted: RefCell<BTreeSet<String>>,
}

impl<'a, B> DryRun<'a, B> {
    /// Over a bucket.
    pub fn new(bucket: &'a B) -> Self {
        DryRun { bucket, created: RefCell::default(), deleted: RefCell::default() }
    }

    /// What would have been created and not deleted again, by name.
    pub fn into_created(self) -> BTreeMap<String, Vec<u8>> {
        self.created.into_inner()
    }
}

impl<B: Bucket> Bucket for DryRun<'_, B> {
    async fn create(&self, name: &str, bytes: Vec<u8>) -> Result<Created, BucketError> {
        if self.get(name).await?.is_some() {
            return Ok(Created::Exists);
        }
        self.created.borrow_mut().insert(name.to_owned(), bytes);
        Ok(Created::New)
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, BucketError> {
        if let Some(bytes) = self.created.borrow().get(name) {
            return Ok(Some(bytes.clone()));
        }
        if self.deleted.borrow().contains(name) {
            return Ok(None);
        }
        self.bucket.get(name).await
    }

    async fn list(&self, prefix: &str, after: Option<&str>) -> Result<Vec<String>, BucketError> {
        let mut names: BTreeSet<String> =
            self.bucket.list(prefix, after).await?.into_iter().collect();
        names.retain(|name| !self.deleted.borrow().contains(name));
        let created = self.created.borrow();
        let new = created.keys().filter(|name| name.starts_with(prefix));
        names.extend(new.filter(|name| after.is_none_or(|after| name.as_str() > after)).cloned());
        Ok(names.into_iter().collect())
    }

    async fn folders(&self, prefix: &str) -> Result<Vec<String>, BucketError> {
        let mut names: BTreeSet<String> = self.bucket.folders(prefix).await?.into_iter().collect();
        let created = self.created.borrow();
        let below = created.keys().filter_map(|name| name.strip_prefix(prefix));
        names.extend(below.filter_map(|rest| Some(rest.split_once('/')?.0.to_owned())));
        Ok(names.into_iter().collect())
    }

    async fn delete(&self, name: &str) -> Result<(), BucketError> {
        self.created.borrow_mut().remove(name);
        self.deleted.borrow_mut().insert(name.to_owned());
        Ok(())
    }
}
