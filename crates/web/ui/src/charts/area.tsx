// Lines and areas along positions: cumulative cost, a rate over time.

import { max } from 'd3-array';
import { scaleLinear, scalePoint } from 'd3-scale';
import { area as areaShape, curveLinear, curveMonotoneX, line as lineShape } from 'd3-shape';
import { areaFor, PositionAxis, ValueAxis } from './axis';
import { type Series, seriesTable } from './data';
import { type Drawing, Frame } from './frame';
import { Legend, SeriesNote } from './legend';

export interface LinesProps {
  label: string;
  heading: string;
  labels: readonly string[];
  titles: readonly string[];
  /** The first one is filled. A missing value (NaN) leaves a gap. */
  series: readonly Series[];
  /** Lines across the chart, such as a budget. */
  levels?: readonly { value: number; name: string }[];
  format: (value: number) => string;
  formatTick?: (value: number) => string;
  height?: number;
  /** The highest value of the axis, if it is fixed: 1 for a share. */
  highest?: number;
  isSmooth?: boolean;
  onPick?: (position: number) => void;
}

export function Lines(props: LinesProps) {
  const { labels, titles, series, format, formatTick = format, height = 200, levels = [] } = props;
  const count = labels.length;
  const known = (value: number | undefined): value is number => value !== undefined && Number.isFinite(value);
  const draw = (width: number): Drawing => {
    const peak = max(series, one => max(one.values, value => (known(value) ? value : 0)) ?? 0) ?? 0;
    const top = props.highest ?? Math.max(peak, 1e-9);
    const ticks = Math.max(2, Math.round(height / 55));
    const y = scaleLinear().domain([0, top]);
    if (props.highest === undefined) y.nice(ticks);
    const area = areaFor(width, height, y.ticks(ticks).map(formatTick));
    y.range([area.bottom, area.top]);
    const x = scalePoint<number>()
      .domain(labels.map((_, position) => position))
      .range([area.left + 4, area.right - 4]);
    const place = (position: number) => x(position) ?? 0;
    const curve = props.isSmooth ? curveMonotoneX : curveLinear;
    const line = lineShape<number>()
      .defined(value => known(value))
      .x((_, position) => place(position))
      .y(value => y(value))
      .curve(curve);
    const fill = areaShape<number>()
      .defined(value => known(value))
      .x((_, position) => place(position))
      .y0(area.bottom)
      .y1(value => y(value))
      .curve(curve);
    const first = series[0];
    const highestAt = (position: number) => Math.max(0, ...series.map(one => one.values[position]).filter(known));
    return {
      count,
      height,
      at: pointer =>
        count === 0 ? -1 : Math.max(0, Math.min(count - 1, Math.round(((pointer - area.left - 4) / Math.max(1, area.right - area.left - 8)) * (count - 1)))),
      place: position => ({ x: place(position), y: y(highestAt(position)) }),
      active: position => (
        <g>
          <line class="cross" x1={place(position)} x2={place(position)} y1={area.top} y2={area.bottom} />
          {series.map(one => {
            const value = one.values[position];
            return known(value) ? <circle key={one.key} class={`dot c${one.colour}`} cx={place(position)} cy={y(value)} r={3.5} /> : null;
          })}
        </g>
      ),
      svg: (
        <>
          <ValueAxis scale={y} area={area} format={formatTick} ticks={ticks} />
          {levels
            .filter(level => level.value <= (y.domain()[1] ?? 0))
            .map(level => (
              <g key={level.name} class="level">
                <line x1={area.left} x2={area.right} y1={y(level.value)} y2={y(level.value)} />
                <text x={area.right} y={y(level.value) - 4} text-anchor="end">
                  {level.name}
                </text>
              </g>
            ))}
          {first && <path class={`fill c${first.colour}`} d={fill(first.values) ?? ''} />}
          {series.map((one, index) => (
            <path key={one.key} class={`line c${one.colour} ${index > 0 ? 'second' : ''}`} d={line(one.values) ?? ''} />
          ))}
          {series.map(one =>
            one.values.map((value, position) =>
              // A value between two gaps has no line: a dot shows it.
              known(value) && !known(one.values[position - 1]) && !known(one.values[position + 1]) ? (
                <circle key={`${one.key} ${position}`} class={`dot c${one.colour}`} cx={place(position)} cy={y(value)} r={3} />
              ) : null,
            ),
          )}
          <PositionAxis labels={labels} area={area} x={place} />
        </>
      ),
    };
  };
  return (
    <Frame
      label={props.label}
      table={seriesTable(props.heading, titles, series, value => (known(value) ? format(value) : ''), false)}
      draw={draw}
      note={position => <SeriesNote title={titles[position] ?? ''} series={series} position={position} format={format} isStacked={false} />}
      legend={series.length > 1 ? <Legend series={series} /> : undefined}
      onPick={props.onPick}
    />
  );
}
