//! `annals archive verify`: whether everything kept is what was kept.

use crate::context::Context;
use crate::failure::{Ending, say};
use crate::output::Format;
use archive::VerifyReport;
use library::Progress as _;
use render::Style;
use serde::Serialize;

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
    context.no_rows("archive verify")?;
    let archive = context.library.archive().open()?;
    let bar = context.progress("checking");
    bar.start(archive.state().sizes().1);
    let folder = context.library.archive().folder()?;
    let verified = archive::verify(&folder, args.deep, context.now, &|bytes| bar.advance(bytes));
    bar.finish();
    let verified = verified?;
    let ledger = context.ledger()?;
    let bad = ledger.damage().iter().map(|bad| {
        let path = ledger.path().to_string_lossy().into_owned();
        OtherDocument { path, reason: format!("line {}: {}", bad.line, bad.reason) }
    });
    let document = Document::new(&verified, args.deep, bad.collect());
    match context.output.format {
        Format::Json => context.output.json(&document)?,
        _ => context.output.text(&document.text(context))?,
    }
    if let Some(reason) = &verified.unnoted {
        say(&format!("annals: that it was verified could not be noted: {reason}"));
    }
    if document.is_whole { Ok(()) } else { Err(Ending::Failed.into()) }
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    is_whole: bool,
    is_deep: bool,
    files: usize,
    frames: usize,
    lines: usize,
    stored_bytes: u64,
    left_over_bytes: u64,
    damaged_lines: Vec<LineDocument>,
    damaged_frames: Vec<FrameDocument>,
    damaged_files: Vec<OtherDocument>,
    touched_files: Vec<String>,
    touched_sessions: Vec<String>,
    whole_sessions: usize,
}

#[derive(Serialize)]
struct LineDocument {
    line: u64,
    reason: String,
    name: Option<String>,
    is_mended: bool,
}

#[derive(Serialize)]
struct FrameDocument {
    path: String,
    offset: u64,
    reason: String,
}

#[derive(Serialize)]
struct OtherDocument {
    path: String,
    reason: String,
}

impl Document {
    fn new(verified: &VerifyReport, deep: bool, ledger: Vec<OtherDocument>) -> Self {
        let shown = |path: &std::path::Path| path.to_string_lossy().into_owned();
        let others = verified
            .others
            .iter()
            .map(|(path, reason)| OtherDocument { path: shown(path), reason: reason.clone() });
        Document {
            schema: "annals/archive-verify/1",
            is_whole: verified.is_whole() && ledger.is_empty(),
            is_deep: deep,
            files: verified.files,
            frames: verified.frames,
            lines: verified.lines,
            stored_bytes: verified.stored,
            left_over_bytes: verified.left_over,
            damaged_lines: verified
                .broken
                .iter()
                .map(|broken| LineDocument {
                    line: broken.line,
                    reason: broken.reason.clone(),
                    name: broken.name.as_ref().map(ToString::to_string),
                    is_mended: broken.is_mended,
                })
                .collect(),
            damaged_frames: verified
                .damaged
                .iter()
                .map(|frame| FrameDocument {
                    path: shown(&frame.path),
                    offset: frame.at,
                    reason: frame.damage.to_string(),
                })
                .collect(),
            damaged_files: others.chain(ledger).collect(),
            touched_files: verified.touched.iter().map(|key| key.1.to_string()).collect(),
            touched_sessions: verified.touched_sessions.iter().cloned().collect(),
            whole_sessions: verified.whole_sessions.len(),
        }
    }

    fn text(&self, context: &Context) -> String {
        let paint = context.output.paint;
        let held = format!(
            "{}, {} in {}",
            render::counted(self.files, "file"),
            render::bytes(self.stored_bytes),
            render::counted(self.frames, "frame")
        );
        if self.is_whole {
            let how = if self.is_deep { "every byte of" } else { "every stored byte of" };
            let mut text =
                paint.paint(Style::Good, "Whole.") + &format!(" Checked {how} {held}.\n");
            if self.left_over_bytes > 0 {
                let bytes = render::bytes(self.left_over_bytes);
                text += &format!("An interrupted sync left {bytes}; the next one removes that.\n");
            }
            return text;
        }
        let mut text = paint.paint(Style::Bad, "Damaged.") + &format!(" Checked {held}.\n\n");
        for line in &self.damaged_lines {
            let name = line.name.as_deref().map(|name| format!(" ({name})")).unwrap_or_default();
            let mended = if line.is_mended {
                "; what it said could be told, and the next sync writes it anew"
            } else {
                ""
            };
            text += &format!("manifest line {}{name}: {}{mended}\n", line.line, line.reason);
        }
        for frame in &self.damaged_frames {
            text += &format!("{} from byte {}: {}\n", frame.path, frame.offset, frame.reason);
        }
        for other in &self.damaged_files {
            text += &format!("{}: {}\n", other.path, other.reason);
        }
        if !self.touched_files.is_empty() {
            text += "\nTouched:\n";
            text.extend(self.touched_files.iter().map(|name| format!("  {name}\n")));
        }
        text += &format!(
            "\n{} touched; {} whole and can be restored.\n",
            render::counted(self.touched_sessions.len(), "session"),
            match self.whole_sessions {
                1 => "1 other is".to_owned(),
                count => format!("{count} others are"),
            }
        );
        if self.damaged_frames.iter().any(|_| true) {
            say(
                "annals: what is still on disk can be kept anew: annals archive forget the session, then sync",
            );
        }
        render::untrusted::text(&text).into_owned()
    }
}
