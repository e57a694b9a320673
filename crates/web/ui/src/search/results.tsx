// Hits by session. A hit leads to its place in the conversation and can be expanded in place.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { sessionAddress } from '../core/base';
import { counted, lastPart, shortId, shortPath } from '../core/format';
import { ErrorNote, Loading, When } from '../parts/basics';
import type { Hit } from '../schema';
import { readContext } from './context';
import { FIRST_HITS, type Group, keyOf, kindOf, piecesOf } from './hits';

export interface ResultsProps {
  groups: readonly Group[];
  opened: ReadonlySet<string>;
  onOpen: (key: string) => void;
  expanded: ReadonlySet<string>;
  onExpand: (key: string) => void;
}

export function Results({ groups, opened, onOpen, expanded, onExpand }: ResultsProps) {
  return (
    <ol class="groups">
      {groups.map(group => {
        const hits = opened.has(group.key) ? group.hits : group.hits.slice(0, FIRST_HITS);
        const hidden = group.hits.length - hits.length;
        return (
          <li key={group.key} class="group">
            <GroupHead group={group} />
            <ol class="hits">
              {hits.map(hit => (
                <Hit key={keyOf(hit)} hit={hit} isExpanded={expanded.has(keyOf(hit))} onExpand={() => onExpand(keyOf(hit))} />
              ))}
            </ol>
            {hidden > 0 && (
              <button type="button" class="quiet" onClick={() => onOpen(group.key)}>
                {counted(hidden, 'more hit')} in this session
              </button>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function GroupHead({ group }: { group: Group }) {
  const first = group.hits[0];
  if (!first) return null;
  const title = first.title || (group.session ? shortId(group.session) : lastPart(first.path));
  return (
    <div class="group-head">
      <h2>{group.session ? <a href={sessionAddress(group.session)}>{title}</a> : title}</h2>
      <span class="soft cut" title={shortPath(first.project)}>
        {lastPart(first.project)}
      </span>
      {first.branch && <span class="soft mono cut">{first.branch}</span>}
      {(first.presence === 'archive' || first.presence === 'unknown') && <span class="badge on">{first.presence}</span>}
    </div>
  );
}

/** The address of the place that a hit is at. */
export function placeOf(hit: Hit): string | undefined {
  if (!hit.session_id) return undefined;
  const turn = hit.turn === null ? undefined : String(hit.turn);
  return sessionAddress(hit.session_id, { agent: hit.agent_id, turn }, hit.uuid ? `m-${hit.uuid}` : '');
}

function Hit({ hit, isExpanded, onExpand }: { hit: Hit; isExpanded: boolean; onExpand: () => void }) {
  const place = placeOf(hit);
  const snippet = <>{piecesOf(hit.snippet, hit.highlights).map((piece, index) => (piece.isMatch ? <mark key={index}>{piece.text}</mark> : piece.text))}</>;
  const canExpand = hit.session_id !== null && hit.uuid !== null && hit.turn !== null;
  return (
    <li class={`hit kind-${hit.kind}`} data-key={keyOf(hit)}>
      <div class="hit-head">
        <span class="hit-kind">{kindOf(hit)}</span>
        {hit.turn !== null && <span>turn {hit.turn}</span>}
        {hit.agent_id && <span class="badge">agent</span>}
        {hit.state && hit.state !== 'live' && <span class="badge">{hit.state}</span>}
        <When time={hit.timestamp} />
        {hit.duplicate_sessions > 0 && <Duplicates hit={hit} />}
        {canExpand && (
          <button type="button" class="quiet hit-more" aria-expanded={isExpanded} onClick={onExpand} title="x">
            {isExpanded ? 'Hide context' : 'Context'}
          </button>
        )}
      </div>
      {place ? (
        <a class="snippet" href={place}>
          {snippet}
        </a>
      ) : (
        <p class="snippet">{snippet}</p>
      )}
      {isExpanded && canExpand && <Context hit={hit} />}
    </li>
  );
}

function Duplicates({ hit }: { hit: Hit }) {
  const left = hit.duplicate_sessions - hit.duplicates_in.length;
  return (
    <details class="duplicates">
      <summary>also in {counted(hit.duplicate_sessions, 'session')}</summary>
      <ul>
        {hit.duplicates_in.map(id => (
          <li key={id}>
            <a class="mono" href={sessionAddress(id)}>
              {shortId(id)}
            </a>
          </li>
        ))}
        {left > 0 && <li class="soft">and {left} more</li>}
      </ul>
    </details>
  );
}

/** The messages around a hit, as the server renders them. */
function Context({ hit }: { hit: Hit }) {
  const around = useSignal(2);
  const error = useSignal<Error | undefined>(undefined);
  const isLoading = useSignal(true);
  const isMissing = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const abort = new AbortController();
    isLoading.value = true;
    readContext(hit, around.value, abort.signal).then(
      content => {
        if (content) box.current?.replaceChildren(content);
        isMissing.value = !content;
        error.value = undefined;
        isLoading.value = false;
      },
      (reason: unknown) => {
        if (abort.signal.aborted) return;
        error.value = reason instanceof Error ? reason : new Error(String(reason));
        isLoading.value = false;
      },
    );
    return () => abort.abort();
  }, [around.value]);
  return (
    <div class="context">
      {error.value && <ErrorNote error={error.value} />}
      {isLoading.value && <Loading />}
      <div ref={box} class="context-body" tabIndex={0} role="region" aria-label="Messages around the hit" />
      {isMissing.value ? (
        <p class="soft small">The conversation does not show this text by itself. Open the hit to see where it is.</p>
      ) : (
        <button type="button" class="quiet" onClick={() => (around.value += 4)}>
          More messages
        </button>
      )}
    </div>
  );
}
