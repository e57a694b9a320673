// Folds of the conversation: two switches for diffs and outputs, agents and branches that are read
// when they are opened, long outputs that are read whole, and copy buttons.

import { readFragmentAt } from '../core/fragment';
import type { Explorer } from './explorer';

/** Adds what a page can do with elements from the server. */
export function decorate(element: HTMLElement): void {
  for (const code of element.querySelectorAll('pre')) {
    if (code.querySelector(':scope > .copy') || code.textContent === '') continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.setAttribute('aria-label', 'Copy');
    code.prepend(button);
    // A box that scrolls must be reachable by keyboard.
    code.tabIndex = 0;
  }
  const folds = [...element.querySelectorAll<HTMLElement>('details[data-branch], details[data-orphan]')];
  for (const fold of folds) {
    if (fold.querySelector(':scope > .switch-part')) continue;
    const { branch, orphan } = fold.dataset;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'switch-part';
    button.dataset.part = branch ? `b${branch}` : `o${orphan}`;
    button.textContent = branch ? 'Show this branch in place of what follows' : 'Show this segment alone';
    fold.querySelector(':scope > summary')?.after(button);
  }
}

/** A branch begins with its day, which the turns before it may have said already. */
export function hideRepeatedDay(chunk: HTMLElement): void {
  const day = chunk.querySelector<HTMLElement>(':scope > .day');
  const before = [...(chunk.previousElementSibling?.querySelectorAll('.day') ?? [])].at(-1);
  if (day && day === chunk.firstElementChild && before?.textContent === day.textContent) day.hidden = true;
}

/** Whether a call shows a change of a file. */
export function isDiff(call: Element): boolean {
  return !!call.querySelector(':scope > pre > ins, :scope > pre > del, :scope > pre > code > ins, :scope > pre > code > del');
}

export class Folds {
  /** Folds that the reader opened or closed, by the id of their message. */
  private readonly chosen = new Map<string, boolean>();

  constructor(private readonly explorer: Explorer) {}

  /** Opens and closes the folds of an element as the switches say, unless the reader chose. */
  apply(element: HTMLElement): void {
    const { diffs, outputs, agents } = this.explorer.view.peek();
    const calls = element.matches('details.c') ? [element as HTMLDetailsElement] : [];
    for (const call of [...calls, ...element.querySelectorAll<HTMLDetailsElement>('details.c')]) {
      const hasAgent = agents === 'inline' && !!call.querySelector(':scope > details.a');
      const usual = hasAgent || (isDiff(call) ? diffs : outputs);
      const open = this.chosen.get(call.id) ?? usual;
      if (call.open !== open) call.open = open;
    }
    for (const fold of element.querySelectorAll<HTMLDetailsElement>('details.a, details.b')) {
      const name = this.nameOf(fold);
      const open = this.chosen.get(name) ?? (agents === 'inline' && fold.matches('.a'));
      if (fold.open !== open) fold.open = open;
    }
  }

  /** The switches changed: the reader's choices end. */
  applyAll(): void {
    this.chosen.clear();
    const { window } = this.explorer;
    window?.keep(() => {
      for (const chunk of window.loaded()) this.apply(chunk);
    });
  }

  private nameOf(fold: HTMLElement): string {
    return fold.id || `agent ${fold.dataset.agent ?? ''} branch ${fold.dataset.branch ?? ''}`;
  }

  /** The reader opens or closes a fold. */
  choose(fold: HTMLDetailsElement, isOpen: boolean): void {
    this.chosen.set(this.nameOf(fold), isOpen);
  }

  /** Reads what an agent or a branch has, if the server left it out: then a link is all that is there. */
  async fill(fold: HTMLDetailsElement): Promise<void> {
    if (!fold.matches('.a, .b, .g')) return;
    const [only, ...others] = [...fold.children].filter(child => !child.matches('summary, .switch-part'));
    const link = others.length === 0 ? only?.querySelector<HTMLAnchorElement>(':scope > a.more') : null;
    if (link) await this.more(link);
  }

  /** Reads what a link stands for: the rest of an agent or a branch, a whole output, a whole message. */
  async more(link: HTMLAnchorElement): Promise<void> {
    if (link.getAttribute('aria-busy') === 'true') return;
    link.setAttribute('aria-busy', 'true');
    const { explorer } = this;
    try {
      const url = new URL(link.href);
      const { content, nextTurn, nextStep } = await readFragmentAt(link.href);
      const fresh = [...content.children].filter(child => child instanceof HTMLElement);
      // The ids of turns belong to the conversation of the page.
      for (const section of content.querySelectorAll('section[id]')) section.removeAttribute('id');
      const holder = link.closest('p') ?? link;
      const isRest = url.pathname.endsWith('/turns');
      explorer.window?.keep(() => {
        if (isRest) {
          holder.before(content);
          if (nextTurn) {
            url.searchParams.set('from', nextTurn);
            if (nextStep) url.searchParams.set('step', String(nextStep));
            else url.searchParams.delete('step');
            link.href = url.href;
            link.removeAttribute('aria-busy');
          } else holder.remove();
        } else {
          this.replace(link, holder, content);
        }
        for (const element of fresh) {
          decorate(element);
          if (isRest) this.apply(element);
          for (const listener of explorer.onElements) listener(element);
        }
      });
      explorer.loads.value++;
    } catch (error) {
      link.removeAttribute('aria-busy');
      explorer.say(error instanceof Error ? error.message : String(error));
    }
  }

  /** Puts a whole call or message in place of its beginning. */
  private replace(link: Element, holder: Element, content: DocumentFragment): void {
    const old = link.closest('.m');
    const whole = content.querySelector<HTMLElement>('.m');
    if (old && whole) {
      if (whole instanceof HTMLDetailsElement) whole.open = true;
      if (!whole.id) whole.id = old.id;
      // The agents that a call started stay as they are.
      if (!whole.querySelector('.a')) for (const agent of old.querySelectorAll(':scope > details.a')) whole.append(agent);
      old.replaceWith(whole);
      if (old === this.explorer.block.peek()) this.explorer.select(whole);
    } else {
      holder.replaceWith(content);
    }
  }

  /** Opens all folds around an element. */
  reveal(element: Element): void {
    for (let fold = element.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) {
      if (fold === element || !fold.firstElementChild?.contains(element)) fold.open = true;
    }
  }
}
