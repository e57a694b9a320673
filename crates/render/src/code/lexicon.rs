//! The syntax of languages: the delimiters of comments and strings, the keywords, and
//! which special rules apply.
//!
//! Languages share a table if their keywords do not collide. The keywords are in `words`.

use super::words;

/// The syntax of a language.
pub(crate) struct Lexicon {
    /// The beginnings of line comments.
    pub(super) line: &'static [&'static str],
    /// The delimiters of block comments.
    pub(super) block: &'static [(&'static str, &'static str)],
    /// Strings, the longest quotes first.
    pub(super) strings: &'static [Quote],
    /// Keywords, sorted.
    pub(super) keywords: &'static [&'static str],
    /// Values that are words, sorted.
    pub(super) values: &'static [&'static str],
    /// Types in lower case, sorted.
    pub(super) types: &'static [&'static str],
    pub(super) rules: Rules,
}

/// How a string begins and ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// Whether it may span several lines.
    pub(super) is_multiline: bool,
    /// Whether a backslash escapes the next character.
    pub(super) has_escapes: bool,
    pub(super) inner: Inner,
}

/// The kinds of code or placeholders within strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inner {
    Nothing,
    /// `{name}`, if it is short and simple.
    Placeholders,
    /// Code between these delimiters.
    Code(&'static str, u8),
    /// `$name`, `${name}`, and code in `$(…)`.
    Shell,
}

/// Rules in addition to the table.
#[derive(Clone, Copy, Default)]
pub(super) struct Rules {
    /// Nested block comments.
    pub(super) nests: bool,
    /// `name(` is a call.
    pub(super) calls: bool,
    /// Capitalized words are types, words in capitals are constants.
    pub(super) types: bool,
    /// `@name` is a name.
    pub(super) decorators: bool,
    /// `-` is part of words.
    pub(super) dashes: bool,
    /// Keywords in any case; the table has them in capitals.
    pub(super) any_case: bool,
    /// Letters before a quote that are part of the string.
    pub(super) prefixes: &'static [&'static str],
    pub(super) family: Family,
}

/// Languages that need special code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Family {
    #[default]
    Usual,
    Rust,
    /// C-like languages: preprocessor lines.
    C,
    /// Regular expressions between slashes.
    Script,
    Json,
    Shell,
    Yaml,
    /// Keys before `=`, sections in brackets: TOML, INI.
    Toml,
    Markup,
    Css,
    Latex,
}

const fn quote(sign: &'static str) -> Quote {
    Quote { open: sign, close: sign, is_multiline: false, has_escapes: true, inner: Inner::Nothing }
}

const fn long(sign: &'static str) -> Quote {
    Quote { is_multiline: true, ..quote(sign) }
}

const fn verbatim(open: &'static str, close: &'static str) -> Quote {
    Quote { open, close, is_multiline: true, has_escapes: false, inner: Inner::Nothing }
}

const SLASHES: &[(&str, &str)] = &[("/*", "*/")];
const BOTH: &[Quote] = &[quote("\""), quote("'")];
const DOUBLE: &[Quote] = &[quote("\"")];

const NO_RULES: Rules = Rules {
    nests: false,
    calls: false,
    types: false,
    decorators: false,
    dashes: false,
    any_case: false,
    prefixes: &[],
    family: Family::Usual,
};

const PROGRAM: Rules = Rules { calls: true, types: true, ..NO_RULES };

const fn family(family: Family) -> Rules {
    Rules { family, ..NO_RULES }
}

const NOTHING: Lexicon = Lexicon {
    line: &[],
    block: &[],
    strings: DOUBLE,
    keywords: &[],
    values: &[],
    types: &[],
    rules: NO_RULES,
};

pub(super) const RUST: Lexicon = Lexicon {
    line: &["//"],
    block: SLASHES,
    strings: &[Quote { inner: Inner::Placeholders, ..long("\"") }],
    keywords: words::RUST,
    values: words::TRUE_FALSE,
    types: &[],
    rules: Rules { nests: true, family: Family::Rust, prefixes: &["b", "c"], ..PROGRAM },
};

pub(super) const C: Lexicon = Lexicon {
    line: &["//"],
    block: SLASHES,
    strings: BOTH,
    keywords: words::C,
    values: words::C_VALUES,
    types: &[],
    rules: Rules { family: Family::C, prefixes: &["L", "R", "U", "u", "u8"], ..PROGRAM },
};

/// Java, C# and similar languages.
pub(super) const CLASSES: Lexicon = Lexicon {
    strings: &[long("\"\"\""), quote("\""), quote("'")],
    keywords: words::CLASSES,
    rules: Rules { decorators: true, ..PROGRAM },
    ..C
};

pub(super) const GO: Lexicon = Lexicon {
    strings: &[verbatim("`", "`"), quote("\""), quote("'")],
    keywords: words::GO,
    values: words::GO_VALUES,
    rules: PROGRAM,
    ..C
};

pub(super) const SCRIPT: Lexicon = Lexicon {
    strings: &[Quote { inner: Inner::Code("${", b'}'), ..long("`") }, quote("\""), quote("'")],
    keywords: words::SCRIPT,
    values: words::SCRIPT_VALUES,
    rules: Rules { decorators: true, family: Family::Script, ..PROGRAM },
    ..C
};

pub(super) const PHP: Lexicon =
    Lexicon { line: &["//", "#"], keywords: words::PHP, rules: PROGRAM, ..C };

pub(super) const JSON: Lexicon =
    Lexicon { values: words::JSON_VALUES, rules: family(Family::Json), ..NOTHING };

/// JSON with comments.
pub(super) const JSONC: Lexicon = Lexicon { line: &["//"], block: SLASHES, strings: BOTH, ..JSON };

pub(super) const PYTHON: Lexicon = Lexicon {
    line: &["#"],
    block: &[],
    strings: &[long("\"\"\""), long("'''"), quote("\""), quote("'")],
    keywords: words::PYTHON,
    values: words::PYTHON_VALUES,
    types: words::PYTHON_TYPES,
    rules: Rules {
        decorators: true,
        prefixes: &["b", "br", "f", "fr", "r", "rb", "rf", "u"],
        ..PROGRAM
    },
};

pub(super) const RUBY: Lexicon = Lexicon {
    line: &["#"],
    block: &[("=begin", "=end")],
    strings: &[Quote { inner: Inner::Code("#{", b'}'), ..long("\"") }, long("'")],
    keywords: words::RUBY,
    values: words::RUBY_VALUES,
    types: &[],
    rules: PROGRAM,
};

/// Perl, R, Elixir, Tcl: comments after `#`.
pub(super) const HASHES: Lexicon =
    Lexicon { block: &[], strings: BOTH, keywords: words::HASHES, ..RUBY };

pub(super) const SHELL: Lexicon = Lexicon {
    line: &["#"],
    strings: &[
        Quote { inner: Inner::Shell, ..long("\"") },
        Quote { has_escapes: true, ..long("$'") },
        verbatim("'", "'"),
    ],
    keywords: words::SHELL,
    values: words::TRUE_FALSE,
    rules: family(Family::Shell),
    ..NOTHING
};

/// Files with shell commands and additional keywords.
pub(super) const MAKE: Lexicon =
    Lexicon { strings: BOTH, keywords: words::MAKE, rules: NO_RULES, ..SHELL };

pub(super) const YAML: Lexicon = Lexicon {
    line: &["#"],
    strings: &[long("\""), verbatim("'", "'")],
    values: words::YAML_VALUES,
    rules: family(Family::Yaml),
    ..NOTHING
};

pub(super) const TOML: Lexicon = Lexicon {
    line: &["#"],
    strings: &[long("\"\"\""), verbatim("'''", "'''"), quote("\""), verbatim("'", "'")],
    values: words::TRUE_FALSE,
    rules: Rules { dashes: true, family: Family::Toml, ..NO_RULES },
    ..NOTHING
};

pub(super) const INI: Lexicon = Lexicon { line: &["#", ";"], strings: BOTH, ..TOML };

pub(super) const SQL: Lexicon = Lexicon {
    line: &["--"],
    block: SLASHES,
    strings: &[verbatim("'", "'"), quote("\""), quote("`")],
    keywords: words::SQL,
    values: words::SQL_VALUES,
    types: &[],
    rules: Rules { any_case: true, calls: true, ..NO_RULES },
};

pub(super) const LUA: Lexicon = Lexicon {
    line: &["--"],
    block: &[("--[[", "]]")],
    strings: &[verbatim("[[", "]]"), quote("\""), quote("'")],
    keywords: words::LUA,
    values: words::GO_VALUES,
    types: &[],
    rules: PROGRAM,
};

pub(super) const HASKELL: Lexicon = Lexicon {
    line: &["--"],
    block: &[("{-", "-}")],
    keywords: words::HASKELL,
    rules: Rules { nests: true, types: true, ..NO_RULES },
    ..NOTHING
};

pub(super) const OCAML: Lexicon =
    Lexicon { line: &[], block: &[("(*", "*)")], values: words::TRUE_FALSE, ..HASKELL };

pub(super) const ERLANG: Lexicon =
    Lexicon { line: &["%"], strings: BOTH, keywords: words::ERLANG, rules: PROGRAM, ..NOTHING };

pub(super) const LISP: Lexicon = Lexicon {
    line: &[";"],
    keywords: words::LISP,
    values: words::GO_VALUES,
    rules: Rules { dashes: true, ..NO_RULES },
    ..NOTHING
};

pub(super) const LATEX: Lexicon =
    Lexicon { line: &["%"], strings: &[], rules: family(Family::Latex), ..NOTHING };

pub(super) const BATCH: Lexicon = Lexicon {
    line: &["::", "rem ", "REM "],
    keywords: words::BATCH,
    rules: Rules { any_case: true, ..NO_RULES },
    ..NOTHING
};

pub(super) const MARKUP: Lexicon = Lexicon {
    block: &[("<!--", "-->")],
    strings: &[long("\""), long("'")],
    rules: Rules { dashes: true, family: Family::Markup, ..NO_RULES },
    ..NOTHING
};

pub(super) const CSS: Lexicon = Lexicon {
    block: SLASHES,
    strings: BOTH,
    rules: Rules { dashes: true, calls: true, family: Family::Css, ..NO_RULES },
    ..NOTHING
};
