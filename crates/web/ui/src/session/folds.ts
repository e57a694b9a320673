// Folds of the conversation: two switches for diffs and outputs, agents and branches that are read
// when they are opened, long outputs that are read whole, and copy buttons.

import { readFragment, readFragmentAt } from '../core/fragment';
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
}

/** Whether a call shows a change of a file. */
export function isDiff(call: Element): boolean {
  return !!call.querySelector(':scope > pre > ins, :scope > pre > del, :scope > pre > code > ins, :scope > pre > code > del');
}

export class Folds {
  /** Folds that the reader opened or closed, by the id of their message. */
  private readonly chosen = new Map<string, boolean>();
  /** Set while the page itself opens and closes folds. */
  private isApplying = false;

  constructor(private readonly explorer: Explorer) {}

  /** Opens and closes the folds of an element as the switches say, unless the reader chose. */
  apply(element: HTMLElement): void {
    const { diffs, outputs, agents } = this.explorer.view.peek();
    this.isApplying = true;
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
    queueMicrotask(() => {
      this.isApplying = false;
    });
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

  /** A fold was opened or closed. */
  onToggle(fold: HTMLDetailsElement): void {
    if (!this.isApplying) this.chosen.set(this.nameOf(fold), fold.open);
    if (fold.open) void this.fill(fold);
  }

  /** Reads what an agent or a branch has, if the server left it out. */
  async fill(fold: HTMLDetailsElement): Promise<void> {
    const { agent, branch } = fold.dataset;
    if ((!agent && !branch) || fold.querySelector(':scope > :not(summary)')) return;
    const { explorer } = this;
    const waiting = document.createElement('p');
    waiting.className = 'soft loading';
    waiting.textContent = 'Loading…';
    fold.append(waiting);
    try {
      const path = `sessions/${encodeURIComponent(explorer.id)}/turns`;
      const parameters = { ...explorer.parameters(), ...(agent ? { agent } : { part: `b${branch}` }) };
      let from: string | undefined;
      do {
        const fragment = await readFragment(path, { ...parameters, from });
        if (!fold.isConnected) return;
        // The ids of turns belong to the conversation of the page.
        for (const section of fragment.content.querySelectorAll('section[id]')) section.removeAttribute('id');
        const sections = [...fragment.content.children];
        explorer.window?.keep(() => {
          waiting.before(fragment.content);
          for (const section of sections) {
            if (!(section instanceof HTMLElement)) continue;
            decorate(section);
            this.apply(section);
            for (const listener of explorer.onElements) listener(section);
          }
        });
        from = fragment.nextTurn;
      } while (from);
      waiting.remove();
      explorer.loads.value++;
    } catch (error) {
      waiting.classList.remove('loading');
      waiting.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  /** Puts the whole of an output in place of its beginning and end. */
  async whole(link: HTMLAnchorElement): Promise<void> {
    if (link.getAttribute('aria-busy') === 'true') return;
    link.setAttribute('aria-busy', 'true');
    try {
      const { content } = await readFragmentAt(link.href);
      const shown = link.closest('pre') ?? link.closest('p')?.previousElementSibling ?? link.previousElementSibling;
      const holder = link.closest('p') ?? link;
      const fresh = [...content.children].filter(child => child instanceof HTMLElement) as HTMLElement[];
      this.explorer.window?.keep(() => {
        if (shown?.localName === 'pre') shown.replaceWith(content);
        else holder.before(content);
        holder.remove();
        for (const element of fresh) {
          if (element.parentElement) decorate(element.parentElement);
          for (const listener of this.explorer.onElements) listener(element);
        }
      });
    } catch (error) {
      link.removeAttribute('aria-busy');
      this.explorer.say(error instanceof Error ? error.message : String(error));
    }
  }

  /** Opens all folds around an element. */
  reveal(element: Element): void {
    for (let fold = element.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) {
      if (fold === element || !fold.firstElementChild?.contains(element)) fold.open = true;
    }
  }
}
