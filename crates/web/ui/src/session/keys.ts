// The keys of a session's page.

import { get } from '../core/api';
import { sessionAddress } from '../core/base';
import { useKeys } from '../core/keys';
import { go } from '../core/router';
import { state } from '../core/state';
import type { SessionRowsDocument } from '../schema';
import { moveBlock, moveError, moveTurn, toggleFold } from './blocks';
import type { Explorer } from './explorer';
import type { Finder } from './finder';
import type { Agents } from './place';

/** Pages of the list that are looked through for the session. */
const MOST_PAGES = 20;

/** The session that changed before or after this one. */
async function goToNeighbour(explorer: Explorer, by: 1 | -1): Promise<void> {
  let before: string | undefined;
  let isNext = false;
  let after: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const rows: SessionRowsDocument = await get<SessionRowsDocument>('sessions', { limit: 200, after });
    for (const row of rows.sessions) {
      if (isNext) return go(sessionAddress(row.id));
      if (row.id === explorer.id) {
        if (by > 0) isNext = true;
        else if (before) return go(sessionAddress(before));
        else return explorer.say('This is the latest session.');
      }
      before = row.id;
    }
    if (!rows.next) break;
    after = rows.next;
  }
  explorer.say(by > 0 ? 'This is the oldest session.' : 'The list does not have this session.');
}

const NEXT_AGENTS: Record<Agents, Agents> = { fold: 'inline', inline: 'none', none: 'fold' };
const SAID: Record<Agents, string> = { inline: 'Sub-agents: open', fold: 'Sub-agents: folded', none: 'Sub-agents: hidden' };

/** The branch after the one that is shown; after the last, the current one. */
export function nextBranch(numbers: readonly number[], part: string): string {
  const at = numbers.findIndex(number => part === `b${number}`);
  const next = numbers[at + 1];
  return next === undefined ? 'main' : `b${next}`;
}

export function useSessionKeys(explorer: Explorer, finder: Finder): void {
  const view = () => explorer.view.peek();
  useKeys('Session', {
    j: { does: 'Next message', run: () => void moveBlock(explorer, 1) },
    k: { does: 'Previous message', run: () => void moveBlock(explorer, -1) },
    J: { does: 'Next prompt', run: () => void moveTurn(explorer, 1) },
    K: { does: 'Previous prompt', run: () => void moveTurn(explorer, -1) },
    e: { does: 'Next error', run: () => void moveError(explorer, 1) },
    E: { does: 'Previous error', run: () => void moveError(explorer, -1) },
    o: { does: 'Open or close the message', run: () => toggleFold(explorer) },
    d: { does: 'Open or close diffs', run: () => explorer.setView({ diffs: !view().diffs }) },
    t: { does: 'Show or hide thinking', run: () => explorer.setView({ thinking: !view().thinking }) },
    a: {
      does: 'Sub-agents: folded, open, hidden',
      run: () => {
        const agents = NEXT_AGENTS[view().agents];
        explorer.setView({ agents });
        explorer.say(SAID[agents]);
      },
    },
    b: {
      does: 'Next abandoned branch',
      run: () => {
        const numbers = explorer.outline.peek()?.branches.map(branch => branch.number) ?? [];
        if (numbers.length === 0) explorer.say('This session has no abandoned branch.');
        else explorer.setView({ part: nextBranch(numbers, view().part) });
      },
    },
    '[': { does: 'Newer session', run: () => void goToNeighbour(explorer, -1) },
    ']': { does: 'Older session', run: () => void goToNeighbour(explorer, 1) },
    ...(!state.value.read_only && {
      m: { does: 'Mark the turn', run: () => (explorer.dialog.value = { kind: 'mark', turn: explorer.at.peek().turn }) },
    }),
    y: { does: 'Copy a link to the message', run: () => void explorer.copy(explorer.link(), 'Link copied.') },
    c: { does: 'Copy the resume command', run: () => void explorer.copy(explorer.outline.peek()?.resume_command, 'Resume command copied.') },
    r: { does: 'Show the raw record', run: () => explorer.showRecord() },
    '.': { does: 'Follow the end', run: () => explorer.follow() },
    '/': { does: 'Find in this session', run: () => finder.open() },
    n: { does: 'Next hit', run: () => void finder.move(1) },
    N: { does: 'Previous hit', run: () => void finder.move(-1) },
    Escape: { does: 'End the selection and find', run: () => (finder.isOpen.peek() ? finder.close() : explorer.select(undefined)) },
  });
}
