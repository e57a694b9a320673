// Period, unit and filters of the Usage page.

import { address, type Parameters } from '../core/base';
import { lastPart, shortPath } from '../core/format';
import { change, query } from '../core/router';
import { Choice } from '../parts/basics';
import { lengthOf, PRESETS, type Preset, periodAfter, periodBefore, periodTitle } from './period';
import { UNITS } from './rows';
import { FILTERS, type Selection } from './selection';

/** The address of this page with other parameters; the rest stays. */
export function here(parameters: Parameters): string {
  return address('usage', { ...Object.fromEntries(query.value), ...parameters });
}

/** Shows another period. A preset stays in the URL as such, so that a bookmark moves with time. */
function showDays(since: string, until: string): void {
  change({ period: '', since, until, at: '' });
}

export function goBack(selection: Selection): void {
  const to = periodBefore(selection.period);
  if (to) showDays(to.since, to.until);
}

export function goForward(selection: Selection): void {
  const to = periodAfter(selection.period, selection.today);
  if (to) showDays(to.since, to.until);
}

export function Controls({ selection }: { selection: Selection }) {
  const { period, today, unit } = selection;
  return (
    <div class="controls">
      <Choice
        label="Period"
        value={(period.preset ?? '') as Preset}
        options={PRESETS}
        onChange={preset => change({ period: preset === '30d' ? '' : preset, since: '', until: '', at: '' })}
      />
      <span class="dates">
        <button type="button" aria-label="The period before" title="[" disabled={lengthOf(period) === undefined} onClick={() => goBack(selection)}>
          ‹
        </button>
        <input
          type="date"
          aria-label="From"
          value={period.since}
          max={period.until}
          onChange={event => event.currentTarget.value && showDays(event.currentTarget.value, period.until)}
        />
        <span aria-hidden="true">–</span>
        <input
          type="date"
          aria-label="To"
          value={period.until}
          max={today}
          onChange={event => event.currentTarget.value && showDays(period.since, event.currentTarget.value)}
        />
        <button type="button" aria-label="The period after" title="]" disabled={!periodAfter(period, today)} onClick={() => goForward(selection)}>
          ›
        </button>
      </span>
      <Choice label="Unit" value={unit} options={UNITS} onChange={value => change({ unit: value === 'cost' ? '' : value })} />
    </div>
  );
}

/** The filters in force; each can be taken away. */
export function Chips({ selection }: { selection: Selection }) {
  const filters = FILTERS.flatMap(name => {
    const value = selection.filters[name];
    return value ? [[name, value] as const] : [];
  });
  return (
    <p class="chips">
      <span>{periodTitle(selection.period)}</span>
      {filters.map(([name, value]) => (
        <a key={name} class="chip" href={here({ [name]: '' })} title={`Remove the filter ${name}: ${shortPath(value)}`}>
          {name}: {name === 'project' ? lastPart(value) : value} <span aria-hidden="true">✕</span>
        </a>
      ))}
      <span class="soft">Costs are API-equivalent: what the API would charge, not what a subscription costs.</span>
    </p>
  );
}
