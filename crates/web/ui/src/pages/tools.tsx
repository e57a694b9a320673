// Tools: how often they are called, how long they take, how they fail; and the calls.

import { useAnswer } from '../core/api';
import { address, sessionAddress } from '../core/base';
import { counted, duration, percent, shortId, whole } from '../core/format';
import { useLongList } from '../core/long_list';
import { change, go, parameter } from '../core/router';
import { PeriodChoice } from '../lists/period';
import { useRowKeys } from '../lists/row_keys';
import { Awaited, Choice, Empty, ErrorNote, Loading, PageHeading, Panel, When } from '../parts/basics';
import { type Column, Table } from '../parts/table';
import type { ToolCall, ToolStatsDocument, ToolSum, ToolsDocument } from '../schema';

const PIECE = 100;

/** A call in one line, which begins with the name of its tool. */
function CallSummary({ call }: { call: ToolCall }) {
  if (!call.summary.startsWith(call.tool)) return <>{call.summary}</>;
  return (
    <>
      <b>{call.tool}</b>
      {call.summary.slice(call.tool.length)}
    </>
  );
}

const COLUMNS: readonly Column<ToolCall>[] = [
  { key: 'call', name: 'Call', width: 'minmax(18rem, 1fr)', cell: call => <CallSummary call={call} /> },
  { key: 'status', name: 'Result', width: '7rem', cell: call => (call.status === 'ok' ? '' : <span class="bad">{call.status}</span>) },
  { key: 'took', name: 'Time', width: '5.5rem', isNumber: true, cell: call => duration(call.duration_ms) },
  { key: 'when', name: 'When', width: '7rem', cell: call => <When time={call.started_at} /> },
  { key: 'agent', name: 'Agent', width: '9rem', cell: call => call.agent_type ?? (call.agent_id ? shortId(call.agent_id) : '') },
  { key: 'session', name: 'Session', width: '6.5rem', cell: call => <code>{shortId(call.session_id)}</code> },
];

const GROUPS: readonly (readonly [string, string])[] = [
  ['tool', 'Tool'],
  ['agent', 'Agent'],
  ['skill', 'Skill'],
  ['mcp', 'MCP server'],
];

function callHref(call: ToolCall): string {
  return sessionAddress(call.session_id, { line: call.line, agent: call.agent_id });
}

function Sums({ document }: { document: ToolStatsDocument }) {
  const kinds = [...new Set(document.rows.map(row => row.by))];
  const by = kinds.includes(parameter('by')) ? parameter('by') : (kinds[0] ?? 'tool');
  const rows = document.rows.filter(row => row.by === by);
  const most = Math.max(1, ...rows.map(row => row.calls));
  const failed = (row: ToolSum) => row.errors + row.denials + row.interrupted;
  return (
    <Panel
      title={counted(document.total.calls, 'call')}
      tools={
        <>
          {kinds.length > 1 && (
            <Choice
              label="Group by"
              value={by}
              options={kinds.map(kind => [kind, GROUPS.find(([name]) => name === kind)?.[1] ?? kind.replaceAll('_', ' ')] as const)}
              onChange={kind => change({ by: kind })}
            />
          )}
        </>
      }
    >
      <div class="x tall">
        <table class="rows">
          <thead>
            <tr>
              <th>Name</th>
              <th class="r">Calls</th>
              <th>
                <span class="skip">Share</span>
              </th>
              <th class="r">Failed</th>
              <th class="r">Denied</th>
              <th class="r">Median</th>
              <th class="r">95 %</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={row.name}>
                <td>
                  {by === 'tool' ? (
                    <button type="button" class="link" onClick={() => change({ tool: row.name })}>
                      {row.name}
                    </button>
                  ) : (
                    row.name
                  )}
                </td>
                <td class="r">{whole(row.calls)}</td>
                <td class="meter-cell">
                  <meter min={0} max={most} value={row.calls} aria-label={`${row.name}: ${row.calls} calls`} />
                </td>
                <td class={`r ${failed(row) > 0 ? 'bad' : 'soft'}`}>{failed(row) > 0 ? `${whole(failed(row))} (${percent(failed(row), row.calls)})` : ''}</td>
                <td class="r soft">{row.denials || ''}</td>
                <td class="r">{duration(row.p50_ms)}</td>
                <td class="r">{duration(row.p95_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

export function Tools() {
  const filters = { project: parameter('project'), since: parameter('since'), until: parameter('until'), agent: parameter('agent'), model: parameter('model') };
  const errors = parameter('errors');
  const tool = parameter('tool');
  const stats = useAnswer<ToolStatsDocument>('tools/stats', filters);
  const list = useLongList<ToolsDocument, ToolCall>('tools', { ...filters, tool, errors, limit: PIECE }, document => ({
    rows: document.calls,
    total: document.total,
    next: document.next === null ? undefined : { offset: document.next },
  }));
  const selected = useRowKeys('Calls', list.rows, { onOpen: call => go(callHref(call)) });
  return (
    <>
      <PageHeading title="Tools">
        <PeriodChoice />
        <a href={address('api/1/tools', { ...filters, tool, errors, limit: 100_000, format: 'csv' })} download="tools.csv">
          CSV
        </a>
      </PageHeading>
      <Awaited answer={stats}>{document => <Sums document={document} />}</Awaited>
      <Panel
        title={`Calls${tool ? ` of ${tool}` : ''}${list.total === undefined ? '' : ` (${whole(list.total)})`}`}
        tools={
          <>
            {tool && (
              <button type="button" onClick={() => change({ tool: '' })}>
                All tools
              </button>
            )}
            <label>
              <input type="checkbox" checked={!!errors} onChange={() => change({ errors: errors ? '' : '1' })} /> only failed
            </label>
          </>
        }
      >
        {list.error && <ErrorNote error={list.error} retry={list.reload} />}
        {list.total === undefined && !list.error && <Loading />}
        {list.total === 0 && <Empty title="No call matches." />}
        {list.rows.length > 0 && (
          <Table
            label="Calls"
            rows={list.rows}
            columns={COLUMNS}
            rowKey={call => `${call.session_id} ${call.agent_id} ${call.line} ${call.tool_use_id}`}
            href={callHref}
            selected={selected.value}
            onSelect={index => {
              selected.value = index;
            }}
            onEnd={list.more}
          />
        )}
      </Panel>
    </>
  );
}
