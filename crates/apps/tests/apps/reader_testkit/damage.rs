//! Lines that are damaged, and lines that someone wrote to do harm.

use apps::{EntryKind, ProblemKind, Read, Session, read_whole};

/// Lines as an app writes them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleLines {
    /// A line that the others need before them, or nothing.
    pub(crate) before: &'static str,
    /// A line with a prompt, whose text is JSON. Different texts are different messages.
    pub(crate) prompt: fn(text: &str) -> String,
    /// A line with a tool call that has these arguments.
    pub(crate) call: fn(arguments: &str) -> String,
    /// A line with an API call that has this number for each count of tokens.
    pub(crate) usage: fn(number: &str) -> String,
    /// A line of a kind that does not exist, and the name under which it is counted.
    pub(crate) unknown: (&'static str, &'static str),
}

impl SampleLines {
    fn read<R: Read>(&self, lines: &[u8]) -> Session {
        read_whole::<R>(&[self.before.as_bytes(), b"\n", lines].concat())
    }

    /// A line that is cut, and one with two objects.
    pub(crate) fn check_cut_and_glued_lines<R: Read>(&self) {
        let [one, two, three] = ["\"one\"", "\"second\"", "\"the third\""].map(self.prompt);
        let cut = &one[..one.len() - 4];
        let session = self.read::<R>(format!("{cut}\n{one}{two}\n{three}\n").as_bytes());
        assert_eq!(prompts(&session), ["one", "second", "the third"]);
        assert_eq!(problems(&session), [ProblemKind::NotJson, ProblemKind::GluedObjects]);
    }

    /// A line that is not UTF-8.
    pub(crate) fn check_invalid_utf8<R: Read>(&self) {
        let line = (self.prompt)("\"a?b\"").into_bytes().into_iter();
        let line: Vec<u8> = line.map(|byte| if byte == b'?' { 0xff } else { byte }).collect();
        let session = self.read::<R>(&line);
        assert_eq!(prompts(&session), ["a\u{fffd}b"]);
        assert_eq!(problems(&session), [ProblemKind::NotUtf8]);
    }

    /// Escapes of half a character, and characters that terminals and pages obey.
    pub(crate) fn check_strange_characters<R: Read>(&self) {
        let text = r#""\ud83d \u0000 \u001b[31m \u202e </script>""#;
        let session = self.read::<R>((self.prompt)(text).as_bytes());
        assert_eq!(prompts(&session), ["\u{fffd} \0 \u{1b}[31m \u{202e} </script>"]);
    }

    /// Values within values, closed and not.
    pub(crate) fn check_deep_nesting<R: Read>(&self) {
        let after = (self.prompt)("\"after\"");
        let deep = "[".repeat(200_000) + &"]".repeat(200_000);
        for line in [(self.call)(&deep), "{\"a\":".repeat(200_000)] {
            let session = self.read::<R>(format!("{line}\n{after}\n").as_bytes());
            assert_eq!(prompts(&session), ["after"]);
        }
    }

    /// Counts of tokens that are too large, negative or not whole.
    pub(crate) fn check_numbers<R: Read>(&self) {
        let largest = ["9223372036854775807", "18446744073709551615", "99999999999999999999999"];
        for number in largest.into_iter().chain(["1e400", "-5", "0.5"]) {
            let session = self.read::<R>((self.usage)(number).as_bytes());
            let total: u128 =
                session.api_calls.iter().map(|call| u128::from(call.tokens.total())).sum();
            assert!(total <= u128::from(u64::MAX), "{number}");
        }
        let session = self.read::<R>((self.usage)("3").as_bytes());
        assert!(session.api_calls.iter().any(|call| call.tokens.total() > 0), "a plain number");
    }

    /// Lines of an unknown kind.
    pub(crate) fn check_unknown_kinds<R: Read>(&self) {
        let (line, name) = self.unknown;
        let session = self.read::<R>(format!("{line}\n{line}\n").as_bytes());
        assert_eq!(session.unknown.iter().collect::<Vec<_>>(), [(name, 2)]);
        let is_unknown = |kind: &EntryKind| matches!(kind, EntryKind::Unknown(_));
        assert!(session.entries.iter().any(|entry| is_unknown(&entry.kind)), "it is kept");
    }
}

/// All prompts, on every branch.
fn prompts(session: &Session) -> Vec<&str> {
    let kinds = session.entries.iter().map(|entry| &entry.kind);
    let texts = kinds.filter_map(|kind| match kind {
        EntryKind::Prompt(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

fn problems(session: &Session) -> Vec<ProblemKind> {
    session.problems.iter().map(|problem| problem.kind).collect()
}

/// The tests of damaged and hostile lines, of a reader and its [`SampleLines`].
macro_rules! damage_tests {
    ($reader:ty, $lines:expr) => {
        #[test]
        fn cut_and_glued_lines_are_problems_and_the_rest_is_read() {
            $lines.check_cut_and_glued_lines::<$reader>();
        }

        #[test]
        fn invalid_utf8_is_read_with_replacement_characters() {
            $lines.check_invalid_utf8::<$reader>();
        }

        #[test]
        fn half_surrogates_and_control_characters_are_text() {
            $lines.check_strange_characters::<$reader>();
        }

        #[test]
        fn deep_nesting_does_not_overflow_the_stack() {
            $lines.check_deep_nesting::<$reader>();
        }

        #[test]
        fn numbers_beyond_the_type_and_below_zero_do_no_harm() {
            $lines.check_numbers::<$reader>();
        }

        #[test]
        fn unknown_kinds_are_kept_and_counted() {
            $lines.check_unknown_kinds::<$reader>();
        }
    };
}
pub(crate) use damage_tests;
