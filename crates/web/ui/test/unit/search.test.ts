import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hit } from '../../src/schema';
import { neighbours, partOf } from '../../src/search/context';
import { FIRST_HITS, grouped, piecesOf, shownHits } from '../../src/search/hits';
import { fieldsAt, hasTerm, relaxed, termsOf, toggled, toggledNot, valueIn, withPeriod, withWord } from '../../src/search/query';

test('a query is split into words, phrases, fields and exclusions', () => {
  const terms = termsOf('flaky "a phrase"* -tool:Bash project:"my notes" --flag http://x');
  assert.deepEqual(
    terms.map(({ field, value, isNot }) => [field, value, isNot]),
    [
      ['', 'flaky', false],
      ['', 'a phrase', false],
      ['tool', 'Bash', true],
      ['project', 'my notes', false],
      ['', '--flag', false],
      ['', 'http://x', false],
    ],
  );
});

test('an unclosed quote runs to the end', () => {
  assert.deepEqual(
    termsOf('one "two three').map(term => term.value),
    ['one', 'two three'],
  );
});

test('toggling twice gives the query back', () => {
  const query = 'flaky is:error';
  const once = toggled(query, 'tool', 'Bash');
  assert.equal(once, 'flaky is:error tool:Bash');
  assert.equal(toggled(once, 'tool', 'Bash'), query);
});

test('a second value of a field replaces the first, but several is: may hold', () => {
  assert.equal(toggled('x tool:Bash', 'tool', 'Edit'), 'x tool:Edit');
  assert.equal(toggled('x is:error', 'is', 'agent'), 'x is:error is:agent');
});

test('values with spaces are quoted and found again', () => {
  const query = toggled('x', 'project', '/home/ada/my notes');
  assert.equal(query, 'x project:"/home/ada/my notes"');
  assert.ok(hasTerm(query, 'project', '/home/ada/my notes'));
});

test('excluding a value removes the demand for it', () => {
  assert.equal(toggledNot('x tool:Bash', 'tool', 'Bash'), 'x -tool:Bash');
  assert.equal(toggledNot('x -tool:Bash', 'tool', 'Bash'), 'x');
});

test('a period replaces the one before', () => {
  const query = withPeriod('x since:2w', '2026-11-01', '2026-11-03');
  assert.equal(query, 'x since:2026-11-01 until:2026-11-03');
  assert.equal(valueIn(query, 'since'), '2026-11-01');
  assert.equal(withPeriod(query, '', ''), 'x');
});

test('a suggestion replaces the word only', () => {
  assert.equal(withWord('flakky tool:flakky', 'flakky', 'flaky'), 'flaky tool:flakky');
});

test('fields are offered while their name is typed', () => {
  assert.deepEqual(
    fieldsAt('flaky to', 8)?.fields.map(([name]) => name),
    ['tool'],
  );
  assert.equal(fieldsAt('flaky to', 8)?.from, 6);
  assert.equal(fieldsAt('tool:B', 6), undefined);
});

test('without hits, each condition can be left out, but never the only word', () => {
  assert.deepEqual(relaxed('flaky tool:Bash'), [{ without: 'tool:Bash', query: 'flaky' }]);
  assert.deepEqual(relaxed('flaky'), []);
});

test('highlights count characters, not 16-bit units', () => {
  assert.deepEqual(piecesOf('🦀 crab here', [[2, 6]]), [
    { text: '🦀 ', isMatch: false },
    { text: 'crab', isMatch: true },
    { text: ' here', isMatch: false },
  ]);
});

test('highlights beyond the snippet or overlapping do no harm', () => {
  assert.deepEqual(
    piecesOf('abc', [
      [0, 2],
      [1, 9],
    ]).map(piece => piece.text),
    ['ab', 'c'],
  );
});

test('sessions stay in the order of their best hit and show their first hits', () => {
  const hit = (session: string, line: number) => ({ session_id: session, line, path: session }) as Hit;
  const groups = grouped([hit('a', 1), hit('b', 1), hit('a', 2), hit('a', 3), hit('a', 4)]);
  assert.deepEqual(
    groups.map(group => [group.session, group.hits.length]),
    [
      ['a', 4],
      ['b', 1],
    ],
  );
  assert.equal(shownHits(groups, new Set()).length, FIRST_HITS + 1);
  assert.equal(shownHits(groups, new Set(['a'])).length, 5);
});

test('a turn of a branch or an orphaned segment names its part', () => {
  assert.deepEqual(['12', 'b1.2', 'o3.1'].map(partOf), ['main', 'b1', 'o3']);
});

test('context ends where the turn does', () => {
  assert.deepEqual(neighbours(['a', 'b', 'c', 'd'], 0, 2), ['a', 'b', 'c']);
  assert.deepEqual(neighbours(['a', 'b', 'c', 'd'], 2, 1), ['b', 'c', 'd']);
});
