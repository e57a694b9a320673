//! The memory limit of a query with many rows. In a separate test binary, because the
//! limit applies to the whole process and would affect other tests.

use index::{Index, IndexError, SqlRequest, SqlSink, SqlValue};
use std::time::Duration;
use store::progress::CancellationToken;
use testkit::Sandbox;

struct Discard;

impl SqlSink for Discard {
    fn columns(&mut self, _: &[String]) {}

    fn row(&mut self, _: Vec<SqlValue>) -> bool {
        true
    }
}

#[test]
fn query_beyond_the_memory_limit_fails() {
    let sandbox = Sandbox::new();
    let index = Index::new(sandbox.annals_home());
    drop(index.ingest(64 << 20).unwrap().unwrap());
    let text = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) \
        SELECT randomblob(1000000) FROM c ORDER BY 1";
    let timeout = Duration::from_mins(5);
    let query = SqlRequest {
        text,
        timeout,
        token: CancellationToken::default(),
        shows: &|_| true,
        shown_path: &|_| None,
        calls: &|_| Vec::new(),
    };
    match index.sql(&query, &mut Discard) {
        Err(IndexError::Query(reason)) => assert!(reason.contains("more memory"), "{reason}"),
        other => panic!("{other:?}"),
    }
}
