// Lanes as shapes: one path per kind of span keeps a lane of a thousand spans at a few elements.

import { bisector, group } from 'd3-array';
import type { LanesDocument } from '../schema';
import type { Range } from './zoom';

export type SpanKind = 'model' | 'tool' | 'waiting' | 'compaction';

export interface Span extends Range {
  kind: SpanKind;
  label: string;
  isError: boolean;
  turn: string;
  count: number;
}

export interface Lane extends Range {
  /** The agent; empty for the session itself. */
  agent: string;
  parent: string;
  depth: number;
  name: string;
  description: string;
  spans: Span[];
}

/** Reads lanes; spans are sorted by their start. */
export function lanesOf(document: LanesDocument): Lane[] {
  const lanes = document.lanes.map(lane => {
    const spans = lane.spans
      .map(span => ({
        kind: span.kind as SpanKind,
        from: Date.parse(span.from),
        to: Date.parse(span.to),
        label: span.label ?? '',
        isError: span.status === 'error',
        turn: span.turn,
        count: span.count,
      }))
      .filter(span => Number.isFinite(span.from) && span.to >= span.from)
      .sort((a, b) => a.from - b.from);
    const from = Date.parse(lane.started_at ?? '');
    const to = Date.parse(lane.ended_at ?? '');
    return {
      agent: lane.agent_id ?? '',
      parent: lane.parent_agent_id ?? '',
      depth: lane.depth,
      name: lane.agent_id ? (lane.type ?? 'agent') : 'main',
      description: lane.description ?? '',
      from: Number.isFinite(from) ? from : (spans[0]?.from ?? 0),
      to: Number.isFinite(to) ? to : Math.max(...spans.map(span => span.to), spans[0]?.from ?? 0),
      spans,
    };
  });
  return inTreeOrder(lanes);
}

/** Children follow their parents. A lane whose parent is unknown stays where it is. */
function inTreeOrder(lanes: Lane[]): Lane[] {
  const known = new Set(lanes.map(lane => lane.agent));
  const children = group(lanes, lane => (lane.agent && lane.parent && known.has(lane.parent) && lane.parent !== lane.agent ? lane.parent : ''));
  const ordered: Lane[] = [];
  const add = (lane: Lane) => {
    if (ordered.includes(lane)) return;
    ordered.push(lane);
    for (const child of lane.agent ? (children.get(lane.agent) ?? []) : []) add(child);
  };
  for (const lane of children.get('') ?? []) add(lane);
  // Agents that name each other as parents would be lost.
  for (const lane of lanes) add(lane);
  return ordered;
}

/** Rectangles of spans as one path. Every span is at least a pixel wide. */
export function spansPath(spans: Iterable<Range>, x: (time: number) => number, width: number, top: number, height: number): string {
  let path = '';
  for (const span of spans) {
    const from = Math.max(x(span.from), 0);
    const to = Math.min(Math.max(x(span.to), from + 1), width);
    if (from >= width || to <= 0 || to <= from) continue;
    path += `M${round(from)} ${top}h${round(to - from)}v${height}h${round(from - to)}z`;
  }
  return path;
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}

const byStart = bisector((span: Range) => span.from);

/** The span at a moment, or the nearest within `slack` milliseconds. */
export function spanAt(spans: readonly Span[], time: number, slack: number): Span | undefined {
  const after = byStart.right(spans, time);
  let nearest: Span | undefined;
  let distance = slack;
  // Spans may overlap (calls run side by side): look back over a few.
  for (let at = Math.min(after, spans.length - 1); at >= Math.max(after - 12, 0); at--) {
    const span = spans[at] as Span;
    const away = time < span.from ? span.from - time : time > span.to ? time - span.to : 0;
    if (away < distance || (away === 0 && distance === 0 && nearest && span.to - span.from < nearest.to - nearest.from)) {
      nearest = span;
      distance = away;
    }
  }
  return nearest;
}

/** The span after or before a moment, for moving by keys. */
export function neighbour(spans: readonly Span[], at: Span | undefined, by: 1 | -1): Span | undefined {
  if (!at) return by > 0 ? spans[0] : spans.at(-1);
  const index = spans.indexOf(at);
  return spans[Math.min(Math.max(index + by, 0), spans.length - 1)];
}

export interface Connector {
  from: number;
  to: number;
  at: number;
}

/** Lines from a parent's lane to the start of its child's. */
export function connectors(lanes: readonly Lane[]): Connector[] {
  const rows = new Map(lanes.map((lane, row) => [lane.agent, row]));
  return lanes.flatMap((lane, row) => {
    const parent = lane.agent ? rows.get(lane.parent) : undefined;
    return parent === undefined || parent >= row ? [] : [{ from: parent, to: row, at: lane.from }];
  });
}

/** When somebody or something worked. */
export function busyRanges(lanes: readonly Lane[]): Range[] {
  return lanes.flatMap(lane => lane.spans.filter(span => span.kind !== 'waiting').map(({ from, to }) => ({ from, to })));
}

/** How long a lane spent on each kind of span. */
export function timeByKind(lane: Lane): Record<SpanKind, number> {
  const sums: Record<SpanKind, number> = { model: 0, tool: 0, waiting: 0, compaction: 0 };
  for (const span of lane.spans) sums[span.kind] += span.to - span.from;
  return sums;
}
