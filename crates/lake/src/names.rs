//! The names of objects, and the parts they are made of.
//!
//! A name read from a bucket is hostile input: it is parsed into these types and
//! rebuilt from them, and never used as it came.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A name that is not one of ours.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("invalid {kind} \"{}\": {rule}", .text.escape_debug())]
pub struct NameError {
    kind: &'static str,
    text: String,
    rule: &'static str,
}

const PLAIN: &str = "use 1 to 64 letters, digits and . _ - @ +, beginning with a letter or digit";

fn plain(kind: &'static str, text: &str) -> Result<String, NameError> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-@+".contains(&byte);
    let begins_well = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    if begins_well && text.len() <= 64 && text.bytes().all(allowed) {
        Ok(text.to_owned())
    } else {
        Err(NameError { kind, text: text.to_owned(), rule: PLAIN })
    }
}

macro_rules! plain_name {
    ($(#[$doc:meta])* $name:ident, $kind:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Deserialize, Serialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = NameError;

            fn from_str(text: &str) -> Result<Self, NameError> {
                plain($kind, text).map(Self)
            }
        }

        impl TryFrom<String> for $name {
            type Error = NameError;

            fn try_from(text: String) -> Result<Self, NameError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

plain_name! {
    /// The person whose rows these are.
    Owner, "owner"
}
plain_name! {
    /// One home directory of an owner. Two machines with copies of one home share it.
    Installation, "installation"
}
plain_name! {
    /// A team.
    TeamName, "team name"
}
plain_name! {
    /// A session of Claude Code.
    SessionId, "session id"
}
plain_name! {
    /// An engine that loaders fill. All processes that fill one engine have the same name.
    Loader, "loader"
}

/// Who may read an object.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub enum Audience {
    /// The owner alone.
    Private,
    /// The members of a team.
    Team(TeamName),
    /// Everyone in the organisation.
    Org,
}

impl FromStr for Audience {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        match text {
            "private" => Ok(Audience::Private),
            "org" => Ok(Audience::Org),
            _ => match text.strip_prefix("team:") {
                Some(name) => Ok(Audience::Team(name.parse()?)),
                None => Err(NameError {
                    kind: "audience",
                    text: text.to_owned(),
                    rule: "use private, team:NAME or org",
                }),
            },
        }
    }
}

impl TryFrom<String> for Audience {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        text.parse()
    }
}

impl From<Audience> for String {
    fn from(audience: Audience) -> String {
        audience.to_string()
    }
}

impl fmt::Display for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Audience::Private => f.write_str("private"),
            Audience::Team(name) => write!(f, "team:{name}"),
            Audience::Org => f.write_str("org"),
        }
    }
}

/// The tables of the lake.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Table {
    /// API calls with tokens and costs.
    Calls,
    /// Their sums by day, project and model.
    Days,
    /// What API calls are attributed to: branches, agents, skills, tools.
    Attributions,
    /// Sessions.
    Sessions,
    /// Tool calls.
    ToolCalls,
    /// Files that tool calls read or changed.
    Touches,
    /// Commits.
    Commits,
    /// Pull requests.
    PullRequests,
    /// Blocks of lines with their masked text and words.
    Blocks,
    /// Masked lines of transcripts.
    Lines,
}

/// How much of a session leaves the machine. Each level includes the ones before it.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Tokens, costs, models, times.
    Usage,
    /// Also tools, files, commits, branches, and names of agents and skills.
    Metadata,
    /// Also masked text.
    Text,
}

impl Table {
    /// All tables.
    pub const ALL: [Table; 10] = [
        Table::Calls,
        Table::Days,
        Table::Attributions,
        Table::Sessions,
        Table::ToolCalls,
        Table::Touches,
        Table::Commits,
        Table::PullRequests,
        Table::Blocks,
        Table::Lines,
    ];

    /// The level at which its rows leave the machine. Above [`Level::Usage`], what was
    /// decided about a session says who its rows are for.
    pub fn level(self) -> Level {
        match self {
            Table::Calls | Table::Days => Level::Usage,
            Table::Attributions
            | Table::Sessions
            | Table::ToolCalls
            | Table::Touches
            | Table::Commits
            | Table::PullRequests => Level::Metadata,
            Table::Blocks | Table::Lines => Level::Text,
        }
    }

    /// The name in objects and engines.
    pub fn as_str(self) -> &'static str {
        match self {
            Table::Calls => "calls",
            Table::Days => "days",
            Table::Attributions => "attributions",
            Table::Sessions => "sessions",
            Table::ToolCalls => "tool_calls",
            Table::Touches => "touches",
            Table::Commits => "commits",
            Table::PullRequests => "pull_requests",
            Table::Blocks => "blocks",
            Table::Lines => "lines",
        }
    }
}

impl FromStr for Table {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let found = Table::ALL.into_iter().find(|table| table.as_str() == text);
        found.ok_or_else(|| NameError { kind: "table", text: text.to_owned(), rule: "unknown" })
    }
}

/// A month in UTC. Each segment has rows of one.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Month {
    year: u16,
    month: u8,
}

impl Month {
    /// The month of rows whose time is unknown.
    pub const FIRST: Month = Month { year: 1970, month: 1 };
    /// The last month there is.
    pub const LAST: Month = Month { year: 9999, month: 12 };

    /// A month of the years 1970 to 9999.
    pub fn new(year: u16, month: u8) -> Option<Month> {
        ((1970..=9999).contains(&year) && (1..=12).contains(&month))
            .then_some(Month { year, month })
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}{:02}", self.year, self.month)
    }
}

impl FromStr for Month {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let digits = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit());
        let parsed = digits
            .then(|| text.split_at(4))
            .and_then(|(year, month)| Month::new(year.parse().ok()?, month.parse().ok()?));
        parsed.ok_or_else(|| NameError { kind: "month", text: text.to_owned(), rule: "use YYYYMM" })
    }
}

impl TryFrom<String> for Month {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        text.parse()
    }
}

impl From<Month> for String {
    fn from(month: Month) -> String {
        month.to_string()
    }
}

/// The number of a manifest in its chain. The first is 1.
#[derive(
    Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd, Deserialize, Serialize,
)]
#[serde(try_from = "u32", into = "u32")]
pub struct ManifestNumber(u32);

impl ManifestNumber {
    /// The number that stands before every manifest: an empty chain.
    pub const NONE: ManifestNumber = ManifestNumber(0);
    /// The first manifest of a chain.
    pub const FIRST: ManifestNumber = ManifestNumber(1);
    /// The last number with eight digits.
    const LAST: u32 = 99_999_999;

    /// The number before; [`ManifestNumber::NONE`] before the first.
    #[must_use]
    pub fn previous(self) -> ManifestNumber {
        ManifestNumber(self.0.saturating_sub(1))
    }

    /// The next number, unless the eight digits are used up.
    pub fn next(self) -> Option<ManifestNumber> {
        (self.0 < Self::LAST).then_some(ManifestNumber(self.0 + 1))
    }
}

impl TryFrom<u32> for ManifestNumber {
    type Error = NameError;

    fn try_from(number: u32) -> Result<Self, NameError> {
        let too_large = || NameError {
            kind: "manifest number",
            text: number.to_string(),
            rule: "use at most eight digits",
        };
        (number <= Self::LAST).then_some(ManifestNumber(number)).ok_or_else(too_large)
    }
}

impl From<ManifestNumber> for u32 {
    fn from(number: ManifestNumber) -> u32 {
        number.0
    }
}

impl fmt::Display for ManifestNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08}", self.0)
    }
}

impl FromStr for ManifestNumber {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let is_number = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = is_number.then(|| text.parse().ok()).flatten();
        match number {
            Some(number) if number > 0 => Ok(ManifestNumber(number)),
            _ => Err(NameError {
                kind: "manifest number",
                text: text.to_owned(),
                rule: "use eight digits, from 00000001",
            }),
        }
    }
}

/// The manifests and segments of one installation for one audience.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ChainName {
    /// Who may read them.
    pub audience: Audience,
    /// Whose rows they are.
    pub owner: Owner,
    /// Which installation wrote them.
    pub installation: Installation,
}

impl ChainName {
    /// The prefix of all its objects, with a slash at the end.
    pub fn prefix(&self) -> String {
        format!("{}{}/", Self::owner_prefix(&self.audience, &self.owner), self.installation)
    }

    /// The chain whose prefix this is.
    pub fn of_prefix(prefix: &str) -> Option<ChainName> {
        let rest = prefix.strip_prefix("v1/")?.strip_suffix('/')?;
        let parts: Vec<&str> = rest.split('/').collect();
        let (audience, owner, installation) = match parts[..] {
            ["private", owner, installation] => (Audience::Private, owner, installation),
            ["org", owner, installation] => (Audience::Org, owner, installation),
            ["team", team, owner, installation] => {
                (Audience::Team(team.parse().ok()?), owner, installation)
            }
            _ => return None,
        };
        let (owner, installation) = (owner.parse().ok()?, installation.parse().ok()?);
        Some(ChainName { audience, owner, installation })
    }

    /// The prefix of all chains for one audience.
    pub fn audience_prefix(audience: &Audience) -> String {
        match audience {
            Audience::Private => "v1/private/".to_owned(),
            Audience::Team(team) => format!("v1/team/{team}/"),
            Audience::Org => "v1/org/".to_owned(),
        }
    }

    /// The prefix of all chains of an owner for one audience.
    pub fn owner_prefix(audience: &Audience, owner: &Owner) -> String {
        format!("{}{owner}/", Self::audience_prefix(audience))
    }

    /// The prefix of its manifests.
    pub fn manifests(&self) -> String {
        format!("{}m/", self.prefix())
    }

    /// The name of one of its manifests.
    pub fn manifest(&self, number: ManifestNumber) -> String {
        format!("{}m/{number}.json", self.prefix())
    }

    /// The prefix of its segments.
    pub fn segments(&self) -> String {
        format!("{}d/", self.prefix())
    }

    /// The name of one of its segments.
    pub fn segment(&self, segment: &SegmentName) -> String {
        format!("{}d/{segment}", self.prefix())
    }
}

/// A segment: the number of the manifest that first names it, its table and month, and
/// the digest of its bytes.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct SegmentName {
    /// The manifest that first names it.
    pub number: ManifestNumber,
    /// Its table.
    pub table: Table,
    /// The month of its rows.
    pub month: Month,
    digest: String,
}

impl SegmentName {
    /// The name of a segment with these bytes.
    pub fn of(number: ManifestNumber, table: Table, month: Month, bytes: &[u8]) -> SegmentName {
        let digest = blake3::hash(bytes).to_hex()[..32].to_owned();
        SegmentName { number, table, month, digest }
    }

    /// Whether a segment with these bytes has this name.
    pub fn fits(&self, bytes: &[u8]) -> bool {
        blake3::hash(bytes).to_hex()[..32] == self.digest
    }
}

impl fmt::Display for SegmentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SegmentName { number, table, month, digest } = self;
        write!(f, "{number}/{}-{month}-{digest}.parquet", table.as_str())
    }
}

impl FromStr for SegmentName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let invalid = || NameError {
            kind: "segment name",
            text: text.to_owned(),
            rule: "use NUMBER/TABLE-MONTH-DIGEST.parquet",
        };
        let (number, rest) = text.split_once('/').ok_or_else(invalid)?;
        let rest = rest.strip_suffix(".parquet").ok_or_else(invalid)?;
        let (rest, digest) = rest.rsplit_once('-').ok_or_else(invalid)?;
        let (table, month) = rest.rsplit_once('-').ok_or_else(invalid)?;
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if digest.len() != 32 || !digest.bytes().all(is_hex) {
            return Err(invalid());
        }
        Ok(SegmentName {
            number: number.parse()?,
            table: table.parse()?,
            month: month.parse()?,
            digest: digest.to_owned(),
        })
    }
}

impl TryFrom<String> for SegmentName {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        text.parse()
    }
}

impl From<SegmentName> for String {
    fn from(name: SegmentName) -> String {
        name.to_string()
    }
}
