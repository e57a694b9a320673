// The time that a page covers, as `since` and `until` in the URL.

import { change, parameter } from '../core/router';

const PERIODS = [
  ['', 'All time'],
  ['today', 'Today'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['365d', '1 year'],
] as const;

export function PeriodChoice() {
  const since = parameter('since');
  const until = parameter('until');
  const isKnown = !until && PERIODS.some(([value]) => value === since);
  return (
    <select aria-label="Period" value={isKnown ? since : 'other'} onChange={event => change({ since: event.currentTarget.value, until: '' })}>
      {PERIODS.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
      {!isKnown && (
        <option value="other" disabled>
          {since || '…'} to {until || 'now'}
        </option>
      )}
    </select>
  );
}
