//! The digests by which the Content-Security-Policy of a page names its style and
//! its script. `cargo xtask generate` writes this file.

/// The digest of `conversation.css` and `page.css`.
pub(super) const STYLE_SOURCE: &str = "sha256-IDcg3/frHfYsfkArqxCY4s68LNp95HISx9SvKteIVP4=";
/// The digest of `page.js`.
pub(super) const SCRIPT_SOURCE: &str = "sha256-cGkuJxy9nb6gGnymrVwr9E2WbCsQENgFLSeYv2tiv0I=";
