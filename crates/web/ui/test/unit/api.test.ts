import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addPiece } from '../../src/core/api';

test('the lists of pieces are put together, and other members stay', () => {
  const whole = { schema: 'annals/x/1', total: 3, rows: [1], empty: [], next: null };
  addPiece(whole, { schema: 'annals/x/1', total: 9, rows: [2, 3], empty: [], next: ['a'], more: [4] });
  assert.deepEqual(whole, { schema: 'annals/x/1', total: 3, rows: [1, 2, 3], empty: [], next: null });
});
