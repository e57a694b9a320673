// What people typed, newest first.

import { address, sessionAddress } from '../core/base';
import { useAnswer } from '../core/api';
import { listVersion } from '../core/events';
import { counted, lastPart } from '../core/format';
import { go, parameter } from '../core/router';
import { FilterField } from '../lists/filter_field';
import { useRowKeys } from '../lists/row_keys';
import { ListTabs } from '../lists/tabs';
import { Empty, ErrorNote, Loading, PageHeading, When } from '../parts/basics';
import { type Column, Table } from '../parts/table';
import type { Prompt, PromptsDocument } from '../schema';

/** The newest prompts that the page asks for; the filter looks through these. */
const MOST = 1000;

const COLUMNS: readonly Column<Prompt>[] = [
  { key: 'text', name: 'Prompt', width: 'minmax(18rem, 1fr)', cell: row => row.text.trim().split('\n', 1)[0] },
  { key: 'when', name: 'When', width: '7rem', cell: row => <When time={row.timestamp} /> },
  { key: 'project', name: 'Project', width: '10rem', cell: row => lastPart(row.cwd) },
  { key: 'source', name: '', width: '7rem', cell: row => (row.source === 'typed' ? '' : <span class="badge">{row.source.replaceAll('_', ' ')}</span>) },
];

function href(row: Prompt): string {
  if (!row.session_id) return address('prompts');
  return sessionAddress(row.session_id, { turn: row.turn }, row.uuid ? `m-${row.uuid}` : '');
}

export function Prompts() {
  const parameters = { project: parameter('project'), since: parameter('since'), until: parameter('until') };
  const answer = useAnswer<PromptsDocument>('prompts', { ...parameters, limit: MOST }, listVersion);
  const wanted = parameter('q').toLowerCase();
  const prompts = answer.data?.prompts ?? [];
  const rows = wanted ? prompts.filter(prompt => prompt.text.toLowerCase().includes(wanted)) : prompts;
  const selected = useRowKeys('Prompts', rows, { onOpen: row => go(href(row)) });
  return (
    <>
      <PageHeading title="Prompts">
        <span class="soft number" role="status">
          {answer.data && (wanted ? `${counted(rows.length, 'prompt')} of the newest ${prompts.length}` : counted(answer.data.total, 'prompt'))}
        </span>
        <a href={address('api/1/prompts', { ...parameters, limit: 100_000, format: 'csv' })} download="prompts.csv">
          CSV
        </a>
      </PageHeading>
      <ListTabs />
      <div class="bar">
        <FilterField label="Filter prompts" placeholder="Text in the prompt" />
      </div>
      {answer.error && <ErrorNote error={answer.error} retry={answer.reload} />}
      {!answer.data && !answer.error && <Loading />}
      {answer.data && rows.length === 0 && <Empty title="No prompt matches." />}
      {rows.length > 0 && (
        <Table
          label="Prompts"
          rows={rows}
          columns={COLUMNS}
          rowKey={row => `${row.session_id} ${row.uuid ?? row.timestamp} ${row.source} ${row.text.slice(0, 40)}`}
          href={href}
          selected={selected.value}
          onSelect={index => {
            selected.value = index;
          }}
        />
      )}
    </>
  );
}
