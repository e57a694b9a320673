//! Keywords of languages; each list is sorted.

/// Values of most languages.
#[rustfmt::skip]
pub(super) const TRUE_FALSE: &[&str] = &[
    "false", "true",
];

/// Rust.
#[rustfmt::skip]
pub(super) const RUST: &[&str] = &[
    "Self", "as", "async", "await", "bool", "box", "break", "char", "const", "continue", "crate",
    "dyn", "else", "enum", "extern", "f32", "f64", "fn", "for", "i128", "i16", "i32", "i64", "i8",
    "if", "impl", "in", "isize", "let", "loop", "macro_rules", "match", "mod", "move", "mut",
    "pub", "ref", "return", "self", "static", "str", "struct", "super", "trait", "type", "u128",
    "u16", "u32", "u64", "u8", "union", "unsafe", "use", "usize", "where", "while", "yield",
];

/// C, C++, D, Objective-C, Zig.
#[rustfmt::skip]
pub(super) const C: &[&str] = &[
    "alignas", "alignof", "auto", "bool", "break", "case", "catch", "char", "class", "co_await",
    "co_return", "co_yield", "comptime", "concept", "const", "const_cast", "constexpr", "continue",
    "decltype", "default", "defer", "delete", "do", "double", "dynamic_cast", "else", "enum",
    "errdefer", "explicit", "export", "extern", "final", "float", "fn", "for", "friend", "goto",
    "if", "inline", "int", "int16_t", "int32_t", "int64_t", "int8_t", "long", "mutable",
    "namespace", "new", "noexcept", "operator", "override", "private", "protected", "pub",
    "public", "register", "reinterpret_cast", "requires", "restrict", "return", "self", "short",
    "signed", "size_t", "sizeof", "static", "static_assert", "static_cast", "struct", "super",
    "switch", "template", "this", "throw", "try", "typedef", "typeid", "typename", "uint16_t",
    "uint32_t", "uint64_t", "uint8_t", "union", "unsigned", "using", "var", "virtual", "void",
    "volatile", "wchar_t", "while",
];

#[rustfmt::skip]
pub(super) const C_VALUES: &[&str] = &[
    "NO", "NULL", "Nil", "YES", "false", "nil", "null", "nullptr", "true", "undefined",
];

/// Java, C#, Kotlin, Scala, Swift, Dart, Groovy, Protobuf.
#[rustfmt::skip]
pub(super) const CLASSES: &[&str] = &[
    "abstract", "actor", "as", "async", "await", "base", "bool", "boolean", "break", "by", "byte",
    "case", "catch", "char", "class", "companion", "const", "constructor", "continue", "data",
    "decimal", "def", "default", "defer", "delegate", "do", "double", "else", "enum", "event",
    "explicit", "export", "extends", "extension", "extern", "fallthrough", "final", "finally",
    "float", "for", "foreach", "fun", "func", "get", "given", "goto", "guard", "if", "implements",
    "implicit", "import", "in", "init", "inline", "inout", "instanceof", "int", "int32", "int64",
    "interface", "internal", "is", "late", "lateinit", "lazy", "let", "lock", "long", "match",
    "message", "module", "mutating", "namespace", "native", "new", "object", "open", "operator",
    "optional", "out", "override", "package", "partial", "permits", "private", "protected",
    "protocol", "public", "readonly", "record", "ref", "repeat", "repeated", "required", "return",
    "rpc", "sbyte", "sealed", "self", "set", "short", "sizeof", "static", "string", "struct",
    "subscript", "super", "suspend", "switch", "synchronized", "syntax", "this", "throw", "throws",
    "trait", "transient", "try", "type", "typealias", "typeof", "uint", "uint32", "uint64",
    "ulong", "unsafe", "using", "val", "value", "var", "virtual", "void", "volatile", "when",
    "where", "while", "with", "yield",
];

/// Go.
#[rustfmt::skip]
pub(super) const GO: &[&str] = &[
    "any", "bool", "break", "byte", "case", "chan", "complex128", "complex64", "const", "continue",
    "default", "defer", "else", "error", "fallthrough", "float32", "float64", "for", "func", "go",
    "goto", "if", "import", "int", "int16", "int32", "int64", "int8", "interface", "map",
    "package", "range", "return", "rune", "select", "string", "struct", "switch", "type", "uint",
    "uint16", "uint32", "uint64", "uint8", "uintptr", "var",
];

/// Go, Lua, Lisp.
#[rustfmt::skip]
pub(super) const GO_VALUES: &[&str] = &[
    "false", "iota", "nil", "t", "true",
];

/// JavaScript and TypeScript.
#[rustfmt::skip]
pub(super) const SCRIPT: &[&str] = &[
    "abstract", "any", "as", "asserts", "async", "await", "bigint", "boolean", "break", "case",
    "catch", "class", "const", "continue", "debugger", "declare", "default", "delete", "do",
    "else", "enum", "export", "extends", "finally", "for", "from", "function", "get", "if",
    "implements", "import", "in", "infer", "instanceof", "interface", "is", "keyof", "let",
    "namespace", "never", "new", "number", "object", "of", "override", "private", "protected",
    "public", "readonly", "return", "satisfies", "set", "static", "string", "super", "switch",
    "symbol", "this", "throw", "try", "type", "typeof", "unique", "unknown", "using", "var",
    "void", "while", "with", "yield",
];

#[rustfmt::skip]
pub(super) const SCRIPT_VALUES: &[&str] = &[
    "Infinity", "NaN", "false", "null", "true", "undefined",
];

/// PHP.
#[rustfmt::skip]
pub(super) const PHP: &[&str] = &[
    "abstract", "and", "array", "as", "break", "callable", "case", "catch", "class", "clone",
    "const", "continue", "declare", "default", "do", "echo", "else", "elseif", "empty", "enum",
    "extends", "final", "finally", "fn", "for", "foreach", "function", "global", "goto", "if",
    "implements", "include", "include_once", "instanceof", "interface", "isset", "list", "match",
    "mixed", "namespace", "new", "or", "parent", "print", "private", "protected", "public",
    "readonly", "require", "require_once", "return", "self", "static", "string", "switch", "throw",
    "trait", "try", "unset", "use", "var", "void", "while", "yield",
];

#[rustfmt::skip]
pub(super) const JSON_VALUES: &[&str] = &[
    "Infinity", "NaN", "false", "null", "true",
];

/// Python.
#[rustfmt::skip]
pub(super) const PYTHON: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "case", "class", "cls", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in",
    "is", "lambda", "match", "nonlocal", "not", "or", "pass", "raise", "return", "self", "try",
    "while", "with", "yield",
];

#[rustfmt::skip]
pub(super) const PYTHON_VALUES: &[&str] = &[
    "Ellipsis", "False", "None", "NotImplemented", "True",
];

#[rustfmt::skip]
pub(super) const PYTHON_TYPES: &[&str] = &[
    "bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "int", "list",
    "memoryview", "object", "set", "str", "tuple", "type",
];

/// Ruby.
#[rustfmt::skip]
pub(super) const RUBY: &[&str] = &[
    "BEGIN", "END", "alias", "and", "attr_accessor", "attr_reader", "attr_writer", "begin",
    "break", "case", "class", "def", "defined?", "do", "else", "elsif", "end", "ensure", "extend",
    "for", "if", "in", "include", "lambda", "loop", "module", "next", "not", "or", "private",
    "proc", "protected", "public", "raise", "redo", "require", "require_relative", "rescue",
    "retry", "return", "self", "super", "then", "undef", "unless", "until", "when", "while",
    "yield",
];

#[rustfmt::skip]
pub(super) const RUBY_VALUES: &[&str] = &[
    "false", "nil", "true",
];

/// Perl, R, Tcl, Elixir, Terraform, GraphQL, Nix.
#[rustfmt::skip]
pub(super) const HASHES: &[&str] = &[
    "after", "alias", "and", "assert", "begin", "break", "case", "catch", "cond", "data", "def",
    "defmacro", "defmodule", "defp", "defstruct", "do", "each", "else", "elseif", "elsif", "end",
    "enum", "eq", "extends", "fn", "for", "foreach", "fragment", "function", "global", "if",
    "import", "in", "inherit", "input", "interface", "last", "let", "library", "local", "locals",
    "map", "module", "mutation", "my", "namespace", "ne", "next", "not", "on", "or", "our",
    "output", "package", "proc", "provider", "puts", "query", "quote", "raise", "rec", "receive",
    "repeat", "require", "rescue", "resource", "return", "scalar", "set", "sub", "subscription",
    "terraform", "then", "try", "type", "union", "unless", "until", "use", "variable", "when",
    "while", "with",
];

/// Shells.
#[rustfmt::skip]
pub(super) const SHELL: &[&str] = &[
    "alias", "break", "case", "continue", "coproc", "declare", "do", "done", "elif", "else", "end",
    "esac", "eval", "exec", "exit", "export", "fi", "for", "function", "if", "in", "let", "local",
    "readonly", "return", "select", "set", "shift", "source", "then", "time", "trap", "typeset",
    "unset", "until", "while",
];

/// Make and Docker.
#[rustfmt::skip]
pub(super) const MAKE: &[&str] = &[
    "ADD", "ARG", "AS", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK",
    "LABEL", "MAINTAINER", "ONBUILD", "RUN", "SHELL", "STOPSIGNAL", "USER", "VOLUME", "WORKDIR",
    "define", "else", "endef", "endif", "export", "ifdef", "ifeq", "ifndef", "ifneq", "include",
    "override", "undefine", "unexport", "vpath",
];

#[rustfmt::skip]
pub(super) const YAML_VALUES: &[&str] = &[
    "False", "NO", "No", "Null", "Off", "On", "True", "YES", "Yes", "false", "no", "null", "off",
    "on", "true", "yes", "~",
];

/// In capitals; compared without case.
#[rustfmt::skip]
pub(super) const SQL: &[&str] = &[
    "ADD", "ALL", "ALTER", "ANALYZE", "AND", "ANY", "AS", "ASC", "BEGIN", "BETWEEN", "BIGINT",
    "BLOB", "BOOLEAN", "BY", "CASCADE", "CASE", "CAST", "CHAR", "CHECK", "COLLATE", "COLUMN",
    "COMMIT", "CONFLICT", "CONSTRAINT", "CREATE", "CROSS", "CURRENT", "DATABASE", "DATE",
    "DECIMAL", "DECLARE", "DEFAULT", "DELETE", "DESC", "DISTINCT", "DO", "DOUBLE", "DROP", "EACH",
    "ELSE", "END", "ESCAPE", "EXCEPT", "EXISTS", "EXPLAIN", "FETCH", "FILTER", "FIRST",
    "FOLLOWING", "FOR", "FOREIGN", "FROM", "FULL", "FUNCTION", "GRANT", "GROUP", "HAVING", "IF",
    "ILIKE", "IN", "INDEX", "INNER", "INSERT", "INT", "INTEGER", "INTERSECT", "INTERVAL", "INTO",
    "IS", "JOIN", "JSONB", "KEY", "LAST", "LATERAL", "LEFT", "LIKE", "LIMIT", "MATERIALIZED",
    "MERGE", "NATURAL", "NOT", "NOTHING", "NULLS", "NUMERIC", "OF", "OFFSET", "ON", "OR", "ORDER",
    "OUTER", "OVER", "PARTITION", "PRAGMA", "PRECEDING", "PRIMARY", "PROCEDURE", "RANGE", "REAL",
    "RECURSIVE", "REFERENCES", "RENAME", "REPLACE", "RETURNING", "RETURNS", "REVOKE", "RIGHT",
    "ROLLBACK", "ROW", "ROWS", "SCHEMA", "SELECT", "SERIAL", "SET", "SMALLINT", "SOME", "STRICT",
    "TABLE", "TEMP", "TEMPORARY", "TEXT", "THEN", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "TO",
    "TRANSACTION", "TRIGGER", "TRUNCATE", "UNBOUNDED", "UNION", "UNIQUE", "UPDATE", "USING",
    "UUID", "VACUUM", "VALUES", "VARCHAR", "VIEW", "VIRTUAL", "WHEN", "WHERE", "WINDOW", "WITH",
    "WITHOUT",
];

#[rustfmt::skip]
pub(super) const SQL_VALUES: &[&str] = &[
    "FALSE", "NULL", "TRUE",
];

/// Lua.
#[rustfmt::skip]
pub(super) const LUA: &[&str] = &[
    "and", "break", "do", "else", "elseif", "end", "for", "function", "goto", "if", "in", "local",
    "not", "or", "repeat", "return", "then", "until", "while",
];

/// Haskell and OCaml.
#[rustfmt::skip]
pub(super) const HASKELL: &[&str] = &[
    "and", "as", "assert", "begin", "case", "class", "constraint", "data", "default", "deriving",
    "do", "done", "downto", "else", "end", "exception", "external", "for", "forall", "foreign",
    "fun", "function", "functor", "hiding", "if", "import", "in", "include", "infix", "infixl",
    "infixr", "inherit", "initializer", "instance", "lazy", "let", "match", "method", "mod",
    "module", "mutable", "newtype", "object", "of", "open", "or", "private", "qualified", "rec",
    "sig", "struct", "then", "to", "try", "type", "val", "virtual", "when", "where", "while",
    "with",
];

/// Erlang.
#[rustfmt::skip]
pub(super) const ERLANG: &[&str] = &[
    "after", "and", "andalso", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case", "catch",
    "cond", "div", "end", "fun", "if", "let", "maybe", "not", "of", "or", "orelse", "receive",
    "rem", "try", "when", "xor",
];

/// Lisp and Clojure.
#[rustfmt::skip]
pub(super) const LISP: &[&str] = &[
    "and", "as->", "case", "cond", "def", "defclass", "defconst", "defcustom", "defgeneric",
    "define", "defmacro", "defmethod", "defmulti", "defn", "defn-", "defparameter", "defprotocol",
    "defrecord", "defun", "defvar", "do", "doseq", "fn", "for", "if", "if-let", "in-ns", "lambda",
    "let", "let*", "letrec", "loop", "ns", "or", "progn", "quote", "recur", "require", "set!",
    "setf", "setq", "throw", "try", "unless", "use", "when", "when-let", "while",
];

/// In capitals; compared without case.
#[rustfmt::skip]
pub(super) const BATCH: &[&str] = &[
    "CALL", "CD", "COPY", "DEL", "DO", "ECHO", "ELSE", "ENDLOCAL", "ERRORLEVEL", "EXIST", "EXIT",
    "FOR", "GOTO", "IF", "IN", "MKDIR", "MOVE", "NOT", "PAUSE", "POPD", "PUSHD", "RMDIR", "SET",
    "SETLOCAL", "SHIFT", "START",
];

#[cfg(test)]
mod tests {
    use super::super::names::LANGUAGES;

    #[test]
    fn words_are_sorted() {
        for (lexicon, names) in LANGUAGES {
            assert!(lexicon.keywords.is_sorted(), "{names:?}");
            assert!(lexicon.values.is_sorted(), "{names:?}");
            assert!(lexicon.types.is_sorted(), "{names:?}");
        }
    }
}
