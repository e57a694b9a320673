// What the page says when there is nothing to show: no query, no hits, an index that is not
// complete.

import { address } from '../core/base';
import { moment } from '../core/format';
import { state } from '../core/state';
import { Empty } from '../parts/basics';
import type { HitsDocument } from '../schema';
import { relaxed, withWord } from './query';

const EXAMPLES: readonly (readonly [query: string, meaning: string])[] = [
  ['flaky test', 'both words, in any text'],
  ['"connection refused" tool:Bash', 'a phrase in calls and results of Bash'],
  ['is:error since:1w', 'what failed this week'],
  ['role:user migration', 'only what you typed'],
  ['file:main.rs is:prompt', 'prompts of sessions that touched a file'],
];

export function Start() {
  return (
    <Empty title="Search every prompt, answer, tool call and result.">
      <ul class="examples">
        {EXAMPLES.map(([query, meaning]) => (
          <li key={query}>
            <a href={address('search', { q: query })}>
              <code>{query}</code>
            </a>{' '}
            {meaning}
          </li>
        ))}
      </ul>
    </Empty>
  );
}

export function NoHits({ query, document }: { query: string; document: HitsDocument }) {
  const suggestions = document.similar_words.flatMap(({ word, similar }) => similar.slice(0, 4).map(other => [word, other] as const));
  const without = relaxed(query);
  return (
    <Empty title="No hits.">
      {suggestions.length > 0 && (
        <p>
          Did you mean{' '}
          {suggestions.map(([word, other], index) => (
            <span key={`${word} ${other}`}>
              {index > 0 && ', '}
              <a href={address('search', { q: withWord(query, word, other) })}>{other}</a>
            </span>
          ))}
          ?
        </p>
      )}
      {without.length > 0 && (
        <p>
          Search without{' '}
          {without.map((choice, index) => (
            <span key={choice.without}>
              {index > 0 && ', '}
              <a href={address('search', { q: choice.query })}>
                <code>{choice.without}</code>
              </a>
            </span>
          ))}
        </p>
      )}
      <p>
        All words must match. <code>wor*</code> finds beginnings of words; <code>annals grep</code> finds any pattern.
      </p>
    </Empty>
  );
}

/** Says what the index has not read yet. */
export function IndexNote({ document }: { document: Pick<HitsDocument, 'fresh' | 'index_complete' | 'covered_since'> }) {
  const { index } = state.value;
  if (document.index_complete && document.fresh) return null;
  const progress = index?.state === 'building' && index.total > 0 ? ` It is at ${Math.floor((100 * index.done) / index.total)}%.` : '';
  if (document.index_complete) {
    return (
      <p class="note" role="status">
        Another process is updating the index: the newest messages may be missing.
      </p>
    );
  }
  return (
    <p class="note" role="status">
      The index is not complete yet{document.covered_since ? `: it has read everything since ${moment(document.covered_since)}` : ''}.{progress} The
      answer is complete when it is done.
    </p>
  );
}
