//! Lines that are damaged, and lines that someone wrote to do harm.

use crate::reader_testkit::SampleLines;
use apps::gemini::Reader;

const LINES: SampleLines = SampleLines {
    before: "",
    // Messages with the same id replace each other.
    prompt: |text| format!(r#"{{"id":"p{}","type":"user","content":{text}}}"#, text.len()),
    call: |arguments| {
        format!(
            r#"{{"id":"d","type":"gemini","content":"","toolCalls":[{{"id":"c","name":"t","args":{arguments},"status":"success"}}]}}"#
        )
    },
    usage: |number| {
        format!(
            r#"{{"id":"u","type":"gemini","content":"","model":"m","tokens":{{"input":{number},"cached":{number},"output":{number},"thoughts":{number}}}}}"#
        )
    },
    unknown: (r#"{"id":"x","type":"unheard_of","content":""}"#, "message unheard_of"),
};

crate::reader_testkit::damage_tests!(Reader, LINES);
