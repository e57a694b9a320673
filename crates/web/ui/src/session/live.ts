// Following a session while it is written: its last turns are read again, what is being read does
// not move, and a line says up to where the reader has seen it.

import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type LiveEvent, useEvents } from '../core/events';
import { readFragment } from '../core/fragment';
import { store, storedText } from '../core/theme';
import type { Explorer } from './explorer';
import { type Seen, seenFrom } from './place';

/** Whether the end of the conversation is on the screen. */
function isAtEnd(): boolean {
  const turns = document.querySelector('.turns');
  return !!turns && turns.getBoundingClientRect().bottom <= innerHeight + 80;
}

export class Live {
  /** Where the reader was when the page was opened. */
  readonly seen = signal<Seen | undefined>(undefined);
  /** Whether the end was seen since. */
  private readonly isRead = signal(false);
  private readonly name: string;
  private outlineTimer = 0;
  private isUpdating = false;
  private isStale = false;
  private line: HTMLElement | undefined;

  constructor(private readonly explorer: Explorer) {
    this.name = `seen ${explorer.id} ${explorer.agent}`;
    this.seen.value = seenFrom(storedText(this.name));
    explorer.onElements.add(() => this.draw());
  }

  onEvent(event: LiveEvent): void {
    if (event.kind === 'reset' || event.kind === 'open') {
      this.readOutline(0);
      return;
    }
    if (event.kind !== 'watch') return;
    const data = event.data as { session_id?: string; agent_id?: string | null; event?: string };
    if (data.session_id !== this.explorer.id || data.event === 'usage') return;
    if (data.event === 'message' && (data.agent_id ?? '') === this.explorer.agent && !this.isFollowed()) this.explorer.unseen.value++;
    void this.update();
    this.readOutline(600);
  }

  private isFollowed(): boolean {
    return this.explorer.isFollowing.peek() || (isAtEnd() && !!this.explorer.window?.hasEnd());
  }

  /** Reads the outline again soon; what happens until then needs no other reading. */
  private readOutline(wait: number): void {
    if (this.outlineTimer) return;
    // The outline of a large session takes longer to write, and changes less.
    const least = this.explorer.window?.isWindowed ? 4 * wait : wait;
    this.outlineTimer = setTimeout(() => {
      this.outlineTimer = 0;
      this.explorer.reload.value++;
    }, least) as unknown as number;
  }

  /** Reads the last turns again. Events that arrive meanwhile cause one more reading. */
  private async update(): Promise<void> {
    const { explorer } = this;
    const { window } = explorer;
    const { part } = explorer.view.peek();
    if (!window?.hasEnd() || /^[bo]/.test(part)) return;
    if (this.isUpdating) {
      this.isStale = true;
      return;
    }
    this.isUpdating = true;
    try {
      do {
        this.isStale = false;
        const follows = this.isFollowed();
        const path = `sessions/${encodeURIComponent(explorer.id)}/turns`;
        window.update(await readFragment(path, { ...explorer.parameters(), part: 'main', ...window.tail() }));
        explorer.loads.value++;
        if (explorer.isFollowing.peek()) await explorer.goToEnd();
        else if (follows) explorer.unseen.value = 0;
      } while (this.isStale);
    } catch {
      // The next event tries again; the shell says if the server is gone.
    } finally {
      this.isUpdating = false;
    }
  }

  /** Stores what was seen, when the end is on the screen. */
  note(): void {
    const { explorer } = this;
    const outline = explorer.outline.peek();
    if (!outline || !explorer.window?.hasEnd() || !isAtEnd() || document.hidden) return;
    const last = explorer.window.loaded().at(-1)?.querySelectorAll('.m[id]');
    const uuid = last?.[last.length - 1]?.id.slice(2) ?? '';
    store(this.name, JSON.stringify({ uuid, turn: explorer.window.tail().from, line: outline.last_line } satisfies Seen));
    explorer.unseen.value = 0;
    this.isRead.value = true;
  }

  /** Draws the line after the last message that was seen, if others follow. */
  draw(): void {
    const seen = this.seen.peek();
    const outline = this.explorer.outline.peek();
    if (!seen?.uuid || !outline || outline.last_line <= seen.line || this.line?.isConnected) return;
    const message = document.getElementById(`m-${seen.uuid}`);
    const block = message?.closest('.chunk > section > *');
    if (!block) return;
    this.line ??= lastSeenLine();
    this.explorer.window?.keep(() => block.after(this.line as HTMLElement));
  }

  /** How many records were written since the session was last seen, until the end is seen again. */
  newRecords(): number {
    if (this.isRead.value) return 0;
    const seen = this.seen.value;
    const outline = this.explorer.outline.value;
    return seen && outline ? Math.max(outline.last_line - seen.line, 0) : 0;
  }

  close(): void {
    clearTimeout(this.outlineTimer);
  }
}

function lastSeenLine(): HTMLElement {
  const line = document.createElement('p');
  line.className = 'last-seen';
  line.setAttribute('role', 'separator');
  line.textContent = 'Last seen';
  return line;
}

/** Follows the session while the page is shown. */
export function useLive(explorer: Explorer): Live {
  const held = useRef<Live | undefined>(undefined);
  held.current ??= new Live(explorer);
  const live = held.current;
  const listener = useRef((event: LiveEvent) => live.onEvent(event));
  useEvents(listener.current, explorer.id);
  useEffect(() => {
    let last = scrollY;
    let timer = 0;
    const onScroll = () => {
      // Scrolling up ends following; the page itself only scrolls down.
      if (scrollY < last - 8 && !isAtEnd()) explorer.isFollowing.value = false;
      last = scrollY;
      clearTimeout(timer);
      timer = setTimeout(() => live.note(), 400) as unknown as number;
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      removeEventListener('scroll', onScroll);
      clearTimeout(timer);
      live.close();
    };
  }, []);
  return live;
}
