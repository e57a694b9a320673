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

/** Every character that must not act, by its code point. */
function harmful(): number[] {
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const lines = new Set([0x9, 0xa, 0xd]);
  return [
    ...range(0, 0x1f).filter(code => !lines.has(code)),
    ...range(0x7f, 0x9f),
    0x61c,
    0x200e,
    0x200f,
    ...range(0x202a, 0x202e),
    ...range(0x2066, 0x2069),
    ...range(0xe0000, 0xe007f),
  ];
}

/** The ways in which JSON can write a character. */
function spellings(code: number): string[] {
  const character = String.fromCodePoint(code);
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at).toString(16).padStart(4, '0'));
  const lower = units.map(unit => `\\u${unit}`).join('');
  const upper = units.map(unit => `\\u${unit.toUpperCase()}`).join('');
  const mixed = units.map((unit, at) => `\\u${at % 2 ? unit : unit.replace(/[a-f]/, letter => letter.toUpperCase())}`).join('');
  // JSON does not allow these raw.
  const raw = code < 0x20 ? [] : [character];
  const short = { 8: '\\b', 12: '\\f' }[code];
  return [...raw, lower, upper, mixed, ...(short ? [short] : [])];
}

test('every spelling of every harmful character is found, as the only one in a document', () => {
  for (const code of harmful()) {
    const shown = `\\u{${code.toString(16)}}`;
    for (const spelling of spellings(code)) {
      assert.equal((JSON.parse(`"${spelling}"`) as string).codePointAt(0), code, 'the spelling is one of it');
      const document = `{"rows":[[{"${spelling}name":"a${spelling}b","n":1},"${spelling}"]],"t":"\\\\${spelling}"}`;
      const read = parseHarmless(document);
      assert.deepEqual(read, { rows: [[{ [`${shown}name`]: `a${shown}b`, n: 1 }, shown]], t: `\\${shown}` }, spelling);
      assert.equal(parseHarmless(`"${spelling}"`), shown);
    }
  }
});

test('escapes of escapes stay text, names keep their order, and deep documents are read', () => {
  assert.deepEqual(parseHarmless('{"a":"\\\\u202e \\\\\\\\u202e"}'), { a: '\\u202e \\\\u202e' });
  const names = Object.keys(parseHarmless('{"z":1,"\\u202e":2,"__proto__":"\\u202e","a":3}') as object);
  assert.deepEqual(names, ['z', '\\u{202e}', '__proto__', 'a']);
  let deep = parseHarmless(`${'['.repeat(100_000)}"\\u202e"${']'.repeat(100_000)}`);
  while (Array.isArray(deep)) [deep] = deep as unknown[];
  assert.equal(deep, '\\u{202e}');
});
