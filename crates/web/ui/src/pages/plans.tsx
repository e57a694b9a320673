// Every plan that was proposed: the calls of ExitPlanMode.

import { sessionAddress } from '../core/base';
import { counted, shortId } from '../core/format';
import { useLongList } from '../core/long_list';
import { go, parameter } from '../core/router';
import { useRowKeys } from '../lists/row_keys';
import { ListTabs } from '../lists/tabs';
import { Empty, ErrorNote, Loading, PageHeading, When } from '../parts/basics';
import { type Column, Table } from '../parts/table';
import type { ToolsDocument, ToolsToolCall } from '../schema';

/** The tool with which a plan is proposed. */
const TOOL = 'ExitPlanMode';
const PIECE = 100;

/** The first heading or line of a plan. */
function titleOf(call: ToolsToolCall): string {
  const plan = typeof call.input.plan === 'string' ? call.input.plan : '';
  const line = plan.split('\n').find(text => text.trim()) ?? call.summary;
  return line.replace(/^#+\s*/, '');
}

const STATUS: Record<string, string> = { ok: 'approved', denied: 'rejected', error: 'rejected', missing: 'open' };

const COLUMNS: readonly Column<ToolsToolCall>[] = [
  { key: 'title', name: 'Plan', width: 'minmax(18rem, 1fr)', cell: titleOf },
  { key: 'status', name: 'Status', width: '7rem', cell: call => <span class="badge">{STATUS[call.status] ?? call.status}</span> },
  { key: 'when', name: 'Proposed', width: '6.5rem', cell: call => <When time={call.started_at} /> },
  { key: 'session', name: 'Session', width: '7rem', cell: call => <code>{shortId(call.session_id)}</code> },
];

function href(call: ToolsToolCall): string {
  return sessionAddress(call.session_id, { line: call.line, agent: call.agent_id });
}

export function Plans() {
  const list = useLongList<ToolsDocument, ToolsToolCall>('tools', { tool: TOOL, project: parameter('project'), limit: PIECE }, document => ({
    rows: document.calls,
    total: document.total,
    next: document.next === null ? undefined : { offset: document.next },
  }));
  const selected = useRowKeys('Plans', list.rows, { onOpen: call => go(href(call)) });
  return (
    <>
      <PageHeading title="Plans">
        <span class="soft number" role="status">
          {list.total === undefined ? '' : counted(list.total, 'plan')}
        </span>
      </PageHeading>
      <ListTabs />
      {list.error && <ErrorNote error={list.error} retry={list.reload} />}
      {list.total === undefined && !list.error && <Loading />}
      {list.total === 0 && <Empty title="No plan was proposed in these sessions." />}
      {list.rows.length > 0 && (
        <Table
          label="Plans"
          rows={list.rows}
          columns={COLUMNS}
          rowKey={call => `${call.session_id} ${call.line} ${call.tool_use_id}`}
          href={href}
          selected={selected.value}
          onSelect={index => {
            selected.value = index;
          }}
          onEnd={list.more}
        />
      )}
    </>
  );
}
