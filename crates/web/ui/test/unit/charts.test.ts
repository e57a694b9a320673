import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addDays,
  bucketFor,
  bucketOf,
  bucketsBetween,
  bucketTitle,
  coloursOf,
  cumulated,
  daysBetween,
  daysOf,
  isDay,
  isoWeekday,
  joined,
  labelled,
  OTHER,
  peaks,
  type Series,
  seriesOf,
  seriesTable,
} from '../../src/charts';

test('the largest totals get the first colours', () => {
  const colours = coloursOf(
    new Map([
      ['small', 1],
      ['large', 9],
    ]),
  );
  assert.deepEqual(
    [...colours],
    [
      ['large', 1],
      ['small', 2],
    ],
  );
});

test('a single name too many gets the last colour instead of becoming "other"', () => {
  const names = new Map(Array.from({ length: 8 }, (_, index) => [`m${index}`, 8 - index]));
  assert.equal(coloursOf(names).size, 8);
  names.set('m8', 0);
  assert.equal(coloursOf(names).size, 7);
});

test('names without a colour are summed as "other", last', () => {
  const series = seriesOf(
    2,
    [
      [0, 'rare', 1],
      [0, 'rarer', 2],
      [1, 'known', 5],
      [7, 'known', 100],
    ],
    new Map([['known', 1]]),
  );
  assert.deepEqual(series, [
    { key: 'known', name: 'known', colour: 1, values: [0, 5] },
    { key: '', name: 'other', colour: OTHER, values: [3, 0] },
  ]);
});

test('labels do not overlap and the last position has one', () => {
  assert.deepEqual(labelled(10, 300, 60), [1, 3, 5, 7, 9]);
  assert.deepEqual(labelled(3, 600, 60), [0, 1, 2]);
  assert.deepEqual(labelled(0, 600, 60), []);
});

test('joining keeps at most 500 points and every peak', () => {
  assert.ok(joined(20_000).length <= 500);
  const values = new Array(5000).fill(1);
  values[4321] = 99;
  const high = peaks(values);
  assert.ok(high.length <= 500);
  assert.equal(Math.max(...high), 99);
});

test('running totals end at the sum', () => {
  assert.deepEqual(cumulated([1, 0, 2]), [1, 1, 3]);
});

test('the table behind a chart has every value and the total', () => {
  const series: Series[] = [
    { key: 'a', name: 'a', colour: 1, values: [1, 2] },
    { key: 'b', name: 'b', colour: 2, values: [3, 4] },
  ];
  assert.deepEqual(seriesTable('day', ['x', 'y'], series, String), {
    columns: ['day', 'a', 'b', 'total'],
    rows: [
      ['x', '1', '3', '4'],
      ['y', '2', '4', '6'],
    ],
  });
});

test('days are counted over months, years and the change of clocks', () => {
  assert.equal(addDays('2026-12-31', 1), '2027-01-01');
  assert.equal(addDays('2026-03-28', 2), '2026-03-30');
  assert.equal(daysBetween('2024-02-28', '2024-03-01'), 2);
  assert.equal(isoWeekday('2026-11-16'), 0);
  assert.ok(isDay('2024-02-29'));
  assert.ok(!isDay('2026-02-29'));
  assert.ok(!isDay('yesterday'));
});

test('weeks begin on Monday and buckets without calls are there', () => {
  assert.equal(bucketOf('2026-11-22', 'week'), '2026-11-16');
  assert.deepEqual(bucketsBetween('2026-11-15', '2026-11-24', 'week'), ['2026-11-09', '2026-11-16', '2026-11-23']);
  assert.deepEqual(bucketsBetween('2025-12-31', '2026-02-01', 'month'), ['2025-12', '2026-01', '2026-02']);
});

test('a bucket knows its days and its name', () => {
  assert.deepEqual(daysOf('2024-02', 'month'), ['2024-02-01', '2024-02-29']);
  assert.deepEqual(daysOf('2026-11-16', 'week'), ['2026-11-16', '2026-11-22']);
  assert.equal(bucketTitle('2026-12-28', 'week'), '28 Dec – 3 Jan 2027');
  assert.equal(bucketTitle('2026-11-17', 'day'), 'Tue 17 Nov 2026');
});

test('long periods get coarser bars', () => {
  assert.equal(bucketFor(30), 'day');
  assert.equal(bucketFor(365), 'week');
  assert.equal(bucketFor(1500), 'month');
});
