//! Compact XML: its rules, its parts, and how much the rules save.

use super::Format;
use crate::failure::{CliError, notice};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use document::ReductionDocument;
use render::ExportDocument;
use render::xml::{Document, Rule, Rules};
use std::num::NonZeroU64;

/// How compact the XML is.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "XML")]
pub(super) struct XmlArgs {
    /// Do not shorten this: RULE names what stays complete. Repeatable
    #[arg(long, value_enum, value_name = "RULE")]
    keep: Vec<Keep>,
    /// Split into numbered files of at most N tokens (4 bytes count as a token)
    #[arg(long, value_name = "N")]
    max_tokens: Option<NonZeroU64>,
}

/// A rule that is disabled, or all rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    All,
    One(Rule),
}

impl ValueEnum for Keep {
    fn value_variants<'a>() -> &'a [Self] {
        const VARIANTS: [Keep; Rule::ALL.len() + 1] = {
            let mut variants = [Keep::All; Rule::ALL.len() + 1];
            let mut place = 0;
            while place < Rule::ALL.len() {
                variants[place] = Keep::One(Rule::ALL[place]);
                place += 1;
            }
            variants
        };
        &VARIANTS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Keep::All => PossibleValue::new("all").help("Everything"),
            Keep::One(rule) => PossibleValue::new(rule.name()).help(rule.description()),
        })
    }
}

impl XmlArgs {
    fn rules(&self) -> Rules {
        let switch_off = |rules: Rules, keep: &Keep| match keep {
            Keep::All => Rules::NONE,
            Keep::One(rule) => rules.without(*rule),
        };
        self.keep.iter().fold(Rules::ALL, switch_off)
    }

    /// A session as XML, in one part or several, and how much the rules saved.
    pub(super) fn pages(&self, export: &ExportDocument<'_>) -> (Vec<Vec<u8>>, ReductionDocument) {
        let rules = self.rules();
        let document = Document::of(export, rules);
        let after_bytes = document.bytes();
        let before_bytes = match rules {
            Rules::NONE => after_bytes,
            _ => Document::of(export, Rules::NONE).bytes(),
        };
        let parts = document.parts(self.max_tokens.map_or(u64::MAX, NonZeroU64::get));
        let oversize = parts.iter().filter(|part| part.is_oversize).count();
        if oversize > 0 {
            let id = render::untrusted::line(&export.heading.session_id);
            let all = render::counted(parts.len(), "part");
            notice(&format!(
                "annals: {oversize} of {all} of {id} exceed --max-tokens, because entries are never split"
            ));
        }
        let pages = parts.into_iter().map(|part| part.content.into_bytes()).collect();
        (pages, ReductionDocument { before_bytes, after_bytes })
    }

    /// Whether there may be several parts.
    pub(super) fn is_cut(&self) -> bool {
        self.max_tokens.is_some()
    }

    /// Refuses options that other formats do not support.
    pub(super) fn check(&self, format: Format) -> Result<(), CliError> {
        if format == Format::Xml || self.keep.is_empty() && self.max_tokens.is_none() {
            return Ok(());
        }
        Err(CliError::Misuse("--keep and --max-tokens require --format xml".to_owned()))
    }
}

/// How much the rules saved, for people: `58 % of the full size (412 kB of 710 kB, about 103k
/// tokens)`.
pub(super) fn reduction_line(reduction: ReductionDocument) -> String {
    let ReductionDocument { before_bytes, after_bytes } = reduction;
    #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
    let share = after_bytes as f64 / before_bytes.max(1) as f64;
    format!(
        "{} of the full size ({} of {}, about {} tokens)",
        render::percent(share),
        render::bytes(after_bytes),
        render::bytes(before_bytes),
        render::count(render::xml::estimated_tokens(after_bytes))
    )
}
