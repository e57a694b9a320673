//! Where an engine finds the objects.

use super::Dialect;
use crate::storage::StorageUrl;
use reqwest::Url;

/// An address that cannot stand before the names of objects.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum LocationError {
    /// It is not an address.
    #[error("invalid location \"{}\": use an address such as s3://BUCKET/FOLDER, https://HOST/BUCKET or file:///FOLDER", .0.escape_debug())]
    Invalid(String),
    /// The engine's views cannot read this kind of storage.
    #[error(
        "{engine} cannot read {url} by itself\nhint: name the address under which it can with --location"
    )]
    Unknown {
        /// The engine.
        engine: &'static str,
        /// The storage.
        url: String,
    },
}

/// The address that stands before the name of each object.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ObjectLocation {
    base: String,
    is_folder: bool,
}

impl ObjectLocation {
    /// An address that a person names.
    pub fn parse(text: &str) -> Result<Self, LocationError> {
        let invalid = || LocationError::Invalid(text.to_owned());
        let url = Url::parse(text).map_err(|_| invalid())?;
        let has_secret = !url.username().is_empty() || url.password().is_some();
        let is_plain = url.query().is_none() && url.fragment().is_none();
        let is_clean = !text.chars().any(|letter| letter.is_control() || "*?{}[]".contains(letter));
        if has_secret || !is_plain || !is_clean {
            return Err(invalid());
        }
        let is_folder = url.scheme() == "file";
        let base = text.strip_prefix("file://").unwrap_or(text);
        Ok(ObjectLocation { base: base.trim_end_matches('/').to_owned(), is_folder })
    }

    /// Where an engine usually finds the objects of a lake.
    pub fn of_lake(url: &StorageUrl, dialect: Dialect) -> Result<Self, LocationError> {
        let joined = |start: String, prefix: &str| match prefix {
            "" => start,
            prefix => format!("{start}/{prefix}"),
        };
        let unknown = || LocationError::Unknown { engine: dialect.as_str(), url: url.to_string() };
        let text = match (url, dialect) {
            (StorageUrl::File(path), _) => {
                format!("file://{}", path.to_str().ok_or_else(unknown)?)
            }
            (StorageUrl::S3 { bucket, prefix, .. }, Dialect::DuckDb) => {
                joined(format!("s3://{bucket}"), prefix)
            }
            (StorageUrl::S3 { bucket, prefix, .. }, Dialect::Spark) => {
                joined(format!("s3a://{bucket}"), prefix)
            }
            (StorageUrl::S3 { bucket, prefix, region, endpoint }, Dialect::ClickHouse) => {
                let region = region.as_deref().unwrap_or("us-east-1");
                let host = match endpoint {
                    Some(endpoint) => format!("{}/{bucket}", endpoint.trim_end_matches('/')),
                    None => format!("https://{bucket}.s3.{region}.amazonaws.com"),
                };
                joined(host, prefix)
            }
            (StorageUrl::Gcs { bucket, prefix }, Dialect::Spark | Dialect::DuckDb) => {
                joined(format!("gs://{bucket}"), prefix)
            }
            _ => return Err(unknown()),
        };
        Self::parse(&text)
    }

    /// Whether it is a folder of the machine on which the engine runs.
    pub fn is_folder(&self) -> bool {
        self.is_folder
    }

    /// The address of an object.
    pub(super) fn of(&self, name: &str) -> String {
        format!("{}/{name}", self.base)
    }
}
