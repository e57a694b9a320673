//! The settings that annals uses, and where each comes from.

use crate::{Document, Word};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The settings that annals uses, and where each comes from.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ConfigurationDocument {
    /// The name of this document's schema.
    pub schema: Word,
    /// The configuration file; `null` if there is no folder for one.
    pub path: Option<String>,
    /// Whether it exists.
    pub exists: bool,
    /// The folder for annals' own data.
    pub data_folder: Option<String>,
    /// The settings, in the order of the manual.
    pub settings: Vec<SettingDocument>,
}

impl Document for ConfigurationDocument {
    const SCHEMA: &'static str = "annals/configuration/1";
    const COMMAND: &'static str = "`GET api/1/configuration`";
    const ROWS: Option<&'static str> = Some("settings");
}

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SettingDocument {
    /// Its name, as in the configuration file: `archive.max_age`.
    pub name: Word,
    /// Its value as text; `null` if it is not set.
    pub value: Option<String>,
    /// Where it comes from: `flag`, `environment`, `file`, `default`.
    pub source: Word,
}

impl ConfigurationDocument {
    /// The settings of a configuration file.
    pub fn new(
        path: Option<String>,
        exists: bool,
        data_folder: Option<String>,
        settings: Vec<SettingDocument>,
    ) -> Self {
        ConfigurationDocument { schema: Self::SCHEMA.into(), path, exists, data_folder, settings }
    }
}
