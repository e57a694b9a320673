//! Sessions that contain secrets: which kinds, how many, on which lines. The secrets
//! themselves are not shown.

use crate::context::Context;
use crate::failure::report_read_errors;
use document::{SecretDocument, SecretsDocument, short_ids};
use library::health::SessionSecrets;
use render::{Column, Style, Table};

/// How many places of one kind of secret are listed by default.
const SOME: usize = 6;

pub(super) fn run(context: &Context, all: bool) -> anyhow::Result<()> {
    let list = context.library.catalog().all_sessions();
    report_read_errors(&list.read_errors);
    let sessions: Vec<_> = list.sessions.into_iter().filter(|it| it.path.is_some()).collect();
    let searched = sessions.len();
    let redactor = context.any_redactor()?;
    let progress = context.progress("looking");
    let (found, read_errors) = context.library.health().secrets(sessions, &redactor, &progress);
    report_read_errors(&read_errors);
    let rows: Vec<SecretDocument> = found.iter().flat_map(SecretDocument::of).collect();
    let document = |secrets| SecretsDocument::new(searched, secrets);
    context.output.rows(rows, document, || text(context, &found, searched, all))
}

fn text(context: &Context, found: &[SessionSecrets], searched: usize, all: bool) -> String {
    let searched = render::counted(searched, "session");
    if found.is_empty() {
        return format!("No secrets found in {searched}.\n");
    }
    let mut table = Table::new(vec![
        Column::new("SESSION").style(Style::Id),
        Column::new("CHANGED").drop_order(2),
        Column::new("SECRETS").right(),
        Column::new("KIND").style(Style::Warning),
        Column::new("WHERE").shrinks_to(16).drop_order(1),
        Column::new("OPEN").style(Style::Dim),
        Column::new("TITLE").shrinks_to(16).drop_order(1),
    ]);
    let ids: Vec<&str> = found.iter().map(|one| one.session.id.as_str()).collect();
    for (one, id) in found.iter().zip(short_ids(&ids)) {
        for row in SecretDocument::of(one) {
            let most = if all { usize::MAX } else { SOME };
            let lines: Vec<String> = row.lines.iter().take(most).map(u64::to_string).collect();
            let more = if row.lines.len() > most { " …" } else { "" };
            let of = match &row.agent_id {
                Some(agent) => format!(" of agent {agent}"),
                // Only a transcript has a command, and this is the session's.
                None if row.command.is_some() => String::new(),
                None => format!(" of {}", file_name(&row.path)),
            };
            table.row([
                id.clone(),
                render::time::ago(
                    one.session.metadata.modified,
                    context.settings.now,
                    &context.settings.zone,
                ),
                row.count.to_string(),
                row.rule.to_string(),
                format!("line {}{more}{of}", lines.join(", ")),
                row.command_for(row.agent_id.as_deref().unwrap_or(&id)).unwrap_or_default(),
                one.session.heading().unwrap_or_default().to_owned(),
            ]);
        }
    }
    let table = table.render(context.output.width(), context.output.paint);
    let verb = if found.len() == 1 { "contains" } else { "contain" };
    let count = found.len();
    format!("{table}{count} of {searched} {verb} secrets; exports mask them.\n")
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
