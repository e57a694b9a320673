// The names of series with their colours. Where series can be switched, the names are buttons.

import type { Colour, Series } from './data';

export function Swatch({ colour }: { colour: Colour }) {
  return <i class={`swatch c${colour}`} aria-hidden="true" />;
}

export function Legend({
  series,
  hidden,
  onToggle,
}: {
  series: readonly Pick<Series, 'key' | 'name' | 'colour'>[];
  hidden?: ReadonlySet<string>;
  onToggle?: (key: string) => void;
}) {
  return (
    <ul class="legend" aria-label="Series">
      {series.map(one => (
        <li key={one.key}>
          {onToggle ? (
            <button type="button" class="quiet" aria-pressed={!hidden?.has(one.key)} onClick={() => onToggle(one.key)} title={one.name}>
              <Swatch colour={one.colour} />
              {one.name}
            </button>
          ) : (
            <span title={one.name}>
              <Swatch colour={one.colour} />
              {one.name}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The values of all series at a position, for the note of a chart. */
export function SeriesNote({
  title,
  series,
  position,
  format,
  extra,
  isStacked = true,
}: {
  title: string;
  series: readonly Series[];
  position: number;
  format: (value: number) => string;
  extra?: readonly (readonly [name: string, value: string])[];
  /** Whether the values add up. */
  isStacked?: boolean;
}) {
  const amount = (one: Series) => one.values[position] ?? Number.NaN;
  const shown = series.filter(one => (isStacked ? amount(one) > 0 : Number.isFinite(amount(one))));
  const total = series.reduce((all, one) => all + (one.values[position] ?? 0), 0);
  return (
    <>
      <b>{title}</b>
      <table>
        <tbody>
          {shown.map(one => (
            <tr key={one.key}>
              <th scope="row">
                <Swatch colour={one.colour} />
                {one.name}
              </th>
              <td>{format(amount(one))}</td>
            </tr>
          ))}
          {isStacked && shown.length !== 1 && (
            <tr class="sum">
              <th scope="row">total</th>
              <td>{format(total)}</td>
            </tr>
          )}
          {extra?.map(([name, value]) => (
            <tr key={name} class="sum">
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
