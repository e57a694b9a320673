//! Every rule of the table with generated values in many surroundings: the
//! value of a row is only an example, and a secret rarely stands alone.

use super::*;
use crate::rule::Rule;

/// Where a token may be. `§` is the token.
const AROUND_TOKENS: &[&str] = &[
    "§",
    "export X=§",
    "export X=\"§\"; run",
    "X='§'",
    "run --with § -v",
    "curl -H 'X-A: §' https://a.internal/",
    "https://a.internal/?t=§&x=1",
    "a%3D§%26b",
    "{\"a\": \"§\"}",
    "{\"a\":\"{\\\"b\\\":\\\"§\\\"}\"}",
    "a: §\nb: 1",
    "- '§'",
    "a = \"§\" # toml",
    "+const A = \"§\";",
    "-  a: §",
    "| a | § |",
    "It is `§`, as said.",
    "**§**",
    "{'a': '§', 'b': 1}",
    "<a b=\"§\"/>",
    "ENV A §",
    "2026-01-02T03:04:05Z INFO a=§ done",
    "     7→  §",
    "first\\n§\\nlast",
    "\u{1b}[32m§\u{1b}[0m ok",
    "&quot;§&quot;",
];

/// What may be around a whole text with a secret. `§` is the text.
const AROUND_TEXTS: &[&str] = &[
    "§",
    "§\n",
    "before\n§\nafter",
    "\t§",
    "    §",
    "$ §",
    "> §",
    "# §",
    "// §",
    "+§",
    "+ §",
    "- §",
    "* §",
    "1. §",
    "run; §",
    "run && §",
    "```\n§\n```",
    "2026-01-02T03:04:05Z §",
    "     7→§",
    "before\r\n§\r\nafter",
    "(§",
    "é §",
];

/// Pseudo-random numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn pick(&mut self, from: &[u8]) -> char {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        let index = usize::try_from(self.0 >> 33).unwrap_or(0);
        char::from(from[index % from.len()])
    }
}

/// Another secret of the same form: every letter and digit becomes another of
/// its kind, except for those that every secret of the kind has.
fn another(rule: &Rule, secret: &str, numbers: &mut Numbers) -> String {
    let mut is_fixed = vec![false; secret.len()];
    for part in rule.fixed_parts() {
        for (at, _) in secret.match_indices(part) {
            is_fixed[at..at + part.len()].fill(true);
        }
    }
    let is_hex = |byte: u8| !byte.is_ascii_alphabetic() || byte.is_ascii_hexdigit();
    let hex = secret.bytes().zip(&is_fixed).all(|(byte, fixed)| *fixed || is_hex(byte));
    let has_lower = secret.bytes().any(|byte| byte.is_ascii_lowercase());
    secret
        .char_indices()
        .map(|(at, character)| match character {
            _ if is_fixed[at] => character,
            // Base32 has no other digits.
            '0'..='9' if !has_lower => numbers.pick(b"234567"),
            '0'..='9' => numbers.pick(b"23456789"),
            'a'..='z' if hex => numbers.pick(b"abcdef"),
            'A'..='Z' if hex => numbers.pick(b"ABCDEF"),
            'a'..='f' => numbers.pick(b"abcdef"),
            'a'..='z' => numbers.pick(b"ghijkmnopqrstuvwyz"),
            'A'..='Z' => numbers.pick(b"ABCDEFGHJKLMNPQRSTUVWYZ"),
            other => other,
        })
        .collect()
}

/// What is left of a secret: a piece of it that is not masked.
fn leak<'a>(secret: &'a str, masked: &str) -> Option<&'a str> {
    let from = (secret.len() / 3).min(32);
    let piece = (secret.len() - from).min(8);
    (from..=secret.len() - piece)
        .filter_map(|start| secret.get(start..start + piece))
        .filter(|piece| piece.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        .find(|piece| masked.contains(piece))
}

fn check(redactor: &Redactor, rule: &Rule, secret: &str, text: &str, wrong: &mut Vec<String>) {
    let json = serde_json::json!({ "message": { "content": [{ "text": text }] } }).to_string();
    for masked in [redactor.mask(text).into_owned(), redactor.mask_json(&json).into_owned()] {
        if leak(secret, &masked).is_some() {
            wrong.push(format!("{}: {text:?}\n    {masked:?}", rule.name()));
        }
    }
}

/// Tokens with hex digits after other letters, which random letters break.
const CHECKED: &[&str] = &["grafana-token"];

/// Rules whose secret has a checked inner form, which random letters break.
const FIXED: &[&str] = &[
    "kept-login",
    "authorization",
    "jwt",
    "login",
    "private-key",
    "postgres-hash",
    "nearby-key",
    "encoded-pair",
];

#[test]
fn generated_tokens_are_masked_in_every_surrounding() {
    let redactor = Redactor::new(Level::Standard, [7; 32]);
    let (mut wrong, mut number) = (Vec::new(), 0);
    for (seed, rule) in
        (1..).zip(rules().filter(|rule| rule.is_token() && !CHECKED.contains(&rule.name())))
    {
        let mut numbers = Numbers(seed);
        for (_, secret) in
            rule.hits().filter(|(text, secret)| text == secret && !secret.contains("abcabc"))
        {
            for around in AROUND_TOKENS {
                let generated = another(rule, &secret, &mut numbers);
                let text = around.replace('§', &generated);
                check(&redactor, rule, &generated, &text, &mut wrong);
                number += 1;
            }
        }
    }
    assert!(number > 4000, "only {number} texts");
    // A random value may have too little entropy.
    assert!(wrong.len() * 500 <= number, "{} of {number}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn generated_secrets_in_contexts_are_masked_in_every_surrounding() {
    let redactor = Redactor::new(Level::Standard, [7; 32]);
    let (mut wrong, mut number) = (Vec::new(), 0);
    for (seed, rule) in
        (1..).zip(rules().filter(|rule| !rule.is_token() && rule.level == Level::Standard))
    {
        let mut numbers = Numbers(seed);
        for (hit, secret) in rule.hits() {
            for around in AROUND_TEXTS {
                let generated = if FIXED.contains(&rule.name())
                    || secret.contains(['\n', '\\'])
                    || secret.len() < 12
                {
                    secret.clone()
                } else {
                    another(rule, &secret, &mut numbers)
                };
                let text = around.replace('§', &hit.replace(&secret, &generated));
                check(&redactor, rule, &generated, &text, &mut wrong);
                number += 1;
            }
        }
    }
    assert!(number > 3000, "only {number} texts");
    // A random value may look like a word, a version or a placeholder.
    assert!(wrong.len() * 200 <= number, "{} of {number}:\n{}", wrong.len(), wrong.join("\n"));
}
