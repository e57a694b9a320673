//! Credentials: from a command, or from the usual variables. Never from a file of annals.
//!
//! The command prints what AWS's `credential_process` prints, so that single sign-on, roles
//! and vaults work without annals knowing them: `aws configure export-credentials` does.

use jiff::{SignedDuration, Timestamp};
use object_store::CredentialProvider;
use object_store::aws::AwsCredential;
use serde::Deserialize;
use std::fmt;
use std::future::Future;
use std::io::Read as _;
use std::pin::Pin;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most that the command may print.
const MAX_BYTES: u64 = 64 << 10;
/// How long the command may take: a person may have to sign in.
const MAX_TIME: Duration = Duration::from_mins(3);
/// Credentials are renewed this long before they expire.
const MARGIN: SignedDuration = SignedDuration::from_mins(5);

/// The setting with the command for the storage.
const SETTING: &str = "lake.credentials_command";

/// Why there are no credentials.
#[derive(Debug, thiserror::Error)]
pub enum CredentialsError {
    /// The command is empty.
    #[error("{0} is empty")]
    Empty(&'static str),
    /// It cannot be started.
    #[error("cannot start {setting} ({command}): {reason}")]
    Start {
        /// The setting with the command.
        setting: &'static str,
        /// The program.
        command: String,
        /// Why.
        reason: String,
    },
    /// It failed.
    #[error("{setting} ({command}) failed: {reason}")]
    Failed {
        /// The setting with the command.
        setting: &'static str,
        /// The program.
        command: String,
        /// How.
        reason: String,
    },
    /// It printed something else. What it printed may be secret, and is not shown.
    #[error("{setting} ({command}) printed no credentials: {reason}")]
    Invalid {
        /// The setting with the command.
        setting: &'static str,
        /// The program.
        command: String,
        /// What is missing.
        reason: String,
    },
    /// Nothing says where they come from.
    #[error(
        "no credentials for the lake\nhint: set lake.credentials_command, for example to \
         [\"aws\", \"configure\", \"export-credentials\"], or the variables AWS_ACCESS_KEY_ID \
         and AWS_SECRET_ACCESS_KEY"
    )]
    None,
}

/// A command that prints credentials.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CredentialsCommand {
    /// A program and its arguments, started without a shell.
    Program(Vec<String>),
    /// A line for `sh -c`.
    Shell(String),
}

/// The variables that are read, by the binary.
#[derive(Clone, Default)]
pub struct StorageVariables {
    /// `AWS_ACCESS_KEY_ID`.
    pub access_key_id: Option<String>,
    /// `AWS_SECRET_ACCESS_KEY`.
    pub secret_access_key: Option<String>,
    /// `AWS_SESSION_TOKEN`.
    pub session_token: Option<String>,
    /// `AWS_REGION`, else `AWS_DEFAULT_REGION`.
    pub region: Option<String>,
    /// `AWS_ENDPOINT_URL_S3`, else `AWS_ENDPOINT_URL`.
    pub endpoint: Option<String>,
}

impl StorageVariables {
    /// Reads them with a function that looks a variable up.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> StorageVariables {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        StorageVariables {
            access_key_id: variable("AWS_ACCESS_KEY_ID"),
            secret_access_key: variable("AWS_SECRET_ACCESS_KEY"),
            session_token: variable("AWS_SESSION_TOKEN"),
            region: variable("AWS_REGION").or_else(|| variable("AWS_DEFAULT_REGION")),
            endpoint: variable("AWS_ENDPOINT_URL_S3").or_else(|| variable("AWS_ENDPOINT_URL")),
        }
    }
}

impl fmt::Debug for StorageVariables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The others are secret.
        f.debug_struct("StorageVariables")
            .field("region", &self.region)
            .field("endpoint", &self.endpoint)
            .finish_non_exhaustive()
    }
}

/// What the command prints.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Printed {
    version: u32,
    access_key_id: String,
    secret_access_key: String,
    session_token: Option<String>,
    expiration: Option<Timestamp>,
}

/// Credentials, and until when they can be used.
struct Known {
    credential: Arc<AwsCredential>,
    expiration: Option<Timestamp>,
}

impl Known {
    fn is_fresh(&self, now: Timestamp) -> bool {
        self.expiration.is_none_or(|end| end.duration_since(now) > MARGIN)
    }
}

impl CredentialsCommand {
    fn name(&self) -> &str {
        match self {
            CredentialsCommand::Program(words) => words.first().map_or("", String::as_str),
            CredentialsCommand::Shell(_) => "sh -c",
        }
    }

    /// The credentials of the storage.
    fn run(&self) -> Result<Known, CredentialsError> {
        self.printed(SETTING, &[], parse)
    }

    /// Runs it with some more variables and waits for it. Its messages and questions go to the
    /// terminal. Returns what `parse` makes of its output.
    pub(crate) fn printed<T>(
        &self,
        setting: &'static str,
        variables: &[(&str, &str)],
        parse: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> Result<T, CredentialsError> {
        let mut command = match self {
            CredentialsCommand::Program(words) => {
                let (program, arguments) =
                    words.split_first().ok_or(CredentialsError::Empty(setting))?;
                let mut command = Command::new(program);
                command.args(arguments);
                command
            }
            CredentialsCommand::Shell(line) => {
                let mut command = Command::new("sh");
                command.arg("-c").arg(line);
                command
            }
        };
        let name = || self.name().to_owned();
        command.envs(variables.iter().copied());
        let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut child = started.map_err(|error| CredentialsError::Start {
            setting,
            command: name(),
            reason: error.to_string(),
        })?;
        let failed = |reason: String| CredentialsError::Failed { setting, command: name(), reason };
        let output = child.stdout.take().ok_or_else(|| failed("no output".to_owned()))?;
        let reader = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let mut start = output.take(MAX_BYTES + 1);
            start.read_to_end(&mut bytes)?;
            // A command that cannot write to its end fails, and that would be the message.
            std::io::copy(&mut start.into_inner(), &mut std::io::sink())?;
            Ok::<_, std::io::Error>(bytes)
        });
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().map_err(|error| failed(error.to_string()))? {
                break status;
            }
            if begin.elapsed() > MAX_TIME {
                let _ = child.kill();
                let _ = child.wait();
                return Err(failed(format!("not finished after {} seconds", MAX_TIME.as_secs())));
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        if !status.success() {
            return Err(failed(status.to_string()));
        }
        let invalid = |reason: &str| CredentialsError::Invalid {
            setting,
            command: name(),
            reason: reason.to_owned(),
        };
        let bytes = reader.join().map_err(|_| invalid("unreadable"))?;
        let bytes = bytes.map_err(|error| invalid(&error.to_string()))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(invalid("more than 64 kB"));
        }
        parse(&bytes).map_err(|reason| invalid(&reason))
    }
}

fn parse(bytes: &[u8]) -> Result<Known, String> {
    // The message of the parser can quote what it read.
    let printed: Printed = serde_json::from_slice(bytes).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        format!(
            "expected JSON with Version, AccessKeyId and SecretAccessKey (line {line}, column \
             {column})"
        )
    })?;
    if printed.version != 1 {
        return Err(format!("Version is {}, but only 1 is known", printed.version));
    }
    Ok(Known {
        credential: Arc::new(AwsCredential {
            key_id: printed.access_key_id,
            secret_key: printed.secret_access_key,
            token: printed.session_token,
        }),
        expiration: printed.expiration,
    })
}

/// Credentials from a command, which runs again when they are about to expire.
pub(super) struct CommandCredentials {
    command: CredentialsCommand,
    known: Arc<Mutex<Option<Known>>>,
}

impl CommandCredentials {
    pub(super) fn new(command: CredentialsCommand) -> Self {
        CommandCredentials { command, known: Arc::default() }
    }
}

impl fmt::Debug for CommandCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandCredentials").finish_non_exhaustive()
    }
}

impl CredentialProvider for CommandCredentials {
    type Credential = AwsCredential;

    fn get_credential<'a, 'b>(
        &'a self,
    ) -> Pin<Box<dyn Future<Output = object_store::Result<Arc<AwsCredential>>> + Send + 'b>>
    where
        'a: 'b,
        Self: 'b,
    {
        let (command, known) = (self.command.clone(), Arc::clone(&self.known));
        Box::pin(async move {
            let work = tokio::task::spawn_blocking(move || {
                // Held while the command runs: several requests wait for one sign-in.
                let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(known) = known.as_ref().filter(|it| it.is_fresh(Timestamp::now())) {
                    return Ok(Arc::clone(&known.credential));
                }
                let renewed = command.run()?;
                let credential = Arc::clone(&renewed.credential);
                *known = Some(renewed);
                Ok(credential)
            });
            let failed = |source: Box<dyn std::error::Error + Send + Sync>| {
                object_store::Error::Generic { store: "credentials", source }
            };
            let result: Result<_, CredentialsError> =
                work.await.map_err(|error| failed(Box::new(error)))?;
            result.map_err(|error| failed(Box::new(error)))
        })
    }
}
