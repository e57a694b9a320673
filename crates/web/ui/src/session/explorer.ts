// What can be done on a session's page: showing parts of the conversation and going to places in it.

import { get } from '../core/api';
import { type Parameters, sessionAddress } from '../core/base';
import { takeFirstTurns } from '../core/first';
import { readFragment } from '../core/fragment';
import { change, go, hash, query } from '../core/router';
import type { PlaceDocument } from '../schema';
import { ExplorerState, type Place } from './explorer_state';
import { decorate, Folds, hideRepeatedDay } from './folds';
import { estimatedMessages, MOST_MESSAGES_IN_DOCUMENT, type PlannedTurn, shownTurns, turnAt } from './plan';
import { messageOf, turnOf, USUAL, type View, viewParameters } from './place';
import { scrollToTop } from './anchor';
import { TurnWindow } from './window';

export class Explorer extends ExplorerState {
  readonly folds: Folds;
  window: TurnWindow | undefined;
  /** Called with elements that came into the document. */
  readonly onElements = new Set<(element: HTMLElement) => void>();
  /** Opens an agent inside the conversation. */
  openAgent: ((id: string) => Promise<HTMLElement | undefined>) | undefined;
  private shown = '';
  private placeTimer = 0;
  private isMoving = 0;
  /** The place that the page itself wrote into the address. */
  private written = '';

  constructor(id: string, agent: string) {
    super(id, agent);
    this.folds = new Folds(this);
  }

  /** Parameters of the requests for fragments. */
  parameters(view: View = this.view.peek()): Parameters {
    return { agent: this.agent, view: view.view === 'app' ? '' : view.view, thinking: 1, tools: view.tools, agents: view.agents };
  }

  /** Begins to show the conversation in an element. */
  open(host: HTMLElement): void {
    this.window = new TurnWindow({
      host,
      read: (chunk, abort) => {
        const [from, to] = [chunk.turns[0], chunk.turns.at(-1)];
        return readFragment(`sessions/${encodeURIComponent(this.id)}/turns`, { ...this.parameters(), part: chunk.part, from, to, step: chunk.step }, abort);
      },
      onLoad: (element, chunk) => {
        decorate(element);
        if (chunk.part !== 'main') hideRepeatedDay(element);
        this.folds.apply(element);
        for (const listener of this.onElements) listener(element);
        this.loads.value++;
      },
      onTurn: (part, turn) => this.arrive({ part, turn }),
      onError: error => {
        this.error.value = error;
      },
    });
    const first = takeFirstTurns();
    if (!first) return;
    this.title.value = first.content.querySelector('h1')?.textContent ?? '';
    const holder = first.content.querySelector('section[data-turn]')?.parentNode;
    const parts = [...(holder?.children ?? [])].filter(child => child.matches('section, .day, .w, .g'));
    const turns = document.createDocumentFragment();
    turns.append(...parts);
    const isUsual = this.shownKey(this.view.peek()) === this.shownKey(USUAL);
    if (isUsual) this.window.adopt(turns, first.nextTurn, first.nextStep);
  }

  close(): void {
    this.window?.close();
    this.closeState();
    clearTimeout(this.placeTimer);
  }

  private shownKey(view: View): string {
    return [view.part, view.view, view.tools, view.agents].join();
  }

  /** The turns that the page shows, in order. */
  turns(): PlannedTurn[] {
    const outline = this.outline.peek();
    return outline ? shownTurns(outline, this.view.peek().part) : [];
  }

  /** Shows what the address and the outline say. */
  show(): void {
    const { window } = this;
    const outline = this.outline.peek();
    if (!window || !outline) return;
    const key = this.shownKey(this.view.peek());
    window.isWindowed = estimatedMessages(outline.turns) >= MOST_MESSAGES_IN_DOCUMENT;
    if (this.shown === key) {
      window.grow(this.turns());
    } else if (this.shown === '') {
      const turns = this.turns();
      window.plan(turns);
      this.shown = key;
      const own = this.view.peek().part;
      const first = turns.find(turn => turn.part === own) ?? turns[0];
      if (first && !this.at.peek().turn) this.at.value = { part: first.part, turn: first.turn };
      void this.goToAddress();
    } else {
      const { part, turn } = this.at.peek();
      const planned = this.turns();
      this.shown = key;
      this.block.value = undefined;
      window.reset(planned);
      const own = this.view.peek().part;
      const start = /^[bo]\d/.test(own) ? planned.find(other => other.part === own) : planned.find(other => other.turn === turn && other.part === part);
      if (start) void this.goTo({ part: start.part, turn: start.turn });
    }
    if (!window.isWindowed) void window.rest();
  }

  /** Goes where the address points to. */
  async goToAddress(): Promise<void> {
    const time = query.peek().get('at');
    const turn = query.peek().get('turn') ?? (time ? turnAt(this.outline.peek()?.turns ?? [], time) : turnOf(hash.peek()));
    if (time) change({ at: '', turn }, { replaces: true });
    this.written = `${turn} ${hash.peek()}`;
    const uuid = messageOf(hash.peek());
    const part = this.partOf(turn);
    if (uuid) await this.goToMessage(uuid, turn ? { part, turn } : undefined);
    else if (turn) await this.goTo({ part, turn });
    // A branch begins after the turns that it shares.
    else if (this.at.peek().turn !== this.turns()[0]?.turn) await this.goTo(this.at.peek());
  }

  private partOf(turn: string): string {
    const own = this.view.peek().part;
    return this.turns().find(other => other.turn === turn && other.part === own)?.part ?? 'main';
  }

  /** Goes to a turn; returns its element. */
  async goTo(place: Place): Promise<HTMLElement | undefined> {
    const { window } = this;
    if (!window) return undefined;
    this.isFollowing.value = false;
    this.isMoving++;
    try {
      const section = await window.turn(place.turn, place.part);
      if (section) {
        await this.scrollTo(section);
        this.at.value = place;
        this.keepPlace();
      }
      return section;
    } finally {
      this.isMoving--;
    }
  }

  /** Scrolls to an element, and again when what lies around has got its true height. */
  async scrollTo(element: Element): Promise<void> {
    scrollToTop(element);
    for (let frame = 0; frame < 2; frame++) {
      await new Promise(requestAnimationFrame);
      scrollToTop(element);
    }
  }

  /** Goes to a message, opens the folds around it and marks it. */
  async goToMessage(uuid: string, place?: Place): Promise<HTMLElement | undefined> {
    const element = document.getElementById(`m-${uuid}`) ?? (place && (await this.messageAt(uuid, place))) ?? (await this.foundMessage(uuid));
    if (!element) {
      this.say('This message is not in the conversation that is shown.');
      return undefined;
    }
    this.folds.reveal(element);
    await this.scrollTo(element);
    this.select(element);
    return element;
  }

  /** The element of a message of a turn. */
  private async messageAt(uuid: string, place: Place): Promise<HTMLElement | undefined> {
    if (!this.turns().some(other => other.part === place.part && other.turn === place.turn)) await this.showPart(place.part);
    await this.goTo(place);
    return document.getElementById(`m-${uuid}`) ?? (await this.window?.message(`m-${uuid}`, place.turn, place.part));
  }

  /** Shows another part, at once. */
  async showPart(part: string): Promise<void> {
    this.setView({ part });
    await new Promise(requestAnimationFrame);
    this.show();
  }

  /** Asks the server where a message is: a result is shown at its call, and an agent in its fold. */
  private async foundMessage(uuid: string): Promise<HTMLElement | undefined> {
    try {
      const place = await get<PlaceDocument>(`sessions/${encodeURIComponent(this.id)}/place`, { uuid, agent: this.agent });
      if (!place.agent_id || place.agent_id === this.agent) return await this.messageAt(place.uuid, place);
      await this.openAgent?.(place.agent_id);
      return document.getElementById(`m-${place.uuid}`) ?? undefined;
    } catch {
      return undefined;
    }
  }

  async goToEnd(): Promise<void> {
    this.isMoving++;
    try {
      await this.window?.end();
      for (let frame = 0; frame < 3; frame++) {
        this.window?.scrollToEnd();
        await new Promise(requestAnimationFrame);
      }
      this.unseen.value = 0;
    } finally {
      this.isMoving--;
    }
  }

  /** Goes to an agent inside the conversation, or to its own page if it is not there. */
  async goToAgent(id: string): Promise<void> {
    const fold = await this.openAgent?.(id);
    if (!fold) {
      go(sessionAddress(this.id, { agent: id }));
      return;
    }
    await this.scrollTo(fold);
    this.select(fold);
  }

  /** The raw record of the current message, or of the prompt. */
  showRecord(): void {
    const block = this.block.peek();
    const uuid = block?.closest<HTMLElement>('.m[id]')?.id.slice(2) ?? this.turn.peek()?.uuid;
    const agent = block?.closest<HTMLElement>('details.a[data-agent]')?.dataset.agent ?? this.agent;
    if (uuid) this.dialog.value = { kind: 'record', uuid, agent };
  }

  /** Begins or ends to stay at the end. */
  follow(): void {
    this.isFollowing.value = !this.isFollowing.peek();
    if (this.isFollowing.peek()) {
      this.select(undefined);
      void this.goToEnd();
    }
  }

  /** The reader came to a turn by scrolling. */
  private arrive(place: Place): void {
    if (this.isMoving) return;
    const at = this.at.peek();
    if (at.turn === place.turn && at.part === place.part) return;
    this.at.value = place;
    this.keepPlace();
  }

  /** Writes the turn into the address, when scrolling pauses: reloading comes back here. */
  private keepPlace(): void {
    clearTimeout(this.placeTimer);
    this.placeTimer = setTimeout(() => {
      const { turn } = this.at.peek();
      const isFirst = turn === this.turns()[0]?.turn;
      const message = this.block.peek()?.id ?? '';
      const written = isFirst && !message ? '' : turn;
      this.written = `${written} ${message}`;
      change({ turn: written }, { replaces: true, hash: message });
    }, 350) as unknown as number;
  }

  /** Follows a link within the page, or the way back. What the page itself wrote is not followed. */
  follows(query: URLSearchParams, hash: string): void {
    const turn = query.get('turn') ?? turnOf(hash);
    const key = `${turn} ${hash}`;
    if (key === this.written) return;
    this.written = key;
    if (turn || messageOf(hash)) void this.goToAddress();
  }

  /** Makes a message the one that keys act on, and focuses it. */
  select(element: HTMLElement | undefined): void {
    this.mark(element);
    const focus = element instanceof HTMLDetailsElement ? element.querySelector<HTMLElement>(':scope > summary') : element;
    if (focus && focus === element) focus.tabIndex = -1;
    focus?.focus({ preventScroll: true });
  }

  /** Makes a message the one that keys act on. */
  mark(element: HTMLElement | undefined): void {
    const before = this.block.peek();
    before?.classList.remove('at');
    element?.classList.add('at');
    this.block.value = element;
    if (!element) return;
    const section = element.closest<HTMLElement>('.chunk > section[data-turn]');
    const turn = section?.dataset.turn;
    if (turn && turn !== this.at.peek().turn) this.at.value = { part: this.partOf(turn), turn };
    this.keepPlace();
  }

  setView(view: Partial<View>): void {
    const hasOther = view.part !== undefined;
    if (hasOther) this.written = ' ';
    change({ ...viewParameters(view), ...(hasOther && { turn: '' }) }, { replaces: true, ...(hasOther && { hash: '' }) });
  }

  /** The address of the current message or turn, whole. */
  link(): string {
    const message = this.block.peek()?.closest<HTMLElement>('.m[id]')?.id ?? '';
    const { turn } = this.at.peek();
    return new URL(sessionAddress(this.id, { agent: this.agent, turn, ...viewParameters({ part: this.view.peek().part }) }, message), location.href).href;
  }
}
