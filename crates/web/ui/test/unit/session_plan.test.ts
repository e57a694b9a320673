import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filledOutline, type Outline, type OutlineTurn } from '../../src/session/outline_data';
import { chunkWith, estimatedMessages, heightFactor, isContinued, overtaken, planChunks, shownTurns, splitChunk, stepChunks, turnAt } from '../../src/session/plan';

function turn(number: number, rest: Partial<OutlineTurn> = {}): OutlineTurn {
  return { turn: String(number), generation: 1, prompt: `prompt ${number}`, uuid: `u${number}`, calls: 0, errors: 0, agents: [], files: [], commits: [], height: 100, ...rest } as OutlineTurn;
}

function outline(rest: Partial<Outline>): Outline {
  return { turns: [], branches: [], orphans: [], generations: [], agents: [], files: [], plans: [], commits: [], relatives: [], marks: [], ...rest } as unknown as Outline;
}

const many = (count: number, height = 100) => Array.from({ length: count }, (_, at) => ({ part: 'main', turn: String(at + 1), height }));

test('chunks have at most twenty turns and keep their order', () => {
  const chunks = planChunks(many(45));
  assert.deepEqual(
    chunks.map(chunk => chunk.turns.length),
    [20, 20, 5],
  );
  assert.deepEqual(
    chunks.flatMap(chunk => chunk.turns),
    many(45).map(({ turn }) => turn),
  );
});

test('tall turns make short chunks, and a turn taller than a chunk has one of its own', () => {
  assert.deepEqual(
    planChunks(many(6, 6000)).map(chunk => chunk.turns.length),
    [2, 2, 2],
  );
  assert.deepEqual(
    planChunks(many(3, 90_000)).map(chunk => chunk.turns.length),
    [1, 1, 1],
  );
});

test('turns that are in the document stay together, whatever their number', () => {
  const present = new Set(Array.from({ length: 30 }, (_, at) => String(at + 11)));
  const chunks = planChunks(many(60), present);
  assert.deepEqual(
    chunks.map(chunk => [chunk.turns[0], chunk.turns.at(-1)]),
    [
      ['1', '10'],
      ['11', '40'],
      ['41', '60'],
    ],
  );
});

test('a fragment that ended early divides its chunk', () => {
  const [chunk] = planChunks(many(20));
  assert.ok(chunk);
  const [first, rest] = splitChunk(chunk, '6') ?? [];
  assert.deepEqual(first?.turns.at(-1), '5');
  assert.deepEqual(rest?.turns[0], '6');
  assert.equal((first?.height ?? 0) + (rest?.height ?? 0), chunk.height);
  assert.equal(splitChunk(chunk, '1'), undefined, 'nothing was read');
  assert.equal(splitChunk(chunk, '99'), undefined);
});

test('a turn too long for a fragment goes on in the next chunk, and never at the same step', () => {
  const [chunk] = planChunks(many(3));
  assert.ok(chunk);
  const [first, rest] = splitChunk(chunk, '2', 40) ?? [];
  assert.deepEqual(first?.turns, ['1', '2']);
  assert.deepEqual([rest?.turns, rest?.step], [['2', '3'], 40]);
  assert.ok(rest);
  const [, last] = splitChunk(rest, '2', 80) ?? [];
  assert.deepEqual([last?.turns, last?.step], [['2', '3'], 80]);
  assert.equal(splitChunk(rest, '2', 40), undefined);
  assert.ok(first);
  assert.equal(splitChunk(first, '2', 40), undefined, 'read again, a chunk ends where it did');
  const [middle, end] = splitChunk(rest, '3') ?? [];
  assert.deepEqual([middle?.turns, middle?.step], [['2'], 40]);
  assert.deepEqual([end?.turns, end?.step], [['3'], undefined]);
});

const long = { part: 'main', turn: '2', height: 400_000, steps: 6000 };

test('a very long turn has chunks of its own, which begin at its steps', () => {
  const chunks = planChunks([...many(1), long, { part: 'main', turn: '3', height: 100 }]);
  assert.equal(chunks.length, 27);
  assert.deepEqual([chunks[1]?.turns, chunks[1]?.step], [['2'], undefined]);
  assert.deepEqual([chunks[25]?.turns, chunks[25]?.step], [['2'], 5760]);
  assert.deepEqual(chunks[26]?.turns, ['3']);
  assert.ok(chunks[0] && chunks[1] && !isContinued(chunks[0], chunks[1]), 'another turn');
  assert.ok(chunks[1] && isContinued(chunks[1], chunks[2]));
  assert.ok(chunks[25] && !isContinued(chunks[25], chunks[26]));
});

test('the rest of a long turn begins where the first fragment ended', () => {
  const chunks = stepChunks(long, 3000);
  assert.equal(chunks[0]?.step, 3000);
  assert.equal(Math.round(chunks.reduce((sum, chunk) => sum + chunk.height, 0)), 200_000);
});

test('a fragment that goes on beyond its chunk takes over the chunks it has reached', () => {
  const [, ...following] = stepChunks(long);
  assert.deepEqual(overtaken(following, 250), { count: 0, step: 250 }, 'the next begins at 240: it moves');
  assert.deepEqual(overtaken(following, 500), { count: 1, step: 500 });
  assert.deepEqual(overtaken(following, 100), { count: 0, step: 240 }, 'it ended before the next');
  assert.deepEqual(overtaken(following, undefined), { count: 24, step: undefined }, 'it reached the end of the turn');
  const read = following.map((chunk, at) => (at === 1 ? { ...chunk, begins: 'm-1' } : chunk));
  assert.deepEqual(overtaken(read, undefined), { count: 1, step: undefined }, 'what has been read stays');
});

test('a branch takes the place of the turns that follow it', () => {
  const document = outline({
    turns: [turn(1), turn(2), turn(3)],
    branches: [{ number: 1, reason: 'edit', before_turn: '2', messages: 4, prompt: 'old', turns: [turn(2), turn(3)] }],
  });
  const shown = shownTurns(document, 'b1').map(({ part, turn }) => `${part} ${turn}`);
  assert.deepEqual(shown, ['main 1', 'b1 2', 'b1 3']);
  const chunks = planChunks(shownTurns(document, 'b1'));
  assert.equal(chunkWith(chunks, '2', 'b1'), 1);
  assert.equal(chunkWith(chunks, '2', 'main'), -1);
});

test('a generation shows its own turns, an unknown part the current branch', () => {
  const document = outline({ turns: [turn(1), turn(2, { generation: 2 }), turn(3, { generation: 2 })] });
  assert.deepEqual(
    shownTurns(document, 'gen:2').map(({ turn }) => turn),
    ['2', '3'],
  );
  assert.equal(shownTurns(document, 'b9').length, 3);
});

test('an orphaned segment has its own turns', () => {
  const document = outline({ turns: [turn(1)], orphans: [{ number: 1, reason: '', before_turn: null, messages: 3, prompt: 'x', turns: [turn(7)] }] });
  assert.deepEqual(
    shownTurns(document, 'o1').map(({ part, turn }) => [part, turn]),
    [['o1', '7']],
  );
});

test('what an outline leaves out is filled in, and branches get rows of their own', () => {
  const filled = filledOutline({
    ...outline({}),
    turns: [{ turn: '1', generation: 1, height: 90 }],
    branches: [{ number: 1, reason: 'edit', messages: 4, prompt: 'old', turns: ['b1.1', 'b1.2'] }],
    orphans: [],
    agents: [],
  });
  assert.deepEqual(filled.turns[0]?.files, []);
  assert.equal(filled.turns[0]?.mark, null);
  assert.deepEqual(
    filled.branches[0]?.turns.map(({ turn, prompt }) => [turn, prompt]),
    [
      ['b1.1', 'old'],
      ['b1.2', ''],
    ],
  );
  assert.ok((filled.branches[0]?.turns[0]?.height ?? 0) > 100);
});

test('calls count as messages', () => {
  assert.equal(estimatedMessages([turn(1, { calls: 3 }), turn(2)]), 10);
});

test('text is taller in narrow columns', () => {
  assert.equal(heightFactor(800), 1);
  assert.ok(heightFactor(340) > 1.5);
  assert.ok(heightFactor(1200) < 1);
  assert.equal(heightFactor(0), 1);
});

test('a time leads to the turn that was running', () => {
  const turns = [turn(1, { started_at: '2026-01-01T10:00:00Z' }), turn(2, { started_at: '2026-01-01T11:00:00Z' }), turn(3)];
  assert.equal(turnAt(turns, '2026-01-01T11:00:00.000Z'), '2');
  assert.equal(turnAt(turns, '2026-01-01T10:59:59Z'), '1');
  assert.equal(turnAt(turns, '2025-01-01T00:00:00Z'), '1', 'before the first turn');
  assert.equal(turnAt(turns, 'soon'), '');
});
