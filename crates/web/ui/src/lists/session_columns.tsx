// The columns of the list of sessions. People choose which are shown.

import { sessionAddress } from '../core/base';
import { appOf, bytes, count, lastPart, money, shortId, shortPath, whole } from '../core/format';
import type { SessionRow } from '../schema';
import { When } from '../parts/basics';
import type { Column } from '../parts/table';

const PRESENCE: Record<string, string> = { archive: 'in the archive', unknown: 'unknown', prompts_only: 'prompts only' };

function Notes({ row }: { row: SessionRow }) {
  return (
    <>
      {row.is_running && <span class="badge on">running</span>}
      {(row.marks ?? 0) > 0 && <span title="marked">★</span>}
      {row.tag && <span class="badge">#{row.tag}</span>}
      {PRESENCE[row.presence] && <span class="badge">{PRESENCE[row.presence]}</span>}
      {row.kind === 'programmatic' && <span class="badge">programmatic</span>}
    </>
  );
}

export const SESSION_COLUMNS: readonly (Column<SessionRow> & { isUsual: boolean })[] = [
  {
    key: 'title',
    name: 'Title',
    width: 'minmax(14rem, 4fr)',
    sort: 'title',
    isUsual: true,
    cell: row => (
      <span class="session-name">
        <span class="cut">{row.title ?? <span class="soft">untitled {shortId(row.id)}</span>}</span>
        <Notes row={row} />
      </span>
    ),
  },
  { key: 'changed', name: 'Changed', width: '7rem', sort: 'changed', isUsual: true, cell: row => <When time={row.changed_at} /> },
  { key: 'project', name: 'Project', width: 'minmax(6rem, 1fr)', isUsual: true, cell: row => <span title={shortPath(row.project)}>{lastPart(row.project)}</span> },
  { key: 'branch', name: 'Branch', width: 'minmax(6rem, 1fr)', isUsual: true, cell: row => <span title={row.branch ?? ''}>{row.branch}</span> },
  { key: 'turns', name: 'Turns', width: '4.5rem', sort: 'turns', isNumber: true, isUsual: true, cell: row => whole(row.turns) },
  { key: 'agents', name: 'Agents', width: '5rem', isNumber: true, isUsual: true, cell: row => (row.agents || '') },
  { key: 'context', name: 'Context', width: '5.5rem', isNumber: true, isUsual: true, cell: row => (row.context_peak ? count(row.context_peak) : '') },
  { key: 'tokens', name: 'Out', width: '5rem', isNumber: true, isUsual: false, cell: row => count(row.output_tokens) },
  { key: 'cost', name: 'Cost', width: '5.5rem', sort: 'cost', isNumber: true, isUsual: true, cell: row => (row.cost_usd === null ? '' : money(row.cost_usd)) },
  { key: 'size', name: 'Size', width: '5.5rem', sort: 'size', isNumber: true, isUsual: false, cell: row => bytes(row.bytes) },
  { key: 'id', name: 'Id', width: '6rem', isUsual: false, cell: row => <code>{shortId(row.id)}</code> },
];

const APP_COLUMN: Column<SessionRow> = { key: 'app', name: 'App', width: '5.5rem', cell: row => appOf(row.id) };

/** The chosen columns. That of the app is there only if the rows are of more than one. */
export function shownColumns(chosen: readonly string[], rows: readonly SessionRow[]): readonly Column<SessionRow>[] {
  const columns: Column<SessionRow>[] = SESSION_COLUMNS.filter(column => chosen.includes(column.key) || column.key === 'title');
  if (new Set(rows.map(row => appOf(row.id))).size > 1) columns.splice(1, 0, APP_COLUMN);
  return columns;
}

export function sessionHref(row: SessionRow): string {
  return sessionAddress(row.id);
}
