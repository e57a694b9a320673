// Search, Usage and Home: what they do, and that their numbers are those of the command line.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accessibilityFindings, closeBrowser, open, picture, run, serve, settle, signIn } from './support.mjs';

after(closeBrowser);

const query = page => new URL(page.url()).searchParams;
const money = text => Number(text.replace(/[^0-9.]/g, ''));

async function json(server, ...arguments_) {
  return JSON.parse((await run(['--demo', '--json', ...arguments_], server.home)).output);
}

test('typing searches, and everything chosen is in the query', async t => {
  const server = await serve(t, '--demo');
  const { page, problems } = await signIn(t, server);
  await open(page, server, 'search');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'query');
  await page.keyboard.type('login', { delay: 20 });
  await page.locator('.hit').first().waitFor();
  await page.locator('.facet-value').first().waitFor();
  const expected = await json(server, 'search', 'login');
  assert.match(await page.locator('.search-bar').textContent(), new RegExp(`^${expected.total} hits?`));
  assert.equal(query(page).get('q'), 'login');
  const tool = page.getByRole('region', { name: 'Tool' }).locator('.facet-value').first();
  const name = await tool.locator('span').first().textContent();
  await tool.click();
  await page.waitForURL(url => url.searchParams.get('q') === `login tool:${name}`);
  await page.locator('.search:not(.stale)').waitFor();
  assert.equal(await page.inputValue('#query'), `login tool:${name}`);
  await page.getByRole('region', { name: 'Tool' }).locator('.facet-value[aria-pressed=true]').click();
  await page.waitForURL(url => url.searchParams.get('q') === 'login');
  assert.deepEqual(problems, []);
});

test('keys move over hits, show their context and open them at their place', async t => {
  const server = await serve(t, '--demo');
  const { page, problems } = await signIn(t, server);
  await open(page, server, 'search?q=sleeping');
  await page.locator('.hit').first().waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.inputValue('#query'), 'sleeping');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.locator('.context .at').waitFor();
  await picture(page, 'search-context');
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'query');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/s\/[0-9a-f-]+(\/a\/\w+)?\?turn=.+#m-/);
  assert.deepEqual(problems.filter(problem => !problem.includes('/s/')), []);
});

test('the arrow keys read a chart and select a range', async t => {
  const server = await serve(t, '--demo');
  const { page, problems } = await signIn(t, server);
  await open(page, server, 'search?q=the');
  const plot = page.locator('.search-time .plot');
  await plot.waitFor();
  await plot.focus();
  await page.keyboard.press('Home');
  assert.match(await page.locator('.search-time [role=status]').textContent(), /\d+ hits?/);
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await page.waitForURL(url => /^the since:\d{4}-\d\d-\d\d until:\d{4}-\d\d-\d\d$/.test(url.searchParams.get('q')));
  assert.deepEqual(problems, []);
});

test('a query without hits and one that is wrong say what to do', async t => {
  const server = await serve(t, '--demo');
  const { page } = await signIn(t, server);
  await open(page, server, 'search?q=zzqx+tool:Bash');
  await page.getByText('Search without').waitFor();
  await open(page, server, 'search?q=is:nonsense');
  assert.match(await page.getByRole('alert').textContent(), /use one of error, prompt/);
});

test('the figures of usage are those of the command line', async t => {
  const server = await serve(t, '--demo');
  const { page, problems } = await signIn(t, server);
  await open(page, server, 'usage?period=all');
  await page.locator('.figure').first().waitFor();
  const usage = await json(server, 'usage', '--by', 'model');
  const figure = name => page.locator('.figure', { hasText: name }).locator('.figure-value').first().textContent();
  assert.equal(money(await figure('Cost')), Number(Number(usage.total.cost_usd).toFixed(2)));
  assert.equal(Number((await figure('Calls')).replaceAll(',', '')), usage.total.calls);
  await page.locator('.pick select').last().selectOption('model');
  await page.waitForURL(/by=model/);
  await page.locator('.bar-list .bar-item', { hasText: 'sonnet' }).first().waitFor();
  const rows = await page.locator('.bar-list[aria-label="By model"] .bar-value').allTextContents();
  const costs = usage.rows.map(row => Number(row.cost_usd)).filter(cost => cost > 0).map(cost => Number(cost.toFixed(2)));
  assert.deepEqual(rows.map(money).filter(cost => cost >= 0.01), costs.filter(cost => cost >= 0.01));
  assert.deepEqual(problems, []);
});

test('a number is explained, a bar is picked, a row filters', async t => {
  const server = await serve(t, '--demo');
  const { page, problems } = await signIn(t, server);
  await open(page, server, 'usage');
  const plot = page.locator('.plot').first();
  await plot.waitFor();
  await plot.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Only this day' }).waitFor();
  await page.keyboard.press('u');
  await page.waitForURL(/unit=tokens/);
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'How Cost is counted' });
  await dialog.getByText('from lines to calls').waitFor();
  assert.deepEqual(await accessibilityFindings(page), []);
  await page.keyboard.press('Escape');
  await page.waitForURL(url => !url.searchParams.has('explain'));
  await page.locator('.bar-list[aria-label="By project"] button').first().click();
  await page.waitForURL(/project=/);
  await page.locator('.chip').click();
  await page.waitForURL(url => !url.searchParams.has('project'));
  await page.locator('.chart-switch').first().click();
  assert.ok((await page.locator('.chart-table tbody tr').count()) > 5);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.getByRole('heading', { name: 'Checks of all transcripts' }).waitFor();
  await settle(page);
  await picture(page, 'usage-end');
  assert.deepEqual(await accessibilityFindings(page), []);
  assert.deepEqual(problems, []);
});

test('the home page archives what is about to be deleted', async t => {
  const server = await serve(t, '--demo');
  const { page, problems } = await signIn(t, server);
  await open(page, server, '');
  const home = await json(server);
  await page.getByText(`Claude Code will delete ${home.expiring} sessions`).waitFor();
  await page.getByRole('button', { name: 'Archive now' }).click();
  await page.getByText('The archive has all of it.').waitFor({ timeout: 20_000 });
  assert.equal(await page.locator('.latest a').first().textContent(), home.latest[0].title);
  assert.deepEqual(problems, []);
});
