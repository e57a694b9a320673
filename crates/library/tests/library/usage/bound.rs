//! With a bound, the newest files are read, as far as they fit.

use super::fixture::{CWD, open};
use library::progress::{CancellationToken, Limits};
use testkit::{Sandbox, call, session_id};

#[test]
fn the_newest_files_that_fit_are_read() {
    let sandbox = Sandbox::new();
    let mut sizes = Vec::new();
    for number in 1..=5 {
        // The oldest are the largest, which are read first without a bound.
        let lines = (number..=5).map(|line| call(&format!("{number}.{line}"), [1, 1, 0, 0]));
        let id = session_id(number);
        let path = sandbox.session(CWD, &id, lines.map(|line| line.session(&id)));
        sandbox.set_modified(&path, 1_769_000_000 + i64::from(number));
        sizes.push(std::fs::metadata(&path).unwrap().len());
    }
    let newest = |count: usize| sizes.iter().rev().take(count).sum::<u64>();
    let library = open(&sandbox);
    for (most, calls, left_out) in [
        (0, 0, 5),
        (newest(1), 1, 4),
        (newest(2), 3, 3),
        (newest(2) - 1, 1, 4),
        (newest(5), 15, 0),
        (u64::MAX, 15, 0),
    ] {
        let limits = Limits::new(None, CancellationToken::default()).reading_at_most(most);
        let source = library.usage().read(false, &limits);
        assert_eq!((source.calls.calls.len(), limits.left_out()), (calls, left_out), "{most}");
    }
}
