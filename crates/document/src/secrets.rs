//! Which sessions hold secrets.

use crate::table::{Column, columns};
use crate::{Document, Keyword, show_line_command};
use library::health::SessionSecrets;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Secrets in sessions: kinds and places, never the secrets themselves.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SecretsDocument {
    /// The name of this document's schema.
    pub schema: Keyword,
    /// Sessions that were searched.
    pub searched: usize,
    /// The secrets, an entry for each kind in each file.
    pub secrets: Vec<SecretDocument>,
}

impl Document for SecretsDocument {
    const SCHEMA: &'static str = "annals/secrets/1";
    const COMMAND: &'static str = "`annals doctor --secrets`";
    const ROWS: Option<&'static str> = Some("secrets");
    const COLUMNS: &'static [Column] =
        &columns(["session_id", "path", "agent_id", "rule", "count", "lines", "command"]);
}

impl SecretsDocument {
    /// The secrets found in a number of searched sessions.
    pub fn new(searched: usize, secrets: Vec<SecretDocument>) -> Self {
        SecretsDocument { schema: Self::SCHEMA.into(), searched, secrets }
    }
}

/// Secrets of one kind in one file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SecretDocument {
    /// The session.
    pub session_id: String,
    /// The file.
    pub path: String,
    /// The sub-agent whose transcript it is.
    pub agent_id: Option<String>,
    /// The kind of secret.
    pub rule: Keyword,
    /// How many there are.
    pub count: u64,
    /// The lines they are on.
    pub lines: Vec<u64>,
    /// The command that shows the turn of the first; `null` for files that are not transcripts.
    pub command: Option<String>,
}

impl SecretDocument {
    /// The command that shows the turn of the first, by this id.
    pub fn command_for(&self, id: &str) -> Option<String> {
        let line = self.lines.first().filter(|_| self.command.is_some());
        line.map(|line| show_line_command(id, *line))
    }

    /// The secrets of a session.
    pub fn of(found: &SessionSecrets) -> Vec<Self> {
        let mut rows = Vec::new();
        for file in &found.files {
            let mut by_rule: BTreeMap<&'static str, (u64, Vec<u64>)> = BTreeMap::new();
            for secret in &file.secrets {
                let (count, lines) = by_rule.entry(secret.rule).or_default();
                *count += secret.count;
                lines.push(secret.line);
            }
            rows.extend(by_rule.into_iter().map(|(rule, (count, lines))| SecretDocument {
                session_id: found.session.id.clone(),
                path: file.shown_path.clone(),
                agent_id: file.agent_id.clone(),
                rule: rule.into(),
                count,
                lines,
                command: None,
            }));
            let id = file.agent_id.as_ref().unwrap_or(&found.session.id);
            let is_transcript =
                file.agent_id.is_some() || found.session.path.as_ref() == Some(&file.path);
            for row in rows.iter_mut().filter(|row| row.path == file.shown_path) {
                let line = row.lines.first().filter(|_| is_transcript);
                row.command = line.map(|line| show_line_command(id, *line));
            }
        }
        rows
    }
}
