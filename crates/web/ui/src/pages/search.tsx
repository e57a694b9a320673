// Search: as you type, with facets, hits over time and context. All of it is in the query,
// and the query is in the URL.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError, get, useAnswer } from '../core/api';
import { address } from '../core/base';
import { indexVersion } from '../core/events';
import { counted, whole } from '../core/format';
import { useKeys } from '../core/keys';
import { change, parameter } from '../core/router';
import { Choice, ErrorNote, Loading, PageHeading } from '../parts/basics';
import type { FacetsDocument, Hit, HitsDocument } from '../schema';
import { SearchBox } from '../search/box';
import { Facets } from '../search/facets';
import { grouped, shownHits } from '../search/hits';
import { valueIn, withPeriod } from '../search/query';
import { Results } from '../search/results';
import { IndexNote, NoHits, Start } from '../search/states';
import { Timeline } from '../search/timeline';

const PAGE = 50;

export function Search() {
  const query = parameter('q');
  const sort = parameter('sort') === 'time' ? 'time' : 'score';
  const answer = useAnswer<HitsDocument>(query ? 'search' : null, { q: query, sort, limit: PAGE }, indexVersion);
  const facets = useAnswer<FacetsDocument>(query ? 'search/facets' : null, { q: query }, indexVersion);
  const setQuery = (text: string, isFinal = true) => change({ q: text }, { replaces: !isFinal });
  const list = useRef<HTMLDivElement>(null);
  const focusHit = (by: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('.hit .snippet') ?? [])];
    const at = links.findIndex(link => link === document.activeElement || link.closest('.hit')?.contains(document.activeElement));
    const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.max(0, Math.min(links.length - 1, at + by))];
    next?.focus();
    next?.closest('.hit')?.scrollIntoView({ block: 'nearest' });
  };
  useKeys('Search', {
    '/': { does: 'Go to the query', run: () => document.getElementById('query')?.focus() },
    j: { does: 'Next hit', run: () => focusHit(1) },
    k: { does: 'Previous hit', run: () => focusHit(-1) },
    Enter: { does: 'Open the hit at its place', run: () => (document.activeElement as HTMLElement | null)?.click() },
    x: {
      does: 'Show or hide the context of the hit',
      run: () => document.activeElement?.closest('.hit')?.querySelector<HTMLElement>('.hit-more')?.click(),
    },
  });
  const isQueryError = answer.error instanceof ApiError && answer.error.status === 400;
  const found = query && !isQueryError ? answer.data : undefined;
  const spread = query && !isQueryError ? facets.data : undefined;
  const since = valueIn(query, 'since');
  const until = valueIn(query, 'until');
  const period = since || until ? `${since || '…'} – ${until || '…'}` : '';
  return (
    <>
      <PageHeading title="Search" />
      <SearchBox query={query} onQuery={setQuery} onDown={() => focusHit(1)} isBusy={answer.isLoading} />
      {!query && <Start />}
      {query && answer.error && <ErrorNote error={answer.error} retry={isQueryError ? undefined : answer.reload} />}
      {query && !answer.data && !answer.error && <Loading />}
      {found && (
        <>
          <IndexNote document={found} />
          <div class={`search ${answer.isLoading ? 'stale' : ''}`}>
            {spread && (
              <FacetFold>
                <Facets facets={spread} query={query} onQuery={setQuery} />
              </FacetFold>
            )}
            <div class="search-main" ref={list}>
              <div class="search-bar">
                <p role="status">{summary(found, spread)}</p>
                <Choice
                  label="Order"
                  value={sort}
                  options={[
                    ['score', 'Best'],
                    ['time', 'Newest'],
                  ]}
                  onChange={value => change({ sort: value === 'score' ? '' : value })}
                />
                <a class="button" href={address('api/1/search', { q: query, sort, format: 'csv' })} download="search.csv">
                  CSV
                </a>
              </div>
              {spread && <Timeline days={spread.days} period={period} onPeriod={(from, to) => setQuery(withPeriod(query, from, to))} />}
              {found.hits.length === 0 ? (
                <NoHits query={query} document={found} />
              ) : (
                <HitPages key={`${found.query} ${sort}`} first={found} query={query} sort={sort} />
              )}
            </div>
          </div>
        </>
      )}
    </>
  );
}

function summary(found: HitsDocument, facets: FacetsDocument | undefined): string {
  // Counting goes further than searching.
  const least = Math.max(found.total_at_least ?? 0, facets?.counted ?? 0);
  const hits = found.total !== undefined && found.total !== null ? counted(found.total, 'hit') : `at least ${whole(least)} hits`;
  const sessions = facets && found.hits.length > 0 ? ` in ${facets.is_cut ? 'at least ' : ''}${counted(facets.sessions, 'session')}` : '';
  return `${hits}${sessions} · ${found.took_ms} ms`;
}

/** Facets are beside the hits where there is room, and folded above them where there is not. */
function FacetFold({ children }: { children: preact.ComponentChildren }) {
  const isWide = matchMedia('(min-width: 1000px)').matches;
  return (
    <details class="facet-fold" open={isWide}>
      <summary>Narrow down</summary>
      {children}
    </details>
  );
}

/** The first hits, and more when the end is near. */
function HitPages({ first, query, sort }: { first: HitsDocument; query: string; sort: string }) {
  const more = useSignal<Hit[]>([]);
  const next = useSignal<number | null>(first.next);
  const error = useSignal<Error | undefined>(undefined);
  const isLoading = useRef(false);
  const opened = useSignal<ReadonlySet<string>>(new Set());
  const expanded = useSignal<ReadonlySet<string>>(new Set());
  const end = useRef<HTMLDivElement>(null);
  const load = async () => {
    if (next.value === null || isLoading.current) return;
    isLoading.current = true;
    try {
      const page = await get<HitsDocument>('search', { q: query, sort, limit: PAGE, offset: next.value });
      more.value = [...more.value, ...page.hits];
      next.value = page.next;
      error.value = undefined;
    } catch (reason) {
      error.value = reason instanceof Error ? reason : new Error(String(reason));
    } finally {
      isLoading.current = false;
    }
  };
  useEffect(() => {
    const element = end.current;
    if (!element) return;
    const observer = new IntersectionObserver(entries => entries.some(entry => entry.isIntersecting) && void load(), { rootMargin: '600px' });
    observer.observe(element);
    return () => observer.disconnect();
  }, [next.value]);
  const groups = grouped([...first.hits, ...more.value]);
  const toggle = (held: typeof opened) => (key: string) => {
    const set = new Set(held.value);
    if (!set.delete(key)) set.add(key);
    held.value = set;
  };
  return (
    <>
      <Results groups={groups} opened={opened.value} onOpen={toggle(opened)} expanded={expanded.value} onExpand={toggle(expanded)} />
      {error.value && <ErrorNote error={error.value} retry={load} />}
      <div ref={end} class="search-end soft">
        {next.value === null ? (
          shownHits(groups, opened.value).length > 10 && 'That is all.'
        ) : (
          <button type="button" onClick={load}>
            More hits
          </button>
        )}
      </div>
    </>
  );
}
