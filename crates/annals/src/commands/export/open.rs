//! `export --open`: shows an exported file in the browser.

use crate::browser;
use crate::context::Context;
use std::path::Path;

/// Opens a file in the browser.
pub(super) fn open(context: &Context, path: &Path) -> anyhow::Result<()> {
    // An absolute path cannot be taken for an option.
    let path = std::path::absolute(path)?;
    browser::open(context, path.as_os_str(), &path.display().to_string())
}
