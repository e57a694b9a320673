//! That a query cannot take the memory with many rows. A process of its own: the
//! limit is the whole process's, and other tests would meet it too.

use index::{AnswerSink, Index, IndexError, SqlQuestion, SqlValue};
use std::time::Duration;
use testkit::Sandbox;

struct Nobody;

impl AnswerSink for Nobody {
    fn columns(&mut self, _: &[String]) {}

    fn row(&mut self, _: Vec<SqlValue>) -> bool {
        true
    }
}

#[test]
fn a_query_cannot_take_the_memory() {
    let sandbox = Sandbox::new();
    let index = Index::new(sandbox.annals_home());
    drop(index.ingest(64 << 20).unwrap().unwrap());
    let text = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) \
        SELECT randomblob(1000000) FROM c ORDER BY 1";
    let timeout = Duration::from_mins(5);
    let query = SqlQuestion { text, timeout, shows: &|_| true, calls: &|_| Vec::new() };
    match index.sql(&query, &mut Nobody) {
        Err(IndexError::Query(reason)) => assert!(reason.contains("more memory"), "{reason}"),
        other => panic!("{other:?}"),
    }
}
