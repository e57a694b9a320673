// Prepares data for charts: which series get a colour, which labels fit, how many points are
// drawn. Nothing here knows the document or the screen.

import { max, range, sum } from 'd3-array';

/** A colour of series: `--s1` to `--s8`. */
export type Colour = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** The last colour stands for everything that has none of its own. */
export const OTHER: Colour = 8;

export interface Series {
  key: string;
  name: string;
  colour: Colour;
  /** A value for each position. */
  values: readonly number[];
}

/** What a chart shows, as a table. */
export interface TableData {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The most points a chart draws. */
export const MOST_POINTS = 500;

/** A colour for each name, those with the largest totals first; names without one are missing. */
export function coloursOf(totals: ReadonlyMap<string, number>, most = 7): Map<string, Colour> {
  const names = [...totals.keys()].sort((one, other) => (totals.get(other) ?? 0) - (totals.get(one) ?? 0) || one.localeCompare(other));
  const count = names.length === most + 1 ? most + 1 : most;
  return new Map(names.slice(0, count).map((name, index) => [name, (index + 1) as Colour]));
}

/**
 * Values by position and name as series in the order of their colours. Names without a colour
 * become one series, `other`.
 */
export function seriesOf(
  count: number,
  values: Iterable<readonly [position: number, name: string, value: number]>,
  colours: ReadonlyMap<string, Colour>,
  nameOf: (key: string) => string = key => key,
): Series[] {
  const byKey = new Map<string, number[]>();
  for (const [position, name, value] of values) {
    if (position < 0 || position >= count) continue;
    const key = colours.has(name) ? name : '';
    let own = byKey.get(key);
    if (!own) {
      own = new Array<number>(count).fill(0);
      byKey.set(key, own);
    }
    own[position] = (own[position] ?? 0) + value;
  }
  const series = [...byKey].map(([key, own]) => ({
    key,
    name: key === '' ? 'other' : nameOf(key),
    colour: colours.get(key) ?? OTHER,
    values: own,
  }));
  return series.sort((one, other) => (one.key === '' ? 1 : other.key === '' ? -1 : one.colour - other.colour));
}

/** The positions whose labels fit side by side; the last position has one. */
export function labelled(count: number, width: number, labelWidth: number): number[] {
  if (count <= 0) return [];
  const step = Math.max(1, Math.ceil((count * labelWidth) / Math.max(width, labelWidth)));
  return range(count - 1, -1, -step).reverse();
}

/**
 * Joins neighbouring positions until at most `most` are left. Returns the first position of
 * each, so that a caller can sum or take the peak of what lies between.
 */
export function joined(count: number, most = MOST_POINTS): number[] {
  return range(0, count, Math.max(1, Math.ceil(count / most)));
}

/** The peaks of values, at most `most` of them. */
export function peaks(values: readonly number[], most = MOST_POINTS): number[] {
  const starts = joined(values.length, most);
  return starts.map((start, index) => max(values.slice(start, starts[index + 1] ?? values.length)) ?? 0);
}

/** Running totals. */
export function cumulated(values: readonly number[]): number[] {
  let total = 0;
  return values.map(value => {
    total += value;
    return total;
  });
}

/** The sum of all series at a position. */
export function totalAt(series: readonly Series[], position: number): number {
  return sum(series, one => one.values[position] ?? 0);
}

/** The table behind a chart of series. */
export function seriesTable(
  heading: string,
  titles: readonly string[],
  series: readonly Series[],
  format: (value: number) => string,
  hasTotal = series.length > 1,
): TableData {
  return {
    columns: [heading, ...series.map(one => one.name), ...(hasTotal ? ['total'] : [])],
    rows: titles.map((title, position) => [
      title,
      ...series.map(one => format(one.values[position] ?? 0)),
      ...(hasTotal ? [format(totalAt(series, position))] : []),
    ]),
  };
}
