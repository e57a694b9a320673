//! The settings of a request as the types of the lake, and the storage they name.

use super::{environment, failure, wrong};
use document::{LakeCommand, LakeFailure, LakeLevel, LakeSettings};
use lake::{
    Audience, CredentialsCommand, EngineAccount, Installation, ObjectBucket, Owner, StorageOptions,
    StorageUrl,
};

const ONLY_USAGE: &str = "a shared folder takes only usage, because everyone with access to the \
    folder can read everything in it\nhint: pass --everyone-may-read to annals lake init, or set \
    lake.everyone_may_read = true, if that is intended";

/// Checked settings.
pub(super) struct LakeAccess {
    pub(super) url: StorageUrl,
    pub(super) owner: Owner,
}

impl LakeAccess {
    /// Checks everything that can be checked without a request.
    pub(super) fn check(settings: &LakeSettings) -> Result<Self, LakeFailure> {
        let missing = |setting: &str| {
            wrong(setting, "not set\nhint: run annals lake init URL to configure a lake")
        };
        let text = settings.url.as_ref().ok_or_else(|| missing("lake.url"))?;
        let url: StorageUrl = text.parse().map_err(|error| wrong("lake.url", error))?;
        let owner = settings.owner.as_ref().ok_or_else(|| missing("lake.owner"))?;
        let owner: Owner = owner.parse().map_err(|error| wrong("lake.owner", error))?;
        for rule in &settings.share {
            let audience: Result<Audience, _> = rule.with.parse();
            audience.map_err(|error| wrong("lake.share.with", error))?;
        }
        let access = LakeAccess { url, owner };
        let highest = settings.share.iter().map(|rule| rule.level).chain([settings.level]).max();
        if access.takes_only_usage(settings) && highest > Some(LakeLevel::Usage) {
            return Err(wrong("lake.level", ONLY_USAGE));
        }
        Ok(access)
    }

    /// Checks the address alone, for administrators who may share nothing themselves. The
    /// owner is the configured one, or a placeholder that nothing is done for.
    pub(super) fn check_place(settings: &LakeSettings) -> Result<Self, LakeFailure> {
        let hint = "not set\nhint: run annals lake init URL to configure a lake";
        let text = settings.url.as_ref().ok_or_else(|| wrong("lake.url", hint))?;
        let url: StorageUrl = text.parse().map_err(|error| wrong("lake.url", error))?;
        let owner = settings.owner.as_deref().unwrap_or("nobody");
        let owner: Owner = owner.parse().map_err(|error| wrong("lake.owner", error))?;
        Ok(LakeAccess { url, owner })
    }

    /// The configured owner.
    pub(super) fn owner(&self, settings: &LakeSettings) -> Result<Owner, LakeFailure> {
        let hint = "not set\nhint: run annals lake init URL to configure a lake";
        settings.owner.as_ref().map(|_| self.owner.clone()).ok_or_else(|| wrong("lake.owner", hint))
    }

    /// Whether nothing above usage may go there, whatever a rule or a decision says.
    fn takes_only_usage(&self, settings: &LakeSettings) -> bool {
        self.url.is_folder() && !settings.everyone_may_read
    }

    /// The highest level that may leave.
    pub(super) fn highest_level(&self, settings: &LakeSettings) -> LakeLevel {
        let allowed = settings.max_level.unwrap_or(LakeLevel::Text);
        if self.takes_only_usage(settings) { LakeLevel::Usage } else { allowed }
    }

    /// Refuses to share text where none may leave.
    pub(super) fn check_text(&self, settings: &LakeSettings) -> Result<(), LakeFailure> {
        let highest = self.highest_level(settings);
        if highest >= LakeLevel::Text {
            return Ok(());
        }
        if self.takes_only_usage(settings) {
            return Err(failure(ONLY_USAGE));
        }
        Err(failure(format!("your organisation allows at most the level {}", highest.name())))
    }

    /// Opens the storage.
    pub(super) fn open(&self, settings: &LakeSettings) -> Result<ObjectBucket, LakeFailure> {
        let options = StorageOptions {
            credentials_command: settings.credentials_command.clone().map(command),
            variables: environment::storage_variables(),
            ..StorageOptions::default()
        };
        ObjectBucket::open(&self.url, &options).map_err(failure)
    }
}

fn command(setting: LakeCommand) -> CredentialsCommand {
    match setting {
        LakeCommand::Program(words) => CredentialsCommand::Program(words),
        LakeCommand::Shell(line) => CredentialsCommand::Shell(line),
    }
}

/// An account of the engine: from the command, which gets `which`, or from two variables.
pub(super) fn engine_account(
    settings: &LakeSettings,
    which: &str,
    variables: &str,
    whose: &str,
) -> Result<EngineAccount, LakeFailure> {
    if let Some(setting) = settings.engine_command.clone() {
        return EngineAccount::from_command(&command(setting), which).map_err(failure);
    }
    environment::engine_account(variables).ok_or_else(|| {
        failure(format!(
            "no account for {whose}\nhint: set lake.engine_command, or the variables \
             {variables}_USER and {variables}_PASSWORD"
        ))
    })
}

/// The id of this home.
pub(super) fn installation(settings: &LakeSettings) -> Result<Option<Installation>, LakeFailure> {
    let parsed = settings.installation.as_ref().map(|text| text.parse());
    parsed.transpose().map_err(failure)
}
