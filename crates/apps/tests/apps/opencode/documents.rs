//! Making documents from rows and from files.

use apps::opencode::{Reader, Row, StorageFile, Table, Value, document_of_files, document_of_rows};
use apps::{ProblemKind, read_whole};

fn text(document: Vec<u8>) -> String {
    String::from_utf8(document).expect("UTF-8")
}

fn message(id: &str, created: i64) -> Row {
    Row::from_columns(
        Table::Message,
        &[
            ("id", Value::Text(id)),
            ("session_id", Value::Text("s")),
            ("time_created", Value::Integer(created)),
            ("data", Value::Text("{\"role\": \"user\"}")),
        ],
    )
}

fn part(id: &str, message: &str) -> Row {
    let columns = [
        ("id", Value::Text(id)),
        ("message_id", Value::Text(message)),
        ("data", Value::Text("{}")),
    ];
    Row::from_columns(Table::Part, &columns)
}

#[test]
fn columns_keep_their_names_order_and_types() {
    let columns = [
        ("id", Value::Text("ses_1")),
        ("parent_id", Value::Null),
        ("title", Value::Text("A \"fish\"\n\u{1}{}")),
        ("cost", Value::Real(0.5)),
        ("tokens_input", Value::Integer(-3)),
        ("revert", Value::Text("{ \"messageID\" : \"a b\\\" c\" }")),
        ("model", Value::Text("not json")),
    ];
    let document = text(document_of_rows(vec![Row::from_columns(Table::Session, &columns)]));
    assert_eq!(
        document,
        concat!(
            r#"{"table":"session","id":"ses_1","parent_id":null,"#,
            r#""title":"A \"fish\"\n\u0001{}","cost":0.5,"tokens_input":-3,"#,
            r#""revert":{"messageID":"a b\" c"},"model":"not json"}"#,
            "\n"
        )
    );
}

#[test]
fn rows_are_ordered_by_message_and_orphans_come_last() {
    let rows = vec![
        part("p3", "lost"),
        part("p2", "m1"),
        message("m2", 5),
        message("m1", 5),
        message("m3", 4),
        part("p1", "m1"),
        part("p4", "m2"),
        Row::from_columns(Table::Session, &[("id", Value::Text("s"))]),
    ];
    let ids = |rows: Vec<Row>| {
        let session = read_whole::<Reader>(&document_of_rows(rows));
        let ids = session.entries.iter().map(|entry| entry.id.clone().unwrap_or_default());
        ids.collect::<Vec<_>>()
    };
    let expected = ["s", "m3", "m1", "p1", "p2", "m2", "p4", "p3"];
    assert_eq!(ids(rows.clone()), expected);
    assert_eq!(ids(rows.into_iter().rev().collect()), expected);
}

#[test]
fn files_of_the_older_tree_give_the_rows_of_the_database() {
    let files = [
        (
            "storage/part/msg_1/prt_1.json",
            "{\n \"id\": \"prt_1\", \"sessionID\": \"ses_1\", \"messageID\": \"msg_1\",\n \"type\": \"text\", \"text\": \"Count. It\\nwell.\"\n}",
        ),
        (
            "storage/message/ses_1/msg_1.json",
            r#"{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":7}}"#,
        ),
        (
            "storage/session/proj/ses_1.json",
            r#"{"id":"ses_1","version":"1.1","projectID":"proj","parentID":"ses_0","directory":"/kelp","title":"Fish","time":{"created":5,"updated":9},"summary":{"additions":2}}"#,
        ),
        ("storage/part/msg_1/prt_2.json", "{torn"),
    ];
    let files = files.map(|(path, text)| (StorageFile::parse(path).unwrap(), text.as_bytes()));
    let document = document_of_files(files);
    let session = read_whole::<Reader>(&document);
    assert_eq!(
        text(document),
        concat!(
            r#"{"table":"session","id":"ses_1","project_id":"proj","version":"1.1","directory":"/kelp","#,
            r#""title":"Fish","parent_id":"ses_0","summary_additions":2,"time_created":5,"time_updated":9}"#,
            "\n",
            r#"{"table":"message","id":"msg_1","session_id":"ses_1","time_created":7,"#,
            r#""data":{"role":"user","time":{"created":7}}}"#,
            "\n",
            r#"{"table":"part","id":"prt_1","message_id":"msg_1","session_id":"ses_1","#,
            r#""data":{"type":"text","text":"Count. It\nwell."}}"#,
            "\n",
            r#"{"table":"part","id":"prt_2","message_id":"msg_1","data":null}"#,
            "\n",
        )
    );
    assert_eq!(session.prompts().collect::<Vec<_>>(), ["Count. It\nwell."]);
    // The file that is not JSON is a problem.
    let problems: Vec<_> = session.problems.iter().map(|it| (it.line, it.kind)).collect();
    assert_eq!(problems, [(4, ProblemKind::UnexpectedShape)]);
}
