//! `/home/ada/tidepool`, a small Rust web service for tide tables, and most of
//! what can happen to a session.

mod audit;
mod beginnings;
mod dashboard;
mod endpoint;
mod login;
mod migration;
mod passkeys;

use jiff::Timestamp;

use super::files::Files;
use super::identity::{model, place};
use super::transcript::Setting;

pub(super) fn tell(files: &mut Files, now: Timestamp) {
    login::tell(files, now);
    endpoint::tell(files, now);
    passkeys::tell(files, now);
    migration::tell(files, now);
    audit::tell(files, now);
    dashboard::tell(files, now);
    beginnings::tell(files, now);
}

/// A session of today's app in this project.
fn setting(session: &'static str, branch: &'static str) -> Setting {
    Setting {
        session,
        cwd: place::TIDEPOOL,
        branch,
        version: "2.1.325",
        slug: None,
        model: model::OPUS,
    }
}
