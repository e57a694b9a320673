//! An administrator's table: which team and cost centre a project or a person belongs to.
//!
//! It is a CSV file with the columns `project` or `owner` (or both, one of them in each row),
//! `team`, and optionally `cost_center` and `month_usd`, the team's budget for a month. A row
//! for a project counts before one for its owner. A wrong row is an error with its line:
//! money that is charged to nobody must not go unnoticed.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use usage::PicoUsd;

/// Where usage is charged.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Team {
    /// The team.
    pub team: String,
    /// Its cost centre.
    pub cost_center: Option<String>,
}

/// The table.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct TeamTable {
    projects: BTreeMap<String, Team>,
    owners: BTreeMap<String, Team>,
    budgets: BTreeMap<String, PicoUsd>,
}

/// A line that is wrong.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct TeamTableError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// The columns.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Heading {
    Project,
    Owner,
    Team,
    CostCenter,
    MonthUsd,
}

const HEADINGS: [(&str, Heading); 5] = [
    ("project", Heading::Project),
    ("owner", Heading::Owner),
    ("team", Heading::Team),
    ("cost_center", Heading::CostCenter),
    ("month_usd", Heading::MonthUsd),
];

impl TeamTable {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<TeamTable, TeamTableError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut rows = records(text)?.into_iter();
        let wrong = |line, reason: String| TeamTableError { line, reason };
        let Some((line, names)) = rows.next() else {
            return Err(wrong(1, "the file is empty: begin with project,team".to_owned()));
        };
        let headings = headings(line, &names)?;
        let mut table = TeamTable::default();
        for (line, cells) in rows {
            if cells.len() != headings.len() {
                let (has, wants) = (cells.len(), headings.len());
                return Err(wrong(line, format!("{has} values for {wants} columns")));
            }
            table.add(&headings, &cells).map_err(|reason| wrong(line, reason))?;
        }
        Ok(table)
    }

    fn add(&mut self, headings: &[Heading], cells: &[String]) -> Result<(), String> {
        let cell = |wanted: Heading| {
            let place = headings.iter().position(|heading| *heading == wanted)?;
            Some(cells[place].trim()).filter(|text| !text.is_empty())
        };
        let name = cell(Heading::Team).ok_or("no team")?.to_owned();
        let cost_center = cell(Heading::CostCenter).map(str::to_owned);
        if let Some(text) = cell(Heading::MonthUsd) {
            let limit = PicoUsd::parse(text).filter(|limit| *limit > PicoUsd::ZERO);
            let limit = limit.ok_or_else(|| format!("invalid month_usd \"{text}\": use 300"))?;
            let known = *self.budgets.entry(name.clone()).or_insert(limit);
            if known != limit {
                return Err(format!("team {name} has another month_usd above"));
            }
        }
        let (map, key) = match (cell(Heading::Project), cell(Heading::Owner)) {
            (Some(project), None) => (&mut self.projects, project),
            (None, Some(owner)) => (&mut self.owners, owner),
            (None, None) => return Err("neither a project nor an owner".to_owned()),
            (Some(_), Some(_)) => {
                return Err("a project and an owner: use a line for each".to_owned());
            }
        };
        match map.entry(key.to_owned()) {
            Entry::Occupied(_) => Err(format!("{key} has a line above")),
            Entry::Vacant(place) => {
                place.insert(Team { team: name, cost_center });
                Ok(())
            }
        }
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.projects.is_empty() && self.owners.is_empty()
    }

    /// Where the usage of a project by a person is charged.
    pub fn find(&self, project: Option<&str>, owner: Option<&str>) -> Option<&Team> {
        let project = project.and_then(|project| self.projects.get(project));
        project.or_else(|| owner.and_then(|owner| self.owners.get(owner)))
    }

    /// The teams with a budget for a month.
    pub fn budgets(&self) -> impl Iterator<Item = (&str, PicoUsd)> {
        self.budgets.iter().map(|(team, limit)| (team.as_str(), *limit))
    }
}

fn headings(line: usize, names: &[String]) -> Result<Vec<Heading>, TeamTableError> {
    let mut headings: Vec<Heading> = Vec::new();
    for name in names {
        let name = name.trim();
        let known = HEADINGS.iter().find(|(known, _)| *known == name).map(|(_, heading)| *heading);
        let reason = match known {
            None => format!(
                "unknown column \"{name}\": use project, owner, team, cost_center, month_usd"
            ),
            Some(heading) if headings.contains(&heading) => format!("column {name} comes twice"),
            Some(heading) => {
                headings.push(heading);
                continue;
            }
        };
        return Err(TeamTableError { line, reason });
    }
    let has = |wanted| headings.contains(&wanted);
    if has(Heading::Team) && (has(Heading::Project) || has(Heading::Owner)) {
        return Ok(headings);
    }
    let reason = "the first line needs the columns team, and project or owner".to_owned();
    Err(TeamTableError { line, reason })
}

/// The records of a CSV file with the numbers of their first lines. Empty lines are none.
fn records(text: &str) -> Result<Vec<(usize, Vec<String>)>, TeamTableError> {
    let mut records = Vec::new();
    let (mut cells, mut cell) = (Vec::new(), String::new());
    let (mut line, mut first) = (1, 1);
    let (mut is_quoted, mut was_quoted) = (false, false);
    let mut letters = text.chars().chain(['\n']).peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            '"' if cell.is_empty() && !was_quoted => (is_quoted, was_quoted) = (true, true),
            ',' if !is_quoted => {
                cells.push(std::mem::take(&mut cell));
                was_quoted = false;
            }
            '\r' if !is_quoted && letters.peek() == Some(&'\n') => {}
            '\n' if !is_quoted => {
                cells.push(std::mem::take(&mut cell));
                was_quoted = false;
                let record = std::mem::take(&mut cells);
                if record.len() > 1 || record.iter().any(|cell| !cell.trim().is_empty()) {
                    records.push((first, record));
                }
                line += 1;
                first = line;
            }
            letter => {
                line += usize::from(letter == '\n');
                cell.push(letter);
            }
        }
    }
    if is_quoted {
        let reason = "a quotation mark is not closed".to_owned();
        return Err(TeamTableError { line: first, reason });
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn project_counts_before_its_owner() {
        let text = "\u{feff}team,project,owner,cost_center,month_usd\r\n\
            Tides,github.com/acme/tides,,4711,300\r\n\
            \"Moon, and \"\"stars\"\"\",,ada,,\r\n\
            \r\n\
            Tides,,bob,4712,300.00";
        let table = TeamTable::parse(text).unwrap();
        let found = |project, owner| {
            let team = table.find(project, owner)?;
            Some((team.team.as_str(), team.cost_center.as_deref()))
        };
        let tides = Some("github.com/acme/tides");
        assert_eq!(found(tides, Some("ada")), Some(("Tides", Some("4711"))));
        assert_eq!(found(Some("other"), Some("ada")), Some(("Moon, and \"stars\"", None)));
        assert_eq!(found(None, Some("bob")), Some(("Tides", Some("4712"))));
        assert_eq!(found(Some("other"), Some("eve")), None);
        let budgets: Vec<_> =
            table.budgets().map(|(team, limit)| (team, limit.decimal())).collect();
        assert_eq!(budgets, [("Tides", "300".to_owned())]);
    }

    #[test]
    fn wrong_rows_are_named_by_their_lines() {
        let table = [
            ("", 1, "empty"),
            ("project,cost_center\n", 1, "needs the columns team"),
            ("project,team,colour\n", 1, "unknown column \"colour\""),
            ("project,team,team\n", 1, "comes twice"),
            ("project,team\na,b\na\n", 3, "1 values for 2 columns"),
            ("project,team\n\"x\ny\",b\n,b\n", 4, "neither a project nor an owner"),
            ("project,owner,team\na,b,c\n", 2, "a line for each"),
            ("project,team\na,b\na,c\n", 3, "has a line above"),
            ("project,team\na,\n", 2, "no team"),
            ("owner,team,month_usd\na,b,-3\n", 2, "invalid month_usd"),
            ("owner,team,month_usd\na,b,3\nc,b,4\n", 3, "another month_usd"),
            ("owner,team\n\"a,b\n", 2, "not closed"),
        ];
        for (text, line, reason) in table {
            let error = TeamTable::parse(text).unwrap_err();
            assert_eq!(error.line, line, "{text:?}: {error}");
            assert!(error.reason.contains(reason), "{text:?}: {error}");
        }
    }
}
