// Types of documents that docs/schema does not have yet. Each goes when its schema is there:
// then import it from `schema`.

export interface WebStateDocument {
  schema: string;
  version: string;
  token?: string | null;
  read_only: boolean;
  reveal: boolean;
  demo: boolean;
  roots: string[];
  filters: Record<string, string>;
  zone: string;
  now: string;
  has_store: boolean;
  home_folder?: string | null;
  index: { state: 'fresh' | 'stale' | 'building' | 'locked' | 'none'; done: number; total: number };
  process: string;
}

export interface SessionRow {
  id: string;
  title: string | null;
  project: string | null;
  branch: string | null;
  changed_at: string;
  bytes: number;
  agents: number;
  turns: number | null;
  cost_usd: string | null;
  output_tokens: number | null;
  context_peak: number | null;
  presence: string;
  kind: string;
  is_running: boolean;
  tag: string | null;
  marks: number;
  problems: number | null;
}

export interface SessionRowsDocument {
  schema: string;
  sessions: SessionRow[];
  total: number;
  next: string | null;
}

export interface OutlineTurn {
  turn: string;
  generation: number;
  prompt: string;
  uuid: string | null;
  started_at: string | null;
  ended_at: string | null;
  duration_ms: number | null;
  model_ms: number | null;
  tools_ms: number | null;
  output_tokens: number;
  cost_usd: string | null;
  context_tokens: number | null;
  cache_miss: boolean;
  errors: number;
  calls: number;
  files: string[];
  agents: string[];
  commits: string[];
  mark: string | null;
  height: number;
}

export interface OutlineAgent {
  id: string;
  type: string | null;
  description: string | null;
  parent_agent_id: string | null;
  tool_use_id: string | null;
  turn: string | null;
  model: string | null;
  started_at: string | null;
  ended_at: string | null;
  output_tokens: number;
  cost_usd: string | null;
  calls: number;
  errors: number;
  context_peak: number | null;
  compactions: number;
  status: string | null;
}

export interface OutlineDocument {
  schema: string;
  session_id: string;
  agent_id: string | null;
  title: string;
  project: string | null;
  cwd: string | null;
  branch: string | null;
  models: string[];
  started_at: string | null;
  ended_at: string | null;
  is_running: boolean;
  presence: string;
  resume_command: string | null;
  totals: { turns: number; output_tokens: number; cost_usd: string | null; errors: number };
  view: string;
  generations: { number: number; first_turn: string; last_turn: string; trigger: string | null; tokens_before: number | null; tokens_after: number | null }[];
  turns: OutlineTurn[];
  branches: { number: number; reason: string; before_turn: string | null; messages: number; prompt: string; turns: OutlineTurn[] }[];
  orphans: { number: number; before_turn: string | null; messages: number; prompt: string }[];
  agents: OutlineAgent[];
  files: { path: string; changes: number; added: number; removed: number; turns: string[] }[];
  plans: { title: string; turn: string | null; path: string | null }[];
  commits: { hash: string; subject: string | null; turn: string | null }[];
  relatives: { session_id: string; relation: string; title: string | null }[];
  marks: { turn: string | null; note: string | null }[];
  last_line: number;
}

export interface LanesDocument {
  schema: string;
  from: string;
  to: string;
  lanes: {
    agent_id: string | null;
    parent_agent_id: string | null;
    depth: number;
    type: string | null;
    description: string | null;
    started_at: string | null;
    ended_at: string | null;
    spans: {
      kind: 'model' | 'tool' | 'waiting' | 'compaction';
      from: string;
      to: string;
      label: string;
      status: string | null;
      turn: string | null;
      count: number;
    }[];
  }[];
  context: { at: string; tokens: number; limit: number | null }[];
  marks: { at: string; kind: 'prompt' | 'error' | 'compaction' | 'cache_miss'; turn: string | null }[];
}

export interface FindDocument {
  schema: string;
  query: string;
  total: number;
  truncated: boolean;
  hits: { turn: string; part: string; uuid: string | null; kind: string; tool: string | null; before: string; match: string; after: string }[];
}
