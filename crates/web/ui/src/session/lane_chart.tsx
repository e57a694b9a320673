// The drawing of lanes. One element per kind of span and lane, whatever their number.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { day, duration, moment } from '../core/format';
import type { LanesDocument } from '../schema';
import type { Explorer } from './explorer';
import { connectors, type Lane, neighbour, type Span, spanAt, spansPath } from './lane_layout';
import { moved, type Range, type TimeScale, zoomAround } from './zoom';

const ROW = 22;
const BAR = 12;
/** More lanes than these scroll. */
const MOST_SHOWN = 9;
const AXIS = 20;

const KINDS = { model: 'model', tool: 'tool', waiting: 'waiting', compaction: 'compaction' } as const;

interface LaneChartProps {
  explorer: Explorer;
  lanes: readonly Lane[];
  marks: LanesDocument['marks'];
  range: Range;
  all: Range;
  scale: TimeScale;
  labels: number;
  width: number;
  onZoom: (range: Range | undefined) => void;
}

/** What a span is, in words. */
function described(lane: Lane, span: Span): string {
  const what = span.count > 1 ? `${span.label} and others (${span.count})` : span.label || KINDS[span.kind];
  const turn = span.turn ? `, turn ${span.turn}` : '';
  return `${lane.name}: ${what}${span.isError ? ', failed' : ''}, ${duration(span.to - span.from)}, ${moment(new Date(span.from).toISOString())}${turn}`;
}

/** Moments for the axis, far enough apart for their labels, with seconds where minutes repeat. */
function ticks(scale: TimeScale, width: number): { x: number; text: string }[] {
  const wanted = Math.max(Math.floor(width / 110), 2);
  const all = Array.from({ length: wanted + 1 }, (_, at) => {
    const x = (width * at) / wanted;
    return { x, time: new Date(scale.time(x)).toISOString() };
  });
  const hasSeconds = new Set(all.map(({ time }) => moment(time).slice(0, 16))).size < all.length;
  let before = '';
  return all.map(({ x, time }) => {
    const date = day(time);
    const text = moment(time).slice(date === before ? 11 : 5, hasSeconds ? 19 : 16);
    before = date;
    return { x, text: date === day(all[0]?.time) ? text.slice(-(hasSeconds ? 8 : 5)) : text };
  });
}

export function LaneChart({ explorer, lanes, marks, range, all, scale, labels, width, onZoom }: LaneChartProps) {
  const hovered = useSignal<{ lane: Lane; span: Span } | undefined>(undefined);
  const row = useSignal(0);
  const drag = useSignal<{ from: number; to: number } | undefined>(undefined);
  const plot = useRef<SVGSVGElement>(null);
  const note = useRef<HTMLDivElement>(null);
  const height = lanes.length * ROW;
  const slack = Math.abs(scale.time(4) - scale.time(0)) || 1;

  const at = (event: PointerEvent | MouseEvent) => {
    const box = plot.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };
  const hit = (event: PointerEvent | MouseEvent) => {
    const { x, y } = at(event);
    const lane = lanes[Math.floor(y / ROW)];
    const span = lane && spanAt(lane.spans, scale.time(x), slack);
    return lane && span ? { lane, span } : undefined;
  };
  const visit = ({ lane, span }: { lane: Lane; span: Span }) => {
    explorer.select(undefined);
    if (lane.agent && lane.agent !== explorer.agent) void explorer.goToAgent(lane.agent);
    else if (span.turn) void explorer.goTo({ part: 'main', turn: span.turn });
  };
  const onPointerMove = (event: PointerEvent) => {
    if (drag.value) drag.value = { ...drag.value, to: at(event).x };
    else hovered.value = hit(event);
  };
  const onPointerUp = (event: PointerEvent) => {
    const dragged = drag.value;
    drag.value = undefined;
    if (!dragged) return;
    if (Math.abs(dragged.to - dragged.from) < 5) {
      const found = hit(event);
      if (found) visit(found);
      return;
    }
    const from = scale.time(Math.max(Math.min(dragged.from, dragged.to), 0));
    const to = scale.time(Math.min(Math.max(dragged.from, dragged.to), width));
    if (to - from > 500) onZoom({ from, to });
  };
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    onZoom(zoomAround(range, all, scale.time(at(event).x), event.deltaY > 0 ? 1.4 : 1 / 1.4));
  };
  useEffect(() => {
    const element = plot.current;
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const lane = lanes[Math.min(row.value, lanes.length - 1)];
    if (!lane) return;
    const step = (by: 1 | -1) => {
      const span = neighbour(lane.spans, hovered.value?.lane === lane ? hovered.value.span : undefined, by);
      if (span) hovered.value = { lane, span };
    };
    const change = (by: 1 | -1) => {
      row.value = Math.min(Math.max(row.value + by, 0), lanes.length - 1);
      const other = lanes[row.value];
      const span = other && spanAt(other.spans, hovered.value?.span.from ?? range.from, Number.POSITIVE_INFINITY);
      hovered.value = other && span ? { lane: other, span } : undefined;
    };
    const middle = hovered.value ? (hovered.value.span.from + hovered.value.span.to) / 2 : (range.from + range.to) / 2;
    const moves: Record<string, () => void> = {
      ArrowRight: () => (event.shiftKey ? onZoom(moved(range, all, 0.25)) : step(1)),
      ArrowLeft: () => (event.shiftKey ? onZoom(moved(range, all, -0.25)) : step(-1)),
      ArrowDown: () => change(1),
      ArrowUp: () => change(-1),
      '+': () => onZoom(zoomAround(range, all, middle, 0.5)),
      '=': () => onZoom(zoomAround(range, all, middle, 0.5)),
      '-': () => onZoom(zoomAround(range, all, middle, 2)),
      '0': () => onZoom(undefined),
      Enter: () => hovered.value && visit(hovered.value),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  // After zooming, the lanes are others.
  const shown = hovered.value && lanes.includes(hovered.value.lane) ? hovered.value : undefined;
  const shownRow = shown ? lanes.indexOf(shown.lane) : -1;
  useEffect(() => {
    const element = note.current;
    if (!element || !shown) return;
    const x = labels + Math.min(Math.max(scale.x(shown.span.from), 0), width);
    element.style.left = `${Math.max(Math.min(x, labels + width - element.offsetWidth), 0)}px`;
    element.style.top = `${Math.min((shownRow + 1) * ROW, MOST_SHOWN * ROW)}px`;
  });
  const here = explorer.turn.value;
  const hereFrom = Date.parse(here?.started_at ?? '');
  const hereTo = Date.parse(here?.ended_at ?? '');
  const label = `${lanes.length} lanes from ${moment(new Date(range.from).toISOString())} to ${moment(new Date(range.to).toISOString())}. Arrows move through spans, plus and minus zoom, Enter goes to the turn.`;
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (grid.current) grid.current.style.gridTemplateColumns = labels ? `${labels}px ${width}px` : `${width}px`;
    if (scroller.current) scroller.current.style.maxHeight = `${MOST_SHOWN * ROW}px`;
  });
  return (
    <div class="lane-chart">
      <div class="lane-scroll" ref={scroller}>
        <div class="lane-grid" ref={grid}>
          {labels > 0 && (
            <ul class="lane-names" aria-hidden="true">
              {lanes.map((lane, index) => (
                <li key={lane.agent} class={`cut d${Math.min(lane.depth, 4)} ${index === shownRow ? 'on' : ''}`} title={lane.description || lane.name}>
                  {lane.agent ? <button type="button" tabIndex={-1} onClick={() => void explorer.goToAgent(lane.agent)}>{lane.description || lane.name}</button> : 'main'}
                </li>
              ))}
            </ul>
          )}
          <svg
            ref={plot}
            class="lane-plot"
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            role="application"
            aria-label={label}
            aria-roledescription="chart"
            tabIndex={0}
            onPointerDown={event => {
              if (event.button !== 0) return;
              event.currentTarget.setPointerCapture(event.pointerId);
              drag.value = { from: at(event).x, to: at(event).x };
            }}
            onPointerMove={onPointerMove}
            onPointerUp={onPointerUp}
            onPointerCancel={() => (drag.value = undefined)}
            onPointerLeave={() => !drag.value && (hovered.value = undefined)}
            onDblClick={() => onZoom(undefined)}
            onKeyDown={onKeyDown}
            onBlur={() => (hovered.value = undefined)}
          >
            {Number.isFinite(hereFrom + hereTo) && <path class="lane-here" d={spansPath([{ from: hereFrom, to: hereTo }], scale.x, width, 0, height)} />}
            <path class="lane-gaps" d={spansPath(scale.gaps, scale.x, width, 0, height)} />
            <path class="lane-links" d={connectors(lanes).map(link => `M${scale.x(link.at).toFixed(1)} ${link.from * ROW + ROW / 2}V${link.to * ROW + ROW / 2}`).join('')} />
            {lanes.map((lane, index) => {
              const top = index * ROW + (ROW - BAR) / 2;
              const of = (test: (span: Span) => boolean) => spansPath(lane.spans.filter(test), scale.x, width, top, BAR);
              return (
                <g key={lane.agent}>
                  <path class="lane-base" d={spansPath([lane], scale.x, width, top + BAR / 2 - 0.5, 1)} />
                  <path class="k-model" d={of(span => span.kind === 'model')} />
                  <path class="k-tool" d={of(span => span.kind === 'tool' && !span.isError)} />
                  <path class="k-compaction" d={of(span => span.kind === 'compaction')} />
                  <path class="k-error" d={of(span => span.isError)} />
                </g>
              );
            })}
            <path class="lane-prompts" d={marks.filter(mark => mark.kind === 'prompt').map(mark => `M${scale.x(Date.parse(mark.at)).toFixed(1)} 0v4`).join('')} />
            {shown && <path class="lane-focus" d={spansPath([shown.span], scale.x, width, shownRow * ROW + 3, ROW - 6)} />}
            {drag.value && <rect class="lane-drag" x={Math.min(drag.value.from, drag.value.to)} y={0} width={Math.abs(drag.value.to - drag.value.from)} height={height} />}
          </svg>
        </div>
      </div>
      <svg class="lane-axis" width={width} height={AXIS} aria-hidden="true">
        {ticks(scale, width).map(({ x, text }, index, all) => (
          <text key={x} x={x} y={14} text-anchor={index === 0 ? 'start' : index === all.length - 1 ? 'end' : 'middle'}>
            {text}
          </text>
        ))}
      </svg>
      {shown && (
        <div class="lane-note" ref={note} role="status">
          {described(shown.lane, shown.span)}
        </div>
      )}
    </div>
  );
}
