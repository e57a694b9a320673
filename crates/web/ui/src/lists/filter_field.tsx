// The field that filters a list. What is typed goes into the URL when typing pauses.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useKeys } from '../core/keys';
import { change, parameter } from '../core/router';

/** How long typing must pause before the list is asked again. */
const PAUSE = 150;

export function FilterField({ name = 'q', label, placeholder }: { name?: string; label: string; placeholder: string }) {
  const inUrl = parameter(name);
  const text = useSignal(inUrl);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (inUrl !== text.peek().trim()) text.value = inUrl;
  }, [inUrl]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text.peek().trim() !== parameter(name)) change({ [name]: text.peek().trim() }, { replaces: true });
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [text.value]);
  useKeys('Filter', { '/': { does: 'Filter', run: () => field.current?.focus() } });
  return (
    <input
      ref={field}
      class="filter"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={text.value}
      onInput={event => {
        text.value = event.currentTarget.value;
      }}
      onKeyDown={event => {
        if (event.key === 'Escape') field.current?.blur();
      }}
    />
  );
}
