// Every page, in both themes, on a telephone and on a desk.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accessibilityFindings, closeBrowser, open, picture, run, serve, settle, signIn } from './support.mjs';

after(closeBrowser);

const PAGES = ['', 'sessions', 'prompts', 'plans', 'marks', 'search', 'search?q=flaky', 'usage', 'tools', 'files', 'live', 'archive', 'doctor', 'settings', 'sql'];

test('every page shows its content in both themes and at every width', async t => {
  const server = await serve(t, '--demo');
  const { page, problems } = await signIn(t, server);
  const [session] = await page.evaluate(async base => (await (await fetch(`${base}api/1/sessions?limit=1`)).json()).sessions.map(row => row.id), server.base);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of [...PAGES, `s/${session}`]) {
        await open(page, server, path);
        const name = path.replace(/[^a-z]+/gi, '-') || 'home';
        await picture(page, `${name}-${colorScheme}-${width}`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${path} is ${overflow} pixels too wide at ${width}`);
        assert.ok(await page.locator('h1').first().isVisible(), `${path} has a heading`);
        assert.deepEqual(await accessibilityFindings(page), [], `${path} ${colorScheme} ${width}`);
        assert.deepEqual(problems, [], path);
      }
    }
  }
});

test('the bar that the server puts into a page is the one that the app shows', async t => {
  const server = await serve(t, '--demo');
  const { page } = await signIn(t, server);
  for (const path of ['', 'usage', 'marks', 'settings']) {
    const sent = await page.evaluate(async url => (await fetch(url)).text(), server.base + path);
    await open(page, server, path);
    const shown = await page.locator('header.top').evaluate(element => element.outerHTML);
    assert.ok(sent.includes(shown), `${path}: ${shown}`);
  }
});

test('the chosen theme is there before the app', async t => {
  const server = await serve(t, '--demo');
  const { page, context } = await signIn(t, server);
  await open(page, server, 'settings');
  await page.evaluate(base => localStorage.setItem(`${base}theme`, 'dark'), server.base);
  const other = await context.newPage();
  await other.route(/\/assets\/app-.*\.js$/, route => route.abort());
  await other.goto(server.origin + server.base);
  await other.locator('header.top').waitFor();
  assert.equal(await other.evaluate(() => document.documentElement.dataset.theme), 'dark');
  assert.equal(await other.locator('main#main').count(), 0);
});

test('Home asks for its data once', async t => {
  const server = await serve(t, '--demo');
  const { page } = await signIn(t, server);
  await open(page, server, 'settings');
  const asked = [];
  page.on('request', request => asked.push(new URL(request.url()).pathname.slice(server.base.length)));
  await open(page, server, '');
  await page.getByText('Latest sessions').first().waitFor();
  assert.equal(asked.filter(path => path === 'api/1/home').length, 1);
});

test('keys lead to every page, the palette and the list of keys', async t => {
  const server = await serve(t, '--demo');
  const { page, problems } = await signIn(t, server);
  await open(page, server, '');
  const places = { s: 'sessions', u: 'usage', f: 'files', t: 'tools', l: 'live', a: 'archive', d: 'doctor', q: 'sql', ',': 'settings', h: '', '/': 'search' };
  for (const [key, path] of Object.entries(places)) {
    await page.locator('body').focus();
    // At once: the second key of a sequence may take only a moment.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press(key)]);
    await page.waitForURL(server.origin + server.base + path);
  }
  // The search page has the focus in its field, where letters are letters.
  await open(page, server, 'settings');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('usage');
  await page.getByRole('option', { name: /Usage/ }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/usage/);
  assert.deepEqual(problems, []);
});

test('the numbers on the pages are those of the command line', async t => {
  const server = await serve(t, '--demo');
  const { page } = await signIn(t, server);
  const ask = path => page.evaluate(async url => (await fetch(url)).json(), `${server.base}api/1/${path}`);
  const usage = JSON.parse((await run(['--demo', 'usage', 'monthly', '--json'], server.home)).output);
  const shown = await ask('usage?by=month');
  assert.deepEqual(shown.total, usage.total);
  const sessions = JSON.parse((await run(['--demo', 'ls', '--json', '--limit', '0'], server.home)).output);
  await open(page, server, 'sessions');
  assert.match(await page.locator('.heading').textContent(), new RegExp(`${sessions.total} sessions`));
});

test('the details of a turn show what it and the whole session used', async t => {
  const server = await serve(t, '--demo');
  const { page, problems } = await signIn(t, server);
  const ask = path => page.evaluate(async url => (await fetch(url)).json(), `${server.base}api/1/${path}`);
  const [session] = (await ask('sessions?limit=50')).sessions.filter(row => row.agents > 0);
  const { total } = await ask(`sessions/${session.id}/usage?by=turn`);
  await open(page, server, `s/${session.id}`);
  const details = page.locator('.session-details');
  await details.getByText('Whole session, with sub-agents').waitFor();
  const text = await details.innerText();
  assert.match(text, /Tokens in\s+[\d.]+k · \d+% cached/);
  assert.ok(text.includes(`$${Number(total.cost_usd).toFixed(2)} · ${total.calls} requests`), text);
  assert.deepEqual(problems, []);
});

test('a session can be read without JavaScript', async t => {
  const server = await serve(t, '--demo');
  const { page, context } = await signIn(t, server);
  const rows = await page.evaluate(async base => (await (await fetch(`${base}api/1/sessions?limit=1`)).json()).sessions, server.base);
  const cookies = await context.cookies();
  const plain = await signIn(t, await serve(t, '--demo'), {}).then(({ context: other }) => other.browser().newContext({ javaScriptEnabled: false }));
  t.after(() => plain.close());
  await plain.addCookies(cookies);
  const reader = await plain.newPage();
  await reader.goto(`${server.origin}${server.base}s/${rows[0].id}`);
  assert.ok((await reader.locator('section[id^=t]').count()) > 0);
  assert.ok((await reader.locator('body').innerText()).includes(rows[0].title.slice(0, 20)));
});

test('the server stops, and the page says so', async t => {
  const server = await serve(t, '--demo');
  const { page } = await signIn(t, server);
  await open(page, server, 'sessions');
  await server.stop();
  await page.getByText('The server does not answer').first().waitFor({ timeout: 10_000 });
});

test('cookies are not sent to other servers on this machine', async t => {
  const [one, other] = [await serve(t, '--demo'), await serve(t, '--demo')];
  const { page, context } = await signIn(t, one);
  const sent = [];
  page.on('request', request => {
    if (request.url().startsWith(other.origin)) sent.push(request);
  });
  await page.goto(`${other.origin}/`);
  const headers = await Promise.all(sent.map(request => request.allHeaders()));
  assert.ok(sent.length > 0 && headers.every(all => !all.cookie));
  const response = await page.goto(other.origin + one.base);
  assert.ok(response.status() >= 400);
  assert.equal((await context.cookies(one.origin + one.base)).length, 1);
});
