// Keys. A page registers its keys while it is shown; `?` lists those in force. Letters act
// only outside of text fields. A key may be a sequence: `g h`.

import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

export interface Key {
  /** What it does, for the list of keys. */
  does: string;
  run: (event: KeyboardEvent) => void;
  /** Whether it also acts inside text fields. */
  everywhere?: boolean;
}

/** Keys by name: `j`, `J`, `?`, `g h`, `Ctrl+k`, `Escape`, `ArrowDown`. */
export type Keys = Record<string, Key>;

export interface KeyGroup {
  title: string;
  keys: Keys;
}

/** The groups in force; the last one registered comes first. */
export const groups = signal<KeyGroup[]>([]);

/** How long a second key may take. */
const PATIENCE = 1200;

let begun = '';
let begunAt = 0;

function nameOf(event: KeyboardEvent): string {
  const control = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
  return control + (control ? event.key.toLowerCase() : event.key);
}

function isText(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return !!element?.closest?.('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]');
}

addEventListener('keydown', event => {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const name = nameOf(event);
  if (['Shift', 'Control', 'Meta', 'Alt'].includes(event.key)) return;
  const sequence = begun && event.timeStamp - begunAt < PATIENCE ? `${begun} ${name}` : '';
  begun = '';
  const inText = isText(event.target);
  // An open dialog has its own keys.
  const isModal = !!document.querySelector('dialog[open]');
  for (const wanted of [sequence, name]) {
    if (!wanted) continue;
    for (const group of groups.value) {
      const key = group.keys[wanted];
      if (!key || ((inText || isModal) && !key.everywhere)) continue;
      event.preventDefault();
      key.run(event);
      return;
    }
  }
  if (inText || isModal) return;
  const begins = groups.value.some(group => Object.keys(group.keys).some(key => key.startsWith(`${name} `)));
  if (begins) {
    begun = name;
    begunAt = event.timeStamp;
  }
});

/** Registers keys while the component is shown. */
export function useKeys(title: string, keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    // The group reads the newest functions, so that it is registered once.
    const group: KeyGroup = {
      title,
      get keys() {
        return latest.current;
      },
    };
    groups.value = [group, ...groups.peek()];
    return () => {
      groups.value = groups.peek().filter(other => other !== group);
    };
  }, [title]);
}
