// Five-hour blocks, as subscriptions count them, with the limits that were reached.

import { max } from 'd3-array';
import { Bars } from '../charts';
import { shortDay } from '../charts/calendar';
import { useAnswer } from '../core/api';
import { clock, count, day, duration, moment, money } from '../core/format';
import { Awaited, Empty, Panel } from '../parts/basics';
import type { Limit, LimitsDocument, UsageBlock, UsageDocument, UsageRow } from '../schema';
import { amountOf, formatOf, tickOf } from './rows';
import type { Selection } from './selection';

const MOST = 60;
/** How many notices of limits are listed. */
const NOTICES = 5;

type BlockRow = UsageRow & { block: UsageBlock };

export function Blocks({ selection }: { selection: Selection }) {
  const blocks = useAnswer<UsageDocument>('usage', { ...selection.parameters, by: 'block', limit: MOST });
  const limits = useAnswer<LimitsDocument>('usage/limits', { since: selection.parameters['since'], until: selection.parameters['until'] });
  return (
    <Panel title="Five-hour blocks">
      <Awaited answer={blocks}>
        {document => {
          const rows = document.rows.filter((row): row is BlockRow => !!row.block);
          return rows.length === 0 ? (
            <Empty title="No blocks in this period." />
          ) : (
            <BlockBars selection={selection} rows={rows} limits={limits.data?.limits ?? []} />
          );
        }}
      </Awaited>
    </Panel>
  );
}

function BlockBars({ selection, rows, limits }: { selection: Selection; rows: readonly BlockRow[]; limits: readonly Limit[] }) {
  const { unit } = selection;
  const active = rows.find(row => row.block.is_active);
  const values = rows.map(row => amountOf(row, unit));
  const rest = rows.map(row => {
    const projected = unit === 'cost' ? Number(row.block.projected_cost_usd ?? 0) : unit === 'tokens' ? (row.block.projected_tokens ?? 0) : 0;
    return Math.max(0, projected - amountOf(row, unit));
  });
  const hasProjection = (max(rest) ?? 0) > 0;
  const reached = limits.filter(limit => limit.used_percent === null);
  const marks = reached.flatMap(limit => {
    const position = rows.findIndex(row => limit.timestamp && limit.timestamp >= row.block.start && limit.timestamp < row.block.end);
    return position >= 0 ? [{ position, text: limit.notice }] : [];
  });
  return (
    <>
      {active && <Active row={active} />}
      <Bars
        label={`The last ${rows.length} blocks of five hours.`}
        heading="block"
        labels={rows.map(row => shortDay(day(row.block.start)))}
        titles={rows.map(row => `${moment(row.block.start).slice(0, 16)} – ${clock(row.block.end)}${row.block.anchor === 'guessed' ? ' (guessed)' : ''}`)}
        series={[
          { key: 'used', name: unit, colour: 1, values },
          ...(hasProjection ? [{ key: 'projected', name: 'projected', colour: 8 as const, values: rest }] : []),
        ]}
        marks={dedupe(marks)}
        format={formatOf(unit)}
        formatTick={tickOf(unit)}
        height={170}
      />
      <Notices limits={limits} />
    </>
  );
}

/** One mark for each block, with its last notice. */
function dedupe(marks: readonly { position: number; text: string }[]): { position: number; text: string }[] {
  return [...new Map(marks.map(mark => [mark.position, mark])).values()];
}

function Active({ row }: { row: BlockRow }) {
  const { block } = row;
  return (
    <p class="detail">
      <b>Now</b> until {clock(block.end)}
      {block.seconds_left !== null && <span>{duration(block.seconds_left * 1000)} left</span>}
      <span class="number">{money(row.cost_usd)}</span>
      {block.cost_per_hour_usd !== null && <span>{money(block.cost_per_hour_usd)} an hour</span>}
      {block.tokens_per_minute !== null && <span>{count(block.tokens_per_minute)} tokens a minute</span>}
      {block.projected_cost_usd !== null && <span>projected: {money(block.projected_cost_usd)}</span>}
      {block.share_of_largest !== null && <span>{Math.round(block.share_of_largest * 100)}% of the largest</span>}
    </p>
  );
}

const WINDOWS: Record<string, string> = { five_hour: 'five hours', seven_day: 'seven days' };

function Notices({ limits }: { limits: readonly Limit[] }) {
  if (limits.length === 0) return <p class="soft small">No limit was reached in this period.</p>;
  const latest = [...new Map(limits.map(limit => [`${limit.notice} ${limit.timestamp?.slice(0, 13)}`, limit])).values()].slice(-NOTICES).reverse();
  return (
    <ul class="notices">
      {latest.map((limit, index) => (
        <li key={index}>
          <span class="soft number">{moment(limit.timestamp).slice(0, 16)}</span>{' '}
          {limit.used_percent === null ? limit.notice : `${WINDOWS[limit.window ?? ''] ?? limit.window}: ${limit.used_percent}% used`}
          {limit.resets_at && <span class="soft"> resets {moment(limit.resets_at).slice(0, 16)}</span>}
        </li>
      ))}
    </ul>
  );
}
