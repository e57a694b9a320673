// Sessions that run while the page is open: lines are written, and appear.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Author } from '../../bench/store.mjs';
import { accessibilityFindings, closeBrowser, open, picture, serve, signIn } from './support.mjs';

after(closeBrowser);

const SESSION = '00000000-0000-4000-8000-0000000000b1';
const AGENT = 'a0123456789abcdef';

/** A store whose one session is being written by this process. */
function runningStore() {
  const root = mkdtempSync(join(tmpdir(), 'annals-live-'));
  const project = join(root, 'projects/-home-u-work-made-up');
  mkdirSync(join(root, 'sessions'), { recursive: true });
  mkdirSync(join(project, SESSION, 'subagents'), { recursive: true });
  const author = new Author(SESSION);
  author.time = Date.now() - 60_000;
  const path = join(project, `${SESSION}.jsonl`);
  writeFileSync(path, author.prompt('Watch the tide and tell me.') + author.answer({ type: 'text', text: 'I am watching it.' }));
  const running = { pid: process.pid, sessionId: SESSION, cwd: '/home/u/work/made-up', startedAt: Date.now(), kind: 'interactive', status: 'busy' };
  writeFileSync(join(root, 'sessions', `${process.pid}.json`), JSON.stringify(running));
  return { root, path, author, agents: join(project, SESSION, 'subagents') };
}

test('the live page shows what running sessions and their agents do, as they do it', async t => {
  const { root, path, author, agents } = runningStore();
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const server = await serve(t, '--root', root);
  const { page, problems } = await signIn(t, server);
  await open(page, server, 'live');
  const panel = page.locator('section.panel', { hasText: 'Watch the tide' });
  await panel.waitFor();
  // The page shows what happens from when it follows the session on; lines before that are past.
  for (let tries = 0; tries < 100 && (await panel.locator('.live-lane').count()) === 0; tries++) {
    author.time = Date.now();
    appendFileSync(path, author.answer({ type: 'text', text: 'Still water.' }));
    await page.waitForTimeout(200);
  }

  author.time = Date.now();
  const call = { type: 'tool_use', id: 'toolu_live', name: 'Bash', input: { command: 'sleep 60', description: 'Wait for the tide' } };
  appendFileSync(path, author.answer({ type: 'text', text: 'The water rises.' }) + author.answer(call));
  await panel.getByText('The water rises.').waitFor();
  const running = panel.locator('.running-call');
  await running.waitFor();
  assert.match(await running.innerText(), /Bash|sleep 60|Wait for the tide/);

  const agent = new Author(SESSION);
  agent.time = Date.now();
  writeFileSync(join(agents, `agent-${AGENT}.meta.json`), JSON.stringify({ agentType: 'Explore', description: 'Look at the moon' }));
  const own = line => `${JSON.stringify({ ...JSON.parse(line), isSidechain: true, agentId: AGENT })}\n`;
  writeFileSync(join(agents, `agent-${AGENT}.jsonl`), own(agent.prompt('Look at the moon.')) + own(agent.answer({ type: 'text', text: 'It is full.' })));
  await panel.getByText('It is full.').waitFor();
  assert.equal(await panel.locator('.live-lane').count(), 2);
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await picture(page, `live-running-${theme}-${width}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `no sideways scrolling at ${width} px`);
    }
    assert.deepEqual(await accessibilityFindings(page), [], theme);
  }

  appendFileSync(path, author.record('user', { role: 'user', content: [{ tool_use_id: 'toolu_live', type: 'tool_result', content: 'too late', is_error: true }] }));
  await running.waitFor({ state: 'detached' });
  await page.keyboard.press('e');
  await page.waitForURL(/errors=1/);
  assert.equal(await panel.getByText('The water rises.').count(), 0, 'only errors');
  assert.equal(await panel.locator('li.bad').count(), 1);
  await page.keyboard.press('e');

  await page.keyboard.press('p');
  appendFileSync(path, author.answer({ type: 'text', text: 'Unseen while paused.' }));
  await page.waitForTimeout(600);
  assert.equal(await page.getByText('Unseen while paused.').count(), 0);
  assert.deepEqual(problems, []);
});

test('a line that is written appears on the page of its session, and what is read stays', async t => {
  const { root, path, author } = runningStore();
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const server = await serve(t, '--root', root);
  const { page, problems } = await signIn(t, server);
  await open(page, server, `s/${SESSION}`);
  await page.getByText('I am watching it.').first().waitFor();
  author.time = Date.now();
  appendFileSync(path, author.answer({ type: 'text', text: 'High water at noon.' }));
  await page.locator('.chunk').getByText('High water at noon.').waitFor();
  assert.equal(await page.locator('.chunk').getByText('High water at noon.').count(), 1);
  assert.deepEqual(problems, []);
});
