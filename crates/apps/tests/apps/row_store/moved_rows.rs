//! Databases whose rows are no longer where annals reads them, and new sessions, which have none.

use crate::row_store::failures::gaps_after;

/// A session without rows, with what it used and changed.
fn session(id: &str, tokens: u64, files: u64) -> String {
    format!(
        "ALTER TABLE session ADD COLUMN tokens_output integer;
         ALTER TABLE session ADD COLUMN summary_files integer;
         INSERT INTO session (id, tokens_output, summary_files) VALUES ('{id}', {tokens}, {files});"
    )
}

/// The log of changes, with these changes of a session.
fn log(id: &str, kinds: &[&str]) -> String {
    let table = "CREATE TABLE event (id, aggregate_id, seq, type, data);".to_owned();
    let row = |kind: &&str| {
        format!("INSERT INTO event VALUES ('e', '{id}', 1, '{kind}', '{{\"text\": \"secret\"}}');")
    };
    table + &kinds.iter().map(row).collect::<String>()
}

/// No session has rows in a table, although others say so.
fn lacks(owner: &str, table: &str) -> (String, bool) {
    let text =
        format!("{owner} no rows in the table `{table}`, although others say that there were some");
    (text, false)
}

/// A table has rows beside empty ones.
fn beside(empty: &str, filled: &str) -> (String, bool) {
    (format!("the {empty} empty, and this version of annals does not read {filled} rows"), true)
}

#[test]
fn new_session_without_messages_has_no_gap() {
    let only = "DELETE FROM session; DELETE FROM message; DELETE FROM part;";
    let logged = log("ses_2", &["session.created.1", "session.updated.1"]);
    assert_eq!(gaps_after(&session("ses_2", 0, 0)), []);
    assert_eq!(gaps_after(&(only.to_owned() + &session("ses_2", 0, 0) + &logged)), []);
    assert_eq!(gaps_after(&(only.to_owned() + &logged)), [], "no session at all");
}

#[test]
fn prompt_without_an_answer_so_far_has_no_gap() {
    let message = "INSERT INTO message VALUES ('msg_2', 'ses_1', 1600, '{\"role\": \"user\"}');";
    let begun = r#"INSERT INTO message VALUES ('msg_3', 'ses_1', 1601, '{"role": "assistant",
        "tokens": {"input": 0, "output": 0}}');"#;
    assert_eq!(gaps_after(&(message.to_owned() + begun)), []);
}

#[test]
fn session_without_the_messages_that_it_had_is_a_gap() {
    let gap = [lacks("1 session has", "message")];
    assert_eq!(gaps_after(&session("ses_2", 7, 0)), gap, "what it used");
    assert_eq!(gaps_after(&session("ses_2", 0, 1)), gap, "what it changed");
    let logged = |kinds| session("ses_2", 0, 0) + &log("ses_2", kinds);
    assert_eq!(gaps_after(&logged(&["session.created.1", "message.updated.2"])), gap);
    assert_eq!(gaps_after("DELETE FROM message"), gap, "its parts");
}

#[test]
fn session_whose_messages_were_deleted_has_no_gap() {
    let changes = ["message.updated.1", "message.part.updated.1", "message.removed.1"];
    let logged = log("ses_2", &changes);
    assert_eq!(gaps_after(&(session("ses_2", 0, 3) + &logged)), []);
    // OpenCode subtracts what deleted messages used.
    let used = session("ses_2", 7, 0) + &logged;
    assert_eq!(gaps_after(&used), [lacks("1 session has", "message")]);
}

#[test]
fn message_without_the_parts_that_it_had_is_a_gap() {
    let answer = |id: &str| {
        let data = r#"{"role": "assistant", "tokens": {"input": 9, "output": 1}}"#;
        format!("INSERT INTO message VALUES ('{id}', 'ses_1', 1600, '{data}');")
    };
    let part = "INSERT INTO part VALUES ('p', 'msg_2', 'ses_1', '{\"type\": \"text\"}');";
    assert_eq!(gaps_after(&(answer("msg_2") + part)), []);
    let gap = [lacks("1 message has", "part")];
    assert_eq!(gaps_after(&(answer("msg_2") + part + &answer("msg_3"))), gap);
    let long =
        part.replace("\"text\"}", &format!("\"text\", \"text\": \"{}\"}}", "x".repeat(9000)));
    assert_eq!(gaps_after(&(answer("msg_2") + &long)), [], "a part that is not looked at");
    let changes = ["message.updated.1", "message.part.updated.1"];
    let prompt = log("ses_1", &changes) + "DELETE FROM part;";
    assert_eq!(gaps_after(&prompt), [lacks("1 session has", "part")]);
}

#[test]
fn messages_of_sessions_that_the_table_does_not_have_are_a_gap() {
    let text = "1 session has rows in the table `message` and none in `session`".to_owned();
    assert_eq!(gaps_after("DELETE FROM session"), [(text, true)]);
}

#[test]
fn unknown_table_with_rows_beside_an_empty_known_one_is_a_gap() {
    let moved = |table: &str, columns: &str| {
        format!("CREATE TABLE {table}_v2 AS SELECT {columns} FROM {table}; DELETE FROM {table};")
    };
    let parts = moved("part", "id, message_id, data");
    let of_parts = beside("table `part` is", "`part_v2`, which has");
    assert_eq!(gaps_after(&parts), [of_parts]);
    for column in ["sessionID", "session"] {
        let messages = moved("message", &format!("id, session_id AS {column}, data"));
        let of_both =
            beside("tables `message` and `part` are", "`message_v2` and `part_v2`, which have");
        assert_eq!(gaps_after(&(messages + &parts)), [of_both], "{column}");
    }
    let with_owner = moved("part", "id, session_id, 1500 AS time_created, data");
    assert_eq!(gaps_after(&with_owner), [beside("table `part` is", "`part_v2`, which has")]);
    let sessions = moved("session", "*") + "DELETE FROM message; DELETE FROM part;";
    let of_all = beside("tables `session`, `message` and `part` are", "`session_v2`, which has");
    assert_eq!(gaps_after(&sessions), [of_all]);
    let empty = "CREATE TABLE part_v2 (id, data); DELETE FROM part; DELETE FROM message;
        DELETE FROM session;";
    assert_eq!(gaps_after(empty), []);
}
