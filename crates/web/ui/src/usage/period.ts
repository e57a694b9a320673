// Periods: presets and dates, and the period before. Days are inclusive.

import { addDays, type Bucket, bucketFor, daysBetween, isDay, monthName, shortDay } from '../charts/calendar';

export type Preset = '7d' | '30d' | '90d' | '12m' | 'all';

export const PRESETS: readonly (readonly [Preset, string])[] = [
  ['7d', '7d'],
  ['30d', '30d'],
  ['90d', '90d'],
  ['12m', '1y'],
  ['all', 'All'],
];

const DAYS: Record<Preset, number> = { '7d': 7, '30d': 30, '90d': 90, '12m': 365, all: 0 };

export interface Period {
  /** The preset, unless the days were chosen by hand. */
  preset: Preset | undefined;
  /** The first day; empty: from the beginning. */
  since: string;
  until: string;
}

/** The period that parameters of a page name. */
export function periodOf(preset: string, since: string, until: string, today: string): Period {
  if (isDay(since) || isDay(until)) {
    const last = isDay(until) ? until : today;
    const first = isDay(since) ? since : '';
    return first > last ? { preset: undefined, since: last, until: first } : { preset: undefined, since: first, until: last };
  }
  const known = preset in DAYS ? (preset as Preset) : '30d';
  return { preset: known, since: known === 'all' ? '' : addDays(today, 1 - DAYS[known]), until: today };
}

/** How many days a period has; `undefined` if it has no beginning. */
export function lengthOf(period: Period): number | undefined {
  return period.since ? daysBetween(period.since, period.until) + 1 : undefined;
}

/** The period of the same length before. */
export function periodBefore(period: Period): Period | undefined {
  const days = lengthOf(period);
  return days === undefined ? undefined : { preset: undefined, since: addDays(period.since, -days), until: addDays(period.since, -1) };
}

/** The period of the same length after, but not beyond today. */
export function periodAfter(period: Period, today: string): Period | undefined {
  const days = lengthOf(period);
  if (days === undefined || period.until >= today) return undefined;
  const last = addDays(period.until, days);
  const until = last > today ? today : last;
  return { preset: undefined, since: addDays(until, 1 - days), until };
}

/** The bars of a period, if the page names none. */
export function bucketOfPeriod(period: Period, named: string): Bucket {
  if (named === 'day' || named === 'week' || named === 'month') return named;
  return bucketFor(lengthOf(period) ?? 400);
}

/** `1 Nov – 17 Nov 2026`. */
export function periodTitle(period: Period): string {
  const { since, until } = period;
  if (!since) return `until ${shortDay(until)} ${until.slice(0, 4)}`;
  if (since === until) return `${shortDay(since)} ${since.slice(0, 4)}`;
  const isSameYear = since.slice(0, 4) === until.slice(0, 4);
  const isSameMonth = isSameYear && since.slice(5, 7) === until.slice(5, 7);
  const first = isSameMonth ? String(Number(since.slice(8))) : isSameYear ? shortDay(since) : `${shortDay(since)} ${since.slice(0, 4)}`;
  return `${first} – ${Number(until.slice(8))} ${monthName(until)} ${until.slice(0, 4)}`;
}
