//! What the code of languages is made of: how comments and texts begin and end,
//! and the words that are the language's own.
//!
//! A table for families of languages, not for each: what is a word in one of
//! them is seldom anything else in another.

/// What a language's code is made of.
pub(super) struct Lexicon {
    /// What begins a comment that ends with its line.
    pub(super) line: &'static [&'static str],
    /// What begins and ends any other comment.
    pub(super) block: Option<(&'static str, &'static str)>,
    /// Signs around texts; a grave accent's may go over several lines.
    pub(super) quotes: &'static [u8],
    /// Words of the language, sorted.
    pub(super) words: &'static [&'static str],
}

const BRACES: Lexicon = Lexicon {
    line: &["//"],
    block: Some(("/*", "*/")),
    quotes: b"\"'`",
    words: &[
        "abstract",
        "as",
        "async",
        "await",
        "bool",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "continue",
        "default",
        "defer",
        "delete",
        "do",
        "double",
        "else",
        "enum",
        "export",
        "extends",
        "false",
        "final",
        "finally",
        "float",
        "fn",
        "for",
        "from",
        "func",
        "function",
        "go",
        "if",
        "impl",
        "implements",
        "import",
        "in",
        "instanceof",
        "int",
        "interface",
        "let",
        "long",
        "match",
        "mod",
        "mut",
        "namespace",
        "new",
        "nil",
        "null",
        "of",
        "package",
        "private",
        "protected",
        "pub",
        "public",
        "range",
        "return",
        "select",
        "self",
        "static",
        "string",
        "struct",
        "super",
        "switch",
        "this",
        "throw",
        "throws",
        "trait",
        "true",
        "try",
        "type",
        "typedef",
        "typeof",
        "undefined",
        "unsafe",
        "use",
        "using",
        "var",
        "void",
        "where",
        "while",
        "yield",
    ],
};

const RUST: Lexicon = Lexicon { quotes: b"\"", ..BRACES };

const JSON: Lexicon =
    Lexicon { line: &[], block: None, quotes: b"\"", words: &["false", "null", "true"] };

const SHELL: Lexicon = Lexicon {
    line: &["#"],
    block: None,
    quotes: b"\"'",
    words: &[
        "case", "cd", "do", "done", "echo", "elif", "else", "esac", "exit", "export", "false",
        "fi", "for", "function", "if", "in", "local", "return", "set", "source", "then", "true",
        "until", "while",
    ],
};

const HASHES: Lexicon = Lexicon {
    line: &["#"],
    block: None,
    quotes: b"\"'",
    words: &[
        "False", "None", "True", "and", "as", "assert", "async", "await", "begin", "break",
        "class", "continue", "def", "del", "do", "elif", "else", "elsif", "end", "except", "false",
        "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "module", "my",
        "next", "nil", "not", "null", "or", "pass", "raise", "require", "rescue", "return", "self",
        "sub", "then", "true", "try", "unless", "until", "while", "with", "yield",
    ],
};

const DASHES: Lexicon = Lexicon {
    line: &["--"],
    block: Some(("/*", "*/")),
    quotes: b"\"'",
    words: &[
        "ALTER", "AND", "AS", "BY", "CREATE", "DELETE", "DESC", "DISTINCT", "DROP", "FROM",
        "GROUP", "HAVING", "IN", "INDEX", "INSERT", "INTO", "IS", "JOIN", "KEY", "LEFT", "LIMIT",
        "NOT", "NULL", "ON", "OR", "ORDER", "PRIMARY", "SELECT", "SET", "TABLE", "UNION", "UPDATE",
        "VALUES", "WHERE", "WITH", "and", "by", "case", "create", "data", "delete", "do", "drop",
        "else", "end", "for", "from", "function", "group", "if", "import", "in", "insert", "into",
        "join", "let", "limit", "local", "module", "nil", "not", "null", "of", "on", "or", "order",
        "return", "select", "set", "table", "then", "type", "update", "values", "where", "while",
    ],
};

const MARKUP: Lexicon =
    Lexicon { line: &[], block: Some(("<!--", "-->")), quotes: b"\"", words: &[] };

const STYLE: Lexicon = Lexicon { line: &[], words: &[], ..BRACES };

/// The lexicon of a grammar, as `highlight` names it.
pub(super) fn lexicon(grammar: &str) -> Option<&'static Lexicon> {
    Some(match grammar {
        "Rust" => &RUST,
        "C" | "C#" | "C++" | "D" | "Go" | "Graphviz (DOT)" | "Groovy" | "Java" | "JavaScript"
        | "Objective-C" | "PHP" | "Scala" => &BRACES,
        "JSON" => &JSON,
        "CSS" => &STYLE,
        "Bourne Again Shell (bash)" | "Makefile" | "Tcl" => &SHELL,
        "Python" | "Perl" | "R" | "Ruby" | "YAML" => &HASHES,
        "SQL" | "Lua" | "Haskell" => &DASHES,
        "HTML" | "XML" => &MARKUP,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted() {
        for lexicon in [&BRACES, &JSON, &SHELL, &HASHES, &DASHES] {
            assert!(lexicon.words.is_sorted());
        }
    }
}
