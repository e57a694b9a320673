//! Lines that are damaged, and lines that someone wrote to do harm.

use crate::reader_testkit::SampleLines;
use apps::pi::Reader;

const LINES: SampleLines = SampleLines {
    before: "",
    prompt: |text| {
        format!(
            r#"{{"type":"message","id":"p","parentId":null,"message":{{"role":"user","content":[{{"type":"text","text":{text}}}]}}}}"#
        )
    },
    call: |arguments| {
        format!(
            r#"{{"type":"message","id":"d","parentId":null,"message":{{"role":"assistant","content":[{{"type":"toolCall","id":"c","name":"t","arguments":{arguments}}}]}}}}"#
        )
    },
    usage: |number| {
        format!(
            r#"{{"type":"message","id":"u","parentId":null,"message":{{"role":"assistant","model":"m","content":[],"usage":{{"input":{number},"output":{number},"cacheRead":{number},"cacheWrite":{number}}}}}}}"#
        )
    },
    unknown: (r#"{"type":"unheard_of","id":"x","parentId":null}"#, "unheard_of"),
};

crate::reader_testkit::damage_tests!(Reader, LINES);
