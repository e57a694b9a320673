//! The output of a tool call as the model received it.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::codex::content;
use crate::codex::text::Text;

/// What a tool gave back.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) text: String,
    pub(crate) is_error: bool,
    /// The exit code, where the output of a shell tool has one.
    pub(crate) exit_code: Option<i64>,
}

/// Older versions write an object instead of a string or a list.
#[derive(Deserialize)]
struct OutputObject<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    text: Option<Text<'a>>,
    success: Option<bool>,
}

/// What shell tools wrote as a string before they wrote plain text.
#[derive(Deserialize)]
struct ShellJson<'a> {
    #[serde(borrow)]
    output: Text<'a>,
    metadata: ShellMetadata,
}

#[derive(Deserialize)]
struct ShellMetadata {
    exit_code: Option<i64>,
}

/// Reads the output of a call of `tool`.
pub(crate) fn parse_output(output: &RawValue, tool: &str) -> Outcome {
    let json = output.get();
    if json.starts_with('{')
        && let Ok(object) = serde_json::from_str::<OutputObject<'_>>(json)
    {
        let mut outcome = match (object.content, object.text) {
            (Some(content), _) => parse_output_text(content::text_of(content), tool),
            (None, Some(text)) => parse_output_text(text.into_string(), tool),
            (None, None) => Outcome { text: json.to_owned(), ..Outcome::default() },
        };
        if let Some(success) = object.success {
            outcome.is_error = !success;
        }
        return outcome;
    }
    parse_output_text(content::text_of(output), tool)
}

fn parse_output_text(text: String, tool: &str) -> Outcome {
    if text.starts_with(r#"{"output":"#)
        && let Ok(shell) = serde_json::from_str::<ShellJson<'_>>(&text)
    {
        let exit_code = shell.metadata.exit_code;
        let is_error = exit_code.is_some_and(|code| code != 0);
        return Outcome { text: shell.output.into_string(), is_error, exit_code };
    }
    let exit_code = exit_code(&text);
    let is_error = exit_code.map_or_else(|| reads_as_failure(&text, tool), |code| code != 0);
    Outcome { text, is_error, exit_code }
}

/// The exit code in the heading of a shell tool's output, which ends with `Output:`.
fn exit_code(text: &str) -> Option<i64> {
    const HEADING_LINES: usize = 12;
    text.lines().take(HEADING_LINES).take_while(|line| *line != "Output:").find_map(|line| {
        let code = line
            .strip_prefix("Process exited with code ")
            .or_else(|| line.strip_prefix("Exit code: "))?;
        code.trim().parse().ok()
    })
}

/// Whether the tool says that it failed, where there is no exit code.
fn reads_as_failure(text: &str, tool: &str) -> bool {
    let after_tool = text.strip_prefix(tool).filter(|_| !tool.is_empty());
    after_tool
        .is_some_and(|rest| rest.starts_with(" failed") || rest.starts_with(" verification failed"))
        || text.starts_with("collab spawn failed")
        || text.starts_with("Script failed")
        || text.starts_with("Script error")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(json: &str, tool: &str) -> (String, bool) {
        let raw = RawValue::from_string(json.to_owned()).unwrap();
        let Outcome { text, is_error, .. } = parse_output(&raw, tool);
        (text, is_error)
    }

    #[test]
    fn exit_codes_are_found_in_every_form() {
        for (json, text, is_error) in [
            (r#""Exit code: 1\nWall time: 1 seconds\nOutput:\nno""#, None, true),
            (r#""Exit code: 0\nOutput:\nProcess exited with code 3""#, None, false),
            (r#""Chunk ID: a\nProcess exited with code 2\nOutput:\nx""#, None, true),
            (r#""{\"output\":\"done\",\"metadata\":{\"exit_code\":0}}""#, Some("done"), false),
            (r#""{\"output\":\"no\",\"metadata\":{\"exit_code\":127}}""#, Some("no"), true),
            (r#"{"content":"no","success":false}"#, Some("no"), true),
            (
                r#"[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]"#,
                Some("ab"),
                false,
            ),
            (r#""exec_command failed for `x`: y""#, None, true),
            (r#""exec_commander failed""#, None, false),
        ] {
            let (found, failed) = outcome(json, "exec_command");
            assert_eq!(failed, is_error, "{json}");
            if let Some(text) = text {
                assert_eq!(found, text, "{json}");
            }
        }
    }

    #[test]
    fn a_patch_that_did_not_fit_is_an_error() {
        assert!(outcome(r#""apply_patch verification failed: x""#, "apply_patch").1);
        assert!(!outcome(r#""Success. Updated the following files:\nM a""#, "apply_patch").1);
    }
}
