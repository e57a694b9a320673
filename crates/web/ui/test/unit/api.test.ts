import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addPiece, send } from '../../src/core/api';
import { refusalDelay, streamDelay } from '../../src/core/retry';

test('the lists of pieces are put together, and other members stay', () => {
  const whole = { schema: 'annals/x/1', total: 3, rows: [1], empty: [], next: null };
  addPiece(whole, { schema: 'annals/x/1', total: 9, rows: [2, 3], empty: [], next: ['a'], more: [4] });
  assert.deepEqual(whole, { schema: 'annals/x/1', total: 3, rows: [1, 2, 3], empty: [], next: null });
});

/** Answers requests in order while a test runs. */
function answering(t: { after: (end: () => void) => void; mock: { timers: { enable: (options: { apis: ['setTimeout'] }) => void } } }, answers: Response[]) {
  const before = globalThis.fetch;
  t.after(() => {
    globalThis.fetch = before;
  });
  let count = 0;
  globalThis.fetch = () => Promise.resolve(answers[count++] ?? new Response('{}', { status: 500 }));
  return () => count;
}

const refused = () => new Response('{"error":"too many long answers are being made"}', { status: 429, headers: { 'retry-after': '2' } });

test('a request that the server has no room for is sent again, later each time', async t => {
  const count = answering(t, [refused(), refused(), new Response('{"a":1}')]);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const answer = send('https://annals.example/', {});
  for (let turn = 0; turn < 20; turn++) {
    await Promise.resolve();
    t.mock.timers.tick(1_000);
    for (let step = 0; step < 20; step++) await Promise.resolve();
  }
  assert.equal((await answer).status, 200);
  assert.equal(count(), 3);
  assert.equal(refusalDelay(refused(), 1), 2_000);
  assert.equal(refusalDelay(refused(), 3), 6_000);
});

test('a request that nobody waits for is not sent again', async t => {
  const count = answering(t, [refused()]);
  const abort = new AbortController();
  const answer = send('https://annals.example/', { signal: abort.signal });
  await new Promise(resolve => setTimeout(resolve, 0));
  abort.abort();
  await assert.rejects(answer, { name: 'AbortError' });
  assert.equal(count(), 1);
});

test('a refused stream is asked for less and less often', () => {
  assert.deepEqual([0, 1, 2, 5, 50].map(streamDelay), [3_000, 6_000, 12_000, 60_000, 60_000]);
});
