//! The five requests that the protocol makes of object storage.
//!
//! Anything with create-if-absent and listings that show every finished request will
//! do: S3 and its relatives, Azure, Google, a shared folder.

use std::future::Future;

/// A request that failed.
#[derive(Debug, thiserror::Error)]
#[error("{request} {name}: {reason}")]
pub struct BucketError {
    /// What was asked for: `create`, `get`, `list`, `delete`.
    pub request: &'static str,
    /// The object or prefix.
    pub name: String,
    /// Why it failed.
    pub reason: String,
    /// Whether an object is at fault, not the storage: it is larger than it may be, or something
    /// else than an object or a folder lies there.
    pub is_fault_of_object: bool,
}

/// What became of a request to create an object.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Created {
    /// It was created.
    New,
    /// An object with this name exists. It may be ours, if an answer was lost.
    Exists,
}

/// Object storage.
pub trait Bucket {
    /// Creates an object, unless there is one with this name. Never replaces one.
    fn create(
        &self,
        name: &str,
        bytes: Vec<u8>,
    ) -> impl Future<Output = Result<Created, BucketError>>;

    /// The bytes of an object, if there is one.
    fn get(&self, name: &str) -> impl Future<Output = Result<Option<Vec<u8>>, BucketError>>;

    /// The same, refused if the object is larger than `limit`. Storage that knows sizes
    /// refuses before it reads.
    fn get_at_most(
        &self,
        name: &str,
        limit: u64,
    ) -> impl Future<Output = Result<Option<Vec<u8>>, BucketError>> {
        async move {
            let bytes = self.get(name).await?;
            match bytes.as_ref().map(|bytes| bytes.len() as u64).filter(|size| *size > limit) {
                Some(size) => Err(BucketError {
                    request: "get",
                    name: name.to_owned(),
                    reason: format!("{size} bytes, but at most {limit} are accepted"),
                    is_fault_of_object: true,
                }),
                None => Ok(bytes),
            }
        }
    }

    /// The names of all objects below a prefix that sort behind `after`, in order.
    fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
    ) -> impl Future<Output = Result<Vec<String>, BucketError>>;

    /// The names of the folders directly below a prefix, without slashes, in order.
    fn folders(&self, prefix: &str) -> impl Future<Output = Result<Vec<String>, BucketError>>;

    /// Deletes an object. One that does not exist is deleted already.
    fn delete(&self, name: &str) -> impl Future<Output = Result<(), BucketError>>;
}
