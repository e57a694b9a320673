//! The environment of the program.

#![expect(clippy::disallowed_methods, reason = "this is the one module that reads the environment")]

use lake::StorageVariables;

/// The variables of object storage.
pub(super) fn storage_variables() -> StorageVariables {
    StorageVariables::read(|name| std::env::var(name).ok())
}
