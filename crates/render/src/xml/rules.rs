//! The rules that make a document compact. Each can be switched off.

/// A kind of content that is shortened or omitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The app's bookkeeping.
    Bookkeeping,
    /// Agents that only warmed up a cache or did nothing.
    Agents,
    /// Commands that only look for Claude's own transcripts.
    Discovery,
    /// Instructions that appeared before.
    Docs,
    /// Files read again with the same result.
    Reads,
    /// Long arguments.
    Parameters,
    /// Long results.
    Results,
    /// Text that is repeated in the record of a call.
    Echo,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 8] = [
        Rule::Bookkeeping,
        Rule::Agents,
        Rule::Discovery,
        Rule::Docs,
        Rule::Reads,
        Rule::Parameters,
        Rule::Results,
        Rule::Echo,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Bookkeeping => "bookkeeping",
            Rule::Agents => "agents",
            Rule::Discovery => "discovery",
            Rule::Docs => "docs",
            Rule::Reads => "reads",
            Rule::Parameters => "parameters",
            Rule::Results => "results",
            Rule::Echo => "echo",
        }
    }

    /// What it leaves out, for help texts.
    pub fn description(self) -> &'static str {
        match self {
            Rule::Bookkeeping => "snapshots, mode changes, hooks and listings",
            Rule::Agents => "agents that only warmed up a cache or did nothing",
            Rule::Discovery => "commands that only look for Claude's own transcripts",
            Rule::Docs => "instructions that appeared before",
            Rule::Reads => "files read again with the same result",
            Rule::Parameters => "the middle of long arguments",
            Rule::Results => "long results, except their beginning, end, errors and warnings",
            Rule::Echo => "text that is repeated in the record of a call",
        }
    }
}

// One bit per rule.
const _: () = assert!(Rule::ALL.len() <= 8);

/// The rules that are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules(u8);

impl Rules {
    /// Every rule.
    pub const ALL: Rules = Rules(u8::MAX);
    /// No rule: nothing is left out.
    pub const NONE: Rules = Rules(0);

    /// These rules without one.
    #[must_use]
    pub fn without(self, rule: Rule) -> Rules {
        Rules(self.0 & !(1 << rule as u8))
    }

    /// Whether a rule is on.
    pub fn has(self, rule: Rule) -> bool {
        self.0 & (1 << rule as u8) != 0
    }

    /// The rules that are on, in order.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.into_iter().filter(move |rule| self.has(*rule))
    }
}
