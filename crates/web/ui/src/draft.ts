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

/** Fields that are zero, empty or unknown are absent. */
export interface OutlineTurnDocument {
  turn: string;
  generation: number;
  prompt?: string;
  uuid?: string;
  started_at?: string;
  ended_at?: string;
  duration_ms?: number;
  model_ms?: number;
  tools_ms?: number;
  output_tokens?: number;
  cost_usd?: string;
  context_tokens?: number;
  cache_miss?: boolean;
  errors?: number;
  calls?: number;
  files?: string[];
  agents?: string[];
  commits?: string[];
  mark?: string;
  height: number;
}

export interface OutlineAgentDocument {
  id: string;
  type: string | null;
  description: string | null;
  parent_agent_id?: string;
  tool_use_id?: string;
  turn?: string;
  depth?: number;
  model: string | null;
  started_at: string | null;
  ended_at: string | null;
  output_tokens: number;
  cost_usd?: string;
  calls: number;
  errors: number;
  context_peak: number;
  compactions?: number;
  status: string | null;
  warmup?: boolean;
}

export interface OutlineDocument {
  schema: string;
  session_id: string;
  agent_id?: string | null;
  title: string | null;
  project: string | null;
  cwd: string | null;
  branch: string | null;
  models: string[];
  started_at: string | null;
  ended_at: string | null;
  is_running: boolean;
  presence: string;
  resume_command?: string | null;
  totals: { turns: number; output_tokens: number; cost_usd: string | null; errors: number; calls?: number };
  view: string;
  context_limit?: number | null;
  generations: { number: number; first_turn: string; last_turn: string; trigger?: string; tokens_before?: number; tokens_after?: number }[];
  turns: OutlineTurnDocument[];
  branches: { number: number; reason: string; before_turn?: string; messages: number; prompt: string; turns: string[] }[];
  orphans: { number: number; before_turn?: string; messages: number; gaps?: string; turns: string[] }[];
  agents: OutlineAgentDocument[];
  files: { path: string; changes: number; added: number; removed: number; turns: string[] }[];
  plans: { title: string; turn: string; path?: string }[];
  commits: { hash: string; subject: string | null; turn: string }[];
  relatives: { session_id: string; relation: string; title: string | null }[];
  marks: unknown[];
  last_line: number;
}

export interface LanesDocument {
  schema: string;
  from: string | null;
  to: string | null;
  lanes: {
    agent_id?: string;
    parent_agent_id?: string;
    depth: number;
    type?: string;
    description?: string;
    started_at: string | null;
    ended_at: string | null;
    spans: {
      kind: 'model' | 'tool' | 'waiting' | 'compaction';
      from: string;
      to: string;
      label?: string;
      status?: string;
      turn: string;
      count: number;
    }[];
  }[];
  /** With more lanes than are answered. */
  total_lanes: number;
  context: { at: string; tokens: number }[];
  marks: { at: string; kind: 'prompt' | 'error' | 'compaction' | 'cache_miss'; turn: string }[];
}

export interface FindDocument {
  schema: string;
  query: string;
  total: number;
  truncated: boolean;
  hits: { turn: string; part: string; uuid: string; kind: string; tool?: string; before: string; match: string; after: string }[];
}

export interface PlaceDocument {
  schema: string;
  agent_id?: string;
  part: string;
  turn: string;
  step: number;
  uuid: string;
}
