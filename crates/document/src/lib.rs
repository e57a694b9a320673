//! The JSON documents of annals and their schemas: what every surface answers
//! with.
//!
//! One file per subject: the types of its documents, whose doc comments become
//! docs/json.md and the files in docs/schema, and how they are made from the
//! library's data. Every type can be written and read back: what `--json` prints,
//! a program that uses this crate reads into the same types. Names and order of
//! fields are a contract.
//!
//! [`pages`] puts a session together for exports and [`reading`] for a terminal;
//! both place branches, orphaned segments and agents by the same rule.
//!
//! Deliberately not here: reading files, printing, deciding what is shown. Text for
//! people is the surfaces' own.

mod agent_groups;
mod agents;
pub mod answers;
mod archive_sessions;
mod archive_work;
mod authors;
mod budget;
mod configuration;
mod context;
mod conversations;
mod doctor;
mod exact;
mod export;
mod facets;
mod files;
mod find;
mod grep;
mod home;
mod info;
mod lake;
mod lake_lifecycle;
mod lake_messages;
mod lanes;
mod marks;
mod moment;
mod outline;
pub mod pages;
mod place;
mod plans;
mod projects;
mod prompts;
pub mod reading;
mod records;
mod reference;
mod registry;
mod running;
mod schema_files;
mod search;
mod secrets;
mod session_rows;
mod sessions;
mod setup;
mod short_id;
mod sql;
mod table;
mod tools;
mod tree;
mod turn_id;
mod turns;
mod usage_details;
mod usage_explained;
mod usage_report;
mod warnings;
mod watch;
mod watch_events;
mod web;

pub use agent_groups::AgentGroup;
pub use agents::{AgentDocument, AgentsDocument, WorkflowDocument, agent_duration};
pub use archive_sessions::{
    ArchiveDocument, ArchiveFilesDocument, ArchiveSummaryDocument, ArchivedSessionDocument,
    ArchivedVersionDocument, compression_ratio,
};
pub use archive_work::{
    ArchiveForgetDocument, ArchiveRestoreDocument, ArchiveSyncDocument, ArchiveTransferDocument,
    ArchiveVerifyDocument, ArchivedFileDocument, DamagedCopyDocument, DamagedFrameDocument,
    DamagedLineDocument, FileProblemDocument,
};
pub use authors::{
    BlameDocument, BlameLineDocument, CommitDocument, CommitFileDocument, CommitsDocument,
    blamed_change,
};
pub use budget::{BudgetDocument, BudgetsDocument};
pub use configuration::{ConfigurationDocument, SettingDocument};
pub use context::{
    CacheDocument, CategoryDocument, CategoryPartDocument, ContextCallDocument, ContextDocument,
    ContextGenerationDocument, ContributionDocument, EstimateDocument, ExpiryDocument,
    RepeatedReadDocument, WindowDocument, share, window_summary,
};
pub use conversations::{
    BranchDocument, CompactionDocument, ConversationDocument, ConversationParts, GapDocument,
    KeptBlocks, MessageDocument, MessageMetaDocument, OrphanedSegmentDocument,
};
pub use doctor::{
    AppReportDocument, CollisionDocument, CopiedSessionDocument, DoctorArchiveDocument,
    DoctorCountsDocument, DoctorDocument, DoctorProblemDocument, DriftItemDocument,
    ExpiringSessionDocument, InstalledProgramDocument, OtherRetentionDocument, RetentionDocument,
    RootDocument, StaleCacheDocument, StrayFileDocument, UnreadableDocument, retention_advice,
};
pub use export::{
    ExportDocument, ExportIndexDocument, ExportIndexEntryDocument, ExportedFileDocument,
    MaskedSecretDocument, ReductionDocument,
};
pub use facets::{FacetDocument, FacetsDocument};
pub use files::{
    ChangeDocument, FileDocument, FileHistoryDocument, FilesDocument, LeadingPromptDocument,
};
pub use find::{FindDocument, FindHitDocument};
pub use grep::{
    GrepCountDocument, GrepCountsDocument, GrepDocument, GrepHitDocument, grep_command,
};
pub use home::{HomeDayDocument, HomeDocument, HomeModelDocument, HomeOverviewDocument};
pub use info::{InfoCommitDocument, InfoDocument, InfoFileDocument};
pub use lake::{
    LakeCatalogDocument, LakeChainDocument, LakeInitDocument, LakeLeavesDocument, LakeLevel,
    LakeLoadDocument, LakeMaskedDocument, LakePolicyDocument, LakePolicyFileDocument,
    LakePushDocument, LakePushMode, LakeReportDocument, LakeRowsDocument, LakeShareDocument,
    LakeStatusDocument, LakeViewDocument,
};
pub use lake_lifecycle::{
    LakeComparisonDocument, LakeExpiryDocument, LakeLoaderDocument, LakeProblemDocument,
    LakePushesDocument, LakeReceiptDocument, LakeTakeBackDocument, LakeTakenFromDocument,
    LakeVerifyDocument,
};
pub use lake_messages::{
    LakeAction, LakeAnswer, LakeCommand, LakeDaySum, LakeDaySums, LakeFailure, LakeMachine,
    LakeOwnerView, LakeQuestion, LakeRequest, LakeSettings, LakeTakenBack, LakeView,
};
pub use lanes::{
    LaneContextDocument, LaneDocument, LaneMarkDocument, LaneSpanDocument, LanesDocument,
};
pub use marks::{MarkEntryDocument, MarksDocument, RenamedDocument, TagDocument, TaggedDocument};
pub use moment::Moment;
pub use outline::{
    OutlineAgentDocument, OutlineBranchDocument, OutlineCommitDocument, OutlineDocument,
    OutlineFileDocument, OutlineGenerationDocument, OutlineOrphanDocument, OutlinePlanDocument,
    OutlineRelativeDocument, OutlineTotalsDocument, OutlineTurnDocument,
};
pub use place::PlaceDocument;
pub use plans::{PlanDocument, PlanRowDocument, PlanRowsDocument, PlansDocument};
pub use projects::{ProjectDocument, ProjectsDocument, WhereDocument};
pub use prompts::{PromptDocument, PromptsDocument};
pub use records::{RecordDocument, RecordProblemDocument, RecordsDocument};
pub use reference::reference;
pub use registry::{DOCUMENTS, DocumentDescription};
pub use running::{RunningDocument, RunningSessionDocument};
pub use schema_files::schema_files;
pub use search::{HitDocument, HitsDocument, NearWordDocument, NearbyMessageDocument, hit_command};
pub use secrets::{SecretDocument, SecretsDocument};
pub use session_rows::{SessionRowDocument, SessionRowsDocument};
pub use sessions::{
    MarkDocument, PullRequestDocument, SessionDocument, SessionsDocument, session_cost,
};
pub use setup::{SetupDocument, SetupPartDocument};
pub use short_id::{short_id, short_ids};
pub use sql::{
    SqlColumnDocument, SqlColumnRowDocument, SqlDocument, SqlRowDocument, SqlSchemaDocument,
    SqlValueDocument, SqlViewDocument, hexadecimal,
};
pub use table::{Column, word};
pub use tools::{ToolCallDocument, ToolStatsDocument, ToolSumDocument, ToolsDocument};
pub use tree::{
    GenerationDocument, RelativeDocument, TreeAgentDocument, TreeBranchDocument, TreeDocument,
    TreeSegmentDocument, TreeTurnDocument,
};
pub use turn_id::{TurnId, show_command, show_line_command};
pub use turns::{HooksDocument, TokensDocument, TurnDocument, TurnFileDocument};
pub use usage_details::{
    UnusedDocument, UnusedItemDocument, UsageHourDocument, UsageHoursDocument,
};
pub use usage_explained::{
    LimitDocument, LimitsDocument, UsageCallDocument, UsageCallsDocument, UsageComparisonDocument,
    UsageDuplicatesDocument, UsageExplanationDocument, UsageFactorDocument, UsageLineDocument,
    UsagePartDocument, UsagePlainSumDocument, UsageSessionCostDocument, UsageStatsCacheDocument,
};
pub use usage_report::{
    UsageBlockDocument, UsageComparedDocument, UsageDocument, UsageParts, UsageRowDocument,
    UsageSumsDocument, known_cost, unpriced,
};
pub use warnings::{WarnedDocument, WarningDocument, Warnings};
pub use watch::{
    AgentEndedEventDocument, AgentStartedEventDocument, CallEndedEventDocument,
    CallStartedEventDocument, CompactedEventDocument, MessageEventDocument, MovedEventDocument,
    ProcessDocument, ReplacedEventDocument, RetractedEventDocument, RewoundEventDocument,
    SessionEndedEventDocument, SessionStartedEventDocument, StatusEventDocument,
    UsageEventDocument, WatchContextDocument, WatchEventDocument, WatchTokensDocument,
};
pub use web::{WebErrorDocument, WebIndexDocument, WebStateDocument};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use std::borrow::Cow;

/// A word that annals chose, such as `disk`, as opposed to text that it read.
pub type Keyword = Cow<'static, str>;

/// A whole answer in JSON, which names its schema.
pub trait Document: Serialize + JsonSchema {
    /// The name of its schema, with its version: `annals/sessions/1`.
    const SCHEMA: &'static str;

    /// The command that answers with it, in Markdown.
    const COMMAND: &'static str;

    /// The list whose elements are the rows of `--jsonl`, if there are any.
    const ROWS: Option<&'static str> = None;

    /// The columns of these rows in CSV.
    const COLUMNS: &'static [Column] = &[];

    /// The name of its file in docs/schema, where two documents share a schema
    /// name; otherwise it comes from that name.
    const FILE: &'static str = "";

    /// What the rows of `--jsonl` are, where they are not elements of a list of
    /// the document.
    fn row(_: &mut SchemaGenerator) -> Option<Schema> {
        None
    }
}

/// How much of sub-agents is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentDetail {
    /// Their conversations, at the calls that started them.
    Inline,
    /// One line each, at the calls that started them.
    Fold,
    /// Nothing.
    None,
}
