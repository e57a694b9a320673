//! Measures how fast rollout files are read, in megabytes per second of CPU time.
//!
//! `cargo run --release -p annals-codex --example codex_speed -- FILE…`

#![expect(clippy::print_stdout, reason = "it is what this program does")]

use std::fs;
use std::hint::black_box;

use apps::codex::{Reader, usage_of};
use apps::read_whole;

fn main() -> Result<(), std::io::Error> {
    const ROUNDS: u32 = 10;
    let files: Result<Vec<_>, _> = std::env::args_os().skip(1).map(fs::read).collect();
    let files = files?;
    let bytes: usize = files.iter().map(Vec::len).sum();
    let measure = |name: &str, read: &dyn Fn(&[u8])| {
        let start = cpu_seconds();
        for file in (0..ROUNDS).flat_map(|_| &files) {
            read(file);
        }
        let seconds = (cpu_seconds() - start) / f64::from(ROUNDS);
        #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
        let rate = bytes as f64 / 1e6 / seconds;
        println!("{name}: {rate:.0} MB per second");
    };
    measure("whole reader", &|file| {
        black_box(read_whole::<Reader>(file));
    });
    measure("usage only", &|file| {
        black_box(usage_of(file));
    });
    Ok(())
}

/// The CPU time of this thread, as Linux tells it.
fn cpu_seconds() -> f64 {
    let status = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = status.split(' ').next().and_then(|field| field.parse::<f64>().ok());
    nanoseconds.unwrap_or(f64::NAN) / 1e9
}
