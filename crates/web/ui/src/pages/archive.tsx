// The archive: what it holds, what Claude Code will delete, and what can be done about it.

import { useSignal } from '@preact/signals';
import { act, useAnswer } from '../core/api';
import { sessionAddress } from '../core/base';
import { appOf, bytes, counted, lastPart, shortId, whole } from '../core/format';
import { parameter } from '../core/router';
import { state } from '../core/state';
import { FilterField } from '../lists/filter_field';
import { Awaited, Empty, ErrorNote, Figure, PageHeading, When } from '../parts/basics';
import { type Column, Table } from '../parts/table';
import type { ArchiveDocument, ArchivedSession, ArchiveRestoreDocument, ArchiveSyncDocument, ArchiveVerifyDocument } from '../schema';

/** What is said of a session that is not, or not surely, on disk. */
const ON_DISK: Record<string, string> = { archive: 'only archived', unknown: 'unknown' };

export function Archive() {
  const archive = useAnswer<ArchiveDocument>('archive');
  const said = useSignal('');
  const failed = useSignal<Error | undefined>(undefined);
  const isBusy = useSignal(false);

  const perform = async (what: () => Promise<string>) => {
    isBusy.value = true;
    failed.value = undefined;
    said.value = '';
    try {
      said.value = await what();
      archive.reload();
    } catch (error) {
      failed.value = error instanceof Error ? error : new Error(String(error));
    }
    isBusy.value = false;
  };
  const sync = () =>
    perform(async () => {
      const report = await act<ArchiveSyncDocument>('archive/sync', {});
      const problems = report.problems.length ? ` ${counted(report.problems.length, 'file')} could not be read.` : '';
      return report.changed === 0
        ? `Everything is archived already.${problems}`
        : `Archived ${counted(report.changed, 'file')} (${bytes(report.new_bytes)}).${problems}`;
    });
  const verify = () =>
    perform(async () => {
      const report = await act<ArchiveVerifyDocument>('archive/verify', {});
      return report.is_intact
        ? `The archive is intact: ${whole(report.frames)} frames were read.`
        : `Damaged: ${counted(report.affected_sessions.length, 'session')}. \`annals archive verify\` has the details.`;
    });
  const restore = (session: ArchivedSession) =>
    perform(async () => {
      const report = await act<ArchiveRestoreDocument>('archive/restore', { session: session.id });
      return report.written.length === 0 ? 'All files are on disk already.' : `Restored ${counted(report.written.length, 'file')}.`;
    });

  const mayAct = !state.value.read_only;
  const columns: Column<ArchivedSession>[] = [
    { key: 'title', name: 'Title', width: 'minmax(14rem, 1fr)', cell: row => row.title ?? shortId(row.id) },
    { key: 'presence', name: 'On disk', width: '8rem', cell: row => ON_DISK[row.presence] && <span class="badge on">{ON_DISK[row.presence]}</span> },
    { key: 'changed', name: 'Changed', width: '7rem', cell: row => <When time={row.modified_at} /> },
    { key: 'archived', name: 'Archived', width: '7rem', cell: row => <When time={row.archived_at} /> },
    { key: 'project', name: 'Project', width: '9rem', cell: row => lastPart(row.project) },
    { key: 'size', name: 'Size', width: '5.5rem', isNumber: true, cell: row => bytes(row.bytes) },
    {
      key: 'restore',
      name: '',
      width: '6rem',
      cell: row =>
        mayAct && row.presence === 'archive' && appOf(row.id) === 'claude' ? (
          <button type="button" disabled={isBusy.value} onClick={() => void restore(row)}>
            Restore
          </button>
        ) : null,
    },
  ];
  const wanted = parameter('q').toLowerCase();
  return (
    <>
      <PageHeading title="Archive">
        {mayAct && (
          <>
            <button type="button" class="primary" disabled={isBusy.value} onClick={() => void sync()}>
              Archive new and changed sessions
            </button>
            <button type="button" disabled={isBusy.value} onClick={() => void verify()}>
              Verify
            </button>
          </>
        )}
      </PageHeading>
      {said.value && (
        <p class="note" role="status">
          {said.value}
        </p>
      )}
      {failed.value && <ErrorNote error={failed.value} />}
      <Awaited answer={archive}>
        {document => {
          const summary = document.archive;
          const rows = document.sessions.filter(row => `${row.title} ${row.project} ${row.id}`.toLowerCase().includes(wanted));
          return (
            <>
              <div class="figures">
                <Figure name="Archived sessions" value={whole(document.total)} note={`${bytes(summary.bytes)}, stored in ${bytes(summary.stored_bytes)}`} />
                <Figure name="Deleted from disk" value={whole(summary.deleted_from_disk)} note={summary.unknown_on_disk ? `${whole(summary.unknown_on_disk)} more cannot be read there` : 'only the archive has them'} />
                <Figure name="Not archived yet" value={counted(summary.not_archived_files, 'file')} note={bytes(summary.not_archived_bytes)} />
                <Figure name="Last sync" value={summary.synced_at ? <When time={summary.synced_at} /> : 'never'} />
                <Figure
                  name="Verified"
                  value={summary.verified_at ? <When time={summary.verified_at} /> : 'never'}
                  note={summary.was_intact === false ? 'damage was found' : undefined}
                />
              </div>
              {document.sessions.length === 0 ? (
                <Empty title="Nothing is archived yet.">Claude Code deletes sessions after some time. The archive keeps an exact copy of each.</Empty>
              ) : (
                <>
                  <div class="bar">
                    <FilterField label="Filter archived sessions" placeholder="Title, project or id" />
                  </div>
                  <Table label="Archived sessions" rows={rows} columns={columns} rowKey={row => row.id} href={row => sessionAddress(row.id)} />
                </>
              )}
            </>
          );
        }}
      </Awaited>
    </>
  );
}
