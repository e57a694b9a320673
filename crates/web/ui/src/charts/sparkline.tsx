// A line the size of a word.

import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { type Colour, peaks } from './data';

export function Sparkline({
  label,
  values,
  colour = 1,
  width = 96,
  height = 22,
}: {
  /** What it shows, in words with the values that matter. */
  label: string;
  values: readonly number[];
  colour?: Colour;
  width?: number;
  height?: number;
}) {
  const points = peaks(values, width);
  const x = scaleLinear([0, Math.max(points.length - 1, 1)], [1, width - 1]);
  const y = scaleLinear([0, max(points) || 1], [height - 1, 2]);
  const shape = line<number>(
    (_, index) => x(index),
    value => y(value),
  );
  const below = area<number>(
    (_, index) => x(index),
    height,
    value => y(value),
  );
  return (
    <svg class={`sparkline c${colour}`} role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <path class="fill" d={below(points) ?? ''} />
      <path class="line" d={shape(points) ?? ''} />
    </svg>
  );
}
