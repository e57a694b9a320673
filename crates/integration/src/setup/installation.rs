//! The parts installed in one configuration folder, and the order of writes that
//! keeps them removable.

use super::error::SetupError;
use super::receipt::{Receipt, ReceiptEntry};
use super::settings_file::SettingsChange;
use amend::remove_empty;
use jiff::Timestamp;
use std::path::{Path, PathBuf};

/// The receipt's entry for one configuration folder.
#[derive(Debug)]
pub(super) struct Installation {
    receipt: Receipt,
    key: String,
    pub(super) entry: ReceiptEntry,
    /// The copy of the settings from before this run changed them.
    pub(super) backup: Option<PathBuf>,
}

impl Installation {
    pub(super) fn read(data_home: &Path, key: &str) -> Result<Installation, SetupError> {
        let receipt = Receipt::read(data_home)?;
        let entry = receipt.entry(key);
        Ok(Installation { receipt, key: key.to_owned(), entry, backup: None })
    }

    pub(super) fn receipt_path(&self) -> PathBuf {
        self.receipt.path()
    }

    /// Writes the entry into the receipt.
    pub(super) fn record(&mut self) -> Result<(), SetupError> {
        self.receipt.record(&self.key, &self.entry)
    }

    /// Writes the settings: a backup first, and the receipt before anything is
    /// installed or after it is removed. If annals is killed in between, the receipt
    /// lists at least what is installed.
    pub(super) fn write_settings(
        &mut self,
        change: &SettingsChange<'_>,
        now: Timestamp,
        is_removal: bool,
    ) -> Result<(), SetupError> {
        if change.is_change()
            && let Some(before) = change.before()
        {
            self.backup = Some(self.receipt.back_up(before, now)?);
        }
        let former = self.entry.clone();
        self.entry.settings = change.installed.clone();
        if is_removal {
            change.write()?;
            return self.record();
        }
        self.record()?;
        let written = change.write();
        if written.is_err() {
            self.entry = former;
            // If this fails too, the receipt lists more than is installed. That does no
            // harm: a removal checks each part.
            let _ = self.record();
        }
        Ok(written?)
    }

    /// Removes the folders that annals created, if they are empty.
    pub(super) fn remove_folders(&mut self, is_meant: impl Fn(&PathBuf) -> bool) {
        let made = std::mem::take(&mut self.entry.made_folders);
        let (removed, others): (Vec<PathBuf>, Vec<PathBuf>) = made.into_iter().partition(is_meant);
        self.entry.made_folders = others;
        remove_empty(&removed);
    }
}
