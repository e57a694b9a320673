// Facets: how the hits are spread, and terms to add or exclude with a click.

import { useSignal } from '@preact/signals';
import { count, counted, projectName, shortPath } from '../core/format';
import type { Facet, FacetsDocument } from '../schema';
import { hasTerm, termsOf, toggled, toggledNot } from './query';

interface FieldFacet {
  /** The field of the query. */
  field: string;
  title: string;
  values: readonly Facet[];
}

/** The values of `is:` that are worth a click, whether or not a hit has them. */
const STATES = ['error', 'prompt', 'agent', 'marked'];

function facetsOf(document: FacetsDocument): FieldFacet[] {
  const hitsOf = (state: string) => document.is.find(({ value }) => value === state)?.count ?? 0;
  return [
    { field: 'project', title: 'Project', values: document.projects },
    { field: 'role', title: 'Role', values: document.roles },
    { field: 'tool', title: 'Tool', values: document.tools },
    { field: 'model', title: 'Model', values: document.models },
    { field: 'is', title: 'State', values: STATES.map(value => ({ value, count: hitsOf(value) })) },
  ];
}

const FIRST = 6;

export function Facets({ facets, query, onQuery }: { facets: FacetsDocument; query: string; onQuery: (query: string) => void }) {
  return (
    <div class="facets">
      {facetsOf(facets).map(facet => (
        <FacetList key={facet.field} facet={facet} query={query} onQuery={onQuery} />
      ))}
    </div>
  );
}

function FacetList({ facet, query, onQuery }: { facet: FieldFacet; query: string; onQuery: (query: string) => void }) {
  const isWhole = useSignal(false);
  const { field, title, values } = facet;
  // Terms of the query stay, even if no hit has them: otherwise they could not be taken back.
  const known = new Set(values.map(({ value }) => value.toLowerCase()));
  const own = termsOf(query)
    .filter(term => term.field === field && !known.has(term.value.toLowerCase()))
    .map(term => ({ value: term.value, count: 0 }));
  const all = [...own, ...values];
  if (all.length === 0) return null;
  const shown = isWhole.value ? all : all.slice(0, FIRST);
  const hidden = all.length - shown.length;
  const nameOf = (value: string) =>
    field === 'project'
      ? projectName(
          value,
          values.map(one => one.value),
        )
      : value;
  const excluded = new Set(
    termsOf(query)
      .filter(term => term.field === field && term.isNot)
      .map(term => term.value.toLowerCase()),
  );
  return (
    <section class="facet" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {shown.map(({ value, count: hits }) => {
          const isNot = excluded.has(value.toLowerCase());
          return (
            <li key={value}>
              <button
                type="button"
                class="facet-value"
                aria-pressed={hasTerm(query, field, value)}
                title={field === 'project' ? shortPath(value) : value}
                onClick={() => onQuery(toggled(query, field, value))}
              >
                <span class={`cut ${isNot ? 'struck' : ''}`}>{nameOf(value)}</span>
                <span class="number">{hits > 0 ? count(hits) : ''}</span>
              </button>
              <button
                type="button"
                class="facet-not quiet"
                aria-pressed={isNot}
                aria-label={`Exclude ${nameOf(value)}`}
                title={isNot ? 'Do not exclude' : 'Exclude'}
                onClick={() => onQuery(toggledNot(query, field, value))}
              >
                −
              </button>
            </li>
          );
        })}
      </ul>
      {hidden > 0 && (
        <button type="button" class="quiet" onClick={() => (isWhole.value = true)}>
          {counted(hidden, 'more', 'more')}
        </button>
      )}
    </section>
  );
}
