// Turns side by side: when there are more than pixels allow, neighbours share a column. The
// highest window, the summed cost and every miss stay visible.

import type { Outline, OutlineTurn } from './outline_data';

export interface Bin {
  turns: OutlineTurn[];
  /** The largest context window. */
  context: number;
  /** The cost; `null` if no price is known. */
  cost: number | null;
  misses: number;
  errors: number;
  /** Whether a generation begins here that is not the first. */
  startsGeneration: boolean;
}

/** At most `most` columns. */
export function bins(outline: Pick<Outline, 'turns' | 'generations'>, most: number): Bin[] {
  const size = Math.max(Math.ceil(outline.turns.length / Math.max(most, 1)), 1);
  const starts = new Set(outline.generations.slice(1).map(generation => generation.first_turn));
  const found: Bin[] = [];
  for (let at = 0; at < outline.turns.length; at += size) {
    const turns = outline.turns.slice(at, at + size);
    const costs = turns.map(turn => turn.cost_usd).filter(cost => cost !== null && cost !== undefined);
    found.push({
      turns,
      context: Math.max(...turns.map(turn => turn.context_tokens ?? 0)),
      cost: costs.length > 0 ? costs.reduce((sum, cost) => sum + Number(cost), 0) : null,
      misses: turns.filter(turn => turn.cache_miss).length,
      errors: turns.reduce((sum, turn) => sum + turn.errors, 0),
      startsGeneration: turns.some(turn => starts.has(turn.turn)),
    });
  }
  return found;
}
