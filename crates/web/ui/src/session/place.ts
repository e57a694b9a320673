// The state of the page in its address: what is shown, and where.

import type { Parameters } from '../core/base';

export type Tools = 'full' | 'brief' | 'none';
export type Agents = 'inline' | 'fold' | 'none';

/** What of the conversation is shown. */
export interface View {
  /** `main`, `gen:2`, `b1` or `o1`. */
  part: string;
  /** As Claude Code shows it, or as the official SDK returns it. */
  view: 'app' | 'sdk';
  tools: Tools;
  agents: Agents;
  thinking: boolean;
  /** Whether diffs are open. */
  diffs: boolean;
  /** Whether outputs are open. */
  outputs: boolean;
}

export const USUAL: View = { part: 'main', view: 'app', tools: 'brief', agents: 'fold', thinking: true, diffs: true, outputs: false };

function oneOf<T extends string>(value: string | null, known: readonly T[], usual: T): T {
  return known.includes(value as T) ? (value as T) : usual;
}

/** Reads the view from the query of an address. Unknown values count as absent. */
export function viewOf(query: URLSearchParams): View {
  const part = query.get('part') ?? '';
  return {
    part: /^(gen:\d+|b\d+|o\d+)$/.test(part) ? part : USUAL.part,
    view: oneOf(query.get('view'), ['app', 'sdk'], USUAL.view),
    tools: oneOf(query.get('tools'), ['full', 'brief', 'none'], USUAL.tools),
    agents: oneOf(query.get('agents'), ['inline', 'fold', 'none'], USUAL.agents),
    thinking: query.get('thinking') !== '0',
    diffs: query.get('diffs') !== '0',
    outputs: query.get('outputs') === '1',
  };
}

/** The parameters of a view; the usual values are left out. */
export function viewParameters(view: Partial<View>): Parameters {
  const parameters: Parameters = {};
  for (const name of ['part', 'view', 'tools', 'agents'] as const) {
    if (name in view) parameters[name] = view[name] === USUAL[name] ? '' : view[name];
  }
  if (view.thinking !== undefined) parameters.thinking = view.thinking ? '' : '0';
  if (view.diffs !== undefined) parameters.diffs = view.diffs ? '' : '0';
  if (view.outputs !== undefined) parameters.outputs = view.outputs ? '1' : '';
  return parameters;
}

/** The id of a message, from what follows `#`. */
export function messageOf(hash: string): string {
  return hash.startsWith('m-') ? hash.slice(2) : '';
}

/** The turn that `#t12` names. */
export function turnOf(hash: string): string {
  return /^t(\d+|[bo]\d+\.\d+)$/.test(hash) ? hash.slice(1) : '';
}

/** Up to where a session was seen. */
export interface Seen {
  uuid: string;
  turn: string;
  line: number;
}

/** Reads a stored place; anything else is none. */
export function seenFrom(text: string | null): Seen | undefined {
  try {
    const { uuid, turn, line } = JSON.parse(text ?? '') as Partial<Seen>;
    if (typeof uuid === 'string' && typeof turn === 'string' && typeof line === 'number') return { uuid, turn, line };
  } catch {
    // Never stored, or by another version.
  }
  return undefined;
}
