// The field for the query, with hints of the fields.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { FIELDS, fieldsAt } from './query';

/** How long typing has to pause before the server is asked. */
const PAUSE = 160;

export interface BoxProps {
  query: string;
  /** The query changed; `isFinal` after Enter. */
  onQuery: (query: string, isFinal: boolean) => void;
  /** The down key: goes to the first hit. */
  onDown: () => void;
  isBusy: boolean;
}

export function SearchBox({ query, onQuery, onDown, isBusy }: BoxProps) {
  const field = useRef<HTMLInputElement>(null);
  const text = useSignal(query);
  const cursor = useSignal(0);
  const timer = useRef<number | undefined>(undefined);
  const sent = useRef(query);
  useEffect(() => {
    // Another part of the page, or the back button, changed the query.
    if (query !== sent.current) {
      clearTimeout(timer.current);
      sent.current = query;
      text.value = query;
    }
  }, [query]);
  useEffect(() => {
    field.current?.focus();
    return () => clearTimeout(timer.current);
  }, []);
  const send = (isFinal: boolean) => {
    clearTimeout(timer.current);
    sent.current = text.peek().trim();
    onQuery(sent.current, isFinal);
  };
  const onInput = (event: { currentTarget: HTMLInputElement }) => {
    text.value = event.currentTarget.value;
    cursor.value = event.currentTarget.selectionStart ?? text.value.length;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(false), PAUSE);
  };
  const hints = fieldsAt(text.value, cursor.value);
  const complete = (name: string) => {
    if (!hints) return;
    const behind = text.value.slice(cursor.value);
    text.value = `${text.value.slice(0, hints.from)}${name}:${behind}`;
    const at = hints.from + name.length + 1;
    cursor.value = at;
    field.current?.focus();
    requestAnimationFrame(() => field.current?.setSelectionRange(at, at));
  };
  return (
    <search class="search-box">
      <input
        id="query"
        ref={field}
        type="search"
        aria-label="Search all sessions"
        aria-describedby="query-hints"
        placeholder={'Words, "phrases", -without, this OR that, tool:Bash, since:2w'}
        autocomplete="off"
        spellcheck={false}
        value={text.value}
        aria-busy={isBusy}
        onInput={onInput}
        onKeyDown={event => {
          if (event.key === 'Enter') send(true);
          else if (event.key === 'ArrowDown') {
            event.preventDefault();
            onDown();
          } else if (event.key === 'Escape') {
            // The browser would empty the field.
            event.preventDefault();
            field.current?.blur();
          }
        }}
      />
      <div id="query-hints" class="search-hints">
        {hints ? (
          hints.fields.slice(0, 4).map(([name, meaning]) => (
            <button key={name} type="button" class="quiet" onClick={() => complete(name)}>
              <code>{name}:</code> {meaning}
            </button>
          ))
        ) : (
          <Syntax />
        )}
      </div>
    </search>
  );
}

/** The language of queries, in a fold. */
function Syntax() {
  return (
    <details class="syntax">
      <summary>How to ask</summary>
      <div class="syntax-body">
        <dl>
          <dt>
            <code>word</code> <code>wor*</code>
          </dt>
          <dd>a word; the beginning of one. All words must match.</dd>
          <dt>
            <code>"a phrase"</code>
          </dt>
          <dd>words in this order</dd>
          <dt>
            <code>-word</code> <code>-tool:Bash</code>
          </dt>
          <dd>without it</dd>
          <dt>
            <code>this OR that</code>
          </dt>
          <dd>one of them</dd>
          {FIELDS.map(([name, meaning, example]) => (
            <>
              <dt key={name}>
                <code>{example}</code>
              </dt>
              <dd>{meaning}</dd>
            </>
          ))}
        </dl>
      </div>
    </details>
  );
}
