//! The environment of the program.

#![expect(clippy::disallowed_methods, reason = "this is the one module that reads the environment")]

use lake::{EngineAccount, StorageVariables};

/// The variables of object storage.
pub(super) fn storage_variables() -> StorageVariables {
    StorageVariables::read(|name| std::env::var(name).ok())
}

/// An account of an engine, from two variables with this beginning: `…_USER` and `…_PASSWORD`.
pub(super) fn engine_account(beginning: &str) -> Option<EngineAccount> {
    let variable = |end: &str| {
        std::env::var(format!("{beginning}_{end}")).ok().filter(|value| !value.is_empty())
    };
    Some(EngineAccount {
        user: variable("USER")?,
        password: variable("PASSWORD").unwrap_or_default(),
    })
}
