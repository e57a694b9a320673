//! A progress bar for long scans, on a terminal.

use crate::failure::notice;
use indicatif::{ProgressBar, ProgressStyle};
use library::progress::Progress;
use std::sync::OnceLock;
use std::time::Duration;

/// A progress bar on standard error, shown once a scan takes longer than a moment.
#[derive(Debug, Default)]
pub(crate) struct Bar {
    enabled: bool,
    label: &'static str,
    bar: OnceLock<ProgressBar>,
    /// What the person was asked to wait for.
    awaited: OnceLock<()>,
}

impl Bar {
    pub(crate) fn new(label: &'static str, enabled: bool) -> Self {
        Bar { enabled, label, ..Bar::default() }
    }

    /// Runs something that writes to the terminal, with the bar hidden.
    pub(crate) fn suspended<T>(&self, what: impl FnOnce() -> T) -> T {
        match self.bar.get() {
            Some(bar) => bar.suspend(what),
            None => what(),
        }
    }
}

/// Shorter scans show no bar.
const WORTH_SHOWING: u64 = 64 << 20;

impl Progress for Bar {
    fn start(&self, bytes: u64) {
        if !self.enabled || bytes < WORTH_SHOWING {
            return;
        }
        let bar = self.bar.get_or_init(|| ProgressBar::new(bytes));
        let template =
            "{msg} {wide_bar} {decimal_bytes}/{decimal_total_bytes} {decimal_bytes_per_sec} {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(self.label);
        bar.enable_steady_tick(Duration::from_millis(100));
    }

    fn advance(&self, bytes: u64) {
        if let Some(bar) = self.bar.get() {
            bar.inc(bytes);
        }
    }

    fn wait_for(&self, what: &'static str) {
        if self.awaited.set(()).is_ok() {
            notice(&format!("annals: waiting for {what}"));
        }
    }

    fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
