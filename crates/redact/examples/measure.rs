//! Measures masking on made-up texts with known secrets: `measure [--misses] FILE…`.
//!
//! Each line of a file is `{"text": …, "secrets": […], "kind": …}`. A secret counts as masked
//! if no six characters in a row of it are left, neither in the plain text nor in a JSON
//! string; a text counts if all of its secrets do. `--misses` prints the kinds of the other
//! texts and the surroundings of what is left. `measure --mask FILE…` prints the lines of
//! transcripts as they are masked, so that two versions can be compared.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is what this program does")]

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::ExitCode;

use redact::{Level, Redactor};
use serde_json::Value;

/// How many characters in a row of a secret may not be left.
const LEFT: usize = 6;
/// How long the prefix of a secret may be.
const PREFIX: usize = 12;
/// How much of the text around a miss is printed, in characters.
const AROUND: usize = 90;

fn main() -> ExitCode {
    let mut paths: Vec<String> = std::env::args().skip(1).collect();
    let mut take = |flag: &str| {
        let count = paths.len();
        paths.retain(|path| path != flag);
        paths.len() < count
    };
    let (misses, mask) = (take("--misses"), take("--mask"));
    let redactor = Redactor::new(Level::Standard, [7; 32]);
    let done = paths.iter().try_for_each(|path| {
        let file = BufReader::new(File::open(path)?);
        if mask { print_masked(&redactor, file) } else { measure(&redactor, path, file, misses) }
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print_masked(redactor: &Redactor, file: impl BufRead) -> std::io::Result<()> {
    let mut output = BufWriter::new(std::io::stdout().lock());
    for line in file.split(b'\n') {
        output.write_all(redactor.mask_json(&String::from_utf8_lossy(&line?)).as_bytes())?;
        output.write_all(b"\n")?;
    }
    output.flush()
}

fn measure(
    redactor: &Redactor,
    path: &str,
    file: impl BufRead,
    print_misses: bool,
) -> std::io::Result<()> {
    let (mut texts, mut whole, mut secrets, mut masked) = (0, 0, 0, 0);
    for line in file.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let row: Value = serde_json::from_str(&line)?;
        let text = row["text"].as_str().unwrap_or_default();
        let looks = looks(redactor, text);
        let secrets_of = row["secrets"].as_array().into_iter().flatten();
        let all: Vec<&str> = secrets_of.filter_map(Value::as_str).collect();
        let others = all.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "\n"));
        let left: Vec<_> = all
            .iter()
            .filter_map(|secret| Some((*secret, left_of(secret, &looks, &others)?)))
            .collect();
        texts += 1;
        whole += usize::from(left.is_empty());
        secrets += all.len();
        masked += all.len() - left.len();
        if print_misses && !left.is_empty() {
            println!("== {path}:{texts} {}", row["kind"].as_str().unwrap_or_default());
            for (secret, (look, rest)) in left {
                println!("-- {secret}\n   left in {look}: {rest:?}");
            }
        }
    }
    let share = |part: usize, of: usize| {
        #[expect(clippy::cast_precision_loss, reason = "a share that people read")]
        let share = part as f64 * 100.0 / of.max(1) as f64;
        share
    };
    println!(
        "{path}: {whole} of {texts} texts ({:.1} %), {masked} of {secrets} secrets ({:.1} %)",
        share(whole, texts),
        share(masked, secrets)
    );
    Ok(())
}

/// The text as it is masked in plain text and in a JSON string.
fn looks(redactor: &Redactor, text: &str) -> [(&'static str, String); 2] {
    let plain = without_placeholders(&redactor.mask(text));
    let line = serde_json::json!({ "type": "user", "content": text }).to_string();
    let line: Value = serde_json::from_str(&redactor.mask_json(&line)).unwrap_or_default();
    let inner = without_placeholders(line["content"].as_str().unwrap_or_default());
    [("text", plain), ("JSON", inner)]
}

/// The masked text with a sign in place of each placeholder, whose words are none of a secret.
fn without_placeholders(masked: &str) -> String {
    let mut rest = masked;
    let mut plain = String::new();
    while let Some(start) = rest.find("[redacted:") {
        let end = rest[start..].find(']').map_or(rest.len(), |length| start + length + 1);
        plain.push_str(&rest[..start]);
        plain.push('█');
        rest = &rest[end..];
    }
    plain + rest
}

/// Where characters of a secret are left, and what is around them. What the `others`, the text
/// without its secrets, have as well counts only beyond the prefix of a secret, and not if it is
/// part of a word: it may be the prefix of a public key or the word that a name begins with.
fn left_of<'l>(
    secret: &str,
    looks: &'l [(&'static str, String)],
    others: &str,
) -> Option<(&'l str, String)> {
    let characters: Vec<char> = secret.chars().collect();
    let windows = characters.windows(LEFT.min(characters.len())).enumerate();
    let parts: Vec<String> = windows
        .map(|(at, part)| (at, String::from_iter(part)))
        .filter(|(at, part)| {
            let may_be_other = at + LEFT <= PREFIX || part.chars().all(char::is_alphabetic);
            !(may_be_other && others.contains(part.as_str()))
        })
        .map(|(_, part)| part)
        .collect();
    looks.iter().find_map(|(look, masked)| {
        let at = parts.iter().find_map(|part| masked.find(part.as_str()))?;
        let before = masked[..at].char_indices().rev().take(AROUND).last().map_or(0, |(at, _)| at);
        let around: String = masked[before..].chars().take(2 * AROUND).collect();
        Some((*look, around))
    })
}
