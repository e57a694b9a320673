//! Lines that are damaged, and lines that someone wrote to do harm.

use crate::reader_testkit::SampleLines;
use apps::opencode::Reader;

const LINES: SampleLines = SampleLines {
    before: r#"{"table":"message","id":"msg_0","session_id":"ses_1","data":{"role":"user"}}"#,
    prompt: |text| {
        format!(
            r#"{{"table":"part","id":"prt_1","message_id":"msg_0","session_id":"ses_1","data":{{"type":"text","text":{text}}}}}"#
        )
    },
    call: |arguments| {
        format!(
            r#"{{"table":"part","id":"prt_2","message_id":"msg_0","session_id":"ses_1","data":{{"type":"tool","tool":"t","callID":"c","state":{{"status":"completed","input":{arguments}}}}}}}"#
        )
    },
    usage: |number| {
        format!(
            r#"{{"table":"message","id":"msg_1","session_id":"ses_1","data":{{"role":"assistant","modelID":"m","tokens":{{"input":{number},"output":{number},"reasoning":{number},"cache":{{"read":{number},"write":{number}}}}}}}}}"#
        )
    },
    unknown: (
        r#"{"table":"part","id":"prt_3","message_id":"msg_0","session_id":"ses_1","data":{"type":"unheard_of"}}"#,
        "part unheard_of",
    ),
};

crate::reader_testkit::damage_tests!(Reader, LINES);
