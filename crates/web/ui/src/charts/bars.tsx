// Stacked bars along positions such as days.

import { useSignal } from '@preact/signals';
import { max } from 'd3-array';
import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import { areaFor, PositionAxis, ValueAxis } from './axis';
import { type Series, seriesTable, totalAt } from './data';
import { type Drawing, Frame } from './frame';
import { Legend, SeriesNote } from './legend';

export interface BarsProps {
  label: string;
  /** What a position is: `day`. The heading of the table's first column. */
  heading: string;
  /** The short name of each position, for the axis. */
  labels: readonly string[];
  /** The full name of each position. */
  titles: readonly string[];
  series: readonly Series[];
  /** Values to compare with, drawn as a line across each bar. */
  before?: { name: string; values: readonly number[] };
  /** Marks above positions, such as limits that were reached. */
  marks?: readonly { position: number; text: string }[];
  format: (value: number) => string;
  /** Shorter, for the axis. */
  formatTick?: (value: number) => string;
  height?: number;
  /** The position that is selected outside of the chart. */
  selected?: number;
  onPick?: (position: number) => void;
  /** A range was dragged, or selected with Shift and the arrow keys. */
  onRange?: (from: number, to: number) => void;
}

export function Bars(props: BarsProps) {
  const { titles, before, marks = [], format } = props;
  const hidden = useSignal<ReadonlySet<string>>(new Set());
  const shown = props.series.filter(one => !hidden.value.has(one.key));
  const toggle = (key: string) => {
    const next = new Set(hidden.value);
    if (!next.delete(key)) next.add(key);
    // Without any series there is nothing to see: show all again.
    hidden.value = next.size >= props.series.length ? new Set() : next;
  };
  return (
    <Frame
      label={props.label}
      table={seriesTable(props.heading, titles, props.series, format)}
      draw={width => drawBars(width, props, shown)}
      note={position => (
        <SeriesNote
          title={titles[position] ?? ''}
          series={shown}
          position={position}
          format={format}
          extra={[
            ...(before ? [[before.name, format(before.values[position] ?? 0)] as const] : []),
            ...marks.filter(mark => mark.position === position).map(mark => ['limit', mark.text] as const),
          ]}
        />
      )}
      legend={props.series.length > 1 ? <Legend series={props.series} hidden={hidden.value} onToggle={toggle} /> : undefined}
      onPick={props.onPick}
      onRange={props.onRange}
    />
  );
}

/** The widest a bar gets: few bars in a wide chart are bars, not walls. */
const WIDEST = 48;

function drawBars(width: number, props: BarsProps, series: readonly Series[]): Drawing {
  const { labels, before, marks = [], selected = -1, height = 220, format, formatTick = format } = props;
  const positions = labels.map((_, position) => position);
  const count = positions.length;
  const ticks = Math.max(2, Math.round(height / 55));
  const highest = max(positions, position => Math.max(totalAt(series, position), before?.values[position] ?? 0)) ?? 0;
  const y = scaleLinear()
    .domain([0, highest || 1])
    .nice(ticks);
  const area = areaFor(width, height, y.ticks(ticks).map(formatTick));
  y.range([area.bottom, area.top]);
  const x = scaleBand<number>(positions, [area.left, area.right]).paddingInner(count > 120 ? 0.05 : 0.22);
  const step = x.step();
  const thick = Math.min(x.bandwidth(), WIDEST);
  const middle = (position: number) => (x(position) ?? 0) + x.bandwidth() / 2;
  const around = (from: number, to: number) => ({
    x: middle(from) - step / 2,
    width: middle(to) - middle(from) + step,
    y: area.top,
    height: area.bottom - area.top,
  });
  const layers = stack<number, number>()
    .keys(series.map((_, index) => index))
    .value((position, index) => series[index]?.values[position] ?? 0)(positions);
  return {
    count,
    height,
    at: pointer => (count === 0 ? -1 : Math.max(0, Math.min(count - 1, Math.floor((pointer - area.left) / step)))),
    place: position => ({ x: middle(position) + thick / 2, y: y(totalAt(series, position)) }),
    active: position => <rect class="here" {...around(position, position)} />,
    selected: (from, to) => <rect class="range" {...around(from, to)} />,
    svg: (
      <>
        <ValueAxis scale={y} area={area} format={formatTick} ticks={ticks} />
        {selected >= 0 && selected < count && <rect class="range" {...around(selected, selected)} />}
        {layers.map(layer => (
          <g key={series[layer.key]?.key} class={`bars c${series[layer.key]?.colour}`}>
            {layer.map(([low, high], position) =>
              high > low ? <rect key={position} x={middle(position) - thick / 2} width={thick} y={y(high)} height={Math.max(y(low) - y(high), 0.75)} /> : null,
            )}
          </g>
        ))}
        {before?.values
          .slice(0, count)
          .map((value, position) =>
            value > 0 ? (
              <line key={position} class="before" x1={middle(position) - thick / 2 - 1} x2={middle(position) + thick / 2 + 1} y1={y(value)} y2={y(value)} />
            ) : null,
          )}
        {marks.map((mark, index) => (
          <path key={index} class="limit" d={`M${middle(mark.position)},${area.top + 6}l-4,-7h8z`} />
        ))}
        <PositionAxis labels={labels} area={area} x={middle} />
      </>
    ),
  };
}
