//! The digests by which the Content-Security-Policy of a page names its style and
//! its script. `cargo xtask generate` writes this file.

/// The digest of `page.css`.
pub(super) const STYLE_SOURCE: &str = "sha256-J6cV7dq+i15UJa4waMWLGldlRqx4M4QaE6wXWt4mGsU=";
/// The digest of `page.js`.
pub(super) const SCRIPT_SOURCE: &str = "sha256-cGkuJxy9nb6gGnymrVwr9E2WbCsQENgFLSeYv2tiv0I=";
