// Every plan that was proposed, numbered as `annals plan` numbers them.

import { sessionAddress } from '../core/base';
import { counted } from '../core/format';
import { useLongList } from '../core/long_list';
import { go, parameter } from '../core/router';
import { useRowKeys } from '../lists/row_keys';
import { ListTabs } from '../lists/tabs';
import { Empty, ErrorNote, Loading, PageHeading, When } from '../parts/basics';
import { type Column, Table } from '../parts/table';
import type { PlanRow, PlanRowsDocument } from '../schema';

const PIECE = 100;

/** Which of a session's plans it is, if there are several. */
function version(plan: PlanRow): string {
  return plan.versions > 1 ? `${plan.number} of ${plan.versions}` : '';
}

const COLUMNS: readonly Column<PlanRow>[] = [
  { key: 'title', name: 'Plan', width: 'minmax(18rem, 1fr)', cell: plan => plan.title },
  { key: 'status', name: 'Status', width: '7rem', cell: plan => <span class="badge">{plan.status}</span> },
  { key: 'version', name: 'Version', width: '5rem', cell: version },
  { key: 'when', name: 'Proposed', width: '7rem', cell: plan => plan.timestamp && <When time={plan.timestamp} /> },
  { key: 'session', name: 'Session', width: 'minmax(8rem, 18rem)', cell: plan => plan.session_title ?? plan.session_id },
];

function href(plan: PlanRow): string {
  return sessionAddress(plan.session_id, { line: plan.line ?? undefined, agent: plan.agent_id });
}

export function Plans() {
  const list = useLongList<PlanRowsDocument, PlanRow>('plans', { project: parameter('project'), limit: PIECE }, document => ({
    rows: document.plans,
    total: document.total,
    next: document.next === null ? undefined : { offset: document.next },
  }));
  const selected = useRowKeys('Plans', list.rows, { onOpen: plan => go(href(plan)) });
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
          rowKey={plan => `${plan.session_id} ${plan.agent_id ?? ''} ${plan.number}`}
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
