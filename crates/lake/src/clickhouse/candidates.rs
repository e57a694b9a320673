//! Which sessions a question needs: at least those that can have an effect on its answer.
//!
//! Words are found by the index of words, which has the words of annals itself; everything
//! else about a match is decided by the local code.

use super::client::{EngineClient, EngineError, Parameter};
use super::schema::{self, CANARY};
use crate::names::{Audience, Owner, SessionId, Table};
use document::LakeQuestion;
use std::collections::BTreeSet;

/// A session of an owner.
pub(super) type OwnedSession = (Owner, SessionId);

/// The tables from which sessions are laid out. Blocks repeat what lines say.
pub(super) fn tables() -> impl Iterator<Item = Table> {
    Table::ALL.into_iter().filter(|table| {
        schema::has_session(*table) && !schema::has_words(*table) && *table != Table::Calls
    })
}

/// Rows for these readers.
pub(super) fn for_audience(audience: &Audience) -> Parameter {
    Parameter::text("audience", &audience.to_string())
}

/// The sessions that a question needs.
pub(super) async fn candidates(
    client: &EngineClient,
    question: &LakeQuestion,
    audience: &Audience,
) -> Result<BTreeSet<OwnedSession>, EngineError> {
    let words_table = Table::ALL.into_iter().find(|table| schema::has_words(*table));
    let file_table = Table::ALL.into_iter().find(|table| table.key().contains(&"file"));
    match question {
        LakeQuestion::Search { words } if !words.is_empty() => {
            if let Some(table) = words_table {
                let parameters = [Parameter::texts("words", words.iter().map(String::as_str))];
                let condition = "hasAllTokens(words, {words:Array(String)})";
                return sessions_of(client, table, audience, condition, &parameters).await;
            }
        }
        LakeQuestion::Session { name } => {
            let parameters = [Parameter::text("name", name)];
            let condition = "startsWith(session_id, {name:String})";
            let mut found = BTreeSet::new();
            for table in tables() {
                found.extend(sessions_of(client, table, audience, condition, &parameters).await?);
            }
            // Otherwise it is a word of a title, or nothing.
            if !found.is_empty() {
                return Ok(found);
            }
        }
        LakeQuestion::Files { path: Some(path) } => {
            // The longest part without a pattern: every path that matches has it.
            let part =
                path.split(['*', '?', '[', ']', '{', '}', '/', '~']).max_by_key(|it| it.len());
            if let (Some(table), Some(part)) = (file_table, part.filter(|part| !part.is_empty())) {
                let parameters = [Parameter::text("part", part)];
                let condition = "positionCaseInsensitiveUTF8(file, {part:String}) > 0";
                return sessions_of(client, table, audience, condition, &parameters).await;
            }
        }
        _ => {}
    }
    let mut all = BTreeSet::new();
    for table in tables() {
        all.extend(sessions_of(client, table, audience, "1", &[]).await?);
    }
    Ok(all)
}

async fn sessions_of(
    client: &EngineClient,
    table: Table,
    audience: &Audience,
    condition: &str,
    parameters: &[Parameter],
) -> Result<BTreeSet<OwnedSession>, EngineError> {
    let statement = format!(
        "SELECT DISTINCT owner, session_id FROM {}.{}_all WHERE audience = {{audience:String}} AND \
         object != '{CANARY}' AND {condition}",
        client.url().database(),
        table.as_str(),
    );
    let parameters = [&[for_audience(audience)], parameters].concat();
    let rows = client.lines(&statement, &parameters).await?;
    // Names that are none of ours were written by somebody else.
    let parsed = rows.iter().filter_map(|row| match &row[..] {
        [owner, session] => Some((owner.parse().ok()?, session.parse().ok()?)),
        _ => None,
    });
    Ok(parsed.collect())
}
