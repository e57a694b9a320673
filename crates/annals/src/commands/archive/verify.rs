//! `annals archive verify`: check the archive for damage.

use crate::context::Context;
use crate::failure::{CliError, notice};
use crate::output::Format;
use document::{ArchiveVerifyDocument, FileProblemDocument};
use library::progress::Progress as _;
use render::Style;

/// Verify the archive
///
/// Checks every line of the manifest and every stored byte against its checksum.
/// Reports damage with the sessions it affects and exits with 2; everything else
/// can still be read and restored. Can run during a sync.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Also decompress every frame and verify its content
    #[arg(long)]
    deep: bool,
}

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let archive = context.library.archive().open()?;
    let bar = context.progress("checking");
    bar.start(archive.state().sizes().1);
    let folder = context.library.archive().folder()?;
    let verified =
        archive::verify(&folder, args.deep, context.settings.now, &|bytes| bar.advance(bytes));
    bar.finish();
    let verified = verified?;
    let ledger = context.ledger()?;
    let bad = ledger.damage().iter().map(|bad| {
        let path = ledger.path().to_string_lossy().into_owned();
        FileProblemDocument { path, reason: format!("line {}: {}", bad.line, bad.reason) }
    });
    let document = ArchiveVerifyDocument::new(&verified, args.deep, bad.collect());
    match context.output.format {
        Format::Json => context.output.json(&document)?,
        _ => context.output.text(&context.output.hanging(&text(context, &document), 2))?,
    }
    if let Some(reason) = &verified.unnoted {
        notice(&format!("annals: cannot record the verification: {reason}"));
    }
    if document.is_intact { Ok(()) } else { Err(CliError::Failed.into()) }
}

fn text(context: &Context, verified: &ArchiveVerifyDocument) -> String {
    let paint = context.output.paint;
    let held = format!(
        "{}, {} in {}",
        render::counted(verified.files, "file"),
        render::bytes(verified.stored_bytes),
        render::counted(verified.frames, "frame")
    );
    if verified.is_intact {
        let how = if verified.is_deep { "every byte of" } else { "every stored byte of" };
        let mut text =
            paint.paint(Style::Good, "No damage found.") + &format!(" Checked {how} {held}.\n");
        if verified.unused_bytes > 0 {
            let bytes = render::bytes(verified.unused_bytes);
            text += &format!("An interrupted sync left {bytes}; the next sync removes them.\n");
        }
        return text;
    }
    let mut text = paint.paint(Style::Bad, "Damaged.") + &format!(" Checked {held}.\n\n");
    for line in &verified.damaged_lines {
        let name = line.name.as_deref().map(|name| format!(" ({name})")).unwrap_or_default();
        let mended =
            if line.is_repaired { "; repaired: the next sync writes it again" } else { "" };
        text += &format!("manifest line {}{name}: {}{mended}\n", line.line, line.reason);
    }
    for frame in &verified.damaged_frames {
        text += &format!("{} from byte {}: {}\n", frame.path, frame.offset, frame.reason);
    }
    for other in &verified.damaged_files {
        text += &format!("{}: {}\n", other.path, other.reason);
    }
    if !verified.affected_files.is_empty() {
        text += "\nAffected files:\n";
        text.extend(verified.affected_files.iter().map(|name| format!("  {name}\n")));
    }
    text += &format!(
        "\n{} affected; {} intact and can be restored.\n",
        render::counted(verified.affected_sessions.len(), "session"),
        match verified.intact_sessions {
            1 => "1 other is".to_owned(),
            count => format!("{count} others are"),
        }
    );
    if verified.damaged_frames.iter().any(|_| true) {
        notice(
            "hint: a session that is still on disk can be archived again: annals archive forget SESSION, then annals archive sync",
        );
    }
    render::untrusted::text(&text).into_owned()
}
