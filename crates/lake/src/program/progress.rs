//! How far a push is, as lines for `annals`.

use super::print;
use document::LakeAnswer;
use lake::{Bucket, BucketError, Created};
use library::progress::Progress;
use std::cell::Cell;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The least time between two lines.
const INTERVAL: Duration = Duration::from_millis(100);

/// Prints how much was read.
#[derive(Debug, Default)]
pub(super) struct ReadingProgress(Mutex<Reading>);

#[derive(Debug, Default)]
struct Reading {
    done: u64,
    total: u64,
    printed: Option<Instant>,
}

impl ReadingProgress {
    fn change(&self, change: impl FnOnce(&mut Reading)) {
        let Ok(mut reading) = self.0.lock() else { return };
        change(&mut reading);
        if reading.printed.is_none_or(|printed| printed.elapsed() >= INTERVAL) {
            reading.printed = Some(Instant::now());
            let (done, total) = (reading.done >> 20, reading.total >> 20);
            // The caller may be gone; the push goes on.
            let _ = print(&LakeAnswer::Progress { step: "reading, MB".to_owned(), done, total });
        }
    }
}

impl Progress for ReadingProgress {
    fn start(&self, bytes: u64) {
        self.change(|reading| (reading.done, reading.total) = (0, bytes));
    }

    fn advance(&self, bytes: u64) {
        self.change(|reading| reading.done += bytes);
    }

    fn finish(&self) {}
}

/// A bucket that prints how many objects were written to it.
#[derive(Debug)]
pub(super) struct SendingProgress<'b, B> {
    bucket: &'b B,
    sent: Cell<u64>,
}

impl<'b, B> SendingProgress<'b, B> {
    pub(super) fn new(bucket: &'b B) -> Self {
        SendingProgress { bucket, sent: Cell::new(0) }
    }
}

impl<B: Bucket> Bucket for SendingProgress<'_, B> {
    async fn create(&self, name: &str, bytes: Vec<u8>) -> Result<Created, BucketError> {
        let created = self.bucket.create(name, bytes).await?;
        self.sent.set(self.sent.get() + 1);
        let step = "objects sent".to_owned();
        let _ = print(&LakeAnswer::Progress { step, done: self.sent.get(), total: 0 });
        Ok(created)
    }

    async fn get(&self, name: &str) -> Result<Option<Vec<u8>>, BucketError> {
        self.bucket.get(name).await
    }

    async fn get_at_most(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, BucketError> {
        self.bucket.get_at_most(name, limit).await
    }

    async fn list(&self, prefix: &str, after: Option<&str>) -> Result<Vec<String>, BucketError> {
        self.bucket.list(prefix, after).await
    }

    async fn folders(&self, prefix: &str) -> Result<Vec<String>, BucketError> {
        self.bucket.folders(prefix).await
    }

    async fn delete(&self, name: &str) -> Result<(), BucketError> {
        self.bucket.delete(name).await
    }
}
