import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LanesDocument } from '../../src/draft';
import type { OutlineTurn } from '../../src/session/outline_data';
import { connectors, lanesOf, neighbour, spanAt, spansPath, timeByKind } from '../../src/session/lane_layout';
import { bins } from '../../src/session/strip_layout';
import { idleShare, isWhole, joined, moved, rangeFrom, rangeText, timeScale, within, zoomAround } from '../../src/session/zoom';

const at = (second: number) => new Date(second * 1000).toISOString();
type DraftLane = LanesDocument['lanes'][number];
const lane = (agent: string | null, parent: string | null, spans: [number, number, string?][] = []): DraftLane => ({
  ...(agent && { agent_id: agent, type: 'Explore' }),
  ...(parent && { parent_agent_id: parent }),
  depth: 0,
  started_at: spans[0] ? at(spans[0][0]) : null,
  ended_at: null,
  spans: spans.map(([from, to, status]) => ({ kind: 'tool', from: at(from), to: at(to), label: 'Bash', ...(status && { status }), turn: '1', count: 1 })),
});
const lanes = (...all: DraftLane[]) => lanesOf({ schema: '', from: at(0), to: at(100), lanes: all, total_lanes: all.length, context: [], marks: [] });

test('zooming keeps the moment under the pointer and stays within the session', () => {
  const all = { from: 0, to: 100_000 };
  const zoomed = zoomAround(all, all, 50_000, 0.5);
  assert.deepEqual(zoomed, { from: 25_000, to: 75_000 });
  assert.deepEqual(zoomAround(zoomed, all, 25_000, 10), all);
  assert.deepEqual(moved(zoomed, all, 5), { from: 50_000, to: 100_000 });
  assert.deepEqual(within({ from: -10, to: 5 }, all), { from: 0, to: 1000 }, 'never shorter than a second');
  assert.ok(isWhole(all, all) && !isWhole(zoomed, all));
});

test('a range is in the address as seconds', () => {
  assert.deepEqual(rangeFrom(rangeText({ from: 1500, to: 3200 })), { from: 1000, to: 4000 });
  for (const text of ['', '5-3', 'x-y', '1-', '-1-5', '1-999999999999999']) assert.equal(rangeFrom(text), undefined);
});

test('ranges that touch are joined', () => {
  assert.deepEqual(
    joined([
      { from: 5, to: 9 },
      { from: 0, to: 4 },
      { from: 3, to: 5 },
    ]),
    [{ from: 0, to: 9 }],
  );
});

test('long idle time is narrow, work keeps its proportions, and positions lead back to times', () => {
  const hour = 3_600_000;
  const range = { from: 0, to: 10 * hour };
  const busy = [
    { from: 0, to: hour },
    { from: 9 * hour, to: 10 * hour },
  ];
  const scale = timeScale(range, 1000, busy);
  assert.equal(scale.gaps.length, 1);
  assert.ok(Math.abs(scale.x(hour) - 495) < 1);
  assert.ok(Math.abs(scale.x(9 * hour) - 505) < 1);
  assert.ok(Math.abs(scale.x(10 * hour) - 1000) < 1);
  for (const time of [0, hour / 2, 5 * hour, 9.5 * hour]) assert.ok(Math.abs(scale.time(scale.x(time)) - time) < 10);
  assert.equal(timeScale(range, 1000).x(5 * hour), 500);
  assert.ok(Math.abs(idleShare(range, busy) - 0.8) < 0.01);
});

test('children follow their parents, and lanes that name each other are not lost', () => {
  const ordered = lanes(lane(null, null), lane('b', 'a'), lane('a', null), lane('x', 'y'), lane('y', 'x'));
  assert.deepEqual(
    ordered.map(({ agent }) => agent),
    ['', 'a', 'b', 'x', 'y'],
  );
});

test('a connector leads from the lane of the parent to the start of the child', () => {
  const found = connectors(lanes(lane(null, null), lane('a', null, [[10, 20]]), lane('b', 'a', [[12, 15]])));
  assert.deepEqual(found, [
    { from: 0, to: 1, at: 10_000 },
    { from: 1, to: 2, at: 12_000 },
  ]);
});

test('a lane of a thousand spans is one path, and every span is visible', () => {
  const [only] = lanes(lane(null, null, Array.from({ length: 1000 }, (_, n) => [n, n] as [number, number])));
  const path = spansPath(only?.spans ?? [], time => time / 10_000, 100, 0, 10);
  assert.equal(path.match(/M/g)?.length, 1000);
  assert.match(path, /^M0 0h1v10h-1z/);
});

test('the span under the pointer is the shortest of those that overlap, or a near one', () => {
  const [only] = lanes(
    lane(null, null, [
      [0, 50],
      [10, 20],
      [70, 71, 'error'],
    ]),
  );
  const spans = only?.spans ?? [];
  assert.equal(spanAt(spans, 15_000, 0.5)?.to, 20_000);
  assert.equal(spanAt(spans, 40_000, 0.5)?.to, 50_000);
  assert.equal(spanAt(spans, 69_000, 2000)?.isError, true);
  assert.equal(spanAt(spans, 60_000, 2000), undefined);
  assert.equal(neighbour(spans, undefined, 1), spans[0]);
  assert.equal(neighbour(spans, spans[2], 1), spans[2]);
  assert.equal(only && timeByKind(only).tool, 61_000);
});

test('columns shared by turns keep the highest window, all cost and every miss', () => {
  const turns = Array.from(
    { length: 10 },
    (_, n) => ({ turn: String(n + 1), context_tokens: n * 10, cost_usd: n === 3 ? null : '0.5', cache_miss: n === 4, errors: 1 }) as OutlineTurn,
  );
  const generations = [1, 2].map(number => ({ number, first_turn: number === 1 ? '1' : '6', last_turn: '10' }));
  const found = bins({ turns, generations }, 5);
  assert.equal(found.length, 5);
  assert.deepEqual(
    found.map(bin => bin.context),
    [10, 30, 50, 70, 90],
  );
  assert.deepEqual(
    found.map(bin => bin.cost),
    [1, 0.5, 1, 1, 1],
  );
  assert.equal(found[2]?.misses, 1);
  assert.deepEqual(
    found.map(bin => bin.startsGeneration),
    [false, false, true, false, false],
  );
});
