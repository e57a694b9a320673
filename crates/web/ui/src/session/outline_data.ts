// The outline as the page uses it: what the document leaves out because it is zero, empty or
// unknown is filled in, and the turns of branches are rows like any other.

import type { OutlineAgent as OutlineAgentDocument, OutlineDocument, OutlineTurn as OutlineTurnDocument } from '../schema';

export interface OutlineTurn {
  turn: string;
  generation: number;
  prompt: string;
  uuid: string | null;
  started_at: string | null;
  ended_at: string | null;
  duration_ms: number;
  model_ms: number;
  tools_ms: number;
  output_tokens: number;
  cost_usd: string | null;
  context_tokens: number;
  /** The largest window of the model; `null` if it is not known. */
  context_limit: number | null;
  cache_miss: boolean;
  errors: number;
  calls: number;
  /** Parts at which a fragment of it can begin; 0 if it is not long. */
  steps: number;
  files: string[];
  agents: string[];
  commits: string[];
  /** The note of a mark; empty if it has none, `null` without a mark. */
  mark: string | null;
  height: number;
}

/** A thread beside the current one: an abandoned branch, or an orphaned segment. */
export interface OutlineThread {
  number: number;
  reason: string;
  before_turn: string | null;
  messages: number;
  prompt: string;
  turns: OutlineTurn[];
}

export interface OutlineAgent extends Omit<OutlineAgentDocument, 'parent_agent_id' | 'turn'> {
  parent_agent_id: string | undefined;
  turn: string | undefined;
}

export interface Outline extends Omit<OutlineDocument, 'turns' | 'branches' | 'orphans' | 'agents'> {
  turns: OutlineTurn[];
  branches: OutlineThread[];
  orphans: OutlineThread[];
  agents: OutlineAgent[];
}

/** The height of a message whose turn the outline does not measure. */
const MESSAGE_HEIGHT = 110;

function filledTurn(turn: OutlineTurnDocument): OutlineTurn {
  return {
    turn: turn.turn,
    generation: turn.generation,
    prompt: turn.prompt ?? '',
    uuid: turn.uuid ?? null,
    started_at: turn.started_at ?? null,
    ended_at: turn.ended_at ?? null,
    duration_ms: turn.duration_ms ?? 0,
    model_ms: turn.model_ms ?? 0,
    tools_ms: turn.tools_ms ?? 0,
    output_tokens: turn.output_tokens ?? 0,
    cost_usd: turn.cost_usd ?? null,
    context_tokens: turn.context_tokens ?? 0,
    context_limit: turn.context_limit ?? null,
    cache_miss: turn.cache_miss ?? false,
    errors: turn.errors ?? 0,
    calls: turn.calls ?? 0,
    steps: turn.steps ?? 0,
    files: turn.files ?? [],
    agents: turn.agents ?? [],
    commits: turn.commits ?? [],
    mark: turn.mark ?? null,
    height: turn.height,
  };
}

function filledThread(thread: { number: number; reason?: string; before_turn?: string | null; messages: number; prompt?: string; turns: string[] }): OutlineThread {
  const height = (MESSAGE_HEIGHT * thread.messages) / Math.max(thread.turns.length, 1);
  const prompt = thread.prompt ?? '';
  return {
    number: thread.number,
    reason: thread.reason ?? '',
    before_turn: thread.before_turn ?? null,
    messages: thread.messages,
    prompt,
    turns: thread.turns.map((turn, at) => filledTurn({ turn, generation: 0, prompt: at === 0 ? prompt : '', height })),
  };
}

/** Fills in what an outline leaves out. */
export function filledOutline(document: OutlineDocument): Outline {
  return {
    ...document,
    turns: document.turns.map(filledTurn),
    branches: document.branches.map(filledThread),
    orphans: document.orphans.map(filledThread),
    agents: document.agents.map(agent => ({ ...agent, parent_agent_id: agent.parent_agent_id ?? undefined, turn: agent.turn ?? undefined })),
  };
}
