//! Brings onto this machine what a question about the lake needs.

use super::lake_access::{LakeAccess, engine_account};
use super::{failure, wrong};
use document::{LakeFailure, LakeOwnerView, LakeQuestion, LakeSettings, LakeView};
use jiff::Timestamp;
use lake::{ClickHouse, Engine as _, EngineClient, EngineUrl, Reader, Scope, View, kept_view};
use std::path::{Path, PathBuf};

/// What is asked.
pub(super) struct ReadRequest {
    pub(super) data_home: String,
    pub(super) question: LakeQuestion,
    pub(super) scope: String,
}

pub(super) async fn run(
    settings: &LakeSettings,
    asked: ReadRequest,
) -> Result<LakeView, LakeFailure> {
    let access = LakeAccess::check(settings)?;
    let scope: Scope = asked.scope.parse().map_err(failure)?;
    let question = asked.question;
    if let Some(server) = &settings.engine
        && ClickHouse::can_answer(&question, &scope)
    {
        return ask_engine(settings, &access, server, &asked.data_home, &question, &scope).await;
    }
    let folder = folder(&asked.data_home, &access, "");
    let answer = match access.open(settings) {
        Ok(bucket) => {
            let owner = access.owner.clone();
            let engine =
                Reader { bucket: &bucket, owner, folder: folder.clone(), now: Timestamp::now() };
            engine.view(&question, &scope).await.map_err(|error| error.to_string())
        }
        Err(failure) => Err(failure.message),
    };
    match answer {
        Ok(view) => Ok(document(&access, view, None)),
        // What it answered before is better than nothing, as long as that is said.
        Err(problem) => match kept_view(&folder, &question, &scope) {
            Some(view) => Ok(document(&access, view, Some(problem))),
            None => Err(failure(format!(
                "cannot read {}: {problem}\nhint: nothing of it was read before; check the \
                 connection, the credentials and the policies of the bucket",
                access.url
            ))),
        },
    }
}

/// Asks a server. An old answer to another question would not be one to this question, so
/// there is none without the server.
async fn ask_engine(
    settings: &LakeSettings,
    access: &LakeAccess,
    server: &str,
    data_home: &str,
    question: &LakeQuestion,
    scope: &Scope,
) -> Result<LakeView, LakeFailure> {
    let url: EngineUrl = server.parse().map_err(|error| wrong("lake.engine", error))?;
    let account = engine_account(settings, "engine", "ANNALS_ENGINE", "lake.engine")?;
    let engine = ClickHouse {
        client: EngineClient::new(url, account).map_err(failure)?,
        owner: access.owner.clone(),
        folder: folder(data_home, access, server),
        now: Timestamp::now(),
    };
    let view = engine.view(question, scope).await.map_err(failure)?;
    Ok(document(access, view, None))
}

/// Each lake has a separate folder for each owner and engine: what one may read, another may
/// not.
fn folder(data_home: &str, access: &LakeAccess, engine: &str) -> PathBuf {
    let place = format!("{}\n{}\n{engine}", access.url, access.owner);
    let digest = blake3::hash(place.as_bytes()).to_hex();
    Path::new(data_home).join("lake/read").join(&digest[..16])
}

fn document(access: &LakeAccess, view: View, problem: Option<String>) -> LakeView {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let owner = |owner: lake::OwnerView| LakeOwnerView {
        owner: owner.owner.to_string(),
        root: owner.root.as_deref().map(text),
        projects: owner.projects,
        days: owner.days.as_deref().map(text),
        sessions: owner.sessions,
        with_metadata: owner.with_metadata,
        with_text: owner.with_text,
    };
    LakeView {
        reader: access.owner.to_string(),
        home: text(&view.home),
        owners: view.owners.into_iter().map(owner).collect(),
        as_of: view.as_of,
        problem,
        unusable: view.unusable.into_iter().map(|it| (it.name, it.reason)).collect(),
    }
}
