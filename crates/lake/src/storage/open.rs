//! Opens the storage that an address names.
//!
//! TLS uses the certificates of the system; `HTTPS_PROXY` and its relatives are honoured by
//! the HTTP client itself. A connection without TLS leads to this machine and through no
//! proxy. Nothing is asked of the network's metadata services: credentials come from the
//! command or the variables.

use super::credentials::{
    CommandCredentials, CredentialsCommand, CredentialsError, StorageVariables,
};
use super::folder::SharedFolder;
use super::url::{StorageUrl, is_loopback, parse_endpoint};
use super::{ObjectBucket, Server, Storage};
use object_store::aws::{AmazonS3Builder, AwsCredential, S3ConditionalPut};
use object_store::{
    BackoffConfig, ClientOptions, CredentialProvider, ObjectStore, RetryConfig,
    StaticCredentialProvider,
};
use reqwest::Url;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Amazon's own default.
const DEFAULT_REGION: &str = "us-east-1";

/// Why storage cannot be opened. No request has been made yet.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There are no credentials.
    #[error(transparent)]
    Credentials(#[from] CredentialsError),
    /// A variable has a wrong value.
    #[error("invalid variable AWS_ENDPOINT_URL: {0}")]
    Endpoint(String),
    /// The folder cannot be used.
    #[error("cannot open the folder {}: {reason}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// This program was built without support for it.
    #[error("this annals-lake was built without support for {0}")]
    NotBuilt(&'static str),
    /// The client refuses the address.
    #[error("cannot open {url}: {reason}")]
    Client {
        /// The address.
        url: String,
        /// Why.
        reason: String,
    },
}

/// How long to wait and how often to try again.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For a connection.
    pub connect: Duration,
    /// For the next bytes of an answer. An upload counts as waiting.
    pub idle: Duration,
    /// For a request with everything that is repeated.
    pub request: Duration,
    /// How often a failed request is made again.
    pub retries: usize,
    /// The pause before the first repetition. It grows.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            connect: Duration::from_secs(10),
            idle: Duration::from_mins(5),
            request: Duration::from_mins(15),
            retries: 4,
            pause: Duration::from_millis(200),
        }
    }
}

/// How storage is opened.
#[derive(Clone, Debug, Default)]
pub struct StorageOptions {
    /// The command that prints credentials. It wins over variables.
    pub credentials_command: Option<CredentialsCommand>,
    /// The variables.
    pub variables: StorageVariables,
    /// How long to wait.
    pub patience: Patience,
    /// Use each connection for one request.
    #[doc(hidden)]
    pub closes_connections: bool,
}

impl ObjectBucket {
    /// Opens the storage that an address names.
    pub fn open(url: &StorageUrl, options: &StorageOptions) -> Result<ObjectBucket, OpenError> {
        let client = |error: object_store::Error| OpenError::Client {
            url: url.to_string(),
            reason: error.to_string(),
        };
        let (server, prefix): (Server, &str) = match url {
            StorageUrl::File(path) => {
                let storage = Storage::Folder(Arc::new(folder(path)?));
                let patience = options.patience;
                return Ok(ObjectBucket { storage, prefix: String::new(), patience });
            }
            StorageUrl::S3 { bucket, prefix, region, endpoint } => {
                let variables = &options.variables;
                let endpoint = match (endpoint, &variables.endpoint) {
                    (Some(endpoint), _) => Some(endpoint.clone()),
                    (None, Some(text)) => Some(parse_endpoint(text).map_err(OpenError::Endpoint)?),
                    (None, None) => None,
                };
                let region = region.as_deref().or(variables.region.as_deref());
                let mut builder = AmazonS3Builder::new()
                    .with_bucket_name(bucket)
                    .with_region(region.unwrap_or(DEFAULT_REGION))
                    .with_conditional_put(S3ConditionalPut::ETagMatch)
                    .with_credentials(credentials(options)?)
                    .with_retry(retries(options.patience))
                    .with_client_options(client_options(options, endpoint.as_deref()));
                if let Some(endpoint) = &endpoint {
                    builder = builder.with_endpoint(endpoint);
                }
                trust_system();
                let store = Arc::new(builder.build().map_err(client)?);
                (Server { pages: Some(Arc::clone(&store) as _), store }, prefix)
            }
            StorageUrl::Gcs { bucket, prefix } => (gcs(bucket, options, client)?.into(), prefix),
            StorageUrl::Azure { account, container, prefix } => {
                (azure(account, container, options, client)?.into(), prefix)
            }
        };
        Ok(ObjectBucket {
            storage: Storage::Server(server),
            prefix: prefix.to_owned(),
            patience: options.patience,
        })
    }
}

fn folder(path: &Path) -> Result<SharedFolder, OpenError> {
    let wrong = |reason: String| OpenError::Folder { path: path.to_owned(), reason };
    let metadata = std::fs::metadata(path).map_err(|error| wrong(error.to_string()))?;
    if !metadata.is_dir() {
        return Err(wrong("not a folder".to_owned()));
    }
    SharedFolder::open(path).map_err(|error| wrong(error.to_string()))
}

type AwsCredentials = Arc<dyn CredentialProvider<Credential = AwsCredential>>;

fn credentials(options: &StorageOptions) -> Result<AwsCredentials, CredentialsError> {
    if let Some(command) = &options.credentials_command {
        return Ok(Arc::new(CommandCredentials::new(command.clone())));
    }
    let variables = &options.variables;
    match (&variables.access_key_id, &variables.secret_access_key) {
        (Some(key_id), Some(secret_key)) => {
            Ok(Arc::new(StaticCredentialProvider::new(AwsCredential {
                key_id: key_id.clone(),
                secret_key: secret_key.clone(),
                token: variables.session_token.clone(),
            })))
        }
        _ => Err(CredentialsError::None),
    }
}

fn retries(patience: Patience) -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            init_backoff: patience.pause,
            max_backoff: patience.pause * 20,
            base: 2.,
        },
        max_retries: patience.retries,
        retry_timeout: patience.request,
    }
}

fn client_options(options: &StorageOptions, endpoint: Option<&str>) -> ClientOptions {
    let patience = options.patience;
    let mut client = ClientOptions::new()
        .with_connect_timeout(patience.connect)
        .with_read_timeout(patience.idle)
        .with_timeout_disabled();
    if options.closes_connections {
        client = client.with_pool_max_idle_per_host(0);
    }
    let endpoint = endpoint.and_then(|endpoint| Url::parse(endpoint).ok());
    if endpoint.is_some_and(|url| url.scheme() == "http" && is_loopback(&url)) {
        // A proxy would take it off this machine, so there is one that is never used.
        client = client
            .with_allow_http(true)
            .with_proxy_url("http://127.0.0.1:9")
            .with_proxy_excludes("localhost,127.0.0.0/8,::1");
    }
    client
}

/// The certificates come from the system; this is the cryptography for them. It can be
/// chosen once in a process, and a second choice changes nothing.
pub(crate) fn trust_system() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

#[cfg(feature = "gcp")]
fn gcs(
    bucket: &str,
    options: &StorageOptions,
    wrong: impl Fn(object_store::Error) -> OpenError,
) -> Result<Arc<dyn ObjectStore>, OpenError> {
    trust_system();
    let builder = object_store::gcp::GoogleCloudStorageBuilder::from_env()
        .with_bucket_name(bucket)
        .with_retry(retries(options.patience))
        .with_client_options(client_options(options, None));
    Ok(Arc::new(builder.build().map_err(wrong)?))
}

#[cfg(not(feature = "gcp"))]
fn gcs(
    _: &str,
    _: &StorageOptions,
    _: impl Fn(object_store::Error) -> OpenError,
) -> Result<Arc<dyn ObjectStore>, OpenError> {
    Err(OpenError::NotBuilt("Google Cloud Storage (feature gcp)"))
}

#[cfg(feature = "azure")]
fn azure(
    account: &str,
    container: &str,
    options: &StorageOptions,
    wrong: impl Fn(object_store::Error) -> OpenError,
) -> Result<Arc<dyn ObjectStore>, OpenError> {
    trust_system();
    let builder = object_store::azure::MicrosoftAzureBuilder::from_env()
        .with_account(account)
        .with_container_name(container)
        .with_retry(retries(options.patience))
        .with_client_options(client_options(options, None));
    Ok(Arc::new(builder.build().map_err(wrong)?))
}

#[cfg(not(feature = "azure"))]
fn azure(
    _: &str,
    _: &str,
    _: &StorageOptions,
    _: impl Fn(object_store::Error) -> OpenError,
) -> Result<Arc<dyn ObjectStore>, OpenError> {
    Err(OpenError::NotBuilt("Azure Blob Storage (feature azure)"))
}
