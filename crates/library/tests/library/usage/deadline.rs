//! With a deadline, the newest files are read first.

use super::fixture::{CWD, open};
use library::Progress;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use testkit::{Sandbox, call, session_id};

/// Stops after this many files.
struct Enough {
    after: usize,
    began: Instant,
    read: AtomicUsize,
    left_out: AtomicUsize,
}

impl Enough {
    fn after(after: usize) -> Enough {
        let (read, left_out) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Enough { after, began: Instant::now(), read, left_out }
    }
}

impl Progress for Enough {
    fn start(&self, _: u64) {}

    fn advance(&self, _: u64) {
        self.read.fetch_add(1, Ordering::Relaxed);
    }

    fn finish(&self) {}

    fn deadline(&self) -> Option<Instant> {
        let is_over = self.read.load(Ordering::Relaxed) >= self.after;
        Some(if is_over { self.began } else { self.began + Duration::from_hours(1) })
    }

    fn leave_out(&self) {
        self.left_out.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn the_newest_files_are_read_while_there_is_time() {
    let sandbox = Sandbox::new();
    for number in 1..=5 {
        // The oldest are the largest, which are read first without a deadline.
        let lines = (number..=5).map(|line| call(&format!("{number}.{line}"), [1, 1, 0, 0]));
        let id = session_id(number);
        let path = sandbox.session(CWD, &id, lines.map(|line| line.session(&id)));
        sandbox.set_modified(&path, 1_769_000_000 + i64::from(number));
    }
    let library = open(&sandbox);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for (after, calls) in [(0, 0), (1, 1), (2, 3), (5, 15), (9, 15)] {
        let enough = Enough::after(after);
        let source = one.install(|| library.usage().read(false, &enough));
        assert_eq!(source.calls.calls.len(), calls, "{after}");
        assert_eq!(enough.left_out.load(Ordering::Relaxed), 5_usize.saturating_sub(after));
    }
}
