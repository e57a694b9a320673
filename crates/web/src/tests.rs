//! Tests of every route.

use library::{Library, Options};
use testkit::Sandbox;

/// The sessions of a sandbox.
pub(crate) fn library(sandbox: &Sandbox) -> Library {
    Library::open(Options {
        roots: vec![(sandbox.config(), store::RootOrigin::Flag)],
        home: Some(sandbox.annals_home()),
        ..Options::default()
    })
}
