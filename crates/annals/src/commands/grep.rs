//! `annals grep`: a pattern in everything that was said.

use crate::cli::{FilterArgs, LimitArgs};
use crate::commands::ls;
use crate::context::Context;
use crate::failure::{Ending, say_troubles};
use crate::output::{Output, Row};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use jiff::Timestamp;
use library::{Filter, Hit, Pattern, PatternOptions, Role, Search, Session, SessionHits};
use render::json::serialize_optional_moment;
use render::{Column, Style, Table};
use serde::Serialize;

/// Look for a pattern in everything that was said
///
/// A regular expression, or text with -F, in the text of every block of every
/// session and its sub-agents: prompts, answers, thinking, arguments and answers
/// of tools, summaries. A newline in the pattern is a newline in the text. No
/// index is needed. Exit 1 if nothing is found.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to look for
    pattern: String,
    /// Upper and lower case are the same
    #[arg(short, long)]
    ignore_case: bool,
    /// The pattern is text, not a regular expression
    #[arg(short = 'F', long)]
    fixed_strings: bool,
    /// Only whole words
    #[arg(short, long)]
    word_regexp: bool,
    /// Show so many lines of the text around those that match
    #[arg(short = 'C', long, value_name = "N", default_value_t = 0)]
    context: usize,
    /// Only in what was said so; repeatable
    #[arg(long, value_enum, value_name = "ROLE")]
    role: Vec<Said>,
    /// List the sessions only
    #[arg(short = 'l', long, conflicts_with = "count")]
    sessions: bool,
    /// Count the hits of each session only
    #[arg(short, long)]
    count: bool,
    #[command(flatten)]
    filters: FilterArgs,
    #[command(flatten)]
    limit: LimitArgs,
}

/// A role, as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Said(Role);

impl ValueEnum for Said {
    fn value_variants<'a>() -> &'a [Self] {
        const VARIANTS: [Said; Role::ALL.len()] = {
            let mut variants = [Said(Role::User); Role::ALL.len()];
            let mut place = 0;
            while place < Role::ALL.len() {
                variants[place] = Said(Role::ALL[place]);
                place += 1;
            }
            variants
        };
        &VARIANTS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.meaning()))
    }
}

/// A session and what was found in it.
type Found = (Session, SessionHits);

pub(crate) fn run(context: &Context, args: &Args) -> anyhow::Result<()> {
    let options = PatternOptions {
        ignore_case: args.ignore_case,
        fixed: args.fixed_strings,
        whole_words: args.word_regexp,
    };
    let pattern = Pattern::new(&args.pattern, options).map_err(|error| {
        Ending::Misuse(format!("the pattern cannot be used: {error}\n-F looks for it as it stands"))
    })?;
    let filter = context.filter(&args.filters)?;
    let limit = context.output.limit(args.limit.limit).unwrap_or(usize::MAX);
    let most = if args.sessions || args.count { 0 } else { limit };
    let roles: Vec<Role> = args.role.iter().map(|said| said.0).collect();
    let search =
        Search { pattern: &pattern, roles: &roles, filter: &filter, context: args.context, most };
    let found = find(context, &search);
    let total: usize = found.iter().map(|(_, hits)| hits.count).sum();
    if args.sessions {
        let mut sessions: Vec<Session> = found.into_iter().map(|(session, _)| session).collect();
        let all = sessions.len();
        sessions.truncate(limit);
        ls::show(context, &sessions, all)?;
    } else if args.count {
        show_counts(context, &args.pattern, &found, total, limit)?;
    } else {
        show_hits(context, &args.pattern, &found, total, limit)?;
    }
    if total == 0 { Err(Ending::Silent.into()) } else { Ok(()) }
}

/// The sessions with hits, newest first.
fn find(context: &Context, search: &Search<'_>) -> Vec<Found> {
    let library = &context.library;
    let list = library.all_sessions();
    say_troubles(&list.troubles);
    let left = library.sessions_left(&list);
    // A session goes on after what is looked for was said.
    let timeless = Filter { since: None, until: None, ..search.filter.clone() };
    let sessions = list.sessions.into_iter().chain(left);
    let sessions: Vec<Session> = sessions.filter(|session| timeless.admits(session)).collect();
    let wanted: Vec<&Session> = sessions.iter().collect();
    let (hits, troubles) = library.grep(&wanted, search, &context.progress("reading"));
    say_troubles(&troubles);
    let found = sessions.into_iter().zip(hits).filter(|(_, hits)| hits.count > 0);
    let mut found: Vec<Found> = found.collect();
    if search.filter.looks_into_content() {
        let mut fitting: Vec<Session> = found.iter().map(|(session, _)| session.clone()).collect();
        let progress = context.progress("reading");
        say_troubles(&library.retain_by_content(&mut fitting, search.filter, &progress));
        let mut fitting = fitting.into_iter().peekable();
        found.retain(|(session, _)| {
            fitting.next_if(|fits| fits.id == session.id && fits.path == session.path).is_some()
        });
    }
    found
}

#[derive(Serialize)]
struct Document<'a, R> {
    schema: &'static str,
    pattern: &'a str,
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    hits: Option<Vec<R>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sessions: Option<Vec<CountDocument<'a>>>,
}

/// A hit in JSON. Names are fixed; fields may be added.
#[derive(Serialize)]
struct HitDocument<'a> {
    session_id: &'a str,
    agent_id: Option<&'a str>,
    role: &'static str,
    tool: Option<&'a str>,
    #[serde(serialize_with = "serialize_optional_moment")]
    timestamp: Option<Timestamp>,
    path: String,
    line: u64,
    text: &'a str,
    matches: Vec<[usize; 2]>,
    is_cut: bool,
}

impl<'a> HitDocument<'a> {
    fn new(session: &'a Session, hit: &'a Hit) -> Self {
        HitDocument {
            session_id: &session.id,
            agent_id: hit.agent_id.as_deref(),
            role: hit.role.name(),
            tool: hit.tool.as_deref(),
            timestamp: hit.time,
            path: hit.path.display().to_string(),
            line: hit.line,
            text: &hit.text,
            matches: in_characters(&hit.text, &hit.matches),
            is_cut: hit.is_cut,
        }
    }
}

/// Places in bytes, which rise, as places in characters.
fn in_characters(text: &str, matches: &[(usize, usize)]) -> Vec<[usize; 2]> {
    let (mut bytes, mut characters) = (0, 0);
    let mut at = |place: usize| {
        characters += text.get(bytes..place).map_or(0, |between| between.chars().count());
        bytes = place;
        characters
    };
    matches.iter().map(|(start, end)| [at(*start), at(*end)]).collect()
}

impl Row for HitDocument<'_> {
    const COLUMNS: &'static [&'static str] =
        &["timestamp", "session_id", "agent_id", "role", "tool", "path", "line", "text"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.timestamp.map(render::json::moment).unwrap_or_default(),
            self.session_id.to_owned(),
            self.agent_id.unwrap_or_default().to_owned(),
            self.role.to_owned(),
            self.tool.unwrap_or_default().to_owned(),
            self.path.clone(),
            self.line.to_string(),
            self.text.to_owned(),
        ]
    }
}

#[derive(Serialize)]
struct CountDocument<'a> {
    session_id: &'a str,
    project: Option<&'a str>,
    title: Option<&'a str>,
    hits: usize,
}

impl Row for CountDocument<'_> {
    const COLUMNS: &'static [&'static str] = &["session_id", "project", "title", "hits"];

    fn cells(&self) -> Vec<String> {
        vec![
            self.session_id.to_owned(),
            self.project.unwrap_or_default().to_owned(),
            self.title.unwrap_or_default().to_owned(),
            self.hits.to_string(),
        ]
    }
}

const SCHEMA: &str = "annals/grep/1";

fn show_counts(
    context: &Context,
    pattern: &str,
    found: &[Found],
    total: usize,
    limit: usize,
) -> anyhow::Result<()> {
    let shown = &found[..found.len().min(limit)];
    let rows = shown.iter().map(|(session, hits)| CountDocument {
        session_id: &session.id,
        project: session.project.as_deref(),
        title: session.heading(),
        hits: hits.count,
    });
    context.output.rows(
        rows.collect(),
        |rows| Document::<()> { schema: SCHEMA, pattern, total, hits: None, sessions: Some(rows) },
        || {
            if shown.is_empty() {
                return NOTHING.to_owned();
            }
            let mut table = Table::new(vec![
                Column::new("SESSION").style(Style::Id),
                Column::new("HITS").right(),
                Column::new("PROJECT").shrinks_to(12).keeps_end().goes(1),
                Column::new("TITLE").shrinks_to(16),
            ]);
            for (session, hits) in shown {
                table.row([
                    session.id.chars().take(8).collect(),
                    hits.count.to_string(),
                    project(context, session),
                    session.heading().unwrap_or_default().to_owned(),
                ]);
            }
            let table = table.render(context.output.width(), context.output.paint);
            table + &context.output.cut_note(shown.len(), found.len(), "sessions")
        },
    )
}

const NOTHING: &str = "No hits.\n";

fn project(context: &Context, session: &Session) -> String {
    session.project.as_deref().map(|project| context.short_path(project)).unwrap_or_default()
}

fn show_hits(
    context: &Context,
    pattern: &str,
    found: &[Found],
    total: usize,
    limit: usize,
) -> anyhow::Result<()> {
    let hits =
        found.iter().flat_map(|(session, hits)| hits.hits.iter().map(move |hit| (session, hit)));
    let hits: Vec<(&Session, &Hit)> = hits.take(limit).collect();
    context.output.rows(
        hits.iter().map(|(session, hit)| HitDocument::new(session, hit)).collect(),
        |rows| Document { schema: SCHEMA, pattern, total, hits: Some(rows), sessions: None },
        || {
            if hits.is_empty() {
                return NOTHING.to_owned();
            }
            let mut text = String::new();
            let mut before: Option<&Session> = None;
            for (session, hit) in &hits {
                if before.is_none_or(|before| !std::ptr::eq(before, *session)) {
                    text += if before.is_some() { "\n" } else { "" };
                    text += &heading(context, session);
                    before = Some(session);
                }
                text += &place(context, hit);
                text += &marked(&context.output, hit);
            }
            text + &context.output.cut_note(hits.len(), total, "hits")
        },
    )
}

/// The session that hits are in.
fn heading(context: &Context, session: &Session) -> String {
    let paint = context.output.paint;
    let parts = [
        paint.paint(Style::Id, &render::untrusted::line(&session.id)),
        render::untrusted::line(&project(context, session)).into_owned(),
        paint
            .paint(Style::Heading, &render::untrusted::line(session.heading().unwrap_or_default())),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
    parts.join("  ") + "\n"
}

/// Where a hit stands.
fn place(context: &Context, hit: &Hit) -> String {
    let paint = context.output.paint;
    let path = context.short_path(&hit.path.display().to_string());
    let tool = hit.tool.as_deref().map(|tool| format!(" {tool}")).unwrap_or_default();
    let agent = hit.agent_id.as_deref().map(|agent| format!("agent {agent}  ")).unwrap_or_default();
    let time = hit.time.map(|time| render::time::moment(time, &context.zone) + "  ");
    let role = format!("{}{tool}", hit.role.name());
    let rest = format!("{agent}{}{path}:{}", time.unwrap_or_default(), hit.line);
    let role = render::untrusted::line(&role);
    format!("  {role}  {}\n", paint.paint(Style::Dim, &render::untrusted::line(&rest)))
}

/// The text of a hit, its matches painted.
fn marked(output: &Output, hit: &Hit) -> String {
    const INDENT: &str = "    ";
    let mut shown = INDENT.to_owned();
    let mut add = |text: &str, style: Style| {
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                shown += "\n";
                shown += INDENT;
            }
            let line = line.strip_suffix('\r').unwrap_or(line);
            shown += &output.paint.paint(style, &render::untrusted::text(line));
        }
    };
    let mut told = 0;
    for (start, end) in &hit.matches {
        add(hit.text.get(told..*start).unwrap_or_default(), Style::Plain);
        add(hit.text.get(*start..*end).unwrap_or_default(), Style::Bad);
        told = *end;
    }
    add(hit.text.get(told..).unwrap_or_default(), Style::Plain);
    let shown = shown.trim_end_matches([' ', '\n']);
    if shown.is_empty() { String::new() } else { format!("{shown}\n") }
}
