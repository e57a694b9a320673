// The tabs of the pages that list things in sessions.

import { address } from '../core/base';
import { path } from '../core/router';

const TABS = [
  ['sessions', 'Sessions'],
  ['prompts', 'Prompts'],
  ['plans', 'Plans'],
  ['marks', 'Marks'],
] as const;

export function ListTabs() {
  const here = path.value[0];
  return (
    <nav class="tabs" aria-label="Lists">
      {TABS.map(([page, name]) => (
        <a key={page} href={address(page)} aria-current={here === page ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
