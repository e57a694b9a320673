import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestEarly, takeEarly } from '../../src/core/early_request';
// @ts-expect-error: a script of the build, without types
import { Fragment, jsx } from '../../markup.mjs';

test('an early request is taken once, by the one who asks for the same', async () => {
  const before = globalThis.fetch;
  const asked: string[] = [];
  globalThis.fetch = (async (url: string) => {
    asked.push(url);
    return new Response('{}');
  }) as typeof fetch;
  try {
    requestEarly('/b/api/1/home');
    assert.equal(takeEarly('/b/api/1/usage'), undefined);
    const response = await takeEarly('/b/api/1/home');
    assert.equal(await response?.text(), '{}');
    assert.equal(takeEarly('/b/api/1/home'), undefined);
    assert.deepEqual(asked, ['/b/api/1/home']);
  } finally {
    globalThis.fetch = before;
  }
});

test('a failed early request fails where it is taken, and nowhere else', async () => {
  const before = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new TypeError('stopped'));
  try {
    requestEarly('/b/x');
    await new Promise(resolve => setTimeout(resolve, 5));
    await assert.rejects(takeEarly('/b/x') ?? Promise.resolve(), /stopped/);
  } finally {
    globalThis.fetch = before;
  }
});

test('elements become text, with handlers left out and text escaped', () => {
  const Name = ({ children }: { children: unknown }) => jsx('b', { children });
  const markup = jsx('a', { href: '"<', title: undefined, hidden: false, onClick: () => 0, children: ['x & ', jsx(Name, { children: 'y' }), null, true] });
  assert.equal(markup.text, '<a href="&#34;&#60;">x &#38; <b>y</b></a>');
  assert.equal(jsx(Fragment, { children: [jsx('i', {}), 2] }).text, '<i></i>2');
});
