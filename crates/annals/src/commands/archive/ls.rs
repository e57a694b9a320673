//! `annals archive ls`: archived sessions, and which of them only the archive has.

use crate::cli::LimitArgs;
use crate::context::Context;
use crate::failure::{CliError, notice, report_read_errors};
use archive::{Archive, State};
use document::answers::{archive_list, empty_archive, is_archived_file_on_disk};
use document::{
    ArchiveDocument, ArchiveFilesDocument, ArchiveSummaryDocument, ArchivedSessionDocument,
    ArchivedVersionDocument, Document as _, Moment, short_ids,
};
use library::apps::App;
use library::archive::ArchiveError;
use library::session::Presence;
use render::{Column, Style, Table};

/// List the archive
///
/// Lists archived sessions, newest first, and whether their transcripts are still
/// on disk. With a session: its files and their versions.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show the files of this session, with their versions
    session: Option<String>,
    /// Only sessions deleted from disk
    #[arg(long, alias = "gone", conflicts_with = "session")]
    pub(super) deleted: bool,
    #[command(flatten)]
    limit: LimitArgs,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let archive = match context.library.archive().open() {
        Err(ArchiveError::Nothing) if args.session.is_none() => return empty(context),
        archive => archive?,
    };
    match &args.session {
        Some(name) => files(context, &archive, &archived_id(context, name)?),
        None => sessions(context, &archive, args),
    }
}

/// The empty list that stands for an archive that does not exist yet.
fn empty(context: &Context) -> anyhow::Result<()> {
    let whole =
        empty_archive(&context.library, context.settings.max_age(None)?, context.settings.now);
    let rows = Vec::<ArchivedSessionDocument>::new();
    context.output.rows(rows, |_| whole, || "The archive is empty.\n".to_owned())?;
    if context.output.format == crate::output::Format::Text {
        notice("hint: run `annals archive sync` to back up all sessions");
    }
    Ok(())
}

/// The id of an archived session, by any of its names. The id itself always works,
/// even if the store no longer exists.
pub(super) fn archived_id(context: &Context, name: &str) -> anyhow::Result<String> {
    let state = context.library.archive().open()?.state();
    if store::is_session_id(name) && !state.session(name).files.is_empty() {
        return Ok(name.to_owned());
    }
    Ok(context.find(name)?.session.id)
}

fn sessions(context: &Context, archive: &Archive, args: &Args) -> anyhow::Result<()> {
    let state = archive.state();
    let (document, read_errors) = archive_list(
        &context.library,
        args.deleted,
        context.settings.max_age(None)?,
        context.settings.now,
    )?;
    report_read_errors(&read_errors);
    let ArchiveDocument { total, archive: whole, sessions: mut rows, .. } = document;
    if let Some(limit) = context.output.limit(args.limit.limit) {
        rows.truncate(limit);
    }
    let mut text = String::new();
    if context.output.format == crate::output::Format::Text {
        if !rows.is_empty() {
            text = table(context, &rows).render(context.output.width(), context.output.paint)
                + &context.output.cut_note(rows.len(), total, "sessions")
                + "\n";
        }
        text += &summary(context, &state, &whole);
    }
    context.output.rows(
        rows,
        |sessions| ArchiveDocument {
            schema: ArchiveDocument::SCHEMA.into(),
            total,
            archive: whole,
            sessions,
        },
        || text,
    )
}

fn table(context: &Context, rows: &[ArchivedSessionDocument]) -> Table {
    let mut table = Table::new(vec![
        Column::new("SESSION").style(Style::Id),
        Column::new("CHANGED").drop_order(1),
        Column::new("NOTE").style(Style::Warning),
        Column::new("PROJECT").shrinks_to(12).keeps_end().drop_order(2),
        Column::new("FILES").right().style(Style::Dim).drop_order(4),
        Column::new("VERSIONS").right().style(Style::Dim).drop_order(3),
        Column::new("SIZE").right().style(Style::Dim),
        Column::new("TITLE").shrinks_to(16).wide(),
    ]);
    let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    for (row, id) in rows.iter().zip(short_ids(&ids)) {
        let project = row.project.as_deref().map(|project| context.short_path(project));
        table.row([
            id,
            render::time::ago(row.modified_at.0, context.settings.now, &context.settings.zone),
            match &*row.presence {
                "disk" => String::new(),
                "unknown" => "unknown".to_owned(),
                _ => "deleted".to_owned(),
            },
            project.unwrap_or_default(),
            row.files.to_string(),
            if row.versions > 1 { row.versions.to_string() } else { String::new() },
            render::bytes(row.bytes),
            row.title.clone().unwrap_or_default(),
        ]);
    }
    table
}

fn summary(context: &Context, state: &State, whole: &ArchiveSummaryDocument) -> String {
    let ago = |time: Option<Moment>| {
        time.map_or("never".to_owned(), |time| {
            render::time::ago(time.0, context.settings.now, &context.settings.zone)
        })
    };
    let mut text = format!(
        "Archived: {} of {}, {} stored in {}{}. {} deleted from disk{}.\n",
        render::counted(whole.files, "file"),
        render::counted(state.sessions().len(), "session"),
        render::bytes(whole.bytes),
        render::bytes(whole.stored_bytes),
        if whole.stored_bytes > 0 { format!(" ({:.1}:1)", whole.ratio) } else { String::new() },
        render::counted(whole.deleted_from_disk, "session"),
        match whole.unknown_on_disk {
            0 => String::new(),
            unknown => format!(", {unknown} may be on disk, where they cannot be read"),
        },
    );
    text += &format!(
        "Last sync: {}. Last verified: {}{}.\n",
        ago(whole.synced_at),
        ago(whole.verified_at),
        if whole.was_intact == Some(false) { ", found damaged" } else { "" }
    );
    if whole.not_archived_files > 0 {
        notice(&format!(
            "annals: {} ({}) may have changed since the last sync\nhint: annals archive sync backs them up",
            render::counted(whole.not_archived_files, "file"),
            render::bytes(whole.not_archived_bytes)
        ));
    }
    context.output.hanging(&text, 2)
}

fn files(context: &Context, archive: &Archive, id: &str) -> anyhow::Result<()> {
    let state = archive.state();
    let areas = context.library.archive().store_roots();
    let is_of_app = App::split_id(id).0.is_some();
    let session = context.library.catalog().find_id(id).filter(|_| is_of_app);
    let presence = session.map(|session| session.presence);
    let is_unknown = presence == Some(Presence::Unknown);
    let is_app_on_disk = presence == Some(Presence::Disk);
    let mut rows = Vec::new();
    for key in state.session(id).files {
        let is_on_disk = is_app_on_disk || is_archived_file_on_disk(&state, &areas, &key);
        let versions = state.versions(&key);
        for version in versions {
            rows.push(ArchivedVersionDocument {
                name: key.1.to_string(),
                root: state.root(key.0).map(|(_, path)| path.to_owned()).unwrap_or_default(),
                version: version.number,
                is_newest: versions.last().is_some_and(|last| last.number == version.number),
                is_on_disk,
                bytes: version.bytes(),
                modified_at: version.seen.modified.into(),
                archived_at: version.seen.kept.into(),
            });
        }
    }
    if rows.is_empty() {
        return Err(CliError::NotFound(format!("session {id} is not in the archive")).into());
    }
    let roots: std::collections::BTreeSet<&str> =
        rows.iter().map(|row| row.root.as_str()).collect();
    let has_roots = roots.len() > 1;
    let mut table = Table::new(vec![
        Column::new("STORE").shrinks_to(12).keeps_end(),
        Column::new("FILE").shrinks_to(20).keeps_end(),
        Column::new("VERSION").right(),
        Column::new("NOTE").style(Style::Warning),
        Column::new("SIZE").right().style(Style::Dim),
        Column::new("CHANGED"),
        Column::new("ARCHIVED").drop_order(1),
    ]);
    for row in &rows {
        table.row([
            if has_roots { context.short_path(&row.root) } else { String::new() },
            row.name.clone(),
            row.version.to_string(),
            match (row.is_on_disk, row.is_newest) {
                (true, true) => String::new(),
                (true, false) => "replaced".to_owned(),
                (false, _) if is_unknown => "unknown".to_owned(),
                (false, _) => "deleted".to_owned(),
            },
            render::bytes(row.bytes),
            render::time::ago(row.modified_at.0, context.settings.now, &context.settings.zone),
            render::time::ago(row.archived_at.0, context.settings.now, &context.settings.zone),
        ]);
    }
    let output = &context.output;
    let text = table.render(output.width(), output.paint);
    output.rows(
        rows,
        |files| ArchiveFilesDocument {
            schema: ArchiveFilesDocument::SCHEMA.into(),
            session_id: id.to_owned(),
            total: files.len(),
            files,
        },
        || text,
    )
}
