// The page is in the URL, with all of its state: every view can be linked and bookmarked.

import { computed, signal } from '@preact/signals';
import { base, type Parameters, queryString } from './base';

function here(): URL {
  return new URL(location.href);
}

const current = signal(here());

/** The path below the base, decoded: `['s', ID]`. */
export const path = computed(() => {
  const pathname = current.value.pathname;
  const below = pathname.startsWith(base) ? pathname.slice(base.length) : '';
  return below.split('/').filter(Boolean).map(decodeSafely);
});

/** The query of the page. */
export const query = computed(() => current.value.searchParams);

/** What follows `#`, decoded. */
export const hash = computed(() => decodeSafely(current.value.hash.slice(1)));

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A parameter of the page, or an empty string. */
export function parameter(name: string): string {
  return query.value.get(name) ?? '';
}

/** Goes to an address below the base. */
export function go(to: string, options: { replaces?: boolean } = {}): void {
  const url = new URL(to, location.href);
  if (url.origin !== location.origin || !url.pathname.startsWith(base)) return;
  if (url.href !== location.href) {
    if (options.replaces) history.replaceState(null, '', url);
    else history.pushState(null, '', url);
  }
  const isOtherPage = url.pathname !== current.peek().pathname;
  current.value = url;
  if (isOtherPage && !url.hash) scrollTo(0, 0);
}

/** Changes parameters of this page; empty values remove them. */
export function change(parameters: Parameters, options: { replaces?: boolean; hash?: string } = {}): void {
  const all: Parameters = Object.fromEntries(query.peek());
  const url = new URL(location.href);
  url.search = queryString({ ...all, ...parameters });
  if (options.hash !== undefined) url.hash = options.hash;
  go(url.href, options);
}

addEventListener('popstate', () => {
  current.value = here();
});
addEventListener('hashchange', () => {
  current.value = here();
});

// Links are ordinary links: they open in other tabs, can be copied, and work without this.
addEventListener('click', event => {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.('a[href]');
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return;
  const url = new URL(link.href);
  const isPage = url.origin === location.origin && url.pathname.startsWith(base);
  const below = url.pathname.slice(base.length);
  if (!isPage || /^(api|fragment|image|export|assets)\//.test(below)) return;
  event.preventDefault();
  go(url.href);
});
