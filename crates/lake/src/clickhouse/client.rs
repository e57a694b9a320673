//! Requests to one server.
//!
//! Values travel as parameters of the statement, never inside its text. A server that cannot
//! ask one of its nodes fails: nothing here allows partial answers.

use super::account::EngineAccount;
use super::address::EngineUrl;
use super::schema::ServerVersion;
use reqwest::{Client, Response, Url};
use std::time::Duration;

/// The longest answer.
const MAX_ANSWER: usize = 2 << 30;
/// The longest text of an error, in characters.
const MAX_REASON: usize = 500;
/// No insert has as many rows or bytes.
const MAX_BLOCK: &str = "1099511627776";
/// The oldest release whose text index is finished.
const MIN_VERSION: (u32, u32) = (26, 2);

/// Why a server does not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// It does not answer.
    #[error("{url}: {reason}")]
    Connection {
        /// The server.
        url: String,
        /// What happened.
        reason: String,
    },
    /// It refuses.
    #[error("{url}: {reason}")]
    Refused {
        /// The server.
        url: String,
        /// ClickHouse's number of the error.
        code: u32,
        /// Its text.
        reason: String,
    },
    /// It is too old.
    #[error("{url}: ClickHouse {version}, but 26.2 or newer is needed")]
    TooOld {
        /// The server.
        url: String,
        /// Its version.
        version: String,
    },
    /// It answers something else.
    #[error("{url}: unexpected answer: {reason}")]
    Unexpected {
        /// The server.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// ClickHouse's number for a missing right.
pub(super) const ACCESS_DENIED: u32 = 497;

/// A value in a statement, as `{name:Type}`.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    name: &'static str,
    value: String,
}

impl Parameter {
    pub(super) fn text(name: &'static str, value: &str) -> Parameter {
        Parameter { name, value: escaped(value) }
    }

    pub(super) fn texts<'t>(
        name: &'static str,
        values: impl IntoIterator<Item = &'t str>,
    ) -> Parameter {
        let quoted = values.into_iter().map(|value| {
            // First as an element of an array, then as a whole.
            format!("'{}'", value.replace('\\', "\\\\").replace('\'', "\\'"))
        });
        let list = format!("[{}]", quoted.collect::<Vec<_>>().join(","));
        Parameter { name, value: escaped(&list) }
    }
}

/// The form in which ClickHouse expects the value of a parameter.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

/// A statement with its parameters and with tables that it reads, as a form.
#[derive(Debug)]
pub(super) struct Form {
    boundary: String,
    body: Vec<u8>,
}

impl Form {
    pub(super) fn new(statement: &str) -> Form {
        let mut bytes = [0; 16];
        // Nobody who writes an object may know it.
        let _ = getrandom::fill(&mut bytes);
        let boundary = format!("annals-{:032x}", u128::from_le_bytes(bytes));
        let mut form = Form { boundary, body: Vec::new() };
        form.part("query", "", statement.as_bytes());
        form
    }

    /// A value, as `{name:Type}` in the statement.
    pub(super) fn parameter(&mut self, name: &str, value: &str) {
        self.part(&format!("param_{name}"), "", escaped(value).as_bytes());
    }

    /// A Parquet file, as a table of this name.
    pub(super) fn table(&mut self, name: &str, structure: &str, bytes: &[u8]) {
        self.part(&format!("{name}_format"), "", b"Parquet");
        self.part(&format!("{name}_structure"), "", structure.as_bytes());
        self.part(name, &format!("; filename=\"{name}\""), bytes);
    }

    /// Names are those of this program, never from an object.
    fn part(&mut self, name: &str, more: &str, bytes: &[u8]) {
        let head = format!(
            "--{}\r\nContent-Disposition: form-data; name=\"{name}\"{more}\r\n\r\n",
            self.boundary
        );
        self.body.extend_from_slice(head.as_bytes());
        self.body.extend_from_slice(bytes);
        self.body.extend_from_slice(b"\r\n");
    }

    fn close(mut self) -> Vec<u8> {
        self.body.extend_from_slice(format!("--{}--\r\n", self.boundary).as_bytes());
        self.body
    }
}

/// A connection to one server as one user.
#[derive(Clone, Debug)]
pub struct EngineClient {
    http: Client,
    url: EngineUrl,
    account: EngineAccount,
}

impl EngineClient {
    /// Prepares a connection. Nothing is sent yet.
    pub fn new(url: EngineUrl, account: EngineAccount) -> Result<Self, EngineError> {
        crate::storage::trust_system();
        let mut builder = Client::builder()
            .connect_timeout(Duration::from_secs(10))
            .read_timeout(Duration::from_mins(10))
            .redirect(reqwest::redirect::Policy::none());
        if url.is_local() {
            builder = builder.no_proxy();
        }
        let http = builder.build().map_err(|error| EngineError::Connection {
            url: url.to_string(),
            reason: error.to_string(),
        })?;
        Ok(EngineClient { http, url, account })
    }

    /// The server.
    pub fn url(&self) -> &EngineUrl {
        &self.url
    }

    /// The user.
    pub(super) fn user(&self) -> &str {
        &self.account.user
    }

    /// The same server as another user.
    pub(super) fn as_user(&self, account: &EngineAccount) -> EngineClient {
        EngineClient { account: account.clone(), ..self.clone() }
    }

    /// Its version. Fails if the server is too old.
    pub(super) async fn check_version(&self) -> Result<ServerVersion, EngineError> {
        let version = self.text("SELECT version()", &[]).await?;
        let version = version.trim();
        let mut numbers = version.split('.').map(|part| part.parse::<u32>().unwrap_or_default());
        let (major, minor) =
            (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
        if (major, minor) >= MIN_VERSION {
            return Ok(ServerVersion { major, minor });
        }
        Err(EngineError::TooOld { url: self.url.to_string(), version: version.to_owned() })
    }

    /// Runs a statement. Returns what it prints.
    pub(super) async fn bytes(
        &self,
        statement: &str,
        parameters: &[Parameter],
    ) -> Result<Vec<u8>, EngineError> {
        let url = self.request_url(parameters, &[]);
        self.send(url, None, statement.as_bytes().to_vec()).await
    }

    /// The same as text.
    pub(super) async fn text(
        &self,
        statement: &str,
        parameters: &[Parameter],
    ) -> Result<String, EngineError> {
        let bytes = self.bytes(statement, parameters).await?;
        String::from_utf8(bytes).map_err(|_| self.unexpected("not UTF-8"))
    }

    /// The rows of a statement whose columns are plain texts, without tabs and newlines.
    pub(super) async fn lines(
        &self,
        statement: &str,
        parameters: &[Parameter],
    ) -> Result<Vec<Vec<String>>, EngineError> {
        let text = self.text(statement, parameters).await?;
        let lines = text.lines().map(|line| line.split('\t').map(str::to_owned).collect());
        Ok(lines.collect())
    }

    /// Runs an insert that reads tables of a form. All its rows are one block, and those of
    /// a token are written once.
    pub(super) async fn insert(&self, form: Form, token: &str) -> Result<(), EngineError> {
        let settings = [
            ("insert_deduplication_token", token),
            ("min_insert_block_size_rows", MAX_BLOCK),
            ("min_insert_block_size_bytes", MAX_BLOCK),
            ("max_insert_threads", "1"),
            // Queries choose among copies of a row; an insert need not.
            ("optimize_on_insert", "0"),
        ];
        let url = self.request_url(&[], &settings);
        let kind = format!("multipart/form-data; boundary={}", form.boundary);
        self.send(url, Some(&kind), form.close()).await.map(drop)
    }

    fn request_url(&self, parameters: &[Parameter], more: &[(&str, &str)]) -> Url {
        let mut url = self.url.base().clone();
        {
            let mut pairs = url.query_pairs_mut();
            // An error in the middle of an answer is an error, not the end of the answer.
            pairs.append_pair("wait_end_of_query", "1");
            for (name, value) in more {
                pairs.append_pair(name, value);
            }
            for parameter in parameters {
                pairs.append_pair(&format!("param_{}", parameter.name), &parameter.value);
            }
        }
        url
    }

    async fn send(
        &self,
        url: Url,
        content_type: Option<&str>,
        body: Vec<u8>,
    ) -> Result<Vec<u8>, EngineError> {
        let mut request = self
            .http
            .post(url)
            .header("X-ClickHouse-User", &self.account.user)
            .header("X-ClickHouse-Key", &self.account.password);
        if let Some(kind) = content_type {
            request = request.header("Content-Type", kind);
        }
        let request = request.body(body);
        let response = request.send().await.map_err(|error| self.failed(error))?;
        let is_done = response.status().is_success();
        let code = response.headers().get("X-ClickHouse-Exception-Code");
        let code = code.and_then(|code| code.to_str().ok()?.parse::<u32>().ok());
        let status = response.status().as_u16();
        let bytes = self.body(response).await?;
        if is_done && code.is_none() {
            return Ok(bytes);
        }
        let text = String::from_utf8_lossy(&bytes);
        let reason: String = text.trim().chars().take(MAX_REASON).collect();
        let reason = if reason.is_empty() { format!("status {status}") } else { reason };
        Err(EngineError::Refused {
            url: self.url.to_string(),
            code: code.unwrap_or_default(),
            reason,
        })
    }

    async fn body(&self, mut response: Response) -> Result<Vec<u8>, EngineError> {
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.failed(error))? {
            if bytes.len() + chunk.len() > MAX_ANSWER {
                return Err(self.unexpected("it is too long"));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    fn failed(&self, error: reqwest::Error) -> EngineError {
        // Its own text has the address with all parameters.
        let error = error.without_url();
        let mut reason = error.to_string();
        let mut cause = std::error::Error::source(&error);
        while let Some(next) = cause {
            reason = format!("{reason}: {next}");
            cause = next.source();
        }
        EngineError::Connection { url: self.url.to_string(), reason }
    }

    pub(super) fn unexpected(&self, reason: &str) -> EngineError {
        EngineError::Unexpected { url: self.url.to_string(), reason: reason.to_owned() }
    }
}
