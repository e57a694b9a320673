// Calendar days as text (`2026-01-02`), without time zones: the server has already decided
// which day a call belongs to.

const DAY = 86_400_000;

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

function time(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function text(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

export function isDay(day: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(day) && Number.isFinite(time(day)) && text(time(day)) === day;
}

export function addDays(day: string, days: number): string {
  return text(time(day) + days * DAY);
}

/** The days from one to another: 0 if they are the same. */
export function daysBetween(from: string, to: string): number {
  return Math.round((time(to) - time(from)) / DAY);
}

/** 0 is Monday. */
export function isoWeekday(day: string): number {
  return (new Date(time(day)).getUTCDay() + 6) % 7;
}

export function monthName(day: string): string {
  return MONTHS[Number(day.slice(5, 7)) - 1] ?? '';
}

/** `2 Jan`. */
export function shortDay(day: string): string {
  return `${Number(day.slice(8))} ${monthName(day)}`;
}

/** `Fri 2 Jan 2026`. */
export function dayTitle(day: string): string {
  return `${WEEKDAYS[isoWeekday(day)]} ${shortDay(day)} ${day.slice(0, 4)}`;
}

/** What bars stand for. */
export type Bucket = 'day' | 'week' | 'month';

/** The bucket a day is in, named as the server names it. */
export function bucketOf(day: string, bucket: Bucket): string {
  if (bucket === 'month') return day.slice(0, 7);
  return bucket === 'week' ? addDays(day, -isoWeekday(day)) : day;
}

/** All buckets of a period, those without a call too. */
export function bucketsBetween(from: string, to: string, bucket: Bucket): string[] {
  const buckets: string[] = [];
  let at = bucketOf(from, bucket);
  const last = bucketOf(to, bucket);
  while (at <= last && buckets.length < 4000) {
    buckets.push(at);
    at = nextBucket(at, bucket);
  }
  return buckets;
}

function nextBucket(at: string, bucket: Bucket): string {
  if (bucket !== 'month') return addDays(at, bucket === 'week' ? 7 : 1);
  const [year, month] = at.split('-').map(Number);
  return text(Date.UTC(year ?? 0, month ?? 1, 1)).slice(0, 7);
}

/** The first and last day of a bucket. */
export function daysOf(name: string, bucket: Bucket): readonly [from: string, to: string] {
  if (bucket === 'day') return [name, name];
  if (bucket === 'week') return [name, addDays(name, 6)];
  return [`${name}-01`, addDays(`${nextBucket(name, 'month')}-01`, -1)];
}

/** The name of a bucket on an axis. */
export function bucketLabel(name: string, bucket: Bucket): string {
  return bucket === 'month' ? `${monthName(name)} ${name.slice(2, 4)}` : shortDay(name);
}

/** The name of a bucket in full. */
export function bucketTitle(name: string, bucket: Bucket): string {
  if (bucket === 'month') return `${monthName(name)} ${name.slice(0, 4)}`;
  if (bucket === 'week') return `${shortDay(name)} – ${shortDay(addDays(name, 6))} ${addDays(name, 6).slice(0, 4)}`;
  return dayTitle(name);
}

/** The bucket that gives a readable number of bars. */
export function bucketFor(days: number): Bucket {
  if (days <= 92) return 'day';
  return days <= 92 * 7 ? 'week' : 'month';
}
