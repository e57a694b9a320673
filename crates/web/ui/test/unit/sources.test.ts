// Rules for the sources that a compiler does not hold.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

declare const SOURCES: string;

function sources(): [string, string][] {
  const names = readdirSync(SOURCES, { recursive: true }) as string[];
  return names.filter(name => /\.tsx?$/.test(name) && name !== 'schema.ts').map(name => [name, readFileSync(join(SOURCES, name), 'utf8')]);
}

test('only the module of fragments parses HTML, and nothing evaluates text', () => {
  const banned = /innerHTML|outerHTML\s*=|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\(|new Function\(|DOMParser/;
  const found = sources().filter(([name, text]) => name !== join('core', 'fragment.ts') && banned.test(text));
  assert.deepEqual(found.map(([name]) => name), []);
});

test('what the server writes is decoded by the module that makes it harmless', () => {
  const found = sources().filter(([, text]) => /JSON\.parse\(|\.json\(\)/.test(text));
  // `place.ts` reads what this browser stored; `record_text.ts` makes its own text harmless.
  const known = ['core/harmless.ts', 'session/place.ts', 'session/record_text.ts'].map(name => join(...name.split('/')));
  assert.deepEqual(found.map(([name]) => name).sort(), known);
});

test('no element has a style attribute, which the policy of the page forbids', () => {
  const found = sources().filter(([, text]) => /<[a-z][^>]*\sstyle=/.test(text));
  assert.deepEqual(found.map(([name]) => name), []);
});

test('files stay small', () => {
  const found = sources().filter(([, text]) => text.split('\n').length > 400);
  assert.deepEqual(found.map(([name]) => name), []);
});
