import assert from 'node:assert/strict';
import { test } from 'node:test';
import { after, IDLE } from '../../src/home/activity';

test('a call is shown from its start to its end', () => {
  const started = after(IDLE, { event: 'call_started', id: 'a', tool: 'Bash', title: 'cargo test', timestamp: '2026-11-17T10:00:00Z' });
  assert.deepEqual(
    started.calls.map(call => call.tool),
    ['Bash'],
  );
  assert.deepEqual(after(started, { event: 'call_ended', id: 'a' }).calls, []);
});

test('a call that is told twice is shown once', () => {
  const event = { event: 'call_started', id: 'a', tool: 'Bash' };
  assert.equal(after(after(IDLE, event), event).calls.length, 1);
});

test('the window of a sub-agent does not hide that of the session', () => {
  const context = { tokens: 80_000, limit: 200_000, used_percent: 40 };
  const main = after(IDLE, { event: 'usage', agent_id: null, context, cost_usd: '1.5' });
  const both = after(main, { event: 'usage', agent_id: 'x', context: { ...context, used_percent: 90 }, cost_usd: '0.1' });
  assert.deepEqual([both.contextPercent, both.costUsd], [40, '1.5']);
});

test('an ended session has no calls', () => {
  const started = after(IDLE, { event: 'call_started', id: 'a', tool: 'Bash' });
  assert.deepEqual(after(started, { event: 'session_ended' }).calls, []);
});
