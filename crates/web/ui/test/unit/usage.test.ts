import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageDocument } from '../../src/schema';
import { bucketOfPeriod, lengthOf, periodAfter, periodBefore, periodOf, periodTitle } from '../../src/usage/period';
import { shortModel } from '../../src/core/format';
import { alignedBefore, changeOf, hitRates, isFilterable, stacked, tickOf } from '../../src/usage/rows';

const TODAY = '2026-11-17';

test('a preset ends today and includes it', () => {
  const period = periodOf('7d', '', '', TODAY);
  assert.deepEqual([period.since, period.until, lengthOf(period)], ['2026-11-11', TODAY, 7]);
  assert.equal(periodOf('nonsense', '', '', TODAY).preset, '30d');
});

test('chosen days win over the preset, in either order', () => {
  assert.deepEqual(periodOf('7d', '2026-10-05', '2026-10-01', TODAY), { preset: undefined, since: '2026-10-01', until: '2026-10-05' });
  assert.equal(periodOf('7d', '2026-10-05', '', TODAY).until, TODAY);
});

test('the period before has the same length and ends the day before', () => {
  const before = periodBefore(periodOf('30d', '', '', TODAY));
  assert.deepEqual([before?.since, before?.until, before && lengthOf(before)], ['2026-09-19', '2026-10-18', 30]);
  assert.equal(periodBefore(periodOf('all', '', '', TODAY)), undefined);
});

test('the period after does not go beyond today', () => {
  const period = periodOf('', '2026-11-01', '2026-11-10', TODAY);
  assert.deepEqual(periodAfter(period, TODAY), { preset: undefined, since: '2026-11-08', until: TODAY });
  assert.equal(periodAfter(periodOf('7d', '', '', TODAY), TODAY), undefined);
});

test('the length of a period chooses its bars unless the page names them', () => {
  assert.equal(bucketOfPeriod(periodOf('12m', '', '', TODAY), ''), 'week');
  assert.equal(bucketOfPeriod(periodOf('12m', '', '', TODAY), 'month'), 'month');
});

test('a period is written as short as it can be read', () => {
  assert.equal(periodTitle(periodOf('', '2026-11-01', '2026-11-17', TODAY)), '1 – 17 Nov 2026');
  assert.equal(periodTitle(periodOf('', '2025-12-30', '2026-01-02', TODAY)), '30 Dec 2025 – 2 Jan 2026');
  assert.equal(periodTitle(periodOf('', '2026-11-17', '2026-11-17', TODAY)), '17 Nov 2026');
});

const row = (key: Record<string, string | null>, cost: string | null, more = {}) => ({
  key,
  cost_usd: cost,
  calls: 1,
  total_tokens: 10,
  cache_read_tokens: 0,
  cache_write_5m_tokens: 0,
  cache_write_1h_tokens: 0,
  input_tokens: 0,
  ...more,
});
const documentOf = (rows: unknown[]) => ({ rows }) as UsageDocument;

test('days without calls are there, with nothing in them', () => {
  const document = documentOf([row({ day: '2026-11-15', model: 'claude-a' }, '1.5'), row({ day: '2026-11-17', model: 'claude-a' }, '2')]);
  const { buckets, series } = stacked(document, 'day', 'model', 'cost', '2026-11-15', TODAY);
  assert.deepEqual(buckets, ['2026-11-15', '2026-11-16', '2026-11-17']);
  assert.deepEqual(
    series.map(one => [one.name, one.values]),
    [['a', [1.5, 0, 2]]],
  );
});

test('without a beginning, bars start at the first row', () => {
  const document = documentOf([row({ month: '2026-10' }, '1'), row({ month: '2026-08' }, null)]);
  const { buckets, series } = stacked(document, 'month', '', 'cost', '', TODAY);
  assert.deepEqual(buckets, ['2026-08', '2026-09', '2026-10', '2026-11']);
  assert.deepEqual(series[0]?.values, [0, 0, 1, 0]);
});

test('the period before lies under the period', () => {
  const document = documentOf([row({ day: '2026-11-10' }, '3')]);
  assert.deepEqual(alignedBefore(document, 'day', 'cost', '2026-11-10', '2026-11-12', 3), [3, 0, 0]);
});

test('the hit rate of a bucket counts all of its rows, and is missing where there was no input', () => {
  const rows = documentOf([
    row({ day: '2026-11-10' }, '0', { cache_read_tokens: 90, input_tokens: 10 }),
    row({ day: '2026-11-10' }, '0', { cache_write_5m_tokens: 100 }),
  ]).rows;
  const [first, second] = hitRates(rows, 'day', ['2026-11-10', '2026-11-11']);
  assert.equal(first, 0.45);
  assert.ok(Number.isNaN(second));
});

test('a change is a percentage, or a factor if it is large, or nothing without a before', () => {
  assert.deepEqual(changeOf(112, 100), { text: '▲ 12%', isUp: true });
  assert.deepEqual(changeOf(50, 100), { text: '▼ 50%', isUp: false });
  assert.equal(changeOf(5000, 100)?.text, '▲ 50×');
  assert.equal(changeOf(5, 0), undefined);
});

test('values in brackets stand for none and cannot be filtered by', () => {
  assert.ok(!isFilterable('(main)'));
  assert.ok(!isFilterable(null));
  assert.ok(isFilterable('Explore'));
});

test('models lose their prefix and their date', () => {
  assert.equal(shortModel('claude-sonnet-4-5-20250929'), 'sonnet-4-5');
  assert.equal(shortModel('gpt-x'), 'gpt-x');
});

test('ticks of costs stay short', () => {
  const tick = tickOf('cost');
  assert.deepEqual([0, 0.05, 0.5, 2, 20, 1500].map(tick), ['$0', '$0.05', '$0.50', '$2', '$20', '$1.5k']);
});
