// The conversation in the document: chunks of turns that are read when they come near the screen.
// Large sessions drop chunks that are far away and keep their heights. Whatever happens above,
// the text that is being read does not move.

import type { Fragment } from '../core/fragment';
import { anchorOf, fixHeights, keepAt } from './anchor';
import { FAR, Observers, whenIdle } from './observers';
import { patchTurns, remember } from './patch';
import { type Chunk, chunkWith, heightFactor, isContinued, overtaken, type PlannedTurn, planChunks, splitChunk, stepChunks } from './plan';
import { cutBefore, firstMessage } from './cut';

export interface WindowOptions {
  host: HTMLElement;
  read: (chunk: Chunk, abort: AbortSignal) => Promise<Fragment>;
  /** Turns came into the document. */
  onLoad: (element: HTMLElement, chunk: Chunk) => void;
  /** A turn came to where people read. */
  onTurn: (part: string, turn: string) => void;
  onError: (error: Error) => void;
}

interface Slot {
  chunk: Chunk;
  element: HTMLElement;
  state: 'empty' | 'loading' | 'loaded';
  abort?: AbortController;
  loading?: Promise<void>;
}

export class TurnWindow {
  /** Whether chunks that are far away leave the document. */
  isWindowed = false;
  private slots: Slot[] = [];
  private readonly bySlot = new WeakMap<Element, Slot>();
  private readonly observers: Observers;
  private isEnded = false;

  constructor(private readonly options: WindowOptions) {
    this.observers = new Observers({
      near: (element, isNear) => this.onNear(element, isNear),
      far: element => this.onFar(element),
      reading: section => this.onReading(section),
    });
  }

  /** Takes over turns that are already rendered. */
  adopt(content: DocumentFragment, nextTurn: string | undefined, nextStep: number): void {
    const turns = [...content.querySelectorAll<HTMLElement>(':scope > section[data-turn]')].map(section => section.dataset.turn ?? '');
    if (turns.length === 0) return;
    const slot = this.slot({ part: 'main', turns, height: 0 });
    this.slots = [slot];
    // The rest of a turn that the server did not finish is a chunk of its own.
    if (nextTurn && nextStep > 0 && nextTurn === turns.at(-1)) this.slots.push(this.slot({ part: 'main', turns: [nextTurn], height: 800, step: nextStep }));
    this.options.host.replaceChildren(...this.slots.map(slot => slot.element));
    this.fill(slot, content);
  }

  /** Shows these turns instead of others. Chunks that stay the same stay in the document. */
  plan(turns: readonly PlannedTurn[]): void {
    const key = (chunk: Chunk) => `${chunk.part} ${chunk.turns.join()}`;
    const first = this.slots.find(slot => slot.state === 'loaded' && slot.chunk.part === 'main');
    const rest = this.slots.find(slot => slot.chunk.step !== undefined);
    for (const slot of this.slots) if (slot.state === 'loading') slot.abort?.abort();
    const before = this.slots;
    this.slots = planChunks(turns, new Set(first?.chunk.turns)).flatMap(chunk => {
      if (!first || key(chunk) !== key(first.chunk)) return [this.slot(chunk)];
      if (!rest) return [first];
      const long = turns.find(({ part, turn }) => part === 'main' && turn === rest.chunk.turns[0]);
      return long?.steps && rest.state === 'empty' ? [first, ...stepChunks(long, rest.chunk.step).map(chunk => this.slot(chunk))] : [first, rest];
    });
    for (const slot of before) if (!this.slots.includes(slot)) this.forget(slot);
    this.options.host.replaceChildren(...this.slots.map(slot => slot.element));
    this.observe();
  }

  /** Reads everything again, because it is shown in another way. */
  reset(turns: readonly PlannedTurn[]): void {
    for (const slot of this.slots) this.forget(slot);
    this.slots = [];
    this.plan(turns);
  }

  /** Adds turns that were written since. */
  grow(turns: readonly PlannedTurn[]): void {
    const known = new Set(this.slots.flatMap(slot => slot.chunk.turns.map(turn => `${slot.chunk.part} ${turn}`)));
    const fresh = turns.filter(({ part, turn }) => !known.has(`${part} ${turn}`));
    for (const chunk of planChunks(fresh)) {
      const last = this.slots.at(-1);
      // A loaded chunk would lack the new turns: they get one of their own.
      if (last && last.state === 'empty' && last.chunk.part === chunk.part && last.chunk.turns.length + chunk.turns.length <= 20) {
        last.chunk.turns.push(...chunk.turns);
        last.chunk.height += chunk.height;
        this.estimate(last);
        continue;
      }
      const slot = this.slot(chunk);
      this.slots.push(slot);
      this.options.host.append(slot.element);
    }
    this.observe();
  }

  /** The element of a turn, once it is in the document. */
  async turn(turn: string, part = 'main'): Promise<HTMLElement | undefined> {
    for (;;) {
      const at = chunkWith(
        this.slots.map(slot => slot.chunk),
        turn,
        part,
      );
      const slot = this.slots[at];
      if (!slot) return undefined;
      await this.load(slot);
      const section = slot.element.querySelector<HTMLElement>(`:scope > section[data-turn="${CSS.escape(turn)}"]`);
      // A fragment that ended early moves the turn to the next chunk.
      if (section || slot.chunk.turns.includes(turn)) return section ?? slot.element;
    }
  }

  /** The element of a message of a turn, once it is in the document. A long turn has several chunks. */
  async message(id: string, turn: string, part = 'main'): Promise<HTMLElement | undefined> {
    for (let at = 0; at < this.slots.length; at++) {
      const slot = this.slots[at];
      if (!slot || slot.chunk.part !== part || !slot.chunk.turns.includes(turn)) continue;
      await this.load(slot);
      const found = document.getElementById(id);
      if (found) return found;
      this.settle(slot);
    }
    return undefined;
  }

  /** The last turns, once they are in the document. */
  async end(): Promise<void> {
    for (let slot = this.slots.at(-1); slot && slot.state !== 'loaded'; slot = this.slots.at(-1)) {
      await this.load(slot);
      if ((slot.state as string) === 'empty') return;
      if (slot !== this.slots.at(-1)) this.settle(slot);
    }
  }

  /** Scrolls so that the end of the conversation stands near the bottom of the screen. */
  scrollToEnd(): void {
    const { bottom } = this.options.host.getBoundingClientRect();
    scrollBy({ top: bottom - innerHeight * 0.85, behavior: 'instant' });
  }

  /** Whether the end of the conversation is in the document. */
  hasEnd(): boolean {
    return this.slots.at(-1)?.state === 'loaded';
  }

  /** From where the end is read again: the last turn, or its last chunk. */
  tail(): { from: string; step: number | undefined } {
    const chunk = this.slots.at(-1)?.chunk;
    return { from: chunk?.turns.at(-1) ?? '', step: chunk?.turns.length === 1 ? chunk.step : undefined };
  }

  /** Puts newer contents of the last turns in place of older ones. Returns the elements that are new. */
  update({ content, nextTurn, nextStep }: Fragment): Element[] {
    const slot = this.slots.at(-1);
    if (slot?.state !== 'loaded') return [];
    let fresh: Element[] = [];
    this.keep(() => {
      const patched = patchTurns(slot.element, content);
      fresh = patched.elements;
      for (const section of patched.sections) {
        const turn = section.dataset.turn ?? '';
        if (!slot.chunk.turns.includes(turn)) slot.chunk.turns.push(turn);
        this.observers.read(section);
      }
      for (const element of fresh) if (element instanceof HTMLElement) this.options.onLoad(element, slot.chunk);
      if (nextTurn) {
        const rest = this.slot({ part: slot.chunk.part, turns: [nextTurn], height: 400, step: nextStep || undefined });
        this.slots.push(rest);
        this.options.host.append(rest.element);
      }
    });
    if (nextTurn) this.observe();
    return fresh;
  }

  /** Reads the chunks that are not there yet, when there is nothing else to do. */
  async rest(): Promise<void> {
    for (;;) {
      const slot = this.slots.find(slot => slot.state === 'empty');
      if (!slot || this.isWindowed || this.isEnded) return;
      await whenIdle();
      if (this.slots.includes(slot)) await this.load(slot);
      if ((slot.state as string) === 'empty') return;
    }
  }

  /** Changes the document without moving what is being read. */
  keep(change: () => void): void {
    const anchor = anchorOf(this.slots.map(slot => slot.element));
    change();
    keepAt(anchor);
  }

  /** Tries again to read what could not be read. */
  again(): void {
    this.observe();
  }

  loaded(): HTMLElement[] {
    return this.slots.filter(slot => slot.state === 'loaded').map(slot => slot.element);
  }

  close(): void {
    this.isEnded = true;
    for (const slot of this.slots) slot.abort?.abort();
    this.observers.close();
  }

  private slot(chunk: Chunk): Slot {
    const element = document.createElement('div');
    element.className = 'chunk';
    const slot: Slot = { chunk, element, state: 'empty' };
    this.bySlot.set(element, slot);
    this.estimate(slot);
    return slot;
  }

  private estimate(slot: Slot): void {
    slot.element.style.height = `${Math.round(slot.chunk.height * heightFactor(this.options.host.clientWidth))}px`;
  }

  private observe(): void {
    this.observers.watch(this.slots.map(slot => slot.element));
  }

  private onNear(element: Element, isNear: boolean): void {
    const slot = this.bySlot.get(element);
    if (!slot || !this.slots.includes(slot)) return;
    if (isNear) void this.load(slot);
    // Somebody drags the scroll bar: what has passed by is not read.
    else if (slot.state === 'loading' && this.isWindowed) slot.abort?.abort();
  }

  private onFar(element: Element): void {
    const slot = this.bySlot.get(element);
    if (this.isWindowed && slot?.state === 'loaded') this.drop(slot);
  }

  private onReading(section: HTMLElement): void {
    const slot = section.parentElement && this.bySlot.get(section.parentElement);
    if (slot) this.options.onTurn(slot.chunk.part, section.dataset.turn ?? '');
  }

  private load(slot: Slot): Promise<void> {
    if (slot.state === 'loaded') return Promise.resolve();
    if (slot.loading) return slot.loading;
    slot.state = 'loading';
    const abort = new AbortController();
    slot.abort = abort;
    slot.loading = this.options.read(slot.chunk, abort.signal).then(
      fragment => {
        // Asked for again, from another step.
        if (slot.abort !== abort) return;
        slot.loading = undefined;
        if (!this.slots.includes(slot)) return;
        const isCut = this.meetNext(slot, fragment);
        const parts = !isCut && fragment.nextTurn && splitChunk(slot.chunk, fragment.nextTurn, fragment.nextStep);
        this.keep(() => {
          if (parts) {
            slot.chunk = parts[0];
            const rest = this.slot(parts[1]);
            this.slots.splice(this.slots.indexOf(slot) + 1, 0, rest);
            slot.element.after(rest.element);
            this.observers.add(rest.element);
          }
          this.fill(slot, fragment.content);
        });
      },
      (reason: unknown) => {
        if (slot.abort !== abort) return;
        slot.loading = undefined;
        slot.state = 'empty';
        if (!abort.signal.aborted) this.options.onError(reason instanceof Error ? reason : new Error(String(reason)));
      },
    );
    return slot.loading;
  }

  /**
   * Where the next chunks go on with the same turn, ends a fragment at those that have been read
   * and moves the others to its end. Returns whether the chunk needs no other one after it.
   */
  private meetNext(slot: Slot, { content, nextTurn, nextStep }: Fragment): boolean {
    const at = this.slots.indexOf(slot);
    const following: Slot[] = [];
    for (const next of this.slots.slice(at + 1)) {
      if (!isContinued(slot.chunk, next.chunk)) break;
      following.push(next);
    }
    if (following.length === 0) return false;
    const isInside = nextTurn === slot.chunk.turns.at(-1) && nextStep > 0;
    const { count, step } = overtaken(
      following.map(next => next.chunk),
      isInside ? nextStep : undefined,
    );
    this.keep(() => {
      for (const gone of following.slice(0, count)) {
        this.forget(gone);
        gone.element.remove();
        this.slots.splice(this.slots.indexOf(gone), 1);
      }
    });
    const [next] = following.slice(count);
    if (!next) return !isInside;
    if (isInside && next.chunk.step === nextStep) return true;
    if (next.chunk.begins !== undefined) return cutBefore(content, next.chunk.begins);
    // What lies between is read by a chunk of its own.
    if (step === undefined || step > nextStep) return false;
    next.chunk.step = step;
    if (next.state === 'loading') {
      next.abort?.abort();
      next.loading = undefined;
      void this.load(next);
    }
    return true;
  }

  private fill(slot: Slot, content: DocumentFragment): void {
    if (slot.chunk.step !== undefined) slot.chunk.begins = firstMessage(content) ?? slot.chunk.begins;
    slot.element.replaceChildren(content);
    slot.element.style.height = '';
    slot.state = 'loaded';
    for (const section of slot.element.querySelectorAll(':scope > section[data-turn]')) this.observers.read(section);
    remember(slot.element);
    this.options.onLoad(slot.element, slot.chunk);
    fixHeights(slot.element);
  }

  private drop(slot: Slot): void {
    const height = slot.element.offsetHeight;
    this.keep(() => {
      this.forget(slot);
      slot.element.style.height = `${height}px`;
      slot.element.replaceChildren();
    });
    slot.chunk.height = height / heightFactor(this.options.host.clientWidth);
  }

  /** Drops a chunk that was read only to find what follows it. */
  private settle(slot: Slot): void {
    const { top, bottom } = slot.element.getBoundingClientRect();
    if (this.isWindowed && slot.state === 'loaded' && (bottom < -FAR || top > innerHeight + FAR)) this.drop(slot);
  }

  private forget(slot: Slot): void {
    slot.abort?.abort();
    slot.loading = undefined;
    slot.state = 'empty';
    for (const section of slot.element.querySelectorAll(':scope > section')) this.observers.unread(section);
  }
}
