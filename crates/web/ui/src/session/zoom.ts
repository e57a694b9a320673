// Ranges of time: zooming, moving, and a scale that leaves idle time out.

import { scaleLinear } from 'd3-scale';

/** A range of time, in milliseconds. */
export interface Range {
  from: number;
  to: number;
}

/** A range as the address has it: two times in seconds. */
export function rangeText({ from, to }: Range): string {
  return `${Math.floor(from / 1000)}-${Math.ceil(to / 1000)}`;
}

/** Reads a range from an address. */
export function rangeFrom(text: string): Range | undefined {
  const [, from, to] = /^(\d{1,11})-(\d{1,11})$/.exec(text) ?? [];
  return Number(from) < Number(to) ? { from: Number(from) * 1000, to: Number(to) * 1000 } : undefined;
}

/** Nothing shorter is shown. */
const LEAST = 1000;
/** Idle time that is left out is this wide, in pixels. */
const GAP = 10;

/** Moves and shortens a range so that it lies within another. */
export function within(range: Range, all: Range): Range {
  const length = Math.min(Math.max(range.to - range.from, LEAST), all.to - all.from);
  const from = Math.min(Math.max(range.from, all.from), all.to - length);
  return { from, to: from + length };
}

/** Zooms around a moment, which stays where it is; a factor below 1 shows less. */
export function zoomAround(range: Range, all: Range, at: number, factor: number): Range {
  const from = at - (at - range.from) * factor;
  const to = at + (range.to - at) * factor;
  return within({ from, to: Math.max(to, from + LEAST) }, all);
}

/** Moves a range by a part of its length. */
export function moved(range: Range, all: Range, share: number): Range {
  const by = (range.to - range.from) * share;
  return within({ from: range.from + by, to: range.to + by }, all);
}

/** Whether a range shows everything. */
export function isWhole(range: Range, all: Range): boolean {
  return range.from <= all.from && range.to >= all.to;
}

/** Joins ranges that overlap or are nearer than `gap`. */
export function joined(ranges: readonly Range[], gap = 0): Range[] {
  const sorted = [...ranges].sort((a, b) => a.from - b.from);
  const result: Range[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last && range.from - last.to <= gap) last.to = Math.max(last.to, range.to);
    else result.push({ ...range });
  }
  return result;
}

export interface TimeScale {
  /** The position of a moment. */
  x: (time: number) => number;
  /** The moment at a position. */
  time: (x: number) => number;
  /** Idle times that are left out. */
  gaps: Range[];
}

/** A scale over a range. With `busy` ranges, the idle time between them is narrow. */
export function timeScale(range: Range, width: number, busy: readonly Range[] = []): TimeScale {
  const domain = [range.from];
  const positions = [0];
  const gaps: Range[] = [];
  const inside = joined(busy).filter(part => part.to > range.from && part.from < range.to);
  const worked = inside.reduce((sum, part) => sum + Math.min(part.to, range.to) - Math.max(part.from, range.from), 0);
  // Short breaks stay to scale: leaving them out would hide more than it shows.
  const least = Math.max(worked / 30, 60_000);
  let at = range.from;
  for (const part of joined(inside, least)) {
    if (part.from - at > least) gaps.push({ from: at, to: part.from });
    at = Math.max(at, part.to);
  }
  if (busy.length > 0 && range.to - at > least) gaps.push({ from: at, to: range.to });
  const idle = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  const gapWidth = Math.min(GAP, width / 3 / Math.max(gaps.length, 1));
  const perPixel = (range.to - range.from - idle) / Math.max(width - gaps.length * gapWidth, 1);
  let x = 0;
  for (const gap of gaps) {
    const from: number = domain.at(-1) ?? range.from;
    x += (gap.from - from) / Math.max(perPixel, 1e-9);
    if (gap.from > from) {
      domain.push(gap.from);
      positions.push(x);
    }
    x += gapWidth;
    domain.push(gap.to);
    positions.push(x);
  }
  if ((domain.at(-1) ?? 0) < range.to || domain.length < 2) {
    domain.push(range.to);
    positions.push(width);
  }
  const scale = scaleLinear(domain, positions).clamp(false);
  return { x: time => scale(time), time: x => scale.invert(x), gaps };
}

/** The share of a range in which nothing happened for long. */
export function idleShare(range: Range, busy: readonly Range[]): number {
  const all = range.to - range.from;
  if (all <= 0) return 0;
  const worked = joined(busy, 60_000).reduce((sum, part) => sum + Math.max(Math.min(part.to, range.to) - Math.max(part.from, range.from), 0), 0);
  return 1 - Math.min(worked / all, 1);
}
