// The main chart: amounts by day, week or month, stacked by a dimension; and cumulative cost.

import { sum } from 'd3-array';
import { Bars, type Bucket, bucketLabel, bucketTitle, cumulated, daysOf, Lines, totalAt } from '../charts';
import { address } from '../core/base';
import { counted } from '../core/format';
import { change, parameter } from '../core/router';
import { Choice, Panel } from '../parts/basics';
import type { UsageDocument } from '../schema';
import { here } from './controls';
import { alignedBefore, formatOf, type Stacked, tickOf } from './rows';
import { type Selection, STACKS, sessionsQuery } from './selection';

const BUCKETS: readonly (readonly [Bucket, string])[] = [
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
];

const UNIT_NAMES = { cost: 'Cost', tokens: 'Tokens', calls: 'Calls' } as const;

export interface MainProps {
  selection: Selection;
  document: UsageDocument;
  before: UsageDocument | undefined;
  data: Stacked;
}

export function MainChart({ selection, document, before, data }: MainProps) {
  const { bucket, stack, unit, period } = selection;
  const earlier = selection.before;
  const at = data.buckets.indexOf(parameter('at'));
  const titles = data.buckets.map(name => bucketTitle(name, bucket));
  const values = before && earlier && parameter('compare') ? alignedBefore(before, bucket, unit, earlier.since, earlier.until, data.buckets.length) : undefined;
  const pick = (position: number) => {
    const name = data.buckets[position] ?? '';
    change({ at: name === parameter('at') ? '' : name }, { replaces: true });
  };
  return (
    <Panel
      title={`${UNIT_NAMES[unit]} by ${bucket}`}
      class="wide"
      tools={
        <>
          {earlier && (
            <button
              type="button"
              aria-pressed={!!parameter('compare')}
              onClick={() => change({ compare: parameter('compare') ? '' : '1' }, { replaces: true })}
            >
              Period before
            </button>
          )}
          <label class="pick">
            stacked by{' '}
            <select value={stack || 'none'} onChange={event => change({ stack: event.currentTarget.value === 'model' ? '' : event.currentTarget.value })}>
              {STACKS.map(([key, name]) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <Choice label="Bars" value={bucket} options={BUCKETS} onChange={value => change({ bucket: value, at: '' })} />
          <a
            class="button"
            href={address('api/1/usage', { ...selection.parameters, by: stack ? `${bucket},${stack}` : bucket, format: 'csv' })}
            download="usage.csv"
          >
            CSV
          </a>
        </>
      }
    >
      <Bars
        label={`${UNIT_NAMES[unit]} by ${bucket}${stack ? `, stacked by ${stack}` : ''}: ${counted(data.buckets.length, bucket)}.`}
        heading={bucket}
        labels={data.buckets.map(name => bucketLabel(name, bucket))}
        titles={titles}
        series={data.series}
        before={values && { name: 'period before', values }}
        format={formatOf(unit)}
        formatTick={tickOf(unit)}
        height={260}
        selected={at}
        onPick={pick}
        onRange={(from, to) => {
          const [since] = daysOf(data.buckets[from] ?? period.since, bucket);
          const [, until] = daysOf(data.buckets[to] ?? period.until, bucket);
          change({ period: '', since, until, at: '', bucket: '' });
        }}
      />
      {at >= 0 && <Detail selection={selection} name={data.buckets[at] ?? ''} amount={formatOf(unit)(totalAt(data.series, at))} />}
      {document.note && <p class="soft small">Note: {document.note}.</p>}
    </Panel>
  );
}

/** What can be done with the bar that was picked. */
function Detail({ selection, name, amount }: { selection: Selection; name: string; amount: string }) {
  const { bucket } = selection;
  const [since, until] = daysOf(name, bucket);
  return (
    <p class="detail" role="status">
      <b>{bucketTitle(name, bucket)}</b> <span class="number">{amount}</span>
      <a href={here({ since, until, period: '', at: '', bucket: '' })}>Only this {bucket}</a>
      <a href={address('sessions', { q: sessionsQuery(selection, { since, until }) })}>Sessions</a>
      <a href={here({ explain: 'cost', explain_by: bucket, explain_of: name })}>Explain</a>
      <button type="button" class="quiet" aria-label="Close" onClick={() => change({ at: '' }, { replaces: true })}>
        ✕
      </button>
    </p>
  );
}

/** Amounts added up over the period, beside the period before. */
export function Cumulative({ selection, document, before, data }: MainProps) {
  const { bucket, unit } = selection;
  const earlier = selection.before;
  const now = cumulated(data.buckets.map((_, position) => totalAt(data.series, position)));
  const was = before && earlier ? cumulated(alignedBefore(before, bucket, unit, earlier.since, earlier.until, data.buckets.length)) : undefined;
  const hasBefore = was !== undefined && sum(was) > 0;
  const budget = unit === 'cost' ? document.budgets?.find(one => one.period === 'month') : undefined;
  return (
    <Panel title={`Cumulative ${unit}`}>
      <Lines
        label={`Cumulative ${unit} by ${bucket}${hasBefore ? ', beside the period before' : ''}.`}
        heading={bucket}
        labels={data.buckets.map(name => bucketLabel(name, bucket))}
        titles={data.buckets.map(name => bucketTitle(name, bucket))}
        series={[
          { key: 'now', name: 'this period', colour: 1, values: now },
          ...(hasBefore && was ? [{ key: 'before', name: 'period before', colour: 8 as const, values: was }] : []),
        ]}
        levels={budget ? [{ value: Number(budget.limit_usd), name: 'budget of the month' }] : []}
        format={formatOf(unit)}
        formatTick={tickOf(unit)}
        height={230}
      />
    </Panel>
  );
}
