//! Writes the `[lake]` section into the text of a configuration file and leaves the rest as
//! it is, byte for byte.
//!
//! The text is edited by lines, and the result is read again: if it does not say exactly
//! what was wanted, nothing is written.

use toml::{Table, Value};

/// Sets keys of `[lake]`. Fails if the text cannot be edited this way.
pub(crate) fn set(text: &str, values: &[(&str, Value)]) -> Result<String, String> {
    let mut wanted: Table = toml::from_str(text).map_err(|error| error.to_string())?;
    let lake = wanted.entry("lake").or_insert_with(|| Value::Table(Table::new()));
    let Value::Table(lake) = lake else { return Err("lake is not a section".to_owned()) };
    let changed: Vec<&(&str, Value)> =
        values.iter().filter(|(key, value)| lake.get(*key) != Some(value)).collect();
    for (key, value) in &changed {
        lake.insert((*key).to_owned(), value.clone());
    }
    let edited = edit(text, &changed);
    let is_right = toml::from_str::<Table>(&edited).is_ok_and(|found| found == wanted);
    if is_right { Ok(edited) } else { Err("its [lake] section has an unusual form".to_owned()) }
}

/// Removes `[lake]` and everything below it. Fails if the text cannot be edited this way.
pub(crate) fn remove(text: &str) -> Result<String, String> {
    let mut wanted: Table = toml::from_str(text).map_err(|error| error.to_string())?;
    wanted.remove("lake");
    let mut is_lake = false;
    let mut rest = String::new();
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('[') {
            let name = line.trim_start().trim_start_matches('[').trim_start();
            is_lake = name.strip_prefix("lake").is_some_and(|rest| {
                rest.trim_start().starts_with(']') || rest.trim_start().starts_with('.')
            });
        }
        if !is_lake {
            rest += line;
        }
    }
    let rest =
        if rest.trim().is_empty() { String::new() } else { format!("{}\n", rest.trim_end()) };
    let is_right = toml::from_str::<Table>(&rest).is_ok_and(|found| found == wanted);
    if is_right { Ok(rest) } else { Err("its [lake] section has an unusual form".to_owned()) }
}

fn edit(text: &str, changed: &[&(&str, Value)]) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let is_header =
        |line: &String| line.split('#').next().is_some_and(|line| line.trim() == "[lake]");
    let Some(header) = lines.iter().position(is_header) else {
        let mut text = text.to_owned();
        if !text.is_empty() {
            text += if text.ends_with('\n') { "\n" } else { "\n\n" };
        }
        text += "[lake]\n";
        for (key, value) in changed {
            text += &line(key, value);
        }
        return text;
    };
    if let Some(last) = lines.last_mut().filter(|line| !line.ends_with('\n')) {
        last.push('\n');
    }
    let mut place = header + 1;
    for (key, value) in changed {
        let mut section = lines.iter().skip(header + 1).take_while(|line| !line.starts_with('['));
        let is_key = |line: &String| {
            let rest = line.trim_start().strip_prefix(key);
            rest.is_some_and(|rest| rest.trim_start().starts_with('='))
        };
        if let Some(found) = section.position(is_key) {
            lines[header + 1 + found] = line(key, value);
        } else {
            lines.insert(place, line(key, value));
            place += 1;
        }
    }
    lines.concat()
}

fn line(key: &str, value: &Value) -> String {
    format!("{key} = {}\n", literal(value))
}

/// A value as TOML. Escapes of JSON are escapes of TOML.
fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => serde_json::Value::from(text.as_str()).to_string(),
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(literal).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Boolean(value) => value.to_string(),
        // Not needed so far; the check of the result refuses it.
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{remove, set};
    use toml::Value;

    fn values() -> Vec<(&'static str, Value)> {
        let folders = vec![Value::from("~/work/**"), Value::from("/srv/\"x\"")];
        vec![("url", "s3://acme".into()), ("projects", Value::Array(folders))]
    }

    #[test]
    fn section_is_added_and_the_rest_stays_byte_for_byte() {
        let added = "[lake]\nurl = \"s3://acme\"\nprojects = [\"~/work/**\", \"/srv/\\\"x\\\"\"]\n";
        assert_eq!(set("", &values()).unwrap(), added);
        let others = "# mine\ncolor  =  \"never\"\n\n[budget] # $\nday = 20";
        assert_eq!(set(others, &values()).unwrap(), format!("{others}\n\n{added}"));
        let shares = "[[lake.share]]\nproject = \"~/a\"\nlevel = \"text\"\n";
        assert_eq!(set(shares, &values()).unwrap(), format!("{shares}\n{added}"));
    }

    #[test]
    fn keys_of_an_existing_section_are_added_or_replaced() {
        let before =
            "[lake] # team\nprogram = \"/x\"\nurl=\"s3://old\" # o\n\n[hook]\nrecall = true\n";
        let after = "[lake] # team\nprojects = [\"~/work/**\", \"/srv/\\\"x\\\"\"]\nprogram = \"/x\"\nurl = \"s3://acme\"\n\n[hook]\nrecall = true\n";
        assert_eq!(set(before, &values()).unwrap(), after);
        assert_eq!(set(after, &values()).unwrap(), after, "nothing is written twice");
    }

    #[test]
    fn section_and_its_rules_are_removed_and_the_rest_stays() {
        let others = "# mine\ncolor  =  \"never\"\n\n[budget] # $\nday = 20\n";
        let lake = "[lake] # team\nurl = \"s3://acme\"\n\n[[lake.share]]\nproject = \"~/a\"\nlevel = \"text\"\n";
        assert_eq!(remove(&format!("{others}\n{lake}")).unwrap(), others);
        assert_eq!(
            remove(&format!("{lake}\n[budget]\nday = 20\n")).unwrap(),
            "[budget]\nday = 20\n"
        );
        assert_eq!(remove(lake).unwrap(), "");
        assert_eq!(remove(others).unwrap(), others);
        assert!(remove("lake = { url = \"s3://old\" }").is_err());
        assert!(remove("lake.url = \"s3://old\"\n").is_err());
    }

    #[test]
    fn unusual_files_are_refused_and_not_damaged() {
        for text in [
            "lake = { url = \"s3://old\" }",
            "lake.url = \"s3://old\"",
            "[lake]\nprojects = [\n\"~/a\",\n]\n",
            "pager = \"\"\"\n[lake]\n\"\"\"\n[lake]\nlevel = \"usage\"\n",
            "lake = 3",
            "broken = ",
        ] {
            assert!(set(text, &values()).is_err(), "{text}");
        }
    }
}
