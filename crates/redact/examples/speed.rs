//! `cargo run --release -p annals-redact --example speed FILE…`: megabytes per
//! second of CPU time (on Linux, elsewhere of wall-clock time), as plain text
//! and as JSON lines.

#![expect(clippy::print_stdout, reason = "an example that measures")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use redact::{Level, Redactor};

/// The CPU time of this thread so far.
fn used(began: &Instant) -> Duration {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse().ok())
        .map_or_else(|| began.elapsed(), Duration::from_nanos)
}

fn main() {
    let began = Instant::now();
    let files: Vec<String> =
        std::env::args().skip(1).filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    let megabytes = files.iter().map(String::len).sum::<usize>() / 1_000_000;
    for level in [Level::Standard, Level::Strict] {
        let redactor = Redactor::new(level, [7; 32]);
        for (what, json) in [("text", false), ("json", true)] {
            let best = (0..5)
                .map(|_| {
                    let start = used(&began);
                    for line in files.iter().flat_map(|file| file.lines()) {
                        if json {
                            black_box(redactor.mask_json(line));
                        } else {
                            black_box(redactor.mask(line));
                        }
                    }
                    used(&began).saturating_sub(start).as_millis().max(1)
                })
                .min()
                .unwrap_or(1);
            println!(
                "{level:?} {what}: {megabytes} MB in {best} ms, {} MB/s",
                megabytes as u128 * 1000 / best
            );
        }
    }
}
