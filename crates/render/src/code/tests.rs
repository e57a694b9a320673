//! Tests of the parts of real code, by language.

use super::*;
use crate::untrusted;
use proptest::prelude::*;

/// The parts that are not plain, each with a letter for its class.
fn parts(language: &str, code: &str) -> String {
    let Some(Language::Code(lexicon)) = find_language(language) else { return String::new() };
    let mut found = Vec::new();
    for_each_part(
        code,
        lexicon,
        |class| class,
        |class, part| {
            let letter = match class {
                Class::Plain => return,
                Class::Comment => 'c',
                Class::Literal | Class::Bare => 's',
                Class::Escape => 'e',
                Class::QuotedKey | Class::Name | Class::Command => 'n',
                Class::Number | Class::Constant | Class::Value => 'v',
                Class::Variable => '$',
                Class::Keyword => 'k',
            };
            found.push(format!("{letter}:{}", part.replace('\n', "⏎")));
        },
    );
    found.join(" ")
}

#[test]
fn table_of_appearances_is_in_the_order_of_the_classes() {
    for (number, (class, _, _)) in APPEARANCES.iter().enumerate() {
        assert_eq!(*class as usize, number, "{class:?}");
    }
}

#[test]
fn rust_is_split_into_parts() {
    let table = [
        ("pub fn f<'a>(x: &'a str) -> Vec<u8> {", "k:pub k:fn n:f k:'a k:'a k:str n:Vec k:u8"),
        ("let c = ['\\'', 'x', '\\u{1f}'];", r"k:let s:'\'' s:'x' s:'\u{1f}'"),
        ("println!(\"{x:?}\\n{{}}\", MAX_SIZE)", r#"n:println s:" e:{x:?}\n s:{{}}" v:MAX_SIZE"#),
        ("r#\"a\"b\"# br\"c\\\" b\"d\"", "s:r#\"a\"b\"# s:br\"c\\\" s:b\"d\""),
        ("/* a /* b */ c */ d // e", "c:/* a /* b */ c */ c:// e"),
        ("\"two\nlines\" 0..1_000u64 1.5e-3", "s:\"two⏎lines\" v:0 v:1_000u64 v:1.5e-3"),
        ("x.r#type.await == self.match_all()", "k:await k:self n:match_all"),
        ("#[derive(Debug)] struct S;", "n:derive n:Debug k:struct n:S"),
    ];
    for (code, expected) in table {
        assert_eq!(parts("rust", code), expected, "{code}");
    }
}

#[test]
fn python_is_split_into_parts() {
    let table = [
        ("@app.get('/x')\nasync def f(self):", "n:@app.get s:'/x' k:async k:def n:f k:self"),
        ("\"\"\"Doc 'a'\n\"b\" \"\"\" + 1", "s:\"\"\"Doc 'a'⏎\"b\" \"\"\" v:1"),
        (
            "f\"a {len(b)} {{c}}\" rf'{d}\\n'",
            "s:f\"a  e:{ n:len e:} s: {{c}}\" s:rf' e:{ e:} s:\\n'",
        ),
        ("class A(B): x: int = None # c", "k:class n:A n:B n:int v:None c:# c"),
        ("print(x.type, \"it's\")", "n:print s:\"it's\""),
    ];
    for (code, expected) in table {
        assert_eq!(parts("python", code), expected, "{code}");
    }
}

#[test]
fn scripts_are_split_into_parts() {
    let table = [
        (
            "const x: Map<string, number> = new Map();",
            "k:const n:Map k:string k:number k:new n:Map",
        ),
        ("`a ${b ? `c ${d}` : {e: 1}.e} f`", "s:`a  e:${ s:`c  e:${ e:} s:` v:1 e:} s: f`"),
        ("return /['\"]\\/[/]/g.test(s) / 2 / 3", "k:return s:/['\"]\\/[/]/g n:test v:2 v:3"),
        ("import type { A } from './a' // b", "k:import k:type n:A k:from s:'./a' c:// b"),
        ("export default () => this.default ?? null", "k:export k:default k:this v:null"),
    ];
    for (code, expected) in table {
        assert_eq!(parts("ts", code), expected, "{code}");
    }
}

#[test]
fn shells_are_split_into_parts() {
    let table = [
        ("cd src && git commit -m \"a $b\"", "n:cd n:git $:-m s:\"a  e:$b s:\""),
        ("for x in *.rs; do echo $x; done", "k:for k:in k:do n:echo $:$x k:done"),
        ("A=1 cargo test --all 2>&1 | tail -n 5", "n:cargo $:--all n:tail $:-n v:5"),
        ("echo done in time # c", "n:echo c:# c"),
        (
            "git commit -m \"$(cat <<'EOF'\nIt's\nEOF\n)\" && ls",
            "n:git $:-m s:\" e:$( n:cat s:⏎It's⏎EOF e:) s:\" n:ls",
        ),
        ("if [ \"$#\" -gt 0 ]; then", "k:if n:[ s:\" e:$# s:\" $:-gt v:0 k:then"),
        ("case $1 in\n  a) ls ;;\n  *) echo a ;;\nesac", "k:case $:$1 k:in n:ls n:echo k:esac"),
        ("$ A=\"b c\" D=$e make -j", "s:\"b c\" $:$e n:make $:-j"),
        ("function f() { g; }", "k:function n:f n:g"),
        ("x=\"$(dirname \"$0\")\"", "s:\" e:$( n:dirname s:\" e:$0 s:\" e:) s:\""),
    ];
    for (code, expected) in table {
        assert_eq!(parts("bash", code), expected, "{code}");
    }
}

#[test]
fn data_is_split_into_parts() {
    let table = [
        ("json", "{\"a\": [1, \"b\", true]}", "n:\"a\" v:1 s:\"b\" v:true"),
        ("yaml", "a: don't # c\nb:\n  - 1.5\n  - x: 'y'", "n:a s:don't c:# c n:b v:1.5 n:x s:'y'"),
        ("yaml", "run: |\n  a: b\n\n  c\nd: true", "n:run s:|⏎  a: b⏎⏎  c⏎ n:d v:true"),
        ("yaml", "a: {b: 1, c: [x]}", "n:a n:b v:1 n:c s:x"),
        ("yaml", "on: {push: [main, 'v*']}\n---", "n:on n:push s:main s:'v*' k:---"),
        (
            "toml",
            "[a.\"b\"]\nc-d = { e = 1, f = [\"g\"] } # h",
            "n:[a.\"b\"] n:c-d n:e v:1 n:f s:\"g\" c:# h",
        ),
        (
            "toml",
            "a = '''x\ny'''\nb = 2026-01-02\nc = true",
            "n:a s:'''x⏎y''' n:b v:2026-01-02 n:c v:true",
        ),
    ];
    for (language, code, expected) in table {
        assert_eq!(parts(language, code), expected, "{code}");
    }
}

#[test]
fn other_languages_are_split_into_parts() {
    let table = [
        (
            "go",
            "func (s *T) F() error { return `a\nb` }",
            "k:func n:T n:F k:error k:return s:`a⏎b`",
        ),
        (
            "c",
            "#include <a.h>\nint f(void) { return NULL; }",
            "k:#include s:<a.h> k:int n:f k:void k:return v:NULL",
        ),
        (
            "sql",
            "select count(*) from t where a = 'b' -- c",
            "k:select n:count k:from k:where s:'b' c:-- c",
        ),
        ("html", "<p class=\"a\">don't</p><!-- b -->", "n:p s:\"a\" n:p c:<!-- b -->"),
        ("css", ".a { color: #fff; width: 50% }", "n:.a n:color v:#fff n:width v:50%"),
        (
            "java",
            "@Override public String s() { return \"a\"; }",
            "n:@Override k:public n:String n:s k:return s:\"a\"",
        ),
        ("lua", "--[[ a\nb ]] local x = nil", "c:--[[ a⏎b ]] k:local v:nil"),
        ("ruby", "def a; \"b #{c} d\"; end", "k:def n:a s:\"b  e:#{ e:} s: d\" k:end"),
    ];
    for (language, code, expected) in table {
        assert_eq!(parts(language, code), expected, "{code}");
    }
}

#[test]
fn line_numbers_are_not_code() {
    assert_eq!(parts("rust", "   1→let a\n   2→let b"), "k:let k:let");
    assert_eq!(parts("yaml", "     1→a: b\n     2→c: 1"), "n:a s:b n:c v:1");
    assert_eq!(parts("bash", "     1→ls\n     2→cd x"), "n:ls n:cd");
}

#[test]
fn hostile_code_takes_linear_time() {
    // In quadratic time, seven megabytes would take days.
    let pieces = [
        "`${", "\"$(", "=/[", "r#\"", "/*", "'", "{a=", "[a,", "<a ", "<<E\n", "a:|\n ", "f'{",
        "&a", "((", "\\", "#",
    ];
    for (lexicon, _) in names::LANGUAGES {
        for piece in pieces {
            let code = piece.repeat(MAX_BYTES / 4 / piece.len());
            let mut length = 0;
            for_each_part(&code, lexicon, |class| class, |_, part| length += part.len());
            assert_eq!(length, code.len());
        }
    }
}

#[test]
fn an_arrow_where_a_word_could_begin_is_not_a_word() {
    for code in ["f\"f\"r#→", "r#→", "'→", "@→", "$→", "#→", "b\"r#→"] {
        for (language, names) in names::LANGUAGES {
            let mut whole = String::new();
            for_each_part(code, language, |class| class, |_, part| whole.push_str(part));
            assert_eq!(whole, code, "{names:?}");
        }
    }
}

proptest! {
    #[test]
    fn parts_are_the_whole_code(
        number in 0..names::LANGUAGES.len(),
        code in prop_oneof![
            any::<String>(),
            "([a<>${}()\\[\\]'\"`#/*;:=|&@.\\\\ \n\u{1b}é→1-]|<<E|EOF|def|fn|r#|f\"|--|=begin){0,60}",
        ],
    ) {
        let code = untrusted::text(&code);
        let mut whole = String::new();
        for_each_part(&code, names::LANGUAGES[number].0, |class| class, |_, part| whole.push_str(part));
        prop_assert_eq!(whole, code);
    }
}
