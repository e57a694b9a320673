//! The address of a lake: `s3://bucket/folder` or `file:///folder`.
//!
//! `region` and `endpoint` may follow as parameters, so that one line of configuration is
//! enough for storage of any vendor: `s3://annals?endpoint=https://minio.acme.internal`.
//! Credentials are refused here: an address is written into files and shown to people.

use reqwest::Url;
use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;

/// An address that cannot be used.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("invalid lake URL \"{}\": {reason}", .text.escape_debug())]
pub struct UrlError {
    text: String,
    reason: String,
}

/// Where a lake is.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum StorageUrl {
    /// A bucket of S3, or of what speaks its language.
    S3 {
        /// The bucket.
        bucket: String,
        /// The folder in it, without slashes around it; may be empty.
        prefix: String,
        /// The region.
        region: Option<String>,
        /// The server, if it is not Amazon's.
        endpoint: Option<String>,
    },
    /// A bucket of Google Cloud Storage.
    Gcs {
        /// The bucket.
        bucket: String,
        /// The folder in it.
        prefix: String,
    },
    /// A container of Azure Blob Storage.
    Azure {
        /// The storage account.
        account: String,
        /// The container.
        container: String,
        /// The folder in it.
        prefix: String,
    },
    /// A folder that several people share.
    File(PathBuf),
}

impl StorageUrl {
    /// Whether everybody with access to the storage can read everything in it: a folder has
    /// no policies by prefix.
    pub fn is_folder(&self) -> bool {
        matches!(self, StorageUrl::File(_))
    }
}

impl FromStr for StorageUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<Self, UrlError> {
        parse(text).map_err(|reason| UrlError { text: without_password(text), reason })
    }
}

impl fmt::Display for StorageUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |bucket: &str, prefix: &str| match prefix {
            "" => bucket.to_owned(),
            prefix => format!("{bucket}/{prefix}"),
        };
        match self {
            StorageUrl::S3 { bucket, prefix, region, endpoint } => {
                write!(f, "s3://{}", joined(bucket, prefix))?;
                let parameters = [("region", region), ("endpoint", endpoint)];
                let given =
                    parameters.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
                for (place, (name, value)) in given.enumerate() {
                    write!(f, "{}{name}={value}", if place == 0 { '?' } else { '&' })?;
                }
                Ok(())
            }
            StorageUrl::Gcs { bucket, prefix } => write!(f, "gs://{}", joined(bucket, prefix)),
            StorageUrl::Azure { account, container, prefix } => {
                write!(f, "az://{}?account={account}", joined(container, prefix))
            }
            StorageUrl::File(path) => write!(f, "file://{}", path.display()),
        }
    }
}

fn parse(text: &str) -> Result<StorageUrl, String> {
    let url = Url::parse(text)
        .map_err(|error| format!("{error}; use s3://BUCKET/FOLDER or file:///FOLDER"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("credentials do not belong in the URL; use lake.credentials_command or \
                    environment variables"
            .to_owned());
    }
    if url.fragment().is_some() {
        return Err("\"#\" is not allowed".to_owned());
    }
    match url.scheme() {
        "file" => parse_file(&url),
        "s3" => {
            let [region, endpoint] = parameters(&url, ["region", "endpoint"])?;
            let endpoint = endpoint.map(|text| parse_endpoint(&text)).transpose()?;
            if let Some(region) = &region {
                plain("region", region)?;
            }
            Ok(StorageUrl::S3 { bucket: bucket(&url)?, prefix: prefix(&url)?, region, endpoint })
        }
        "gs" => {
            let [] = parameters(&url, [])?;
            Ok(StorageUrl::Gcs { bucket: bucket(&url)?, prefix: prefix(&url)? })
        }
        "az" => {
            let [account] = parameters(&url, ["account"])?;
            let account = account.ok_or("add ?account=NAME of the storage account")?;
            plain("account", &account)?;
            Ok(StorageUrl::Azure { account, container: bucket(&url)?, prefix: prefix(&url)? })
        }
        other => {
            Err(format!("unknown scheme \"{other}\"; use s3://BUCKET/FOLDER or file:///FOLDER"))
        }
    }
}

fn parse_file(url: &Url) -> Result<StorageUrl, String> {
    if url.query().is_some() {
        return Err("file:// takes no parameters".to_owned());
    }
    let path = url.to_file_path().map_err(|()| "use file:///FOLDER with three slashes")?;
    if path.to_str().is_none() || path.parent().is_none() {
        return Err("use file:///FOLDER with the absolute path of a folder".to_owned());
    }
    Ok(StorageUrl::File(path))
}

fn bucket(url: &Url) -> Result<String, String> {
    let bucket = url.host_str().unwrap_or_default();
    let is_allowed =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-_".contains(&byte);
    let has_length = (3..=63).contains(&bucket.len());
    if url.port().is_some() || !has_length || !bucket.bytes().all(is_allowed) {
        return Err(
            "the name of a bucket has 3 to 63 lower-case letters, digits, . _ and -".to_owned()
        );
    }
    Ok(bucket.to_owned())
}

fn prefix(url: &Url) -> Result<String, String> {
    let path = url.path().trim_matches('/');
    if path.is_empty() {
        return Ok(String::new());
    }
    for part in path.split('/') {
        plain("folder", part)?;
    }
    Ok(path.to_owned())
}

/// Refuses what would have to be escaped in the name of an object.
fn plain(kind: &str, text: &str) -> Result<(), String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-@+=".contains(&byte);
    if text.is_empty() || text == "." || text == ".." || !text.bytes().all(is_allowed) {
        return Err(format!("{kind} \"{text}\": use letters, digits and . _ - @ + ="));
    }
    Ok(())
}

/// The values of the parameters with these names. Others, and repeated ones, are refused.
fn parameters<const N: usize>(url: &Url, names: [&str; N]) -> Result<[Option<String>; N], String> {
    let mut values = [const { None }; N];
    for (name, value) in url.query_pairs() {
        let Some(place) = names.iter().position(|known| *known == name) else {
            return Err(format!("unknown parameter \"{name}\""));
        };
        if values[place].replace(value.into_owned()).is_some() {
            return Err(format!("parameter \"{name}\" is given twice"));
        }
    }
    Ok(values)
}

/// The address of a server. TLS is required for anything but this machine.
pub(super) fn parse_endpoint(text: &str) -> Result<String, String> {
    let wrong = |reason: &str| format!("endpoint \"{}\": {reason}", without_password(text));
    let url = Url::parse(text).map_err(|error| wrong(&error.to_string()))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("credentials do not belong in the URL"));
    }
    if url.query().is_some() || url.fragment().is_some() || url.path() != "/" {
        return Err(wrong("use https://HOST or https://HOST:PORT"));
    }
    match url.scheme() {
        "https" => {}
        "http" if is_loopback(&url) => {}
        "http" => return Err(wrong("use https; http is accepted for this machine only")),
        _ => return Err(wrong("use https://HOST or https://HOST:PORT")),
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

/// Whether an address names this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// The text for a message, without what stands before an `@`.
fn without_password(text: &str) -> String {
    let mut parts = text.split("://");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |shown, part| {
        let end = part.find('/').unwrap_or(part.len());
        match part[..end].rfind('@') {
            Some(at) => format!("{shown}://[removed]{}", &part[at..]),
            None => format!("{shown}://{part}"),
        }
    })
}
