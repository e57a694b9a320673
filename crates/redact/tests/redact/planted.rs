//! Five hundred made-up secrets in every kind of context: nearly all are found,
//! and nothing of the found ones remains.
//!
//! Kinds are repeated here as the services document them, not taken from the
//! table, which would only agree with itself.

use redact::{Level, Redactor};

/// `%A36` stands for thirty-six random letters and digits; see `alphabet`.
const KINDS: &[&str] = &[
    "ghp_%A36",
    "gho_%A36",
    "github_pat_%A22_%A59",
    "glpat-%U20",
    "ATBB%A32",
    "AKIA%B16",
    "ASIA%B16",
    "AIza%U35",
    "GOCSPX-%U28",
    "ya29.%U120",
    "%A2~8Q~%A34",
    "dop_v1_%H64",
    "HRKU-AA%A58",
    "sk-ant-api03-%U93AA",
    "sk-ant-oat01-%U93AA",
    "sk-proj-%A74T3BlbkFJ%A74",
    "sk-%A20T3BlbkFJ%A20",
    "hf_%A34",
    "gsk_%A52",
    "r8_%A37",
    "xoxb-%D12-%D13-%A24",
    "xoxp-%D12-%D12-%D13-%H32",
    "xapp-1-A%D10-%D13-%H64",
    "sk_live_%A24",
    "rk_live_%A24",
    "whsec_%A32",
    "SK%H32",
    "SG.%A22.%A43",
    "npm_%A36",
    "pypi-AgEIcHlwaS5vcmc%A100",
    "cio%A32",
    "dckr_pat_%A27",
    "%D10:AA%A33",
    "MTA%A21.%A6.%A38",
    "shpat_%H32",
    "NRAK-%P27",
    "sntryu_%H64",
    "key-%H32",
    "PMAK-%H24-%H34",
    "dapi%H32",
    "lin_api_%A40",
    "ntn_%D11%A35",
    "figd_%A40",
    "ATATT3xFfGF0%A180",
    "hvs.%A95",
    "%A14.atlasv1.%A67",
    "pul-%H40",
    "AGE-SECRET-KEY-1%P58",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI%A40.%A43",
    "glsa_%A32_%H8",
];

/// Passwords and keys that only their context reveals.
const NAMELESS: &[&str] = &["%A16", "%H32", "%H40", "%A24", "%U32", "%A12!%A4"];

/// Contexts of a secret of a known kind. `§` is the secret.
const PLACES: &[&str] = &[
    "I pasted § by mistake, please rotate it.",
    "It is `§`.",
    "const client = new Client(\"§\");",
    "{\"mcp\": {\"env\": {\"A\": \"{\\\"b\\\": \\\"§\\\"}\"}}}",
    "@@ -1 +1 @@\n-old\n+§\n context",
    "NAME=§\nOTHER=1",
    "curl 'https://api.internal/v1?key=§&x=1'",
    "tool login --with § && tool run",
    "     7→  value: §",
    "\u{1b}[32m§\u{1b}[0m ok",
    "<a href=\"https://x.internal/?t=§\">",
    "first line\\n§\\nlast line",
    "naïve — “§” — 秘密",
];

/// Contexts in which a name reveals a secret.
const NAMED_PLACES: &[&str] = &[
    "DB_PASSWORD=§\n",
    "export API_KEY=\"§\"",
    "  client_secret: §\n",
    "password = '§'",
    "{\"auth\": {\"access_token\": \"§\"}}",
    "const apiKey = \"§\";",
    "+    secret_key: \"§\",",
    "docker run -e MYSQL_ROOT_PASSWORD=§ mysql",
    "postgres://app:§@db.internal:5432/app",
    "https://deploy:§@git.internal/a.git",
    "tool --api-key § run",
    "[\"{\\\"password\\\":\\\"§\\\"}\"]",
    "<password>§</password>",
    "Server=db;User Id=app;Password=§;Encrypt=true",
];

/// Pseudo-random numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0)
    }
}

fn alphabet(letter: char) -> &'static [u8] {
    match letter {
        'A' | 'U' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        'B' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        'D' => b"123456789",
        'H' => b"0123456789abcdef",
        'P' => b"0123456789ABCDEFGHJKLMNPQRSTUVWXYZ",
        other => panic!("no alphabet {other}"),
    }
}

fn fill(kind: &str, numbers: &mut Numbers) -> String {
    let mut pieces = kind.split('%');
    let mut filled = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let set = alphabet(piece.chars().next().expect("an alphabet"));
        let digits = piece[1..].chars().take_while(char::is_ascii_digit).count();
        let length: usize = piece[1..=digits].parse().expect("a length");
        filled.extend((0..length).map(|_| char::from(set[numbers.next() % set.len()])));
        filled.push_str(&piece[1 + digits..]);
    }
    filled
}

/// Every planted secret with the text around it.
fn planted() -> Vec<(String, String)> {
    let mut numbers = Numbers(1);
    let mut planted = Vec::new();
    for index in 0..400 {
        let secret = fill(KINDS[index % KINDS.len()], &mut numbers);
        let text = PLACES[(index / KINDS.len() + index) % PLACES.len()].replace('§', &secret);
        planted.push((secret, text));
    }
    for index in 0..100 {
        let secret = fill(NAMELESS[index % NAMELESS.len()], &mut numbers);
        let text = NAMED_PLACES[index % NAMED_PLACES.len()].replace('§', &secret);
        planted.push((secret, text));
    }
    planted
}

#[test]
fn of_five_hundred_planted_secrets_99_in_100_are_found_as_text_and_in_json() {
    let redactor = Redactor::new(Level::Standard, [7; 32]);
    let planted = planted();
    assert_eq!(planted.len(), 500);
    let (mut in_text, mut in_json) = (0, 0);
    for (secret, text) in &planted {
        // No eight consecutive characters of it may remain.
        let shows = |masked: &str| {
            secret.as_bytes()[secret.len() / 3..]
                .windows(8)
                .any(|part| masked.as_bytes().windows(8).any(|there| there == part))
        };
        let as_text = redactor.mask(text).into_owned();
        let json = serde_json::json!({"message": {"content": [{"text": text}]}}).to_string();
        let as_json = redactor.mask_json(&json).into_owned();
        assert!(serde_json::from_str::<serde_json::Value>(&as_json).is_ok());
        in_text += usize::from(!shows(&as_text));
        in_json += usize::from(!shows(&as_json));
        if shows(&as_text) || shows(&as_json) {
            println!("not found: {text}\n    {as_text}");
        }
    }
    println!("{in_text} found as text, {in_json} in JSON, of {}", planted.len());
    assert!(in_text >= 495 && in_json >= 495, "{in_text} as text, {in_json} in JSON");
}
