// Axes: a few readable ticks, lines behind the marks.

import type { ScaleLinear } from 'd3-scale';
import { labelled } from './data';

/** The room that marks have within a chart. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The room left by the labels of a value axis; a digit takes about six pixels. */
export function areaFor(width: number, height: number, labels: readonly string[]): Area {
  const longest = Math.max(0, ...labels.map(label => label.length));
  return { left: Math.round(longest * 6.3) + 10, right: width - 4, top: 8, bottom: height - 22 };
}

export function ValueAxis({
  scale,
  area,
  format,
  ticks,
}: {
  scale: ScaleLinear<number, number>;
  area: Area;
  format: (value: number) => string;
  ticks: number;
}) {
  return (
    <g class="axis">
      {scale.ticks(ticks).map(tick => (
        <g key={tick}>
          <line x1={area.left} x2={area.right} y1={scale(tick)} y2={scale(tick)} class={tick === 0 ? 'zero' : ''} />
          <text x={area.left - 6} y={scale(tick)} dy=".32em" text-anchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
    </g>
  );
}

export function PositionAxis({
  labels,
  area,
  x,
  labelWidth = 58,
}: {
  labels: readonly string[];
  area: Area;
  x: (position: number) => number;
  labelWidth?: number;
}) {
  const shown = labelled(labels.length, area.right - area.left, labelWidth);
  return (
    <g class="axis">
      {shown.map(position => {
        const at = x(position);
        const half = labelWidth / 2 - 4;
        // A label that would hang out on the left would touch the next one if it were moved.
        if (at - half < area.left - 12 && shown.length > 1) return null;
        const isLast = at + half > area.right + 4;
        return (
          <text key={position} x={isLast ? area.right + 3 : at} y={area.bottom + 15} text-anchor={isLast ? 'end' : 'middle'}>
            {labels[position]}
          </text>
        );
      })}
    </g>
  );
}
