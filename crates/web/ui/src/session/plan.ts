// Which turns a page shows, and in which chunks they are read. Nothing here touches the document.

import type { Outline, OutlineTurn } from './outline_data';

/** A turn in the order of the page. Turns of a branch have the numbers of those they replace. */
export interface PlannedTurn {
  part: string;
  turn: string;
  height: number;
  /** Parts at which a fragment of it can begin, if there are many. */
  steps?: number;
}

/** Consecutive turns of one part, read as one fragment. */
export interface Chunk {
  part: string;
  turns: string[];
  height: number;
  /** The step of the first turn to begin with: a very long turn has several chunks. */
  step?: number;
  /** Where its fragment ended inside a turn: read again, it ends there again. */
  end?: string;
  /** The first message that it showed: the chunk before it ends there. */
  begins?: string;
}

/** Turns of a chunk. */
const MOST_TURNS = 20;
/** A chunk of tall turns has fewer, and a taller turn has several chunks: a fragment ends after a few screens anyway. */
const TALLEST = 16_000;
/** Sessions with fewer messages stay in the document, so that the browser's own find works. */
export const MOST_MESSAGES_IN_DOCUMENT = 2000;

function planned(part: string, turns: readonly OutlineTurn[]): PlannedTurn[] {
  return turns.map(({ turn, height, steps }) => ({ part, turn, height: Math.max(height, 60), steps }));
}

/** The turns that a part shows: a branch comes after the turns that it shares with the current one. */
export function shownTurns(outline: Outline, part: string): PlannedTurn[] {
  const generation = /^gen:(\d+)$/.exec(part);
  if (generation) {
    return planned(
      'main',
      outline.turns.filter(turn => turn.generation === Number(generation[1])),
    );
  }
  const branch = outline.branches.find(branch => part === `b${branch.number}`);
  if (branch) {
    const at = outline.turns.findIndex(turn => turn.turn === branch.before_turn);
    const shared = at < 0 ? outline.turns : outline.turns.slice(0, at);
    return [...planned('main', shared), ...planned(part, branch.turns)];
  }
  const orphan = outline.orphans.find(orphan => part === `o${orphan.number}`);
  if (orphan) return planned(part, orphan.turns);
  return planned('main', outline.turns);
}

/** Cuts turns into chunks. Turns that are already in the document stay in a chunk of their own. */
export function planChunks(turns: readonly PlannedTurn[], present: ReadonlySet<string> = new Set()): Chunk[] {
  const chunks: Chunk[] = [];
  let last: Chunk | undefined;
  let lastIsPresent = false;
  for (const { part, turn, height, steps = 0 } of turns) {
    const isPresent = part === 'main' && present.has(turn);
    if (!isPresent && steps > 0 && height > TALLEST) {
      chunks.push(...stepChunks({ part, turn, height, steps }));
      last = undefined;
      continue;
    }
    const isFull = !last || last.turns.length >= MOST_TURNS || last.height + height > TALLEST;
    if (!last || last.part !== part || isPresent !== lastIsPresent || (isFull && !isPresent)) {
      last = { part, turns: [], height: 0 };
      chunks.push(last);
    }
    last.turns.push(turn);
    last.height += height;
    lastIsPresent = isPresent;
  }
  return chunks;
}

/** The chunks of a very long turn from a step on, so that its end can be read without all that comes before. */
export function stepChunks({ part, turn, height, steps = 0 }: PlannedTurn, from = 0): Chunk[] {
  const left = Math.max(steps - from, 1);
  const share = (height * left) / Math.max(steps, 1);
  const count = Math.max(Math.ceil(share / TALLEST), 1);
  return Array.from({ length: count }, (_, at) => {
    const step = from + Math.floor((at * left) / count);
    return { part, turns: [turn], height: share / count, ...(step > 0 && { step }) };
  });
}

/** Whether a chunk goes on with the turn that another one ends with. */
export function isContinued(chunk: Chunk, next: Chunk | undefined): next is Chunk {
  return next?.step !== undefined && next.part === chunk.part && next.turns[0] === chunk.turns.at(-1);
}

/**
 * How many of the chunks that follow have nothing left to show, because a fragment went on to
 * this step of their turn (or to its end), and where the next one begins. Chunks that have been
 * read stay: the fragment is cut where they begin.
 */
export function overtaken(following: readonly Chunk[], step: number | undefined): { count: number; step: number | undefined } {
  let count = 0;
  for (const [at, chunk] of following.entries()) {
    if (chunk.begins !== undefined) break;
    const next = following[at + 1];
    const end = next?.step ?? Number.POSITIVE_INFINITY;
    if (step !== undefined && step < end) return { count, step: Math.max(step, chunk.step ?? 0) };
    count++;
  }
  return { count, step: undefined };
}

/** Divides a chunk whose fragment ended before a step of the turn `next`. */
export function splitChunk(chunk: Chunk, next: string, step = 0): [Chunk, Chunk] | undefined {
  const at = chunk.turns.indexOf(next);
  const end = `${next} ${step}`;
  if (chunk.end === end) return undefined;
  // A fragment that goes on where it began would be read for ever.
  if (at < 0 || (at === 0 && step <= (chunk.step ?? 0))) return undefined;
  const share = (at + (step > 0 ? 0.5 : 0)) / chunk.turns.length;
  const first = { ...chunk, turns: chunk.turns.slice(0, step > 0 ? at + 1 : at), height: chunk.height * share };
  const rest: Chunk = { part: chunk.part, turns: chunk.turns.slice(at), height: chunk.height * (1 - share) };
  return step > 0 ? [{ ...first, end }, { ...rest, step }] : [first, rest];
}

/** The chunk that has a turn. Without a part, the first that has it. */
export function chunkWith(chunks: readonly Chunk[], turn: string, part?: string): number {
  return chunks.findIndex(chunk => (part === undefined || chunk.part === part) && chunk.turns.includes(turn));
}

/** How many messages a session has, from its outline: each call is a message and its result another. */
export function estimatedMessages(turns: readonly OutlineTurn[]): number {
  let sum = 0;
  for (const turn of turns) sum += 2 + 2 * turn.calls;
  return sum;
}

/** The turn that was running at a time: the last one that had begun, or the first. */
export function turnAt(turns: readonly OutlineTurn[], time: string): string {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return '';
  return turns.findLast(turn => Date.parse(turn.started_at ?? '') <= at)?.turn ?? turns[0]?.turn ?? '';
}

/** How much taller text is than in a column of 800 pixels. */
export function heightFactor(width: number): number {
  if (width <= 0) return 1;
  return Math.min(Math.max((800 / width) ** 0.7, 0.8), 2);
}
