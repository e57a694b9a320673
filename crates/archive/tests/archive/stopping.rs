//! A sync that is stopped: the archive stays whole, and the next sync does the rest.

use super::{area, folder, noise, now, open, sync, transcript, verify, versions};
use archive::SyncOptions;
use store::progress::{CancellationToken, Limits, Progress};
use store::testing::CancelAfter;
use testkit::Sandbox;

const MEBIBYTE: usize = 1 << 20;

fn sync_with(sandbox: &Sandbox, progress: &dyn Progress) -> archive::SyncReport {
    let areas = [area(sandbox)];
    let options = SyncOptions { areas: &areas, only: None, admits: &|_| true, now: now() };
    archive::sync(&folder(sandbox), &options, progress, &|_| {}).unwrap()
}

#[test]
fn cancelled_sync_archives_nothing_and_is_not_noted_as_a_sync() {
    let sandbox = Sandbox::new();
    for number in 1..=3 {
        sandbox.write(&transcript(number), noise(1000, u64::from(number)));
    }
    let token = CancellationToken::default();
    token.cancel();
    let limits = Limits::new(None, token);
    let synced = sync_with(&sandbox, &limits);
    assert_eq!((synced.changed, synced.left_out, limits.left_out()), (0, 3, 3));
    assert_eq!(archive::last_sync(&folder(&sandbox)), None);
    assert_eq!(sync(&sandbox).changed, 3);
    assert_eq!(archive::last_sync(&folder(&sandbox)), Some(now()));
}

#[test]
fn large_file_is_left_out_between_two_of_its_frames() {
    let sandbox = Sandbox::new();
    let bytes = noise(6 * MEBIBYTE, 1);
    sandbox.write(&transcript(1), &bytes);
    // Asked once for the file and once for each of its frames.
    let progress = CancelAfter::new(3);
    let synced = sync_with(&sandbox, &progress);
    assert_eq!((synced.changed, synced.left_out), (0, 1));
    assert_eq!(progress.left_out(), 1);
    assert!(synced.stored_bytes < 3 * MEBIBYTE as u64, "{}", synced.stored_bytes);
    assert!(verify(&sandbox).is_whole());
    assert_eq!(sync(&sandbox).changed, 1);
    assert_eq!(versions(&open(&sandbox), &transcript(1)), [bytes]);
    assert!(verify(&sandbox).is_whole());
}

#[test]
fn stopped_sync_keeps_the_files_it_has_read() {
    let sandbox = Sandbox::new();
    for number in 1..=40 {
        sandbox.write(&transcript(number), noise(1000, u64::from(number)));
    }
    let synced = sync_with(&sandbox, &CancelAfter::new(20));
    assert_eq!(synced.changed + synced.left_out, 40);
    assert!(synced.changed > 0 && synced.left_out > 0, "{synced:?}");
    assert!(verify(&sandbox).is_whole());
    assert_eq!(sync(&sandbox).changed, synced.left_out);
    for number in 1..=40 {
        let expected = noise(1000, u64::from(number));
        assert_eq!(versions(&open(&sandbox), &transcript(number)), [expected]);
    }
}
