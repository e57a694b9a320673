// Hits over time. A click or a drag sets the period of the query.

import { Bars, bucketFor, bucketLabel, bucketOf, bucketsBetween, bucketTitle, daysBetween, daysOf } from '../charts';
import { count, counted } from '../core/format';
import type { Facet } from '../schema';

export function Timeline({ days, period, onPeriod }: { days: readonly Facet[]; period: string; onPeriod: (since: string, until: string) => void }) {
  const first = days[0]?.value;
  const last = days.at(-1)?.value;
  if (!first || !last) return null;
  const bucket = bucketFor(daysBetween(first, last));
  const buckets = bucketsBetween(first, last, bucket);
  const index = new Map(buckets.map((name, position) => [name, position]));
  const values = new Array<number>(buckets.length).fill(0);
  for (const { value: day, count: hits } of days) {
    const position = index.get(bucketOf(day, bucket));
    if (position !== undefined) values[position] = (values[position] ?? 0) + hits;
  }
  const pick = (from: number, to: number) => {
    const [since] = daysOf(buckets[from] ?? first, bucket);
    const [, until] = daysOf(buckets[to] ?? last, bucket);
    onPeriod(since, until);
  };
  return (
    <div class="search-time">
      <Bars
        label={`Hits by ${bucket}.`}
        heading={bucket}
        labels={buckets.map(name => bucketLabel(name, bucket))}
        titles={buckets.map(name => bucketTitle(name, bucket))}
        series={[{ key: 'hits', name: 'hits', colour: 1, values }]}
        format={value => counted(value, 'hit')}
        formatTick={value => (Number.isInteger(value) ? count(value) : '')}
        height={96}
        onPick={position => pick(position, position)}
        onRange={pick}
      />
      {period && (
        <button type="button" class="quiet" onClick={() => onPeriod('', '')}>
          ✕ {period}
        </button>
      )}
    </div>
  );
}
