// Hits as they are shown: by session, with their matches marked.

import type { Hit } from '../schema';

/** A piece of a snippet. */
export interface Piece {
  text: string;
  isMatch: boolean;
}

/** A snippet in pieces. Positions count characters, not the 16-bit units of this language. */
export function piecesOf(snippet: string, highlights: readonly (readonly [number, number])[]): Piece[] {
  const characters = Array.from(snippet);
  const pieces: Piece[] = [];
  let at = 0;
  const add = (to: number, isMatch: boolean) => {
    if (to > at) pieces.push({ text: characters.slice(at, to).join(''), isMatch });
    at = Math.max(at, to);
  };
  for (const [start, end] of highlights) {
    add(start, false);
    add(Math.min(end, characters.length), true);
  }
  add(characters.length, false);
  return pieces;
}

/** The hits of one session, best first. */
export interface Group {
  key: string;
  session: string | null;
  hits: Hit[];
}

/** Groups hits by session; sessions stay in the order of their best hit. */
export function grouped(hits: readonly Hit[]): Group[] {
  const groups = new Map<string, Group>();
  for (const hit of hits) {
    const key = hit.session_id ?? `plan ${hit.path}`;
    const group = groups.get(key);
    if (group) group.hits.push(hit);
    else groups.set(key, { key, session: hit.session_id, hits: [hit] });
  }
  return [...groups.values()];
}

/** What identifies a hit. */
export function keyOf(hit: Hit): string {
  return `${hit.path}:${hit.line}:${hit.kind}:${hit.uuid ?? ''}:${hit.highlights[0]?.[0] ?? 0}:${hit.snippet.length}`;
}

/** The hits that are shown of a group that is not opened. */
export const FIRST_HITS = 3;

/** The hits that are on the page, in order. */
export function shownHits(groups: readonly Group[], opened: ReadonlySet<string>): Hit[] {
  return groups.flatMap(group => (opened.has(group.key) ? group.hits : group.hits.slice(0, FIRST_HITS)));
}

const KINDS: Record<string, string> = {
  prompt: 'Prompt',
  answer: 'Answer',
  thinking: 'Thinking',
  call: 'Call',
  result: 'Result',
  output: 'Output',
  plan: 'Plan',
  summary: 'Summary',
  note: 'Note',
  title: 'Title',
  recall: 'Recall',
};

/** What a hit is, in words: `Result · Bash`. */
export function kindOf(hit: Hit): string {
  const kind = KINDS[hit.kind] ?? hit.kind;
  return hit.tool ? `${kind} · ${hit.tool}` : kind;
}
