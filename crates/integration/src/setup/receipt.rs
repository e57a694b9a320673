//! The receipt, `setup/receipt.json` in the data folder of annals. It records what
//! was installed where, so that setup can remove it again. Backups of settings are
//! beside it.

use super::error::SetupError;
use amend::settings::InstalledParts;
use amend::{ObservedFile, make_folders};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const SCHEMA: &str = "annals/setup-receipt/1";

/// The receipt on disk.
#[derive(Debug)]
pub(super) struct Receipt {
    folder: PathBuf,
    /// The file as it was read: another run may have changed it since.
    seen: ObservedFile,
    content: Content,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Content {
    schema: String,
    /// By configuration folder.
    configs: BTreeMap<String, ReceiptEntry>,
}

/// The parts installed in one configuration folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ReceiptEntry {
    /// The changes in its settings.
    pub(super) settings: InstalledParts,
    /// Folders that annals created for its files, the topmost first.
    pub(super) made_folders: Vec<PathBuf>,
    /// The program that was registered as an MCP server.
    pub(super) mcp: Option<String>,
}

impl Receipt {
    /// Reads the receipt from the data folder of annals.
    pub(super) fn read(data_home: &Path) -> Result<Receipt, SetupError> {
        let folder = data_home.join("setup");
        let path = folder.join("receipt.json");
        let seen = ObservedFile::read(&path)?;
        let content = match &seen.bytes {
            None => Content::default(),
            Some(bytes) => serde_json::from_slice(bytes)
                .ok()
                .filter(|content: &Content| content.schema == SCHEMA)
                .ok_or(SetupError::Receipt(path))?,
        };
        Ok(Receipt { folder, seen, content })
    }

    /// Its path.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.join("receipt.json")
    }

    /// The parts installed in a configuration folder.
    pub(super) fn entry(&self, config: &str) -> ReceiptEntry {
        self.content.configs.get(config).cloned().unwrap_or_default()
    }

    /// Replaces the entry of a configuration folder, on disk too.
    pub(super) fn record(&mut self, config: &str, entry: &ReceiptEntry) -> Result<(), SetupError> {
        let is_empty =
            entry.settings.is_empty() && entry.made_folders.is_empty() && entry.mcp.is_none();
        let mut content = self.content.clone();
        SCHEMA.clone_into(&mut content.schema);
        if is_empty {
            content.configs.remove(config);
        } else {
            content.configs.insert(config.to_owned(), entry.clone());
        }
        if content.configs == self.content.configs {
            return Ok(());
        }
        make_folders(&self.folder)?;
        if content.configs.is_empty() {
            self.seen.remove()?;
        } else {
            let text = serde_json::to_string_pretty(&content)? + "\n";
            self.seen.replace(text.as_bytes(), 0o600)?;
        }
        self.seen = ObservedFile::read(&self.path())?;
        self.content = content;
        Ok(())
    }

    /// Copies a settings file that is about to change; returns the path.
    pub(super) fn back_up(&self, bytes: &[u8], now: Timestamp) -> Result<PathBuf, SetupError> {
        make_folders(&self.folder)?;
        let time = now.strftime("%Y%m%dT%H%M%SZ").to_string();
        for number in 1..100 {
            let more = if number == 1 { String::new() } else { format!("-{number}") };
            let path = self.folder.join(format!("settings.{time}{more}.json"));
            let seen = ObservedFile::read(&path)?;
            if seen.bytes.is_none() {
                seen.replace(bytes, 0o600)?;
                return Ok(path);
            }
            if seen.bytes.as_deref() == Some(bytes) {
                return Ok(path);
            }
        }
        Err(SetupError::Backups(self.folder.clone()))
    }
}
