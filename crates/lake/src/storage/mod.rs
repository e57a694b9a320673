//! Object storage: [`ObjectBucket`] carries out the requests of [`Bucket`] on S3 and what
//! speaks its language, and in a folder that several people share.
//!
//! Everything that comes from there is hostile: the size of an object is compared with a
//! limit before memory is allocated for it, listings end at a limit, and the text of an
//! error is shortened. A request is repeated a few times and then fails.
//!
//! Deliberately not here: what names mean ([`crate::names`]) and what bytes mean
//! ([`crate::Manifest`], [`crate::Format`]).

mod credentials;
mod open;
#[cfg(test)]
pub(crate) mod tests;
mod url;

pub use credentials::{CredentialsCommand, CredentialsError, StorageVariables};
pub(crate) use open::trust_system;
pub use open::{OpenError, Patience, StorageOptions};
pub(crate) use url::is_loopback;
pub use url::{StorageUrl, UrlError};

use crate::bucket::{Bucket, BucketError, Created};
use futures_util::StreamExt as _;
use object_store::path::Path;
use object_store::{
    Error, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload, memory::InMemory,
};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

/// The largest manifest.
const MAX_MANIFEST_BYTES: u64 = 64 << 20;
/// The largest object of any kind. Segments are far smaller; a caller that knows the size
/// from a manifest asks with [`Bucket::get_at_most`].
const MAX_OBJECT_BYTES: u64 = 1 << 30;
/// The most names in one listing.
const MAX_NAMES: usize = 2_000_000;
/// The longest reason of an error, in characters. Servers send whole pages.
const MAX_REASON: usize = 500;
/// How often a request to create an object is made again after a conflict.
const MAX_CONFLICTS: u32 = 5;

/// A bucket, or a folder in one.
#[derive(Clone, Debug)]
pub struct ObjectBucket {
    store: Arc<dyn ObjectStore>,
    /// The folder, without a slash at its end. Empty: the whole bucket.
    prefix: String,
    /// How long a request may take, with all that is repeated.
    request_time: Duration,
}

impl ObjectBucket {
    /// A bucket in memory, for tests.
    pub fn in_memory() -> ObjectBucket {
        let request_time = Patience::default().request;
        ObjectBucket { store: Arc::new(InMemory::new()), prefix: String::new(), request_time }
    }

    /// Whether the storage keeps the versions of an object that were deleted or replaced.
    pub async fn has_versions(&self, name: &str) -> Result<bool, BucketError> {
        let work = async {
            let found = self.store.head(&self.path("get", name)?).await;
            let found = found.map_err(|error| failed("get", name, &reason(&error)))?;
            // Buckets that once had versions say `null`.
            Ok(found.version.is_some_and(|version| version != "null"))
        };
        self.in_time("get", name, work).await
    }

    fn path(&self, request: &'static str, name: &str) -> Result<Path, BucketError> {
        let name = name.strip_suffix('/').unwrap_or(name);
        let joined = match self.prefix.as_str() {
            "" => name.to_owned(),
            prefix if name.is_empty() => prefix.to_owned(),
            prefix => format!("{prefix}/{name}"),
        };
        Path::parse(joined).map_err(|error| failed(request, name, &error.to_string()))
    }

    /// The name of an object as the protocol knows it.
    fn name(&self, path: &Path) -> Option<String> {
        let path = path.as_ref();
        match self.prefix.as_str() {
            "" => Some(path.to_owned()),
            prefix => path.strip_prefix(prefix)?.strip_prefix('/').map(str::to_owned),
        }
    }

    async fn in_time<T>(
        &self,
        request: &'static str,
        name: &str,
        work: impl Future<Output = Result<T, BucketError>>,
    ) -> Result<T, BucketError> {
        let late = |_| {
            let seconds = self.request_time.as_secs_f32();
            failed(request, name, &format!("no complete answer within {seconds} seconds"))
        };
        tokio::time::timeout(self.request_time, work).await.map_err(late)?
    }

    async fn create_once(&self, path: &Path, payload: &PutPayload) -> Result<Outcome, Error> {
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        match self.store.put_opts(path, payload.clone(), options).await {
            Ok(_) => Ok(Outcome::Created(Created::New)),
            Err(Error::AlreadyExists { .. }) => match self.store.head(path).await {
                Ok(_) => Ok(Outcome::Created(Created::Exists)),
                // S3 also says this when another request for the same name was under way,
                // and that one may have been a deletion.
                Err(Error::NotFound { .. }) => Ok(Outcome::Conflict),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    async fn read(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, BucketError> {
        let fail = |reason: &str| failed("get", name, reason);
        let result = match self.store.get(&self.path("get", name)?).await {
            Ok(result) => result,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(fail(&reason(&error))),
        };
        let size = result.meta.size;
        if size > limit {
            let error = fail(&format!("{size} bytes, but at most {limit} are accepted"));
            return Err(BucketError { is_oversized: true, ..error });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        let mut chunks = result.into_stream();
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|error| fail(&reason(&error)))?;
            if (bytes.len() + chunk.len()) as u64 > size {
                return Err(fail("more bytes than announced"));
            }
            bytes.extend_from_slice(&chunk);
        }
        if bytes.len() as u64 != size {
            return Err(fail(&format!("ended after {} of {size} bytes", bytes.len())));
        }
        Ok(Some(bytes))
    }
}

/// What one request to create an object found.
enum Outcome {
    Created(Created),
    Conflict,
}

impl Bucket for ObjectBucket {
    async fn create(&self, name: &str, bytes: Vec<u8>) -> Result<Created, BucketError> {
        let work = async {
            let path = self.path("create", name)?;
            let payload = PutPayload::from(bytes);
            for attempt in 0..MAX_CONFLICTS {
                let outcome = self.create_once(&path, &payload).await;
                match outcome.map_err(|error| failed("create", name, &reason(&error)))? {
                    Outcome::Created(created) => return Ok(created),
                    Outcome::Conflict => {
                        tokio::time::sleep(Duration::from_millis(50 << attempt)).await;
                    }
                }
            }
            Err(failed("create", name, "other requests for this name were always faster"))
        };
        self.in_time("create", name, work).await
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, BucketError> {
        let is_manifest =
            std::path::Path::new(name).extension().is_some_and(|extension| extension == "json");
        let limit = if is_manifest { MAX_MANIFEST_BYTES } else { MAX_OBJECT_BYTES };
        self.get_at_most(name, limit).await
    }

    async fn get_at_most(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, BucketError> {
        self.in_time("get", name, self.read(name, limit)).await
    }

    async fn list(&self, prefix: &str, after: Option<&str>) -> Result<Vec<String>, BucketError> {
        let work = async {
            let path = self.path("list", prefix)?;
            let mut objects = match after {
                Some(after) => self.store.list_with_offset(Some(&path), &self.path("list", after)?),
                None => self.store.list(Some(&path)),
            };
            let mut names = Vec::new();
            while let Some(object) = objects.next().await {
                let object = object.map_err(|error| failed("list", prefix, &reason(&error)))?;
                let name = self.name(&object.location).filter(|name| name.starts_with(prefix));
                names.extend(name.filter(|name| after.is_none_or(|after| name.as_str() > after)));
                if names.len() > MAX_NAMES {
                    let reason = format!("more than {MAX_NAMES} objects");
                    return Err(failed("list", prefix, &reason));
                }
            }
            names.sort_unstable();
            Ok(names)
        };
        self.in_time("list", prefix, work).await
    }

    async fn folders(&self, prefix: &str) -> Result<Vec<String>, BucketError> {
        let work = async {
            let path = self.path("list", prefix)?;
            let listed = self.store.list_with_delimiter(Some(&path)).await;
            let listed = listed.map_err(|error| failed("list", prefix, &reason(&error)))?;
            let folder = |path: &Path| path.filename().map(str::to_owned);
            let mut folders: Vec<String> =
                listed.common_prefixes.iter().filter_map(folder).collect();
            folders.sort_unstable();
            Ok(folders)
        };
        self.in_time("list", prefix, work).await
    }

    async fn delete(&self, name: &str) -> Result<(), BucketError> {
        let work = async {
            match self.store.delete(&self.path("delete", name)?).await {
                Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
                Err(error) => Err(failed("delete", name, &reason(&error))),
            }
        };
        self.in_time("delete", name, work).await
    }
}

fn failed(request: &'static str, name: &str, reason: &str) -> BucketError {
    BucketError { request, name: name.to_owned(), reason: shortened(reason), is_oversized: false }
}

/// Why a request failed, beginning with what people can do something about.
fn reason(error: &Error) -> String {
    let (advice, source) = match error {
        Error::PermissionDenied { source, .. } => ("access denied: ", source),
        Error::Unauthenticated { source, .. } => ("invalid credentials: ", source),
        Error::Generic { source, .. } => ("", source),
        error => return error.to_string(),
    };
    let mut text = format!("{advice}{source}");
    // The client's own text often says only that something went wrong.
    let mut cause = source.source();
    while let Some(next) = cause {
        let shown = next.to_string();
        if !text.contains(&shown) {
            text += &format!(": {shown}");
        }
        cause = next.source();
    }
    text
}

fn shortened(reason: &str) -> String {
    match reason.char_indices().nth(MAX_REASON) {
        Some((end, _)) => format!("{}…", &reason[..end]),
        None => reason.to_owned(),
    }
}
