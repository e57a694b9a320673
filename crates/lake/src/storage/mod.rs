//! Object storage: [`ObjectBucket`] carries out the requests of [`Bucket`] on S3 and what
//! speaks its language, and in a folder that several people share.
//!
//! Everything that comes from there is hostile: the size of an object is compared with a
//! limit before memory is allocated for it, listings end at a limit, and the text of an
//! error is shortened. A request is repeated a few times and then fails.
//!
//! Deliberately not here: what names mean ([`crate::names`]) and what bytes mean
//! ([`crate::Manifest`], [`crate::Format`]).

mod careful_listing;
mod credentials;
mod folder;
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
use bytes::Bytes;
use careful_listing::Listed;
use folder::{FolderError, SharedFolder};
use futures_util::StreamExt as _;
use object_store::client::{HttpError, HttpErrorKind};
use object_store::list::PaginatedListStore;
use object_store::path::Path;
use object_store::{
    Error, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload, memory::InMemory,
};
use std::fmt;
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
    storage: Storage,
    /// The folder, without a slash at its end. Empty: the whole bucket.
    prefix: String,
    patience: Patience,
}

/// Where the objects are.
#[derive(Clone, Debug)]
enum Storage {
    Folder(Arc<SharedFolder>),
    Server(Server),
}

/// A server, and its listings page by page if it has them.
#[derive(Clone)]
struct Server {
    store: Arc<dyn ObjectStore>,
    pages: Option<Arc<dyn PaginatedListStore>>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.store.fmt(f)
    }
}

impl From<Arc<dyn ObjectStore>> for Server {
    fn from(store: Arc<dyn ObjectStore>) -> Self {
        Server { store, pages: None }
    }
}

impl ObjectBucket {
    /// A bucket in memory, for tests.
    pub fn in_memory() -> ObjectBucket {
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let storage = Storage::Server(store.into());
        ObjectBucket { storage, prefix: String::new(), patience: Patience::default() }
    }

    /// Whether the storage keeps the versions of an object that were deleted or replaced.
    pub async fn has_versions(&self, name: &str) -> Result<bool, BucketError> {
        let work = async {
            let Storage::Server(Server { store, .. }) = &self.storage else { return Ok(false) };
            let found = store.head(&self.path("get", name)?).await;
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
    fn name(&self, path: &str) -> Option<String> {
        match self.prefix.as_str() {
            "" => Some(path.to_owned()),
            prefix => path.strip_prefix(prefix)?.strip_prefix('/').map(str::to_owned),
        }
    }

    /// The names of objects or folders on a server, with the prefix of this bucket.
    async fn listed(
        &self,
        server: &Server,
        path: &Path,
        after: Option<&Path>,
        listed: Listed,
    ) -> Result<Vec<String>, Error> {
        let found = self.repeated(async || listing(&server.store, path, after, listed).await);
        match (found.await, &server.pages) {
            (Err(error), Some(pages)) if careful_listing::has_unusable_name(&error) => {
                let prefix =
                    if path.as_ref().is_empty() { String::new() } else { format!("{path}/") };
                let after = after.map(Path::as_ref);
                let list = async || careful_listing::list(&**pages, &prefix, after, listed).await;
                self.repeated(list).await
            }
            (found, _) => found,
        }
    }

    /// Makes a request again whose answer was lost or cut off. The client itself repeats what the
    /// server did not begin, and what it refused for a moment. Every request here may be repeated:
    /// an object that exists may be ours.
    async fn repeated<T>(&self, request: impl AsyncFn() -> Result<T, Error>) -> Result<T, Error> {
        let mut repetitions = 0;
        loop {
            match request().await {
                Err(error) if repetitions < self.patience.retries && is_lost(&error) => {
                    repetitions += 1;
                    tokio::time::sleep(self.patience.pause).await;
                }
                result => return result,
            }
        }
    }

    async fn in_time<T>(
        &self,
        request: &'static str,
        name: &str,
        work: impl Future<Output = Result<T, BucketError>>,
    ) -> Result<T, BucketError> {
        let late = |_| {
            let seconds = self.patience.request.as_secs_f32();
            failed(request, name, &format!("no complete answer within {seconds} seconds"))
        };
        tokio::time::timeout(self.patience.request, work).await.map_err(late)?
    }

    /// `None` if there was an object with this name and it is gone.
    async fn create_once(&self, name: &str, bytes: &Bytes) -> Result<Option<Created>, BucketError> {
        let path = self.path("create", name)?;
        let store = match &self.storage {
            Storage::Server(Server { store, .. }) => store,
            Storage::Folder(folder) => {
                let bytes = bytes.clone();
                let create = move |folder: &SharedFolder| folder.create(path.as_ref(), &bytes);
                return in_folder(folder, "create", name, create).await;
            }
        };
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        let put =
            async || store.put_opts(&path, PutPayload::from(bytes.clone()), options.clone()).await;
        let created = match self.repeated(put).await {
            Ok(_) => Ok(Some(Created::New)),
            Err(Error::AlreadyExists { .. }) => match store.head(&path).await {
                Ok(_) => Ok(Some(Created::Exists)),
                // S3 also says this when another request for the same name was under way,
                // and that one may have been a deletion.
                Err(Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        };
        created.map_err(|error| failed("create", name, &reason(&error)))
    }

    async fn read(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, BucketError> {
        let fail = |reason: &str| failed("get", name, reason);
        let path = self.path("get", name)?;
        let store = match &self.storage {
            Storage::Server(Server { store, .. }) => store,
            Storage::Folder(folder) => {
                let read = move |folder: &SharedFolder| folder.read(path.as_ref(), limit);
                return in_folder(folder, "get", name, read).await;
            }
        };
        let result = match store.get(&path).await {
            Ok(result) => result,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(fail(&reason(&error))),
        };
        let size = result.meta.size;
        if size > limit {
            let error = fail(&too_large(size, limit));
            return Err(BucketError { is_fault_of_object: true, ..error });
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

/// A listing of a server as the client makes it.
async fn listing(
    store: &Arc<dyn ObjectStore>,
    path: &Path,
    after: Option<&Path>,
    listed: Listed,
) -> Result<Vec<String>, Error> {
    if listed == Listed::Folders {
        let found = store.list_with_delimiter(Some(path)).await?;
        return Ok(found.common_prefixes.iter().map(|folder| format!("{folder}/")).collect());
    }
    let mut objects = match after {
        Some(after) => store.list_with_offset(Some(path), after),
        None => store.list(Some(path)),
    };
    let mut names = Vec::new();
    while let Some(object) = objects.next().await {
        names.push(object?.location.to_string());
        if names.len() > MAX_NAMES {
            break;
        }
    }
    Ok(names)
}

/// Whether an answer was lost or cut off.
fn is_lost(error: &Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<HttpError>() {
            let kind = error.kind();
            return !matches!(kind, HttpErrorKind::Connect | HttpErrorKind::Timeout);
        }
        cause = error.source();
    }
    false
}

/// Carries out a request in a folder, on a thread that may wait for the disk.
async fn in_folder<T: Send + 'static>(
    folder: &Arc<SharedFolder>,
    request: &'static str,
    name: &str,
    work: impl FnOnce(&SharedFolder) -> Result<T, FolderError> + Send + 'static,
) -> Result<T, BucketError> {
    let folder = Arc::clone(folder);
    let done = tokio::task::spawn_blocking(move || work(&folder)).await;
    let done = done.map_err(|error| failed(request, name, &error.to_string()))?;
    done.map_err(|error| BucketError {
        is_fault_of_object: error.is_fault_of_object,
        ..failed(request, name, &error.reason)
    })
}

/// Why names are not listed. Too many that cannot be asked for are the fault of their writer.
fn unlisted(prefix: &str, error: &Error) -> BucketError {
    let is_fault_of_object = careful_listing::has_unusable_name(error);
    BucketError { is_fault_of_object, ..failed("list", prefix, &reason(error)) }
}

/// Why an object is not read.
fn too_large(size: u64, limit: u64) -> String {
    format!("{size} bytes, but at most {limit} are accepted")
}

impl Bucket for ObjectBucket {
    async fn create(&self, name: &str, bytes: Vec<u8>) -> Result<Created, BucketError> {
        let work = async {
            let bytes = Bytes::from(bytes);
            for attempt in 0..MAX_CONFLICTS {
                if let Some(created) = self.create_once(name, &bytes).await? {
                    return Ok(created);
                }
                tokio::time::sleep(Duration::from_millis(50 << attempt)).await;
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
            let mut names = match &self.storage {
                Storage::Folder(folder) => {
                    let list = move |folder: &SharedFolder| folder.list(path.as_ref(), MAX_NAMES);
                    in_folder(folder, "list", prefix, list).await?
                }
                Storage::Server(server) => {
                    let after = after.map(|after| self.path("list", after)).transpose()?;
                    let found = self.listed(server, &path, after.as_ref(), Listed::Objects).await;
                    let found = found.map_err(|error| unlisted(prefix, &error))?;
                    found.iter().filter_map(|path| self.name(path)).collect()
                }
            };
            if names.len() > MAX_NAMES {
                return Err(failed("list", prefix, &format!("more than {MAX_NAMES} objects")));
            }
            names.retain(|name| {
                name.starts_with(prefix) && after.is_none_or(|after| name.as_str() > after)
            });
            names.sort_unstable();
            Ok(names)
        };
        self.in_time("list", prefix, work).await
    }

    async fn folders(&self, prefix: &str) -> Result<Vec<String>, BucketError> {
        let work = async {
            let path = self.path("list", prefix)?;
            let mut folders: Vec<String> = match &self.storage {
                Storage::Folder(folder) => {
                    let folders = move |folder: &SharedFolder| folder.folders(path.as_ref());
                    in_folder(folder, "list", prefix, folders).await?
                }
                Storage::Server(server) => {
                    let found = self.listed(server, &path, None, Listed::Folders).await;
                    let found = found.map_err(|error| unlisted(prefix, &error))?;
                    let folder = |name: &String| {
                        let below = name.strip_prefix(path.as_ref()).unwrap_or(name);
                        below.trim_matches('/').to_owned()
                    };
                    found.iter().map(folder).collect()
                }
            };
            folders.sort_unstable();
            Ok(folders)
        };
        self.in_time("list", prefix, work).await
    }

    async fn delete(&self, name: &str) -> Result<(), BucketError> {
        let work = async {
            let path = self.path("delete", name)?;
            let store = match &self.storage {
                Storage::Server(Server { store, .. }) => store,
                Storage::Folder(folder) => {
                    let delete = move |folder: &SharedFolder| folder.delete(path.as_ref());
                    return in_folder(folder, "delete", name, delete).await;
                }
            };
            match self.repeated(async || store.delete(&path).await).await {
                Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
                Err(error) => Err(failed("delete", name, &reason(&error))),
            }
        };
        self.in_time("delete", name, work).await
    }
}

fn failed(request: &'static str, name: &str, reason: &str) -> BucketError {
    BucketError {
        request,
        name: name.to_owned(),
        reason: shortened(reason),
        is_fault_of_object: false,
    }
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
