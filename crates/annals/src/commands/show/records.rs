//! The records of a session, in the order of the file.

use super::Args;
use crate::commands::session_document::session_document;
use crate::context::Context;
use crate::failure::CliError;
use crate::output::Format;
use anyhow::Context as _;
use document::{Document as _, RecordDocument, RecordProblemDocument, RecordsDocument};
use library::catalog::FoundSession;
use library::sessions::RawPart;
use library::time_expression::DayEdge;
use render::Style;
use std::path::Path;
use transcript::{Entry, Line, LineEnd, RecordKind, parse_line};

/// Shows the records of a session.
pub(super) fn run(context: &Context, found: &FoundSession, args: &Args) -> anyhow::Result<()> {
    let path = super::transcript(found)?;
    if args.raw {
        return raw(context, path, args);
    }
    let wanted = Wanted::new(context, args)?;
    match context.output.format {
        Format::Json => document(context, found, path, &wanted),
        Format::Jsonl => rows(context, path, &wanted),
        Format::Csv => Err(super::no_spreadsheet()),
        Format::Text => lines(context, path, &wanted),
    }
}

/// The default number of records for agents.
const AGENT_LIMIT: usize = 50;

/// The filter of records.
struct Wanted<'a> {
    types: &'a [String],
    filter: library::catalog::Filter,
    limit: usize,
}

impl<'a> Wanted<'a> {
    fn new(context: &Context, args: &'a Args) -> anyhow::Result<Self> {
        let filter = library::catalog::Filter {
            since: context.time(args.since.as_deref(), DayEdge::Start)?,
            until: context.time(args.until.as_deref(), DayEdge::End)?,
            ..library::catalog::Filter::default()
        };
        // Agents have little room for text; bytes and JSON are complete.
        let brief = context.output.is_agent && context.output.format == Format::Text && !args.raw;
        let limit = match args.limit {
            Some(0) => usize::MAX,
            Some(limit) => limit,
            None if brief => AGENT_LIMIT,
            None => usize::MAX,
        };
        Ok(Wanted { types: &args.types, filter, limit })
    }

    fn is_everything(&self) -> bool {
        self.types.is_empty() && self.filter.since.is_none() && self.filter.until.is_none()
    }

    fn admits(&self, entry: &Entry<'_>) -> bool {
        let name = entry.record.type_name.as_deref();
        let of_type =
            self.types.is_empty() || self.types.iter().any(|wanted| Some(wanted.as_str()) == name);
        of_type && self.filter.admits_time(entry.record.time())
    }
}

/// Reads a transcript, up to the first error.
fn read(
    context: &Context,
    path: &Path,
    each: impl FnMut(Line<'_>) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    context.library.sessions().read_records(path, each).context("cannot read the transcript")?
}

/// Writes the bytes of a transcript, or of what another app wrote.
pub(super) fn raw(context: &Context, path: &Path, args: &Args) -> anyhow::Result<()> {
    let wanted = Wanted::new(context, args)?;
    if !wanted.is_everything() && context.library.catalog().apps().file(path).is_some() {
        let message = "--type, --since and --until do not apply to the bytes of another app\nhint: leave out --raw";
        return Err(CliError::Misuse(message.to_owned()).into());
    }
    context.output.write(|out| {
        let mut put = |bytes: &[u8]| {
            if context.output.is_terminal {
                let text = String::from_utf8_lossy(bytes);
                out.write_all(render::untrusted::json(&text).as_bytes())
            } else {
                out.write_all(bytes)
            }
        };
        let mut count = 0;
        let read = context.library.sessions().read_raw(path, |part| -> anyhow::Result<bool> {
            let end = match part {
                // Nothing is known of such a line, as of one that is damaged.
                RawPart::Piece(_) | RawPart::EndOfPieces(_) if !wanted.is_everything() => {
                    return Ok(true);
                }
                RawPart::Piece(bytes) => {
                    put(bytes)?;
                    return Ok(true);
                }
                RawPart::EndOfPieces(end) => end,
                RawPart::Line(line) => {
                    let is_wanted = || parse_line(line).any(|entry| wanted.admits(&entry));
                    if !wanted.is_everything() && !is_wanted() {
                        return Ok(true);
                    }
                    put(line.bytes)?;
                    line.end
                }
            };
            if end == LineEnd::Newline {
                put(b"\n")?;
            }
            count += 1;
            Ok(count < wanted.limit)
        });
        read.context("cannot read the transcript")?
    })
}

/// Writes the document piece by piece: a transcript can be larger than memory.
fn document(
    context: &Context,
    found: &FoundSession,
    path: &Path,
    wanted: &Wanted<'_>,
) -> anyhow::Result<()> {
    let session = serde_json::to_string(&session_document(&found.session, context))?;
    let agent = serde_json::to_string(&found.agent.as_ref().map(|agent| &agent.id))?;
    context.output.write(|out| {
        let schema = RecordsDocument::SCHEMA;
        let head = format!(
            "{{\"schema\":\"{schema}\",\"session\":{session},\"agent_id\":{agent},\"records\":["
        );
        out.write_all(context.output.safe_json(&head).as_bytes())?;
        let mut problems = Vec::new();
        let mut count = 0;
        each_record(context, path, wanted, &mut problems, |entry| {
            let separator: &[u8] = if count == 0 { b"\n" } else { b",\n" };
            count += 1;
            out.write_all(separator)?;
            let text = serde_json::to_string(&RecordDocument::from(entry))?;
            out.write_all(context.output.safe_json(&text).as_bytes())?;
            Ok(())
        })?;
        let problems = serde_json::to_string(&problems)?;
        let problems = context.output.safe_json(&problems);
        write!(out, "\n],\"problems\":{problems}")?;
        let warnings = context.output.warnings();
        if !warnings.is_empty() {
            let warnings = serde_json::to_string(&warnings)?;
            write!(out, ",\"warnings\":{}", context.output.safe_json(&warnings))?;
        }
        out.write_all(b"}\n").map_err(Into::into)
    })
}

fn rows(context: &Context, path: &Path, wanted: &Wanted<'_>) -> anyhow::Result<()> {
    context.output.write(|out| {
        each_record(context, path, wanted, &mut Vec::new(), |entry| {
            let text = serde_json::to_string(&RecordDocument::from(entry))? + "\n";
            out.write_all(context.output.safe_json(&text).as_bytes()).map_err(Into::into)
        })
    })
}

/// Passes on the records that match, and collects the problems of all. A blank line
/// is a problem, not a record.
fn each_record(
    context: &Context,
    path: &Path,
    wanted: &Wanted<'_>,
    problems: &mut Vec<RecordProblemDocument>,
    mut each: impl FnMut(&Entry<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut count = 0;
    read(context, path, |line| {
        for entry in parse_line(line) {
            problems.extend(RecordProblemDocument::of(&entry));
            if entry.record.kind != RecordKind::Blank && wanted.admits(&entry) {
                each(&entry)?;
                count += 1;
                if count >= wanted.limit {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    })
}

fn lines(context: &Context, path: &Path, wanted: &Wanted<'_>) -> anyhow::Result<()> {
    let paint = context.output.paint;
    let width = context.output.width();
    let named = if width.is_some_and(|width| width < 100) { 16 } else { 28 };
    let room = width.map(|width| width.saturating_sub(6 + 1 + 8 + 1 + named + 1).max(8));
    context.output.write(|out| {
        let mut problems = Vec::new();
        let mut day = String::new();
        each_record(context, path, wanted, &mut problems, |entry| {
            let record = &entry.record;
            let moment = record
                .time()
                .map(|time| render::time::moment(time, &context.settings.zone))
                .unwrap_or_default();
            let (date, clock) = moment.split_once(' ').unwrap_or_default();
            if !date.is_empty() && date != day {
                date.clone_into(&mut day);
                let zone = render::time::zone_name(&context.settings.zone);
                writeln!(out, "{}", paint.paint(Style::Dim, &format!("── {day} ({zone})")))?;
            }
            let (name, style) = match (record.kind, record.type_name.as_deref()) {
                (RecordKind::Damaged, _) => ("(damaged)", Style::Bad),
                (RecordKind::User, _) => ("user", Style::Good),
                (RecordKind::Assistant, _) => ("assistant", Style::Accent),
                (RecordKind::Unknown, Some(name)) => (name, Style::Warning),
                (_, name) => (name.unwrap_or("(untyped)"), Style::Dim),
            };
            let name = record
                .subtype()
                .map_or_else(|| name.to_owned(), |subtype| format!("{name}/{subtype}"));
            let mark = if record.envelope.is_sidechain { "⤷ " } else { "" };
            let name = format!("{mark}{}", render::untrusted::line(&name));
            let shown = render::record_line(record);
            let shown = render::cut(&shown, room);
            let line = format!(
                "{} {} {} {shown}",
                paint.paint(Style::Dim, &format!("{:>6}", entry.line)),
                paint.paint(Style::Dim, &format!("{clock:<8}")),
                paint.paint(style, &format!("{:<named$}", render::cut(&name, Some(named)))),
            );
            writeln!(out, "{}", line.trim_end()).map_err(Into::into)
        })?;
        for problem in &problems {
            let text =
                format!("line {} at byte {}: {}", problem.line, problem.offset, problem.reason);
            writeln!(out, "{}", paint.paint(Style::Warning, &render::untrusted::line(&text)))?;
        }
        Ok(())
    })
}
