// Pages are loaded in groups, each a script of its own, so that no page waits for the code of
// the others. `build.mjs` reads this table to tell the server which scripts a page begins with.

import type { ComponentChildren } from 'preact';

/** The pages of a group, by the first part of their paths. */
export type Pages = Record<string, (parts: readonly string[]) => ComponentChildren>;

type Load = () => Promise<{ pages: Pages }>;

const loads: Record<string, Load> = {
  '': () => import('./home'),
  s: () => import('./session'),
  search: () => import('./search'),
  usage: () => import('./usage'),
  sessions: () => import('./lists'),
  prompts: () => import('./lists'),
  plans: () => import('./lists'),
  marks: () => import('./lists'),
  tools: () => import('./work'),
  files: () => import('./work'),
  commits: () => import('./work'),
  live: () => import('./work'),
  archive: () => import('./care'),
  doctor: () => import('./care'),
  sql: () => import('./care'),
  settings: () => import('./care'),
};

/** Loads the group that has a page. Nothing if there is no such page. */
export async function loadPages(page: string): Promise<Pages | undefined> {
  return Object.hasOwn(loads, page) ? (await loads[page]?.())?.pages : undefined;
}
