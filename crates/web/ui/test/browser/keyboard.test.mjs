// Every page without a mouse: Tab reaches everything that can be clicked, shows where it is, and
// gets out again.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, open, serve, signIn } from './support.mjs';

after(closeBrowser);

const PAGES = ['', 'sessions', 'prompts', 'plans', 'marks', 'search?q=flaky', 'usage', 'tools', 'files', 'live', 'archive', 'doctor', 'settings', 'sql'];
/** Long pages are not walked to their end. */
const MOST = 60;

/** What has the focus: a name to tell it apart, and whether it can be seen that it has it. */
function focused() {
  const element = document.activeElement;
  if (!element || element === document.body) return undefined;
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const all = (globalThis.seenElements ??= new Map());
  if (!all.has(element)) all.set(element, all.size);
  return {
    number: all.get(element),
    name: `${element.localName}.${element.className} ${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}`,
    isMarked: (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none',
    isOnScreen: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    // Day, month and year of a date are fields of their own.
    hasParts: element.matches('input[type=date]'),
    isInMain: !!element.closest('main'),
  };
}

test('Tab goes through every page, and the focus can always be seen', async t => {
  const server = await serve(t, '--demo');
  const { page, problems } = await signIn(t, server);
  const [session] = await page.evaluate(async base => (await (await fetch(`${base}api/1/sessions?limit=1`)).json()).sessions.map(row => row.id), server.base);
  for (const path of [...PAGES, `s/${session}`]) {
    await open(page, server, path);
    // From the beginning, wherever the page has put the focus: after `blur`, Tab would go on from there.
    await page.evaluate(() => document.querySelector('.skip').focus());
    const visited = [];
    for (let press = 0; press < MOST; press++) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(focused);
      if (!at) break;
      if (at.hasParts && at.number === visited.at(-1)?.number) continue;
      assert.ok(at.isMarked, `${path}: the focus on ${at.name} cannot be seen`);
      assert.ok(at.isOnScreen, `${path}: the focus on ${at.name} is off the screen`);
      // Back at the beginning: the browser's own bars are not part of a headless browser.
      if (visited.some(other => other.number === at.number)) {
        assert.equal(at.number, visited[0].number, `${path}: the focus does not get past ${at.name}`);
        break;
      }
      visited.push(at);
    }
    assert.ok(visited.length > 12, `${path}: ${visited.length} places`);
    assert.ok(path === 'live' || visited.some(at => at.isInMain), `${path}: Tab reaches the content`);
  }
  assert.deepEqual(problems, []);
});

test('everything that reacts to a click is reached by the keyboard', async t => {
  const server = await serve(t, '--demo');
  const { page } = await signIn(t, server);
  // Rows that select themselves have keys (j, k, Enter) and a link; options have those of their list.
  const served = '[role=row], [role=option], [role=treeitem], svg *, svg, dialog';
  await page.addInitScript(() => {
    const add = EventTarget.prototype.addEventListener;
    const clickable = (globalThis.clickable = new Set());
    EventTarget.prototype.addEventListener = function (type, ...rest) {
      if (type.toLowerCase() === 'click' && this instanceof Element) clickable.add(this);
      return add.call(this, type, ...rest);
    };
  });
  for (const path of PAGES) {
    await open(page, server, path);
    const found = await page.evaluate(
      served =>
        [...globalThis.clickable]
          .filter(element => element.isConnected && !element.matches(served))
          .filter(element => !element.matches('a[href], button, summary, input, select, label, [tabindex]'))
          .map(element => `${element.localName}.${element.className}`),
      served,
    );
    assert.deepEqual(found, [], path);
  }
});
