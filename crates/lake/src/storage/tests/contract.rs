//! What every kind of storage does alike.

use super::block_on;
use super::server::{Fault, Server};
use crate::bucket::{Bucket, Created};
use crate::storage::{ObjectBucket, StorageOptions, StorageUrl};
use testkit::Sandbox;

/// Each request once, and the answers that the protocol relies on.
async fn keep_the_contract(bucket: &ObjectBucket) {
    let create = async |name: &str, text: &str| {
        bucket.create(name, text.as_bytes().to_vec()).await.expect("an answer")
    };
    assert_eq!(create("v1/org/ada@x/i1/m/00000002.json", "two").await, Created::New);
    assert_eq!(create("v1/org/ada@x/i1/m/00000001.json", "one").await, Created::New);
    assert_eq!(create("v1/org/ada@x/i1/m/00000002.json", "other").await, Created::Exists);
    assert_eq!(create("v1/org/ada@x/i1/d/00000001/calls.parquet", "").await, Created::New);
    assert_eq!(create("v1/org/ada@x/i2/m/00000001.json", "i2").await, Created::New);
    assert_eq!(create("v1/org/ada@x2/i1/m/00000001.json", "x2").await, Created::New);

    let text = async |name: &str| bucket.get(name).await.expect("an answer");
    assert_eq!(text("v1/org/ada@x/i1/m/00000002.json").await.as_deref(), Some(&b"two"[..]));
    assert_eq!(text("v1/org/ada@x/i1/d/00000001/calls.parquet").await.as_deref(), Some(&[][..]));
    assert_eq!(text("v1/org/ada@x/i1/m/00000003.json").await, None);

    let names = async |prefix: &str, after: Option<&str>| {
        bucket.list(prefix, after).await.expect("an answer")
    };
    assert_eq!(
        names("v1/org/ada@x/i1/m/", None).await,
        ["v1/org/ada@x/i1/m/00000001.json", "v1/org/ada@x/i1/m/00000002.json"]
    );
    assert_eq!(
        names("v1/org/ada@x/i1/m/", Some("v1/org/ada@x/i1/m/00000001.json")).await,
        ["v1/org/ada@x/i1/m/00000002.json"]
    );
    assert_eq!(names("v1/org/ada@x/", None).await.len(), 4, "not those of ada@x2");
    assert!(names("v1/private/", None).await.is_empty());

    assert_eq!(bucket.folders("v1/org/ada@x/").await.expect("an answer"), ["i1", "i2"]);
    assert_eq!(bucket.folders("v1/org/").await.expect("an answer"), ["ada@x", "ada@x2"]);
    assert!(bucket.folders("v1/team/").await.expect("an answer").is_empty());

    let gone = "v1/org/ada@x/i1/m/00000001.json";
    bucket.delete(gone).await.expect("deleted");
    bucket.delete(gone).await.expect("deleted already");
    assert_eq!(text(gone).await, None);
    assert_eq!(create(gone, "again").await, Created::New);

    let large = "v1/org/ada@x/i1/d/00000001/large.parquet";
    bucket.create(large, vec![7; 3000]).await.expect("created");
    let error = bucket.get_at_most(large, 2999).await.expect_err("too large").to_string();
    assert!(error.contains("3000 bytes, but at most 2999 are accepted"), "{error}");
    assert_eq!(
        bucket.get_at_most(large, 3000).await.expect("an answer").map(|it| it.len()),
        Some(3000)
    );
}

#[test]
fn storage_in_memory_keeps_the_contract() {
    block_on(keep_the_contract(&ObjectBucket::in_memory()));
}

#[test]
fn folder_keeps_the_contract() {
    let sandbox = Sandbox::new();
    let url = StorageUrl::File(sandbox.home());
    let bucket = ObjectBucket::open(&url, &StorageOptions::default()).expect("a folder");
    block_on(keep_the_contract(&bucket));
}

#[test]
fn s3_keeps_the_contract_in_a_bucket_and_in_a_folder_of_one() {
    block_on(async {
        let server = Server::start(Vec::new()).await;
        keep_the_contract(&server.bucket("")).await;
        keep_the_contract(&server.bucket("deep/folder")).await;
        let outside = server.bucket("").list("deep/", None).await.expect("an answer");
        assert!(outside.iter().all(|name| name.starts_with("deep/folder/v1/org/")), "{outside:?}");
    });
}

#[test]
fn slow_and_broken_answers_change_nothing_in_the_contract() {
    let faults = [Fault::Unavailable, Fault::Slow, Fault::None, Fault::None, Fault::Slow];
    block_on(async {
        let server = Server::start(faults.repeat(12)).await;
        keep_the_contract(&server.bucket("")).await;
    });
}
