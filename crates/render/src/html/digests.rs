//! The digests by which the Content-Security-Policy of a page names its style and
//! its script. `cargo xtask generate` writes this file.

/// The digest of `page.css`.
pub(super) const STYLE_SOURCE: &str = "sha256-QdWye4Awqf4rqfNolZGB2l5yxK8tATSuc5MHz2zZ1yc=";
/// The digest of `page.js`.
pub(super) const SCRIPT_SOURCE: &str = "sha256-P7+i5VsNwFIPx6w7LBhqViU6Gy0J7/+KaMKL1k+eBIk=";
