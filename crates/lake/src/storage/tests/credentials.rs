//! Credentials from commands and variables.

use super::block_on;
use super::server::Server;
use crate::bucket::{Bucket, Created};
use crate::storage::{
    CredentialsCommand, ObjectBucket, StorageOptions, StorageUrl, StorageVariables,
};
use testkit::Sandbox;

const PRINTED: &str =
    r#"{"Version": 1, "AccessKeyId": "AKIDTEST", "SecretAccessKey": "not-a-secret""#;

fn with(command: CredentialsCommand) -> StorageOptions {
    StorageOptions { credentials_command: Some(command), ..StorageOptions::default() }
}

/// A line that prints credentials and counts how often it runs.
fn counted(sandbox: &Sandbox, rest: &str) -> CredentialsCommand {
    let counter = sandbox.home().join("count");
    CredentialsCommand::Shell(format!("echo x >> {}; echo '{PRINTED}{rest}}}'", counter.display()))
}

fn runs(sandbox: &Sandbox) -> usize {
    std::fs::read_to_string(sandbox.home().join("count")).unwrap_or_default().lines().count()
}

#[test]
fn command_gives_credentials_with_and_without_a_shell() {
    block_on(async {
        let server = Server::start(Vec::new()).await;
        let printed = format!("{PRINTED}}}");
        let words = ["printf", "%s", &printed].map(str::to_owned).to_vec();
        let commands = [
            CredentialsCommand::Program(words),
            CredentialsCommand::Shell(format!("echo '{printed}'")),
        ];
        for (number, command) in commands.into_iter().enumerate() {
            let bucket = server.open("", &with(command));
            let created = bucket.create(&format!("v1/{number}.json"), Vec::new()).await;
            assert_eq!(created.expect("an answer"), Created::New);
        }
    });
}

#[test]
fn command_runs_again_only_when_credentials_are_about_to_expire() {
    block_on(async {
        let server = Server::start(Vec::new()).await;
        let table = [
            ("", 1),
            (r#", "SessionToken": null, "Expiration": "2999-01-01T00:00:00Z""#, 1),
            (r#", "Expiration": "2001-01-01T00:00:00+01:00""#, 3),
        ];
        for (rest, expected) in table {
            let sandbox = Sandbox::new();
            let bucket = server.open("", &with(counted(&sandbox, rest)));
            for _ in 0..3 {
                bucket.list("v1/", None).await.expect("an answer");
            }
            assert_eq!(runs(&sandbox), expected, "{rest}");
        }
    });
}

#[test]
fn failures_of_the_command_are_explained_without_what_it_printed() {
    block_on(async {
        let server = Server::start(Vec::new()).await;
        let shell = |line: &str| CredentialsCommand::Shell(line.to_owned());
        let program = |name: &str| CredentialsCommand::Program(vec![name.to_owned()]);
        let table = [
            (shell("exit 3"), "(sh -c) failed: exit status: 3"),
            (shell("echo hunter22"), "expected JSON with Version"),
            (shell(r#"echo '{"Version": "hunter22"}'"#), "expected JSON with Version"),
            (
                shell(r#"echo '{"Version":2,"AccessKeyId":"a","SecretAccessKey":"b"}'"#),
                "Version is 2",
            ),
            (shell("head -c 700000 /dev/zero"), "more than 64 kB"),
            (program("/nowhere/at/all"), "cannot start lake.credentials_command (/nowhere/at/all)"),
            (CredentialsCommand::Program(Vec::new()), "is empty"),
        ];
        for (command, expected) in table {
            let bucket = server.open("", &with(command));
            let error = bucket.get("v1/x.json").await.expect_err("no credentials").to_string();
            assert!(error.contains(expected) && !error.contains("hunter22"), "{error}");
        }
    });
}

#[test]
fn without_credentials_nothing_is_asked_and_the_hint_says_what_to_set() {
    let url: StorageUrl = "s3://acme".parse().expect("an address");
    let error = ObjectBucket::open(&url, &StorageOptions::default()).expect_err("no credentials");
    assert!(error.to_string().contains("hint: set lake.credentials_command"), "{error}");
}

#[test]
fn secrets_are_not_in_debug_output() {
    let variables = StorageVariables::read(|name| Some(format!("{name}-value")));
    let shown = format!("{variables:?}");
    assert!(shown.contains("AWS_REGION-value") && !shown.contains("SECRET"), "{shown}");
    assert_eq!(variables.session_token.as_deref(), Some("AWS_SESSION_TOKEN-value"));
}
