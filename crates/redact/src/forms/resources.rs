//! Values of resources of Terraform that hold a secret, whatever it is called:
//! `aws_ssm_parameter` of the type `SecureString`, versions of secrets, secrets of a vault.

use std::ops::Range;

use crate::assignment::{is_chosen_password, is_random_key, is_strong_password};
use crate::check::is_placeholder;

/// How long a resource is.
const LONGEST: usize = 1500;

/// The attributes that hold the secret.
const ATTRIBUTES: [&str; 6] =
    ["value", "value_wo", "secret_string", "secret_string_wo", "secret_data", "secret_data_wo"];

/// The literal in a resource. The keyword is its type with the closing quote.
pub(crate) fn resource_secret(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let limit = text.floor_char_boundary(text.len().min(keyword.end + LONGEST));
    let block = &text[keyword.end..limit];
    let block = &block[..block.find("\n}").unwrap_or(block.len())];
    let is_parameter = text[keyword.clone()].contains("_ssm_");
    if !block.contains('{') || (is_parameter && !block.contains("SecureString")) {
        return None;
    }
    let mut at = keyword.end;
    for line in block.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some((name, value)) = line.split_once('=') else { continue };
        if !ATTRIBUTES.contains(&name.trim()) {
            continue;
        }
        let inner = value.trim().strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        if let Some(inner) = inner.filter(|inner| is_literal(inner)) {
            let from = start + line.find('"')? + 1;
            return Some(from..from + inner.len());
        }
    }
    None
}

fn is_literal(value: &str) -> bool {
    !value.contains("${")
        && !is_placeholder(value)
        && !crate::has_placeholder(value)
        && (is_chosen_password(value) || is_strong_password(value) || is_random_key(value))
}
