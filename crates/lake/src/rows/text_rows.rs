//! The tables of level `text`.

use super::Row;
use crate::columns::{Cell, Column, ColumnValues};
use jiff::Timestamp;
use parquet::errors::Result;

row! {
    /// A block of a line: a prompt, an answer, a tool call, its result, or a note.
    BlockRow {
        /// The session
        session_id: String,
        /// The program whose session it is: `claude`
        app: String,
        /// The key of the project
        project: String,
        /// The sub-agent whose transcript it is in; none for the session's
        agent_id: Option<String>,
        /// The number of its line, from 1
        line: u64,
        /// Its place among the blocks of its line, from 0
        block: u64,
        /// The id of the record
        uuid: Option<String>,
        /// When it was written
        time: Option<Timestamp>,
        /// Who it is from: `user`, `assistant`, `thinking`, `tool_use`, `tool_result` and others
        role: String,
        /// What it is: `prompt`, `answer`, `call`, `result` and others
        kind: String,
        /// The tool of a call or a result
        tool: Option<String>,
        /// The model
        model: Option<String>,
        /// The git branch
        branch: Option<String>,
        /// Whether it is the result of a tool that failed
        is_error: bool,
        /// How many prompts were typed before it, itself included
        prompt: u64,
        /// Its text, with secrets masked
        text: String,
        /// Its words as annals finds them, each once, separated by spaces
        words: String,
        /// The version of the rules that made this row; of two rows with one key the higher counts
        rules: u64,
    }
}

row! {
    /// A line of a transcript, at level `text`.
    LineRow {
        /// The session
        session_id: String,
        /// The program whose session it is: `claude`
        app: String,
        /// The key of the project
        project: String,
        /// The sub-agent whose transcript it is in; none for the session's
        agent_id: Option<String>,
        /// The number of the line, from 1
        line: u64,
        /// The id of the record
        uuid: Option<String>,
        /// When it was written
        time: Option<Timestamp>,
        /// The line, with secrets masked and without images
        text: String,
        /// The version of the rules that made this row; of two rows with one key the higher counts
        rules: u64,
    }
}
