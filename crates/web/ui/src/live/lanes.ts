// What runs, built up from the events of the watched sessions: one lane for the main
// conversation of a session and one for each of its agents.

import type { WatchEventDocument } from '../schema';

export interface RunningCall {
  id: string;
  tool: string;
  title: string;
  startedAt: string | null;
}

export interface LaneEntry {
  key: string;
  kind: 'prompt' | 'answer' | 'call' | 'note';
  text: string;
  at: string | null;
  isError: boolean;
  uuid: string | null;
}

export interface Lane {
  key: string;
  session: string;
  agent: string | null;
  name: string;
  status: string | null;
  hasEnded: boolean;
  /** The share of the context window in use, in percent. */
  contextPercent: number | null;
  contextTokens: number | null;
  cost: string | null;
  calls: RunningCall[];
  /** The latest entries, newest last. */
  entries: LaneEntry[];
}

/** Entries that a lane remembers. */
const MOST_ENTRIES = 60;

function emptyLane(session: string, agent: string | null): Lane {
  const name = agent ? `agent ${agent.slice(0, 8)}` : 'main';
  return {
    key: `${session} ${agent ?? ''}`,
    session,
    agent,
    name,
    status: null,
    hasEnded: false,
    contextPercent: null,
    contextTokens: null,
    cost: null,
    calls: [],
    entries: [],
  };
}

type Event = WatchEventDocument & Record<string, unknown>;

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The lanes after an event. Lanes that did not change are the same objects. */
export function afterEvent(lanes: ReadonlyMap<string, Lane>, document: WatchEventDocument): Map<string, Lane> {
  const event = document as Event;
  const key = `${event.session_id} ${event.agent_id ?? ''}`;
  const changed = new Map(lanes);
  const lane: Lane = { ...(lanes.get(key) ?? emptyLane(event.session_id, event.agent_id)) };
  const enter = (entry: Omit<LaneEntry, 'key'>) => {
    const number = Number(lane.entries.at(-1)?.key ?? 0) + 1;
    lane.entries = [...lane.entries.slice(1 - MOST_ENTRIES), { ...entry, key: String(number) }];
  };
  switch (event.event) {
    case 'session_started':
    case 'status':
      lane.status = text(event.status) || text((event.process as { status?: string } | null)?.status) || lane.status;
      lane.hasEnded = false;
      break;
    case 'session_ended':
    case 'agent_ended':
      lane.hasEnded = true;
      lane.status = text(event.reason) || text(event.outcome) || 'ended';
      lane.calls = [];
      break;
    case 'agent_started':
      lane.name = [text(event.type), text(event.description)].filter(Boolean).join(': ') || lane.name;
      break;
    case 'message':
      if (text(event.text).trim()) {
        const kind = event.role === 'user' ? 'prompt' : 'answer';
        enter({ kind, text: text(event.text), at: text(event.timestamp) || null, isError: false, uuid: text(event.uuid) || null });
      }
      break;
    case 'call_started':
      lane.calls = [...lane.calls, { id: text(event.id), tool: text(event.tool), title: text(event.title), startedAt: text(event.timestamp) || null }];
      break;
    case 'call_ended':
      lane.calls = lane.calls.filter(call => call.id !== event.id);
      enter({ kind: 'call', text: text(event.title), at: text(event.timestamp) || null, isError: event.status === 'error', uuid: text(event.uuid) || null });
      break;
    case 'compacted':
      enter({ kind: 'note', text: 'The conversation was compacted.', at: null, isError: false, uuid: null });
      break;
    case 'rewound':
      enter({ kind: 'note', text: 'The conversation was rewound.', at: null, isError: false, uuid: null });
      break;
    case 'usage': {
      const context = event.context as { tokens: number; used_percent: number | null } | null;
      lane.contextPercent = context?.used_percent ?? lane.contextPercent;
      lane.contextTokens = context?.tokens ?? lane.contextTokens;
      lane.cost = text(event.cost_usd) || lane.cost;
      break;
    }
    default:
      return new Map(lanes);
  }
  changed.set(key, lane);
  return changed;
}
