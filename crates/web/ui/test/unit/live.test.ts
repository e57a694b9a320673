import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterEvent, type Lane } from '../../src/live/lanes';
import type { WatchEventDocument } from '../../src/schema';

function after(...events: Record<string, unknown>[]): Map<string, Lane> {
  const whole = (event: Record<string, unknown>) =>
    ({ schema: 'annals/watch-event/1', session_id: 's', agent_id: null, is_past: false, ...event }) as unknown as WatchEventDocument;
  return events.reduce<Map<string, Lane>>((lanes, event) => afterEvent(lanes, whole(event)), new Map());
}

test('a call runs until it has ended', () => {
  const started = { event: 'call_started', id: 't1', tool: 'Bash', title: 'Bash ls', timestamp: '2026-01-01T00:00:00Z' };
  assert.deepEqual(after(started).get('s ')?.calls.map(call => call.title), ['Bash ls']);
  const ended = after(started, { ...started, event: 'call_ended', status: 'error' }).get('s ');
  assert.deepEqual(ended?.calls, []);
  assert.deepEqual(ended?.entries.map(entry => [entry.kind, entry.isError]), [['call', true]]);
});

test('a denied call is no error', () => {
  const ended = { event: 'call_ended', id: 't1', tool: 'Bash', title: 'Bash ls', status: 'denied', timestamp: '2026-01-01T00:00:00Z' };
  assert.deepEqual(after(ended).get('s ')?.entries.map(entry => entry.isError), [false]);
});

test('an agent has a lane of its own', () => {
  const lanes = after({ event: 'agent_started', agent_id: 'a1', type: 'Explore', description: 'Look' }, { event: 'status', status: 'busy' });
  assert.deepEqual([...lanes.values()].map(lane => lane.name), ['Explore: Look', 'main']);
});

test('a lane remembers a bounded number of entries, the newest', () => {
  const messages = Array.from({ length: 200 }, (_, number) => ({ event: 'message', role: 'assistant', text: `m${number}` }));
  const entries = after(...messages).get('s ')?.entries ?? [];
  assert.equal(entries.length, 60);
  assert.equal(entries.at(-1)?.text, 'm199');
  assert.equal(new Set(entries.map(entry => entry.key)).size, 60);
});

test('unknown events change nothing', () => {
  assert.equal(after({ event: 'something_new' }).size, 0);
});
