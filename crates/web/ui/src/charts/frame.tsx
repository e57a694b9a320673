// The frame around every chart: its size, the value under the pointer or reached by keys, a
// selected range, and the table behind it. A chart only draws.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TableData } from './data';

/** What a chart draws at a width. */
export interface Drawing {
  /** How many positions can be reached. */
  count: number;
  height: number;
  svg: ComponentChildren;
  /** Marks the active position. */
  active?: (position: number) => ComponentChildren;
  /** The same, above the marks. */
  over?: (position: number) => ComponentChildren;
  /** The position at a point, or -1. */
  at: (x: number, y: number) => number;
  /** Where the note of a position points to. */
  place: (position: number) => { x: number; y: number };
  /** Marks a range, for charts in which one can be selected. */
  selected?: (from: number, to: number) => ComponentChildren;
  /** How far the up and down keys go; 0: not at all. */
  rows?: number;
}

export interface FrameProps {
  /** One sentence that says what is shown. */
  label: string;
  table: TableData;
  draw: (width: number) => Drawing;
  /** The note of a position. */
  note: (position: number) => ComponentChildren;
  legend?: ComponentChildren;
  onPick?: (position: number) => void;
  onRange?: (from: number, to: number) => void;
}

export function Frame(props: FrameProps) {
  const isTable = useSignal(false);
  return (
    <figure class="chart" aria-label={props.label}>
      <div class="chart-head">
        {props.legend}
        <button type="button" class="quiet chart-switch" aria-pressed={isTable.value} onClick={() => (isTable.value = !isTable.value)}>
          Table
        </button>
      </div>
      {isTable.value ? <DataTable label={props.label} data={props.table} /> : <Plot {...props} />}
    </figure>
  );
}

/** The width of an element, followed as it changes. */
export function useWidth(): [ref: (element: HTMLElement | null) => void, width: number] {
  const width = useSignal(0);
  const observer = useRef<ResizeObserver | undefined>(undefined);
  const ref = useRef((element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (!element) return;
    width.value = element.clientWidth;
    observer.current = new ResizeObserver(() => {
      width.value = element.clientWidth;
    });
    observer.current.observe(element);
  });
  return [ref.current, width.value];
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 };

function Plot({ label, draw, note, onPick, onRange }: FrameProps) {
  const [box, width] = useWidth();
  const active = useSignal(-1);
  /** Where a range begins, while one is being selected. */
  const anchor = useSignal(-1);
  const drawing = width > 0 ? draw(width) : undefined;
  const count = drawing?.count ?? 0;
  const at = active.value < count ? active.value : -1;
  const from = Math.min(anchor.value, at);
  const to = Math.max(anchor.value, at);
  const hasRange = onRange !== undefined && anchor.value >= 0 && at >= 0 && from !== to;

  const positionOf = (event: PointerEvent) => {
    const area = (event.currentTarget as Element).getBoundingClientRect();
    return drawing?.at(event.clientX - area.left, event.clientY - area.top) ?? -1;
  };
  const settle = () => {
    if (hasRange) onRange?.(from, to);
    else if (at >= 0) onPick?.(at);
    anchor.value = -1;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const isVertical = event.key === 'ArrowUp' || event.key === 'ArrowDown';
    if (step !== undefined && !(isVertical && !drawing?.rows)) {
      if (event.shiftKey && onRange && anchor.value < 0) anchor.value = at;
      if (!event.shiftKey) anchor.value = -1;
      const distance = isVertical || !drawing?.rows ? step : step * drawing.rows;
      const next = at < 0 ? (step > 0 ? 0 : count - 1) : at + distance;
      if (next >= 0 && next < count) active.value = next;
    } else if (event.key === 'Home') active.value = 0;
    else if (event.key === 'End') active.value = count - 1;
    else if (event.key === 'Escape' && at >= 0) {
      active.value = -1;
      anchor.value = -1;
    } else if (event.key === 'Enter' && at >= 0) settle();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class={`plot ${onPick || onRange ? 'picks' : ''}`}
      ref={box}
      tabIndex={0}
      role="group"
      aria-label={`${label} Arrow keys read the values.`}
      onKeyDown={onKeyDown}
      onBlur={() => (active.value = -1)}
      onPointerMove={event => (active.value = positionOf(event))}
      onPointerLeave={() => {
        active.value = -1;
        anchor.value = -1;
      }}
      onPointerDown={event => {
        if (event.button !== 0) return;
        active.value = positionOf(event);
        anchor.value = onRange ? active.value : -1;
      }}
      onPointerUp={event => {
        if (event.button === 0) settle();
      }}
    >
      {drawing && (
        <svg role="img" aria-label={label} width={width} height={drawing.height} viewBox={`0 0 ${width} ${drawing.height}`}>
          {hasRange && drawing.selected?.(from, to)}
          {at >= 0 && !hasRange && drawing.active?.(at)}
          {drawing.svg}
          {at >= 0 && drawing.over?.(at)}
        </svg>
      )}
      <Note content={at >= 0 ? note(at) : null} place={at >= 0 ? drawing?.place(at) : undefined} width={width} />
    </div>
  );
}

/** The note beside the active position; it stays within the chart. */
function Note({ content, place, width }: { content: ComponentChildren; place: { x: number; y: number } | undefined; width: number }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !place) return;
    const own = element.offsetWidth;
    const beside = place.x + 14 + own <= width ? place.x + 14 : place.x - 14 - own;
    const left = Math.max(0, Math.min(beside, width - own));
    element.style.transform = `translate(${Math.round(left)}px, ${Math.round(Math.max(0, place.y - element.offsetHeight / 2))}px)`;
  });
  return (
    <div ref={box} class={`chart-note ${place ? '' : 'out'}`} role="status">
      {content}
    </div>
  );
}

export function DataTable({ label, data }: { label: string; data: TableData }) {
  return (
    <div class="chart-table" tabIndex={0} role="region" aria-label={label}>
      <table class="rows">
        <thead>
          <tr>
            {data.columns.map((column, index) => (
              <th key={column} scope="col" class={index > 0 ? 'r' : ''}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row, index) => (
            <tr key={`${row[0]} ${index}`}>
              {row.map((cell, at) =>
                at === 0 ? (
                  <th key={at} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={at} class="r">
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
