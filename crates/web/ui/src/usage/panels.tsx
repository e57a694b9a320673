// Smaller panels of the Usage page: hours, cache, kinds of tokens, budgets.

import { BarList, bucketLabel, bucketTitle, type Colour, Lines, WeekHeat } from '../charts';
import { useAnswer } from '../core/api';
import { count, day, money } from '../core/format';
import { Awaited, Empty, Panel } from '../parts/basics';
import type { Budget, UsageDocument, UsageHoursDocument } from '../schema';
import { amountOf, formatOf, hitRates } from './rows';
import type { Selection } from './selection';

/** Which hours of the week are worked in. */
export function Hours({ selection }: { selection: Selection }) {
  const { unit } = selection;
  const answer = useAnswer<UsageHoursDocument>('usage/hours', selection.parameters);
  return (
    <Panel title="Hour by weekday">
      <Awaited answer={answer}>
        {document => {
          if (document.cells.length === 0) return <Empty title="No calls in this period." />;
          const cells = Array.from({ length: 7 }, () => new Array<number>(24).fill(0));
          for (const cell of document.cells) {
            const row = cells[cell.weekday];
            if (row) row[cell.hour] = amountOf(cell, unit);
          }
          return <WeekHeat label={`${unit} by hour and weekday, in the time zone ${document.timezone}.`} cells={cells} format={formatOf(unit)} />;
        }}
      </Awaited>
    </Panel>
  );
}

/** How well the cache works. */
export function Cache({ selection, document, buckets }: { selection: Selection; document: UsageDocument; buckets: readonly string[] }) {
  const { bucket } = selection;
  const { total } = document;
  const rate = (share: number) => `${(share * 100).toFixed(share > 0.995 || share < 0.1 ? 1 : 0)}%`;
  return (
    <Panel title="Cache">
      <p class="detail">
        <span>
          saved <b>{money(total.cache_saved_usd)}</b>
        </span>
        <span>
          expired <b>{money(total.cache_expired_usd)}</b> ({count(total.cache_expired_tokens)} tokens written again)
        </span>
        <span>
          hit rate <b>{total.cache_hit_rate === null ? '–' : rate(total.cache_hit_rate)}</b>
        </span>
      </p>
      <Lines
        label={`The share of input that came from the cache, by ${bucket}.`}
        heading={bucket}
        labels={buckets.map(name => bucketLabel(name, bucket))}
        titles={buckets.map(name => bucketTitle(name, bucket))}
        series={[{ key: 'rate', name: 'hit rate', colour: 6, values: hitRates(document.rows, bucket, buckets) }]}
        format={rate}
        formatTick={share => `${Math.round(share * 100)}%`}
        highest={1}
        height={160}
      />
    </Panel>
  );
}

/** What the tokens were. */
export function Tokens({ document }: { document: UsageDocument }) {
  const { total } = document;
  const kinds: readonly (readonly [string, number, Colour, string])[] = [
    ['Cache reads', total.cache_read_tokens, 6, 'Input read from the cache'],
    ['Cache writes, 5 minutes', total.cache_write_5m_tokens, 2, 'Input written to the cache for five minutes'],
    ['Cache writes, 1 hour', total.cache_write_1h_tokens, 7, 'Input written to the cache for an hour'],
    ['Uncached input', total.input_tokens, 1, 'Input that was not cached'],
    ['Output', total.output_tokens - total.thinking_tokens, 4, 'Output without thinking'],
    ['Thinking', total.thinking_tokens, 5, 'The part of the output that is thinking, where it is recorded'],
  ];
  return (
    <Panel title="Tokens by kind">
      <BarList
        label="Tokens by kind"
        items={kinds.map(([name, value, colour, title]) => ({ key: name, name, title, parts: [{ colour, value }] }))}
        format={count}
        total={total.total_tokens}
      />
    </Panel>
  );
}

export function Budgets({ budgets }: { budgets: readonly Budget[] | undefined }) {
  return (
    <Panel title="Budgets">
      {budgets && budgets.length > 0 ? (
        <ul class="budgets">
          {budgets.map(budget => (
            <BudgetBar key={budget.period} budget={budget} />
          ))}
        </ul>
      ) : (
        <p class="soft">
          No budget is set. Set one in the configuration (<code>[budget]</code>) or with <code>annals usage --budget week=100</code>.
        </p>
      )}
    </Panel>
  );
}

/** How much of a budget is used, and where it leads. */
export function BudgetBar({ budget }: { budget: Budget }) {
  const limit = Number(budget.limit_usd);
  const used = Number(budget.used_usd);
  const projected = budget.projected_usd === null ? undefined : Number(budget.projected_usd);
  const most = Math.max(limit, used, projected ?? 0, 0.01);
  const at = (value: number) => (100 * value) / most;
  return (
    <li>
      <span>
        <b>This {budget.period}</b>: {money(used)} of {money(limit)}
        {budget.is_exceeded && <span class="bad"> exceeded</span>}
        {!budget.is_complete && <span class="soft"> (some calls have no price)</span>}
      </span>
      <svg class="budget" role="img" aria-label={`${money(used)} of ${money(limit)}`} preserveAspectRatio="none" viewBox="0 0 100 1">
        <rect class="rest" width={100} height={1} />
        {projected !== undefined && <rect class="projected" width={at(projected)} height={1} />}
        <rect class={budget.is_exceeded ? 'over' : 'used'} width={at(used)} height={1} />
        <rect class="edge" x={Math.min(at(limit), 99.4)} width={0.6} height={1} />
      </svg>
      <span class="soft small">
        {day(budget.start)} to {day(budget.end)}
        {projected !== undefined && <> · projected: {money(projected)}</>}
      </span>
    </li>
  );
}
