//! Code in colour.
//!
//! The grammars are those of syntect; the colours are ours, of the sixteen that
//! every theme of a terminal chooses for itself. Grammars are regular
//! expressions and slow, so the work is bounded: by lines and bytes of a block,
//! and by bytes and time of the process. What is over the bounds stays plain.
//! Languages are known by the name on the fence alone; nothing is guessed.

use crate::diff::diff;
use crate::style::{Paint, Style};
use crate::untrusted;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;
use syntect::parsing::{ParseState, Scope, ScopeStack, ScopeStackOp, SyntaxReference, SyntaxSet};

/// Of one block.
const MOST_LINES: usize = 400;
/// Of one block, in bytes.
const MOST_BYTES: usize = 64 * 1024;
/// In bytes; longer ones are made by machines.
const LONGEST_LINE: usize = 2_000;

/// A language for which we need no grammar.
pub(crate) const DIFF: &str = "Diff";

/// The names on fences, and the grammars' names.
const LANGUAGES: [(&str, &str); 66] = [
    ("bash", "Bourne Again Shell (bash)"),
    ("bat", "Batch File"),
    ("c", "C"),
    ("c#", "C#"),
    ("c++", "C++"),
    ("cc", "C++"),
    ("clj", "Clojure"),
    ("clojure", "Clojure"),
    ("console", "Bourne Again Shell (bash)"),
    ("cpp", "C++"),
    ("cs", "C#"),
    ("csharp", "C#"),
    ("css", "CSS"),
    ("d", "D"),
    ("diff", DIFF),
    ("erlang", "Erlang"),
    ("go", "Go"),
    ("golang", "Go"),
    ("graphviz", "Graphviz (DOT)"),
    ("groovy", "Groovy"),
    ("h", "C"),
    ("haskell", "Haskell"),
    ("hpp", "C++"),
    ("hs", "Haskell"),
    ("html", "HTML"),
    ("java", "Java"),
    ("javascript", "JavaScript"),
    ("js", "JavaScript"),
    ("json", "JSON"),
    ("json5", "JavaScript"),
    ("jsonc", "JavaScript"),
    ("jsonl", "JSON"),
    ("jsx", "JavaScript"),
    ("latex", "LaTeX"),
    ("lisp", "Lisp"),
    ("lua", "Lua"),
    ("make", "Makefile"),
    ("makefile", "Makefile"),
    ("mjs", "JavaScript"),
    ("objc", "Objective-C"),
    ("ocaml", "OCaml"),
    ("patch", DIFF),
    ("perl", "Perl"),
    ("php", "PHP"),
    ("py", "Python"),
    ("python", "Python"),
    ("python3", "Python"),
    ("r", "R"),
    ("rb", "Ruby"),
    ("rs", "Rust"),
    ("ruby", "Ruby"),
    ("rust", "Rust"),
    ("scala", "Scala"),
    ("sh", "Bourne Again Shell (bash)"),
    ("shell", "Bourne Again Shell (bash)"),
    ("sql", "SQL"),
    ("svg", "XML"),
    ("tcl", "Tcl"),
    // There is no grammar for it; its comments, texts and numbers are the same.
    ("toml", "Python"),
    // Likewise, but for the types.
    ("ts", "JavaScript"),
    ("tsx", "JavaScript"),
    ("typescript", "JavaScript"),
    ("xml", "XML"),
    ("yaml", "YAML"),
    ("yml", "YAML"),
    ("zsh", "Bourne Again Shell (bash)"),
];

/// What parts of code look like, the first that fits; of the scopes around a
/// part the innermost that is listed counts.
const LOOKS: [(&str, Style); 18] = [
    ("comment", Style::Dim),
    ("constant.character.escape", Style::Constant),
    ("constant.other.placeholder", Style::Constant),
    // What is put into a text is code again.
    ("meta.interpolation", Style::Plain),
    ("meta.template.expression", Style::Plain),
    ("source.js.embedded", Style::Plain),
    ("string", Style::Literal),
    ("constant", Style::Constant),
    ("keyword.operator.word", Style::Keyword),
    ("keyword.operator.logical", Style::Keyword),
    ("keyword.operator", Style::Plain),
    ("keyword", Style::Keyword),
    ("storage", Style::Keyword),
    ("variable.language", Style::Keyword),
    ("variable.function", Style::Name),
    ("variable.parameter", Style::Constant),
    ("entity.name", Style::Name),
    ("support", Style::Name),
];

/// What highlighting may still cost in this process.
struct Budget {
    bytes: AtomicUsize,
    microseconds: AtomicU64,
}

static BUDGET: Budget =
    Budget { bytes: AtomicUsize::new(1_000_000), microseconds: AtomicU64::new(2_000_000) };

impl Budget {
    /// Takes bytes, if there are any and there is time.
    fn take(&self, bytes: usize) -> bool {
        let left = |left: usize| (left > 0).then(|| left.saturating_sub(bytes));
        self.has_time()
            && self.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_ok()
    }

    fn has_time(&self) -> bool {
        self.microseconds.load(Ordering::Relaxed) > 0
    }

    fn spend(&self, since: Instant) {
        let spent = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
        let left = |left: u64| Some(left.saturating_sub(spent));
        let _ = self.microseconds.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
    }
}

/// The lines of a block of code in colour, harmless, without newlines. Nothing
/// if there are no colours, the language is not known, or enough was done.
pub(crate) fn highlighted(code: &str, language: &str, paint: Paint) -> Option<Vec<String>> {
    if !paint.enabled {
        return None;
    }
    within(&BUDGET, code, grammar_name(language)?, paint)
}

fn within(budget: &Budget, code: &str, grammar: &str, paint: Paint) -> Option<Vec<String>> {
    if grammar == DIFF {
        return Some(diff(code, paint, usize::MAX).lines().map(str::to_owned).collect());
    }
    if !budget.take(code.len().min(MOST_BYTES)) {
        return None;
    }
    let syntax = syntaxes().find_syntax_by_name(grammar)?;
    Some(lines(budget, code, syntax, paint))
}

/// The name of the grammar for what a fence says: `rust,ignore`, `{.python}`.
pub(crate) fn grammar_name(fence: &str) -> Option<&'static str> {
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ':' | '{' | '}');
    let name = fence.trim_start_matches(['{', '.', ' ']).split(ends).next()?;
    // Longer than any name; the rest of a long fence is not worth a copy.
    if name.len() > 12 {
        return None;
    }
    let name = name.to_ascii_lowercase();
    let at = LANGUAGES.binary_search_by_key(&name.as_str(), |(name, _)| name).ok()?;
    Some(LANGUAGES[at].1)
}

fn syntaxes() -> &'static SyntaxSet {
    static SYNTAXES: OnceLock<SyntaxSet> = OnceLock::new();
    SYNTAXES.get_or_init(SyntaxSet::load_defaults_newlines)
}

fn looks() -> &'static [(Scope, Style)] {
    static SCOPES: OnceLock<Vec<(Scope, Style)>> = OnceLock::new();
    SCOPES.get_or_init(|| {
        LOOKS.iter().filter_map(|(name, style)| Some((Scope::new(name).ok()?, *style))).collect()
    })
}

fn lines(budget: &Budget, code: &str, syntax: &SyntaxReference, paint: Paint) -> Vec<String> {
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut lines = Vec::new();
    let mut bytes = 0;
    let mut goes_on = true;
    for line in code.split_inclusive('\n') {
        bytes += line.len();
        goes_on &= lines.len() < MOST_LINES && bytes <= MOST_BYTES && budget.has_time();
        let painted = if goes_on && line.len() <= LONGEST_LINE {
            let since = Instant::now();
            let painted = painted_line(line, &mut state, &mut stack, paint);
            budget.spend(since);
            painted
        } else {
            None
        };
        lines.push(painted.unwrap_or_else(|| untrusted::text(shown(line)).into_owned()));
    }
    lines
}

fn painted_line(
    line: &str,
    state: &mut ParseState,
    stack: &mut ScopeStack,
    paint: Paint,
) -> Option<String> {
    let turns = state.parse_line(line, syntaxes()).ok()?;
    let line = shown(line);
    let mut painted = String::with_capacity(line.len() * 2);
    // Neighbours of one look are painted at once: from here on, in this.
    let (mut from, mut look) = (0, Style::Plain);
    let mut at = 0;
    let end = (line.len(), ScopeStackOp::Noop);
    for (next, turn) in turns.into_iter().chain([end]) {
        let next = next.min(line.len());
        if next > at {
            let style = style_of(stack);
            if style != look {
                painted += &paint.paint(look, &untrusted::text(line.get(from..at)?));
                (from, look) = (at, style);
            }
            at = next;
        }
        stack.apply(&turn).ok()?;
    }
    painted += &paint.paint(look, &untrusted::text(line.get(from..)?));
    Some(painted)
}

fn style_of(stack: &ScopeStack) -> Style {
    let look = |scope: &Scope| {
        looks().iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, style)| *style)
    };
    stack.as_slice().iter().rev().find_map(look).unwrap_or(Style::Plain)
}

/// A line without its end.
fn shown(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::unpainted;
    use proptest::prelude::*;

    const PAINTED: Paint = Paint { enabled: true };

    /// As [`highlighted`], whatever other tests in this process have spent.
    fn painted(code: &str, language: &str) -> Option<Vec<String>> {
        let most = AtomicUsize::new(usize::MAX);
        let budget = Budget { bytes: most, microseconds: AtomicU64::new(u64::MAX) };
        within(&budget, code, grammar_name(language)?, PAINTED)
    }

    #[test]
    fn every_language_has_its_grammar_and_its_place() {
        assert!(LANGUAGES.is_sorted());
        for (name, grammar) in LANGUAGES {
            assert_eq!(grammar_name(name), Some(grammar));
            assert!(syntaxes().find_syntax_by_name(grammar).is_some(), "{grammar}");
        }
    }

    #[test]
    fn fences_say_more_than_the_language() {
        let table = [
            ("rust,ignore", Some("Rust")),
            ("Python title=x", Some("Python")),
            ("{.js}", Some("JavaScript")),
            ("", None),
            ("text", None),
            ("averylongnamethatisnolanguage", None),
        ];
        for (fence, expected) in table {
            assert_eq!(grammar_name(fence), expected, "{fence}");
        }
    }

    #[test]
    fn parts_of_code_have_their_looks() {
        let table = [
            (
                "rust",
                "let x = 1; // n",
                "\u{1b}[35mlet\u{1b}[0m x = \u{1b}[33m1\u{1b}[0m; \u{1b}[2m// n\u{1b}[0m",
            ),
            (
                "py",
                "def f(): 'a'",
                "\u{1b}[35mdef\u{1b}[0m \u{1b}[36mf\u{1b}[0m(): \u{1b}[32m'a'\u{1b}[0m",
            ),
            ("toml", "a = \"b\" # c", "a = \u{1b}[32m\"b\"\u{1b}[0m \u{1b}[2m# c\u{1b}[0m"),
            ("diff", "+a", "\u{1b}[32m+a\u{1b}[0m"),
        ];
        for (language, code, expected) in table {
            assert_eq!(painted(code, language).unwrap(), [expected]);
        }
    }

    #[test]
    fn nothing_is_done_without_colours_or_a_known_language() {
        assert_eq!(highlighted("let x;", "rust", Paint { enabled: false }), None);
        assert_eq!(highlighted("let x;", "", PAINTED), None);
        assert_eq!(highlighted("let x;", "klingon", PAINTED), None);
    }

    #[test]
    fn what_is_over_the_bounds_stays_plain() {
        let is_painted = |line: &String| line.contains('\u{1b}');
        let many = painted(&"let x;\n".repeat(MOST_LINES + 1), "rust").unwrap();
        assert_eq!(many.len(), MOST_LINES + 1);
        assert!(many[..MOST_LINES].iter().all(is_painted));
        assert_eq!(many[MOST_LINES], "let x;");
        let long = format!("let x; {}\nlet y;", " ".repeat(LONGEST_LINE));
        let long = painted(&long, "rust").unwrap();
        assert!(!is_painted(&long[0]) && is_painted(&long[1]));
        let large = format!("//{}\n", " ".repeat(LONGEST_LINE - 3)).repeat(40);
        let large = painted(&large, "rust").unwrap();
        assert!(is_painted(&large[0]) && !is_painted(&large[39]));
    }

    #[test]
    fn the_process_has_a_budget() {
        let budget = Budget { bytes: AtomicUsize::new(10), microseconds: AtomicU64::new(5) };
        assert_eq!([6, 6, 6].map(|bytes| budget.take(bytes)), [true, true, false]);
        let budget = Budget { bytes: AtomicUsize::new(10), microseconds: AtomicU64::new(0) };
        assert!(!budget.take(1));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn code_comes_out_whole_and_harmless(
            language in (0..LANGUAGES.len()).prop_map(|at| LANGUAGES[at].0),
            code in prop_oneof![any::<String>(), "([a<${}()'\"`#/*;=\\\\ \n\u{1b}é]|<<E|EOF|def|fn|%q){0,40}"],
        ) {
            let lines = painted(&code, language).unwrap();
            let expected: Vec<_> =
                code.split_inclusive('\n').map(|line| untrusted::text(shown(line)).into_owned()).collect();
            prop_assert_eq!(unpainted(&lines.join("\n")), expected.join("\n"));
        }
    }
}
