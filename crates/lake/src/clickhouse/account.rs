//! A user of a server and the password: from a command, or from variables.

use crate::storage::{CredentialsCommand, CredentialsError};
use serde::Deserialize;
use std::fmt;

/// The setting with the command.
const SETTING: &str = "lake.engine_command";
/// The variable that tells the command which account is needed.
const VARIABLE: &str = "ANNALS_ENGINE_ACCOUNT";

/// A user of a server and the password.
#[derive(Clone, Eq, PartialEq)]
pub struct EngineAccount {
    /// The user.
    pub user: String,
    /// The password.
    pub password: String,
}

/// What the command prints.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Printed {
    version: u32,
    user: String,
    password: String,
}

impl EngineAccount {
    /// The account that a command prints. `which` tells it which one is needed.
    pub fn from_command(
        command: &CredentialsCommand,
        which: &str,
    ) -> Result<EngineAccount, CredentialsError> {
        command.printed(SETTING, &[(VARIABLE, which)], parse)
    }
}

fn parse(bytes: &[u8]) -> Result<EngineAccount, String> {
    // The message of the parser can quote what it read.
    let printed: Printed = serde_json::from_slice(bytes).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        format!("expected JSON with Version, User and Password (line {line}, column {column})")
    })?;
    if printed.version != 1 {
        return Err(format!("Version is {}, but only 1 is known", printed.version));
    }
    Ok(EngineAccount { user: printed.user, password: printed.password })
}

impl fmt::Debug for EngineAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The password is secret.
        f.debug_struct("EngineAccount").field("user", &self.user).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_prints_the_account_it_is_asked_for() {
        let line = r#"echo "{\"Version\":1,\"User\":\"$ANNALS_ENGINE_ACCOUNT\",\"Password\":\"hunter22\"}""#;
        let command = CredentialsCommand::Shell(line.to_owned());
        let account = EngineAccount::from_command(&command, "reader-2").unwrap();
        assert_eq!((account.user.as_str(), account.password.as_str()), ("reader-2", "hunter22"));
        assert!(!format!("{account:?}").contains("hunter22"));
    }

    #[test]
    fn failures_of_the_command_are_explained_without_what_it_printed() {
        let shell = |line: &str| CredentialsCommand::Shell(line.to_owned());
        let table = [
            (shell("exit 3"), "lake.engine_command (sh -c) failed: exit status: 3"),
            (shell("echo hunter22"), "expected JSON with Version, User and Password"),
            (shell(r#"echo '{"Version":2,"User":"a","Password":"hunter22"}'"#), "Version is 2"),
            (CredentialsCommand::Program(Vec::new()), "lake.engine_command is empty"),
        ];
        for (command, expected) in table {
            let error = EngineAccount::from_command(&command, "engine").unwrap_err().to_string();
            assert!(error.contains(expected) && !error.contains("hunter22"), "{error}");
        }
    }
}
