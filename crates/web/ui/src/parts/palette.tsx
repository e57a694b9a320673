// The command palette: pages, sessions by title, words, actions.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useAnswer } from '../core/api';
import { address, sessionAddress } from '../core/base';
import { ago, lastPart } from '../core/format';
import { go } from '../core/router';
import { toggleTheme } from '../core/theme';
import type { SessionRowsDocument } from '../schema';
import { Dialog } from './dialog';

interface Entry {
  key: string;
  name: string;
  note?: string;
  run: () => void;
}

const PAGES: readonly (readonly [string, string])[] = [
  ['', 'Home'],
  ['sessions', 'Sessions'],
  ['search', 'Search'],
  ['usage', 'Usage'],
  ['files', 'Files'],
  ['tools', 'Tools'],
  ['live', 'Live'],
  ['prompts', 'Prompts'],
  ['plans', 'Plans'],
  ['marks', 'Marks'],
  ['archive', 'Archive'],
  ['doctor', 'Doctor'],
  ['sql', 'SQL'],
  ['settings', 'Settings'],
];

/** Waits until typing pauses, so that every letter is not a request. */
function usePaused(text: string, milliseconds: number): string {
  const paused = useSignal(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      paused.value = text;
    }, milliseconds);
    return () => clearTimeout(timer);
  }, [text]);
  return paused.value;
}

export function Palette({ onClose }: { onClose: () => void }) {
  const text = useSignal('');
  const chosen = useSignal(0);
  const field = useRef<HTMLInputElement>(null);
  const asked = usePaused(text.value.trim(), 80);
  const sessions = useAnswer<SessionRowsDocument>('sessions', { q: asked, limit: 8 });
  const typed = text.value.trim().toLowerCase();
  const visit = (to: string) => () => {
    onClose();
    go(to);
  };
  const actions: Entry[] = [
    {
      key: 'theme',
      name: 'Switch between light and dark',
      run: () => {
        toggleTheme();
        onClose();
      },
    },
  ];
  const entries: Entry[] = [
    ...(typed ? [{ key: 'words', name: `Search for “${text.value.trim()}”`, run: visit(address('search', { q: text.value.trim() })) }] : []),
    ...PAGES.filter(([, name]) => name.toLowerCase().includes(typed)).map(([page, name]) => ({
      key: `page ${page}`,
      name,
      note: 'page',
      run: visit(address(page)),
    })),
    ...(sessions.data?.sessions ?? []).map(session => ({
      key: session.id,
      name: session.title ?? session.id,
      note: `${lastPart(session.project)} · ${ago(session.changed_at)}`,
      run: visit(sessionAddress(session.id)),
    })),
    ...actions.filter(action => action.name.toLowerCase().includes(typed)),
  ];
  const at = Math.min(chosen.value, entries.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      chosen.value = (at + by + entries.length) % Math.max(entries.length, 1);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      entries[at]?.run();
    }
  };
  useEffect(() => field.current?.focus(), []);
  return (
    <Dialog label="Go to" onClose={onClose} class="palette">
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label="Go to a session, a page or words"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries[at] ? `palette-${at}` : undefined}
        placeholder="A session, a page, or words to search for"
        value={text.value}
        onInput={event => {
          text.value = event.currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-list" role="listbox" aria-label="Results">
        {entries.map((entry, index) => (
          <li key={entry.key} id={`palette-${index}`} role="option" aria-selected={index === at} onClick={entry.run} onMouseMove={() => (chosen.value = index)}>
            <span>{entry.name}</span>
            {entry.note && <span class="soft">{entry.note}</span>}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
