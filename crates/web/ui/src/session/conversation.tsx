// The conversation, and a few buttons beside the message under the pointer.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { counted } from '../core/format';
import { copyText } from '../parts/basics';
import type { Explorer } from './explorer';

/** Buttons of a message. One set serves all messages, so that thousands of them need none. */
function MessageTools({ explorer, message }: { explorer: Explorer; message: HTMLElement }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const host = box.current?.parentElement;
    if (!box.current || !host) return;
    box.current.style.top = `${message.getBoundingClientRect().top - host.getBoundingClientRect().top}px`;
  });
  const choose = () => {
    explorer.select(message);
  };
  return (
    <div class="message-tools" ref={box} role="group" aria-label="Message">
      <button
        type="button"
        title="Copy a link to this message (y)"
        aria-label="Copy a link to this message"
        onClick={() => {
          choose();
          void explorer.copy(explorer.link(), 'Link copied.');
        }}
      >
        #
      </button>
      <button
        type="button"
        title="Show the raw record (r)"
        aria-label="Show the raw record"
        onClick={() => {
          choose();
          explorer.showRecord();
        }}
      >
        {'{}'}
      </button>
    </div>
  );
}

export function Conversation({ explorer }: { explorer: Explorer }) {
  const host = useRef<HTMLDivElement>(null);
  const under = useSignal<HTMLElement | undefined>(undefined);
  const view = explorer.view.value;
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    explorer.open(element);
    const onToggle = (event: Event) => {
      if (event.target instanceof HTMLDetailsElement && event.target.open) void explorer.folds.fill(event.target);
    };
    const onClick = (event: MouseEvent) => {
      const target = event.target as Element;
      const copy = target.closest<HTMLElement>('button.copy');
      const more = target.closest<HTMLAnchorElement>('a.more');
      const turn = target.closest<HTMLAnchorElement>('section > h2 a[href^="#t"]');
      const fold = target.closest('summary')?.parentElement;
      // The click opens or closes it after this.
      if (fold instanceof HTMLDetailsElement && !target.closest('a, button')) explorer.folds.choose(fold, !fold.open);
      const part = target.closest<HTMLElement>('button.switch-part')?.dataset.part;
      if (part) {
        explorer.setView({ part });
      } else if (copy) {
        const code = copy.closest('pre');
        void copyText(code?.textContent ?? '').then(() => explorer.say('Copied.'));
      } else if (more) {
        event.preventDefault();
        void explorer.folds.more(more);
      } else if (turn) {
        event.preventDefault();
        const section = turn.closest<HTMLElement>('.chunk > section[data-turn]');
        if (section) void explorer.scrollTo(section);
        void explorer.copy(explorer.link(), 'Link copied.');
      }
    };
    // `toggle` does not bubble.
    element.addEventListener('toggle', onToggle, true);
    element.addEventListener('click', onClick);
    return () => {
      element.removeEventListener('toggle', onToggle, true);
      element.removeEventListener('click', onClick);
    };
  }, []);
  const onPointer = (event: PointerEvent) => {
    const message = (event.target as Element).closest<HTMLElement>('.m[id]');
    if (message && message !== under.value) under.value = message;
  };
  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    if (target.closest('a, button, input') || !getSelection()?.isCollapsed) return;
    const message = target.closest<HTMLElement>('.m');
    if (message && message !== explorer.block.peek()) explorer.mark(message);
  };
  const unseen = explorer.unseen.value;
  const classes = ['turns', view.thinking ? '' : 'no-thinking', view.part.startsWith('b') ? 'in-branch' : ''].filter(Boolean).join(' ');
  return (
    <div class="conversation" onPointerOver={onPointer} onClick={onClick}>
      <div class={classes} ref={host} role="region" aria-label="Conversation" aria-busy={!explorer.outline.value} />
      {under.value?.isConnected && under.value.id && <MessageTools explorer={explorer} message={under.value} />}
      {unseen > 0 && (
        <button type="button" class="unseen" onClick={() => void explorer.goToEnd()}>
          {counted(unseen, 'new message')} ↓
        </button>
      )}
    </div>
  );
}
