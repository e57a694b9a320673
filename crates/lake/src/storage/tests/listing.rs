//! Listings of a server with names that somebody made to be in everybody's way.

use super::block_on;
use crate::bucket::Bucket;
use crate::chains::Chains;
use crate::reading::{Engine as _, Reader};
use crate::storage::{ObjectBucket, Patience, StorageOptions, StorageUrl, StorageVariables};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::Sandbox;

/// A server that only lists these names, as S3 does, and counts the listings.
fn listing_server(names: Vec<String>) -> (ObjectBucket, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let names: BTreeSet<String> = names.into_iter().collect();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            counted.fetch_add(1, Ordering::Relaxed);
            // A client that went away wants no answer.
            let _ = stream.and_then(|stream| serve(stream, &names));
        }
    });
    let url: StorageUrl = format!("s3://annals?endpoint=http://{address}").parse().expect("a URL");
    let variables = StorageVariables {
        access_key_id: Some("AKIDTEST".to_owned()),
        secret_access_key: Some("not-a-secret".to_owned()),
        ..StorageVariables::default()
    };
    let patience = Patience { retries: 0, ..Patience::default() };
    let options = StorageOptions {
        variables,
        patience,
        closes_connections: true,
        ..StorageOptions::default()
    };
    (ObjectBucket::open(&url, &options).expect("storage"), count)
}

fn serve(stream: TcpStream, names: &BTreeSet<String>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let path = first.split(' ').nth(1).unwrap_or_default();
    let url = reqwest::Url::parse(&format!("http://h{path}")).expect("a request");
    let asked: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
    let of = |name: &str| asked.get(name).map(String::as_str).unwrap_or_default();
    let behind = of("start-after").max(of("continuation-token"));
    let most = of("max-keys").parse().unwrap_or(1000);
    let mut found: Vec<(String, bool)> = Vec::new();
    for name in names.iter().filter(|name| name.starts_with(of("prefix"))) {
        let rest = &name[of("prefix").len()..];
        let entry = match rest.split_once('/').filter(|_| of("delimiter") == "/") {
            Some((folder, _)) => (format!("{}{folder}/", of("prefix")), true),
            None => (name.clone(), false),
        };
        if entry.0.as_str() > behind && found.last() != Some(&entry) {
            found.push(entry);
        }
    }
    let is_more = found.len() > most;
    found.truncate(most);
    let mut body = format!(
        "<ListBucketResult><Name>annals</Name><KeyCount>{}</KeyCount><IsTruncated>{is_more}</IsTruncated>",
        found.len()
    );
    if let Some((last, is_folder)) = found.last().filter(|_| is_more) {
        let behind_folder = if *is_folder { "\u{10ffff}" } else { "" };
        let _ = write!(
            body,
            "<NextContinuationToken>{}{behind_folder}</NextContinuationToken>",
            escaped(last)
        );
    }
    for (name, is_folder) in &found {
        let name = escaped(name);
        let _ = if *is_folder {
            write!(body, "<CommonPrefixes><Prefix>{name}</Prefix></CommonPrefixes>")
        } else {
            write!(
                body,
                "<Contents><Key>{name}</Key><LastModified>2026-11-19T00:00:00.000Z</LastModified>\
                 <Size>1</Size></Contents>"
            )
        };
    }
    body += "</ListBucketResult>";
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    reader.into_inner().write_all(format!("{head}{body}").as_bytes())
}

/// Control characters as S3 writes them.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, letter| {
        let _ = if letter.is_control() {
            write!(escaped, "&#x{:x};", u32::from(letter))
        } else {
            write!(escaped, "{letter}")
        };
        escaped
    })
}

#[test]
fn a_name_that_cannot_be_asked_for_keeps_no_other_name_from_a_listing() {
    let good: Vec<String> =
        (0..40).map(|number| format!("v1/org/o{number:02}/i1/m/00000001.json")).collect();
    let bad = [
        "v1/org/e\u{1}il/i1/m/00000001.json",
        "v1/org/o07/i1/m/\u{1}.json",
        "v1/org/o39/i1/m/x\u{7f}",
        "v1/org//x",
        "v1/org/../x",
        "v1/org/zz\n/x",
    ];
    let names = good.iter().cloned().chain(bad.map(str::to_owned)).collect();
    let (bucket, count) = listing_server(names);
    let listed = block_on(bucket.list("v1/org/", None)).expect("names");
    for name in good.iter().map(String::as_str).chain(bad) {
        assert!(listed.iter().any(|it| it == name), "{name:?} is missing from {listed:?}");
    }
    assert_eq!(listed.len(), good.len() + bad.len());
    assert!(count.load(Ordering::Relaxed) < 150, "{count:?}");
    let folders = block_on(bucket.folders("v1/org/")).expect("folders");
    for owner in (0..40).map(|number| format!("o{number:02}")).chain(["e\u{1}il".to_owned()]) {
        assert!(folders.contains(&owner), "{owner:?} is missing from {folders:?}");
    }
    let after = "v1/org/o30/i1/m/00000001.json";
    let listed = block_on(bucket.list("v1/org/", Some(after))).expect("names");
    assert!(listed.iter().all(|name| name.as_str() > after) && listed.len() == 11, "{listed:?}");
}

/// The chains of an owner, and this many with a control character in their names.
fn server_with_strange_chains(count: usize) -> (ObjectBucket, Arc<AtomicUsize>) {
    let strange = (0..count).map(|number| format!("v1/org/eve/i\u{1}{number:04}/m/x"));
    let good = ["v1/org/ada/i1/x", "v1/org/eve/i1/x", "v1/org/zoe/i1/x"];
    listing_server(strange.chain(good.map(str::to_owned)).collect())
}

#[test]
fn names_that_cannot_be_asked_for_cost_about_a_request_each() {
    let (bucket, count) = server_with_strange_chains(100);
    assert_eq!(block_on(bucket.folders("v1/org/eve/")).expect("folders").len(), 101);
    assert!(count.load(Ordering::Relaxed) < 130, "{count:?}");
}

#[test]
fn too_many_names_that_cannot_be_asked_for_are_the_fault_of_their_owner() {
    let (bucket, _) = server_with_strange_chains(1_001);
    let chains = Chains { bucket: &bucket };
    let (readable, unreadable) = block_on(chains.readable()).expect("the others");
    assert!(readable.is_empty(), "none has a manifest");
    let named: Vec<&str> = unreadable.iter().map(|it| it.prefix.as_str()).collect();
    assert_eq!(named, ["v1/org/eve/"]);
    // A reader gets an answer that names the owner.
    let sandbox = Sandbox::new();
    let reader = Reader {
        bucket: &bucket,
        owner: "bob".parse().expect("an owner"),
        folder: sandbox.path().to_owned(),
        now: jiff::Timestamp::UNIX_EPOCH,
    };
    let scope = "org".parse().expect("a scope");
    let view = block_on(reader.view(&document::LakeQuestion::List, &scope)).expect("an answer");
    let named: Vec<&str> = view.unusable.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(named, ["v1/org/eve/"]);
}

#[test]
fn a_usual_listing_is_one_request() {
    let (bucket, count) = listing_server(vec!["v1/org/ada/i1/m/00000001.json".to_owned()]);
    assert_eq!(block_on(bucket.list("v1/org/", None)).expect("names").len(), 1);
    assert_eq!(block_on(bucket.folders("v1/org/")).expect("folders"), ["ada"]);
    assert_eq!(count.load(Ordering::Relaxed), 2);
}
