//! Sealed lines of an archive, made as an attacker would make them: without the
//! archive's own code.

/// A line with its checksum, from its members; without the newline.
pub fn seal(rest: &str) -> String {
    format!("{{\"hash\":\"{}\",{rest}", &blake3::hash(rest.as_bytes()).to_hex()[..32])
}

/// The members of a sealed line, whether its checksum matches or not.
pub fn sealed_members(line: &str) -> &str {
    &line["{\"hash\":\"\",".len() + 32..]
}

/// A manifest of these lines, each chained to the one before.
pub fn sealed_manifest(lines: impl IntoIterator<Item = String>) -> String {
    let mut text = String::new();
    let mut last = String::new();
    for line in lines {
        let line = seal(&format!("\"prev\":\"{last}\",{line}}}"));
        line["{\"hash\":\"".len()..][..32].clone_into(&mut last);
        text.push_str(&line);
        text.push('\n');
    }
    text
}
