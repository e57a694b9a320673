import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outline, OutlineTurn } from '../../src/session/outline_data';
import { firstHitFrom, type Hit, numberInMessage } from '../../src/session/finder';
import { nextBranch } from '../../src/session/keys';
import { outlineRows } from '../../src/session/outline_rows';
import { commonStart } from '../../src/session/patch';
import { messageOf, seenFrom, turnOf, USUAL, viewOf, viewParameters } from '../../src/session/place';
import { joinTexts, occurrences, placeOf } from '../../src/session/ranges';

test('the view is in the address, and the usual one leaves it empty', () => {
  assert.deepEqual(viewOf(new URLSearchParams()), USUAL);
  const view = { ...USUAL, part: 'b2', tools: 'none' as const, diffs: false, outputs: true, thinking: false };
  const query = new URLSearchParams(Object.entries(viewParameters(view)).filter(([, value]) => value) as [string, string][]);
  assert.deepEqual(viewOf(query), view);
  assert.ok(Object.values(viewParameters(USUAL)).every(value => value === ''));
});

test('nonsense in the address counts as absent', () => {
  assert.deepEqual(viewOf(new URLSearchParams('part=../x&tools=all&agents=1&view=web&diffs=yes')), USUAL);
  assert.equal(messageOf('m-12'), '12');
  assert.equal(messageOf('x'), '');
  assert.equal(turnOf('t12'), '12');
  assert.equal(turnOf('toast'), '');
});

test('words are found across elements but not across blocks', () => {
  const { text, starts } = joinTexts(['One ', 'Two', 'three'], [true, false, true], false);
  assert.equal(text, 'one two\nthree');
  assert.deepEqual(occurrences(text, 'one two', 9), [0]);
  assert.deepEqual(occurrences(text, 'twothree', 9), []);
  assert.deepEqual(placeOf(starts, 5), [1, 1]);
  assert.deepEqual(placeOf(starts, 8), [2, 0]);
  assert.deepEqual(occurrences('aaaa', 'aa', 9), [0, 2]);
  assert.deepEqual(occurrences('aaaa', '', 9), []);
  assert.equal(joinTexts(['Ab'], [true], true).text, 'Ab');
});

test('offsets hold where a letter changes its length with its case', () => {
  const { text } = joinTexts(['İx'], [true], false);
  assert.equal(text.length, 2);
});

const hit = (turn: string, uuid: string): Hit => ({ turn, uuid, part: 'main', kind: 'text', before: '', match: '', after: '' });

test('hits are counted within their message, and finding begins where the reader is', () => {
  const hits = [hit('1', 'a'), hit('3', 'b'), hit('3', 'b'), hit('3', 'c')];
  assert.deepEqual(
    hits.map((_, at) => numberInMessage(hits, at)),
    [0, 0, 1, 0],
  );
  assert.equal(firstHitFrom(hits, '2', ['1', '2', '3']), 1);
  assert.equal(firstHitFrom(hits, '4', ['1', '2', '3', '4']), 0, 'after the last hit, it begins again');
});

test('keys go through abandoned branches and back to the current one', () => {
  assert.equal(nextBranch([1, 3], 'main'), 'b1');
  assert.equal(nextBranch([1, 3], 'b1'), 'b3');
  assert.equal(nextBranch([1, 3], 'b3'), 'main');
});

test('a stored place of another shape is none', () => {
  assert.deepEqual(seenFrom('{"uuid":"a","turn":"1","line":3}'), { uuid: 'a', turn: '1', line: 3 });
  for (const text of [null, '', '{', '{"uuid":1}', 'null']) assert.equal(seenFrom(text), undefined);
});

test('what has not changed stays: only the end of a turn is replaced', () => {
  assert.equal(commonStart(['a', 'b'], ['a', 'b', 'c']), 2);
  assert.equal(commonStart(['a', 'b'], ['a', 'x']), 1);
  assert.equal(commonStart([undefined], ['a']), 0);
});

const turn = (number: number, rest: Partial<OutlineTurn> = {}) =>
  ({ turn: String(number), generation: 1, prompt: 'p', errors: 0, agents: [], files: [], commits: [], ...rest }) as unknown as OutlineTurn;

test('the outline has branches where they were abandoned, and closed rows hide theirs', () => {
  const outline = {
    turns: [turn(1), turn(2, { generation: 2, errors: 2 })],
    generations: [
      { number: 1, trigger: null },
      { number: 2, trigger: 'auto' },
    ],
    branches: [
      { number: 1, reason: 'edit', before_turn: '2', messages: 4, prompt: 'old', turns: [] },
      { number: 2, reason: 'rewind', before_turn: null, messages: 1, prompt: 'end', turns: [] },
    ],
    orphans: [],
    agents: [
      { id: 'a', parent_agent_id: null, description: 'look', errors: 0 },
      { id: 'b', parent_agent_id: 'a', type: 'Explore', errors: 1 },
    ],
    files: [],
    plans: [],
    commits: [],
    relatives: [],
  } as unknown as Outline;
  const keys = (closed: string[]) => outlineRows(outline, new Set(closed), (kind, name) => `${kind}/${name}`).map(row => row.key);
  assert.deepEqual(keys([]), ['turns', 'generation 1', 'turn 1', 'generation 2', 'b1', 'turn 2', 'b2', 'agents', 'agent a', 'agent b', 'errors', 'error 2']);
  assert.deepEqual(keys(['generation 2', 'agents', 'errors']), ['turns', 'generation 1', 'turn 1', 'generation 2', 'b2', 'agents', 'errors']);
  assert.deepEqual(keys(['turns', 'agents', 'errors']), ['turns', 'agents', 'errors']);
  const rows = outlineRows(outline, new Set(), () => '');
  assert.deepEqual(
    rows.filter(row => row.kind === 'agent').map(row => row.depth),
    [0, 1],
  );
});
