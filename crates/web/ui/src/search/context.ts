// The messages around a hit, cut out of the turn that the server renders.

import { readFragment } from '../core/fragment';
import type { Hit } from '../schema';

/** The most pieces of a long turn that are looked through. */
const MOST_PIECES = 6;

/** The part of a session that a turn is in: `b1.2` is in the branch `b1`. */
export function partOf(turn: string): string {
  return /^([bo]\d+)\./.exec(turn)?.[1] ?? 'main';
}

/** The elements around an element among its siblings, in order; at most `around` on each side. */
export function neighbours<T>(elements: readonly T[], at: number, around: number): T[] {
  return elements.slice(Math.max(0, at - around), at + around + 1);
}

/** Reads the messages around a hit; `undefined` if the conversation does not show it. */
export async function readContext(hit: Hit, around: number, abort: AbortSignal): Promise<DocumentFragment | undefined> {
  if (!hit.session_id || !hit.uuid || hit.turn === null) return undefined;
  const turn = String(hit.turn);
  const part = partOf(turn);
  let step: number | undefined;
  for (let piece = 0; piece < MOST_PIECES; piece++) {
    const fragment = await readFragment(
      `sessions/${encodeURIComponent(hit.session_id)}/turns`,
      { from: turn, to: turn, step, part: part === 'main' ? undefined : part, agent: hit.agent_id, thinking: 1, tools: 'full', agents: 'fold' },
      abort,
    );
    const message = fragment.content.querySelector(`[id="m-${CSS.escape(hit.uuid)}"]`);
    if (message) return cut(message, around);
    if (fragment.nextTurn !== turn || !fragment.nextStep) return undefined;
    step = fragment.nextStep;
  }
  return undefined;
}

function cut(message: Element, around: number): DocumentFragment {
  // Results are inside of their calls: the neighbours are those of the outermost message.
  let outermost = message;
  for (let above = message.parentElement; above && above.tagName !== 'SECTION'; above = above.parentElement) outermost = above;
  for (let fold = message.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) fold.open = true;
  message.classList.add('at');
  const siblings = [...(outermost.parentElement?.children ?? [outermost])].filter(element => element.tagName !== 'H2');
  const kept = neighbours(siblings, siblings.indexOf(outermost), around);
  const content = document.createDocumentFragment();
  content.append(...kept);
  // Ids belong to the page of the session: several hits of this page may show the same message.
  for (const element of content.querySelectorAll('[id]')) element.removeAttribute('id');
  return content;
}
