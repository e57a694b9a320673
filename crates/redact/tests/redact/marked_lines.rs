//! Files with secrets as agents see them: with line numbers, in diffs, in logs, in JSON within
//! JSON; and names of folders as Claude Code encodes them. In every form, each secret that is
//! masked in the plain file is masked.

use redact::{Level, Redactor};

/// Password files and others in which a line or its neighbours say what a secret is. Each
/// secret is between `⟦` and `⟧`.
const FILES: &[(&str, &str)] = &[
    ("netrc", "machine api.host.org\n  login ann\n  password ⟦sommer-Regen7⟧"),
    ("netrc on one line", "machine api.host.org login ann password ⟦hV8nq2Lx!a⟧"),
    ("pgpass", "db.host.org:5432:orders:ann:⟦hV8nq2LxTa⟧\nlocalhost:5432:*:postgres:⟦kT4mw9RzQb⟧"),
    (
        "htpasswd",
        "ann:⟦$apr1$aB3dE6gH$QgN1fUHz2M0B3dE6gH9jK2⟧\nbob:⟦$2b$12$QgN1fUHz2M0B3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6⟧",
    ),
    (
        "shadow",
        "root:⟦$6$aB3dE6gH$QgN1fUHz2M0B3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aa⟧:19000:0:99999:7:::",
    ),
    (
        "key",
        "-----BEGIN EC PRIVATE KEY-----\n⟦LGElPQeo1UInA73SGMSUUZGoW6ksTbOKB98rltsFutkNwuO5FFy0hwYCLoS9Y7Pu⟧\n⟦q7Zt0WmXc3Vb9NnL5kJhGfDsAaPoIu==⟧\n-----END EC PRIVATE KEY-----",
    ),
    ("env", "NODE_ENV=production\nDB_PASSWORD=⟦hV8nq2Lx!a⟧\nAPI_TOKEN=⟦aB3dE6gH9jK2mN5pQ8sT1vW4⟧"),
    ("redis", "bind 127.0.0.1\nrequirepass ⟦hV8nq2LxTa⟧"),
    ("redis on two lines", "bind 127.0.0.1\nrequirepass\n⟦sommer-Regen7⟧\nport 6379"),
    ("keys", "COPY api_keys FROM stdin;\n1\tann\t⟦aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF⟧\n\\.\n"),
    ("pairs", "name,value\nDB_PASSWORD,⟦sommer-Regen7⟧\nPORT,80"),
    ("yaml", "apiVersion: v1\nstringData:\n  password: |\n    ⟦hV8nq2Lx!a⟧"),
    ("csv", "user,password\nann,⟦hV8nq2LxTa⟧\nbob,⟦kT4mw9RzQb⟧"),
    (
        "manifest",
        "apiVersion: v1\ndata:\n  blob: ⟦aFY4bnEyTHhUYQ==⟧\n  username: YW5u\nkind: Secret\nmetadata:\n  name: x",
    ),
    (
        "dump",
        "COPY public.users (id, email, password) FROM stdin;\n1\ta@b.org\t⟦hV8nq2LxTa⟧\n2\tc@d.org\t⟦kT4mw9RzQb⟧\n\\.\n",
    ),
    ("mail", "account work\nuser ann\npassword ⟦hV8nq2LxTa⟧"),
];

type Form = (&'static str, fn(&str) -> String);

fn each(file: &str, mark: impl Fn(usize, &str) -> String) -> String {
    let lines: Vec<_> = (1..).zip(file.lines()).map(|(number, line)| mark(number, line)).collect();
    lines.join("\n")
}

fn written_out(text: &str) -> String {
    serde_json::to_string(text).expect("text is JSON")
}

const FORMS: &[Form] = &[
    ("plain", str::to_owned),
    ("Read", |file| each(file, |number, line| format!("{number:6}→{line}"))),
    ("Read with tabs", |file| each(file, |number, line| format!("{number}\t{line}"))),
    ("cat -n", |file| each(file, |number, line| format!("{number:6}\t{line}"))),
    ("grep -n", |file| each(file, |number, line| format!("{number}:{line}"))),
    ("grep -rn", |file| each(file, |number, line| format!("etc/app.conf:{number}:{line}"))),
    ("grep -r", |file| each(file, |_, line| format!("etc/app.conf:{line}"))),
    ("sed =", |file| each(file, |number, line| format!("{number}\n{line}"))),
    ("bat", |file| each(file, |number, line| format!("{number:4} │ {line}"))),
    ("added", |file| each(file, |_, line| format!("+{line}"))),
    ("removed", |file| each(file, |_, line| format!("-{line}"))),
    ("unchanged", |file| {
        format!("@@ -1,9 +1,9 @@\n{}\n+x", each(file, |_, line| format!(" {line}")))
    }),
    ("combined", |file| each(file, |_, line| format!("++{line}"))),
    ("diff", |file| each(file, |_, line| format!("> {line}"))),
    ("numbered diff", |file| each(file, |number, line| format!("{number:6}→+{line}"))),
    ("changed", |file| {
        let old = each(file, |_, line| format!("-{}", line.replace(['⟦', '⟧'], "9")));
        format!("@@ -1 +1 @@\n{old}\n{}", each(file, |_, line| format!("+{line}")))
    }),
    ("log", |file| each(file, |number, line| format!("2026-01-02T03:04:05.{number:07}Z {line}"))),
    ("comment", |file| each(file, |_, line| format!("# {line}"))),
    ("comment of C", |file| each(file, |_, line| format!("// {line}"))),
    ("quoted twice", |file| each(file, |_, line| format!(">> {line}"))),
    ("quoted", |file| each(file, |_, line| format!("> > {line}"))),
    ("barred", |file| each(file, |_, line| format!("| {line}"))),
    ("framed", |file| each(file, |_, line| format!("│ {line:<90} │"))),
    ("service", |file| each(file, |_, line| format!("web-1  | {line}"))),
    ("bracket", |file| each(file, |number, line| format!("[{number}] {line}"))),
    ("counted", |file| each(file, |number, line| format!("#{number}: {line}"))),
    ("remote", |file| each(file, |_, line| format!("remote: {line}"))),
    ("syslog", |file| {
        each(file, |number, line| format!("Nov 19 14:00:{number:02} host app[7]: {line}"))
    }),
    ("logger", |file| each(file, |_, line| format!("2026-01-02 03:04:05,678 INFO {line}"))),
    ("side by side", |file| {
        format!(
            "a{}|\tb\n{}",
            " ".repeat(60),
            each(file, |_, line| format!("{line:<60}\t>\t{line}"))
        )
    }),
    ("coloured diff", |file| each(file, |_, line| format!("\u{1b}[32m+{line}\u{1b}[m"))),
    ("JSON in a text", |file| format!("got {{\"stdout\":{}}}", written_out(file))),
    ("Read, JSON in a text", |file| {
        let read = each(file, |number, line| format!("{number:6}→{line}"));
        format!("got {{\"stdout\":{}}}", written_out(&read))
    }),
    ("Read, JSON in JSON in a text", |file| {
        let read = each(file, |number, line| format!("{number:6}\t{line}"));
        format!("got {{\"a\":{}}}", written_out(&format!("{{\"b\":{}}}", written_out(&read))))
    }),
];

#[test]
fn line_numbers_and_marks_of_diffs_hide_no_secret() {
    let redactor = Redactor::new(Level::Standard, [7; 32]);
    let mut shown = Vec::new();
    for (name, file) in FILES {
        let secrets: Vec<&str> =
            file.split('⟦').skip(1).map(|rest| rest.split('⟧').next().unwrap()).collect();
        for (form, mark) in FORMS {
            let text = mark(file).replace(['⟦', '⟧'], "");
            let json = serde_json::json!({"type": "text", "text": &text}).to_string();
            for masked in [redactor.mask(&text), redactor.mask_json(&json)] {
                if secrets.iter().any(|secret| masked.contains(secret)) {
                    shown.push(format!("{name}, {form}: {masked}"));
                }
            }
        }
    }
    assert!(shown.is_empty(), "{}", shown.join("\n"));
}

#[test]
fn ordinary_lines_with_numbers_stay() {
    let redactor = Redactor::new(Level::Standard, [7; 32]);
    for text in [
        "     1→# Password\n     2→The password must have 8 characters.\n",
        "12:    let password = read_password(prompt)?;\n13:    login(&password);\n",
        "+const PASSWORD_FIELD = 'password2';\n-const PASSWORD = process.env.PASSWORD;\n",
        "- the token of session 01a1e529\n- the key: see docs/keys2.md\n",
        "# Password\n# The password must have 8 characters.\n",
        "web-1  | listening on 3000\nweb-1  | password login enabled in v2.1\n",
        "[INFO] password: required\n[INFO] token: expired\n",
        "src/auth.rs:12:    token: String,\nsrc/auth.rs-13-    secret: Option<Secret2>,\n",
    ] {
        assert_eq!(redactor.mask(text), text);
    }
}

#[test]
fn a_token_in_a_folder_is_masked_as_claude_code_encodes_the_folder() {
    let redactor = Redactor::new(Level::Standard, [7; 32]);
    let tokens = [
        format!("gh{}", "p_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"),
        format!(
            "github_{}",
            "pat_11ABCDEFG0aB3dE6gH9jK2_mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ"
        ),
        format!(
            "sk-ant-{}",
            "api03-aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6gH9jK2_N5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6gH9jK2mN5pQ8sTAA"
        ),
        format!("gl{}", "pat-aB3dE_gH9jK2mN5pQ8sT"),
        format!("sk_{}", "live_aB3dE6gH9jK2mN5pQ8sT1vW4"),
        format!("SG.{}", "aB3dE6gH9jK2mN5pQ8sT1v.aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6g"),
        format!("np{}", "m_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"),
    ];
    let encode = |path: &str| -> String {
        path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
    };
    for token in tokens {
        for path in [
            format!("/home/ann/{token}"),
            format!("/home/ann/{token}/app"),
            format!("C:\\src\\x_{token}"),
        ] {
            let folder = encode(&path);
            for text in [
                folder.clone(),
                format!("~/.claude/projects/{folder}/01a1e529-1658-7000-8000-0123456789ab.jsonl"),
                format!("{{\"project\":\"{folder}\",\"sessions\":1}}"),
                format!("https://127.0.0.1:8080/p/{folder}?a=1"),
            ] {
                for masked in [redactor.mask(&text), redactor.mask_json(&text)] {
                    assert!(!masked.contains(&encode(&token)), "{masked}");
                    assert!(masked.contains("[redacted:"), "{masked}");
                }
            }
        }
    }
    for text in [
        "-home-ann-ghp-tools-and-other-things-of-the-project",
        "-home-ann-task-live-0f3b2c1d-a1b2-4bbb-8ccc-0f3b2c1d4e5f",
    ] {
        assert_eq!(redactor.mask(text), text);
    }
}
