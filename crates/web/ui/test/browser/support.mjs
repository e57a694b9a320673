// A server of its own for each test, and pages that report everything that goes wrong in them.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

/** The program under test, and the browser: named by `cargo xtask web`. */
export const annals = process.env.ANNALS ?? fail('ANNALS is not set');
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** A folder with a bundle to try instead of the embedded one. */
const assets = process.env.ASSETS ? ['--assets', process.env.ASSETS] : [];
/** Where to put screenshots, if anywhere. */
const screenshots = process.env.SCREENSHOTS;

function fail(reason) {
  throw new Error(reason);
}

/** The environment of the program: a home of its own and nothing else. */
function environment(home) {
  return { PATH: process.env.PATH, HOME: home, ANNALS_HOME: join(home, 'annals'), TZ: 'UTC' };
}

/** Runs a command of annals and returns its output. */
export async function run(arguments_, home) {
  const child = spawn(annals, arguments_, { env: environment(home), stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const piece of child.stdout) output += piece;
  const status = await new Promise(resolve => (child.exitCode === null ? child.on('exit', resolve) : resolve(child.exitCode)));
  return { output, status };
}

/** Starts a server. It ends with the test. */
export async function serve(test, ...arguments_) {
  const home = mkdtempSync(join(tmpdir(), 'annals-web-'));
  const child = spawn(annals, ['serve', '--port', '0', ...assets, ...arguments_], { env: environment(home), stdio: ['ignore', 'pipe', 'pipe'] });
  const errors = [];
  createInterface({ input: child.stderr }).on('line', line => errors.push(line));
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', line => {
      const found = line.match(/http:\/\/127\.0\.0\.1:\d+\/\S+/);
      if (found) resolve(found[0]);
    });
    child.on('exit', status => reject(new Error(`the server ended with ${status}: ${errors.join('\n')}`)));
  });
  const server = {
    /** The address that signs in, once. */
    url,
    home,
    base: new URL(url).pathname.split('/').slice(0, 2).join('/') + '/',
    origin: new URL(url).origin,
    errors,
    stop: () =>
      new Promise(resolve => {
        if (child.exitCode !== null) return resolve();
        child.on('exit', resolve);
        child.kill('SIGTERM');
      }),
  };
  test.after(async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  });
  return server;
}

let browser;

/** The one browser of all tests. */
export async function theBrowser() {
  browser ??= await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  return browser;
}

export async function closeBrowser() {
  await browser?.close();
}

/** A signed-in page that collects errors, dialogs and violations of its policy. */
export async function signIn(test, server, options = {}) {
  const context = await (await theBrowser()).newContext({ viewport: { width: 1440, height: 900 }, ...options });
  test.after(() => context.close());
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', error => problems.push(`error: ${error.stack}`));
  page.on('dialog', dialog => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', message => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('request', request => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== server.origin) problems.push(`request to ${request.url()}`);
  });
  await page.goto(server.url);
  await page.waitForURL(url => !url.pathname.endsWith('/enter'));
  return { page, context, problems };
}

/** Goes to a page of the application and waits until it shows its content. */
export async function open(page, server, path) {
  await page.goto(server.origin + server.base + path);
  await settle(page);
}

/** Waits until nothing is loading. */
export async function settle(page) {
  await page.waitForFunction(() => document.querySelector('main#main') && !document.querySelector('.loading'), null, { timeout: 15_000 });
}

export async function picture(page, name) {
  if (screenshots) await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The serious findings of axe. It is evaluated, not added as a script, which the policy forbids. */
export async function accessibilityFindings(page) {
  await page.evaluate(axe);
  const results = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return results.violations
    .filter(found => found.impact === 'serious' || found.impact === 'critical')
    .map(found => `${found.id}: ${found.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(' | ')}`);
}
