//! Languages by the names on fences and by file extensions.

use super::Language;
use super::lexicon::{
    BATCH, C, CLASSES, CSS, ERLANG, GO, HASHES, HASKELL, INI, JSON, JSONC, LATEX, LISP, LUA,
    Lexicon, MAKE, MARKUP, OCAML, PHP, PYTHON, RUBY, RUST, SCRIPT, SHELL, SQL, TOML, YAML,
};

/// Every lexicon with its names.
#[rustfmt::skip]
pub(super) static LANGUAGES: &[(&Lexicon, &[&str])] = &[
    (&RUST, &["rs", "rust"]),
    (&PYTHON, &["py", "pyi", "python", "python3"]),
    (&SCRIPT, &["javascript", "js", "jsx", "mjs", "cjs", "ts", "mts", "cts", "tsx", "typescript"]),
    (&SHELL, &["bash", "console", "sh", "shell", "zsh", "fish"]),
    (&JSON, &["json", "jsonl", "ndjson"]),
    (&JSONC, &["json5", "jsonc"]),
    (&YAML, &["yaml", "yml"]),
    (&TOML, &["toml"]),
    (&INI, &["ini", "cfg", "conf", "properties"]),
    (&GO, &["go", "golang"]),
    (&C, &["c", "c++", "cc", "cpp", "cxx", "h", "hpp", "d", "objc", "zig", "graphviz", "dot"]),
    (&CLASSES, &[
        "c#", "cs", "csharp", "java", "groovy", "gradle", "scala", "kotlin", "kt", "swift", "dart",
        "proto", "protobuf",
    ]),
    (&PHP, &["php"]),
    (&SQL, &["sql", "sqlite", "postgresql", "mysql"]),
    (&MARKUP, &["html", "svg", "vue", "xhtml", "xml"]),
    (&CSS, &["css", "scss", "less"]),
    (&RUBY, &["rb", "ruby"]),
    (&HASHES, &["perl", "pl", "r", "tcl", "elixir", "ex", "exs", "hcl", "terraform", "tf", "graphql", "nix"]),
    (&MAKE, &["make", "makefile", "dockerfile", "docker"]),
    (&LUA, &["lua"]),
    (&HASKELL, &["haskell", "hs", "elm"]),
    (&OCAML, &["ocaml", "ml"]),
    (&ERLANG, &["erlang", "erl"]),
    (&LISP, &["lisp", "clj", "clojure", "elisp", "scheme"]),
    (&LATEX, &["latex", "tex"]),
    (&BATCH, &["bat", "batch", "cmd"]),
];

const DIFFS: [&str; 2] = ["diff", "patch"];

/// The longest name; the rest of a long fence is not copied.
const MAX_NAME: usize = 12;

/// The language that a fence names: `rust,ignore`, `{.python}`.
pub(crate) fn find_language(fence: &str) -> Option<Language> {
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ':' | '{' | '}');
    let name = fence.trim_start_matches(['{', '.', ' ']).split(ends).next()?;
    if name.is_empty() || name.len() > MAX_NAME {
        return None;
    }
    let name = name.to_ascii_lowercase();
    let name = name.as_str();
    if DIFFS.contains(&name) {
        return Some(Language::Diff);
    }
    let (lexicon, _) = LANGUAGES.iter().find(|(_, names)| names.contains(&name))?;
    Some(Language::Code(lexicon))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_unique() {
        let mut seen = std::collections::BTreeSet::new();
        for (lexicon, names) in LANGUAGES {
            for name in *names {
                assert!(seen.insert(name), "{name} twice");
                assert!(name.len() <= MAX_NAME, "{name}");
                let found = find_language(name);
                assert!(
                    matches!(found, Some(Language::Code(found)) if std::ptr::eq(found, *lexicon)),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn fences_may_have_more_than_the_language() {
        for fence in ["rust,ignore", "Rust title=x", "{.rs}", "rust:src/main.rs"] {
            let found = find_language(fence);
            assert!(
                matches!(found, Some(Language::Code(found)) if found.keywords == RUST.keywords),
                "{fence}"
            );
        }
        assert!(matches!(find_language("diff"), Some(Language::Diff)));
        for fence in ["", "text", "averylongnamethatisnolanguage", "klingon"] {
            assert!(find_language(fence).is_none(), "{fence}");
        }
    }
}
