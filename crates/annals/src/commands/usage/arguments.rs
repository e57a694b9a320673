//! Arguments of `annals usage`: names of reports, dimensions and days.

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use jiff::civil::Weekday;
use library::usage::Dimension;
use std::ffi::OsStr;

/// A report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// Calls grouped.
    By(&'static [Dimension]),
    /// Limits that were reached.
    Limits,
}

/// The reports by name, with their help.
const REPORTS: [(&str, &str, Report); 21] = [
    ("daily", "By calendar day", Report::By(&[Dimension::Day])),
    ("weekly", "By week", Report::By(&[Dimension::Week])),
    ("monthly", "By month", Report::By(&[Dimension::Month])),
    ("hourly", "By hour", Report::By(&[Dimension::Hour])),
    ("session", "By session, sub-agents included", Report::By(&[Dimension::Session])),
    ("turn", "By prompt: which cost most", Report::By(&[Dimension::Session, Dimension::Turn])),
    ("project", "By project", Report::By(&[Dimension::Project])),
    ("worktree", "By folder", Report::By(&[Dimension::Worktree])),
    ("model", "By model", Report::By(&[Dimension::Model])),
    ("branch", "By git branch", Report::By(&[Dimension::Branch])),
    ("agent", "By type of sub-agent", Report::By(&[Dimension::Agent])),
    ("skill", "By skill", Report::By(&[Dimension::Skill])),
    ("plugin", "By plugin", Report::By(&[Dimension::Plugin])),
    ("mcp", "By MCP server", Report::By(&[Dimension::Mcp])),
    ("tool", "By tool: each call is shared by the tools it called", Report::By(&[Dimension::Tool])),
    ("effort", "By effort", Report::By(&[Dimension::Effort])),
    ("entrypoint", "By how Claude Code was started", Report::By(&[Dimension::Entrypoint])),
    ("version", "By version of Claude Code", Report::By(&[Dimension::Version])),
    ("app", "By app: Claude Code and other coding agents", Report::By(&[Dimension::App])),
    (
        "block",
        "By five-hour block, with the active one's rate and projection",
        Report::By(&[Dimension::Block]),
    ),
    ("limits", "Limits that were reached", Report::Limits),
];

const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

/// What is asked for: a report by its name, or a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ReportOrSession {
    Report(Report),
    Session(String),
}

/// Parses the name of a report. Every other name may be that of a session.
pub(super) fn report_or_session() -> impl TypedValueParser<Value = ReportOrSession> {
    NameParser { reports: reports() }
}

/// The reports, for somebody who has named none of them.
pub(super) fn report_hint() -> String {
    let names: Vec<&str> = REPORTS.iter().map(|(name, ..)| *name).collect();
    format!("reports are {}", names.join(", "))
}

#[derive(Clone)]
struct NameParser {
    reports: Vec<(PossibleValue, Report)>,
}

impl TypedValueParser for NameParser {
    type Value = ReportOrSession;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<ReportOrSession, clap::Error> {
        let name = StringValueParser::new().parse_ref(command, argument, value)?;
        let report = self.reports.iter().find(|(known, _)| known.matches(&name, false));
        Ok(match report {
            Some((_, report)) => ReportOrSession::Report(*report),
            None => ReportOrSession::Session(name),
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.reports.iter().map(|(name, _)| name.clone())))
    }
}

fn reports() -> Vec<(PossibleValue, Report)> {
    let reports = REPORTS.map(|(name, help, report)| {
        let by = match report {
            Report::By(by) => by.last().copied(),
            Report::Limits => None,
        };
        let others = by.map(other_names).unwrap_or_default();
        let others = others.iter().copied().chain(by.map(Dimension::name));
        let others = others.filter(|other| *other != name);
        (PossibleValue::new(name).aliases(others).help(help), report)
    });
    reports.into()
}

/// Parses a dimension.
pub(super) fn way() -> impl TypedValueParser<Value = Dimension> {
    let name = |by: Dimension| PossibleValue::new(by.name()).aliases(other_names(by));
    let all = Dimension::ALL.into_iter().chain(Dimension::OF_LAKE);
    named(all.map(|by| (name(by), by)).collect())
}

/// Other names of a dimension that people type: its plural, and the name of its report.
fn other_names(by: Dimension) -> &'static [&'static str] {
    match by {
        Dimension::Day => &["days", "daily"],
        Dimension::Week => &["weeks", "weekly"],
        Dimension::Month => &["months", "monthly"],
        Dimension::Hour => &["hours", "hourly"],
        Dimension::Session => &["sessions"],
        Dimension::Turn => &["turns"],
        Dimension::Project => &["projects"],
        Dimension::Worktree => &["worktrees"],
        Dimension::Model => &["models"],
        Dimension::Branch => &["branches"],
        Dimension::Agent => &["agents"],
        Dimension::Skill => &["skills"],
        Dimension::Plugin => &["plugins"],
        Dimension::Mcp => &["mcps"],
        Dimension::Tool => &["tools"],
        Dimension::Effort => &["efforts"],
        Dimension::Entrypoint => &["entrypoints"],
        Dimension::Version => &["versions"],
        Dimension::Block => &["blocks"],
        Dimension::App => &["apps"],
        Dimension::Owner => &["owners"],
        Dimension::Team => &["teams"],
        Dimension::CostCenter => &["cost_centers", "cost_centre"],
    }
}

/// Parses a day of the week.
pub(super) fn weekday() -> impl TypedValueParser<Value = Weekday> {
    named(WEEKDAYS.map(|(name, day)| (PossibleValue::new(name), day)).into())
}

/// Parses one of the names of a table into its value.
fn named<T: Clone + Send + Sync + 'static>(
    table: Vec<(PossibleValue, T)>,
) -> impl TypedValueParser<Value = T> {
    let names: Vec<PossibleValue> = table.iter().map(|(name, _)| name.clone()).collect();
    PossibleValuesParser::new(names).try_map(move |given| {
        let found = table.iter().find(|(name, _)| name.matches(&given, false));
        found.map(|(_, value)| value.clone()).ok_or("unknown report")
    })
}
