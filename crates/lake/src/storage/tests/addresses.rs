//! Addresses of lakes.

use crate::storage::{ObjectBucket, StorageOptions, StorageUrl, StorageVariables};

#[test]
fn addresses_are_read_and_written_back() {
    let same = [
        "s3://acme-annals",
        "s3://acme-annals/team/lake",
        "s3://acme-annals?region=eu-central-1",
        "s3://acme-annals/x?region=eu-1&endpoint=https://minio.acme.internal:9000",
        "s3://acme-annals?endpoint=http://127.0.0.1:9000",
        "s3://acme-annals?endpoint=http://[::1]:9000",
        "s3://acme-annals?endpoint=http://localhost",
        "gs://acme-annals/lake",
        "az://annals/lake?account=acme",
        "file:///srv/annals",
    ];
    for text in same {
        let url: StorageUrl = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(url.to_string(), text);
        assert_eq!(url.is_folder(), text.starts_with("file:"), "{text}");
    }
    let url: StorageUrl = "s3://acme-annals/a/b/".parse().expect("an address");
    assert_eq!(url.to_string(), "s3://acme-annals/a/b");
}

#[test]
fn wrong_addresses_are_refused_with_the_reason() {
    let table = [
        ("acme-annals", "use s3://BUCKET/FOLDER"),
        ("http://acme", "unknown scheme \"http\""),
        ("memory:", "unknown scheme \"memory\""),
        ("s3://", "3 to 63"),
        ("s3://A", "3 to 63"),
        ("s3://acme:80/", "3 to 63"),
        ("s3://acme/a//b", "folder \"\""),
        ("s3://acme/a%2f..", "folder \"a%2f..\""),
        ("s3://acme/a b", "folder \"a%20b\""),
        ("s3://acme#x", "\"#\""),
        ("s3://acme?color=red", "unknown parameter \"color\""),
        ("s3://acme?region=a&region=b", "given twice"),
        ("s3://acme?region=a/b", "region \"a/b\""),
        ("s3://acme?endpoint=http://minio.acme.internal", "use https"),
        ("s3://acme?endpoint=http://127.0.0.1.evil.example", "use https"),
        ("s3://acme?endpoint=ftp://127.0.0.1", "use https://HOST"),
        ("s3://acme?endpoint=https://host/path", "use https://HOST"),
        ("az://annals", "account=NAME"),
        ("file://host/srv", "three slashes"),
        ("file:///", "absolute path of a folder"),
        ("file:///srv?x=1", "no parameters"),
    ];
    for (text, expected) in table {
        let error = text.parse::<StorageUrl>().expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn credentials_in_an_address_are_refused_and_not_repeated() {
    for text in ["s3://key:hunter22@acme", "s3://acme?endpoint=https://key:hunter22@host"] {
        let error = text.parse::<StorageUrl>().expect_err(text).to_string();
        assert!(error.contains("credentials do not belong in the URL"), "{error}");
        assert!(!error.contains("hunter22"), "{error}");
    }
}

#[test]
fn endpoint_variable_needs_tls_too() {
    let url: StorageUrl = "s3://acme".parse().expect("an address");
    let endpoint = Some("http://minio.acme.internal".to_owned());
    let variables = StorageVariables { endpoint, ..StorageVariables::default() };
    let options = StorageOptions { variables, ..StorageOptions::default() };
    let error = ObjectBucket::open(&url, &options).expect_err("no TLS").to_string();
    assert!(error.contains("AWS_ENDPOINT_URL") && error.contains("use https"), "{error}");
}

#[cfg(not(any(feature = "azure", feature = "gcp")))]
#[test]
fn storage_that_is_not_built_in_is_named() {
    for (text, expected) in [("gs://acme", "feature gcp"), ("az://acme?account=a", "feature azure")]
    {
        let url: StorageUrl = text.parse().expect("an address");
        let error = ObjectBucket::open(&url, &StorageOptions::default()).expect_err("not built");
        assert!(error.to_string().contains(expected), "{error}");
    }
}
