import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harmless, parseHarmless } from '../../src/core/harmless';

test('controls, bidi and tag characters are shown escaped, lines and emoji stay', () => {
  assert.equal(harmless('a\u001b[2J\u202etxt\u{e0041}'), 'a\\u{1b}[2J\\u{202e}txt\\u{e0041}');
  for (const text of ['a\tb\nc\r\n', '👩‍💻 é', '']) assert.equal(harmless(text), text);
});

test('texts of a document are made harmless, however they are written', () => {
  const document = { title: 'x\u202ey', rows: [{ text: '\u0007\b' }], count: 3, none: null };
  const wanted = { title: 'x\\u{202e}y', rows: [{ text: '\\u{7}\\u{8}' }], count: 3, none: null };
  assert.deepEqual(parseHarmless(JSON.stringify(document)), wanted);
  assert.deepEqual(parseHarmless('{"a":"\\u001b"}'), { a: '\\u{1b}' });
  assert.deepEqual(parseHarmless('{"a":"\\\\b"}'), { a: '\\b' });
});
