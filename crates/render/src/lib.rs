//! Data → text.
//!
//! Prose, code, diffs, tables, JSON, CSV, times, sizes, and above all the one
//! place that makes untrusted text safe to show: transcripts hold whatever a web
//! page or a program wanted a terminal, a spreadsheet or a reader to see.
//!
//! Deliberately not here: reading files, and knowing where output goes.

mod bar;
mod code;
mod columns;
pub mod csv;
mod diff;
mod export;
mod export_document;
mod fold;
mod highlight;
mod html;
pub mod json;
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
mod telling;
pub mod time;
mod tokens;
pub mod untrusted;
mod words;
mod wrap;
pub mod xml;

pub use bar::{bar, sparkline};
pub use columns::columns;
pub use diff::diff;
pub use export::{IndexEntry, markdown_index, markdown_page, plain_index, plain_page};
pub use export_document::{
    AbandonedBranch, AgentChapter, Chapter, ExportDocument, Heading, Omitted, OrphanSegment,
    Unlinked,
};
pub use fold::folded;
pub use html::{html_index, html_page};
pub use markdown::markdown;
pub use money::money;
pub use passages::{Passage, PassageOptions, passages};
pub use record::{block_line, record_line};
pub use shell::shell_quoted;
pub use size::{bytes, count, counted, grouped, percent};
pub use style::{Paint, Style};
pub use table::{Align, Column, Table, cut};
pub use telling::{
    Annotations, Detail, Nothing, TextOptions, agent_line, call_title, milliseconds,
};
pub use tokens::{bytes_within, tokens};
pub use wrap::wrapped;
