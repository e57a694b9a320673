//! Passwords that people choose, in the places where they stand; bearer tokens of any
//! characters in every form of a header; and values in such places that are not secret.

use redact::{Level, Redactor};

/// Words, names and numbers, and characters that code has too.
const PASSWORDS: &[&str] = &[
    "sommer-Regen7",
    "Bratkartoffel7",
    "forum!Zwiebel",
    "oceanbreeze99",
    "marble-velvet-maple-otter",
    "K1w1_7012",
    "Möwe+714Fußball",
    "Рыба-Кит77x",
    "~Otter29!reef",
    ".kelp99Harbour!x",
    "/etc8Kelp!harbour",
    "vK7#mQ2z!Lw9",
];

/// Places of a password. `§` is the password.
const PLACES: &[&str] = &[
    "DB_USER=shop\nDB_PASSWORD=§\nDB_NAME=shop\n",
    "export DB_PASSWORD='§'\n",
    "db:\n  user: shop\n  password: \"§\"\n",
    "[client]\nuser = root\npassword = §\n",
    "{\"email\":\"ann@host.org\",\"password\":\"§\"}",
    "const login = { email: 'ann@host.org', password: '§' };",
    "DATABASES = {'default': {'USER': 'shop', 'PASSWORD': '§', 'HOST': 'db'}}",
    "define('DB_USER', 'shop');\ndefine('DB_PASSWORD', '§');",
    "<user username=\"ann\" password=\"§\" roles=\"manager\"/>",
    "machine git.int\n  login ci\n  password §\n",
    "CREATE USER shop WITH PASSWORD '§';",
    "name,value\nDB_PASSWORD,§\n",
    "htpasswd -bc .htpasswd ann '§'",
];

fn redactor() -> Redactor {
    Redactor::new(Level::Standard, [7; 32])
}

fn as_json(text: &str) -> String {
    serde_json::json!({ "type": "tool_result", "content": text }).to_string()
}

#[test]
fn passwords_of_words_are_masked_where_a_literal_belongs_to_a_login() {
    let redactor = redactor();
    let mut shown = Vec::new();
    for place in PLACES {
        for password in PASSWORDS {
            let text = place.replace('§', password);
            for masked in [redactor.mask(&text), redactor.mask_json(&as_json(&text))] {
                if masked.contains(password) {
                    shown.push(masked.into_owned());
                }
            }
        }
    }
    assert!(shown.is_empty(), "{}", shown.join("\n"));
}

/// Tokens with words and characters of placeholders in them.
const TOKENS: &[&str] = &[
    "mcp:Yr7wC7I13pgf&B31#qlG!PwK%UoIaZM5TE52",
    "xxxx-9dKq2LmZ8vTe5Rn1WyB4",
    "example9dKq2LmZ8vTe5Rn1WyB4",
    "test9dKq2LmZ8vTe5Rn1WyB4u",
    "a{b}9dKq2LmZ8vTe",
    "kd93hf(7)ghd-2hf9d",
    "9f8e7d6c5b4a39281706f5e4d3c2b1a0",
];

const HEADERS: &[&str] = &[
    "curl -H 'Authorization: Bearer §' https://api.host.org/v1",
    "curl -H \"Authorization: §\" https://api.host.org/v1",
    "{\"headers\":{\"Authorization\":\"Bearer §\",\"Accept\":\"*/*\"}}",
    "headers:\n  Authorization: Bearer §\n  X: y",
    "> GET /v1 HTTP/1.1\n> Authorization: Bearer §\n> Accept: */*\n",
    "headers = {'Authorization': 'Bearer §', 'a': 1}",
    "2026-01-02 03:04:05 DEBUG http: Authorization=Bearer § status=200",
    "Authorization:\tBearer\t§\nx",
    "Authorization\tBearer §\nx",
    "Authorization: §\nAccept: x",
    "req.Header.Set(\"Authorization\", \"Bearer §\")",
];

#[test]
fn bearer_token_ends_only_at_a_quote_a_blank_or_the_end_of_the_line() {
    let redactor = redactor();
    for header in HEADERS {
        for token in TOKENS {
            let text = header.replace('§', token);
            for masked in [redactor.mask(&text), redactor.mask_json(&as_json(&text))] {
                let rest = &token[token.len() - 8..];
                assert!(!masked.contains(rest), "{masked}");
            }
        }
    }
}

/// Tokens that look like words, numbers, code or open brackets.
const PLAIN_TOKENS: &[&str] = &[
    "q8Zr2Kd9Lw(4Xn7Tb5Vc1",
    "[q8Zr2Kd9Lw4Xn7Tb5Vc1",
    "{q8Zr2Kd9Lw4Xn7Tb5Vc1",
    "<q8Zr2Kd9Lw4Xn7Tb5Vc1",
    "$q8Zr2Kd9Lw4Xn7Tb5Vc1",
    "q8Zr2Kqä€ZH1ZhV7szl",
    "UVJgaPNk",
    "abc12345",
    "12345678",
    "sommerregen",
    "dev-token-123",
    "letmein99",
    "Sommer2024!",
];

#[test]
fn bearer_token_in_a_header_may_be_short_plain_or_have_open_brackets() {
    let redactor = redactor();
    let headers = [
        "Authorization: Bearer §",
        "Authorization: Bearer §\nAccept: */*\n",
        "curl -H 'Authorization: Bearer §' https://api.host.org/v1",
        "curl -H \"Authorization: Bearer §\" https://api.host.org/v1",
        "headers={'Authorization': 'Bearer §'})",
        "fetch(url, { headers: { Authorization: \"Bearer §\" } });",
    ];
    for header in headers {
        for token in PLAIN_TOKENS {
            let text = header.replace('§', token);
            for masked in [redactor.mask(&text), redactor.mask_json(&as_json(&text))] {
                let rest = &token[token.ceil_char_boundary(token.len() - 7)..];
                assert!(!masked.contains(rest), "{masked}");
            }
        }
    }
    for token in ["letmein99", "Sommer2024!", "q8Zr2Kd9Lw(4Xn7Tb5Vc1"] {
        for header in ["Authorization: §", "curl -H 'Authorization: §' https://host.org/"] {
            let masked = redactor.mask(&header.replace('§', token)).into_owned();
            assert!(!masked.contains(&token[4..8]), "{masked}");
        }
    }
}

#[test]
fn placeholders_references_and_calls_in_a_header_stay() {
    let redactor = redactor();
    for value in [
        "Bearer <token>",
        "Bearer <your token here>",
        "Bearer ${TOKEN}",
        "Bearer ${await getToken(\"a b\")}",
        "Bearer $TOKEN",
        "Bearer $this->token",
        "Bearer $env:API_TOKEN2",
        "Bearer {token}",
        "Bearer {settings.API_TOKEN}",
        "Bearer {{ token }}",
        "Bearer #{token}",
        "Bearer %s",
        "Bearer %TOKEN%",
        "Bearer \" + token",
        "Bearer ' . $token . '",
        "Bearer YOUR_TOKEN",
        "Bearer xxxx",
        "Bearer xxxxxxxxxxxx",
        "Bearer token",
        "Bearer my-token",
        "Bearer test-token-123",
        "Bearer getToken(user)",
        "Bearer authentication",
        "Bearer token12 is sent",
        "Bearer [A-Za-z0-9._-]+",
        "Bearer sk-...",
        "Bearer eyJhbGciOi…",
        "Bearer",
        "required",
        "optional",
        "string",
        "req.headers.authorization",
        "getAuthorizationHeaderV2",
        "Header(None)",
    ] {
        for header in ["Authorization: §", "-H \"Authorization: §\"", "`Authorization: §` header"]
        {
            let text = header.replace('§', value);
            assert_eq!(redactor.mask(&text), text);
        }
    }
}

#[test]
fn references_types_messages_and_words_in_prose_stay() {
    let redactor = redactor();
    for text in [
        "パスワード: 1Password を参照してください",
        "Passwort: steht in 1Password",
        "password: see the wiki, page 7",
        "the password is wrong, the token expired",
        "the password is gabelstapler",
        "username: string\npassword: string\n",
        "{\"login.user\":\"Benutzer\",\"login.password\":\"Passwort vergessen?\"}",
        "password = getpass.getpass()",
        "user = args.user\npassword = args.password2\n",
        "DB_PASSWORD=\"op://Infra/shop-db/password\"",
        "API_TOKEN=vault:secret/data/shop#token",
        "password: arn:aws:secretsmanager:eu-central-1:482910375526:secret:shop-db-Xa12bC",
        "--- PASS: TestLoginV2Works (0.00s)\n--- PASS: TestTokenV2 (0.01s)\n",
        "Password string `json:\"password,omitempty\" yaml:\"password\"`",
        "Authorization: Bearer ${TOKEN}",
        "Authorization: Bearer <your-token>",
        "Authorization: Bearer test-token-123",
        "authorization: Optional[str] = Header(None)",
        "Authorization: see RFC 7235, section 4.2",
        "$ echo 'SGVsbG8gd29ybGQsIGRvY3VtZW50YXRpb24h' | base64 -d",
        "FUNC:_ZGTtNKSt11logic_error4whatEv@@GLIBCXX_3.4.22",
        "COPY tides FROM stdin;\n1\tBrest-7\t2026-01-02\n\\.\n",
        "requirepass\n\nport 6379",
        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]",
    ] {
        assert_eq!(redactor.mask(text), text);
    }
}
