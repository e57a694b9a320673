//! Folds every API call of a store: the loader of all usage reports, alone.

#![expect(clippy::print_stdout, reason = "an example reports what it did")]

use library::{Library, NoProgress, Options};
use store::RootOrigin;

fn main() {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let roots = vec![(folder.into(), RootOrigin::Flag)];
    let library = Library::open(Options { roots, ..Options::default() });
    let source = library.usage(false, &NoProgress);
    let calls = &source.calls;
    println!(
        "{} calls in {} files, {:?}, {:?}",
        calls.calls.len(),
        source.files.len(),
        calls.tally,
        calls.duplicates
    );
}
