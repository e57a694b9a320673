//! Filling an engine, and the accounts of its readers.

use super::lake_access::{LakeAccess, engine_account};
use super::{failure, own_program, print};
use document::{
    Document as _, LakeAnswer, LakeFailure, LakeLoadDocument, LakePolicyDocument,
    LakePolicyFileDocument, LakeSettings,
};
use jiff::Timestamp;
use lake::{
    EngineClient, EngineLoader, EnginePolicy, EngineReader, EngineUrl, ObjectChecker,
    engine_policies,
};

/// Brings the servers in line with the lake.
pub(super) async fn run(
    settings: &LakeSettings,
    servers: &[String],
    loader: &str,
) -> Result<LakeLoadDocument, LakeFailure> {
    let access = LakeAccess::check(settings)?;
    let account = |which: &str, variables: &str, whose: &str| {
        engine_account(settings, which, variables, whose)
    };
    let own = account("engine", "ANNALS_ENGINE", "the loader")?;
    let readers = [
        account(
            "reader-1",
            "ANNALS_READER_1",
            "the first of two readers that must not see each other's rows",
        )?,
        account(
            "reader-2",
            "ANNALS_READER_2",
            "the second of two readers that must not see each other's rows",
        )?,
    ];
    let shards: Result<Vec<EngineClient>, LakeFailure> = servers
        .iter()
        .map(|server| {
            let url: EngineUrl = server.parse().map_err(failure)?;
            EngineClient::new(url, own.clone()).map_err(failure)
        })
        .collect();
    let bucket = access.open(settings)?;
    let loader = EngineLoader {
        bucket: &bucket,
        shards: shards?,
        name: loader.parse().map_err(failure)?,
        readers,
        checker: ObjectChecker::new(own_program()?),
    };
    loader.prepare(Timestamp::now()).await.map_err(failure)?;
    let report = loader.load(|done, total| {
        let step = "loading objects".to_owned();
        // Progress that nobody reads is not worth a failure.
        let _ = print(&LakeAnswer::Progress { step, done, total });
    });
    let report = report.await.map_err(failure)?;
    Ok(LakeLoadDocument {
        schema: LakeLoadDocument::SCHEMA.into(),
        servers: loader.shards.iter().map(|shard| shard.url().to_string()).collect(),
        loader: loader.name.to_string(),
        objects: report.objects,
        loaded: report.loaded,
        rows: report.rows,
        bytes: report.bytes,
        removed: report.removed,
        forgotten: report.forgotten,
        replaced: report.replaced,
        acknowledged: report.acknowledged,
        unusable: report
            .unusable
            .into_iter()
            .map(|object| format!("{}: {}", object.name, object.reason))
            .collect(),
    })
}

/// What accounts are asked for.
pub(super) struct PolicyRequest {
    pub(super) form: String,
    pub(super) server: Option<String>,
    pub(super) readers: Vec<String>,
    pub(super) finance: Vec<String>,
}

/// The accounts of an engine's readers.
pub(super) fn policy(asked: &PolicyRequest) -> Result<LakePolicyDocument, LakeFailure> {
    let server = asked.server.as_deref().unwrap_or("https://localhost");
    let url: EngineUrl = server.parse().map_err(failure)?;
    let (form, name, purpose) = match asked.form.as_str() {
        "sql" => (
            EnginePolicy::Sql,
            "readers.sql",
            "statements for every node, as an administrator; annals' tests do not run them",
        ),
        _ => (
            EnginePolicy::UsersXml,
            "annals-readers.xml",
            "a file for users.d on every node, with the SHA-256 of each password",
        ),
    };
    let mut readers = Vec::new();
    for text in &asked.readers {
        readers.push(text.parse::<EngineReader>().map_err(failure)?);
    }
    for text in &asked.finance {
        let reader: EngineReader = text.parse().map_err(failure)?;
        readers.retain(|other| other.owner != reader.owner);
        readers.push(EngineReader { is_finance: true, ..reader });
    }
    let text = engine_policies(form, url.database(), &readers).map_err(failure)?;
    Ok(LakePolicyDocument {
        schema: LakePolicyDocument::SCHEMA.into(),
        vendor: "clickhouse".into(),
        policies: vec![LakePolicyFileDocument {
            name: name.to_owned(),
            purpose: purpose.to_owned(),
            text,
        }],
    })
}
