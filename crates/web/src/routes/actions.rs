//! What pages can change: bookmarks, tags, titles and the archive.
//!
//! An action is a POST with a JSON body, from a page of this server or with the bearer
//! token, and it has a header with a value of this process, which no form and no image of
//! another site can send. A server that was started with `--read-only` has none.
//!
//! Deliberately not here: writing (`library::archive::Actions`), and running any program.

use crate::answer::Answer;
use crate::app::App;
use crate::dispatch::read_body;
use crate::failure::Failure;
use crate::request::Call;
use crate::routes::health::check_unfiltered;
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode};
use document::{
    ArchiveRestoreDocument, ArchiveSyncDocument, ArchiveVerifyDocument, FileProblemDocument,
    MarkEntryDocument, MarksDocument, RenamedDocument, TaggedDocument,
};
use library::archive::{ArchiveError, NotEditableError, RestoreOptions, SetMarkError, SyncOptions};
use library::progress::NoProgress;
use library::session::Session;
use library::sessions::TurnNumber;
use serde_json::{Map, Value};

/// The header that actions need.
const HEADER: &str = "x-annals";

/// Checks that a request may act, and reads its body.
pub(crate) async fn check(app: &App, headers: &HeaderMap, body: Body) -> Result<Value, Failure> {
    if app.settings.is_read_only {
        let text = "this server is read-only";
        return Err(Failure::new(StatusCode::FORBIDDEN, text)
            .with_hint("start annals web without --read-only"));
    }
    let mut values = headers.get_all(HEADER).iter();
    let token = values.next().and_then(|value| value.to_str().ok());
    let is_ours = token.is_some_and(|token| app.action_token.matches(token));
    if !is_ours || values.next().is_some() {
        let text = "the header X-Annals does not have the value of this server";
        return Err(Failure::new(StatusCode::FORBIDDEN, text).with_hint("reload the page"));
    }
    // A browser says where a POST comes from; a program shows the bearer token.
    let is_page = headers.get("sec-fetch-site").is_some_and(|site| site == "same-origin")
        || headers.contains_key("origin");
    if !is_page && !app.has_bearer(headers) {
        let text = "actions are for pages of this server and programs with the bearer token";
        return Err(Failure::new(StatusCode::FORBIDDEN, text));
    }
    read_body(app, headers, body).await
}

/// The members of a body, none of them unknown.
struct Members<'b>(&'b Map<String, Value>);

impl<'b> Members<'b> {
    fn new(body: &'b Value, known: &[&str]) -> Result<Members<'b>, Failure> {
        let members = body.as_object();
        let members = members.ok_or_else(|| Failure::bad_request("the body is not an object"))?;
        match members.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => {
                let name: String = name.chars().take(40).collect();
                Err(Failure::bad_request(format!("unknown member {name:?}")))
            }
            None => Ok(Members(members)),
        }
    }

    /// A text; `None` if it is absent or null.
    fn text(&self, name: &str) -> Result<Option<&'b str>, Failure> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Failure::bad_request(format!("the member {name} is not a text"))),
        }
    }

    /// A turn: `12` or `"b1.2"`, as documents write it.
    fn turn(&self, name: &str) -> Result<Option<TurnNumber>, Failure> {
        let text = match self.0.get(name) {
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => self.text(name)?.map(str::to_owned),
        };
        let parse = |text: String| {
            text.parse::<TurnNumber>()
                .map_err(|error| Failure::of_message(StatusCode::BAD_REQUEST, &error.to_string()))
        };
        text.map(parse).transpose()
    }

    fn required(&self, name: &str) -> Result<&'b str, Failure> {
        self.text(name)?
            .ok_or_else(|| Failure::bad_request(format!("the member {name} is missing")))
    }

    fn flag(&self, name: &str) -> Result<bool, Failure> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(Failure::bad_request(format!("the member {name} is not true or false"))),
        }
    }
}

/// Sets or removes a bookmark.
pub(super) fn mark(call: &Call<'_>, body: &Value) -> Result<Answer, Failure> {
    let members = Members::new(body, &["session", "turn", "agent", "note", "remove"])?;
    let session = call.find(members.required("session")?)?;
    let found = match members.text("agent")? {
        None => session,
        Some(agent) => call.agent_of(&session, agent)?,
    };
    let turn = members.turn("turn")?;
    let open = call.open(&found)?;
    let actions = call.library.actions();
    let mark = if members.flag("remove")? {
        let removed =
            actions.remove_mark(&open, turn, call.now).map_err(|error| mark_failure(&error))?;
        removed.ok_or_else(|| Failure::not_found("there is no bookmark"))?
    } else {
        actions
            .set_mark(&open, turn, members.text("note")?, call.now)
            .map_err(|error| mark_failure(&error))?
    };
    let entry = MarkEntryDocument::new(&mark, Some(&found.session), turn);
    call.document(&MarksDocument::new(1, vec![entry]))
}

fn mark_failure(error: &SetMarkError) -> Failure {
    let status = match error {
        SetMarkError::Turn(_) => StatusCode::NOT_FOUND,
        SetMarkError::LongNote => StatusCode::BAD_REQUEST,
        SetMarkError::Ledger(_) => StatusCode::INTERNAL_SERVER_ERROR,
    };
    Failure::of_message(status, &error.to_string())
}

/// Sets or removes a tag.
pub(super) fn tag(call: &Call<'_>, body: &Value) -> Result<Answer, Failure> {
    let members = Members::new(body, &["session", "tag"])?;
    let session = idle_session(call, members.required("session")?)?;
    let tagged = call.library.actions().tag(&session, members.text("tag")?);
    let tagged = tagged.map_err(|error| edit_failure(&error))?;
    call.document(&TaggedDocument::new(&session.id, &tagged))
}

/// Sets a title.
pub(super) fn rename(call: &Call<'_>, body: &Value) -> Result<Answer, Failure> {
    let members = Members::new(body, &["session", "title"])?;
    let session = idle_session(call, members.required("session")?)?;
    let renamed = call.library.actions().rename(&session, members.required("title")?);
    let renamed = renamed.map_err(|error| edit_failure(&error))?;
    call.document(&RenamedDocument::new(&session.id, &renamed))
}

/// A session that may be written: no process of Claude Code writes it now.
fn idle_session(call: &Call<'_>, id: &str) -> Result<Session, Failure> {
    let found = call.find(id)?;
    if found.agent_id().is_some() {
        return Err(Failure::bad_request("an agent has neither a title nor a tag"));
    }
    if call.library.catalog().is_running(&found.session) {
        let text = "the session is running; Claude Code writes its title and tag itself";
        return Err(
            Failure::new(StatusCode::CONFLICT, text).with_hint("try again when it has ended")
        );
    }
    Ok(found.session)
}

fn edit_failure(error: &NotEditableError) -> Failure {
    let status = match error {
        NotEditableError::Empty(_) => StatusCode::BAD_REQUEST,
        NotEditableError::Json(_) | NotEditableError::Append(_) => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
        _ => StatusCode::CONFLICT,
    };
    Failure::of_message(status, &error.to_string())
}

/// Backs up new and changed sessions.
pub(super) fn sync(call: &Call<'_>, body: &Value) -> Result<Answer, Failure> {
    Members::new(body, &[])?;
    // It would back up sessions that are not served, and its report counts them.
    check_unfiltered(call)?;
    let options = SyncOptions { now: call.now, only: None, max_age: call.app.settings.max_age };
    let report = call.library.actions().sync(options, &NoProgress, &|_| ());
    let report = report.map_err(|error| archive_failure(&error))?;
    call.document(&ArchiveSyncDocument::from(&report))
}

/// Checks the archive.
pub(super) fn verify(call: &Call<'_>, body: &Value) -> Result<Answer, Failure> {
    Members::new(body, &[])?;
    check_unfiltered(call)?;
    let (verified, damaged) =
        call.library.archive().verify(false, call.now).map_err(|error| archive_failure(&error))?;
    let damaged = damaged.into_iter().map(|(path, reason)| FileProblemDocument {
        path: path.to_string_lossy().into_owned(),
        reason,
    });
    call.document(&ArchiveVerifyDocument::new(&verified, false, damaged.collect()))
}

/// Restores a session from the archive to where it was.
pub(super) fn restore(call: &Call<'_>, body: &Value) -> Result<Answer, Failure> {
    let members = Members::new(body, &["session"])?;
    let found = call.find(members.required("session")?)?;
    let id = found.session.id.as_str();
    let options = RestoreOptions { id, to: None, generation: None, now: call.now };
    let restored = call.library.actions().restore(options);
    let restored = restored.map_err(|error| archive_failure(&error))?;
    call.document(&ArchiveRestoreDocument::new(id, &restored))
}

pub(super) fn archive_failure(error: &ArchiveError) -> Failure {
    let status = match error {
        ArchiveError::NotArchived(_) | ArchiveError::Forgotten(_) => StatusCode::NOT_FOUND,
        ArchiveError::Refused(_) => StatusCode::CONFLICT,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    Failure::of_message(status, &error.to_string())
}
