// One turn that is longer than many sessions: its end is read without what comes before, and
// scrolling back shows every message once.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Author } from '../../bench/store.mjs';
import { closeBrowser, open, serve, signIn } from './support.mjs';

after(closeBrowser);

const SESSION = '00000000-0000-4000-8000-0000000000c1';
const CALLS = 1_100;

test('a turn with a thousand calls is read in pieces, from its end too', async t => {
  const root = mkdtempSync(join(tmpdir(), 'annals-long-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const project = join(root, 'projects/-home-u-work-made-up');
  mkdirSync(project, { recursive: true });
  const author = new Author(SESSION);
  let lines = author.prompt('Do a thousand things.');
  for (let call = 0; call < CALLS; call++) lines += author.call(200);
  writeFileSync(join(project, `${SESSION}.jsonl`), lines);
  const server = await serve(t, '--root', root);
  const { page, problems } = await signIn(t, server);
  await open(page, server, `s/${SESSION}`);
  await page.waitForFunction(() => document.querySelectorAll('.chunk').length > 5);

  const asked = [];
  page.on('request', request => {
    if (request.url().includes('/fragment/')) asked.push(new URL(request.url()).searchParams.get('step'));
  });
  await page.keyboard.press('.');
  await page.waitForFunction(() => {
    const last = [...document.querySelectorAll('.chunk:last-child .m')].at(-1)?.getBoundingClientRect();
    return last && last.top < innerHeight && last.bottom > 0;
  });
  assert.ok(asked.length <= 4, `the end needs few fragments, not ${asked.join()}`);
  await page.keyboard.press('.');

  const found = await page.evaluate(async () => {
    const seen = new Set();
    let twice = 0;
    let most = 0;
    for (let still = 0; still < 20; ) {
      const ids = [...document.querySelectorAll('.chunk .m[id]')].map(element => element.id);
      twice = Math.max(twice, ids.length - new Set(ids).size);
      most = Math.max(most, document.querySelectorAll('*').length);
      for (const id of ids) seen.add(id);
      const before = scrollY;
      scrollBy({ top: -innerHeight * 0.8, behavior: 'instant' });
      await new Promise(resolve => setTimeout(resolve, 30));
      const isWaiting = () =>
        [...document.querySelectorAll('.chunk')].some(chunk => !chunk.firstElementChild && chunk.getBoundingClientRect().bottom > 0 && chunk.getBoundingClientRect().top < innerHeight);
      for (let waited = 0; waited < 200 && isWaiting(); waited++) await new Promise(resolve => setTimeout(resolve, 20));
      still = scrollY < before || scrollY > 4 ? 0 : still + 1;
    }
    return { messages: seen.size, twice, most };
  });
  // The prompt, and a text and a call of each.
  assert.deepEqual([found.messages, found.twice], [1 + 2 * CALLS, 0]);
  assert.ok(found.most < 8_000, `${found.most} elements`);
  assert.deepEqual(problems, []);
});
