//! The server itself: its state for pages, and codes for a second `annals web`.

use crate::answer::Answer;
use crate::app::App;
use crate::failure::Failure;
use crate::request::Call;
use crate::secret::Secret;
use document::{Document as _, WarnedDocument, WarningDocument, WebStateDocument};
use serde_json::{Value, json};
use std::time::Instant;

/// What a page needs to know of its server.
pub(crate) fn state(call: &Call<'_>) -> Result<Answer, Failure> {
    let mut warnings =
        WarningDocument::of(&call.library.catalog().apps().unread().list(), &[], &[]);
    for warning in &mut warnings {
        warning.path = call.masked(&warning.path);
        warning.message = call.masked(&warning.message);
    }
    let state = state_document(call);
    Answer::document(&WarnedDocument { document: &state, warnings: &warnings }, None)
        .map_err(|error| Failure::internal(format!("cannot write the answer as JSON: {error}")))
}

/// The state. Names in it are masked one by one: the token for actions looks like a secret,
/// and is one that the page needs.
pub(crate) fn state_document(call: &Call<'_>) -> WebStateDocument {
    let settings = &call.app.settings;
    let roots = call.library.catalog().roots();
    let masked = |text: &str| match &settings.redactor {
        Some(redactor) => redactor.mask(text).into_owned(),
        None => text.to_owned(),
    };
    let is_archived = roots.is_empty() && !call.library.archive().archived_roots().is_empty();
    WebStateDocument {
        schema: WebStateDocument::SCHEMA.into(),
        version: settings.version.to_owned(),
        token: (!settings.is_read_only).then(|| call.app.action_token.expose().to_owned()),
        read_only: settings.is_read_only,
        reveal: settings.redactor.is_none(),
        demo: settings.is_demo,
        roots: roots.iter().map(|root| masked(&root.path.to_string_lossy())).collect(),
        filters: settings
            .filters
            .iter()
            .map(|(name, value)| (name.clone(), masked(value)))
            .collect(),
        zone: settings.zone.iana_name().unwrap_or("UTC").to_owned(),
        now: call.now.into(),
        has_store: !roots.is_empty()
            || is_archived
            || !call.library.catalog().apps().homes().is_empty(),
        home_folder: settings.home_folder.clone(),
        index: call.app.index_state(),
        process: call.app.process.clone(),
    }
}

/// The settings that the server was started with.
pub(super) fn configuration(call: &Call<'_>) -> Result<Answer, Failure> {
    call.document(&call.app.settings.configuration)
}

/// Makes a one-time code for a program that has the bearer token, and proves that this
/// server has it too: the program would otherwise open whatever listens at its port.
pub(crate) fn code(app: &App, body: &Value) -> Result<Answer, Failure> {
    let nonce = body["nonce"].as_str().filter(|nonce| (16..=128).contains(&nonce.len()));
    let nonce = nonce.ok_or_else(|| Failure::bad_request("the member nonce is missing"))?;
    let code = app.entry.issue(Instant::now());
    let code = code.map_err(|error| Failure::internal(format!("no random numbers: {error}")))?;
    let proof = proof(&app.bearer, nonce, code.expose());
    Ok(Answer::json(json!({ "code": code.expose(), "proof": proof }).to_string()))
}

/// What only a program with the bearer token can compute of a nonce and a code.
pub fn proof(bearer: &Secret, nonce: &str, code: &str) -> String {
    let key =
        blake3::derive_key("annals web 1: the server at this port", bearer.expose().as_bytes());
    blake3::keyed_hash(&key, format!("{nonce} {code}").as_bytes()).to_hex().to_string()
}
