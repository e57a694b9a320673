//! What is beside a value: the name of a user, of a host or of another secret, which says
//! that the value belongs to a login.

use std::ops::Range;

use crate::pattern::WORD;

/// Names of members that are beside a password.
const LOGINS: &[&str] = &[
    "user",
    "login",
    "mail",
    "account",
    "ssid",
    "uid",
    "benutzer",
    "nutzer",
    "usuario",
    "utente",
    "utilisateur",
    "identi",
    "konto",
    "host",
    "server",
    "port",
    "database",
    "dbname",
    "domain",
    "principal",
    "bind",
    "pass",
];

/// How far before and after a value its login may be.
const FARTHEST: usize = 200;

/// Whether the name of a user, a host or another secret is beside the value, with a value
/// of its kind.
pub(super) fn has_login(text: &str, keyword: usize, value: &Range<usize>) -> bool {
    let own = &text[value.clone()];
    let floor = text.ceil_char_boundary(keyword.saturating_sub(FARTHEST));
    let ceiling = text.floor_char_boundary(text.len().min(value.end + FARTHEST));
    let name = WORD.run_back(&text.as_bytes()[floor..keyword], 60);
    let before = &text[floor..keyword - name];
    let after = &text[value.end..ceiling];
    let above = before.rmatch_indices('\n').nth(4).map_or(0, |(at, _)| at);
    let below = after.match_indices('\n').nth(3).map_or(after.len(), |(at, _)| at);
    let has_option = [" -u", " --user", " -n ", " --set", "--from-literal", "--build-arg", " -e "]
        .iter()
        .any(|option| before[above..].contains(option));
    has_option || names_login(&before[above..], own) || names_login(&after[..below], own)
}

fn names_login(text: &str, own: &str) -> bool {
    let bytes = text.as_bytes();
    let is_separator = |byte: u8| matches!(byte, b'=' | b':' | b'|' | b'>');
    (0..bytes.len()).filter(|at| is_separator(bytes[*at])).any(|at| {
        let is_gap = |byte: &&u8| b" \"'\\\t[]".contains(*byte);
        let gap = bytes[..at].iter().rev().take(12).take_while(is_gap).count();
        let length = bytes[..at - gap]
            .iter()
            .rev()
            .take(40)
            .take_while(|byte| WORD.contains(**byte) || b".-".contains(*byte))
            .count();
        let Some(name) = text.get(at - gap - length..at - gap) else { return false };
        let name = name.to_ascii_lowercase();
        // `User ID=…`
        let is_id = name == "id" && text[..at].to_ascii_lowercase().ends_with("user id");
        if name != "name" && !is_id && !LOGINS.iter().any(|word| name.contains(word)) {
            return false;
        }
        let is_lead = |byte: &&u8| b" =>\"'\\\t:".contains(*byte);
        let lead = bytes[at + 1..].iter().take(12).take_while(is_lead).count();
        let start = at + 1 + lead;
        let is_part = |byte: &&u8| WORD.contains(**byte) || b"@.+-/\\%".contains(*byte);
        let length = bytes[start..].iter().take(80).take_while(is_part).count();
        let Some(value) = text.get(start..start + length) else { return false };
        let is_element = bytes[at] == b'>';
        let is_followed = matches!(bytes.get(start + length), Some(b'(' | b'[' | b'{'))
            || (!is_element && bytes.get(start + length) == Some(&b'<'));
        let is_quoted = bytes[at..start].iter().any(|byte| b"\"'".contains(byte));
        let is_login = value.bytes().any(|byte| byte.is_ascii_digit() || b"@\\".contains(&byte))
            || !value.bytes().next().is_some_and(|byte| byte.is_ascii_uppercase())
            || !is_quoted
            || ["ssid", "host", "server", "port"].iter().any(|word| name.contains(word));
        value.len() >= 2
            && is_login
            && !is_followed
            && !value.eq_ignore_ascii_case(own)
            && !name.ends_with(&value.to_ascii_lowercase())
            && !is_common_login(value)
    })
}

/// Whether the word of a service is before the word for the password in its name.
pub(super) fn names_service(text: &str, keyword: usize) -> bool {
    const SERVICES: &[&str] = &[
        "signing",
        "datasource",
        "keystore",
        "truststore",
        "jdbc",
        "proxy",
        "sftp",
        "ssl",
        "nexus",
        "registry",
        "smtp",
        "db",
        "mysql",
        "pg",
        "postgres",
        "redis",
        "ftp",
        "ldap",
        "admin",
        "root",
        "mail",
        "http",
        "mqtt",
        "wifi",
        "wlan",
        "store",
        "fritz",
        "imap",
        "nas",
        "router",
        "backup",
        "database",
        "rabbitmq",
        "mongo",
    ];
    let length = WORD.run_back(&text.as_bytes()[..keyword], 40);
    let start = keyword - length - usize::from(bytes_end_with_dot(text, keyword - length));
    let outer = WORD.run_back(&text.as_bytes()[..start], 40);
    let name = text[start - outer..keyword].trim_end_matches(['_', '.']).to_ascii_lowercase();
    SERVICES.iter().any(|service| name.ends_with(service))
}

fn bytes_end_with_dot(text: &str, at: usize) -> bool {
    text.as_bytes()[..at].ends_with(b".")
}

fn is_common_login(value: &str) -> bool {
    const CODE: [&str; 10] =
        ["string", "str", "text", "self", "this", "null", "none", "undefined", "true", "false"];
    let word = value.split(['.', '_']).next().unwrap_or(value);
    CODE.iter().any(|code| word.eq_ignore_ascii_case(code))
        || (value.contains('.')
            && !value.contains('@')
            && !value.bytes().any(|b| b.is_ascii_digit())
            && value.contains("user"))
}
