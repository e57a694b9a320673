//! `/home/ada/tidepool`, a small Rust web service for tide tables, and most of
//! what can happen to a session.

mod audit;
mod dashboard;
mod endpoint;
mod login;
mod migration;
mod old_versions;
mod passkeys;

use jiff::Timestamp;

use super::files::Files;
use super::identity::{directory, model};
use super::transcript::Setting;

pub(super) fn add_sessions(files: &mut Files, now: Timestamp) {
    login::add_sessions(files, now);
    endpoint::add_sessions(files, now);
    passkeys::add_sessions(files, now);
    migration::add_sessions(files, now);
    audit::add_sessions(files, now);
    dashboard::add_sessions(files, now);
    old_versions::add_sessions(files, now);
}

/// A session of today's app in this project.
fn setting(session: &'static str, branch: &'static str) -> Setting {
    Setting {
        session,
        cwd: directory::TIDEPOOL,
        branch,
        version: "2.1.325",
        slug: None,
        model: model::OPUS,
    }
}
