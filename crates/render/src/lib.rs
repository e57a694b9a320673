//! Data → text.
//!
//! Prose, code, diffs, tables, JSON, CSV, times, sizes, and above all the one
//! place that makes untrusted text safe to show: transcripts can contain text that a
//! web page or a program wrote to attack a terminal, a spreadsheet or a reader.
//!
//! Deliberately not here: reading files, and deciding where output goes.

mod bar;
mod code;
mod columns;
mod command_tags;
pub mod csv;
mod diff;
mod export;
mod export_document;
mod fold;
mod highlight;
mod html;
pub mod json;
mod labels;
mod markdown;
mod money;
mod passages;
mod pieces;
pub mod quoted;
mod record;
mod shell;
mod size;
mod style;
mod table;
pub mod time;
mod tokens;
mod turn_text;
pub mod untrusted;
mod wrap;
pub mod xml;

pub use bar::{bar, sparkline};
pub use columns::columns;
pub use command_tags::shown_commands;
pub use diff::diff;
pub use export::{IndexEntry, markdown_index, markdown_page, plain_index, plain_page};
pub use export_document::{
    AbandonedBranch, AgentChapter, Chapter, ExportDocument, Heading, Omitted, OrphanSegment,
    UnlinkedRecord,
};
pub use fold::folded;
pub use html::{
    Fragment, FragmentLink, FragmentOptions, FragmentPlace, ReportPage, ReportRow, ReportTable,
    html_diff, html_index, html_page, html_prose, html_report, html_steps, html_turns,
};
pub use labels::{UNLINKED_AGENTS, gaps_text, hidden_minor_branches, hidden_warmups};
pub use markdown::markdown;
pub use money::money;
pub use passages::{Passage, PassageOptions, passages};
pub use record::{block_line, record_line};
pub use shell::{command_in_folder, resume_command, shell_quoted};
pub use size::{bytes, count, counted, grouped, percent};
pub use style::{Paint, Style};
pub use table::{Align, Column, Table, cut, joined_facts};
pub use tokens::{bytes_within, tokens};
pub use turn_text::{
    Annotations, Detail, NoAnnotations, TextOptions, agent_line, call_title, milliseconds,
    piece_count,
};
pub use wrap::{hanging, wrapped};
