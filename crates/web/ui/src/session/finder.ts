// Finding in the session: the server finds in all turns, branches and agents; the page goes to a
// hit, reads what is needed to show it, and paints the hits that are in the document.

import { signal } from '@preact/signals';
import { get } from '../core/api';
import { change, query } from '../core/router';
import type { FindDocument } from '../schema';
import type { Explorer } from './explorer';
import { findRanges } from './ranges';

export type Hit = FindDocument['hits'][number];

/** More hits than these are not painted. */
const MOST_PAINTED = 1000;

/** How many hits before this one are in the same message. */
export function numberInMessage(hits: readonly Hit[], at: number): number {
  const hit = hits[at];
  if (!hit) return 0;
  let number = 0;
  for (let before = at - 1; before >= 0 && isSameMessage(hits[before], hit); before--) number++;
  return number;
}

function isSameMessage(a: Hit | undefined, b: Hit): boolean {
  return !!a && a.part === b.part && a.turn === b.turn && a.uuid === b.uuid;
}

/** The hit that follows a turn, for beginning where the reader is. Only turns of the conversation itself count. */
export function firstHitFrom(hits: readonly Hit[], turn: string, order: readonly string[]): number {
  const rank = new Map(order.map((turn, at) => [turn, at]));
  const here = rank.get(turn) ?? 0;
  const found = hits.findIndex(hit => hit.part === 'main' && (rank.get(hit.turn) ?? 0) >= here);
  return found < 0 ? 0 : found;
}

export class Finder {
  readonly isOpen = signal(false);
  readonly words = signal('');
  readonly isCaseSensitive = signal(false);
  readonly answer = signal<FindDocument | undefined>(undefined);
  readonly isAsking = signal(false);
  /** The hit that the reader is at; -1 before the first. */
  readonly at = signal(-1);
  readonly error = signal('');
  private abort: AbortController | undefined;
  private paintTimer = 0;

  constructor(private readonly explorer: Explorer) {
    explorer.onElements.add(() => this.paintSoon());
    this.words.value = query.peek().get('find') ?? '';
    this.isCaseSensitive.value = query.peek().get('case') === '1';
    if (this.words.value) this.isOpen.value = true;
  }

  /** Asks the server; `goes` says whether to go to the first hit. */
  async ask(goes: boolean): Promise<void> {
    this.abort?.abort();
    const words = this.words.peek();
    change({ find: words, case: this.isCaseSensitive.peek() }, { replaces: true });
    this.at.value = -1;
    this.error.value = '';
    if (!words) {
      this.answer.value = undefined;
      this.isAsking.value = false;
      this.paint();
      return;
    }
    const abort = new AbortController();
    this.abort = abort;
    this.isAsking.value = true;
    try {
      const path = `sessions/${encodeURIComponent(this.explorer.id)}/find`;
      const answer = await get<FindDocument>(path, { q: words, case: this.isCaseSensitive.peek(), agent: this.explorer.agent }, abort.signal);
      this.answer.value = answer;
      this.isAsking.value = false;
      this.paint();
      if (goes && answer.hits.length > 0) {
        const order = this.explorer.outline.peek()?.turns.map(turn => turn.turn) ?? [];
        await this.goTo(firstHitFrom(answer.hits, this.explorer.at.peek().turn, order));
      }
    } catch (error) {
      if (abort.signal.aborted) return;
      this.isAsking.value = false;
      this.answer.value = undefined;
      this.error.value = error instanceof Error ? error.message : String(error);
    }
  }

  /** Goes through the hits, around the end. */
  async move(by: 1 | -1): Promise<void> {
    const hits = this.answer.peek()?.hits ?? [];
    if (hits.length === 0) return;
    const at = this.at.peek();
    await this.goTo(at < 0 ? (by > 0 ? 0 : hits.length - 1) : (at + by + hits.length) % hits.length);
  }

  /** Shows a hit. */
  async goTo(index: number): Promise<void> {
    const hits = this.answer.peek()?.hits ?? [];
    const hit = hits[index];
    if (!hit) return;
    this.at.value = index;
    const { explorer } = this;
    const within = await this.holderOf(hit);
    if (this.at.peek() !== index) return;
    if (!within) {
      explorer.say('The place of this hit is not in the conversation that is shown.');
      return;
    }
    const id = `m-${hit.uuid}`;
    const own = hit.uuid ? within.querySelector<HTMLElement>(`[id="${CSS.escape(id)}"]`) : null;
    const message = own ?? (hit.uuid && within.matches('section') ? ((await explorer.window?.message(id, hit.turn, hit.part)) ?? null) : null);
    const number = numberInMessage(hits, index);
    let range = this.rangeIn(message, within, number);
    if (!range && message) {
      // The hit may be in the part of an output that was left out.
      const more = [message, ...following(message)].flatMap(element => [...element.querySelectorAll<HTMLAnchorElement>('a.more')]);
      for (const link of more) await explorer.folds.more(link);
      // A whole call takes the place of the one that was cut.
      const whole = document.getElementById(message.id) ?? message;
      range = this.rangeIn(whole, within, number);
    }
    const element = range?.startContainer.parentElement ?? message ?? within;
    explorer.folds.reveal(element);
    const block = element.closest<HTMLElement>('.m') ?? message;
    if (block) explorer.select(block);
    await new Promise(requestAnimationFrame);
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    this.paint(range);
  }

  private rangeIn(message: HTMLElement | null, within: HTMLElement, number: number): Range | undefined {
    const elements = message ? [message, ...following(message)] : [within];
    const ranges = findRanges(elements, this.words.peek(), this.isCaseSensitive.peek());
    return ranges[number] ?? ranges[0];
  }

  /** The turn, the agent or the branch that has a hit, once it is in the document. */
  private async holderOf(hit: Hit): Promise<HTMLElement | undefined> {
    const { explorer } = this;
    const agent = /^agent:(.+)$/.exec(hit.part)?.[1];
    if (agent && agent !== explorer.agent) return this.agentElement(agent);
    const part = agent ? 'main' : hit.part;
    const shown = explorer.turns();
    if (shown.some(other => other.part === part && other.turn === hit.turn)) return explorer.window?.turn(hit.turn, part);
    // A part that is not shown takes the place of the one that is.
    await explorer.showPart(part);
    return explorer.window?.turn(hit.turn, part);
  }

  /** Opens an agent inside the conversation, and those that started it before. */
  async agentElement(id: string, depth = 0): Promise<HTMLElement | undefined> {
    const { explorer } = this;
    const agent = explorer.agentOf(id);
    if (!agent || depth > 6) return undefined;
    const parent = agent.parent_agent_id && agent.parent_agent_id !== explorer.agent ? await this.agentElement(agent.parent_agent_id, depth + 1) : undefined;
    const within = parent ?? (agent.turn ? await explorer.window?.turn(agent.turn) : undefined);
    const fold = within?.querySelector<HTMLDetailsElement>(`details.a[data-agent="${CSS.escape(id)}"]`);
    if (!fold) return undefined;
    explorer.folds.reveal(fold);
    fold.open = true;
    await explorer.folds.fill(fold);
    return fold;
  }

  paintSoon(): void {
    clearTimeout(this.paintTimer);
    this.paintTimer = setTimeout(() => this.paint(), 60) as unknown as number;
  }

  /** Paints the hits of the document, and the current one. */
  paint(current?: Range): void {
    if (!('highlights' in CSS)) return;
    const words = this.words.peek();
    const isShown = words && this.isOpen.peek() && (this.answer.peek()?.total ?? 0) > 0;
    if (!isShown) {
      CSS.highlights.delete('hit');
      CSS.highlights.delete('now');
      return;
    }
    const ranges = findRanges(this.explorer.window?.loaded() ?? [], words, this.isCaseSensitive.peek(), MOST_PAINTED);
    CSS.highlights.set('hit', new Highlight(...ranges));
    if (current) {
      const now = new Highlight(current);
      now.priority = 1;
      CSS.highlights.set('now', now);
    }
  }

  open(): void {
    this.isOpen.value = true;
    this.paintSoon();
  }

  /** The page is left. */
  end(): void {
    this.abort?.abort();
    clearTimeout(this.paintTimer);
    if ('highlights' in CSS) CSS.highlights.clear();
  }

  close(): void {
    this.abort?.abort();
    this.isOpen.value = false;
    this.words.value = '';
    this.answer.value = undefined;
    this.at.value = -1;
    change({ find: '', case: '' }, { replaces: true });
    this.paint();
  }
}

/** The elements of the same record: only its first has an id. */
function following(message: Element): Element[] {
  const elements: Element[] = [];
  for (let next = message.nextElementSibling; next && !(next.id.startsWith('m-') && next.matches('.m')); next = next.nextElementSibling) elements.push(next);
  return elements;
}
