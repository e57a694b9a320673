use super::*;
use std::sync::LazyLock;

fn redactor(level: Level) -> &'static Redactor {
    static STANDARD: LazyLock<Redactor> = LazyLock::new(|| Redactor::new(Level::Standard, [7; 32]));
    static STRICT: LazyLock<Redactor> = LazyLock::new(|| Redactor::new(Level::Strict, [7; 32]));
    match level {
        Level::Standard => &STANDARD,
        Level::Strict => &STRICT,
    }
}

#[test]
fn every_rule_finds_its_test_values_completely_and_by_name() {
    let mut wrong = Vec::new();
    for rule in rules() {
        let redactor = redactor(rule.level);
        assert!(rule.hits().count() > 0, "{} has no values", rule.name());
        for (text, secret) in rule.hits() {
            let found: Vec<_> = redactor
                .find(&text)
                .iter()
                .map(|span| (span.rule, text[span.start..span.end].to_owned()))
                .collect();
            if found != [(rule.name(), secret.clone())] {
                wrong.push(format!("{}: {text}\n    {found:?}", rule.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_rule_matches_its_near_misses() {
    let mut wrong = Vec::new();
    for rule in rules() {
        assert!(rule.misses().count() > 0, "{} has no near misses", rule.name());
        for text in rule.misses() {
            for span in redactor(rule.level).find(&text).iter().filter(|s| s.rule == rule.name()) {
                wrong.push(format!("{}: {text}: {}", rule.name(), &text[span.start..span.end]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn keywords_are_long_enough_for_the_scanner_and_names_are_unique() {
    let mut names: Vec<_> = rules().map(Rule::name).collect();
    let number = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), number);
    for rule in rules() {
        for keyword in rule.keywords {
            assert!(keyword.len() >= 3 || *keyword == "@", "{}: {keyword}", rule.name());
        }
    }
}

#[test]
fn the_same_secret_gets_the_same_placeholder_and_another_key_changes_it() {
    let redactor = redactor(Level::Standard);
    let secret = "k9Xz2mQpLw7";
    let masked = redactor.mask(&format!("PASSWORD={secret}")).into_owned();
    let placeholder = masked.strip_prefix("PASSWORD=").unwrap();
    let json = format!(r#"{{"password":"{secret}","b":"PASSWORD={secret}"}}"#);
    assert_eq!(redactor.mask_json(&json).matches(placeholder).count(), 2, "{json}");
    let other =
        Redactor::new(Level::Standard, [8; 32]).mask(&format!("PASSWORD={secret}")).into_owned();
    assert_ne!(masked, other);
    assert!(masked.starts_with("PASSWORD=[redacted:assigned-secret:"), "{masked}");
    assert_eq!(placeholder.len(), "[redacted:assigned-secret:0000]".len());
}

#[test]
fn json_is_searched_through_its_escapes_and_otherwise_unchanged() {
    let redactor = redactor(Level::Standard);
    let token = format!("gh{}", "p_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6");
    let unicode = token.replacen('g', r"\u0067", 1).replacen('p', r"\u0070", 1);
    let cases = [
        (format!(r#"{{"a":"x\n{token}\n","id":1.50}}"#), r#"{"a":"x\n§\n","id":1.50}"#),
        (format!(r#"{{"a" : "\u00e9{unicode}"}}"#), r#"{"a" : "\u00e9§"}"#),
        (format!(r#"["\ud83d\ude00 {token}","\ud83d"]"#), r#"["\ud83d\ude00 §","\ud83d"]"#),
        (format!(r#"{{"{token}":"a"}}"#), r#"{"§":"a"}"#),
        (
            format!(r#"{{"a":1,"x\u0020{unicode}" : {{"b":"{token}"}}}}"#),
            r#"{"a":1,"x\u0020§" : {"b":"§"}}"#,
        ),
        (
            r#"{"password":true,"token":{"api_key":null}}"#.to_owned(),
            r#"{"password":true,"token":{"api_key":null}}"#,
        ),
        (format!(r#"{{"id":"{token}","data":"{token}"}}"#), r#"{"id":"§","data":"§"}"#),
        (format!(r#"{{"a":"{{\"b\":\"{token}\"}}"}}"#), r#"{"a":"{\"b\":\"§\"}"}"#),
        (
            r#"{"url":"postgres:\/\/app:k9Xz2mQp@db\/x"}"#.to_owned(),
            r#"{"url":"postgres:\/\/app:§@db\/x"}"#,
        ),
        (r#"{"password":"k9\"Xz2m'Qp"}"#.to_owned(), r#"{"password":"§"}"#),
        (r#"{"passwords":["k9Xz2mQp"]}"#.to_owned(), r#"{"passwords":["k9Xz2mQp"]}"#),
        // Torn: masked as plain text.
        (format!(r#"{{"a":"{token} and"#), r#"{"a":"§ and"#),
    ];
    for (json, expected) in cases {
        let masked = redactor.mask_json(&json).into_owned();
        let mut plain = String::new();
        let mut rest = masked.as_str();
        while let Some(start) = rest.find("[redacted:") {
            let end = start + rest[start..].find(']').unwrap() + 1;
            plain.push_str(&rest[..start]);
            plain.push('§');
            rest = &rest[end..];
        }
        plain.push_str(rest);
        assert_eq!(plain, expected, "{json}");
    }
}

#[test]
fn ids_times_pictures_and_signatures_are_not_masked() {
    let blob = "iVBORw0KGgo".repeat(20) + "/AKIAQYLPMN5HHHFPZAM2/";
    let json = format!(
        r#"{{"uuid":"0f3b2c1d-aaaa-4bbb-8ccc-0f3b2c1d4e5f","requestId":"req_011CSHoEeqs5C35K2UUqR7Fy","id":"toolu_01A09q90qw90lq917835lq9","timestamp":"2026-01-02T03:04:05.678Z","signature":"{blob}","source":{{"type":"base64","data":"{blob}"}},"sessionId":"0f3b2c1d-aaaa-4bbb-8ccc-0f3b2c1d4e5f"}}"#
    );
    assert!(matches!(redactor(Level::Strict).mask_json(&json), Cow::Borrowed(_)));
}

#[test]
fn adjacent_secrets_are_masked_completely() {
    let one = format!("gh{}", "p_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6");
    let text = format!("{one}{one} {one}-{one}");
    let redactor = redactor(Level::Standard);
    let masked = redactor.mask(&text).into_owned();
    assert_eq!(redactor.mask(&masked), masked);
    assert!(!masked.contains("-gh"), "{masked}");
}

#[test]
fn text_with_words_outside_of_strings_is_not_json() {
    let redactor = Redactor::new(Level::Standard, [7; 32]);
    let secret = "password: hunter2x9 and more";
    assert_ne!(redactor.mask(secret), secret, "the example contains a secret");
    assert_eq!(redactor.mask_json(secret), redactor.mask(secret));
    let json = r#"{"a":true,"b":[null,-1.5e+3,false],"c":"password: hunter2x9 and more"}"#;
    let masked = redactor.mask_json(json);
    assert!(
        masked.contains("[redacted:")
            && masked.starts_with(r#"{"a":true,"b":[null,-1.5e+3,false],"c":""#),
        "{masked}"
    );
}

#[test]
fn a_secret_is_found_through_colours_and_zero_width_characters() {
    let redactor = redactor(Level::Standard);
    let (one, two, three) = ("ghp_aB3dE6g", "H9jK2mN5pQ8sT1vW4y", "Z7bC0eF3hJ6");
    let plain = redactor.mask(&format!("a {one}{two}{three} b")).into_owned();
    for (first, second) in [
        ("\u{1b}[01;31m", "\u{1b}[K\u{1b}[m"),
        ("\u{200b}", "\u{200d}"),
        ("\u{2060}", "\u{feff}"),
        ("\u{ad}", "\u{1b}]8;;x\u{7}"),
    ] {
        let text = format!("a {one}{first}{two}{second}{three} b");
        assert_eq!(redactor.mask(&text), plain, "{text:?}");
        let json = format!("{{\"a\":\"{}\"}}", text.escape_default());
        let json = json.replace("\\u{1b}", "\\u001b").replace("\\u{7}", "\\u0007");
        let json = json.replace("\\u{", "\\u").replace("\\uad}", "\\u00ad").replace('}', "") + "}";
        assert_eq!(redactor.mask_json(&json), format!("{{\"a\":\"{plain}\"}}"), "{json}");
    }
    let around = format!("\u{1b}[1m{one}{two}{three}\u{1b}[0mx");
    let masked = redactor.mask(&around).into_owned();
    assert!(!masked.contains(two), "{masked:?}");
}

#[test]
fn ids_in_sentences_about_logins_stay() {
    let redactor = redactor(Level::Standard);
    for text in [
        "Bash cargo test --test login (id toolu_01kauvTkWWAnyfGxB5KTKEuL)",
        "we fixed auth in session 3f9c1d7e-5b24-4a86-9c3d-8e71f0a2b645",
    ] {
        assert_eq!(redactor.mask(text), text);
    }
}

#[test]
fn text_that_only_begins_like_a_placeholder_hides_no_secret() {
    let redactor = redactor(Level::Standard);
    let secret = ["gh", "p_aB3dE6fG9hJ2kL5mN8pQ1rS4tU7vW0xY3zA6"].concat();
    for before in
        ["[redacted: not at all, ", "[redacted:", "[redacted:key:12", "[redacted:key:zzzz] "]
    {
        let masked = redactor.mask(&format!("{before}{secret} and more")).into_owned();
        assert!(!masked.contains(&secret), "{masked}");
        assert!(masked.ends_with(" and more"), "{masked}");
    }
    let masked = redactor.mask(&secret).into_owned();
    assert_eq!(redactor.mask(&masked), masked, "masked text stays as it is");
}

#[test]
fn a_token_that_the_end_of_the_text_cuts_short_is_masked() {
    let redactor = redactor(Level::Standard);
    for (text, kind) in [
        ("use gh|p_aB3dE6…", Some("github-token")),
        ("use gh|p_aB3dE6...\n", Some("github-token")),
        ("export A=\"gi|thub_pat_11AB2…\"", Some("github-fine-grained-token")),
        ("gi|thub_pat_y1leyUmWQl0NNNfUlO5ya6_2QSkr…", Some("github-fine-grained-token")),
        ("sk|-ant-api03-F2ew…", Some("anthropic-key")),
        ("sk|-proj-lYWX…", Some("openai-key")),
        ("xo|xb-2837461928…", Some("slack-token")),
        ("AK|IAUJZD…", Some("aws-key-id")),
        ("gl|pat-yKb8…", Some("gitlab-token")),
        ("np|m_aB3dE6…", Some("npm-token")),
        ("hf|_svmw1FuayR…", Some("hugging-face-token")),
        // Not at the end, or nothing that a token contains.
        ("use gh|p_aB3dE6… and more", None),
        ("gh|p_…", None),
        ("gh|p_aB…", None),
        ("gh|p_aB3 dE6…", None),
        ("sk|-ant-api03-…", None),
        ("sk|-ant-...", None),
        ("np|m_config…", None),
        ("key-Value1…", None),
        ("gh|p_xxxxxxxx1…", None),
    ] {
        let text = text.replace('|', "");
        let found = redactor.find(&text);
        assert_eq!(found.first().map(|span| span.rule), kind, "{text}");
        let json = serde_json::json!({ "content": text }).to_string();
        assert_eq!(redactor.mask_json(&json).contains("[redacted:"), kind.is_some(), "{json}");
    }
}

#[test]
fn long_tokens_in_picture_members_are_masked_and_pictures_are_not() {
    let token = format!(
        "sk{}",
        "-ant-api03-F2ewQmH4VfFqlDjywzVjBxUrloUgrGmODPYOjK6SwmGqMyhgKWqhmHx0Tn8xbrdB-FvBzI6e52lxaTou_HW5DwfOJCcpFAA"
    );
    for name in ["data", "signature", "base64"] {
        let masked =
            redactor(Level::Standard).mask_json(&format!(r#"{{"{name}":"{token}"}}"#)).into_owned();
        assert!(
            masked.starts_with(&format!(r#"{{"{name}":"[redacted:anthropic-key:"#)),
            "{masked}"
        );
    }
}

#[test]
fn names_of_people_in_member_names_are_masked() {
    let json = r#"{"/home/ann/x.rs":{"backup":1},"\/Users\/bob\/y":2,"ann@host.org":3}"#;
    assert!(matches!(redactor(Level::Standard).mask_json(json), Cow::Borrowed(_)));
    let masked = redactor(Level::Strict).mask_json(json).into_owned();
    for name in ["ann", "bob", "host"] {
        assert!(!masked.contains(name), "{masked}");
    }
    assert!(masked.starts_with(r#"{"/home/[redacted:home:"#), "{masked}");
    assert!(masked.contains(r#"]/x.rs":{"backup":1},"\/Users\/[redacted:"#), "{masked}");
}

#[test]
fn text_masked_with_two_keys_is_the_same_without_hashes() {
    let text = "key ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6, [redacted: no], ada@example.org";
    let other = Redactor::new(Level::Strict, [8; 32]);
    let (one, two) = (redactor(Level::Strict).mask(text), other.mask(text));
    assert_ne!(one, two);
    let plain = without_hashes(&one);
    assert_eq!(plain, without_hashes(&two));
    assert!(plain.starts_with("key [redacted:github-token:], [redacted: no], "), "{plain}");
    assert_eq!(without_hashes(text), text, "nothing is masked in it");
    assert_ne!(without_hashes(&other.mask("ada@example.org and more")), plain);
}
