//! Requests whose answers are lost, late, refused or cut.

use super::block_on;
use super::server::{Fault, Server};
use crate::bucket::{Bucket, Created};
use std::time::Duration;

const NAME: &str = "v1/org/ada/i1/m/00000001.json";

#[test]
fn creation_whose_answers_are_lost_is_an_error_and_the_object_is_there() {
    block_on(async {
        let server = Server::start(vec![Fault::LostAnswer; 9]).await;
        let bucket = server.bucket("");
        let error = bucket.create(NAME, b"one".to_vec()).await.expect_err("no answer");
        assert_eq!((error.request, error.name.as_str()), ("create", NAME));
        server.plan(&[]);
        assert_eq!(bucket.create(NAME, b"one".to_vec()).await.expect("an answer"), Created::Exists);
        assert_eq!(bucket.get(NAME).await.expect("an answer").as_deref(), Some(&b"one"[..]));
    });
}

#[test]
fn creation_with_one_lost_answer_is_never_reported_as_new() {
    block_on(async {
        let server = Server::start(vec![Fault::LostAnswer]).await;
        let bucket = server.bucket("");
        if let Ok(created) = bucket.create(NAME, b"one".to_vec()).await {
            assert_eq!(created, Created::Exists);
        }
        assert_eq!(bucket.get(NAME).await.expect("an answer").as_deref(), Some(&b"one"[..]));
    });
}

#[test]
fn busy_server_is_asked_again_and_then_given_up() {
    block_on(async {
        let server = Server::start(Vec::new()).await;
        let bucket = server.bucket("");
        server.plan(&[Fault::Unavailable; 2]);
        assert_eq!(bucket.create(NAME, b"one".to_vec()).await.expect("an answer"), Created::New);
        server.plan(&[Fault::Unavailable; 9]);
        let error = bucket.get(NAME).await.expect_err("busy").to_string();
        assert!(error.starts_with(&format!("get {NAME}: ")) && error.contains("503"), "{error}");
        assert_eq!(server.left(), 6, "one request and two repetitions");
        for request in ["list", "delete", "create"] {
            server.plan(&[Fault::Unavailable; 9]);
            let error = match request {
                "list" => bucket.list("v1/org/", None).await.expect_err("busy"),
                "delete" => bucket.delete(NAME).await.expect_err("busy"),
                _ => bucket.create(NAME, Vec::new()).await.expect_err("busy"),
            };
            assert!(error.request == request && error.reason.contains("503"), "{error}");
        }
    });
}

#[test]
fn conflict_without_an_object_is_not_taken_for_one_that_exists() {
    block_on(async {
        let server = Server::start(vec![Fault::Conflict]).await;
        let bucket = server.bucket("");
        assert_eq!(bucket.create(NAME, b"one".to_vec()).await.expect("an answer"), Created::New);
        assert_eq!(bucket.get(NAME).await.expect("an answer").as_deref(), Some(&b"one"[..]));
        server.plan(&[Fault::Conflict]);
        assert_eq!(bucket.create(NAME, b"two".to_vec()).await.expect("an answer"), Created::Exists);
    });
}

#[test]
fn cut_body_is_continued_or_an_error_and_never_a_shorter_object() {
    block_on(async {
        let server = Server::start(Vec::new()).await;
        let bucket = server.bucket("");
        let bytes: Vec<u8> = (0..100_000_u32).map(|number| number.to_le_bytes()[0]).collect();
        bucket.create(NAME, bytes.clone()).await.expect("created");
        server.plan(&[Fault::Cut]);
        assert_eq!(bucket.get(NAME).await.expect("continued"), Some(bytes.clone()));
        assert_eq!(server.left(), 0);
        server.plan(&[Fault::Cut; 9]);
        let error = bucket.get(NAME).await.expect_err("always cut");
        assert_eq!(error.request, "get");
        server.plan(&[Fault::Slow]);
        assert_eq!(bucket.get(NAME).await.expect("slow"), Some(bytes));
    });
}

#[test]
fn answer_that_never_ends_is_given_up() {
    block_on(async {
        let mut server = Server::start(Vec::new()).await;
        let bucket = server.bucket("");
        bucket.create(NAME, b"one".to_vec()).await.expect("created");
        server.hurry(Duration::from_millis(300));
        server.plan(&[Fault::Stuck; 9]);
        let error = server.bucket("").get(NAME).await.expect_err("stuck").to_string();
        assert!(error.contains("no complete answer within 0.3 seconds"), "{error}");
    });
}

#[test]
fn wrong_credentials_are_named_in_the_error() {
    use crate::storage::{StorageOptions, StorageVariables};
    block_on(async {
        let server = Server::start(Vec::new()).await;
        let variables = StorageVariables {
            access_key_id: Some("AKIDTEST".to_owned()),
            secret_access_key: Some("hunter-22".to_owned()),
            ..StorageVariables::default()
        };
        let options = StorageOptions { variables, ..StorageOptions::default() };
        let error = server.open("", &options).get(NAME).await.expect_err("denied").to_string();
        assert!(error.contains("access denied") && !error.contains("hunter-22"), "{error}");
    });
}
