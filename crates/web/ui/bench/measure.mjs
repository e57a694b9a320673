// Figures of pages: when something was on the screen, and what the page costs.

import { chromium } from 'playwright-core';

export const now = () => performance.timeOrigin + performance.now();
export const sleep = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

export function median(samples) {
  const sorted = [...samples].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function percentile(samples, share) {
  const sorted = [...samples].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
}

export async function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/** Notes the times of paints and of changes, from before the first script of the page runs. */
function observe() {
  const seen = { changed: 0, painted: 0 };
  globalThis.benchSeen = seen;
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (entry.name === 'first-contentful-paint') seen.painted = entry.startTime;
  }).observe({ type: 'paint', buffered: true });
  new MutationObserver(() => {
    seen.changed = performance.now();
  }).observe(document, { childList: true, subtree: true, characterData: true });
}

/** A new page with an empty cache, signed in by the cookies of `state`. */
export async function newPage(browser, state) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState: state });
  await context.addInitScript(observe);
  return { context, page: await context.newPage() };
}

/** Waits until nothing has changed for a while; returns when the last change was. */
export async function quiet(page, { pause = 400, timeout = 30_000, isReady = () => true } = {}) {
  const end = now() + timeout;
  for (;;) {
    const { since, at } = await page.evaluate(() => ({ since: performance.now() - globalThis.benchSeen.changed, at: globalThis.benchSeen.changed }));
    if (since > pause && (await page.evaluate(isReady))) return at;
    if (now() > end) throw new Error(`${page.url()} does not come to rest`);
    await sleep(50);
  }
}

export async function firstPaint(page) {
  await page.waitForFunction(() => globalThis.benchSeen.painted > 0, null, { polling: 20 });
  return page.evaluate(() => globalThis.benchSeen.painted);
}

/** The heap and the nodes of a page after garbage is collected. */
export async function weigh(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = name => metrics.find(found => found.name === name)?.value ?? 0;
  const elements = await page.evaluate(() => document.querySelectorAll('*').length);
  return { heap: metric('JSHeapUsedSize'), nodes: metric('Nodes'), elements };
}
