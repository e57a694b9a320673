import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, appOf, bytes, count, counted, duration, lastPart, moment, money, percent, shortPath } from '../../src/core/format';

test('numbers are shortened as the command line shortens them', () => {
  assert.deepEqual([0, 999, 1000, 34_500, 1_234_567, 2e9].map(count), ['0', '999', '1.0k', '34.5k', '1.2M', '2.0G']);
  assert.deepEqual([12, 1200, 3_400_000].map(bytes), ['12 B', '1.2 kB', '3.4 MB']);
});

test('an unknown price is never shown as zero', () => {
  assert.deepEqual([null, undefined, 'x'].map(money), ['?', '?', '?']);
  assert.deepEqual(['0', '1.234', '1234.5', '0.0004'].map(money), ['$0.00', '$1.23', '$1,234.50', '$0.0004']);
});

test('durations use two units at most', () => {
  assert.deepEqual([300, 42_000, 88_000, 119_700, 599_600, 600_000, 1_500_000, 7_500_000, 200_000_000].map(duration), ['0.3s', '42s', '1m 28s', '1m 59s', '9m 59s', '10m', '25m', '2h 5m', '2d 7h']);
});

test('times are shown in the zone of the server', () => {
  assert.equal(moment('2026-01-02T03:04:05Z'), '2026-01-02 03:04:05');
  const now = Date.parse('2026-01-10T00:00:00Z');
  assert.deepEqual(
    ['2026-01-09T23:59:50Z', '2026-01-09T23:40:00Z', '2026-01-09T20:00:00Z', '2026-01-07T00:00:00Z', '2025-12-01T00:00:00Z'].map(time => ago(time, now)),
    ['now', '20m', '4h', '3d', '2025-12-01'],
  );
});

test('paths lose the home folder and keep everything else', () => {
  assert.deepEqual(['/home/u', '/home/u/a', '/home/user/a', null].map(shortPath), ['~', '~/a', '/home/user/a', '']);
  assert.deepEqual(['/a/b/', 'C:\\x\\y', 'z'].map(lastPart), ['b', 'y', 'z']);
});

test('one is singular', () => {
  assert.deepEqual([counted(0, 'turn'), counted(1, 'turn'), counted(2, 'copy', 'copies')], ['0 turns', '1 turn', '2 copies']);
});

test('a small share is not nothing', () => {
  assert.deepEqual([percent(0, 9), percent(1, 1000), percent(1, 3), percent(3, 3), percent(1, 0)], ['0%', '<1%', '33%', '100%', '']);
});

test('the app of a session is in its id', () => {
  assert.deepEqual(['0198f2a0-0000', 'codex:0198f2a0', 'pi:s-1'].map(appOf), ['claude', 'codex', 'pi']);
});
