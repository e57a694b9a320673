//! A user of a server and the password.

use std::fmt;

/// A user of a server and the password.
#[derive(Clone, Eq, PartialEq)]
pub struct EngineAccount {
    /// The user.
    pub user: String,
    /// The password.
    pub password: String,
}

impl fmt::Debug for EngineAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The password is secret.
        f.debug_struct("EngineAccount").field("user", &self.user).finish_non_exhaustive()
    }
}
