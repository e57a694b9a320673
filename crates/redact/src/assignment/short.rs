//! Short names of passwords: those that end in `pass`, `pw` or `psk`.

use std::ops::Range;

use super::answers::find_answer;
use super::chosen::is_chosen;
use super::delimit::{delimit, skip_name};
use super::fallback::find_fallback;
use super::noise::find_noise;
use super::places::{find_below, find_phrase};
use super::value::{
    is_app_letters, is_random, is_reference, is_scrambled, is_spelled, is_strong,
    is_strong_in_prose, is_worded, is_worded_oddly,
};
use super::{
    Assignment, Certainty, NameTraits, Quoting, ends_with_any_case, is_any, is_chosen_password,
    is_network_number, is_pass_phrase, is_signed_password, is_uppercase, judge, pairs,
};
use crate::check::{all, is_mixed};
use crate::letters::ascii;
use crate::pattern::ANY_HEX;

/// The value of a name that ends in `pass`, `pw` or `psk`. Such names are short, so they need
/// a shell variable, quotes, or a value that is hardly anything else. The
/// keyword may include characters before and after the name.
pub(crate) fn find_password(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let keyword_text = &text[keyword.clone()];
    let (at, length) = ["pass", "pw", "psk"].into_iter().find_map(|word| {
        let at = keyword_text
            .as_bytes()
            .windows(word.len())
            .position(|w| w.eq_ignore_ascii_case(word.as_bytes()))?;
        Some((keyword.start + at, word.len()))
    })?;
    let bytes = text.as_bytes();
    let camel = bytes[at].is_ascii_uppercase() && bytes[at + 1].is_ascii_lowercase();
    // `dbpass`, `bindpw`; but not `bypass`, `compass`.
    if ["by", "com", "sur", "tres", "buy", "under", "over"]
        .iter()
        .any(|word| ends_with_any_case(&bytes[..at], word))
    {
        return None;
    }
    let has_prefix = bytes[..at].ends_with(b"_");
    let is_glued = bytes[..at].last().is_some_and(u8::is_ascii_alphabetic) && !camel;
    let is_capitals = is_uppercase(&text[at..at + length]);
    let keyword = at..at + length;
    let end = at + length;
    if let Some(noise) = find_noise(text, at, end) {
        return Some(noise.value);
    }
    let is_value = |assignment: &Assignment| is_chosen(text, &keyword, assignment);
    let assignment = delimit(text, keyword.clone())
        .or_else(|| pairs::find_value(text, at, skip_name(bytes, end)?).filter(is_value))
        .or_else(|| find_answer(text, at, end))
        .or_else(|| find_fallback(text, end))
        .or_else(|| find_below(text, &keyword, end))
        .or_else(|| find_phrase(text, &keyword, end).filter(is_value))?;
    let value = ascii(assignment.text(text));
    let value = value.as_ref();
    let is_variable = is_capitals && assignment.tight && value.bytes().any(|b| b.is_ascii_digit());
    // Routers have numbers.
    let is_literal = assignment.quoting == Quoting::Quoted || assignment.tight;
    let is_psk = text[keyword.clone()].eq_ignore_ascii_case("psk")
        && matches!(assignment.certainty, Certainty::Assigned | Certainty::Line);
    if (is_literal || is_psk) && !is_glued && is_network_number(text, &keyword, value) {
        return Some(assignment.value);
    }
    // A key of a tunnel or an agent.
    if length < 4
        && text[keyword.clone()].eq_ignore_ascii_case("psk")
        && value.len() >= 32
        && all(ANY_HEX, value)
        && is_random(value)
    {
        return Some(assignment.value);
    }
    if is_glued && is_variable && is_chosen(text, &keyword, &assignment) {
        return Some(assignment.value);
    }
    let is_literal = matches!(assignment.certainty, Certainty::Assigned | Certainty::Line)
        && (is_strong(value) || is_app_letters(value));
    if is_glued && is_literal && !is_reference(value) {
        return Some(assignment.value);
    }
    if is_glued
        && !is_literal
        && !is_signed_password(value)
        && !is_scrambled(value)
        && !is_worded_oddly(value)
    {
        return None;
    }
    if !is_glued && is_chosen(text, &keyword, &assignment) {
        return Some(assignment.value);
    }
    let has_mark = value.bytes().any(|byte| byte.is_ascii_digit() || b"!#$&+*".contains(&byte));
    let is_short_name = is_any(&text[keyword.clone()], &["pw"])
        && assignment.certainty == Certainty::Assigned
        && (is_pass_phrase(value) || (has_mark && value.len() >= 8 && is_chosen_password(value)));
    if is_short_name {
        return Some(assignment.value);
    }
    // `user ann / pass …`
    let before = &text[text.ceil_char_boundary(at.saturating_sub(40))..at];
    let names_user =
        || ["user ", "login ", "user: ", " / "].iter().any(|word| before.contains(word));
    if assignment.certainty == Certainty::Directive
        && has_mark
        && names_user()
        && value.len() >= 8
        && is_chosen_password(value)
    {
        return Some(assignment.value);
    }
    let certain = assignment.quoting == Quoting::Quoted
        || assignment.certainty == Certainty::Line
        || (is_capitals && assignment.tight)
        || (assignment.tight && (is_strong(value) || is_random(value)))
        || (assignment.certainty == Certainty::Assigned && is_worded(value))
        || (has_prefix && is_strong(value) && is_spelled(value))
        || ((has_prefix || is_glued || length < 4 || !is_capitals) && is_scrambled(value))
        || (length < 4 && value.len() >= 12 && is_mixed(value) && is_strong(value))
        || is_strong_in_prose(value);
    let name = NameTraits { password: true, is_capitals, may_be_uuid: false };
    (certain && value.len() >= 8 && judge(text, &assignment, name)).then_some(assignment.value)
}
