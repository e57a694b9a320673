//! Lines that are damaged, and lines that someone wrote to do harm.

use crate::reader_testkit::SampleLines;
use apps::copilot::Reader;

const LINES: SampleLines = SampleLines {
    before: "",
    prompt: |text| {
        format!(
            r#"{{"id":"e","timestamp":"2026-01-02T03:04:05Z","type":"user.message","data":{{"content":{text}}}}}"#
        )
    },
    call: |arguments| {
        format!(
            r#"{{"id":"d","type":"tool.execution_start","data":{{"toolCallId":"c","toolName":"t","arguments":{arguments}}}}}"#
        )
    },
    usage: |number| {
        format!(
            r#"{{"id":"u","type":"session.usage_record","data":{{"usage":{{"apiCallId":"c","model":"m","inputTokens":{number},"cacheReadTokens":{number},"outputTokens":{number}}}}}}}"#
        )
    },
    unknown: (r#"{"id":"x","type":"session.unheard_of","data":{}}"#, "session.unheard_of"),
};

crate::reader_testkit::damage_tests!(Reader, LINES);
