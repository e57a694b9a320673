//! Sessions that hold secrets: which kinds, how many, on which lines. The
//! secrets themselves are not shown.

use crate::commands::ls::short_ids;
use crate::context::Context;
use crate::failure::say_troubles;
use crate::output::Row;
use library::SessionSecrets;
use render::{Column, Style, Table};
use serde::Serialize;
use std::collections::BTreeMap;

/// Places named of one kind of secret unless all are asked for.
const SOME: usize = 6;

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    searched: usize,
    secrets: Vec<SecretDocument>,
}

/// Secrets of one kind in one file.
#[derive(Serialize)]
struct SecretDocument {
    session_id: String,
    path: String,
    agent_id: Option<String>,
    rule: &'static str,
    count: u64,
    lines: Vec<u64>,
}

impl Row for SecretDocument {
    const COLUMNS: &'static [&'static str] =
        &["session_id", "path", "agent_id", "rule", "count", "lines"];

    fn cells(&self) -> Vec<String> {
        let lines: Vec<String> = self.lines.iter().map(u64::to_string).collect();
        vec![
            self.session_id.clone(),
            self.path.clone(),
            self.agent_id.clone().unwrap_or_default(),
            self.rule.to_owned(),
            self.count.to_string(),
            lines.join(" "),
        ]
    }
}

pub(super) fn run(context: &Context, all: bool) -> anyhow::Result<()> {
    let list = context.library.catalog().all_sessions();
    say_troubles(&list.troubles);
    let sessions: Vec<_> = list.sessions.into_iter().filter(|it| it.path.is_some()).collect();
    let searched = sessions.len();
    let redactor = context.any_redactor()?;
    let progress = context.progress("looking");
    let (mut found, troubles) = context.library.health().secrets(sessions, &redactor, &progress);
    for one in &mut found {
        // A title may be the very prompt that holds one.
        let title = one.session.heading();
        let title =
            title.map(|title| library::drop_partial_word(redactor.mask(title).into_owned()));
        one.session.metadata.summary = title;
    }
    say_troubles(&troubles);
    let rows: Vec<SecretDocument> = found.iter().flat_map(rows).collect();
    let document = |secrets| Document { schema: "annals/secrets/1", searched, secrets };
    context.output.rows(rows, document, || text(context, &found, searched, all))
}

fn rows(found: &SessionSecrets) -> Vec<SecretDocument> {
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
            path: file.path.to_string_lossy().into_owned(),
            agent_id: file.agent_id.clone(),
            rule,
            count,
            lines,
        }));
    }
    rows
}

fn text(context: &Context, found: &[SessionSecrets], searched: usize, all: bool) -> String {
    let searched = render::counted(searched, "session");
    if found.is_empty() {
        return format!("No secret is known to stand in {searched}.\n");
    }
    let mut table = Table::new(vec![
        Column::new("SESSION").style(Style::Id),
        Column::new("CHANGED").goes(2),
        Column::new("SECRETS").right(),
        Column::new("KIND").style(Style::Warning),
        Column::new("WHERE").shrinks_to(16),
        Column::new("TITLE").shrinks_to(16).goes(1),
    ]);
    let ids: Vec<&str> = found.iter().map(|one| one.session.id.as_str()).collect();
    for (one, id) in found.iter().zip(short_ids(&ids)) {
        for row in rows(one) {
            let most = if all { usize::MAX } else { SOME };
            let lines: Vec<String> = row.lines.iter().take(most).map(u64::to_string).collect();
            let more = if row.lines.len() > most { " …" } else { "" };
            let of = match (&row.agent_id, one.session.path.as_deref()) {
                (Some(agent), _) => format!(" of agent {agent}"),
                (None, Some(main)) if main.to_string_lossy() == row.path => String::new(),
                (None, _) => format!(" of {}", file_name(&row.path)),
            };
            table.row([
                id.clone(),
                render::time::ago(one.session.metadata.modified, context.now, &context.zone),
                row.count.to_string(),
                row.rule.to_owned(),
                format!("line {}{more}{of}", lines.join(", ")),
                one.session.heading().unwrap_or_default().to_owned(),
            ]);
        }
    }
    let table = table.render(context.output.width(), context.output.paint);
    let verb = if found.len() == 1 { "holds" } else { "hold" };
    let count = found.len();
    format!("{table}{count} of {searched} {verb} secrets; what is exported has them masked.\n")
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
