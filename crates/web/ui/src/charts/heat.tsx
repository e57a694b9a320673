// Heat maps: a year of days, and the hours of a week.

import { max } from 'd3-array';
import { scaleQuantile } from 'd3-scale';
import { addDays, dayTitle, isoWeekday, monthName, WEEKDAYS } from './calendar';
import { type Drawing, Frame } from './frame';

interface Grid {
  columns: number;
  /** Rows are weekdays. */
  value: (column: number, row: number) => number;
  /** Cells that do not exist, such as days that are still to come. */
  isMissing?: (column: number, row: number) => boolean;
  columnLabel: (column: number) => string;
  widest: number;
}

const LEFT = 30;
const TOP = 18;
const GAP = 2;

function drawGrid(width: number, grid: Grid): Drawing {
  const { columns } = grid;
  const size = Math.min(grid.widest, (width - LEFT) / columns);
  const values = Array.from({ length: columns * 7 }, (_, index) => grid.value(Math.floor(index / 7), index % 7));
  const level = scaleQuantile<number>()
    .domain(values.filter(value => value > 0))
    .range([1, 2, 3, 4]);
  const height = TOP + 7 * Math.max(size, 11);
  const tall = (height - TOP) / 7;
  const corner = (index: number) => ({ x: LEFT + Math.floor(index / 7) * size, y: TOP + (index % 7) * tall });
  const cell = (index: number) => {
    const { x, y } = corner(index);
    return { x: x + GAP / 2, y: y + GAP / 2, width: Math.max(size - GAP, 1), height: Math.max(tall - GAP, 1), rx: 2 };
  };
  return {
    count: values.length,
    height,
    rows: 7,
    at: (x, y) => {
      const column = Math.floor((x - LEFT) / size);
      const row = Math.floor((y - TOP) / tall);
      const isInside = column >= 0 && column < columns && row >= 0 && row < 7;
      return isInside && !grid.isMissing?.(column, row) ? column * 7 + row : -1;
    },
    place: index => ({ x: corner(index).x + size / 2, y: corner(index).y + tall / 2 }),
    over: index => <rect class="cell-here" {...cell(index)} />,
    svg: (
      <>
        <g class="axis">
          {[0, 2, 4, 6].map(row => (
            <text key={row} x={LEFT - 6} y={TOP + (row + 0.5) * tall} dy=".32em" text-anchor="end">
              {WEEKDAYS[row]}
            </text>
          ))}
          {Array.from({ length: columns }, (_, column) => [column, grid.columnLabel(column)] as const)
            .filter(([, label]) => label)
            .map(([column, label]) => (
              <text key={column} x={LEFT + column * size + 1} y={11}>
                {label}
              </text>
            ))}
        </g>
        {values.map((value, index) =>
          grid.isMissing?.(Math.floor(index / 7), index % 7) ? null : <rect key={index} class={`cell h${value > 0 ? level(value) : 0}`} {...cell(index)} />,
        )}
      </>
    ),
  };
}

export interface YearProps {
  label: string;
  /** Days as `2026-01-02`; those without a value may be missing. */
  days: ReadonlyMap<string, number>;
  /** The last day. */
  end: string;
  /** What a day is, in words. */
  note: (day: string) => string;
  onPick?: (day: string) => void;
}

/** The days of a year; on narrow screens as many of its last weeks as fit. */
export function YearHeat({ label, days, end, note, onPick }: YearProps) {
  let first = end;
  const dayAt = (index: number) => addDays(first, index);
  const sorted = [...days].filter(([, value]) => value > 0).sort(([one], [other]) => (one < other ? 1 : -1));
  return (
    <Frame
      label={label}
      table={{ columns: ['day', 'value'], rows: sorted.map(([day]) => [day, note(day)]) }}
      draw={width => {
        const weeks = Math.max(8, Math.min(53, Math.floor((width - LEFT) / 11)));
        first = addDays(end, -7 * (weeks - 1) - isoWeekday(end));
        return drawGrid(width, {
          columns: weeks,
          widest: 18,
          value: (column, row) => days.get(dayAt(column * 7 + row)) ?? 0,
          isMissing: (column, row) => dayAt(column * 7 + row) > end,
          columnLabel: column => {
            const monday = dayAt(column * 7);
            const isNew = column > 0 && Number(monday.slice(8)) <= 7 && column < weeks - 1;
            return isNew ? monthName(monday) : '';
          },
        });
      }}
      note={index => (
        <>
          <b>{dayTitle(dayAt(index))}</b> {note(dayAt(index))}
        </>
      )}
      onPick={onPick && (index => onPick(dayAt(index)))}
    />
  );
}

export interface WeekProps {
  label: string;
  /** By weekday (0 is Monday) and hour: `cells[weekday][hour]`. */
  cells: readonly (readonly number[])[];
  format: (value: number) => string;
}

/** The hours of a week. */
export function WeekHeat({ label, cells, format }: WeekProps) {
  const valueAt = (index: number) => cells[index % 7]?.[Math.floor(index / 7)] ?? 0;
  const hourOf = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
  const titleAt = (index: number) => `${WEEKDAYS[index % 7]} ${hourOf(Math.floor(index / 7))}–${hourOf(Math.floor(index / 7) + 1)}`;
  const highest = max(cells, row => max(row)) ?? 0;
  return (
    <Frame
      label={label}
      table={{
        columns: ['hour', ...WEEKDAYS],
        rows: Array.from({ length: 24 }, (_, hour) => [hourOf(hour), ...WEEKDAYS.map((_, weekday) => format(cells[weekday]?.[hour] ?? 0))]),
      }}
      draw={width =>
        drawGrid(width, {
          columns: 24,
          widest: 34,
          value: (hour, weekday) => cells[weekday]?.[hour] ?? 0,
          columnLabel: hour => (hour % 3 === 0 ? String(hour).padStart(2, '0') : ''),
        })
      }
      note={index => (
        <>
          <b>{titleAt(index)}</b> {format(valueAt(index))}
        </>
      )}
      legend={<Scale highest={format(highest)} />}
    />
  );
}

/** What the shades mean. */
export function Scale({ highest }: { highest: string }) {
  return (
    <span class="scale soft" aria-hidden="true">
      less
      {[0, 1, 2, 3, 4].map(level => (
        <i key={level} class={`shade h${level}`} />
      ))}
      more{highest ? ` (up to ${highest})` : ''}
    </span>
  );
}
