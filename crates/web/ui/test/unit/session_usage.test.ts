import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageDocument } from '../../src/schema';
import { usageOfTurn } from '../../src/session/usage_facts';

test('the usage of a turn is found by the time it began, however its fraction is written', () => {
  const usage = { rows: [{ key: { turn: '2026-11-17T21:45:16.46Z' }, calls: 9 }, { key: { turn: null }, calls: 1 }] } as unknown as UsageDocument;
  assert.equal(usageOfTurn(usage, '2026-11-17T21:45:16.460Z')?.calls, 9);
  assert.equal(usageOfTurn(usage, '2026-11-17T21:45:17Z'), undefined);
  assert.equal(usageOfTurn(usage, null), undefined);
  assert.equal(usageOfTurn(undefined, '2026-11-17T21:45:16.460Z'), undefined);
});
