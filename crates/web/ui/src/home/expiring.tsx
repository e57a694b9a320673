// What Claude Code is about to delete, with a button that archives it first.

import { useSignal } from '@preact/signals';
import { act } from '../core/api';
import { address, sessionAddress } from '../core/base';
import { bytes, counted, moment, shortId } from '../core/format';
import { state } from '../core/state';
import { ErrorNote } from '../parts/basics';
import type { ArchiveSyncDocument, HomeDocument, HomeOverview } from '../schema';

export function Expiring({ home, overview, onArchived }: { home: HomeDocument; overview: HomeOverview; onArchived: () => void }) {
  const isBusy = useSignal(false);
  const done = useSignal<ArchiveSyncDocument | undefined>(undefined);
  const error = useSignal<Error | undefined>(undefined);
  const archive = async () => {
    isBusy.value = true;
    try {
      done.value = await act<ArchiveSyncDocument>('archive/sync', {});
      error.value = undefined;
      onArchived();
    } catch (reason) {
      error.value = reason instanceof Error ? reason : new Error(String(reason));
    } finally {
      isBusy.value = false;
    }
  };
  if (home.expiring === 0) return null;
  const missing = home.expiring_not_archived;
  const sessions = [...overview.expiring].sort((one, other) => Number(one.is_archived) - Number(other.is_archived));
  return (
    <section class={`note expiring ${missing > 0 ? 'bad' : ''}`} aria-label="Sessions about to be deleted">
      <div class="expiring-head">
        <p>
          Claude Code will delete <b>{counted(home.expiring, 'session')}</b> within 3 days.{' '}
          {missing > 0 ? (
            <>
              <b>{missingText(missing, home.expiring)}</b>.
            </>
          ) : (
            'The archive has all of it.'
          )}
        </p>
        {missing > 0 && state.value.token && (
          <button type="button" class="primary" disabled={isBusy.value} onClick={archive}>
            {isBusy.value ? 'Archiving…' : 'Archive now'}
          </button>
        )}
        {missing > 0 && !state.value.token && (
          <p class="soft">
            Run <code>annals archive sync</code> to archive.
          </p>
        )}
      </div>
      {done.value && (
        <p role="status">
          Archived {counted(done.value.changed, 'file')} ({bytes(done.value.new_bytes)}).{' '}
          {done.value.problems.length > 0 && (
            <>
              {counted(done.value.problems.length, 'file')} could not be archived: see <a href={address('archive')}>Archive</a>.
            </>
          )}
        </p>
      )}
      {error.value && <ErrorNote error={error.value} />}
      <details>
        <summary>Which ones</summary>
        <ul>
          {sessions.map(session => (
            <li key={session.id}>
              <a href={sessionAddress(session.id)}>{session.title || shortId(session.id)}</a>{' '}
              <span class="soft">
                {Date.parse(session.deleted_at) <= Date.now() ? 'any moment' : moment(session.deleted_at).slice(0, 16)}
                {session.is_archived ? ' · archived' : ''}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function missingText(missing: number, all: number): string {
  if (missing === all) return all === 1 ? 'It is not archived' : 'None of them is archived';
  return missing === 1 ? 'One of them is not archived' : `${missing} of them are not archived`;
}
