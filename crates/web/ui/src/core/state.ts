// What the server says about itself: it is in the page, so that the first paint needs no
// request, and is read again when the server may have changed.

import { signal } from '@preact/signals';
import type { WebStateDocument } from '../schema';
import { parseHarmless } from './harmless';

function ofPage(): WebStateDocument {
  const element = document.getElementById('state');
  return parseHarmless(element?.textContent || '{}') as WebStateDocument;
}

/** The state of the server. */
export const state = signal<WebStateDocument>(ofPage());

/** Why the server does not answer, if it does not; `paused`: it has no event stream left for this browser. */
export type Connection = 'ok' | 'stopped' | 'closed' | 'restarted' | 'paused';
export const connection = signal<Connection>('ok');
