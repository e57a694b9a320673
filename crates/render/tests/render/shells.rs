//! Quoted words and printed commands, read by the shells that people have.

use proptest::prelude::*;
use std::fs;
use testkit::{HOSTILE_WORDS, Sandbox, Shell, printed, printing_program};

/// Asserts that every shell reads quoted words as what they were.
fn assert_read_alike(words: &[String]) {
    let sandbox = Sandbox::new();
    let quoted: Vec<_> = words.iter().map(|word| render::shell_quoted(word)).collect();
    let text = format!("printf '%s\\0' {}", quoted.join(" "));
    let expected = words.iter().fold(String::new(), |all, word| all + word + "\0");
    for shell in Shell::installed() {
        assert_eq!(shell.run(&text, &sandbox.home()), expected, "{shell:?} {text}");
    }
}

#[test]
fn every_shell_reads_hostile_words_as_they_are() {
    let mut words = HOSTILE_WORDS.map(str::to_owned).to_vec();
    // Next to each other, every character is at some end of a word.
    words.extend(HOSTILE_WORDS.map(|word| format!("{word}{word}/x")));
    words.push(String::new());
    assert_read_alike(&words);
}

#[test]
fn every_shell_reads_arbitrary_words_as_they_are() {
    let piece = prop_oneof![
        "[ -~]",
        "[\\\\'\"$`!;~=%#\n]",
        // Arguments have no NUL, and fish keeps U+F600 to U+F6FF for bytes that are not text.
        any::<char>()
            .prop_filter("no argument", |c| !matches!(c, '\0' | '\u{f600}'..='\u{f6ff}'))
            .prop_map(String::from),
    ];
    let word = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat());
    let config = ProptestConfig { cases: 6, max_shrink_iters: 200, ..ProptestConfig::default() };
    proptest!(config, |(words in prop::collection::vec(word, 200))| assert_read_alike(&words));
}

#[test]
fn a_resume_command_does_nothing_but_resume_in_every_shell() {
    let sandbox = Sandbox::new();
    let home = sandbox.home();
    printing_program(&home, "claude");
    let home_text = home.to_str().unwrap();
    let mut refused = Vec::new();
    for name in HOSTILE_WORDS {
        let folder = home.join(name.replace('/', "_"));
        fs::create_dir(&folder).unwrap();
        let cwd = folder.to_str().unwrap();
        let id = if name.starts_with('-') { "s" } else { name };
        for known_home in [None, Some(home_text)] {
            let Some(command) = render::resume_command(id, Some(cwd), known_home) else {
                refused.push(name);
                continue;
            };
            for shell in Shell::installed() {
                let expected = printed(cwd, &["--resume", id]);
                assert_eq!(shell.run(&command, &home), expected, "{shell:?} {command}");
            }
        }
    }
    refused.dedup();
    assert_eq!(refused, ["a\ntouch x\n", "a\tb\u{b}\u{7f}", "a\u{202e}b\u{2028}c"]);
}
