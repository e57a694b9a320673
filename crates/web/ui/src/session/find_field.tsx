// The field for words to find, the number of hits, and a list of them.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { whole } from '../core/format';
import type { Finder, Hit } from './finder';

/** Hits that the list shows around the current one. */
const LISTED = 60;

function place(hit: Hit): string {
  const part = hit.part === 'main' ? '' : hit.part.startsWith('agent:') ? ' agent' : hit.part.startsWith('b') ? ' abandoned' : ' orphaned';
  return `${hit.turn}${part}`;
}

export function FindField({ finder }: { finder: Finder }) {
  const field = useRef<HTMLInputElement>(null);
  const isListed = useSignal(false);
  const timer = useRef(0);
  useEffect(() => {
    field.current?.focus();
    if (finder.words.peek()) void finder.ask(false);
    return () => clearTimeout(timer.current);
  }, []);
  const answer = finder.answer.value;
  const at = finder.at.value;
  const onInput = () => {
    finder.words.value = field.current?.value ?? '';
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void finder.ask(false), 160) as unknown as number;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      clearTimeout(timer.current);
      const isFresh = answer?.query === finder.words.value;
      if (isFresh) void finder.move(event.shiftKey ? -1 : 1);
      else void finder.ask(true);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      finder.close();
    }
  };
  const total = answer?.total ?? 0;
  const said = !finder.words.value
    ? ''
    : finder.error.value
      ? 'error'
      : !answer
        ? '…'
        : total === 0
          ? 'not found'
          : at < 0
            ? `${whole(total)}${answer.truncated ? '+' : ''} found`
            : `${whole(at + 1)} of ${whole(total)}${answer.truncated ? '+' : ''}`;
  const from = Math.max(Math.min(at - LISTED / 2, (answer?.hits.length ?? 0) - LISTED), 0);
  return (
    <div class="find" role="search">
      <input
        ref={field}
        type="search"
        aria-label="Find in all turns of this session"
        placeholder="Find in all turns"
        value={finder.words.value}
        onInput={onInput}
        onKeyDown={onKeyDown}
      />
      <button
        type="button"
        class="find-case"
        aria-pressed={finder.isCaseSensitive.value}
        title="Match case"
        onClick={() => {
          finder.isCaseSensitive.value = !finder.isCaseSensitive.value;
          void finder.ask(false);
        }}
      >
        Aa
      </button>
      <button
        type="button"
        class="find-count number"
        aria-expanded={isListed.value}
        aria-live="polite"
        disabled={total === 0}
        title={finder.error.value || 'List the hits'}
        onClick={() => (isListed.value = !isListed.value)}
      >
        {said}
      </button>
      <button type="button" aria-label="Previous hit" title="Previous hit (N)" disabled={total === 0} onClick={() => void finder.move(-1)}>
        ↑
      </button>
      <button type="button" aria-label="Next hit" title="Next hit (n)" disabled={total === 0} onClick={() => void finder.move(1)}>
        ↓
      </button>
      <button type="button" aria-label="Close find" title="Close (Escape)" onClick={() => finder.close()}>
        ✕
      </button>
      {isListed.value && answer && (
        <ol class="find-list" start={from + 1} aria-label="Hits">
          {answer.hits.slice(from, from + LISTED).map((hit, index) => (
            <li key={from + index}>
              <button type="button" aria-current={from + index === at ? 'true' : undefined} onClick={() => void finder.goTo(from + index)}>
                <span class="soft number">{place(hit)}</span>
                <span class="cut">
                  {hit.before}
                  <mark>{hit.match}</mark>
                  {hit.after}
                </span>
                <span class="soft">{hit.tool ?? hit.kind}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
