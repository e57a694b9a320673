//! The tables of level `metadata`: what sessions did, without what was said.
//!
//! Names of branches, files, agents and tools can hold secrets, and are masked like text.

use super::Row;
use crate::columns::{Cell, Column, ColumnValues};
use jiff::Timestamp;
use parquet::errors::Result;

row! {
    /// What an API call is attributed to. Its tokens and cost are in `calls`, under the same
    /// `id` and `request_id`.
    AttributionRow {
        /// The session it belongs to
        session_id: String,
        /// The program whose session it is: `claude`
        app: String,
        /// The key of the project
        project: String,
        /// The id of the API response
        id: String,
        /// The API request
        request_id: Option<String>,
        /// When it began
        time: Option<Timestamp>,
        /// The working directory, relative to the project; none for the project itself
        folder: Option<String>,
        /// The git branch
        branch: Option<String>,
        /// The sub-agent that made it; none for the session itself
        agent_id: Option<String>,
        /// The type of sub-agent it is charged to
        agent_type: Option<String>,
        /// The skill it is charged to
        skill: Option<String>,
        /// The plugin it is charged to
        plugin: Option<String>,
        /// The MCP server it is charged to
        mcp_server: Option<String>,
        /// How Claude Code was started
        entrypoint: Option<String>,
        /// The effort setting of the model
        effort: Option<String>,
        /// Whether a sub-agent made it
        is_sidechain: bool,
        /// The tools it used, separated by spaces, each as often as it was used
        tools: Option<String>,
        /// The version of the rules that made this row; of two rows with one key the higher counts
        rules: u64,
    }
}

row! {
    /// A session.
    SessionRow {
        /// The session
        session_id: String,
        /// The program whose session it is: `claude`
        app: String,
        /// The key of the project
        project: String,
        /// The earliest time in its transcript
        first_time: Option<Timestamp>,
        /// The latest time in its transcript
        last_time: Option<Timestamp>,
        /// The last git branch
        branch: Option<String>,
        /// The last version of the app
        app_version: Option<String>,
        /// How the app was started
        entrypoint: Option<String>,
        /// `interactive` or `programmatic`; others are rare
        kind: String,
        /// How many prompts a person typed
        prompts: u64,
        /// How many turns its conversation has
        turns: u64,
        /// How many sub-agents it started
        agents: u64,
        /// How many tool calls it made, agents included
        tool_calls: u64,
        /// How many of them failed
        errors: u64,
        /// The types of its sub-agents, separated by spaces
        agent_types: Option<String>,
        /// The skills it used, separated by spaces
        skills: Option<String>,
        /// Its title; only at level `text`
        title: Option<String>,
        /// Its first prompt; only at level `text`
        first_prompt: Option<String>,
        /// How many lines its transcripts have; of two rows with the same rules the higher counts
        lines: u64,
        /// The version of the rules that made this row; of two rows with one key the higher counts
        rules: u64,
    }
}

row! {
    /// A tool call, without its input and its result.
    ToolCallRow {
        /// The session
        session_id: String,
        /// The program whose session it is: `claude`
        app: String,
        /// The key of the project
        project: String,
        /// The sub-agent that made it; none for the session itself
        agent_id: Option<String>,
        /// The type of that sub-agent
        agent_type: Option<String>,
        /// The id of the call; none in transcripts without ids
        tool_use_id: Option<String>,
        /// Its place among the calls of its transcript, from 0
        number: u64,
        /// The id of the API response that made it
        call_id: Option<String>,
        /// The tool
        name: String,
        /// The MCP server of the tool
        mcp_server: Option<String>,
        /// The skill it was called under
        skill: Option<String>,
        /// The plugin that the skill or the agent belongs to
        plugin: Option<String>,
        /// The model that called
        model: Option<String>,
        /// The git branch
        branch: Option<String>,
        /// The working directory, relative to the project; none for the project itself
        folder: Option<String>,
        /// How many prompts were typed before it in its transcript
        prompt: u64,
        /// When it began
        time: Option<Timestamp>,
        /// How long it took, in milliseconds
        milliseconds: Option<u64>,
        /// Whether its result is there; of two rows with the same rules the one with it counts
        is_answered: bool,
        /// `ok`, `error`, `denied`, `interrupted`, or `missing` without a result
        status: String,
        /// Whether the tool failed
        is_error: bool,
        /// The version of the rules that made this row; of two rows with one key the higher counts
        rules: u64,
    }
}

row! {
    /// A file that a tool call read or changed.
    TouchRow {
        /// The session
        session_id: String,
        /// The program whose session it is: `claude`
        app: String,
        /// The key of the project
        project: String,
        /// The sub-agent that did it; none for the session itself
        agent_id: Option<String>,
        /// The id of the tool call; none in transcripts without ids
        tool_use_id: Option<String>,
        /// The place of the tool call among those of its transcript, from 0
        number: u64,
        /// The file, relative to the project if it lies in it
        file: String,
        /// `read`, `create`, `write`, `edit` or `notebook`
        operation: String,
        /// How many lines it added
        added: u64,
        /// How many lines it removed
        removed: u64,
        /// When it was done
        time: Option<Timestamp>,
        /// Whether it succeeded; otherwise nothing was read or changed
        is_done: bool,
        /// The version of the rules that made this row; of two rows with one key the higher counts
        rules: u64,
    }
}

row! {
    /// A commit that a session made.
    CommitRow {
        /// The session
        session_id: String,
        /// The program whose session it is: `claude`
        app: String,
        /// The key of the project
        project: String,
        /// The sub-agent that made it; none for the session itself
        agent_id: Option<String>,
        /// The id of the tool call that made it
        tool_use_id: Option<String>,
        /// Its hash, as git printed it
        hash: String,
        /// Its branch
        branch: Option<String>,
        /// The first line of its message; only at level `text`
        subject: Option<String>,
        /// When
        time: Option<Timestamp>,
        /// The version of the rules that made this row; of two rows with one key the higher counts
        rules: u64,
    }
}

row! {
    /// A pull request that a session created or was linked to.
    PullRequestRow {
        /// The session
        session_id: String,
        /// The program whose session it is: `claude`
        app: String,
        /// The key of the project
        project: String,
        /// The id of the tool call that created it
        tool_use_id: Option<String>,
        /// Its number
        number: Option<u64>,
        /// Its address
        url: Option<String>,
        /// Its repository
        repository: Option<String>,
        /// When
        time: Option<Timestamp>,
        /// The version of the rules that made this row; of two rows with one key the higher counts
        rules: u64,
    }
}
