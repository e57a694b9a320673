import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownColumns } from '../../src/lists/session_columns';
import type { SessionRow } from '../../src/schema';

const row = (id: string): SessionRow => ({ id, changed_at: '2026-01-02T03:04:05Z', bytes: 1, presence: 'disk', kind: 'interactive' });
const keys = (rows: readonly SessionRow[]) => shownColumns(['cost'], rows).map(column => column.key);

test('the app has a column only if sessions of more than one are listed', () => {
  assert.deepEqual(keys([]), ['title', 'cost']);
  assert.deepEqual(keys([row('a'), row('b')]), ['title', 'cost']);
  assert.deepEqual(keys([row('codex:a'), row('codex:b')]), ['title', 'cost']);
  assert.deepEqual(keys([row('codex:a'), row('b')]), ['title', 'app', 'cost']);
});
