// All sessions in one table, filtered with the grammar of search.

import { computed, useSignal } from '@preact/signals';
import { useAnswer } from '../core/api';
import { address } from '../core/base';
import { indexVersion, listVersion } from '../core/events';
import { counted } from '../core/format';
import { harmless } from '../core/harmless';
import { useLongList } from '../core/long_list';
import { change, go, parameter } from '../core/router';
import { store, storedText } from '../core/theme';
import type { SessionRow, SessionRowsDocument } from '../schema';
import { FilterField } from '../lists/filter_field';
import { useRowKeys } from '../lists/row_keys';
import { SESSION_COLUMNS, sessionHref, shownColumns } from '../lists/session_columns';
import { SessionPreview } from '../lists/session_preview';
import { ListTabs } from '../lists/tabs';
import { Choice, Empty, ErrorNote, Loading, PageHeading } from '../parts/basics';
import { Table } from '../parts/table';
import type { ProjectsDocument } from '../schema';

const PIECE = 200;

/** Changes with the sessions, and with the index that finds them. */
const anyVersion = computed(() => listVersion.value + indexVersion.value);

function usedColumns(): string[] {
  const stored = storedText('columns')?.split(',');
  const known = SESSION_COLUMNS.map(column => column.key);
  return stored?.filter(key => known.includes(key)) ?? SESSION_COLUMNS.filter(column => column.isUsual).map(column => column.key);
}

function ColumnChoice({ chosen, onChange }: { chosen: readonly string[]; onChange: (keys: string[]) => void }) {
  return (
    <details class="menu">
      <summary>Columns</summary>
      <div class="menu-list">
        {SESSION_COLUMNS.filter(column => column.name && column.key !== 'title').map(column => (
          <label key={column.key}>
            <input
              type="checkbox"
              checked={chosen.includes(column.key)}
              onChange={() => {
                const isShown = chosen.includes(column.key);
                onChange(isShown ? chosen.filter(key => key !== column.key) : [...chosen, column.key]);
              }}
            />
            {column.name}
          </label>
        ))}
      </div>
    </details>
  );
}

export function Sessions() {
  const by = parameter('sort') || 'changed';
  const isDescending = (parameter('order') || (by === 'title' ? 'asc' : 'desc')) === 'desc';
  const kind = (parameter('kind') || 'all') as 'all' | 'interactive' | 'programmatic';
  const parameters = {
    q: parameter('q'),
    project: parameter('project'),
    since: parameter('since'),
    until: parameter('until'),
    model: parameter('model'),
    tool: parameter('tool'),
    agent: parameter('agent'),
    branch: parameter('branch'),
    tag: parameter('tag'),
    presence: parameter('presence'),
    marked: parameter('marked'),
    kind,
    sort: by,
    order: isDescending ? 'desc' : 'asc',
    limit: PIECE,
  };
  const list = useLongList<SessionRowsDocument, SessionRow>(
    'sessions',
    parameters,
    document => ({
      rows: document.sessions,
      total: document.total,
      isPartial: document.index_complete === false,
      next: document.next === null ? undefined : { after: document.next },
    }),
    anyVersion,
  );
  const projects = useAnswer<ProjectsDocument>('projects');
  const keys = useSignal(usedColumns());
  const preview = useSignal<string | undefined>(undefined);
  const columns = shownColumns(keys.value, list.rows);
  const selected = useRowKeys('Sessions', list.rows, {
    onOpen: row => go(sessionHref(row)),
    onPreview: row => {
      preview.value = preview.value === row.id ? undefined : row.id;
    },
  });
  const sort = (to: string) => {
    const turns = to === by ? !isDescending : to !== 'title';
    change({ sort: to, order: turns ? 'desc' : 'asc' });
  };
  const filters = ['since', 'until', 'model', 'tool', 'agent', 'branch', 'tag', 'presence', 'marked'].filter(name => parameter(name));
  return (
    <>
      <PageHeading title="Sessions">
        <span class="soft number" role="status">
          {list.total === undefined ? '' : counted(list.total, 'session')}
        </span>
        <a href={address('api/1/sessions', { ...parameters, limit: 100_000, format: 'csv' })} download="sessions.csv">
          CSV
        </a>
      </PageHeading>
      <ListTabs />
      <div class="bar">
        <FilterField label="Filter sessions" placeholder="Words, or project:x since:2w is:error tool:Bash" />
        <select aria-label="Project" value={parameter('project')} onChange={event => change({ project: event.currentTarget.value })}>
          <option value="">All projects</option>
          {projects.data?.projects
            .filter(project => project.project)
            .map(project => (
              <option key={project.project} value={project.project ?? ''}>
                {project.project} ({project.sessions})
              </option>
            ))}
        </select>
        <Choice
          label="Kind"
          value={kind}
          options={[
            ['all', 'All'],
            ['interactive', 'Interactive'],
            ['programmatic', 'Programmatic'],
          ]}
          onChange={value => change({ kind: value === 'all' ? '' : value })}
        />
        <ColumnChoice
          chosen={keys.value}
          onChange={chosen => {
            keys.value = chosen;
            store('columns', chosen.join(','));
          }}
        />
        {filters.map(name => (
          <button type="button" class="badge on" key={name} onClick={() => change({ [name]: '' })} title="Remove this filter">
            {name}: {harmless(parameter(name))} ×
          </button>
        ))}
      </div>
      {list.error && <ErrorNote error={list.error} retry={list.reload} />}
      {list.isPartial && !list.error && (
        <p class="note" role="status">
          The index is not complete yet, so sessions that match may be missing. The list is complete when it is done.
        </p>
      )}
      {list.total === undefined && !list.error && <Loading />}
      {list.total === 0 && <Empty title="No session matches.">Try fewer words, another project, or a longer time.</Empty>}
      {list.rows.length > 0 && (
        <Table
          label="Sessions"
          rows={list.rows}
          columns={columns}
          rowKey={row => row.id}
          href={sessionHref}
          selected={selected.value}
          onSelect={index => {
            selected.value = index;
          }}
          sort={{ by, isDescending }}
          onSort={sort}
          onEnd={list.more}
          below={row => (preview.value === row.id ? <SessionPreview id={row.id} /> : null)}
        />
      )}
    </>
  );
}
