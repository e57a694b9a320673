// The JSON documents. Written by `cargo xtask web` from docs/schema.

/** How much of a session leaves the machine. Each level includes the ones before it. */
export type LakeLevel = ("usage" | "metadata" | "text")
/** Whether pushes start by themselves. */
export type LakePushMode = ("manual" | "auto")
/** An event of a session that is being written. `event` says which ([watch.md](watch.md)). */
export type WatchEventDocument = (SessionStartedEvent | StatusEvent | SessionEndedEvent | AgentStartedEvent | AgentEndedEvent | MessageEvent | CallStartedEvent | CallEndedEvent | RetractedEvent | RewoundEvent | CompactedEvent | MovedEvent | ReplacedEvent | UsageEvent)

/** A sub-agent. */
export interface Agent {
/** The size of its records. */
bytes: number
/** How deep it is below the session, from 1. */
depth: number
/** Its task. */
description: (string | null)
/** Milliseconds between these two. */
duration_ms: (number | null)
/** When it ended. */
ended_at: (string | null)
/** Where its records are: `inline` in the session's transcript, `flat` beside it, `nested` in the session's folder. */
era: string
/** Errors: tool calls that failed, failed results without a call, and errors of the API. */
errors: number
/** What the link to that call rests on: `meta`, `progress`, `result`, `trailer`; guesses: `prompt`, `time`; `null`: only its folder links it to the session. */
evidence: (string | null)
/** The generation that started it, from 1. */
generation: number
/** Its id. */
id: string
/** The number of its records. */
lines: number
/** The model. */
model: (string | null)
/** `done`, `failed`, `stopped`, `unfinished`. */
outcome: (string | null)
/** The sub-agent that started it; `null`: the session. */
parent_id: (string | null)
/** Its transcript. */
path: (string | null)
/** Its phase in the workflow. */
phase: (string | null)
/** When it began. */
started_at: (string | null)
/** Tokens, each API response counted once. */
tokens: Tokens
/** Tool calls. */
tool_calls: number
/** The call that started it. */
tool_use_id: (string | null)
/** Its type. */
type: (string | null)
/** Whether it only warmed up the cache. */
warmup: boolean
/** The workflow run it belongs to. */
workflow: (string | null)
}
/** Tokens of API calls. */
export interface Tokens {
/** Input read from the prompt cache. */
cache_read: number
/** Input written to the prompt cache. */
cache_write: number
/** Input that was not cached. */
input: number
/** Output. */
output: number
}
/** A sub-agent ends. One that is resumed goes on and ends again. */
export interface AgentEndedEvent {
/** The sub-agent; `null`: the main transcript, or the session as a whole. */
agent_id: (string | null)
/** `agent_ended`. */
event: string
/** Whether it happened before anybody watched. */
is_past: boolean
/** `done`, `failed`, `stopped`. */
outcome: string
/** The name of this document's schema. */
schema: "annals/watch-event/1"
/** The session. */
session_id: string
}
/** A sub-agent starts. Written again when more is known about it. */
export interface AgentStartedEvent {
/** The sub-agent; `null`: the main transcript, or the session as a whole. */
agent_id: (string | null)
/** Its task. */
description: (string | null)
/** `agent_started`. */
event: string
/** Whether it happened before anybody watched. */
is_past: boolean
/** The model. */
model: (string | null)
/** Its name. */
name: (string | null)
/** The sub-agent that started it. */
parent_agent_id: (string | null)
/** Its transcript. */
path: string
/** Its phase in the workflow. */
phase: (string | null)
/** The name of this document's schema. */
schema: "annals/watch-event/1"
/** The session. */
session_id: string
/** The call that started it. */
tool_use_id: (string | null)
/** Its type. */
type: (string | null)
/** The workflow run it belongs to. */
workflow: (string | null)
}
/** What annals finds of another app. */
export interface AppReport {
/** The app. */
app: string
/** Its folder. */
path: string
/** Lines with problems, by what is wrong with them. */
problems: {
[k: string]: number
}
/** Its sessions, sub-agents with separate files included. */
sessions: number
/** Kinds of lines, parts and columns that annals does not know. */
unknown: {
[k: string]: number
}
/** Sessions that cannot be read: path and reason. */
unreadable: Unreadable[]
}
/** A file that cannot be read. */
export interface Unreadable {
/** The file. */
path: string
/** Why. */
reason: string
}
/** The archive as a whole. */
export interface ArchiveSummary {
/** The size of all versions of them. */
bytes: number
/** Sessions that only the archive has. */
deleted_from_disk: number
/** Files in the archive. */
files: number
/** The size of these. */
not_archived_bytes: number
/** Files on disk that the archive does not have in their present state. */
not_archived_files: number
/** `bytes` / `stored_bytes`. */
ratio: number
/** The space they take. */
stored_bytes: number
/** The last sync. */
synced_at: (string | null)
/** Sessions that may be on disk or not: not everything that their app has can be read. */
unknown_on_disk?: number
/** The last verification. */
verified_at: (string | null)
/** Whether that found no damage. */
was_intact: (boolean | null)
}
/** A file that was just archived. */
export interface ArchivedFile {
/** Its size. */
bytes: number
/** How much of that is new. */
new_bytes: number
/** The file. */
path: string
/** The number of the version. */
version: number
}
/** A session in the archive. */
export interface ArchivedSession {
/** When something of it was last archived. */
archived_at: string
/** The size of their newest versions. */
bytes: number
/** Its files. */
files: number
/** The session's id. */
id: string
/** When its transcript was last modified. */
modified_at: string
/** `disk`; `archive`: only the archive has it; `unknown`: not everything that its app has can be read. */
presence: string
/** Its project. */
project: (string | null)
/** Its title. */
title: (string | null)
/** The most versions that one of them has. */
versions: number
}
/** A version of a file in the archive. */
export interface ArchivedVersion {
/** When the version was archived. */
archived_at: string
/** Its size. */
bytes: number
/** Whether it is the newest version. */
is_newest: boolean
/** Whether the file is still on disk. */
is_on_disk: boolean
/** When the file was modified. */
modified_at: string
/** The file's path below the store. */
name: string
/** The store. */
root: string
/** The number of the version, for `--version`. */
version: number
}
/** A line of a file. */
export interface BlameLine {
/** The sub-agent that wrote it. */
agent_id: (string | null)
/** Whether a recorded change explains it. */
explained: boolean
/** Its number, from 1. */
number: number
/** The prompt that led to it; `null` if none is known. */
prompt: (LeadingPrompt | null)
/** If not: `before_records`, it is older than the first recorded change; `not_recorded`, it came between or after them, or nothing shows when. */
reason: (string | null)
/** The session that wrote it. */
session_id: (string | null)
/** The line. */
text: string
/** When it was written. */
timestamp: (string | null)
/** The tool. */
tool: (string | null)
/** The id of the call. */
tool_use_id: (string | null)
/** The turn of the call: of the session, or of the sub-agent. */
turn: (number | string | null)
}
/** The prompt that led to a change. For a change of a sub-agent: the prompt that led to the call that started the sub-agent. */
export interface LeadingPrompt {
/** Its line in the transcript. */
line: number
/** The prompt. */
text: string
/** When it was typed. */
timestamp: (string | null)
/** Its turn in the session. */
turn: (number | string | null)
/** The id of its record. */
uuid: (string | null)
}
/** An abandoned branch. */
export interface Branch {
/** The time of its last message, as recorded. */
ended_at: (string | null)
/** The message it leaves from. */
from_uuid: (string | null)
/** [Why it was abandoned](conversation.md#branches): `edit`, `rewind`, `exit`, `parallel`, `unexplained`, or `retry` by Claude Code. */
kind: string
/** The ids of its messages. */
messages: string[]
/** Its number, for `--abandoned`. */
number: number
/** Its first prompt. */
prompt: (string | null)
/** How many prompts it has. */
prompts: number
/** The time of its first message, as recorded. */
started_at: (string | null)
}
/** A budget, and how much of it is used. */
export interface Budget {
/** When it ends. */
end: string
/** Whether every call in it has a price and was read. */
is_complete: boolean
/** Whether more than the limit was spent. */
is_exceeded: boolean
/** What may be spent in it. */
limit_usd: string
/** `day`, `week` or `month`. */
period: string
/** What will be spent at its end, if spending goes on as since its start; `null` in the first twenty-fourth of the period. */
projected_usd: (string | null)
/** When the current period began. */
start: string
/** The team whose budget it is, with `--lake` and a table of teams. */
team?: (string | null)
/** What was spent in it, at API prices. */
used_usd: string
}
/** The prompt cache, over all calls. */
export interface Cache {
/** Calls that read less than half of the window before. */
expiries: Expiry[]
/** The share of input that was read from the cache. */
hit_rate: (number | null)
/** Input that was not cached. */
input_tokens: number
/** Input read from the cache. */
read_tokens: number
/** Input written to the cache. */
write_tokens: number
}
/** A call that found most of the cache expired. */
export interface Expiry {
/** What this call read from the cache. */
cache_read_tokens: number
/** The call's number. */
call: number
/** `idle`, `model_change`, `compaction`, or `changed`: something earlier in the context changed. */
cause: string
/** Milliseconds since the call before. */
gap_ms: (number | null)
/** Its line in the transcript. */
line: number
/** The window of the call before. */
previous_window_tokens: number
/** When the response came. */
timestamp: (string | null)
/** The turn it is in, as in `annals show`. */
turn: (number | string | null)
/** What this call paid for in full. */
written_tokens: number
}
/** A tool call ends. */
export interface CallEndedEvent {
/** The sub-agent; `null`: the main transcript, or the session as a whole. */
agent_id: (string | null)
/** How long it took, in milliseconds. */
duration_ms: (number | null)
/** `call_ended`. */
event: string
/** The id of the call. */
id: string
/** Whether it happened before anybody watched. */
is_past: boolean
/** The text of its result. */
result: string
/** The name of this document's schema. */
schema: "annals/watch-event/1"
/** The session. */
session_id: string
/** `ok`, `error`, `denied`, `interrupted`. */
status: string
/** When it ended. */
timestamp: (string | null)
/** The call in one line. */
title: string
/** The tool. */
tool: string
/** The turn it belongs to at this moment. */
turn: (number | string | null)
/** The message that holds the result. */
uuid: (string | null)
}
/** A tool call starts. */
export interface CallStartedEvent {
/** The sub-agent; `null`: the main transcript, or the session as a whole. */
agent_id: (string | null)
/** `call_started`. */
event: string
/** The id of the call. */
id: string
/** Its input, as it is in the transcript. */
input: {
[k: string]: unknown
}
/** Whether it happened before anybody watched. */
is_past: boolean
/** The name of this document's schema. */
schema: "annals/watch-event/1"
/** The session. */
session_id: string
/** When it began. */
timestamp: (string | null)
/** The call in one line. */
title: string
/** The tool. */
tool: string
/** The turn it belongs to at this moment. */
turn: (number | string | null)
/** The message it is in. */
uuid: (string | null)
}
/** One kind of content in the window. */
export interface Category {
/** Bytes of text. */
bytes: number
/** `system_and_memory`, `prompts`, `assistant_text`, `thinking`, `tool_inputs`, `tool_results`, `attachments`, `images`, `compact_summaries`. */
category: string
/** Items. */
count: number
/** Estimated tokens. */
estimated_tokens: number
/** The same by tool or by type of attachment. The parts `system_prompt` and `tools` are the newest that the transcript has; `not_in_transcript` is the rest of the first window: memory files, and system prompt and tools where the transcript has none. */
parts: CategoryPart[]
/** The share of all estimated tokens. */
share: (number | null)
}
/** A part of a category. */
export interface CategoryPart {
/** Bytes of text. */
bytes: number
/** Items. */
count: number
/** Estimated tokens. */
estimated_tokens: number
/** The tool or the type of attachment. */
name: string
}
/** A change of a file. */
export interface Change {
/** Lines added. */
added: number
/** The sub-agent. */
agent_id: (string | null)
/** The type of that sub-agent. */
agent_type: (string | null)
/** The session's working directory. */
cwd: (string | null)
/** The change, as a unified diff. */
diff: (string | null)
/** The line of the call in its transcript. */
line: number
/** The model. */
model: (string | null)
/** `read`, `create`, `write`, `edit`, `notebook`. */
operation: string
/** The file's present path. */
path: string
/** The prompt that led to it; `null` if none is known. */
prompt: (LeadingPrompt | null)
/** The path as recorded. */
recorded_path: string
/** Lines removed. */
removed: number
/** The session. */
session_id: string
/** When it was made. */
timestamp: (string | null)
/** The tool. */
tool: string
/** The id of the call. */
tool_use_id: (string | null)
/** The turn of the call: of the session, or of the sub-agent. */
turn: (number | string | null)
}
/** A project folder that several working directories share. */
export interface Collision {
/** The working directories. */
cwds: string[]
/** The project folder. */
folder: string
}
/** A commit with the prompts and changes behind it. */
export interface Commit {
/** The sub-agent that made it. */
agent_id: (string | null)
/** The branch. */
branch: (string | null)
/** The working directory. */
cwd: (string | null)
/** The files changed since that commit. */
files: CommitFile[]
/** The hash, as git printed it. */
hash: string
/** Its line in the transcript. */
line: number
/** The session's commit before. */
previous: (string | null)
/** The prompts since that commit, and those that led to changes since then. */
prompts: LeadingPrompt[]
/** The session that made it. */
session_id: string
/** The first line of its message. */
subject: (string | null)
/** When it was made. */
timestamp: (string | null)
/** The session's title. */
title: (string | null)
/** The turn of the call that made it: of the session, or of the sub-agent. */
turn: (number | string | null)
}
/** A file that was changed since the commit before. */
export interface CommitFile {
/** Lines added. */
added: number
/** How often it was changed. */
changes: number
/** Its path. */
path: string
/** Lines removed. */
removed: number
}
/** The conversation was compacted. */
export interface CompactedEvent {
/** The sub-agent; `null`: the main transcript, or the session as a whole. */
agent_id: (string | null)
/** `compacted`. */
event: string
/** Whether it happened before anybody watched. */
is_past: boolean
/** The name of this document's schema. */
schema: "annals/watch-event/1"
/** The session. */
session_id: string
/** Messages that are before a compaction now. */
uuids: string[]
}
/** A compaction. */
export interface Compaction {
/** How long it took, in milliseconds. */
duration_ms: (number | null)
/** Its line, from 1. */
line: number
/** Tokens of the context after it. */
post_tokens: (number | null)
/** Tokens of the context before it. */
pre_tokens: (number | null)
/** Its state, as of a message. */
state: (string | null)
/** The summary it left. */
summary: (string | null)
/** Its time, as recorded. */
timestamp: (string | null)
/** What started it: `manual` or `auto`. */
trigger: (string | null)
/** The id of its record. */
uuid: string
}
/** An API call. */
export interface ContextCall {
/** The share of the window that was read from the cache. */
cache_hit_rate: (number | null)
/** Input read from the prompt cache. */
cache_read_tokens: number
/** The part of that which is cached for an hour. */
cache_write_1h_tokens: number
/** Input written to the prompt cache. */
cache_write_tokens: number
/** The generation, from 1. */
generation: number
/** Its number, from 1. */
index: number
/** Input that was not cached. */
input_tokens: number
/** The largest window of the call's model; `null` if unknown. */
limit_tokens: (number | null)
/** Its line in the transcript. */
line: number
/** The id of the response. */
message_id: (string | null)
/** The model. */
model: (string | null)
/** Output. */
output_tokens: number
/** How many requests the call took; the window is that of the last one. */
requests: number
/** When the response came. */
timestamp: (string | null)
/** The turn it is in, as in `annals show`. */
turn: (number | string | null)
/** The size of the window: `input_tokens` + `cache_read_tokens` + `cache_write_tokens`. */
window_tokens: number
}
/** The span between two compactions. */
export interface ContextGeneration {
/** API calls. */
calls: number
/** The last window. */
last_window_tokens: number
/** Its number, from 1. */
number: number
/** The largest window. */
peak_window_tokens: number
}
/** An item in the window. */
export interface Contribution {
/** Bytes of text. */
bytes: number
/** Its category. */
category: string
/** Estimated tokens. */
estimated_tokens: number
/** The item in one line. */
label: string
/** Its line in the transcript. */
line: number
/** The tool or the type of attachment. */
name: (string | null)
/** The turn it is in, as in `annals show`. */
turn: (number | string | null)
}
/** A session with several transcripts. */
export interface CopiedSession {
/** The others. */
copies: string[]
/** The session's id. */
id: string
/** The transcript that counts. */
path: (string | null)
}
/** A file that could not be copied. */
export interface DamagedCopy {
/** The file's path below the store. */
name: string
/** What is wrong. */
reason: string
}
/** A damaged frame. */
export interface DamagedFrame {
/** Where it begins, in bytes. */
offset: number
/** The file it is in. */
path: string
/** What is wrong. */
reason: string
}
/** A damaged line of the manifest. */
export interface DamagedLine {
/** Whether its content could be recovered; the next sync writes it again. */
is_repaired: boolean
/** The line, from 1. */
line: number
/** The file it is about. */
name: (string | null)
/** What is wrong. */
reason: string
}
/** The archive. */
export interface DoctorArchive {
/** The size of all versions of their files. */
bytes: number
/** Damaged lines of the ledger. */
damaged_ledger_lines: number
/** Why it cannot be read. */
error: (string | null)
/** Whether there is one. */
exists: boolean
/** Its folder. */
folder: (string | null)
/** The size of these. */
not_archived_bytes: number
/** Files on disk that it does not have in their present state. */
not_archived_files: number
/** The sessions these belong to. */
not_archived_sessions: number
/** Sessions in it. */
sessions: number
/** The space they take. */
stored_bytes: number
/** The last sync. */
synced_at: (string | null)
/** The last verification. */
verified_at: (string | null)
/** Whether that found no damage. */
was_intact: (boolean | null)
}
/** What is in the stores. */
export interface DoctorCounts {
/** Sub-agents. */
agents: number
/** Their size. */
bytes: number
/** Transcripts. */
files: number
/** Sessions that it hides. */
hidden: number
/** Their lines. */
lines: number
/** Sessions that Claude Code lists. */
sessions: number
}
/** Damage, or a file that could not be read. */
export interface DoctorProblem {
/** `damage`; or `not_read`: a file cannot be read, or a part of it is too large to be read. */
kind: string
/** The line, from 1. */
line: (number | null)
/** Where the problem is, in bytes from the start of the file. */
offset: (number | null)
/** The file. */
path: string
/** What is wrong. */
reason: string
}
/** Something in transcripts that annals does not know. */
export interface DriftItem {
/** How often it occurs. */
count: number
/** Where it occurs. */
example: string
/** The first version of Claude Code that wrote it. */
first_version: (string | null)
/** What it is. */
kind: string
/** Its name. */
name: string
}
/** How token counts were estimated. */
export interface Estimate {
/** Characters per token. */
characters_per_token: number
/** What an image counts as. */
image_tokens: number
/** Whether that was measured on this session; 4 otherwise. */
is_measured: boolean
/** The estimated tokens of all categories together. */
tokens: number
}
/** A session that Claude Code will delete soon. */
export interface ExpiringSession {
/** When it will be deleted. */
deleted_at: string
/** The session's id. */
id: string
/** Whether the archive has all of it. */
is_archived: boolean
/** When that was last modified. */
modified_at: string
/** Its transcript. */
path: (string | null)
/** The settings file that decides this. */
settings: string
/** Its title. */
title: (string | null)
}
/** A session in the index of an export. */
export interface ExportIndexEntry {
/** The sub-agent, if only that was exported. */
agent_id: (string | null)
/** The cost of its sub-agents, not included in `cost_usd`. */
agents_cost_usd: (string | null)
/** Its git branch. */
branch: (string | null)
/** The cost at API prices, as far as prices are known. */
cost_usd: (string | null)
/** When it ended. */
ended_at: (string | null)
/** The name of its file. */
file: string
/** Output tokens. */
output_tokens: number
/** Its project. */
project: (string | null)
/** The session. */
session_id: string
/** When it began. */
started_at: (string | null)
/** Its title. */
title: string
/** How many turns the file has. */
turns: number
}
/** A file that an export wrote. */
export interface ExportedFile {
/** The sub-agent, if only that was exported. */
agent_id: (string | null)
/** Its size. */
bytes: number
/** The secrets that were masked. */
masked: MaskedSecret[]
/** The file. */
path: string
/** For XML: how much shorter it became. */
reduction?: (Reduction | null)
/** The session; `null`: the index of the export. */
session_id: (string | null)
}
/** Secrets that were masked on one line. */
export interface MaskedSecret {
/** The sub-agent in whose transcript it is. */
agent_id: (string | null)
/** How many there are. */
count: number
/** The line. */
line: number
/** The file of the tool output it is in. */
output: (string | null)
/** The kind of secret. */
rule: string
}
/** How much shorter an export became. */
export interface Reduction {
/** The size after. */
after_bytes: number
/** The size before. */
before_bytes: number
}
/** How many texts have a value. */
export interface Facet {
/** How many texts have it. */
count: number
/** The value. */
value: string
}
/** A file that sessions read or changed. */
export interface FileDocument {
/** Lines added. */
added: number
/** The last change. */
changed_at: (string | null)
/** How often it was changed. */
changes: number
/** Calls on it that failed; they are neither reads nor changes. */
failed: number
/** The first call on it. */
first_at: (string | null)
/** The last call on it. */
last_at: (string | null)
/** Its present path. */
path: string
/** How often it was read. */
reads: number
/** Other paths it was recorded under. */
recorded_paths: string[]
/** Lines removed. */
removed: number
/** The ids of the sessions. */
sessions: string[]
}
/** What is wrong with a file. */
export interface FileProblem {
/** The file. */
path: string
/** What is wrong. */
reason: string
}
/** A place where the text occurs. */
export interface FindHit {
/** The text after. */
after: string
/** The text before, white space as single spaces. */
before: string
/** `prompt`, `text`, `thinking`, `call`, `result`, `note`. */
kind: string
/** The text that was found. */
match: string
/** `main`, `b1` (an abandoned branch), `o1` (an orphaned segment), or `agent:ID`. */
part: string
/** The tool, if it is in a call or result. */
tool?: (string | null)
/** The turn. */
turn: string
/** The record whose element has it; of a result, that of its call. */
uuid: string
}
/** A gap in the records, beside or in an orphaned segment. */
export interface Gap {
/** The damaged line; `null` if the missing record is not in the file. */
damaged_line: (number | null)
/** `before` or `after`: the records there are missing; `inside`: a record of the segment is damaged. */
place: string
}
/** The span between two compactions. */
export interface Generation {
/** The compaction it begins with. */
compaction_uuid: (string | null)
/** Its number, from 1. */
number: number
/** `live`, or `compacted`: before the last compaction. */
state: string
/** Its turns. */
turns: TreeTurn[]
}
/** A turn, with the sub-agents it started and the branches that stand at it. */
export interface TreeTurn {
/** The ids of the sub-agents it started. */
agents: string[]
/** The numbers of the branches that stand before it or in it: before the message that follows the one they leave from. */
branches: number[]
/** How many messages it has. */
messages: number
/** Its number, as in `annals show`. */
number: (number | string)
/** The prompt. */
prompt: (string | null)
/** The id of its prompt, else of its first message. */
uuid: (string | null)
}
/** A session with its hits. */
export interface GrepCount {
/** How many hits it has. */
hits: number
/** Its project. */
project: (string | null)
/** The session; `null`: a plan that no session is known to have made. */
session_id: (string | null)
/** Its title; of such a plan, the name of its file. */
title: (string | null)
}
/** A hit of a pattern. */
export interface GrepHit {
/** The sub-agent. */
agent_id: (string | null)
/** The command that shows this turn; `null`: a plan that no session is known to have made. */
command: (string | null)
/** Whether there are more than 100 matches. */
is_cut: boolean
/** The line in the file; for outputs and plans in separate files, that of the first match. */
line: number
/** The matches as `[start, end]` in `text`, in characters. */
matches: [number, number][]
/** The file. */
path: string
/** `user`, `assistant`, `thinking`, `tool_use`, `tool_result`, `summary`, `system`, `attachment`, `queued`, `title`, `plan` (in a separate file). */
role: string
/** The session; `null`: a plan that no session is known to have made. */
session_id: (string | null)
/** The matching lines, with the context lines of `-A`, `-B` and `-C`; with `-o` the matches alone, one a line. `…` marks omitted lines and the omitted parts of very long lines. */
text: string
/** Its time; for outputs and plans in separate files, the time of the file. */
timestamp: (string | null)
/** The tool that was called or that answered. */
tool: (string | null)
/** The turn it is in, as in `annals show`; `null` for hits outside of the conversation. */
turn: (number | string | null)
}
/** A hit of a search. */
export interface Hit {
/** With `--context`: the messages after. */
after?: NearbyMessage[]
/** The sub-agent. */
agent_id: (string | null)
/** With `--context`: the messages before. */
before?: NearbyMessage[]
/** The session's git branch. */
branch: (string | null)
/** The command that shows this turn; `null`: a plan that no session is known to have made. */
command: (string | null)
/** The session's working directory. */
cwd: (string | null)
/** How many other sessions that are. */
duplicate_sessions: number
/** How many other blocks have the same or nearly the same text. */
duplicates: number
/** The other sessions that have these blocks: at most 20, with `--limit 0` all. */
duplicates_in: string[]
/** The matches as `[start, end]` in `snippet`, in characters. */
highlights: [number, number][]
/** `prompt`, `answer`, `thinking`, `call`, `result`, `output` (of a tool, in a separate file), `plan`, `summary`, `note`, `title`, `recall` (a call of annals itself; left out unless `is:recall`). */
kind: string
/** The line in the file. */
line: number
/** Whose session it is, with `--lake`. */
owner?: (string | null)
/** The file. */
path: string
/** `disk`; `archive`: only the archive has it; `unknown`: the archive has it, and its app may; `lake`: it was brought from the team's lake. */
presence: string
/** The session's project. */
project: (string | null)
/** The role, as in `annals grep`. */
role: string
/** Its rank: higher is better. */
score: number
/** The session; `null`: a plan that no session is known to have made. */
session_id: (string | null)
/** The text around the match, with white space as single spaces. */
snippet: string
/** `live`, `abandoned`, `orphaned`, `compacted`; `null` for hits outside of messages. */
state: (string | null)
/** Its time. */
timestamp: (string | null)
/** The session's title. */
title: (string | null)
/** The tool that was called or that answered. */
tool: (string | null)
/** The turn it is in, as in `annals show`; `null` for hits outside of the conversation. */
turn: (number | string | null)
/** The id of the record. */
uuid: (string | null)
}
/** A message near a hit. */
export interface NearbyMessage {
/** Its line in the file. */
line: number
/** Its role. */
role: string
/** Its text. */
text: string
}
/** The calls of a day. */
export interface HomeDay {
/** API calls. */
calls: number
/** The cost at API prices in US dollars, as far as prices are known. */
cost_usd: string
/** The day in the zone. */
date: string
/** All tokens. */
tokens: number
}
/** The calls of a model on a day. */
export interface HomeModel {
/** The cost at API prices in US dollars, as far as prices are known. */
cost_usd: string
/** The day in the zone. */
date: string
/** The model. */
model: string
/** Output tokens. */
output_tokens: number
}
/** What the first page of the web app shows besides the figures. */
export interface HomeOverview {
/** The cost of last week up to the same moment as now: what this week compares with. */
cost_last_week_so_far_usd: string
/** The cost of the whole last week, Monday to Sunday. */
cost_last_week_usd: string
/** The cost of yesterday up to the same time of day as now. */
cost_yesterday_so_far_usd: string
/** The cost of yesterday at API prices in US dollars. */
cost_yesterday_usd: string
/** The days of the last year that have calls, oldest first. */
days: HomeDay[]
/** The sessions that Claude Code will delete within three days, the next one first; at most 20. */
expiring: ExpiringSession[]
/** The latest sessions that a person started, newest first, as rows; at most 10. */
latest: SessionRow[]
/** The newest bookmarks; at most 10. */
marks: MarkEntry[]
/** The last 30 days by model, oldest first. */
models: HomeModel[]
/** The processes that run now, the last one started first; at most 20. */
running: RunningSession[]
}
/** A session as a slim row. */
export interface SessionRow {
/** How many sub-agents have a separate transcript. */
agents?: number
/** The git branch. */
branch?: (string | null)
/** The size of the transcript. */
bytes: number
/** When the transcript was last modified. */
changed_at: string
/** The largest context window of the session itself, in tokens; absent without an index. */
context_peak?: (number | null)
/** The cost at API prices, with sub-agents; absent without an index or if a price is unknown. */
cost_usd?: (string | null)
/** Why Claude Code does not list the session ([listing.md](listing.md)). */
hidden?: (string | null)
/** The session's id. */
id: string
/** Whether a running process writes this session. */
is_running?: boolean
/** `interactive`, `programmatic`, `warmup`, or `pre_compact_copy`. */
kind: string
/** How many bookmarks are in the session. */
marks?: number
/** The models that answered, in sub-agents too; absent without an index. */
models?: string[]
/** Output tokens, with sub-agents; absent without an index. */
output_tokens?: (number | null)
/** `disk`; `archive`: only the archive has the transcript; `unknown`: the archive has it, and its app may, of which not everything can be read; `prompts_only`: only the prompt history has the session. */
presence: string
/** The project: for a worktree, its repository; for a folder that moved, its present path. */
project?: (string | null)
/** The tag. */
tag?: (string | null)
/** Its title, or a substitute for one, cut at 160 characters. */
title?: (string | null)
/** The number of its last turn; absent without an index, and for some very large sessions. */
turns?: (number | null)
}
/** A bookmark, with the session it is in. */
export interface MarkEntry {
/** The sub-agent it is in. */
agent_id: (string | null)
/** When it was set. */
at: string
/** The command that opens it; `null` if there is nothing to open. */
command: (string | null)
/** The bookmark's id. */
id: string
/** The note. */
note: (string | null)
/**
 * `disk`, `archive`, `prompts_only`, `unknown`: not everything that its app has can be read, or
 * `deleted`: neither has the session any more.
 */
presence: string
/** The session's project. */
project: (string | null)
/** The session it is in. */
session_id: string
/** The session's title. */
title: (string | null)
/** The turn, by its present number; `null`: the whole session or sub-agent. */
turn: (number | string | null)
/** The id of the record that identifies the turn. */
uuid: (string | null)
}
/** A process, and the session it says it writes. */
export interface RunningSession {
/** The working directory, as the process recorded it. */
cwd: (string | null)
/** Whether the entry outlived its process. */
is_stale: boolean
/** The kind of session, as the process recorded it. */
kind: (string | null)
/** The session's name, as the process recorded it. */
name: (string | null)
/** The process. */
pid: number
/** The store. */
root: string
/** The session; `null` while it has no transcript. */
session: (Session | null)
/** The session's id. */
session_id: (string | null)
/** `process_gone`; `pid_reused`: the process with this number did not start when the entry was written, or the entry is from the future; `other_program`: the process is not Claude Code. */
stale_reason: (string | null)
/** When the process started, as it recorded it. */
started_at: (string | null)
/** What the process says it does: `busy`, `idle`, and others. */
status: (string | null)
}
/** A session. */
export interface Session {
/** How many sub-agents have a separate transcript. */
agents: number
/** The app that wrote the session, if it is not Claude Code: `codex`, `opencode`, `copilot`, `gemini` or `pi`. */
app?: (string | null)
/** Whether the session is archived in Claude Code. */
archived_in_claude_code: boolean
/** The git branch. */
branch: (string | null)
/** The size of the transcript. */
bytes: number
/** The session that continues this one. */
continued_in: (string | null)
/** Paths of other transcripts with this id. */
copies: string[]
/** The cost at API prices, with sub-agents. Only `ls` gives it, from the index; `null` without one or if a price is unknown. */
cost_usd: (string | null)
/** The time of the first record. */
created_at: (string | null)
/** The working directory the session recorded. */
cwd: (string | null)
/** How the session was started, as recorded. */
entrypoint: (string | null)
/** The first prompt. */
first_prompt: (string | null)
/** The name of the project folder below `projects`. */
folder: (string | null)
/** Why Claude Code does not list the session ([listing.md](listing.md)). */
hidden: (string | null)
/** The session's id. */
id: string
/** Whether `--current-session` or the environment names this session. */
is_current: boolean
/** Whether a running process writes this session. */
is_running: boolean
/** `interactive`, `programmatic`, `warmup`, or `pre_compact_copy`: a copy made before a compaction that represents its session. */
kind: string
/** The last prompt. */
last_prompt: (string | null)
/** The bookmarks in the session (`annals mark`), oldest first. */
marks: Mark[]
/** Prompts and API responses. Only `ls` gives it, from the index; `null` without one. */
messages: (number | null)
/** The models that answered, in sub-agents too. Only `ls` gives it, from the index; `null` without one. */
models: (string[] | null)
/** When the transcript was last modified. */
modified_at: string
/** Whose session it is, with `--lake`. */
owner?: (string | null)
/** The transcript. If only the archive has it, the path it had. For another app, its file or database. */
path: (string | null)
/** `disk`; `archive`: only the archive has the transcript; `unknown`: the archive has it, and its app may, of which not everything can be read; `prompts_only`: only the prompt history has the session; `lake`: it was brought from the team's lake. */
presence: string
/** The project: for a worktree, its repository; for a folder that moved, its present path. */
project: (string | null)
/** The pull requests the session recorded. */
pull_requests: PullRequest[]
/** The store the session is in. */
root: string
/** The summary that Claude Code's own list shows. */
summary: (string | null)
/** The tag. */
tag: (string | null)
/** The title that was set by hand or by Claude Code. */
title: (string | null)
/** The number of its last turn. Only `ls` gives it, from the index; `null` without one, and for some very large sessions. */
turns: (number | null)
/** The version of Claude Code that wrote the session. */
version: (string | null)
}
/** A bookmark in the session at hand. */
export interface Mark {
/** The sub-agent it is in. */
agent_id: (string | null)
/** When it was set. */
at: string
/** The bookmark's id. */
id: string
/** The note. */
note: (string | null)
/** The turn, by its present number; `null`: the whole session or sub-agent. */
turn: (number | string | null)
}
/** A pull request. */
export interface PullRequest {
/** Its number. */
number: (number | null)
/** The repository, as `owner/name`. */
repository: (string | null)
/** Its address. */
url: (string | null)
}
/** Hooks that ran in a turn. */
export interface Hooks {
/** How long they took, in milliseconds. */
duration_ms: number
/** How many of them failed. */
failed: number
/** How many ran. */
ran: number
}
/** A commit a session made. */
export interface InfoCommit {
/** The branch. */
branch: (string | null)
/** The hash, as git printed it. */
hash: string
/** The first line of its message. */
subject: (string | null)
/** When it was made. */
timestamp: (string | null)
}
/** A file a session read or changed. */
export interface InfoFile {
/** How often it was changed. */
changes: number
/** Its path. */
path: string
/** How often it was read. */
reads: number
}
/** An annals program that Claude Code or a timer runs. */
export interface InstalledProgram {
/** The part of setup: `hooks`, `statusline`, `mcp` or `timer`. */
part: string
/** The program, as it is written there. */
program: string
/** How it compares with the running program: `same`, `other` or `missing`. */
state: string
}
/** What one installation has in the lake for one group of readers. */
export interface LakeChain {
/** Who it is for: `private`, `team:NAME` or `org`. */
audience: string
/** How many bytes they have. */
bytes: number
/** The installation that wrote it. */
installation: string
/** Whether that is this one. */
is_own: boolean
/** The number of its newest manifest. */
manifest: number
/** Who can read it, in words. */
readers: string
/** How many rows they have. */
rows: number
/** How many segments count. */
segments: number
}
/** This machine against the lake. */
export interface LakeComparison {
/** Rows that are shared and missing from the lake, sums by day left out. */
missing_rows: number
/** Sessions that have some. */
missing_sessions: number
/**
 * Objects that the next push replaces or deletes, because the lake must not have some
 * of their rows or they can be merged.
 */
superfluous: number
}
/** Rows that expired. */
export interface LakeExpiry {
/** Rows of months before this one are gone, as `YYYY-MM`. */
before: string
/** The lowest level it is about: `usage`, `metadata` or `text`. */
level: string
}
/** Something that leaves the machine. */
export interface LakeLeaves {
/** What it is. */
content: string
/** Who can read it, in words. */
readers: string
}
/** How far the engine of a loader is with what an owner has in the lake. */
export interface LakeLoader {
/** How many manifests its engine is behind, over all chains. */
behind: number
/** How many chains the owner has. */
chains: number
/** How many chains of the owner its engine follows up to their newest manifest. */
current: number
/** The name of the loader. */
name: string
/**
 * Until when, in UTC, every reader of its engine could read everything in it, text included,
 * because an older annals put row policies on views; `null` if that is not known to have been
 * so.
 */
readable_until: (string | null)
}
/** Secrets of one kind that were masked. */
export interface LakeMasked {
/** How many. */
count: number
/** The kind of secret. */
rule: string
}
/** A policy for a bucket. */
export interface LakePolicyFile {
/** A name for its file. */
name: string
/** What it is for, and who it has to be attached to. */
purpose: string
/** The policy. */
text: string
}
/** An object that is damaged or missing. */
export interface LakeProblem {
/** Its name. */
name: string
/** What is wrong with it. */
reason: string
}
/** The pushes of this machine. */
export interface LakePushes {
/** Why the last push failed; `null` if it succeeded. */
error: (string | null)
/** When a push last succeeded, in UTC; `null` if none has. */
succeeded: (string | null)
/** When a push was last tried, in UTC. */
tried: (string | null)
/**
 * How many sessions changed since the last push that succeeded and wait for the next;
 * `null` if that is not known.
 */
waiting: (number | null)
}
/** Whether what an owner took back is gone. */
export interface LakeReceipt {
/** Rows of a level and the higher ones are gone if their month is before this one. */
expired: LakeExpiry[]
/** How many sessions are forgotten. */
forgotten: number
/** The projects of which the lake takes nothing. */
forgotten_projects: string[]
/** Whether the owner has left: the lake takes nothing. */
has_left: boolean
/** Whether everything that was taken back is gone from all objects and all engines. */
is_gone_everywhere: boolean
/** What is missing before it is. */
missing: string[]
}
/** New rows of one table for one group of readers. */
export interface LakeRows {
/** Who it is for: `private`, `team:NAME` or `org`. */
audience: string
/** The bytes of the objects. */
bytes: number
/** The level at which its rows leave. */
level: LakeLevel
/** The projects, by key. */
projects: string[]
/** Who can read it, in words. */
readers: string
/** How many rows. */
rows: number
/** How many sessions it is about; 0 for sums by day. */
sessions: number
/** The table: `calls`, `days` or `lines`. */
table: string
}
/** A rule of `[[lake.share]]`. */
export interface LakeShare {
/** How much of their sessions leaves the machine. */
level: LakeLevel
/** The folders it is about, as a glob. */
project: string
/** Who it is for: `private`, `team:NAME` or `org`. */
with: string
}
/** What was taken back from one owner. */
export interface LakeTakenFrom {
/** Objects deleted. */
deleted: number
/** The owner. */
owner: string
/** Why it could not be taken back; `null` if it was. */
problem: (string | null)
/** Whether it is gone; `null` if that could not be read. */
receipt: (LakeReceipt | null)
}
/** A view over objects of the lake. */
export interface LakeView {
/** Its name. */
name: string
/** The statement that creates it. */
sql: string
}
/** The context window at a time. */
export interface LaneContext {
/** When. */
at: string
/** Its size in tokens. */
tokens: number
}
/** A lane. */
export interface Lane {
/** The sub-agent; absent: the session itself. */
agent_id?: (string | null)
/** How deep it is below the session; 0: the session itself. */
depth: number
/** Its task. */
description?: (string | null)
/** The time of its last record. */
ended_at: (string | null)
/** The sub-agent that started it; absent: the session. */
parent_agent_id?: (string | null)
/** What ran, by time. */
spans: LaneSpan[]
/** The time of its first record. */
started_at: (string | null)
/** The call that started it. */
tool_use_id?: (string | null)
/** Its type. */
type?: (string | null)
}
/** A span of a lane. */
export interface LaneSpan {
/** How many spans were merged into it. */
count: number
/** When it began. */
from: string
/** `model`, `tool`, `waiting` (for the person), `compaction`. */
kind: string
/** The tool, if it is one; of merged spans, that of the first. */
label?: (string | null)
/** `error`, `denied`, `interrupted` or `missing` if a call did not succeed. */
status?: (string | null)
/** When it ended. */
to: string
/** The turn; of merged spans, that of the first. */
turn: string
}
/** Something that happened at a time. */
export interface LaneMark {
/** When. */
at: string
/** `prompt`, `error`, `compaction`, `cache_miss`. */
kind: string
/** The turn. */
turn: string
}
/** A rate limit that was reached, or how much of it was used. */
export interface Limit {
/** The message of Claude Code, or the record of the ledger, in words. */
notice: string
/** The transcript that holds the notice. */
path: (string | null)
/** When the limit resets, if that is known. */
resets_at: (string | null)
/** When that was. */
timestamp: (string | null)
/** From the ledger: how much was used, in percent. */
used_percent: (number | null)
/** From the ledger: `five_hour` or `seven_day`. */
window: (string | null)
}
/** A message. */
export interface Message {
/** The sub-agent that wrote it. */
agent_id: (string | null)
/** Its content blocks, as they are in the transcript. */
blocks: unknown[]
/** Where it is in the transcript. */
meta: MessageMeta
/** The model that wrote it. */
model: (string | null)
/** `user` or `assistant`. */
role: string
/** `live`; `abandoned`: on an abandoned branch; `orphaned`: in an orphaned segment; `compacted`: before the last compaction. */
state: string
/** Its time, as recorded. */
timestamp: (string | null)
/** The turn it is in: a number over all generations, `b1.2` for turn 2 of abandoned branch 1, or `o1.2` for turn 2 of orphaned segment 1. Messages of a sub-agent have the numbers of its conversation. */
turn: (number | string)
/** The type of its record. */
type: string
/** Its id. */
uuid: string
}
/** Where a message is in the transcript. */
export interface MessageMeta {
/** Whether it is the summary that a compaction left. */
is_compact_summary: boolean
/** Whether it was typed while the model worked. */
is_queued: boolean
/** Its line, from 1. */
line: number
/** Where it begins, in bytes. */
offset: number
/** The id of the record it follows. */
parent_uuid: (string | null)
}
/** A message. A `uuid` that comes again replaces the message. */
export interface MessageEvent {
/** The message before it; `null`: it is the first. */
after: (string | null)
/** The sub-agent; `null`: the main transcript, or the session as a whole. */
agent_id: (string | null)
/** The ids of the calls it answers. */
answers: string[]
/** The ids of the calls in it. */
calls: string[]
/** `message`. */
event: string
/** Whether it has thinking. */
has_thinking: boolean
/** Whether it is the summary that a compaction left. */
is_compact_summary: boolean
/** Whether it happened before anybody watched. */
is_past: boolean
/** Whether it was typed while the model worked. */
is_queued: boolean
/** The model that wrote it. */
model: (string | null)
/** `user` or `assistant`. */
role: (string | null)
/** The name of this document's schema. */
schema: "annals/watch-event/1"
/** The session. */
session_id: string
/** Its text. */
text: string
/** Its time. */
timestamp: (string | null)
/** The turn it belongs to at this moment. */
turn: (number | string | null)
/** Its id. */
uuid: string
}
/** Messages are in another place: results of tools that ran at the same time. */
export interface MovedEvent {
/** The message before these; `null`: they are the first. */
after: (string | null)
/** The sub-agent; `null`: the main transcript, or the session as a whole. */
agent_id: (string | null)
/** `moved`. */
event: string
/** Whether it happened before anybody watched. */
is_past: boolean
/** The name of this document's schema. */
schema: "annals/watch-event/1"
/** The session. */
session_id: string
/** The messages, in this order, behind `after`. */
uuids: string[]
}
/** Suggestions for a word without hits. */
export interface NearWord {
/** Words like it that have hits. */
similar: string[]
/** The word. */
word: string
}
/** An orphaned segment: messages that a gap separates from the conversation. */
export interface OrphanedSegment {
/** Its messages; in an export they are among the `messages` of the document, and this is empty. */
full_messages: Message[]
/** Where the gaps are. */
gaps: Gap[]
/** The line of its first message. */
line: (number | null)
/** The ids of its messages. */
messages: string[]
/** The id of the missing record. */
missing_uuid: string
}
/** When Claude Code deletes sessions of another store. */
export interface OtherRetention {
/** After how many days. */
days: number
/** What is wrong with it. */
problem: (string | null)
/** The settings file. */
settings: string
/** What decides that. */
source: string
}
/** A sub-agent, in short. */
export interface OutlineAgent {
/** Tool calls. */
calls: number
/** How often its context was compacted. */
compactions?: number
/** The largest context window, in tokens; 0 if it is not known. */
context_peak: number
/** The cost at API prices, as far as prices are known; absent for agents inside the session's transcript. */
cost_usd?: (string | null)
/** How deep it is below the session, from 1. */
depth: number
/** Its task. */
description: (string | null)
/** The time of its last record. */
ended_at: (string | null)
/** Tool calls that failed, failed results without a call, and errors of the API. */
errors: number
/** Its id. */
id: string
/** Its model. */
model: (string | null)
/** Output tokens. */
output_tokens: number
/** The sub-agent that started it; absent: the session. */
parent_agent_id?: (string | null)
/** The time of its first record. */
started_at: (string | null)
/** `done`, `failed`, `stopped`, `unfinished`. */
status: (string | null)
/** The call that started it. */
tool_use_id?: (string | null)
/** The turn of the session that led to it; absent if that is not known. */
turn?: (string | null)
/** Its type. */
type: (string | null)
/** Whether it only warmed up the cache. */
warmup: boolean
}
/** An abandoned branch, in short. */
export interface OutlineBranch {
/** The turn it stands before; absent: after the last. */
before_turn?: (string | null)
/** How many messages it has. */
messages: number
/** Its number. */
number: number
/** The first line of its first prompt. */
prompt: string
/** Why it was abandoned: `edit`, `rewind`, `exit`, `parallel`, `unexplained`. */
reason: string
/** The numbers of its turns. */
turns: string[]
}
/** A commit that was made. */
export interface OutlineCommit {
/** Its hash, as git printed it. */
hash: string
/** The first line of its message. */
subject: (string | null)
/** The turn. */
turn: string
}
/** A file that was changed. */
export interface OutlineFile {
/** Lines added. */
added: number
/** How often it was changed. */
changes: number
/** Its path. */
path: string
/** Lines removed. */
removed: number
/** The turns that changed it; at most 50. */
turns: string[]
}
/** The span between two compactions. */
export interface OutlineGeneration {
/** Its first turn. */
first_turn: string
/** Its last turn. */
last_turn: string
/** Its number, from 1. */
number: number
/** The context after it, in tokens. */
tokens_after?: (number | null)
/** The context before that compaction, in tokens. */
tokens_before?: (number | null)
/** What triggered the compaction it begins with: `auto` or `manual`. */
trigger?: (string | null)
}
/** An orphaned segment, in short. */
export interface OutlineOrphan {
/** The turn it stands before; absent: after the last. */
before_turn?: (string | null)
/** Where the gaps are, in words. */
gaps: string
/** How many messages it has. */
messages: number
/** Its number. */
number: number
/** The numbers of its turns. */
turns: string[]
}
/** A plan that was proposed. */
export interface OutlinePlan {
/** Its file, if the call names one. */
path?: (string | null)
/** Its first line. */
title: string
/** The turn. */
turn: string
}
/** A session that shares records with this one or continues it. */
export interface OutlineRelative {
/** `forked_from`, `fork`, `shares_lines`, `continued_in`. */
relation: string
/** Its id. */
session_id: string
/** Its title. */
title: (string | null)
}
/** The figures of a session. */
export interface OutlineTotals {
/** Tool calls. */
calls: number
/** The cost at API prices, sub-agents included; `null` if a model has no known price. */
cost_usd: (string | null)
/** Tool calls that failed, failed results without a call, and errors of the API: the sum of the turns. */
errors: number
/** Output tokens, sub-agents included. */
output_tokens: number
/** The number of the last turn. */
turns: number
}
/** A turn, in short. */
export interface OutlineTurn {
/** The ids of the sub-agents it started. */
agents?: string[]
/** Whether an API call found most of the prompt cache expired. */
cache_miss?: boolean
/** Tool calls. */
calls?: number
/** The hashes of the commits it made. */
commits?: string[]
/** The largest context window of that call's model, in tokens, if it is known. */
context_limit?: (number | null)
/** The context window of its last API call, in tokens. */
context_tokens?: number
/** The cost at API prices, without that of sub-agents, as far as prices are known. */
cost_usd?: (string | null)
/** Milliseconds between these two. */
duration_ms?: number
/** When it ended. */
ended_at?: (string | null)
/** Tool calls that failed, failed results without a call, and errors of the API. */
errors?: number
/** Files it changed; at most 20. */
files?: string[]
/** The generation it begins in, from 1. */
generation: number
/** Its estimated height on a page of 800 pixels, in pixels. */
height: number
/** The note of its bookmark, if it has one. */
mark?: (string | null)
/** How long the model worked, in milliseconds. */
model_ms?: number
/** Output tokens, without those of sub-agents. */
output_tokens?: number
/** The first line of its prompt, cut at 160 characters. */
prompt?: string
/** When it began. */
started_at?: (string | null)
/** Parts at which a fragment of it can begin, if there are more than a hundred. */
steps?: number
/** How long tools worked, in milliseconds. */
tools_ms?: number
/** Its number, as in `annals show`. */
turn: string
/** The id of its prompt, else of its first record. */
uuid?: (string | null)
}
/** A version of a plan. */
export interface Plan {
/** The sub-agent that proposed it. */
agent_id: (string | null)
/** Whether nothing in the session names this plan: it is the newest plan file of that time. */
is_guess: boolean
/** Its line in the transcript. */
line: (number | null)
/** Its number, from 1. */
number: number
/** The file annals found; otherwise the path the transcript names. */
path: (string | null)
/** The slug in the name of its file. */
slug: (string | null)
/** `exit_plan_mode`, `plan_content`, `file_write`, `file`, `newest_file`. */
source: string
/** `approved`, `rejected`, `pending`, `unknown`. */
status: string
/** The plan, in Markdown. */
text: string
/** When it was proposed. */
timestamp: (string | null)
/** The call that proposed it. */
tool_use_id: (string | null)
}
/** A version of a plan, in short. */
export interface PlanRow {
/** The sub-agent that proposed it. */
agent_id: (string | null)
/** The size of its text in bytes. */
bytes: number
/** Its line in the transcript. */
line: (number | null)
/** Its number among the plans of the session, as in `annals plan --number`. */
number: number
/** The file annals found; otherwise the path the transcript names. */
path: (string | null)
/** The project. */
project: (string | null)
/** The session. */
session_id: string
/** The session's title, or a substitute for one. */
session_title: (string | null)
/** `exit_plan_mode`, `plan_content`, `file_write`, `file`. */
source: string
/** `approved`, `rejected`, `pending`, `unknown`. */
status: string
/** When it was proposed. */
timestamp: (string | null)
/** Its first heading or line, cut at 160 characters. */
title: string
/** How many plans the session has. */
versions: number
}
/** A process that writes a session. */
export interface Process {
/** The working directory. */
cwd: (string | null)
/** The kind of session. */
kind: (string | null)
/** The session's name. */
name: (string | null)
/** The process. */
pid: number
/** When the process started. */
started_at: (string | null)
/** What it says it does: `busy`, `idle`, and others. */
status: (string | null)
}
/** A project: a folder with its worktrees. */
export interface Project {
/** How many sub-agents these have. */
agents: number
/** The git branches its sessions recorded. */
branches: string[]
/** The size of their transcripts. */
bytes: number
/** The working directories its sessions recorded. */
cwds: string[]
/** Its project folders below `projects`. */
folders: string[]
/** The id of its newest session. */
latest_session: string
/** When that was last modified. */
modified_at: string
/** The project's path; `null` for sessions that recorded none. */
project: (string | null)
/** How many sessions it has. */
sessions: number
}
/** A prompt. */
export interface Prompt {
/** The working directory. */
cwd: (string | null)
/** The session it was typed in. */
session_id: (string | null)
/** `typed`; `queued`: while the model worked; `history`: only the prompt history has it. */
source: string
/** The prompt. */
text: string
/** When it was typed. */
timestamp: (string | null)
/** The turn it begins, as in `annals show`; `null`: no message of the conversation has it. */
turn: (number | string | null)
/** The id of its record. */
uuid: (string | null)
}
/** A record of a transcript. */
export interface RecordDocument {
/** Its line, from 1. */
line: number
/** Where it begins, in bytes. */
offset: number
/** The id of the record it follows. */
parent_uuid: (string | null)
/** The line itself. Absent if it is too large, which is among `problems`. */
raw?: (string | null)
/** The line in base64, if it is not UTF-8. */
raw_base64?: (string | null)
/** Its subtype. */
subtype: (string | null)
/** Its time, as recorded. */
timestamp: (string | null)
/** Its type. */
type: (string | null)
/** Its id. */
uuid: (string | null)
}
/** What is wrong with a line. */
export interface RecordProblem {
/** The line, from 1. */
line: number
/** Where the problem is, in bytes from the start of the file. */
offset: number
/** What is wrong. */
reason: string
}
/** A session that shares records with this one or continues it. */
export interface Relative {
/** How many lines they share. */
lines: number
/** `forked_from`, `fork`, `shares_lines`, `continued_in`. */
relation: string
/** Its id. */
session_id: string
/** Its title. */
title: (string | null)
}
/** A file that was read more than once. */
export interface RepeatedRead {
/** The file. */
path: string
/** How often it was read. */
reads: number
/** Reads that a later read of the same part, or of the whole file, makes redundant. */
repeated: number
/** Bytes of these. */
repeated_bytes: number
/** Estimated tokens of these. */
repeated_estimated_tokens: number
}
/** Another file replaced the transcript. Events for what that changed follow. */
export interface ReplacedEvent {
/** The sub-agent; `null`: the main transcript, or the session as a whole. */
agent_id: (string | null)
/** `replaced`. */
event: string
/** Whether it happened before anybody watched. */
is_past: boolean
/** The name of this document's schema. */
schema: "annals/watch-event/1"
/** The session. */
session_id: string
}
/** When Claude Code deletes sessions. */
export interface Retention {
/** The setting that annals recommends. */
advice: string
/** After how many days. */
days: (number | null)
/** Sessions that will be deleted soon. */
expiring: ExpiringSession[]
/** The same for other stores. */
others: OtherRetention[]
/** What is wrong with it. */
problem: (string | null)
/** The settings file. */
settings: (string | null)
/** What decides that. */
source: (string | null)
}
/** Records are no longer in the transcript. */
export interface RetractedEvent {
/** The sub-agent; `null`: the main transcript, or the session as a whole. */
agent_id: (string | null)
/** Calls that have no result any more. */
answers: string[]
/** Calls that are gone. */
calls: string[]
/** `retracted`. */
event: string
/** Whether it happened before anybody watched. */
is_past: boolean
/** The name of this document's schema. */
schema: "annals/watch-event/1"
/** The session. */
session_id: string
/** Messages that are gone. */
uuids: string[]
}
/** The conversation was rewound. */
export interface RewoundEvent {
/** Messages that are on an abandoned branch now. */
abandoned: string[]
/** The message before these; `null`: they are the first. */
after: (string | null)
/** The sub-agent; `null`: the main transcript, or the session as a whole. */
agent_id: (string | null)
/** `rewound`. */
event: string
/** Whether it happened before anybody watched. */
is_past: boolean
/** Messages that count again, in this order, behind `after`. */
live: string[]
/** The name of this document's schema. */
schema: "annals/watch-event/1"
/** The session. */
session_id: string
}
/** A store. */
export interface Root {
/** Why it cannot be used. */
error: (string | null)
/** How annals found it. */
found_by: (string | null)
/** Its kind. */
kind: (string | null)
/** Its path. */
path: string
/** Sessions in it that Claude Code lists. */
sessions: number
}
/** Secrets of one kind in one file. */
export interface Secret {
/** The sub-agent whose transcript it is. */
agent_id: (string | null)
/** The command that shows the turn of the first; `null` for files that are not transcripts. */
command: (string | null)
/** How many there are. */
count: number
/** The lines they are on. */
lines: number[]
/** The file. */
path: string
/** The kind of secret. */
rule: string
/** The session. */
session_id: string
}
/** A session ends. */
export interface SessionEndedEvent {
/** The sub-agent; `null`: the main transcript, or the session as a whole. */
agent_id: (string | null)
/** `session_ended`. */
event: string
/** Whether it happened before anybody watched. */
is_past: boolean
/** `process_ended`, or `deleted`: its transcript was deleted. */
reason: string
/** The name of this document's schema. */
schema: "annals/watch-event/1"
/** The session. */
session_id: string
}
/** A session starts, or was there at the beginning. Written again when its process starts again or its transcript is back. */
export interface SessionStartedEvent {
/** The sub-agent; `null`: the main transcript, or the session as a whole. */
agent_id: (string | null)
/** `session_started`. */
event: string
/** Whether it happened before anybody watched. */
is_past: boolean
/** The process that writes it; `null` if none is known. */
process: (Process | null)
/** The name of this document's schema. */
schema: "annals/watch-event/1"
/** The session; `null` while it has no transcript. */
session: (Session | null)
/** The session. */
session_id: string
}
/** A setting. */
export interface Setting {
/** Its name, as in the configuration file: `archive.max_age`. */
name: string
/** Where it comes from: `flag`, `environment`, `file`, `default`. */
source: string
/** Its value as text; `null` if it is not set. */
value: (string | null)
}
/** One part of setup: its change, and the outcome. */
export interface SetupPart {
/** The commands that annals runs, or leaves to you. */
commands: string[]
/** Details of the status. */
detail: string
/** The proposed or completed change, as a unified diff. */
diff: string
/** `hooks`, `statusline`, `skill`, `cleanup`, `mcp` or `timer`. */
part: string
/** The files that are read or changed. */
paths: string[]
/**
 * `unchanged` (already in place; with `--remove`, not installed), `planned` (would change),
 * `done`, `declined` (you said no), `manual` (you have to run the commands), `refused`
 * (annals may not change it) or `failed`. The last two give exit code 2.
 */
status: string
}
/** A column of a view. */
export interface SqlColumn {
/** What it holds. */
meaning: string
/** Its name. */
name: string
}
/** A column of a view, as a row. */
export interface SqlColumnRow {
/** The column. */
column: string
/** What it holds. */
meaning: string
/** The view. */
view: string
}
/** A row: a member for each column, in their order. Numbers and text are as SQLite has them, bytes are hexadecimal digits, an infinite number is `null`. */
export interface SqlRow {
[k: string]: number | string | null
}
/** A view. */
export interface SqlView {
/** Its columns. */
columns: SqlColumn[]
/** What its rows are. */
meaning: string
/** Its name. */
name: string
}
/** A cache of Claude Code that disagrees with the files. */
export interface StaleCache {
/** How it disagrees, in words. */
disagrees: string
/** The cache. */
path: string
}
/** The process says that it does something else now. */
export interface StatusEvent {
/** The sub-agent; `null`: the main transcript, or the session as a whole. */
agent_id: (string | null)
/** `status`. */
event: string
/** Whether it happened before anybody watched. */
is_past: boolean
/** The name of this document's schema. */
schema: "annals/watch-event/1"
/** The session. */
session_id: string
/** What it does: `busy`, `idle`, and others. */
status: (string | null)
}
/** A file that does not belong where it is. */
export interface StrayFile {
/** The file. */
path: string
/** Why not. */
reason: string
}
/** A tool call with its result. */
export interface ToolCall {
/** The sub-agent that made the call. */
agent_id: (string | null)
/** The type of that sub-agent. */
agent_type: (string | null)
/** Hashes of the commits it made. */
commits: string[]
/** The change it made, as a unified diff. */
diff: (string | null)
/** How long it took, in milliseconds. */
duration_ms: (number | null)
/** The exit code of a shell command. */
exit_code: (number | null)
/** Files the call is about. */
files: string[]
/** Its input, as it is in the transcript. */
input: {
[k: string]: unknown
}
/** Whether the result is marked as an error. */
is_error: boolean
/** Its line in the transcript. */
line: number
/** The model that made the call. */
model: (string | null)
/** The name of the file that holds its output. */
persisted: (string | null)
/** Pull requests it opened, by address or number. */
pull_requests: string[]
/** The text of its result, complete even if it is in a separate file. */
result: (string | null)
/** The session. */
session_id: string
/** The skill that was active. */
skill: (string | null)
/** When it began. */
started_at: (string | null)
/** `ok`, `error`, `denied`, `interrupted`, or `missing`: there is no result. */
status: string
/** The call in one line. */
summary: string
/** The tool. */
tool: string
/** The id of the call. */
tool_use_id: (string | null)
/** The turn it belongs to: of the session, or of the sub-agent that made the call. */
turn: (number | string | null)
}
/** Tool calls of one kind. */
export interface ToolSum {
/** What the row is grouped by: `tool`, `agent`, `skill`, `mcp`, or `total`. */
by: string
/** Calls. */
calls: number
/** Calls that were denied. */
denials: number
/** Calls that failed. */
errors: number
/** Calls that the person interrupted. */
interrupted: number
/** Calls without a result. */
missing: number
/** The tool, type of agent, skill or server; empty for the total. */
name: string
/** The time that half of the calls did not exceed, in milliseconds. */
p50_ms: (number | null)
/** The time that 95 % of the calls did not exceed, in milliseconds. */
p95_ms: (number | null)
}
/** A sub-agent, in short. */
export interface TreeAgent {
/** How deep it is below the session, from 1. */
depth: number
/** Its task. */
description: (string | null)
/** What the link to that call rests on: `meta`, `progress`, `result`, `trailer`; guesses: `prompt`, `time`. */
evidence: (string | null)
/** The generation that started it, from 1. */
generation: number
/** Its id. */
id: string
/** `done`, `failed`, `stopped`, `unfinished`. */
outcome: (string | null)
/** The sub-agent that started it; `null`: the session. */
parent_id: (string | null)
/** Its phase in the workflow. */
phase: (string | null)
/** The call that started it. */
tool_use_id: (string | null)
/** Its type. */
type: (string | null)
/** Whether it only warmed up the cache. */
warmup: boolean
/** The workflow run it belongs to. */
workflow: (string | null)
}
/** An abandoned branch, in short. */
export interface TreeBranch {
/** The message it leaves from. */
from_uuid: (string | null)
/** [Why it was abandoned](conversation.md#branches): `edit`, `rewind`, `exit`, `parallel`, `unexplained`, or `retry` by Claude Code. */
kind: string
/** How many messages it has. */
messages: number
/** Its number, for `annals show --abandoned`. */
number: number
/** Its first prompt. */
prompt: (string | null)
/** How many prompts it has. */
prompts: number
/** `abandoned`. */
state: string
}
/** An orphaned segment, in short. */
export interface TreeSegment {
/** Where the gaps are. */
gaps: Gap[]
/** The line of its first message. */
line: (number | null)
/** How many messages it has. */
messages: number
/** The id of the missing record. */
missing_uuid: string
}
/** A turn: a prompt with everything until the next one. */
export interface Turn {
/** Tool calls that were denied. */
denials: number
/** When it ended. */
ended_at: (string | null)
/** Errors: tool calls that failed, failed results without a call, and errors of the API. Several errors of the API in a row without a reason are one. */
errors: number
/** How often the API returned an error. */
failures: number
/** Files that were read or changed. */
files: TurnFile[]
/** Hooks. */
hooks: Hooks
/** How often the person interrupted. */
interruptions: number
/** The bookmarks at this turn. */
marks: Mark[]
/** How long the model worked, in milliseconds. */
model_ms: number
/** The models that answered. */
models: string[]
/** Its number, over all generations. Turn 0 is what comes before the first prompt; `b1.2` is turn 2 of abandoned branch 1, `o1.2` of orphaned segment 1. */
number: (number | string)
/** The prompt. */
prompt: (string | null)
/** How long the turn took by Claude Code's own record, in milliseconds. */
reported_ms: (number | null)
/** API responses. */
responses: number
/** When it began. */
started_at: (string | null)
/** Tokens, each API response counted once. */
tokens: Tokens
/** Tool calls. */
tool_calls: number
/** How long tools worked, in milliseconds. */
tools_ms: number
/** How long Claude Code waited for the person, in milliseconds: for answers within the turn, and after it until the next prompt. */
waiting_ms: number
}
/** A file that was read or changed in a turn. */
export interface TurnFile {
/** Lines added. */
added: number
/** How often it was changed. */
changes: number
/** Its path. */
path: string
/** How often it was read. */
reads: number
/** Lines removed. */
removed: number
}
/** An agent or a skill that was not used. */
export interface UnusedItem {
/** The day of its last call that is known; `null`: none is. */
last_used_on: (string | null)
/** Its name. */
name: string
/** The file that describes it. */
path: string
}
/** A block of five hours, as subscriptions count them. */
export interface UsageBlock {
/** What its beginning rests on: `guessed` from calls, or `recorded`. */
anchor: string
/** Cost per hour. */
cost_per_hour_usd: (string | null)
/** When it ends. */
end: string
/** The first call in it. */
first_at: string
/** Whether it has not ended yet. */
is_active: boolean
/** The last call in it. */
last_at: string
/** The cost at its end, if it goes on like this. */
projected_cost_usd: (string | null)
/** The tokens at its end, if it goes on like this. */
projected_tokens: (number | null)
/** The seconds until its end, if it has not ended yet. */
seconds_left: (number | null)
/** The cost of the row / the cost of the most expensive row; `null` if no row has a cost. */
share_of_largest: (number | null)
/** When it begins. */
start: string
/** Tokens per minute. */
tokens_per_minute: (number | null)
}
/** An API call, with how it was counted and priced. */
export interface UsageCall {
/** The id of the response. */
call: string
/** The cost at API prices. */
cost_usd: (string | null)
/** What the sum of the parts is multiplied with. */
factors: UsageFactor[]
/** Whether the rates for long prompts apply. */
is_long_context: boolean
/** The lines of transcripts that are about it. */
lines: UsageLine[]
/** The model. */
model: (string | null)
/** The parts of its price. */
parts: UsagePart[]
/** The id of the request. */
request: (string | null)
/** When the response came. */
timestamp: (string | null)
/** What has no price, in words. */
unpriced: (string | null)
}
/** What a price is multiplied with. */
export interface UsageFactor {
/** The factor. */
factor: string
/** Why. */
why: string
}
/** A line of a transcript that is about an API call. */
export interface UsageLine {
/** Whether it was made in the background. */
is_background: boolean
/** Whether the call is counted by this line. */
is_chosen: boolean
/** Whether a fork copied it. */
is_fork: boolean
/** Whether it was written as progress of a sub-agent. */
is_progress: boolean
/** Whether it was written by a sub-agent. */
is_sidechain: boolean
/** Where the line begins, in bytes. */
offset: number
/** Output tokens by this line. */
output_tokens: number
/** The transcript. */
path: string
/** The id of the request. */
request: (string | null)
/** Its time. */
timestamp: (string | null)
/** All tokens by this line. */
total_tokens: number
}
/** A part of a price. */
export interface UsagePart {
/** The price of all. */
amount_usd: string
/** How many of them. */
count: number
/** The price of one. */
rate_usd: string
/** What is paid for. */
what: string
}
/** The period before the one that was asked for. */
export interface UsageCompared {
/** When it begins. */
since: string
/** All calls in it together. */
total: UsageSums
/** When it ends. */
until: string
}
/** The sums of calls. */
export interface UsageSums {
/** Tokens written again because a cache had expired. */
cache_expired_tokens: number
/** What writing them again cost. */
cache_expired_usd: string
/** Input read from the cache / (read + written + not cached). */
cache_hit_rate: (number | null)
/** Input read from the cache. */
cache_read_tokens: number
/** What the cache saved compared with uncached prices, less the extra cost of writing it. */
cache_saved_usd: string
/** Input written to the cache for an hour. */
cache_write_1h_tokens: number
/** Input written to the cache for five minutes. */
cache_write_5m_tokens: number
/** API calls, each counted once. */
calls: number
/** Whether every call has a price. */
cost_complete: boolean
/** The cost at API prices, a decimal number with all its digits; `null` if no call has a price. */
cost_usd: (string | null)
/** Input that was not cached. */
input_tokens: number
/** Output, thinking included. */
output_tokens: number
/** The part of the cost that apps other than Claude Code reported. The rest is calculated from prices. Missing if they reported nothing. */
reported_usd?: (string | null)
/** The part of the output that is thinking, where it is recorded. */
thinking_tokens: number
/** All tokens. */
total_tokens: number
/** Web searches. */
web_searches: number
}
/** annals' figures beside those of Claude Code. */
export interface UsageComparison {
/** Sessions whose cost Claude Code recorded (`cost-state`). */
sessions: UsageSessionCost[]
/** What Claude Code's `stats-cache.json` claims. */
stats_cache: UsageStatsCache[]
}
/** The cost of a session by Claude Code's count and by annals' count. */
export interface UsageSessionCost {
/** What annals counts. */
counted_usd: string
/** The difference. */
difference_usd: string
/** What Claude Code recorded. */
logged_usd: string
/** The session. */
session_id: string
}
/** What Claude Code's cache of statistics claims of a model. */
export interface UsageStatsCache {
/** Tokens by Claude Code's count. */
claimed_tokens: number
/** Tokens by annals' count. */
counted_tokens: number
/** The day up to which Claude Code counted. */
last_computed_date: (string | null)
/** The model. */
model: string
/** The store. */
root: string
}
/** Lines that repeat a call, by reason. */
export interface UsageDuplicates {
/** Copied by forks. */
fork: number
/** Written as progress of a sub-agent. */
progress: number
/** Replayed. */
replay: number
/** Copied by resumed sessions. */
resume_copy: number
/** Written while the answer streamed. */
streaming: number
}
/** What the session used since it began, with its sub-agents. */
export interface UsageEvent {
/** The sub-agent; `null`: the main transcript, or the session as a whole. */
agent_id: (string | null)
/** API calls, each counted once. */
calls: number
/** How full the context is; `null` before the first answer and after a compaction. */
context: (WatchContext | null)
/** The cost at API prices, of the calls that have one. */
cost_usd: string
/** `usage`. */
event: string
/** Whether it happened before anybody watched. */
is_past: boolean
/** The model. */
model: (string | null)
/** The name of this document's schema. */
schema: "annals/watch-event/1"
/** The session. */
session_id: string
/** Tokens. */
tokens: WatchTokens
/** Calls without a price. */
unpriced_calls: number
}
/** How full the context is. */
export interface WatchContext {
/** How many fit. */
limit: (number | null)
/** Tokens in it. */
tokens: number
/** How full it is, in percent. */
used_percent: (number | null)
}
/** Tokens of a session. */
export interface WatchTokens {
/** Input read from the cache. */
cache_read: number
/** Input written to the cache. */
cache_write: number
/** Input that was not cached. */
input: number
/** Output. */
output: number
}
/** How the figures were counted. */
export interface UsageExplanation {
/** API calls. */
calls: number
/** Lines that cannot be read. */
damaged_lines: number
/** Lines that repeat a call. */
duplicates: UsageDuplicates
/** Lines of transcripts that are about an API call. */
lines: number
/** What a plain sum of all lines would give. */
naive: UsagePlainSum
/** Lines with odd counts or times. */
odd_lines: number
/** With `--explain`: annals' figures beside those of Claude Code. */
reconciled?: (UsageComparison | null)
/** Calls that Claude Code made up; no row counts them. */
synthetic_calls: number
}
/** What a plain sum of all lines would give. */
export interface UsagePlainSum {
/** Input read from the cache. */
cache_read_tokens: number
/** Input written to the cache. */
cache_write_tokens: number
/** The cost at API prices. */
cost_usd: string
/** Input that was not cached. */
input_tokens: number
/** Output. */
output_tokens: number
}
/** The calls of an hour of the week. */
export interface UsageHour {
/** API calls. */
calls: number
/** The cost at API prices in US dollars, as far as prices are known. */
cost_usd: string
/** The hour of the day: 0 to 23. */
hour: number
/** All tokens. */
total_tokens: number
/** The day of the week: 0 is Monday. */
weekday: number
}
/** A row of a usage report: its key, and the sums of its calls. */
export interface UsageRow {
/** The block, where rows are five-hour blocks. */
block?: (UsageBlock | null)
/** Tokens written again because a cache had expired. */
cache_expired_tokens: number
/** What writing them again cost. */
cache_expired_usd: string
/** Input read from the cache / (read + written + not cached). */
cache_hit_rate: (number | null)
/** Input read from the cache. */
cache_read_tokens: number
/** What the cache saved compared with uncached prices, less the extra cost of writing it. */
cache_saved_usd: string
/** Input written to the cache for an hour. */
cache_write_1h_tokens: number
/** Input written to the cache for five minutes. */
cache_write_5m_tokens: number
/** API calls, each counted once. */
calls: number
/** Whether every call has a price. */
cost_complete: boolean
/** The cost at API prices, a decimal number with all its digits; `null` if no call has a price. */
cost_usd: (string | null)
/** Input that was not cached. */
input_tokens: number
/** A member for each way of grouping, with the row's value; `null` if the calls have none. */
key: {
[k: string]: string | null
}
/** The same by model. */
models: {
[k: string]: UsageSums
}
/** Output, thinking included. */
output_tokens: number
/** The prompt, where rows are turns. */
prompt?: (string | null)
/** The part of the cost that apps other than Claude Code reported. The rest is calculated from prices. Missing if they reported nothing. */
reported_usd?: (string | null)
/** The part of the output that is thinking, where it is recorded. */
thinking_tokens: number
/** The session's title, where rows are sessions. */
title?: (string | null)
/** All tokens. */
total_tokens: number
/** Web searches. */
web_searches: number
}
/** Something that the answer may lack. */
export interface Warning {
/** The app, as `--app` names it; absent where a single file is meant. */
app?: (string | null)
/** `file_not_read`: a file of a session cannot be read, so what is in it is missing. `app_not_read`: a database, folder or file of an app cannot be read, so its sessions may be missing. `app_not_understood`: the app writes something that annals does not know, so its sessions may be incomplete. `line_too_large`: a line of a transcript is too large to be read, so what is in it is missing. */
kind: string
/** What is wrong. */
message: string
/** The database, the folder or the file. */
path: string
}
/** The state of the search index. */
export interface WebIndex {
/** While it is updated: how many bytes were read. */
done: number
/** `none`, `building`, `stale`, `fresh` or `locked` (it cannot be updated). */
state: string
/** While it is updated: how many bytes are to be read. */
total: number
}
/** The size of the window. */
export interface WindowDocument {
/** Whether the last compaction came after the last call. */
is_compacted_since: boolean
/** Tokens at the last call. */
last_tokens: number
/** The largest window of the model of the last call: as the transcript says, else as Claude Code has it for that model; `null` if unknown. */
limit_tokens: (number | null)
/** The same of the model of the largest call. */
peak_limit_tokens: (number | null)
/** Tokens at the largest call. */
peak_tokens: number
}
/** A workflow run. */
export interface Workflow {
/** How long it took, in milliseconds. */
duration_ms: (number | null)
/** Why it failed. */
error: (string | null)
/** The id of the run. */
id: string
/** The workflow's name. */
name: (string | null)
/** Its file. */
path: string
/** Its status, as recorded. */
status: (string | null)
/** Its summary. */
summary: (string | null)
/** Its time, as recorded. */
timestamp: (string | null)
}
/** The sub-agents and workflows of a session. */
export interface AgentsDocument {
/** The sub-agents. */
agents: Agent[]
/** The name of this document's schema. */
schema: "annals/agents/1"
/** The session. */
session_id: string
/** What the answer may lack. */
warnings?: Warning[]
/** The workflow runs. */
workflows: Workflow[]
}
/** The files of a session in the archive, one entry for each version. */
export interface ArchiveFilesDocument {
/** The versions. */
files: ArchivedVersion[]
/** The name of this document's schema. */
schema: "annals/archive-files/1"
/** The session. */
session_id: string
/** How many versions there are. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** What was removed from the archive. */
export interface ArchiveForgetDocument {
/** API calls that still count (`--keep-usage`). */
calls_kept: number
/** Files that were removed. */
files: number
/** The name of this document's schema. */
schema: "annals/archive-forget/1"
/** The session. */
session_id: string
/** Sessions that hold some of the same text and stay. */
shares_text_with: string[]
/** What the answer may lack. */
warnings?: Warning[]
}
/** What was restored. */
export interface ArchiveRestoreDocument {
/** Files that were already there. */
already_there: string[]
/** The size of what was written. */
bytes: number
/** Files that could not be restored. */
damaged: string[]
/** The name of this document's schema. */
schema: "annals/archive-restore/1"
/** The session. */
session_id: string
/** Its transcript. */
transcript: (string | null)
/** What the answer may lack. */
warnings?: Warning[]
/** Files that were written. */
written: string[]
}
/** What a sync archived. With `--jsonl` there is a row for every file instead, written as soon as it is archived. */
export interface ArchiveSyncDocument {
/** The size of these. */
bytes: number
/** Files that were new or had changed. */
changed: number
/** Files that were left out: excluded, forgotten or too old. */
excluded: number
/** Files that were removed for their age (`--max-age`). */
expired_files: number
/** Sessions that were removed for their age. */
expired_sessions: string[]
/** Files that were looked at. */
files: number
/** New bytes. */
new_bytes: number
/** Files that could not be archived. */
problems: FileProblem[]
/** Damaged frames that were stored again from disk. */
repaired_frames: number
/** Files that were rewritten, not only appended to; the earlier versions stay. */
rewritten: number
/** The name of this document's schema. */
schema: "annals/archive-sync/1"
/** Links and other things that are not files, which were skipped. */
skipped_links: number
/** The space these take. */
stored_bytes: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** What was copied from one archive to another. */
export interface ArchiveTransferDocument {
/** The size of these. */
bytes: number
/** Files that were new or had new versions. */
changed: number
/** Files that could not be copied. */
damaged: DamagedCopy[]
/** Lines of the manifest that could not be read. */
damaged_lines: number
/** Facts of the ledger that were copied. */
facts: number
/** Files that were looked at. */
files: number
/** Sessions that were left out because they were forgotten. */
forgotten: string[]
/** The name of this document's schema. */
schema: "annals/archive-transfer/1"
/** Sessions that were forgotten in one archive and are still in the other. */
still_archived: string[]
/** Versions that were copied. */
versions: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** Whether the archive is undamaged. */
export interface ArchiveVerifyDocument {
/** Archived files that the damage affects. */
affected_files: string[]
/** Sessions that the damage affects. */
affected_sessions: string[]
/** Other damaged files of the archive. */
damaged_files: FileProblem[]
/** Damaged frames. */
damaged_frames: DamagedFrame[]
/** Damaged lines of the manifest. */
damaged_lines: DamagedLine[]
/** Files in the archive. */
files: number
/** Frames that hold them. */
frames: number
/** How many sessions it does not affect. */
intact_sessions: number
/** Whether every frame was decompressed and checked (`--deep`). */
is_deep: boolean
/** Whether there is no damage. */
is_intact: boolean
/** Lines of the manifest. */
lines: number
/** The name of this document's schema. */
schema: "annals/archive-verify/1"
/** Bytes that were checked. */
stored_bytes: number
/** Bytes that an interrupted sync left; the next one removes them. */
unused_bytes: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** The sessions in the archive, newest first. */
export interface ArchiveDocument {
/** The archive as a whole. */
archive: ArchiveSummary
/** The name of this document's schema. */
schema: "annals/archive/1"
/** The sessions. */
sessions: ArchivedSession[]
/** How many sessions match, before `--limit`. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** The session that last wrote each line of a file. */
export interface BlameDocument {
/** Lines that are older than the first recorded change. */
before_records: number
/** How many changes are recorded. */
changes: number
/** Lines that recorded changes explain. */
explained: number
/** Whether too many lines changed at once to compare all of them: lines that are not explained may have been written by a recorded change. */
is_coarse: boolean
/** The lines. */
lines: BlameLine[]
/** Lines that came between or after the recorded changes. */
not_recorded: number
/** The file. */
path: string
/** The name of this document's schema. */
schema: "annals/blame/1"
/** How many lines the file has. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** How much of each budget is used. */
export interface BudgetDocument {
/** The budgets, the shortest period first. */
budgets: Budget[]
/** The name of this document's schema. */
schema: "annals/budget/1"
/** What the answer may lack. */
warnings?: Warning[]
}
/** How one API call was counted. An id can name several calls. */
export interface CallDocument {
/** The calls. */
calls: UsageCall[]
/** The name of this document's schema. */
schema: "annals/call/1"
/** What the answer may lack. */
warnings?: Warning[]
}
/** The commits whose hash begins so, one for each session that made it. */
export interface CommitDocument {
/** The commits. */
commits: Commit[]
/** The name of this document's schema. */
schema: "annals/commit/1"
/** What the answer may lack. */
warnings?: Warning[]
}
/** The settings that annals uses, and where each comes from. */
export interface ConfigurationDocument {
/** The folder for annals' own data. */
data_folder: (string | null)
/** Whether it exists. */
exists: boolean
/** The configuration file; `null` if there is no folder for one. */
path: (string | null)
/** The name of this document's schema. */
schema: "annals/configuration/1"
/** The settings, in the order of the manual. */
settings: Setting[]
/** What the answer may lack. */
warnings?: Warning[]
}
/** What the model was given. Window sizes are the API's own counts; everything called `estimated` is estimated from text. */
export interface ContextDocument {
/** The sub-agent whose context it is; `null`: the session's own. */
agent_id: (string | null)
/** The prompt cache, over all calls. */
cache: Cache
/** API calls in order, those before compactions included. */
calls: ContextCall[]
/** What fills the window now, largest first. */
categories: Category[]
/** How token counts were estimated. */
estimate: Estimate
/** The generations. */
generations: ContextGeneration[]
/** Whether calls, or calls that found the cache expired, are left out: the web app's server gives as many as it is asked for. */
is_cut: boolean
/** The ten largest items in the window. */
largest: Contribution[]
/** Files that were read more than once. */
repeated_reads: RepeatedRead[]
/** The name of this document's schema. */
schema: "annals/context/1"
/** The session. */
session: Session
/** How many API calls there are. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
/** The size of the window. */
window: WindowDocument
}
/** A conversation as Claude Code or its SDK would show it. */
export interface ConversationDocument {
/** The sub-agent whose conversation it is; `null`: the session's own. */
agent_id: (string | null)
/** Abandoned branches. */
branches: Branch[]
/** Compactions. */
compactions: Compaction[]
/** The messages. With `--agents inline` or `flat` those of sub-agents follow, each with its `agent_id`. `export` also writes messages before compactions. */
messages: Message[]
/** Orphaned segments. */
orphaned_segments: OrphanedSegment[]
/** The name of this document's schema. */
schema: "annals/conversation/1"
/** The session. */
session: Session
/** The turns. */
turns: Turn[]
/** The view: `app` or `sdk`. */
view: string
/** What the answer may lack. */
warnings?: Warning[]
}
/** The state of the stores: damage, retention, drift of the format, stale caches. */
export interface DoctorDocument {
/** The sessions of other apps. */
apps: AppReport[]
/** The archive. */
archive: DoctorArchive
/** Caches of Claude Code that disagree with the files. */
caches: StaleCache[]
/** Project folders that several working directories share. */
collisions: Collision[]
/** Sessions with several transcripts. */
copies: CopiedSession[]
/** What is in them. */
counts: DoctorCounts
/** Records and fields that annals does not know. */
drift: DriftItem[]
/** Damage and files that could not be read. */
problems: DoctorProblem[]
/**
 * The annals programs that `annals setup` installed. Only `annals doctor` lists them, for
 * one configuration folder.
 */
programs: InstalledProgram[]
/** When Claude Code deletes sessions. */
retention: Retention
/** The stores. */
roots: Root[]
/** The name of this document's schema. */
schema: "annals/doctor/1"
/** Files that do not belong where they are. */
strays: StrayFile[]
/** What the answer may lack. */
warnings?: Warning[]
}
/** Why a request to the web app's server failed. */
export interface ErrorDocument {
/** What failed, on what, and why. */
error: string
/** What to do next. */
hint?: (string | null)
/** After how many seconds to try again. */
retry_after?: (number | null)
/** The name of this document's schema. */
schema: "annals/error/1"
/** What the answer may lack. */
warnings?: Warning[]
}
/** The index of an export of several sessions: a file beside exported JSON, jsonl and XML. */
export interface ExportIndexDocument {
/** The name of this document's schema. */
schema: "annals/export-index/1"
/** The exported sessions. */
sessions: ExportIndexEntry[]
/** What the answer may lack. */
warnings?: Warning[]
}
/** What an export wrote, and what it masked. */
export interface ExportDocument {
/** The files. */
files: ExportedFile[]
/** The name of this document's schema. */
schema: "annals/export/1"
/** What the answer may lack. */
warnings?: Warning[]
}
/** What the hits of a search have in common: how many texts have each value. Duplicates count once. */
export interface FacetsDocument {
/** How many texts were counted. */
counted: number
/** If it has not: it has read everything that changed since then. */
covered_since: (string | null)
/** By day in the zone, oldest first; only days that have hits. */
days: Facet[]
/** Whether the index is up to date with the files. */
fresh: boolean
/** Whether the index has read every file at least once, and every line of it. */
index_complete: boolean
/** By the values of `is:`: `error`, `prompt`, `agent`, `marked`, `recall`; a text can have several. */
is: Facet[]
/** Whether more may match: only the newest texts are counted. */
is_cut: boolean
/** By kind of text. */
kinds: Facet[]
/** By model; at most 50. */
models: Facet[]
/** By project, the most first; at most 50. */
projects: Facet[]
/** The query. */
query: string
/** By role. */
roles: Facet[]
/** The name of this document's schema. */
schema: "annals/facets/1"
/** How many sessions they are in. */
sessions: number
/** By the state of the message, where the index knows it: messages of sessions with branches are not counted. */
states: Facet[]
/** By tool; at most 50. */
tools: Facet[]
/** How many blocks match, duplicates included. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** The changes of a file, in the order of time. */
export interface FileHistoryDocument {
/** The changes; with `--reads` the reads too. */
changes: Change[]
/** The file, or all files whose paths end so. */
files: FileDocument[]
/** The `--offset` of the next page; `null` on the last one. */
next: (number | null)
/** The name of this document's schema. */
schema: "annals/file-history/1"
/** How many changes there are. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** Files that sessions read or changed, the one changed last first. */
export interface FilesDocument {
/** The files; 50, unless `--limit` says otherwise. */
files: FileDocument[]
/** The `--offset` of the next page; `null` on the last one. */
next: (number | null)
/** The name of this document's schema. */
schema: "annals/files/1"
/** How many files match. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** Where a text occurs in one session: in all turns, branches, segments and sub-agents. */
export interface FindDocument {
/** Where it occurs, in reading order: the conversation, branches, segments, sub-agents; at most 300. */
hits: FindHit[]
/** The text. */
query: string
/** The name of this document's schema. */
schema: "annals/find/1"
/** The session. */
session_id: string
/** How often it occurs. */
total: number
/** Whether `hits` has not all of them. */
truncated: boolean
/** What the answer may lack. */
warnings?: Warning[]
}
/** How many hits each session has. */
export interface GrepCountsDocument {
/** The pattern; several patterns are joined with `|`. */
pattern: string
/** The name of this document's schema, the same as without `-c`. */
schema: "annals/grep/1"
/** The sessions that have hits, newest first. */
sessions: GrepCount[]
/** How many hits there are. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** Hits of a pattern: one for each block, output or plan that matches, newest session first. Lines that copies of a session share with it are searched once; of tool outputs the first 16 MB are searched. */
export interface GrepDocument {
/** The hits. */
hits: GrepHit[]
/** The pattern; several patterns are joined with `|`. */
pattern: string
/** The name of this document's schema. */
schema: "annals/grep/1"
/** How many hits there are. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** Hits, the best first (`--sort time`: the newest first). A hit is one content block. */
export interface HitsDocument {
/** If it has not: it has read everything that changed since then. */
covered_since: (string | null)
/** Whether the index is up to date with the files. */
fresh: boolean
/** The hits; 50, unless `--limit` says otherwise. */
hits: Hit[]
/** Whether the index has read every file at least once, and every line of it. */
index_complete: boolean
/** The `--offset` of the next page; `null` on the last one. */
next: (number | null)
/** The query. */
query: string
/** The name of this document's schema. */
schema: "annals/hits/1"
/** Suggestions for words without hits. */
similar_words: NearWord[]
/** How long the search took, in milliseconds. */
took_ms: number
/** How many blocks match, if all were looked at. */
total?: (number | null)
/** How many blocks match at least, if not all were looked at. */
total_at_least?: (number | null)
/** What the answer may lack. */
warnings?: Warning[]
}
/** What is in the stores. */
export interface HomeDocument {
/** Sub-agents, those of hidden sessions included. */
agents: number
/** Sessions that only the archive has. */
archive_only: number
/** How much of each budget is used, as of the last index update; absent if there is no budget or no index. */
budgets?: Budget[]
/** The size of their transcripts. */
bytes: number
/** Sessions modified today. */
changed_today: number
/** The cost of today at API prices in US dollars, if the index has it. */
cost_today_usd: (string | null)
/** The cost of this week, since Monday, if the index has it. */
cost_week_usd: (string | null)
/** Sessions that Claude Code will delete within three days. */
expiring: number
/** Those of them that the archive does not have. */
expiring_not_archived: number
/** The latest sessions that a person started, newest first. */
latest: Session[]
/** What the first page of the web app shows besides; only the web app asks for it. */
overview?: (HomeOverview | null)
/** Sessions that a program started; `latest` has none of them. */
programmatic: number
/** Their projects. */
projects: number
/** Sessions known only from the prompt history. */
prompts_only: number
/** The stores. */
roots: string[]
/** The name of this document's schema. */
schema: "annals/home/1"
/** Sessions that Claude Code lists. */
sessions: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** One session in figures. */
export interface InfoDocument {
/** The size of their transcripts. */
agent_bytes: number
/** The sub-agent the figures are about; `null`: the session itself. */
agent_id: (string | null)
/** Sub-agents. */
agents: number
/** API responses. */
answers: number
/** The size of these. */
backup_bytes: number
/** Backups of files that Claude Code made before it changed them. */
backups: number
/** The git branches it recorded. */
branches: string[]
/** Commits the session made. */
commits: InfoCommit[]
/** Compactions. */
compactions: number
/** Their cost at API prices in US dollars; `null` if a model has no known price. */
cost_usd: (string | null)
/** Milliseconds between these two. */
duration_ms: (number | null)
/** Files it read or changed. */
files: InfoFile[]
/** The time of the first record. */
first_at: (string | null)
/** Prompts that only the prompt history has. */
history_prompts: number
/** Lines of the transcript that are too large to be read; no other figure counts what is in them. */
large_lines: number
/** The time of the last record. */
last_at: (string | null)
/** Lines of the transcript. */
lines: number
/** API responses by model. */
models: {
[k: string]: number
}
/** Paths of plan files. */
plans: string[]
/** Problems in the transcript; `annals doctor` lists them. */
problems: number
/** Prompts in the transcript, each once, as the column `prompts` of `sessions` in `annals sql` counts them. */
prompts: number
/** Pull requests the session opened or recorded. */
pull_requests: PullRequest[]
/** Records by type. */
records: {
[k: string]: number
}
/** The part of the cost that an app other than Claude Code reported. Missing if that is nothing. */
reported_usd?: (string | null)
/** The name of this document's schema. */
schema: "annals/info/1"
/** The session. */
session: Session
/** Tokens of its API calls, sub-agents included. */
tokens: Tokens
/** The size of these. */
tool_result_bytes: number
/** Tool outputs in separate files. */
tool_results: number
/** Tool calls by tool. */
tools: {
[k: string]: number
}
/** The versions of Claude Code that wrote it. */
versions: string[]
/** What the answer may lack. */
warnings?: Warning[]
}
/** Views with which an engine reads the objects of the lake. */
export interface LakeCatalogDocument {
/** The engine: `duckdb`, `spark` or `clickhouse`. */
engine: string
/** How many objects the views read. */
objects: number
/** How many rows these have, copies included. */
rows: number
/** The name of this document's schema. */
schema: "annals/lake-catalog/1"
/** Whose rows they have: `mine`, `team:NAME`, `org` or `all`. */
scope: string
/** The views, each after those it uses. */
views: LakeView[]
/** What the answer may lack. */
warnings?: Warning[]
}
/** What `annals lake init` configured. */
export interface LakeInitDocument {
/** The configuration file. */
configuration: string
/** Whether the owner has left this lake, or was removed by an administrator. */
has_left: boolean
/** The id of this home in the lake. */
installation: string
/** What a push will send, and who can read it. */
leaves: LakeLeaves[]
/** How much of each session will leave the machine. */
level: LakeLevel
/** What else to know about this storage. */
notes: string[]
/** Whose rows will be pushed. */
owner: string
/** The folders whose sessions will leave, as globs. */
projects: string[]
/** The name of this document's schema. */
schema: "annals/lake-init/1"
/** The storage. */
url: string
/** What the answer may lack. */
warnings?: Warning[]
}
/** What `annals lake load` brought to an engine. */
export interface LakeLoadDocument {
/** Chains of manifests that were acknowledged. */
acknowledged: number
/** Their bytes. */
bytes: number
/** Sessions that are forgotten. */
forgotten: number
/** Objects loaded now. */
loaded: number
/** The name under which manifests were acknowledged. */
loader: string
/** Objects that count. */
objects: number
/**
 * Objects whose rows were deleted, because newer ones replace them or a session was taken
 * back.
 */
removed: number
/** Objects that were replaced meanwhile; the next load has the new ones. */
replaced: number
/** Their rows. */
rows: number
/** The name of this document's schema. */
schema: "annals/lake-load/1"
/** The servers. */
servers: string[]
/** Objects that cannot be used, with the reason. */
unusable: string[]
/** What the answer may lack. */
warnings?: Warning[]
}
/** Policies for a bucket. */
export interface LakePolicyDocument {
/** The policies. */
policies: LakePolicyFile[]
/** The name of this document's schema. */
schema: "annals/lake-policy/1"
/** What they are for: `aws`, `gcp`, `minio` or `clickhouse`. */
vendor: string
/** What the answer may lack. */
warnings?: Warning[]
}
/** What `annals lake push` sent, or would send. */
export interface LakePushDocument {
/** The bytes of all new objects. */
bytes: number
/** Objects deleted, because newer ones replace them or a session was taken back. */
deleted: number
/**
 * Whether nothing was sent because the owner has left the lake, on another machine or
 * through an administrator.
 */
has_left: boolean
/** Whether nothing was added because a newer annals has pushed for this installation. */
has_old_rules: boolean
/** Whether nothing was sent, because only the list was asked for. */
is_dry_run: boolean
/** The objects with new rows, by what they hold and who can read them. */
leaves: LakeRows[]
/** Secrets masked in the new rows, by kind. */
masked: LakeMasked[]
/** The rows themselves, if they were asked for. */
rows?: unknown[]
/** The name of this document's schema. */
schema: "annals/lake-push/1"
/** How many sessions of this machine are shared. */
sessions: number
/** Files that could not be read; the others were sent. */
unread: string[]
/** The storage. */
url: string
/** What the answer may lack. */
warnings?: Warning[]
}
/** The page that `annals lake report` wrote. */
export interface LakeReportDocument {
/** The cost of the month at API prices; `null` if no call has a price. */
cost_usd: (string | null)
/** The month, as `2026-11`. */
month: string
/** The file. */
path: string
/** How many people the usage is of. */
people: number
/** The name of this document's schema. */
schema: "annals/lake-report/1"
/** What the answer may lack. */
warnings?: Warning[]
}
/** What is configured about the lake, and what is in it. */
export interface LakeStatusDocument {
/** The folders to which a managed configuration limits them, as globs; empty if none does. */
allowed_projects: string[]
/** What the owner has in the lake, by reader and installation. */
chains: LakeChain[]
/** Folders below them whose sessions stay, as globs. */
exclude: string[]
/** The id of this home in the lake; `null` before `annals lake init`. */
installation: (string | null)
/** How much of each session leaves the machine, if no rule says more. */
level: LakeLevel
/** The loaders of engines, and how far they are with what the owner has. */
loaders: LakeLoader[]
/** The highest level that a managed configuration allows; `null` if none limits it. */
max_level: (LakeLevel | null)
/** Whose rows are pushed; `null` before `annals lake init`. */
owner: (string | null)
/** Why it did not. */
problem: (string | null)
/** The folders whose sessions leave, as globs. */
projects: string[]
/** Whether pushes start by themselves: `manual` or `auto`. */
push: LakePushMode
/** The pushes of this machine; `null` if they are not known. */
pushes: (LakePushes | null)
/** Whether the storage answered; `null` if it was not asked. */
reachable: (boolean | null)
/**
 * Whether what the owner took back is gone; `null` if the storage was not asked or
 * nothing was taken back.
 */
receipt: (LakeReceipt | null)
/** The name of this document's schema. */
schema: "annals/lake-status/1"
/** Rules for single projects. */
share: LakeShare[]
/** The storage; `null` if no lake is configured. */
url: (string | null)
/** What the answer may lack. */
warnings?: Warning[]
}
/** What was taken back, and from whom. */
export interface LakeTakeBackDocument {
/** The configuration file from which `[lake]` was removed; `null` if it was not. */
configuration: (string | null)
/** The owners whose chains were looked at. */
owners: LakeTakenFrom[]
/** The name of this document's schema. */
schema: "annals/lake-take-back/1"
/** The storage. */
url: string
/** What the answer may lack. */
warnings?: Warning[]
}
/** What a check of the lake found. */
export interface LakeVerifyDocument {
/** Their bytes. */
bytes: number
/** How many chains were checked. */
chains: number
/** Objects that annals did not write. */
foreign: string[]
/** Whether nothing is damaged or missing. */
is_intact: boolean
/** This machine against the lake; `null` if it was not compared. */
local: (LakeComparison | null)
/** How many manifests. */
manifests: number
/** Objects that are damaged or missing. */
problems: LakeProblem[]
/** Their rows. */
rows: number
/** The name of this document's schema. */
schema: "annals/lake-verify/1"
/** How many segments, byte by byte. */
segments: number
/** Objects that no manifest names. The next push of their owner deletes them. */
unnamed: string[]
/** The storage. */
url: string
/** What the answer may lack. */
warnings?: Warning[]
}
/** What ran when in a session. Spans narrower than a pixel are merged with their neighbours. */
export interface LanesDocument {
/** The context window of the session over time; at most 500 points, which keep the peaks. */
context: LaneContext[]
/** The largest context window of the model of the last API call, in tokens, if it is known. */
context_limit: (number | null)
/** The beginning of the time axis; `null` if no record has a time. */
from: (string | null)
/** The lanes: the session's own first, then sub-agents, parents before their children; at most 200. */
lanes: Lane[]
/** Prompts, errors, compactions and cache misses of the session itself; at most 500. */
marks: LaneMark[]
/** How many milliseconds a pixel stands for; narrower spans are merged. */
pixel_ms: number
/** The name of this document's schema. */
schema: "annals/lanes/1"
/** The session. */
session_id: string
/** The end of the time axis. */
to: (string | null)
/** How many lanes there are. */
total_lanes: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** Rate limits that were reached, and how much of them was used. */
export interface LimitsDocument {
/** The limits, oldest first. */
limits: Limit[]
/** The name of this document's schema. */
schema: "annals/limits/1"
/** What the answer may lack. */
warnings?: Warning[]
}
/** Bookmarks, newest first; or the one that was set or removed. */
export interface MarksDocument {
/** The bookmarks. */
marks: MarkEntry[]
/** The name of this document's schema. */
schema: "annals/marks/1"
/** How many there are, before `--limit`. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** The outline of a session or sub-agent. Members that are empty, zero or false are absent from turns. */
export interface OutlineDocument {
/** The sub-agent whose conversation it is; absent: the session's own. */
agent_id?: (string | null)
/** Sub-agents, parents before their children. */
agents: OutlineAgent[]
/** The git branch. */
branch: (string | null)
/** Abandoned branches. */
branches: OutlineBranch[]
/** Commits that were made. */
commits: OutlineCommit[]
/** The largest context window of the model of the last API call, in tokens, if it is known. */
context_limit: (number | null)
/** The working directory the session recorded. */
cwd: (string | null)
/** The time of the last turn's end. */
ended_at: (string | null)
/** Files that were changed, the most often changed first; at most 200. */
files: OutlineFile[]
/** The spans between compactions, oldest first. */
generations: OutlineGeneration[]
/** Whether a running process writes this session. */
is_running: boolean
/** The number of the transcript's last line, for following it. */
last_line: number
/** The bookmarks in the session. */
marks: Mark[]
/** The models that answered, in the order of their first answers. */
models: string[]
/** Orphaned segments. */
orphans: OutlineOrphan[]
/** Plans that were proposed. */
plans: OutlinePlan[]
/** `disk`; `archive`: only the archive has the transcript; `unknown`: the archive has it, and its app may, of which not everything can be read; `prompts_only`: only the prompt history has the session. */
presence: string
/** The project. */
project: (string | null)
/** Sessions that share records with this one or continue it. */
relatives: OutlineRelative[]
/**
 * The command that resumes the session; absent for a sub-agent, and if its folder or id has
 * characters that a terminal would act on.
 */
resume_command?: (string | null)
/** The name of this document's schema. */
schema: "annals/outline/1"
/** The session. */
session_id: string
/** The time of the first turn. */
started_at: (string | null)
/** The session's title, or a substitute for one. */
title: (string | null)
/** The figures of the session. */
totals: OutlineTotals
/** The turns of all generations. */
turns: OutlineTurn[]
/** The rules by which the conversation was read: `app` or `sdk`. */
view: string
/** What the answer may lack. */
warnings?: Warning[]
}
/** Where a message stands in its session. */
export interface PlaceDocument {
/** The sub-agent whose conversation has it; absent: the session's own. */
agent_id?: (string | null)
/** `main`, `b1` (an abandoned branch), or `o1` (an orphaned segment). */
part: string
/** The name of this document's schema. */
schema: "annals/place/1"
/** The session. */
session_id: string
/** The step of the turn, from 0. */
step: number
/** The turn. */
turn: string
/** The record whose element shows it; for a result, that of its call. */
uuid: string
/** What the answer may lack. */
warnings?: Warning[]
}
/** The plans of all sessions, newest first, in short. */
export interface PlanRowsDocument {
/** The offset of the next page; `null` on the last one. */
next: (number | null)
/** The plans. */
plans: PlanRow[]
/** The name of this document's schema. */
schema: "annals/plan-rows/1"
/** How many there are. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** The plans of a session, oldest first. */
export interface PlanDocument {
/** The sub-agent whose plans they are; `null`: the session's own. */
agent_id: (string | null)
/** The plans. */
plans: Plan[]
/** The name of this document's schema. */
schema: "annals/plan/1"
/** The session. */
session: Session
/** What the answer may lack. */
warnings?: Warning[]
}
/** Projects, the one used last first. */
export interface ProjectsDocument {
/** The projects. */
projects: Project[]
/** The name of this document's schema. */
schema: "annals/projects/1"
/** How many projects match, before `--limit`. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** Prompts: of one session in order, of all sessions newest first. */
export interface PromptsDocument {
/** The prompts. */
prompts: Prompt[]
/** The name of this document's schema. */
schema: "annals/prompts/1"
/** How many prompts match, before `--limit`. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** The records of a transcript, in the order of the file. */
export interface RecordsDocument {
/** The sub-agent whose transcript it is; `null`: the session's own. */
agent_id: (string | null)
/** What is wrong with lines of the transcript. */
problems: RecordProblem[]
/** The records. */
records: RecordDocument[]
/** The name of this document's schema. */
schema: "annals/records/1"
/** The session. */
session: Session
/** What the answer may lack. */
warnings?: Warning[]
}
/** The title a session was given. */
export interface RenamedDocument {
/** The line that was added to the transcript. */
line: string
/** Its transcript. */
path: string
/** The name of this document's schema. */
schema: "annals/renamed/1"
/** The session. */
session_id: string
/** The title, as it is stored. */
title: string
/** What the answer may lack. */
warnings?: Warning[]
}
/** Processes of Claude Code, the last one started first, stale entries included. */
export interface RunningDocument {
/** The processes. */
running: RunningSession[]
/** The name of this document's schema. */
schema: "annals/running/1"
/** How many processes match, before `--limit`. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** Secrets in sessions: kinds and places, never the secrets themselves. */
export interface SecretsDocument {
/** The name of this document's schema. */
schema: "annals/secrets/1"
/** Sessions that were searched. */
searched: number
/** The secrets, an entry for each kind in each file. */
secrets: Secret[]
/** What the answer may lack. */
warnings?: Warning[]
}
/** Sessions as slim rows, a page at a time. */
export interface SessionRowsDocument {
/** Whether the index, which found the sessions of the query, has every file as it is; absent if the index was not asked. */
index_complete?: (boolean | null)
/** Whether more sessions may match: the query has too many hits to look at all of them. */
is_cut: boolean
/** The `after` of the next page; `null` on the last one. */
next: (string | null)
/** The name of this document's schema. */
schema: "annals/session-rows/1"
/** The sessions of this page. */
sessions: SessionRow[]
/** How many sessions match, on all pages. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** Sessions, newest first. */
export interface SessionsDocument {
/** The name of this document's schema. */
schema: "annals/sessions/1"
/** The sessions. */
sessions: Session[]
/** How many sessions match, before `--limit`. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** A run of setup, part by part. */
export interface SetupDocument {
/** The backup of the settings that this run saved. */
backup: (string | null)
/** The configuration folder of Claude Code. */
config: string
/** Whether this run could not change anything, because nobody agreed. */
is_dry_run: boolean
/** Whether this run removes what setup installed. */
is_removal: boolean
/** Notices, for example about managed settings. */
notes: string[]
/** The parts, in the order in which they were proposed. */
parts: SetupPart[]
/** Failures that belong to no part; exit code 2. */
problems: string[]
/** The program to install. */
program: string
/** The receipt: the file that records what setup installed. */
receipt: string
/** The name of this document's schema. */
schema: "annals/setup/1"
/** Its settings file. */
settings: string
/** What the answer may lack. */
warnings?: Warning[]
}
/** The views that a query can be about ([sql.md](sql.md)). */
export interface SqlSchemaDocument {
/** The name of this document's schema. */
schema: "annals/sql-schema/1"
/** The version of the views. */
version: number
/** The views. */
views: SqlView[]
/** What the answer may lack. */
warnings?: Warning[]
}
/** The rows that answer a query. */
export interface SqlDocument {
/** The names of the columns; a second `n` is called `n_2`. */
columns: string[]
/** If it has not: it has read everything that changed since then. */
covered_since: (string | null)
/** Whether the index is up to date with the files. */
fresh: boolean
/** Whether the index has read every file at least once, and every line of it. */
index_complete: boolean
/** The rows. */
rows: SqlRow[]
/** The name of this document's schema. */
schema: "annals/sql/1"
/** What the answer may lack. */
warnings?: Warning[]
}
/** The tag of a session. */
export interface TagDocument {
/** The name of this document's schema. */
schema: "annals/tag/1"
/** The session. */
session_id: string
/** The tag; `null`: it has none. */
tag: (string | null)
/** What the answer may lack. */
warnings?: Warning[]
}
/** The tag a session was given. */
export interface TaggedDocument {
/** The line that was added to the transcript. */
line: string
/** Its transcript. */
path: string
/** The name of this document's schema. */
schema: "annals/tagged/1"
/** The session. */
session_id: string
/** The tag; `null`: it was removed. */
tag: (string | null)
/** What the answer may lack. */
warnings?: Warning[]
}
/** Tool calls summed up. */
export interface ToolStatsDocument {
/** Calls by day. */
days: {
[k: string]: number
}
/** Calls by hour of the day: 24 numbers, from midnight on. */
hours: number[]
/** The calls by tool, type of agent, skill and MCP server, the most frequent first. */
rows: ToolSum[]
/** The name of this document's schema. */
schema: "annals/tool-stats/1"
/** The time zone of days and hours. */
timezone: string
/** All calls. */
total: ToolSum
/** What the answer may lack. */
warnings?: Warning[]
}
/** Tool calls: of one session in order, of all sessions newest first. */
export interface ToolsDocument {
/** The calls. Of all sessions 50 are given, unless `--limit` says otherwise. */
calls: ToolCall[]
/** The `--offset` of the next page; `null` on the last one. */
next: (number | null)
/** The name of this document's schema. */
schema: "annals/tools/1"
/** How many calls match. */
total: number
/** What the answer may lack. */
warnings?: Warning[]
}
/** How a session grew. */
export interface TreeDocument {
/** The sub-agent whose conversation it is; `null`: the session's own. */
agent_id: (string | null)
/** Sub-agents. */
agents: TreeAgent[]
/** Abandoned branches. */
branches: TreeBranch[]
/** The generations, oldest first. */
generations: Generation[]
/** Orphaned segments. */
orphaned_segments: TreeSegment[]
/** Sessions that share records with this one or continue it. */
relatives: Relative[]
/** The name of this document's schema. */
schema: "annals/tree/1"
/** The session. */
session: Session
/** What the answer may lack. */
warnings?: Warning[]
}
/** Agents and skills that are installed in the stores and were not used. */
export interface UnusedDocument {
/** The agents (`agents/*.md`), by name. Those of projects and plugins are not looked at. */
agents: UnusedItem[]
/** The name of this document's schema. */
schema: "annals/unused/1"
/** The skills (`skills/* /SKILL.md`), by name. */
skills: UnusedItem[]
/** What the answer may lack. */
warnings?: Warning[]
}
/** Calls by weekday and hour. */
export interface UsageHoursDocument {
/** The hours of the week that have calls, in order. */
cells: UsageHour[]
/** The name of this document's schema. */
schema: "annals/usage-hours/1"
/** How many sessions the calls are in. */
sessions: number
/** The time zone of weekdays and hours. */
timezone: string
/** What the answer may lack. */
warnings?: Warning[]
}
/** Usage by time, session, project, model and others. Every grouping has the same total. */
export interface UsageDocument {
/** How much of each budget is used, by all calls; absent if there is no budget. */
budgets?: Budget[]
/** How the figures were counted. */
explain: UsageExplanation
/** What rows are grouped by, the coarsest first. */
group_by: string[]
/** The total by model. */
models: {
[k: string]: UsageSums
}
/** Set where calls were divided among the tools they called. */
note?: (string | null)
/** The period before, of the same length; only the web app asks for it. */
previous?: (UsageCompared | null)
/** Where the prices come from. */
prices: string[]
/** The rows: by time, or the most expensive first. */
rows: UsageRow[]
/** The name of this document's schema. */
schema: "annals/usage/1"
/** The time zone of days, weeks and months. */
timezone: string
/** All calls together. */
total: UsageSums
/** Models without a price. */
unknown_models: string[]
/** Anything else without a price, in words. */
unpriced: string[]
/** What the answer may lack. */
warnings?: Warning[]
}
/** The server behind a page of the web app. */
export interface WebStateDocument {
/** Whether the store is the demo store. */
demo: boolean
/** The filters that the server was started with, by name. */
filters: {
[k: string]: string
}
/** Whether there is any Claude Code data. */
has_store: boolean
/** The home folder, which pages show as `~`. */
home_folder?: (string | null)
/** The search index. */
index: WebIndex
/** The server's time. */
now: string
/** Names the server's process: another value means that it was restarted. */
process: string
/** Whether the server offers no actions. */
read_only: boolean
/** Whether secrets are shown. */
reveal: boolean
/** The stores. */
roots: string[]
/** The name of this document's schema. */
schema: "annals/web-state/1"
/** The value of the header `X-Annals` that actions need; absent if there are no actions. */
token?: (string | null)
/** The version of annals. */
version: string
/** What the answer may lack. */
warnings?: Warning[]
/** The time zone of days. */
zone: string
}
/** Where Claude Code keeps the sessions of a folder. */
export interface WhereDocument {
/** The folder that was asked for. */
cwd: string
/** The name of its project folder. */
folder: (string | null)
/** The id of the newest session there. */
latest_session: (string | null)
/** `exact`, `prefix` (of a long name), `parent`, `worktree`; `null`, with exit 1, if there is none. */
matched: (string | null)
/** The folder whose sessions these are. */
matched_cwd: (string | null)
/** Other working directories that share the project folder. */
other_cwds: string[]
/** The path of its project folder. */
path: (string | null)
/** The name of this document's schema. */
schema: "annals/where/1"
/** How many sessions are there. */
sessions: number
/** What the answer may lack. */
warnings?: Warning[]
}
