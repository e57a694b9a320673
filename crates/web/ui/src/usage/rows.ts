// Rows of usage documents as numbers and series. Costs arrive as decimal text with all their
// digits; they become numbers only to be drawn.

import { type Bucket, bucketsBetween } from '../charts/calendar';
import { type Colour, coloursOf, OTHER, type Series, seriesOf } from '../charts/data';
import { count, money, shortModel, whole } from '../core/format';
import type { UsageDocument, UsageRow, UsageSums } from '../schema';

export type Unit = 'cost' | 'tokens' | 'calls';

export const UNITS: readonly (readonly [Unit, string])[] = [
  ['cost', 'Cost'],
  ['tokens', 'Tokens'],
  ['calls', 'Calls'],
];

/** What a row or total amounts to. */
export function amountOf(sums: Pick<UsageSums, 'cost_usd' | 'total_tokens' | 'calls'>, unit: Unit): number {
  if (unit === 'cost') return Number(sums.cost_usd ?? 0);
  return unit === 'tokens' ? sums.total_tokens : sums.calls;
}

export function formatOf(unit: Unit): (value: number) => string {
  return unit === 'cost' ? money : unit === 'tokens' ? count : value => whole(Math.round(value));
}

/** Short amounts for axes: `$1.5k`, `$0.05`. */
export function tickOf(unit: Unit): (value: number) => string {
  if (unit !== 'cost') return count;
  return value => {
    if (value >= 1000) return `$${count(value)}`;
    if (value === 0) return '$0';
    return `$${value >= 10 || Number.isInteger(value) ? value.toFixed(0) : value < 0.1 ? String(Number(value.toPrecision(2))) : value.toFixed(2)}`;
  };
}

/** Amounts along the buckets of a period, stacked by a dimension. */
export interface Stacked {
  buckets: string[];
  series: Series[];
  colours: ReadonlyMap<string, Colour>;
}

/** The name of a key; calls that have none are `(none)`. */
export function keyName(key: string | null | undefined): string {
  return key ?? '(none)';
}

/** Whether a value of a dimension can be filtered by: those in brackets stand for "has none". */
export function isFilterable(value: string | null | undefined): value is string {
  return !!value && !/^\(.*\)$/.test(value);
}

/** The days from the first to the last row, or of the period where it has a beginning. */
export function stacked(document: UsageDocument, bucket: Bucket, stack: string, unit: Unit, since: string, until: string): Stacked {
  const first = since || document.rows.reduce((least, row) => minimum(least, row.key[bucket] ?? ''), '');
  const start = first.length === 7 ? `${first}-01` : first;
  const buckets = start ? bucketsBetween(start, until, bucket) : [];
  const position = new Map(buckets.map((name, index) => [name, index]));
  const totals = new Map<string, number>();
  const values: [number, string, number][] = [];
  for (const row of document.rows) {
    const name = stack ? keyName(row.key[stack]) : unit;
    const amount = amountOf(row, unit);
    values.push([position.get(row.key[bucket] ?? '') ?? -1, name, amount]);
    totals.set(name, (totals.get(name) ?? 0) + amount);
  }
  const colours = coloursOf(totals);
  return { buckets, series: seriesOf(buckets.length, values, colours, shortModel), colours };
}

function minimum(one: string, other: string): string {
  return !one || (other && other < one) ? other : one;
}

/** Amounts of the period before, bucket by bucket, so that they lie under those of the period. */
export function alignedBefore(document: UsageDocument, bucket: Bucket, unit: Unit, since: string, until: string, count: number): number[] {
  const buckets = bucketsBetween(since, until, bucket);
  // A period of whole days may touch one week or month more than the one before.
  const offset = Math.max(0, buckets.length - count);
  const values = new Array<number>(count).fill(0);
  const position = new Map(buckets.map((name, index) => [name, Math.max(0, index - offset)]));
  for (const row of document.rows) {
    const at = position.get(row.key[bucket] ?? '');
    if (at !== undefined && at < count) values[at] = (values[at] ?? 0) + amountOf(row, unit);
  }
  return values;
}

/** The share of input that came from the cache, by bucket; NaN where there was none. */
export function hitRates(rows: readonly UsageRow[], bucket: Bucket, buckets: readonly string[]): number[] {
  const sums = new Map<string, { read: number; all: number }>();
  for (const row of rows) {
    const key = row.key[bucket] ?? '';
    const sum = sums.get(key) ?? { read: 0, all: 0 };
    sum.read += row.cache_read_tokens;
    sum.all += row.cache_read_tokens + row.cache_write_5m_tokens + row.cache_write_1h_tokens + row.input_tokens;
    sums.set(key, sum);
  }
  return buckets.map(name => {
    const sum = sums.get(name);
    return sum && sum.all > 0 ? sum.read / sum.all : Number.NaN;
  });
}

/** By how much an amount changed; `undefined` if there was nothing before. */
export function changeOf(now: number, before: number): { text: string; isUp: boolean } | undefined {
  if (!(before > 0)) return undefined;
  const share = (now - before) / before;
  const isUp = share > 0;
  const size = Math.abs(share);
  const text = size >= 10 ? `${(size + 1).toFixed(0)}×` : `${Math.round(size * 100)}%`;
  return { text: `${share === 0 ? '' : isUp ? '▲ ' : '▼ '}${text}`, isUp };
}

/** The parts of a row by model, in the colours of the page. */
export function partsOf(row: UsageRow, unit: Unit, colours: ReadonlyMap<string, Colour>): { colour: Colour; value: number }[] {
  const models = Object.entries(row.models ?? {});
  if (models.length === 0) return [{ colour: 1, value: amountOf(row, unit) }];
  const parts = models.map(([model, sums]) => ({ colour: colours.get(model) ?? OTHER, value: amountOf(sums, unit) }));
  return parts.sort((one, other) => one.colour - other.colour);
}
