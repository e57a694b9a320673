// What a session's page knows: the outline, where the reader is, what is open.

import { computed, type Signal, signal } from '@preact/signals';
import { query } from '../core/router';
import { copyText } from '../parts/basics';
import type { Outline, OutlineAgent, OutlineTurn } from './outline_data';
import { viewOf } from './place';

/** A small dialog of the page. */
export type OpenDialog =
  | { kind: 'mark'; turn: string }
  | { kind: 'tag' }
  | { kind: 'rename' }
  | { kind: 'record'; uuid: string; agent: string }
  | { kind: 'outline' }
  | { kind: 'details' };

/** The turn that is being read. */
export interface Place {
  part: string;
  turn: string;
}

export class ExplorerState {
  readonly outline = signal<Outline | undefined>(undefined);
  /** The title that the server put into the page, until the outline has it. */
  readonly title = signal('');
  readonly at: Signal<Place> = signal({ part: 'main', turn: '' });
  /** The message that keys act on. */
  readonly block = signal<HTMLElement | undefined>(undefined);
  readonly dialog = signal<OpenDialog | undefined>(undefined);
  /** Said once, for a moment. */
  readonly notice = signal('');
  readonly error = signal<Error | undefined>(undefined);
  /** Increases when turns come into the document. */
  readonly loads = signal(0);
  /** Increases when the outline is to be read again. */
  readonly reload = signal(0);
  readonly isFollowing = signal(false);
  /** Messages that were written while the reader was elsewhere. */
  readonly unseen = signal(0);
  readonly view = computed(() => viewOf(query.value));
  private noticeTimer = 0;

  constructor(
    readonly id: string,
    readonly agent: string,
  ) {}

  /** The turn that is being read, from the outline. */
  readonly turn = computed<OutlineTurn | undefined>(() => this.turnOf(this.at.value));

  turnOf({ part, turn }: Place): OutlineTurn | undefined {
    const outline = this.outline.value;
    if (!outline) return undefined;
    const thread = outline.branches.find(branch => part === `b${branch.number}`) ?? outline.orphans.find(orphan => part === `o${orphan.number}`);
    return (thread ?? outline).turns.find(other => other.turn === turn);
  }

  agentOf(id: string): OutlineAgent | undefined {
    return this.outline.value?.agents.find(agent => agent.id === id);
  }

  async copy(text: string | null | undefined, said: string): Promise<void> {
    if (!text) return;
    await copyText(text);
    this.say(said);
  }

  say(text: string): void {
    this.notice.value = text;
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => {
      this.notice.value = '';
    }, 2600) as unknown as number;
  }

  protected closeState(): void {
    clearTimeout(this.noticeTimer);
  }
}
