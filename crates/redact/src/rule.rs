//! A row of the table: what a kind of secret is called, where to look for it,
//! what it is written like, what proves it, and values that show all this.
//!
//! The rows themselves are in `rules`; nothing here knows a service.

use std::ops::Range;

use crate::check::{entropy, has_checksum, is_mixed, is_placeholder};
use crate::pattern::{Part, Set, begins_parts, match_parts, starts_token};
use crate::{Level, assignment};

/// A kind of secret.
///
/// Values in `hits` and `misses` are cut with `|` so that no scanner of secrets
/// takes this table for a leak; [`Rule::hits`] puts them together again.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    name: &'static str,
    pub(crate) level: Level,
    pub(crate) keywords: &'static [&'static str],
    pub(crate) any_case: bool,
    shape: Shape,
    proof: Proof,
    /// What a token must be like that follows a letter, a digit or an underscore
    /// directly; nothing if none may.
    glued: Option<fn(&str) -> bool>,
    hits: &'static [&'static str],
    misses: &'static [&'static str],
}

/// Finds the secret around the keyword at `Range`.
pub(crate) type Matcher = fn(&str, Range<usize>) -> Option<Range<usize>>;

#[derive(Debug, Clone, Copy)]
enum Shape {
    /// The keyword begins the secret.
    Token(&'static [Part]),
    /// The keyword stands inside: so many of a set before it, parts after it.
    Inside(Set, usize, usize, &'static [Part]),
    /// The keyword is in a name, and the secret is what the name is given.
    Named(&'static [Part]),
    /// Whatever this finds; it does its own checks.
    Matcher(Matcher),
}

#[derive(Debug, Clone, Copy)]
enum Proof {
    /// The writing is proof enough.
    Shape,
    /// At least so many tenths of a bit per byte, and no placeholder in it.
    Entropy(u8),
    /// The checksum at its end, or failing that as much entropy as chance
    /// gives: a token with a typing error tells as much as the right one.
    Checksum,
    /// What this says of the whole secret.
    Test(fn(&str) -> bool),
}

/// A rule whose secrets begin with one of the keywords.
pub(crate) const fn token(
    name: &'static str,
    keywords: &'static [&'static str],
    parts: &'static [Part],
) -> Rule {
    Rule {
        name,
        level: Level::Standard,
        keywords,
        any_case: false,
        shape: Shape::Token(parts),
        proof: Proof::Entropy(30),
        glued: None,
        hits: &[],
        misses: &[],
    }
}

/// A rule for what is given to names that contain one of the keywords, in any
/// case.
pub(crate) const fn named(
    name: &'static str,
    keywords: &'static [&'static str],
    parts: &'static [Part],
) -> Rule {
    Rule { shape: Shape::Named(parts), any_case: true, ..token(name, keywords, parts) }
}

/// A rule that finds its own way from the keyword.
pub(crate) const fn matched(
    name: &'static str,
    keywords: &'static [&'static str],
    matcher: Matcher,
) -> Rule {
    Rule { shape: Shape::Matcher(matcher), proof: Proof::Shape, ..token(name, keywords, &[]) }
}

impl Rule {
    /// The keyword follows so many bytes of the secret.
    pub(crate) const fn after(mut self, set: Set, least: usize, most: usize) -> Self {
        if let Shape::Token(parts) = self.shape {
            self.shape = Shape::Inside(set, least, most, parts);
        }
        self
    }

    /// Keywords count in any case.
    pub(crate) const fn any_case(mut self) -> Self {
        self.any_case = true;
        self
    }

    /// Only when more than secrets is to be masked.
    pub(crate) const fn strict(mut self) -> Self {
        self.level = Level::Strict;
        self
    }

    /// In tenths of a bit per byte.
    pub(crate) const fn entropy(mut self, tenths: u8) -> Self {
        self.proof = Proof::Entropy(tenths);
        self
    }

    pub(crate) const fn checksum(mut self) -> Self {
        self.proof = Proof::Checksum;
        self
    }

    pub(crate) const fn proven(mut self, test: fn(&str) -> bool) -> Self {
        self.proof = Proof::Test(test);
        self
    }

    /// A token counts wherever it stands, also in `xghp_…`: its beginning ends no
    /// word, and what follows it is long and mixed.
    pub(crate) const fn anywhere(self) -> Self {
        self.anywhere_if(is_mixed)
    }

    /// The same, if what follows its beginning is so.
    pub(crate) const fn anywhere_if(mut self, test: fn(&str) -> bool) -> Self {
        self.glued = Some(test);
        self
    }

    pub(crate) const fn with(
        mut self,
        hits: &'static [&'static str],
        misses: &'static [&'static str],
    ) -> Self {
        self.hits = hits;
        self.misses = misses;
        self
    }

    /// What the placeholder says.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Texts that hold one secret of this kind, and the secret.
    pub fn hits(&self) -> impl Iterator<Item = (String, String)> {
        self.hits.iter().map(|hit| {
            let whole = hit.replace('|', "");
            let secret = match (whole.find('«'), whole.find('»')) {
                (Some(start), Some(end)) => whole[start + '«'.len_utf8()..end].to_owned(),
                _ => whole.clone(),
            };
            (whole.replace(['«', '»'], ""), secret)
        })
    }

    /// Texts that look like it, and hold none.
    pub fn misses(&self) -> impl Iterator<Item = String> {
        self.misses.iter().map(|miss| miss.replace('|', ""))
    }

    /// The secret that the keyword belongs to. `boundary` is where something
    /// found before ends: a token may start right there.
    pub(crate) fn find(
        &self,
        text: &str,
        keyword: Range<usize>,
        boundary: usize,
    ) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let begins = |at: usize| at == boundary || starts_token(bytes, at);
        let (secret, body) = match self.shape {
            Shape::Token(parts) => {
                let start = keyword.start;
                let is_glued = !begins(start);
                if is_glued && self.glued.is_none() {
                    return None;
                }
                let Some(end) = match_parts(bytes, keyword.end, parts) else {
                    return if is_glued { None } else { find_cut(text, keyword, parts) };
                };
                if is_glued && !self.glued?(text.get(keyword.end..end)?) {
                    return None;
                }
                (start..end, keyword.end..end)
            }
            Shape::Inside(set, least, most, parts) => {
                let length = set.run_back(&bytes[..keyword.start], most);
                let start = keyword.start - length;
                if length < least || !begins(start) {
                    return None;
                }
                let end = match_parts(bytes, keyword.end, parts)?;
                (start..end, start..end)
            }
            Shape::Named(parts) => {
                let start = assignment::find_value(text, keyword)?;
                let end = match_parts(bytes, start, parts)?;
                (start..end, start..end)
            }
            Shape::Matcher(matcher) => {
                let secret = matcher(text, keyword)?;
                (secret.clone(), secret)
            }
        };
        self.is_proven(text.get(secret.clone())?, text.get(body)?).then_some(secret)
    }

    fn is_proven(&self, secret: &str, body: &str) -> bool {
        let random = |tenths: u8| {
            entropy(body.as_bytes()) * 10.0 >= f32::from(tenths) && !is_placeholder(body)
        };
        match self.proof {
            Proof::Shape => true,
            Proof::Entropy(tenths) => random(tenths),
            Proof::Checksum => has_checksum(body.as_bytes()) || random(35),
            Proof::Test(test) => test(secret),
        }
    }
}

/// Prefixes that are words as well, so that little after them proves nothing.
const WORDS: &[&str] = &["key-", "secret_", "pul-", "ico-"];

/// What many keys go on with after the prefix, and documentation shows.
const VERSIONS: &[&str] = &["api03", "api01", "oat01", "ort01", "admin01", "sid01", "sid02"];

/// Whether what follows a prefix begins with a version of keys.
pub(crate) fn is_versioned(body: &str) -> bool {
    let (version, rest) = body.split_once('-').unwrap_or_default();
    VERSIONS.contains(&version) && is_mixed(rest)
}

const LONGEST_CUT: usize = 512;

/// The start of a token that the end of the text cut short: an ellipsis and
/// nothing more follows.
fn find_cut(text: &str, keyword: Range<usize>, parts: &[Part]) -> Option<Range<usize>> {
    let rest = &text[keyword.end..];
    // Whether it is near the end comes first: a text may have many keywords.
    if rest.len() > LONGEST_CUT {
        return None;
    }
    let kept = rest.trim_end_matches([' ', '\n', '\r', '"', '\'', '`', ')']);
    let kept = kept.strip_suffix('…').or_else(|| kept.strip_suffix("..."))?;
    let body = kept.trim_end_matches('.');
    let prefix = &text[keyword.clone()];
    let digit = body.bytes().any(|byte| byte.is_ascii_digit());
    let upper = body.bytes().any(|byte| byte.is_ascii_uppercase());
    let distinct = if prefix.len() >= 4 {
        body.len() >= 4 && (digit || upper) && !WORDS.contains(&prefix)
    } else {
        body.len() >= 8 && digit && upper && prefix.ends_with(['_', '-'])
    };
    let good = distinct
        && begins_parts(body.as_bytes(), parts)
        && !VERSIONS.contains(&body.trim_end_matches('-'))
        && !is_placeholder(body);
    good.then(|| keyword.start..keyword.end + body.len())
}
